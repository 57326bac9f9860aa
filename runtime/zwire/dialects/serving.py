"""The worker's side of each dialect: effects of the engine become frames, frames become facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zwire.core.mmi import PREFIX
from zwire.core.policy import BeatStyle, Heartbeat
from zwire.core.serving import ServeEffect, Serving, Task
from zwire.dialects import majordomo_words as words
from zwire.dialects.asking import check_service
from zwire.dialects.emqp_ids import Mint
from zwire.dialects.majordomo import WorkerWords
from zwire.dialects.speech import Spoken
from zwire.errors import LocalError, RemoteError
from zwire_protocols.emqp import worker as emqp
from zwire_protocols.errors import ProtocolError
from zwire_protocols.ppp import messages as ppp

Frames = list[bytes]
_RESERVED = PREFIX.decode()


@dataclass(frozen=True, slots=True)
class Manners:
    """What is usual in a dialect."""

    heartbeat: Heartbeat
    partials: bool = True  # it has partial replies
    one_frame: bool = False  # a body is exactly one frame
    offers_slots: bool = False  # the worker says how many requests it can take
    says_goodbye: bool = True  # it has a word to leave


@dataclass(frozen=True, slots=True)
class Origin:
    """What a request says about itself beside its body."""

    service: str
    request_id: bytes = b""
    headers: bytes = b""


class WorkerDialect(Protocol):
    """What a worker needs to know of its dialect; one object serves one worker."""

    @property
    def manners(self) -> Manners:
        """What is usual in this dialect."""

    @property
    def heard(self) -> Spoken:
        """What the broker says."""

    @property
    def said(self) -> Spoken:
        """What the worker says."""

    def register(self) -> Frames:
        """The word that opens the conversation."""

    def offer(self) -> Frames:
        """The word that offers one more slot; empty where none are offered."""

    def answer(self, task: Task, body: Sequence[bytes], final: bool) -> Frames:
        """A reply to a task."""

    def pulse(self) -> Frames:
        """A heartbeat."""

    def goodbye(self) -> Frames:
        """The word that ends the conversation; empty where there is none."""

    def hear(self, engine: Serving, frames: Frames, now: float) -> Sequence[ServeEffect]:
        """Tell the engine what the broker said; raises RemoteError for what is no message."""

    def origin(self, task: Task) -> Origin:
        """What the request says about itself."""


class Majordomo:
    """MDPX, MDP 0.1 and MDP 0.2: one service to a worker."""

    def __init__(self, table: WorkerWords, services: Sequence[str]) -> None:
        if len(services) != 1:
            raise LocalError(f"a Majordomo worker serves one service, not {len(services)}")
        _check_served(services[0])
        self._words = table
        self.heard, self.said = Spoken(table.part, "broker"), Spoken(table.part, "worker")
        self._service = services[0]
        self._head = list(table.head)
        style = BeatStyle.ANSWER if table.has_ids else BeatStyle.QUIET
        self.manners = Manners(Heartbeat(style=style), partials=table.partial is not None)

    def register(self) -> Frames:
        return [*self._head, self._words.ready, self._service.encode()]

    def offer(self) -> Frames:
        return []

    def answer(self, task: Task, body: Sequence[bytes], final: bool) -> Frames:
        command = self._words.final if final else self._words.partial or b""
        # A reply has at least one frame of body in every dialect of the family.
        data = body or (b"",)
        if isinstance(task.tag, tuple):
            return [*self._head, command, task.tag[0], b"", task.tag[1], *data]
        return [*self._head, command, task.tag, b"", *data]

    def pulse(self) -> Frames:
        return [*self._head, self._words.worker_beat]

    def goodbye(self) -> Frames:
        return [*self._head, self._words.disconnect]

    def hear(self, engine: Serving, frames: Frames, now: float) -> Sequence[ServeEffect]:
        at = len(self._head)
        table = self._words
        if frames[:at] == self._head and len(frames) > at:
            command = frames[at]
            if command == table.request:
                return self._assign(engine, frames[at + 1 :], now)
            if len(frames) == at + 1:
                if command == table.broker_beat:
                    return engine.pulse(now)
                if command == table.disconnect:
                    return engine.dismiss(now)
        elif table.odd_disconnect and frames == list(table.odd_disconnect):
            return engine.dismiss(now)
        raise RemoteError(f"no word of a broker: {[frame.hex() for frame in frames[:6]]}")

    def _assign(self, engine: Serving, rest: Frames, now: float) -> Sequence[ServeEffect]:
        """A request, of which the client's address, the delimiter, (the id) and the body are left."""
        ids = 1 if self._words.has_ids else 0
        if len(rest) < 3 + ids or not rest[0] or rest[1] or (ids and not rest[2]):
            raise RemoteError(
                f"REQUEST: expected an address, an empty frame, {'an id, ' * ids}and a body; "
                f"got {[frame.hex() for frame in rest[:4]]}"
            )
        if ids:
            return engine.assign((rest[0], rest[2]), rest[3:], now)
        return engine.assign(rest[0], rest[2:], now)

    def origin(self, task: Task) -> Origin:
        return Origin(self._service, task.tag[1] if isinstance(task.tag, tuple) else b"")


class Emqp:
    """eMQP: several queues to a worker, a READY for each free slot."""

    manners = Manners(Heartbeat(), partials=False, one_frame=True, offers_slots=True)
    heard, said = Spoken("emqp.worker", "broker"), Spoken("emqp.worker", "worker")

    def __init__(self, queues: Sequence[str]) -> None:
        for name in queues:
            _check_served(name)
        if not queues or any(name != name.strip() or "," in name for name in queues):
            raise LocalError(
                "an eMQP worker serves one or more queues, their names without commas and without "
                f"blanks around them; got {', '.join(map(repr, queues)) or 'none'}"
            )
        self._queues = ",".join(queues)
        self._mint = Mint()

    def register(self) -> Frames:
        return emqp.encode(emqp.Inform(self._mint(), self._queues))

    def offer(self) -> Frames:
        return emqp.encode(emqp.Ready(self._mint()))

    def answer(self, task: Task, body: Sequence[bytes], final: bool) -> Frames:
        # One frame goes back: the pieces of a reply that came bit by bit are joined.
        return emqp.encode(emqp.Reply(_id_of(task), b"".join(body)))

    def pulse(self) -> Frames:
        return emqp.encode(emqp.Heartbeat(self._mint()))

    def goodbye(self) -> Frames:
        return emqp.encode(emqp.Disconnect(self._mint()))

    def hear(self, engine: Serving, frames: Frames, now: float) -> Sequence[ServeEffect]:
        try:
            message = emqp.decode(frames)
        except ProtocolError as error:
            raise RemoteError(str(error)) from error
        match message:
            case emqp.Request(msgid, queue, headers, msg):
                return engine.assign(msgid, (msg,), now, (queue.encode(), headers))
            case emqp.Heartbeat():
                return engine.pulse(now)
            case emqp.Disconnect():
                return engine.dismiss(now)
            case _:
                raise RemoteError("no word of a broker: a command that only workers send")

    def origin(self, task: Task) -> Origin:
        queue, headers = task.envelope
        return Origin(queue.decode(), _id_of(task), headers)


class Ppp:
    """PPP: no names on the wire; a reply is ready again by itself, and nobody says goodbye."""

    manners = Manners(
        Heartbeat(ppp.INTERVAL_MS / 1000, ppp.LIVENESS, BeatStyle.STEADY),
        partials=False,
        says_goodbye=False,
    )
    heard, said = Spoken("ppp.messages", "client"), Spoken("ppp.messages", "worker")

    def __init__(self, services: Sequence[str]) -> None:
        if len(services) > 1:
            raise LocalError("PPP names no services on the wire: a worker has one at most")
        self._service = services[0] if services else ""

    def register(self) -> Frames:
        return ppp.encode(ppp.Ready())

    def offer(self) -> Frames:
        return []

    def answer(self, task: Task, body: Sequence[bytes], final: bool) -> Frames:
        return [*task.envelope, b"", *(body or (b"",))]

    def pulse(self) -> Frames:
        return ppp.encode(ppp.Heartbeat())

    def goodbye(self) -> Frames:
        return []

    def hear(self, engine: Serving, frames: Frames, now: float) -> Sequence[ServeEffect]:
        try:
            message = ppp.decode_from_client(frames)
        except ProtocolError as error:
            raise RemoteError(str(error)) from error
        match message:
            case ppp.Heartbeat():
                return engine.pulse(now)
            case ppp.Request(stack, content):
                # The whole stack goes back with the reply; it is the worker's only correlator.
                return engine.assign(b"", content, now, stack or ())

    def origin(self, task: Task) -> Origin:
        return Origin(self._service)


def _check_served(name: str) -> None:
    """Raises LocalError for a name under which no broker takes a worker on."""
    check_service(name)
    if name.startswith(_RESERVED):
        raise LocalError(
            f"names that begin with {_RESERVED} are the broker's own, such as {name!r}"
        )


def _id_of(task: Task) -> bytes:
    return task.tag if isinstance(task.tag, bytes) else task.tag[1]


def worker_dialect(name: str, services: Sequence[str]) -> WorkerDialect:
    """The dialect of this name for a worker of these services."""
    match name:
        case "mdpx":
            return Majordomo(words.MDPX_WORKER, services)
        case "mdp01":
            return Majordomo(words.MDP01_WORKER, services)
        case "mdp02":
            return Majordomo(words.MDP02_WORKER, services)
        case "emqp":
            return Emqp(services)
        case "ppp":
            return Ppp(services)
        case _:
            raise LocalError(f"no dialect {name!r}; there are mdpx, mdp01, mdp02, emqp and ppp")
