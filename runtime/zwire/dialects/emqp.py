"""The broker's side of eMQP: clients and workers on one socket or on two."""

from __future__ import annotations

from collections.abc import Sequence

from zwire.core.broker import Broker
from zwire.core.effects import Effect
from zwire.core.state import Endpoint, Job, Tag, Worker
from zwire.dialects.emqp_ids import Mint
from zwire.dialects.speech import Frames, Spoken, complaint
from zwire_protocols.emqp import client, worker

_ID = b"0"
_HEAD = worker.encode(worker.Ready(_ID))[:2]  # an empty frame, the version
_REQUEST = client.encode(client.Request(_ID, "q", b"", b""))[2]
_REPLY = client.encode(client.Reply(_ID, b""))[2]
_INFORM = worker.encode(worker.Inform(_ID, "q"))[2]
_READY = worker.encode(worker.Ready(_ID))[2]
_HEARTBEAT = worker.encode(worker.Heartbeat(_ID))[2]
_DISCONNECT = worker.encode(worker.Disconnect(_ID))[2]
_FROM_WORKER = frozenset({_INFORM, _READY, _REPLY, _HEARTBEAT, _DISCONNECT})


def says_worker(frames: Frames) -> bool:
    """Whether a message on a shared socket is a worker's, to judge by its command."""
    return len(frames) > 3 and frames[3] in _FROM_WORKER


class ClientSpeech:
    """What clients say (REQUEST) and hear (REPLY)."""

    heard, said = Spoken("emqp.client", "client"), Spoken("emqp.client", "broker")

    def __init__(self, broker: Broker, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._broker = broker

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        if len(frames) == 8 and frames[1:3] == _HEAD and frames[3] == _REQUEST and frames[4]:
            queue = frames[5]
            if queue in self._broker.services or not complaint(client.DECODERS["client"], frames):
                return self._broker.request(
                    self.endpoint, frames[0], queue, frames[4], frames[7:], now, frames[6:7]
                )
        why = complaint(client.DECODERS["client"], frames) or "a client says only REQUEST"
        return self._broker.misspeak(self.endpoint, frames[0], why, now)

    def reply(self, job: Job, body: Sequence[bytes], final: bool) -> Frames:
        return [job.client.identity, *_HEAD, _REPLY, job.request_id, *body]


class WorkerSpeech:
    """What workers say (INFORM, READY, REPLY, HEARTBEAT, DISCONNECT) and hear."""

    heard, said = Spoken("emqp.worker", "worker"), Spoken("emqp.worker", "broker")

    def __init__(self, broker: Broker, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._broker = broker
        self._mint = Mint()

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        identity = frames[0]
        if len(frames) == 6 and frames[1:3] == _HEAD and frames[3] == _REPLY and frames[4]:
            return self._broker.reply(self.endpoint, identity, frames[4], frames[5:], True, now)
        wrong = complaint(worker.DECODERS["worker"], frames)
        if wrong:
            return self._broker.misspeak(self.endpoint, identity, wrong, now)
        command = frames[3]
        if command == _READY:
            return self._broker.offer(self.endpoint, identity, now)
        if command == _HEARTBEAT:
            return self._broker.pulse(self.endpoint, identity, now)
        if command == _INFORM:
            # A-EMQP-05: the text is split at commas and trimmed; an empty name is invalid.
            queues = tuple(name.strip() for name in frames[5].split(b","))
            if not all(queues):
                why = f"INFORM, field queue_name: an empty name in {frames[5]!r}"
                return self._broker.misspeak(self.endpoint, identity, why, now)
            return self._broker.register(self.endpoint, identity, tuple(dict.fromkeys(queues)), now)
        if command == _DISCONNECT:
            return self._broker.depart(self.endpoint, identity, now)
        why = "a command that only the broker may send"
        return self._broker.stray(self.endpoint, identity, why, now)

    def assign(self, worker: Worker, job: Job, tag: Tag) -> Frames:
        # Headers have no place in other dialects: they survive between peers of this one only.
        headers = b""
        if job.envelope and job.client.endpoint.family == self.endpoint.family:
            headers = job.envelope[0]
        name = tag if isinstance(tag, bytes) else tag[1]
        return [worker.identity, *_HEAD, _REQUEST, name, job.service.name, headers, *job.body]

    def beat(self, worker: Worker) -> Frames:
        return [worker.identity, *_HEAD, _HEARTBEAT, self._mint()]

    def dismiss(self, identity: bytes) -> Frames:
        return [identity, *_HEAD, _DISCONNECT, self._mint()]
