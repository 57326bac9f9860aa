"""The broker's side of PPP: a queue between 28/REQREP clients and PPP workers, for one service."""

from __future__ import annotations

from collections.abc import Sequence

from zwire.core.broker import Broker
from zwire.core.effects import Effect
from zwire.core.state import Endpoint, Job, Tag, Worker
from zwire.dialects.speech import Frames, Spoken
from zwire_protocols.ppp import messages

_READY = messages.encode(messages.Ready())
_HEARTBEAT = messages.encode(messages.Heartbeat())


class ClientSpeech:
    """Clients of a PPP queue speak 28/REQREP: addresses, an empty frame, data.

    The addresses come back with the reply; a client that pipelines puts an id among them.
    """

    heard, said = Spoken("reqrep.rep", "dealer"), Spoken("reqrep.rep", "rep")

    def __init__(self, broker: Broker, endpoint: Endpoint, service: bytes) -> None:
        self.endpoint = endpoint
        self._broker = broker
        self._service = service

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        try:
            delimiter = frames.index(b"", 1)
        except ValueError:
            delimiter = len(frames)
        body = frames[delimiter + 1 :]
        if not body:
            why = "REQUEST: expected addresses, an empty frame and at least one frame of data"
            return self._broker.misspeak(self.endpoint, frames[0], why, now)
        return self._broker.request(
            self.endpoint, frames[0], self._service, None, body, now, frames[1:delimiter]
        )

    def reply(self, job: Job, body: Sequence[bytes], final: bool) -> Frames:
        return [job.client.identity, *job.envelope, b"", *body]


class WorkerSpeech:
    """PPP never says "ready again": the engine renews a worker's credit with each reply."""

    heard, said = Spoken("ppp.messages", "worker"), Spoken("ppp.messages", "client")

    def __init__(self, broker: Broker, endpoint: Endpoint, service: bytes) -> None:
        self.endpoint = endpoint
        self._broker = broker
        self._service = service

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        identity = frames[0]
        if len(frames) == 2:
            if frames[1:] == _HEARTBEAT:
                return self._broker.pulse(self.endpoint, identity, now)
            if frames[1:] == _READY:
                return self._broker.register(self.endpoint, identity, (self._service,), now)
        # The stack ends at the first empty frame; without one the reply is content alone, and can
        # only be to the one job that the worker holds.
        try:
            delimiter = frames.index(b"", 1)
        except ValueError:
            delimiter = 0
        body = frames[delimiter + 1 :]
        if not body:
            why = "REPLY: expected an optional address stack and at least one frame of content"
            return self._broker.misspeak(self.endpoint, identity, why, now)
        tag = frames[1] if delimiter > 1 else None
        return self._broker.reply(self.endpoint, identity, tag, body, True, now)

    def assign(self, worker: Worker, job: Job, tag: Tag) -> Frames:
        # The job's id stands on top of the client's own addresses, which a worker of the same
        # family gets too.
        name = tag if isinstance(tag, bytes) else tag[1]
        same = job.client.endpoint.family == self.endpoint.family
        return [worker.identity, name, *(job.envelope if same else ()), b"", *job.body]

    def beat(self, worker: Worker) -> Frames:
        return [worker.identity, *_HEARTBEAT]

    def dismiss(self, identity: bytes) -> Frames:
        return []
