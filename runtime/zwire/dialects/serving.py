"""The worker's side of each dialect: effects of the engine become frames, frames become facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from zwire.core.serving import ServeEffect, Serving, Task
from zwire.dialects import majordomo_words as words
from zwire.dialects.majordomo import WorkerWords
from zwire.errors import LocalError, RemoteError
from zwire_protocols.emqp import worker as emqp
from zwire_protocols.errors import ProtocolError
from zwire_protocols.ppp import messages as ppp

Frames = list[bytes]


class WorkerDialect(Protocol):
    """What a worker needs to know of its dialect; one object serves one worker."""

    def register(self) -> Frames:
        """The word that opens the conversation."""

    def offer(self) -> Frames:
        """The word that offers one more slot; only where slots are offered."""

    def answer(self, task: Task, body: Sequence[bytes], final: bool) -> Frames:
        """A reply to a task."""

    def pulse(self) -> Frames:
        """A heartbeat."""

    def goodbye(self) -> Frames:
        """The word that ends the conversation."""

    def hear(self, engine: Serving, frames: Frames, now: float) -> Sequence[ServeEffect]:
        """Tell the engine what the broker said; raises RemoteError for what is no message."""


class Majordomo:
    """MDPX, MDP 0.1 and MDP 0.2: one service to a worker."""

    def __init__(self, table: WorkerWords, services: Sequence[str]) -> None:
        if len(services) != 1:
            raise LocalError(f"a Majordomo worker serves one service, not {len(services)}")
        self._words = table
        self._service = services[0].encode()
        self._head = list(table.head)

    def register(self) -> Frames:
        return [*self._head, self._words.ready, self._service]

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
            least = at + 5 if table.has_ids else at + 4
            if command == table.request and len(frames) >= least and not frames[at + 2]:
                if table.has_ids:
                    return engine.assign((frames[at + 1], frames[at + 3]), frames[at + 4 :], now)
                return engine.assign(frames[at + 1], frames[at + 3 :], now)
            if len(frames) == at + 1:
                if command == table.broker_beat:
                    return engine.pulse(now)
                if command == table.disconnect:
                    return engine.dismiss(now)
        elif table.odd_disconnect and frames == list(table.odd_disconnect):
            return engine.dismiss(now)
        raise RemoteError(f"no word of a broker: {[frame.hex() for frame in frames[:6]]}")


class Emqp:
    """eMQP: several queues to a worker, a READY for each free slot."""

    def __init__(self, queues: Sequence[str]) -> None:
        if not queues or any(not name.strip() or "," in name for name in queues):
            raise LocalError("an eMQP worker serves one or more queues; no name has a comma")
        self._queues = ",".join(queues)
        self._minted = 0

    def register(self) -> Frames:
        return emqp.encode(emqp.Inform(self._mint(), self._queues))

    def offer(self) -> Frames:
        return emqp.encode(emqp.Ready(self._mint()))

    def answer(self, task: Task, body: Sequence[bytes], final: bool) -> Frames:
        # Exactly one frame goes back: several are joined, none is an empty one.
        name = task.tag if isinstance(task.tag, bytes) else task.tag[1]
        return emqp.encode(emqp.Reply(name, b"".join(body)))

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

    def _mint(self) -> bytes:
        self._minted += 1
        return b"%d" % self._minted


class Ppp:
    """PPP: no names on the wire; a reply is ready again by itself, and nobody says goodbye."""

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
                addresses = stack or ()
                return engine.assign(b"".join(addresses[:1]), content, now, addresses)


def worker_dialect(name: str, services: Sequence[str]) -> WorkerDialect:
    """The dialect of this name for a worker of these services."""
    for service in services:
        if not service or not service.isprintable():
            raise LocalError(f"a service's name is printable text, not {service!r}")
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
            return Ppp()
        case _:
            raise LocalError(f"no dialect {name!r}; there are mdpx, mdp01, mdp02, emqp and ppp")
