"""The servers that the broker benchmark compares, each run in a process of its own."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import zmq

# By name: the dialect in which the load program speaks to it.
SERVERS = {
    "zwire": "mdpx",
    "credit": "mdpx",
    "majortomo": "majortomo",
    "proxy": "plain",
    "echo": "plain",
}
ANY = "tcp://127.0.0.1:*"


def run(name: str, folder: str = "") -> None:
    """Serve for ever; the addresses for clients and workers are printed first."""
    {
        "zwire": _zwire,
        "credit": _credit,
        "recorded": lambda: _zwire(capture=Path(folder)),
        "cut": lambda: _zwire(capture=Path(folder), bodies=16),
        "majortomo": _majortomo,
        "proxy": _proxy,
        "echo": _echo,
    }[name]()


def _tell(front: str, back: str) -> None:
    print(front, back, flush=True)


def _zwire(credit: int = 1, capture: Path | None = None, bodies: int | None = None) -> None:
    from zwire.core.policy import ServiceRules
    from zwire.io.broker import Broker
    from zwire.io.config import BrokerConfig, parse_flag

    config = BrokerConfig(
        (parse_flag("mdpx", f"{ANY},{ANY}"),),
        rules=ServiceRules(credit=credit, max_queued=20_000),
        capture=capture,
        capture_bodies=bodies,
    )
    broker = Broker(config)
    _tell(broker.bound[0].front, broker.bound[0].back)
    gc.freeze()  # as `zwire broker` does
    broker.run()


def _credit() -> None:
    _zwire(32)


def _majortomo() -> None:
    from majortomo.broker import Broker

    with zmq.Context() as context, context.socket(zmq.ROUTER) as probe:
        port = probe.bind_to_random_port("tcp://127.0.0.1")
    endpoint = f"tcp://127.0.0.1:{port}"
    broker: Any = Broker(bind=endpoint)
    _tell(endpoint, endpoint)
    broker.run()


def _bound(context: zmq.Context[zmq.Socket[bytes]], kind: int) -> tuple[zmq.Socket[bytes], str]:
    socket = context.socket(kind)
    socket.set_hwm(0)
    socket.bind(ANY)
    return socket, socket.getsockopt_string(zmq.LAST_ENDPOINT)


def _proxy() -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    front, front_address = _bound(context, zmq.ROUTER)
    back, back_address = _bound(context, zmq.DEALER)
    _tell(front_address, back_address)
    zmq.proxy(front, back)


def _echo() -> None:
    socket, address = _bound(zmq.Context(), zmq.ROUTER)
    _tell(address, address)
    while True:
        socket.send_multipart(socket.recv_multipart())
