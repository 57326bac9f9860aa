"""Brokers played by hand, octet by octet, for our own clients and workers; and a real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import zmq

from support.ports import ANY_PORT
from support.raw import Context, Raw
from zwire import Broker, BrokerConfig
from zwire.core.policy import ServiceRules
from zwire.io.config import Listener
from zwire.io.endpoints import Endpoint

CLIENTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")
WORKERS = CLIENTS
STREAMING = ("mdpx", "mdp02")
PIPELINING = ("mdpx", "emqp", "ppp")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as a scripted broker got it; `rest` is what its dialect sends back with a reply."""

    identity: bytes
    service: bytes
    rest: tuple[bytes, ...]
    body: list[bytes]
    headers: bytes = b""


class FrontEnd:
    """The clients' side of a broker in one dialect, on a bound ROUTER."""

    def __init__(self, dialect: str, context: Context, endpoint: str = ANY_PORT) -> None:
        self.dialect = dialect
        self.raw = Raw(zmq.ROUTER, context)
        self.url = dialect + self.raw.bind(endpoint).removeprefix("tcp")

    def asked(self) -> Asked:
        """The next request."""
        identity, *frames = self.raw.receive()
        match self.dialect, frames:
            case "mdpx", [b"MDXC01", b"\x01", service, request_id, *body]:
                return Asked(identity, service, (request_id,), body)
            case "mdp01", [b"", b"MDPC01", service, *body]:
                return Asked(identity, service, (), body)
            case "mdp02", [b"MDPC02", b"\x01", service, *body]:
                return Asked(identity, service, (), body)
            case "emqp", [b"", b"eMQP/1.0", b"REQUEST", name, queue, headers, msg]:
                return Asked(identity, queue, (name,), [msg], headers)
            case "ppp", [*stack, b"", word] if stack:
                return Asked(identity, b"", tuple(stack), [word])
            case _:
                raise AssertionError(f"no request of {self.dialect}: {frames}")

    def reply(self, asked: Asked, *body: bytes, final: bool = True) -> None:
        rest, last = asked.rest, b"\x03" if final else b"\x02"
        frames = {
            "mdpx": [b"MDXC01", last, asked.service, *rest],
            "mdp01": [b"", b"MDPC01", asked.service],
            "mdp02": [b"MDPC02", last, asked.service],
            "emqp": [b"", b"eMQP/1.0", b"REPLY", *rest],
            "ppp": [*rest, b""],
        }[self.dialect]
        assert final or self.dialect in STREAMING
        self.raw.send(asked.identity, *frames, *body)

    def close(self) -> None:
        self.raw.close()


class BackEnd:
    """The workers' side of a broker in one dialect, on a bound ROUTER; one worker at a time."""

    def __init__(self, dialect: str, context: Context, endpoint: str = ANY_PORT) -> None:
        self.dialect = dialect
        self.raw = Raw(zmq.ROUTER, context)
        self.url = dialect + self.raw.bind(endpoint).removeprefix("tcp")
        self.worker = b""

    def said(self) -> tuple[str, list[bytes]]:
        """What the worker says next: the command's name, and what follows it."""
        self.worker, *frames = self.raw.receive()
        match self.dialect, frames:
            case "mdpx", [b"MDXW01", command, *rest]:
                names = {b"\x01": "ready", b"\x03": "partial", b"\x04": "final", b"\x06": "bye"}
                return names.get(command, "beat"), rest
            case "mdp01", [b"", b"MDPW01", command, *rest]:
                names = {b"\x01": "ready", b"\x03": "final", b"\x04": "beat", b"\x05": "bye"}
                return names[command], rest
            case "mdp02", [b"MDPW02", command, *rest]:
                names = {b"\x01": "ready", b"\x03": "partial", b"\x04": "final", b"\x05": "beat"}
                return names.get(command, "bye"), rest
            case "emqp", [b"", b"eMQP/1.0", command, *rest]:
                names = {b"INFORM": "ready", b"READY": "offer", b"REPLY": "final"}
                return names.get(command, "beat" if command == b"HEARTBEAT" else "bye"), rest
            case "ppp", [b"\x01"]:
                return "ready", []
            case "ppp", [b"\x02"]:
                return "beat", []
            case "ppp", [*stack, b"", word]:
                return "final", [*stack, b"", word]
            case _:
                raise AssertionError(f"no word of a {self.dialect} worker: {frames}")

    def heard(self, name: str) -> list[bytes]:
        """Wait for this command, past heartbeats and offers; what follows it."""
        while True:
            command, rest = self.said()
            if command == name:
                return rest
            assert command in ("beat", "offer"), f"{command} came where {name} was awaited"

    def give(self, *body: bytes, tag: bytes = b"1", queue: bytes = b"echo") -> None:
        frames = {
            "mdpx": [b"MDXW01", b"\x02", b"client", b"", tag],
            "mdp01": [b"", b"MDPW01", b"\x02", tag, b""],
            "mdp02": [b"MDPW02", b"\x02", tag, b""],
            "emqp": [b"", b"eMQP/1.0", b"REQUEST", tag, queue, b"to:ann"],
            "ppp": [tag, b"deeper", b""],
        }[self.dialect]
        self.raw.send(self.worker, *frames, *body)

    def answer_to(self, tag: bytes, *body: bytes) -> list[bytes]:
        """What follows the command in a reply to the request of this tag."""
        return {
            "mdpx": [b"client", b"", tag, *body],
            "mdp01": [tag, b"", *body],
            "mdp02": [tag, b"", *body],
            "emqp": [tag, *body],
            "ppp": [tag, b"deeper", b"", *body],
        }[self.dialect]

    def beat(self) -> None:
        frames = {
            "mdpx": [b"MDXW01", b"PONG"],
            "mdp01": [b"", b"MDPW01", b"\x04"],
            "mdp02": [b"MDPW02", b"\x05"],
            "emqp": [b"", b"eMQP/1.0", b"HEARTBEAT", b"b"],
            "ppp": [b"\x02"],
        }[self.dialect]
        self.raw.send(self.worker, *frames)

    def dismiss(self) -> None:
        frames = {
            "mdpx": [b"MDXW01", b"\x06"],
            "mdp01": [b"", b"MDPW01", b"\x05"],
            "mdp02": [b"MDPW02", b"\x06"],
            "emqp": [b"", b"eMQP/1.0", b"DISCONNECT", b"b"],
        }[self.dialect]
        self.raw.send(self.worker, *frames)

    def close(self) -> None:
        self.raw.close()


@dataclass(frozen=True, slots=True)
class Place:
    """Where clients and workers of a dialect find the real broker."""

    front: str
    back: str


@contextmanager
def real_broker(
    credit: int = 1, interval: float = 2.0, liveness: float = 8.0
) -> Iterator[dict[str, Place]]:
    """A running broker that speaks everything; its PPP endpoint is for the service echo."""
    anywhere = Endpoint(ANY_PORT)
    config = BrokerConfig(
        (
            Listener("mdpx", anywhere, anywhere, "", interval, liveness),
            Listener("mdp", anywhere, None, "", interval, liveness),
            Listener("emqp", anywhere, None, "", interval, liveness),
            Listener("ppp", anywhere, anywhere, "echo", interval, liveness),
        ),
        rules=ServiceRules(credit=credit),
    )
    with Broker(config) as broker:
        places = {}
        for bound in broker.bound:
            for name in ("mdp01", "mdp02") if bound.dialect == "mdp" else (bound.dialect,):
                front, back = (text.removeprefix("tcp") for text in (bound.front, bound.back))
                places[name] = Place(name + front, name + back)
        yield places
        # Nothing that a test left open is worth waiting for.
        broker.stop(at_once=True)
