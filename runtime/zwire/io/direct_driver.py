"""The driver of a client that speaks PPP to its workers itself, without a queue in between.

The client is its own queue: the broker's engine runs inside it, with the workers at one endpoint
and the client itself at another that has no socket.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

import zmq

from zwire.core.asking import AskEffect, Asking, Deliver, GiveUp, Send
from zwire.core.broker import Broker as Engine
from zwire.core.effects import Assign, Beat, Effect, Reply, Tell, What
from zwire.core.policy import ClientRules, EndpointRules, Limits, ServiceRules
from zwire.dialects.opening import open_ppp_workers
from zwire.dialects.speech import ToWorkers
from zwire.errors import Closed, NoAnswer, ZwireError
from zwire.io.errors import Malformed, UnknownPeer
from zwire.io.hosting import BATCH, Raw
from zwire.io.requests import ClientSettings, Question, Sink, no_answer
from zwire.io.taps import Recording, Tap

_SERVICE = "workers"
_ENDED = (What.FAILED, What.REFUSED, What.EXPIRED)


class DirectDriver:
    """Requests of one client, straight to PPP workers."""

    def __init__(
        self,
        asking: Asking,
        link: Raw,
        settings: ClientSettings,
        where: str,
        recording: Recording | None = None,
        address: str = "",
    ) -> None:
        self._asking = asking
        self._link = link
        self._where = where
        # To the engine each request is a client of its own: one that is given up can so be
        # forgotten by itself.
        most = 2 * settings.max_open
        self._engine = Engine(
            Limits(max_open=most, max_clients=4 * most, max_peers=5 * most, client_memory=1.0),
            ServiceRules(expiry=None, max_queued=most),
        )
        self._own = self._engine.open_endpoint(
            EndpointRules("self", "self", clients=ClientRules(partials=False))
        )
        self._ear = open_ppp_workers(
            self._engine, "ppp", _SERVICE, settings.interval, settings.liveness
        )
        self._voice = _only_voice(voice.workers for voice in self._ear.voices.values())
        self._tap: Tap | None = None
        if recording is not None:
            self._tap = Tap(recording, address, self._voice.heard, self._voice.said)
        self._sinks: dict[bytes, Sink] = {}
        self._closed = False

    def submit(self, sink: Sink, asked: Question, now: float) -> None:
        """Open a request; what is wrong with it goes to the sink."""
        try:
            if self._closed:
                raise Closed("the client is closed; make a new one")
            effects = self._asking.submit(
                asked.request_id, asked.service.encode(), asked.body, now, timeout=asked.timeout
            )
        except ZwireError as error:
            sink.fail(error)
            return
        self._sinks[asked.request_id] = sink
        self._answer(effects, now)

    def cancel(self, request_id: bytes, sink: Sink, now: float) -> None:
        """Forget a request of this sink; a worker may still be at it."""
        if self._sinks.get(request_id) is sink and self._asking.cancel(request_id):
            del self._sinks[request_id]
            self._carry_out(self._engine.vanish(self._own, request_id, now), now)

    @property
    def links(self) -> Collection[Raw]:
        return () if self._closed else (self._link,)

    @property
    def congested(self) -> Collection[Raw]:
        return ()

    def readable(self, link: Raw, now: float) -> None:
        for _ in range(BATCH):
            try:
                frames = None if link.closed else link.pull()
            except Malformed as error:
                if self._tap is not None and error.frames:
                    self._tap.heard(error.frames[0], error.frames[1:], 0, self._tap.clock())
                continue
            if frames is None:
                return
            if len(frames) > 1:
                self._engine.concerned = 0
                effects = self._ear.hear(frames, now)
                if self._tap is not None:
                    job = self._engine.concerned
                    self._tap.heard(frames[0], frames[1:], job, self._tap.clock())
                self._carry_out(effects, now)

    def writable(self, link: Raw, now: float) -> None:
        """Never needed: a worker that cannot be sent to is gone, and another gets its work."""

    def next_deadline(self) -> float | None:
        times = (self._asking.next_deadline(), self._engine.next_deadline())
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: float) -> None:
        self._answer(self._asking.tick(now), now)
        self._carry_out(self._engine.tick(now), now)

    def close(self) -> None:
        self._closed = True
        sinks, self._sinks = self._sinks, {}
        self._link.close()
        if self._tap is not None:
            self._tap.close()
        for sink in sinks.values():
            sink.fail(Closed("the client was closed before the reply came"))

    def _answer(self, effects: Iterable[AskEffect], now: float) -> None:
        for effect in effects:
            match effect:
                case Send(ask):
                    self._carry_out(
                        self._engine.request(
                            self._own,
                            ask.request_id,
                            _SERVICE.encode(),
                            ask.request_id,
                            ask.body,
                            now,
                        ),
                        now,
                    )
                case Deliver(ask, body, final):
                    sink = self._sinks.pop(ask.request_id) if final else self._sinks[ask.request_id]
                    sink.deliver(body, final)
                case GiveUp(ask, waited):
                    sink = self._sinks.pop(ask.request_id)
                    self._carry_out(self._engine.vanish(self._own, ask.request_id, now), now)
                    sink.fail(no_answer(ask, waited, self._where))
                case _:
                    pass  # a reply that came after the caller had given up

    def _carry_out(self, effects: Iterable[Effect], now: float) -> None:
        waiting = deque(effects)
        while waiting:
            match waiting.popleft():
                case Assign(worker, job, tag) as order:
                    if job.worker is not worker:
                        continue  # taken back while this waited: the worker turned out to be gone
                    if not self._push(self._voice.assign(worker, job, tag), job.number):
                        waiting.extendleft(reversed(self._engine.unsent(order, now)))
                case Beat(worker):
                    if not self._push(self._voice.beat(worker), 0):
                        lost = self._engine.vanish(worker.endpoint, worker.identity, now)
                        waiting.extendleft(reversed(lost))
                case Reply(job, body, final):
                    self._answer(self._asking.reply(job.request_id, body, final), now)
                case Tell(what=what, request_id=request_id, why=why) if what in _ENDED:
                    if self._asking.cancel(request_id):
                        self._sinks.pop(request_id).fail(NoAnswer(f"the request failed: {why}"))
                case _:
                    pass  # happenings that a client has nobody to tell

    def _push(self, frames: list[bytes], job: int) -> bool:
        at = 0 if self._tap is None else self._tap.clock()
        try:
            sent = self._link.push(frames)
        except (UnknownPeer, zmq.ZMQError):
            return False
        if sent and self._tap is not None:
            self._tap.said(frames[0], frames[1:], job, at)
        return sent


def _only_voice(voices: Iterable[ToWorkers | None]) -> ToWorkers:
    (voice,) = voices
    assert voice is not None
    return voice
