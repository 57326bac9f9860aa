"""The driver of a client that speaks PPP to its workers itself, without a queue in between.

The client is its own queue: the broker's engine runs inside it, with the workers at one endpoint
and the client itself at another that has no socket.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from zwire.core.asking import AskEffect, Asking, Deliver, GiveUp, Send
from zwire.core.broker import Broker as Engine
from zwire.core.effects import Assign, Beat, Effect, Reply
from zwire.core.policy import ClientRules, EndpointRules, ServiceRules
from zwire.dialects.opening import open_ppp_workers
from zwire.errors import Closed, ZwireError
from zwire.io.asking_driver import Sink, no_answer
from zwire.io.errors import Malformed, UnknownPeer
from zwire.io.hosting import Raw

_SELF = b"self"
_SERVICE = "workers"


class DirectDriver:
    """Requests of one client, straight to PPP workers."""

    def __init__(self, asking: Asking, link: Raw, interval: float, liveness: float) -> None:
        self._asking = asking
        self._link = link
        self._engine = Engine(default=ServiceRules(expiry=None))
        self._own = self._engine.open_endpoint(
            EndpointRules("self", "self", clients=ClientRules(partials=False))
        )
        self._ear = open_ppp_workers(self._engine, "ppp", _SERVICE, interval, liveness)
        self._sinks: dict[bytes, Sink] = {}

    def submit(
        self,
        sink: Sink,
        request_id: bytes,
        service: bytes,
        body: Sequence[bytes],
        timeout: float | None,
        envelope: Sequence[bytes],
        now: float,
    ) -> None:
        """Open a request; what is wrong with it goes to the sink."""
        try:
            effects = self._asking.submit(request_id, service, body, now, timeout=timeout)
        except ZwireError as error:
            sink.fail(error)
            return
        self._sinks[request_id] = sink
        self._answer(effects, now)

    def cancel(self, request_id: bytes) -> None:
        """Forget a request; a worker may still be at it."""
        if self._asking.cancel(request_id):
            self._sinks.pop(request_id, None)

    @property
    def links(self) -> Collection[Raw]:
        return (self._link,)

    def readable(self, link: Raw, now: float) -> None:
        while not link.closed:
            try:
                frames = link.pull()
            except Malformed:
                continue
            if frames is None:
                return
            if len(frames) > 1:
                self._carry_out(self._ear.hear(frames, now), now)

    def next_deadline(self) -> float | None:
        times = (self._asking.next_deadline(), self._engine.next_deadline())
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: float) -> None:
        self._answer(self._asking.tick(now), now)
        self._carry_out(self._engine.tick(now), now)

    def close(self) -> None:
        sinks, self._sinks = self._sinks, {}
        for sink in sinks.values():
            sink.fail(Closed("the client was closed before the reply came"))
        self._link.close()

    def _answer(self, effects: Iterable[AskEffect], now: float) -> None:
        for effect in effects:
            match effect:
                case Send(ask):
                    self._carry_out(
                        self._engine.request(
                            self._own, _SELF, _SERVICE.encode(), ask.request_id, ask.body, now
                        ),
                        now,
                    )
                case Deliver(ask, body, final):
                    sink = self._sinks.pop(ask.request_id) if final else self._sinks[ask.request_id]
                    sink.deliver(body, final)
                case GiveUp(ask, waited):
                    self._sinks.pop(ask.request_id).fail(no_answer(ask, waited))
                case _:
                    pass  # a reply that came after the caller had given up

    def _carry_out(self, effects: Iterable[Effect], now: float) -> None:
        (voice,) = (voice.workers for voice in self._ear.voices.values())
        for effect in effects:
            match effect:
                case Assign(worker, job, tag) if voice is not None:
                    if not self._push(voice.assign(worker, job, tag)):
                        lost = self._engine.vanish(worker.endpoint, worker.identity, now)
                        self._carry_out(lost, now)
                case Beat(worker) if voice is not None:
                    self._push(voice.beat(worker))
                case Reply(job, body, final):
                    self._answer(self._asking.reply(job.request_id, body, final), now)
                case _:
                    pass  # happenings that a client has nobody to tell

    def _push(self, frames: list[bytes]) -> bool:
        try:
            return self._link.push(frames)
        except UnknownPeer:
            return False
