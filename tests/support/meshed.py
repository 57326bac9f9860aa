"""Made-up recordings without a broker's help: a proxy's, which has no jobs, and those of ZRE nodes."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

from support.brokered import client_words, worker_words
from support.traffic import MS, SECOND, Scribe
from zwire_protocols.zre import beacon
from zwire_protocols.zre import messages as zre
from zwire_protocols.zre36 import messages as zre36
from zwire_protocols.zrelog import messages as zrelog

UUIDS = [UUID(int=0xA0000000_0000_4000_8000_00000000_0000 + number) for number in range(4)]


def a_proxy(recorder: int, seed: int) -> Scribe:
    """Clients of a foreign broker, seen on their way: no job numbers, no events."""
    scribe, random = Scribe(recorder, "proxy"), Random(seed)

    def say(at: int, dialect: str, peer: bytes, act: str, id: bytes, service: str = "echo") -> None:
        part = "reqrep.rep" if dialect == "reqrep" else f"{dialect}.client"
        asks, answers = ("dealer", "rep") if dialect == "reqrep" else ("client", "broker")
        role, way = (asks, "in") if act == "request" else (answers, "out")
        frames = client_words(dialect, act, service, id, random.randbytes(9))
        scribe.message(at, way, "tcp://front", part, role, peer, frames)

    at = SECOND
    for dialect in ("mdpx", "emqp", "reqrep"):
        for id in (b"one", b"two", b"\x00\xff", b"one"):  # the first id is used again
            say(at, dialect, b"keyed", "request", id)
            if dialect == "mdpx":
                say(at + MS, dialect, b"keyed", "request", id)  # a retry
                say(at + 2 * MS, dialect, b"keyed", "partial", id)
            say(at + random.randrange(3 * MS, 900 * MS), dialect, b"keyed", "final", id)
            at += SECOND
    say(at, "mdpx", b"keyed", "final", b"one")  # a second answer
    say(at + 1, "mdpx", b"keyed", "final", b"unasked")
    for number, dialect in enumerate(("mdp01", "mdp02", "reqrep")):
        peer = f"plain-{number}".encode()
        for service in ("echo", "resize", "echo"):
            at += SECOND
            say(at, dialect, peer, "request", b"", service)
            if dialect == "mdp02":
                say(at + MS, dialect, peer, "partial", b"", service)
            say(at + random.randrange(2 * MS, 900 * MS), dialect, peer, "final", b"", service)
    say(at + SECOND, "mdpx", b"unlucky", "request", b"lost")
    say(at + 80 * SECOND, "mdpx", b"hopeful", "request", b"open")
    _workers_behind(scribe, random)
    return scribe


def _workers_behind(scribe: Scribe, random: Random) -> None:
    """A worker of the foreign broker that falls silent and comes back."""

    def say(at: int, act: str, id: bytes = b"", *, by_worker: bool) -> None:
        role, way = ("worker", "in") if by_worker else ("broker", "out")
        frames = worker_words("mdp02", act, "echo", id, random.randbytes(5))
        scribe.message(at, way, "tcp://back", "mdp02.worker", role, b"drone", frames)

    say(SECOND, "ready", by_worker=True)
    for at in (3, 5, 7, 40, 42):
        say(at * SECOND, "heartbeat", by_worker=True)
    say(8 * SECOND, "request", b"someone", by_worker=False)
    say(8 * SECOND + MS, "partial", b"someone", by_worker=True)
    say(9 * SECOND, "final", b"someone", by_worker=True)
    say(9 * SECOND + MS, "final", b"someone", by_worker=True)  # which nobody asked for


class NodeStage:
    """What one node of a mesh notes; it knows the numbers of all its links."""

    def __init__(self, recorder: int, own: int) -> None:
        self.scribe = Scribe(recorder, f"node-{own}")
        self.scribe.event(1, "node", {"uuid": str(UUIDS[own]), "name": f"node-{own}"})
        self._numbers: dict[tuple[int, str], int] = {}

    def say(self, at: int, way: str, other: int, name: str, *fields: Any, skip: int = 0) -> None:
        """A message of the other node, or to it; even numbers speak 20/ZRE, odd ones 36/ZRE."""
        module: Any = zre36 if other % 2 else zre
        link = (other, way)
        number = 1 if name == "Hello" else (self._numbers.get(link, 0) + 1 + skip) % 65536
        self._numbers[link] = number
        frames = module.encode(getattr(module, name)(number, *fields))
        protocol = "zre36.messages" if other % 2 else "zre.messages"
        role = "recipient" if name == "PingOk" else "sender"
        endpoint = "tcp://own" if way == "in" else f"tcp://other-{other}"
        self.scribe.message(at, way, endpoint, protocol, role, UUIDS[other].bytes, frames)

    def hello(self, at: int, way: str, other: int, *groups: str) -> None:
        if other % 2:
            self.say(at, way, other, "Hello", "tcp://x:1", groups, len(groups), f"node-{other}", ())
        else:
            self.say(at, way, other, "Hello", "127.0.0.1", 49152, groups, len(groups), ())

    def content(self, other: int) -> Any:
        return (b"hello", b"there") if other % 2 else b"hello"

    def jump(self, other: int, way: str, number: int) -> None:
        self._numbers[other, way] = number


def a_node(recorder: int, seed: int) -> Scribe:
    """A node among three others: groups that come and go, numbers that jump, a restart, a log."""
    stage, random = NodeStage(recorder, 0), Random(seed)
    scribe = stage.scribe
    for other in (1, 2, 3):
        at = other * SECOND
        for beat in range(6):
            frames = beacon.encode(beacon.Beacon(UUIDS[other], 49152))
            when = at + beat * SECOND - 500 * MS
            scribe.message(when, "in", "udp://here", "zre.beacon", "node", b"", frames)
        stage.hello(at, "in", other, "chat", "tea")
        told = {"name": f"node-{other}"}
        scribe.event(at + 1, "entered", told, peer=UUIDS[other].bytes)
        stage.hello(at + 2, "out", other, "chat")
        for _ in range(5):
            at += random.randrange(50 * MS, 700 * MS)
            stage.say(at, random.choice(("in", "out")), other, "Whisper", stage.content(other))
            at += random.randrange(50 * MS, 700 * MS)
            stage.say(
                at, random.choice(("in", "out")), other, "Shout", "chat", stage.content(other)
            )
        stage.say(10 * SECOND + other, "in", other, "Join", "work", 3)
        stage.say(12 * SECOND + other, "in", other, "Leave", "tea", 4)
        stage.say(14 * SECOND + other, "out", other, "Ping")
        stage.say(15 * SECOND + other, "in", other, "PingOk")
        stage.say(16 * SECOND + other, "in", other, "Join", "tea", 5)
    stage.say(20 * SECOND, "in", 1, "Whisper", stage.content(1), skip=4)
    stage.jump(2, "in", 65534)
    stage.say(21 * SECOND, "in", 2, "Ping")
    stage.say(22 * SECOND, "in", 2, "Ping")
    stage.jump(1, "in", 65534)
    stage.say(23 * SECOND, "in", 1, "Ping")
    stage.jump(1, "in", 0)  # 36/ZRE may leave out the 0
    stage.say(24 * SECOND, "in", 1, "Ping")
    stage.jump(1, "in", 0)
    stage.say(25 * SECOND, "in", 1, "Ping")  # the same number again
    stage.hello(30 * SECOND, "in", 2, "chat")  # it began anew
    stage.say(40 * SECOND, "in", 1, "Goodbye")
    scribe.event(40 * SECOND + 1, "left", {"why": "it said goodbye"}, peer=UUIDS[1].bytes)
    scribe.event(50 * SECOND, "left", {"why": "it was silent"}, peer=UUIDS[3].bytes)
    for number in range(4):
        record = zrelog.Log(
            random.choice(list(zrelog.Level)),
            random.choice(list(zrelog.Event)),
            number + 7,
            number * 999,
            (2**64 - 1) if number == 3 else 1_700_000_000_000 + number,
            f"entry {number}",
        )
        frames = zrelog.encode(record)
        scribe.message(
            (26 + number) * SECOND, "out", "tcp://log", "zrelog.messages", "node", b"", frames
        )
    return scribe


def misbehave(scribe: Scribe) -> None:
    """A peer that whispers before it greets."""
    frames = zre.encode(zre.Whisper(5, b"psst"))
    rude = UUID(int=0xBAD).bytes
    scribe.message(9 * SECOND, "in", "tcp://own", "zre.messages", "sender", rude, frames)
