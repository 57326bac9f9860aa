"""Real recordings: a broker, clients and workers of all dialects, and nodes, that really talked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import zmq

from support.nodes import Listened
from support.ports import ANY_PORT
from zwire import (
    Broker,
    BrokerConfig,
    Client,
    JoinedGroup,
    Node,
    NodeSettings,
    Shouted,
    Whispered,
    Worker,
)
from zwire.capture import Losses, Row, read_all
from zwire.io.config import parse_flag
from zwire_protocols.mdpx import worker as mdpx_worker
from zwire_protocols.zre36 import messages as zre36

SPOKEN = ("mdpx", "emqp", "ppp", "mdp01", "mdp02")
NAUGHTY = b"naughty"
RUDE = UUID(int=(0xBAD << 116) + 1)
_FLAGS = {
    "mdpx": f"{ANY_PORT},{ANY_PORT}",
    "emqp": f"{ANY_PORT},{ANY_PORT}",
    "ppp": f"{ANY_PORT},{ANY_PORT}=from-ppp",
    "mdp": f"{ANY_PORT},{ANY_PORT}",
}

# A queue of PPP serves its own service alone, and eMQP has no replies in pieces.
_SERVED = {"ppp": ("ppp",), "emqp": ("emqp", "ppp", "mdp01")}


def record_broker(folder: Path) -> list[Row]:
    """Everybody asks everybody's service; one worker breaks the rules and is sent away."""
    config = BrokerConfig(tuple(parse_flag(name, text) for name, text in _FLAGS.items()))
    with ExitStack() as stack:
        broker = stack.enter_context(Broker(config, capture=folder))
        fronts, backs = {}, {}
        for bound in broker.bound:
            for dialect in ("mdp01", "mdp02") if bound.dialect == "mdp" else (bound.dialect,):
                fronts[dialect] = bound.front.replace("tcp:", f"{dialect}:")
                backs[dialect] = bound.back.replace("tcp:", f"{dialect}:")
        for dialect in SPOKEN:
            stack.enter_context(_worker(dialect, backs[dialect], folder))
        for asks in SPOKEN:
            with Client(fronts[asks], capture=folder) as client:
                for serves in _SERVED.get(asks, SPOKEN):
                    for number in range(2):
                        client.request(f"from-{serves}", f"{asks} {number}", timeout=60)
        _misbehave(broker.bound[0].back)
    return list(read_all([folder], Losses()))


def _worker(dialect: str, back: str, folder: Path) -> Worker:
    worker = Worker(back, f"from-{dialect}", capture=folder)

    def in_pieces(body: bytes) -> Iterator[bytes]:
        yield b"to begin with"
        yield body

    def at_once(body: bytes) -> bytes:
        return body

    worker.handler(in_pieces if dialect in ("mdpx", "mdp02") else at_once)
    return worker


def _misbehave(back: str) -> None:
    """Register, then answer what nobody asked; the broker's DISCONNECT shows that it was heard."""
    context = zmq.Context()
    try:
        socket = context.socket(zmq.DEALER)
        socket.identity, socket.linger, socket.rcvtimeo = NAUGHTY, 0, 60_000
        socket.connect(back)
        socket.send_multipart(mdpx_worker.encode(mdpx_worker.Ready("mischief")))
        lie = mdpx_worker.Final(b"nobody", b"nothing", (b"a lie",))
        socket.send_multipart(mdpx_worker.encode(lie))
        while mdpx_worker.decode(socket.recv_multipart()) != mdpx_worker.Disconnect():
            continue
    finally:
        context.destroy(linger=0)


def record_nodes(folder: Path, port: int) -> list[Row]:
    """Two nodes meet, one joins a group late, both speak, a third is rude, and all leave."""
    here = NodeSettings(interfaces=("loopback",), port=port, inproc=False)
    with (
        Node("ann", groups=["chat"], settings=here, capture=folder) as first,
        Node("bob", settings=here, capture=folder) as second,
    ):
        ann, bob = Listened(first), Listened(second)
        bob.met(ann)
        second.join("chat")
        ann.wait_for(JoinedGroup)
        first.shout("chat", "hello")
        bob.wait_for(Shouted)
        second.whisper(first.uuid, "what?")
        ann.wait_for(Whispered)
        _be_rude(ann)
    return list(read_all([folder], Losses()))


def _be_rude(ann: Listened) -> None:
    """Greet, then answer a PING that nobody sent; a whisper shows that it was heard."""
    context = zmq.Context()
    try:
        mailbox = context.socket(zmq.ROUTER)
        port = mailbox.bind_to_random_port("tcp://127.0.0.1", 49152, 65536)
        socket = context.socket(zmq.DEALER)
        socket.identity, socket.linger = b"\1" + RUDE.bytes, 0
        socket.connect(ann.node.endpoint)
        own = f"tcp://127.0.0.1:{port}"
        for message in (
            zre36.Hello(1, own, (), 0, "rude", ()),
            zre36.PingOk(2),
            zre36.Whisper(3, (b"so what",)),
        ):
            socket.send_multipart(zre36.encode(message))
        ann.wait_for(Whispered, peer=RUDE)
    finally:
        context.destroy(linger=0)
