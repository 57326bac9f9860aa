"""A made-up broker: requests of every dialect to workers of every other, with all that may go wrong."""

from __future__ import annotations

from random import Random
from typing import Any

from support.traffic import MS, SECOND, Scribe
from zwire_protocols.emqp import client as emqp_client
from zwire_protocols.emqp import worker as emqp_worker
from zwire_protocols.mdp01 import client as mdp01_client
from zwire_protocols.mdp01 import worker as mdp01_worker
from zwire_protocols.mdp02 import client as mdp02_client
from zwire_protocols.mdp02 import worker as mdp02_worker
from zwire_protocols.mdpx import client as mdpx_client
from zwire_protocols.mdpx import worker as mdpx_worker
from zwire_protocols.ppp import messages as ppp
from zwire_protocols.reqrep import rep as reqrep

CLIENTS = ("mdpx", "mdp01", "mdp02", "emqp", "reqrep")
WORKERS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")
SERVICES = ("echo", "resize")
PARTS = {"reqrep": "reqrep.rep", "ppp": "ppp.messages"}


def client_words(dialect: str, act: str, service: str, id: bytes, body: bytes) -> list[bytes]:
    """What passes between a client and the broker; 'request', 'partial' or 'final'."""
    if dialect == "emqp":
        if act == "request":
            return emqp_client.encode(emqp_client.Request(id, service, b"", body))
        return emqp_client.encode(emqp_client.Reply(id, body))
    if dialect == "reqrep":
        kind: Any = reqrep.Request if act == "request" else reqrep.Reply
        return reqrep.encode(kind((id,) if id else (), (body,)))
    module: Any = {"mdpx": mdpx_client, "mdp01": mdp01_client, "mdp02": mdp02_client}[dialect]
    last = "Reply" if dialect == "mdp01" else "Final"
    kind = getattr(module, {"request": "Request", "partial": "Partial", "final": last}[act])
    ids = (id,) if dialect == "mdpx" else ()
    frames: list[bytes] = module.encode(kind(service, *ids, (body,)))
    return frames


def worker_words(dialect: str, act: str, service: str, id: bytes, body: bytes) -> list[bytes]:
    """What passes between the broker and a worker."""
    if dialect == "ppp":
        simple: dict[str, Any] = {"ready": ppp.Ready(), "heartbeat": ppp.Heartbeat()}
        kind: Any = ppp.Request if act == "request" else ppp.Reply
        return ppp.encode(simple.get(act) or kind((id,), (body,)))
    if dialect == "emqp":
        told: dict[str, Any] = {
            "ready": emqp_worker.Inform(b"i", f"{service}, other"),
            "request": emqp_worker.Request(id, service, b"", body),
            "final": emqp_worker.Reply(id, body),
            "heartbeat": emqp_worker.Heartbeat(b"h"),
            "disconnect": emqp_worker.Disconnect(b"d"),
            "offer": emqp_worker.Ready(b"r"),
        }
        return emqp_worker.encode(told[act])
    module: Any = {"mdpx": mdpx_worker, "mdp01": mdp01_worker, "mdp02": mdp02_worker}[dialect]
    last = "Reply" if dialect == "mdp01" else "Final"
    beat = "Ping" if dialect == "mdpx" else "Heartbeat"
    names = {"request": "Request", "partial": "Partial", "final": last, "ready": "Ready"}
    name = {**names, "heartbeat": beat, "disconnect": "Disconnect", "pong": "Pong"}[act]
    fields: tuple[Any, ...] = ()
    if act == "ready":
        fields = (service,)
    elif act in names:
        fields = (b"client-" + id, id, (body,)) if dialect == "mdpx" else (id, (body,))
    frames: list[bytes] = module.encode(getattr(module, name)(*fields))
    return frames


class BrokerStage:
    """One broker's recording: call what is to happen, in any order of time."""

    def __init__(self, recorder: int, seed: int) -> None:
        self.scribe = Scribe(recorder, f"broker-{recorder}")
        self._random = Random(seed)
        self._jobs = 0
        for dialect in WORKERS:
            for number, service in enumerate(SERVICES):
                self.join(MS * (number + 1), dialect, self.worker(dialect, service), service)

    @staticmethod
    def worker(dialect: str, service: str) -> bytes:
        return f"{dialect}-{service}".encode()

    def from_worker(
        self,
        at: int,
        dialect: str,
        peer: bytes,
        act: str,
        job: int = 0,
        id: bytes = b"",
        **more: Any,
    ) -> None:
        frames = worker_words(dialect, act, more.get("service", ""), id, more.get("body", b"."))
        part = PARTS.get(dialect, f"{dialect}.worker")
        self.scribe.message(at, "in", f"{dialect}://back", part, "worker", peer, frames, job)

    def to_worker(
        self,
        at: int,
        dialect: str,
        peer: bytes,
        act: str,
        job: int = 0,
        id: bytes = b"",
        **more: Any,
    ) -> None:
        frames = worker_words(dialect, act, more.get("service", ""), id, more.get("body", b"."))
        part = PARTS.get(dialect, f"{dialect}.worker")
        role = "client" if dialect == "ppp" else "broker"
        self.scribe.message(at, "out", f"{dialect}://back", part, role, peer, frames, job)

    def with_client(
        self, at: int, dialect: str, peer: bytes, act: str, service: str, id: bytes, job: int = 0
    ) -> None:
        body = self._random.randbytes(self._random.randrange(1, 40))
        frames = client_words(dialect, act, service, id, body)
        asks, answers = ("dealer", "rep") if dialect == "reqrep" else ("client", "broker")
        role, way = (asks, "in") if act == "request" else (answers, "out")
        part = PARTS.get(dialect, f"{dialect}.client")
        self.scribe.message(at, way, f"{dialect}://front", part, role, peer, frames, job)

    def tell(
        self, at: int, what: str, endpoint: str, peer: bytes, job: int = 0, **facts: str
    ) -> None:
        told = {"event": what, "endpoint": endpoint, "peer": peer.decode(), **facts}
        self.scribe.event(at, what, told, endpoint, peer, job)

    def join(self, at: int, dialect: str, peer: bytes, service: str) -> None:
        self.from_worker(at, dialect, peer, "ready", service=service)
        self.tell(at + 1, "worker joined", f"{dialect}://back", peer, service=service)
        if dialect == "emqp":
            for extra in range(3):
                self.from_worker(at + 2 + extra, dialect, peer, "offer")

    def beat(self, at: int, dialect: str, peer: bytes) -> None:
        self.from_worker(at, dialect, peer, "heartbeat")
        self.to_worker(at + 1, dialect, peer, "pong" if dialect == "mdpx" else "heartbeat")

    def ask(
        self, at: int, client: str, worker: str, service: str, *, partials: int = 0, fate: str = ""
    ) -> None:
        """A request and what becomes of it; see the methods called like fates."""
        self._jobs += 1
        job, id = self._jobs, f"id-{self._jobs}".encode()
        who, peer = f"client-{self._jobs}".encode(), self.worker(worker, service)
        front = f"{client}://front"
        wait = self._wait
        if fate == "refused":
            self.with_client(at, client, who, "request", service, id)
            told_id = "" if client in ("reqrep", "mdp01", "mdp02") else id.decode()
            refused = ("request refused", front, who)
            self.tell(at + 1, *refused, service=service, request_id=told_id)
            return
        self.with_client(at, client, who, "request", service, id, job)
        if fate == "repeated":
            self.tell(at + 1, "finished request repeated", front, who, job, service=service)
        if fate == "retried":
            self.with_client(at + 1, client, who, "request", service, id, job)
        if fate == "never":
            return
        at += wait()
        self.to_worker(at, worker, peer, "request", job, id, service=service)
        if fate == "retried":
            self.with_client(at + 1, client, who, "request", service, id, job)
            at += 2 * SECOND
        if fate == "redelivered":
            at = self._redeliver(at, job, id, worker, peer, service)
            peer = b"second-" + peer
        if fate in ("expired", "failed", "gone"):
            event = "client gone" if fate == "gone" else f"request {fate}"
            self.tell(at + wait(), event, front, who, job, service=service, request_id=id.decode())
            at += 2 * SECOND
        for _ in range(partials):
            at += wait()
            self.from_worker(at, worker, peer, "partial", job, id)
            if client in ("mdpx", "mdp02") and not fate:
                self.with_client(at + 1, client, who, "partial", service, id, job)
        if fate == "unfinished":
            return
        at += wait()
        self.from_worker(at, worker, peer, "final", job, id)
        if fate in ("expired", "failed", "gone"):
            self.tell(at + 1, "late reply discarded", f"{worker}://back", peer, job)
            return
        if fate == "undelivered":
            return
        self.with_client(at + 2, client, who, "final", service, id, job)
        if fate == "answered twice":
            self.with_client(at + 3, client, who, "final", service, id, job)

    def _redeliver(
        self, at: int, job: int, id: bytes, worker: str, peer: bytes, service: str
    ) -> int:
        """The first worker is given up, answers late all the same, and comes back."""
        back, second = f"{worker}://back", b"second-" + peer
        at += 3 * SECOND
        self.tell(at, "worker lost", back, peer, why="silent")
        self.tell(at + 1, "request redelivered", back, peer, job, service=service)
        self.join(at + 2, worker, second, service)
        at += MS
        self.to_worker(at, worker, second, "request", job, id, service=service)
        self.from_worker(at + MS, worker, peer, "final", job, id)
        self.tell(at + MS + 1, "late reply discarded", back, peer, job)
        self.join(at + 2 * MS, worker, peer, service)
        return at + 3 * MS

    def _wait(self) -> int:
        return self._random.randrange(MS, 400 * MS)


def a_broker(recorder: int, seed: int, *, each: int = 1) -> BrokerStage:
    """Every dialect asks every other, and everything that can go wrong does, some time."""
    stage, random = BrokerStage(recorder, seed), Random(seed)

    def some_time(upto: int = 90) -> int:
        return random.randrange(SECOND, upto * SECOND, MS)

    for _ in range(each):
        for client in CLIENTS:
            for worker in WORKERS:
                partials = random.randrange(4) if worker in ("mdpx", "mdp02") else 0
                stage.ask(some_time(), client, worker, random.choice(SERVICES), partials=partials)
    fates = [
        "refused",
        "repeated",
        "never",
        "expired",
        "failed",
        "gone",
        "unfinished",
        "undelivered",
    ]
    for fate in (*fates, "answered twice"):
        for client in CLIENTS:
            stage.ask(some_time(), client, random.choice(WORKERS), "echo", fate=fate)
    stage.ask(some_time(), "mdpx", "mdpx", "echo", fate="retried")
    stage.ask(some_time(), "mdpx", "mdp02", "echo", partials=2, fate="unfinished")
    for number, worker in enumerate(WORKERS):
        stage.ask((20 + 10 * number) * SECOND, "mdpx", worker, "resize", fate="redelivered")
    _hearts(stage, random)
    stage.ask(200 * SECOND, "emqp", "emqp", "resize", fate="unfinished")
    return stage


def _hearts(stage: BrokerStage, random: Random) -> None:
    """Workers that beat, some of them unevenly; one says goodbye, one is sent away and returns."""
    for worker in WORKERS:
        at = 2 * SECOND
        while at < 80 * SECOND:
            stage.beat(at, worker, b"steady-" + worker.encode())
            at += random.choice((2, 2, 2, 2, 7)) * SECOND + random.randrange(MS)
        stage.join(SECOND, worker, b"steady-" + worker.encode(), "echo")
    leaves = b"steady-mdpx"
    stage.from_worker(81 * SECOND, "mdpx", leaves, "disconnect")
    stage.tell(81 * SECOND + 1, "worker left", "mdpx://back", leaves, service="echo")
    sent = b"steady-mdp02"
    stage.to_worker(81 * SECOND, "mdp02", sent, "disconnect")
    stage.tell(81 * SECOND + 1, "worker dismissed", "mdp02://back", sent, service="echo")
    stage.join(83 * SECOND, "mdp02", sent, "echo")


def misbehave(stage: BrokerStage) -> None:
    """A worker that beats before it registers, one that answers what nobody asked, and nonsense."""
    stage.from_worker(5 * SECOND, "mdpx", b"mallory", "heartbeat")
    stage.join(6 * SECOND, "mdpx", b"eve", "echo")
    stage.from_worker(7 * SECOND, "mdpx", b"eve", "final", id=b"nobody's")
    stage.tell(7 * SECOND + 1, "violation", "mdpx://back", b"eve", detail="nobody asked")
    nonsense = (b"MDXW01", b"\x77")
    stage.scribe.message(
        8 * SECOND, "in", "mdpx://back", "mdpx.worker", "worker", b"trudy", nonsense
    )
    stage.scribe.message(9 * SECOND, "in", "any://where", "unheard.of", "", b"peggy", (b"?",))
