"""The broker's side of the Majordomo family: MDPX, MDP 0.1, MDP 0.2 and majortomo's variant.

They differ in words and in where those stand, so one table (`ClientWords`, `WorkerWords`) tells each
of them. Only what routing needs is looked at: the head of the message and the name of a service not
seen before; bodies are handed on untouched. What does not fit at once is given to the generated
decoder, whose refusal says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zwire.core.broker import Broker
from zwire.core.effects import Effect
from zwire.core.state import Endpoint, Job, Tag, Worker
from zwire.dialects.speech import Decoder, Frames, Spoken, complaint


@dataclass(frozen=True, slots=True)
class ClientWords:
    """What clients and broker say to each other. A head is every frame before the service."""

    part: str
    request: tuple[bytes, ...]
    partial: tuple[bytes, ...]
    final: tuple[bytes, ...]
    has_ids: bool
    decode: Decoder
    names_service: bool = True  # whether replies repeat the name of the service


@dataclass(frozen=True, slots=True)
class WorkerWords:
    """What workers and broker say to each other; `head` is every frame before the command."""

    part: str
    head: tuple[bytes, ...]
    ready: bytes
    request: bytes
    partial: bytes | None
    final: bytes
    worker_beat: bytes
    broker_beat: bytes
    disconnect: bytes
    has_ids: bool
    decode: Decoder
    odd_disconnect: tuple[bytes, ...] = ()  # a goodbye in other words: understood and reported


class ClientSpeech:
    """The broker's front end in one dialect of the family."""

    def __init__(self, broker: Broker, endpoint: Endpoint, words: ClientWords) -> None:
        self.endpoint = endpoint
        self.heard, self.said = Spoken(words.part, "client"), Spoken(words.part, "broker")
        self._broker = broker
        self._words = words
        self._head = list(words.request)
        self._service = 1 + len(words.request)  # where it stands, the identity counted
        self._body = self._service + (2 if words.has_ids else 1)

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        at = self._service
        if len(frames) > self._body and frames[1:at] == self._head:
            service = frames[at]
            request_id = frames[at + 1] if self._words.has_ids else None
            known = service in self._broker.services
            if request_id != b"" and (known or not complaint(self._words.decode, frames)):
                body = frames[self._body :]
                return self._broker.request(
                    self.endpoint, frames[0], service, request_id, body, now
                )
        why = complaint(self._words.decode, frames) or "a client says only REQUEST"
        return self._broker.misspeak(self.endpoint, frames[0], why, now)

    def reply(self, job: Job, body: Sequence[bytes], final: bool) -> Frames:
        words = self._words
        frames = [job.client.identity, *(words.final if final else words.partial)]
        if words.names_service:
            frames.append(job.service.name)
        if words.has_ids:
            frames.append(job.request_id)
        frames += body
        return frames


class WorkerSpeech:
    """The broker's back end in one dialect of the family."""

    def __init__(self, broker: Broker, endpoint: Endpoint, words: WorkerWords) -> None:
        self.endpoint = endpoint
        self.heard, self.said = Spoken(words.part, "worker"), Spoken(words.part, "broker")
        self._broker = broker
        self._words = words
        self._head = list(words.head)
        self._command = 1 + len(words.head)  # where it stands, the identity counted
        self._acts: dict[bytes, Callable[[Frames, float], Sequence[Effect] | None]] = {
            words.final: self._final,
            words.worker_beat: self._pulse,
            words.ready: self._ready,
            words.disconnect: self._depart,
        }
        if words.partial is not None:
            self._acts[words.partial] = self._partial
        self._request_head = (*words.head, words.request)
        self._beat = (*words.head, words.broker_beat)
        self._goodbye = (*words.head, words.disconnect)
        self._odd_goodbye = list(words.odd_disconnect)

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        at = self._command
        if len(frames) > at and frames[1:at] == self._head:
            act = self._acts.get(frames[at])
            if act is not None:
                effects = act(frames, now)
                if effects is not None:
                    return effects
        return self._unusual(frames, now)

    def _final(self, frames: Frames, now: float) -> Sequence[Effect] | None:
        return self._reply(frames, True, now)

    def _partial(self, frames: Frames, now: float) -> Sequence[Effect] | None:
        return self._reply(frames, False, now)

    def _reply(self, frames: Frames, final: bool, now: float) -> Sequence[Effect] | None:
        at = self._command + 1
        body = at + (3 if self._words.has_ids else 2)
        if len(frames) <= body or frames[at + 1] or not frames[at]:
            return None
        tag: Tag = frames[at]
        if self._words.has_ids:
            if not frames[at + 2]:
                return None
            tag = (frames[at], frames[at + 2])
        return self._broker.reply(self.endpoint, frames[0], tag, frames[body:], final, now)

    def _pulse(self, frames: Frames, now: float) -> Sequence[Effect] | None:
        if len(frames) != self._command + 1:
            return None
        return self._broker.pulse(self.endpoint, frames[0], now)

    def _ready(self, frames: Frames, now: float) -> Sequence[Effect] | None:
        if complaint(self._words.decode, frames):
            return None
        return self._broker.register(self.endpoint, frames[0], (frames[-1],), now)

    def _depart(self, frames: Frames, now: float) -> Sequence[Effect] | None:
        if len(frames) != self._command + 1:
            return None
        return self._broker.depart(self.endpoint, frames[0], now)

    def _unusual(self, frames: Frames, now: float) -> Sequence[Effect]:
        """What is no word of a worker: a goodbye in other words, out of place, or nonsense."""
        identity = frames[0]
        if self._odd_goodbye and frames[1:] == self._odd_goodbye:
            oddly = "DISCONNECT under the header of Majordomo 0.2, taken for what it means"
            return self._broker.depart(self.endpoint, identity, now, oddly)
        wrong = complaint(self._words.decode, frames)
        if wrong:
            return self._broker.misspeak(self.endpoint, identity, wrong, now)
        why = "a command that only the broker may send"
        return self._broker.stray(self.endpoint, identity, why, now)

    def assign(self, worker: Worker, job: Job, tag: Tag) -> Frames:
        if isinstance(tag, tuple):
            return [worker.identity, *self._request_head, tag[0], b"", tag[1], *job.body]
        return [worker.identity, *self._request_head, tag, b"", *job.body]

    def beat(self, worker: Worker) -> Frames:
        return [worker.identity, *self._beat]

    def dismiss(self, identity: bytes) -> Frames:
        return [identity, *self._goodbye]
