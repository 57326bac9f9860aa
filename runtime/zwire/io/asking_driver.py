"""The client's driver: the asking engine with its dialect and its DEALER sockets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from zwire.core.asking import Ask, AskEffect, Asking, Deliver, Discard, GiveUp, Send
from zwire.dialects.asking import ClientDialect
from zwire.errors import Closed, NoAnswer, RemoteError, ZwireError
from zwire.io.errors import Malformed
from zwire.io.hosting import Raw
from zwire.io.telling import name_of

_log = logging.getLogger("zwire.client")
_SPARE = 8  # links kept for the next request, where each request needs one of its own


class Sink(Protocol):
    """Who asked: gets the pieces of the reply, or the reason why there is none."""

    def deliver(self, body: Sequence[bytes], final: bool) -> None:
        """Take a piece of the reply."""

    def fail(self, error: ZwireError) -> None:
        """Learn that no reply will come."""


class AskingDriver:
    """Requests of one client, by way of a broker."""

    def __init__(self, asking: Asking, dialect: ClientDialect, connect: Callable[[], Raw]) -> None:
        self._asking = asking
        self._dialect = dialect
        self._connect = connect
        self._sinks: dict[bytes, Sink] = {}
        self._by_ask: dict[bytes, Raw] = {}
        self._asks: dict[Raw, bytes] = {}
        self._spare: list[Raw] = []
        self._shared: Raw | None = None

    # ---------------------------------------------------------------- what callers want

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
            effects = self._asking.submit(
                request_id, service, body, now, timeout=timeout, envelope=envelope
            )
        except ZwireError as error:
            sink.fail(error)
            return
        self._sinks[request_id] = sink
        self._carry_out(effects, now)

    def cancel(self, request_id: bytes) -> None:
        """Forget a request: nobody waits for its reply any more."""
        if self._asking.cancel(request_id):
            self._sinks.pop(request_id, None)
            self._drop_link(request_id)

    # ---------------------------------------------------------------- what the host calls

    @property
    def links(self) -> Collection[Raw]:
        if self._dialect.pipelines:
            return () if self._shared is None else (self._shared,)
        return self._asks.keys()

    def readable(self, link: Raw, now: float) -> None:
        while not link.closed:
            try:
                frames = link.pull()
            except Malformed as error:
                _log.warning("dropped: %s", error)
                continue
            if frames is None:
                return
            try:
                heard = self._dialect.hear(frames)
            except RemoteError as error:
                _log.warning("dropped: %s", error)
                continue
            request_id = heard.request_id
            if request_id is None:
                request_id = self._asks.get(link, b"")
            self._carry_out(self._asking.reply(request_id, heard.body, heard.final), now)

    def next_deadline(self) -> float | None:
        return self._asking.next_deadline()

    def tick(self, now: float) -> None:
        self._carry_out(self._asking.tick(now), now)

    def close(self) -> None:
        sinks, self._sinks = self._sinks, {}
        for sink in sinks.values():
            sink.fail(Closed("the client was closed before the reply came"))
        for link in {*self._asks, *self._spare}:
            link.close()
        if self._shared is not None:
            self._shared.close()

    # ---------------------------------------------------------------- what the engine orders

    def _carry_out(self, effects: Iterable[AskEffect], now: float) -> None:
        for effect in effects:
            match effect:
                case Send(ask, fresh):
                    self._send(ask, fresh)
                case Deliver(ask, body, final):
                    sink = self._sinks[ask.request_id]
                    if final:
                        del self._sinks[ask.request_id]
                        self._free_link(ask.request_id)
                    sink.deliver(body, final)
                case GiveUp(ask, waited):
                    self._drop_link(ask.request_id)
                    self._sinks.pop(ask.request_id).fail(no_answer(ask, waited))
                case Discard(request_id, _):
                    _log.info("a reply to nothing that is open: id %s", name_of(request_id))

    def _send(self, ask: Ask, fresh: bool) -> None:
        try:
            frames = self._dialect.request(ask)
        except ZwireError as error:
            sink = self._sinks[ask.request_id]
            self.cancel(ask.request_id)
            sink.fail(error)
            return
        if fresh:
            self._drop_link(ask.request_id)
        # A full queue towards a silent broker: earlier requests wait there, the retry comes later.
        if not self._link_for(ask.request_id).push(frames):
            _log.warning("the queue to the broker is full; %s waits", name_of(ask.request_id))

    def _link_for(self, request_id: bytes) -> Raw:
        if self._dialect.pipelines:
            if self._shared is None:
                self._shared = self._connect()
            return self._shared
        link = self._by_ask.get(request_id)
        if link is None:
            link = self._spare.pop() if self._spare else self._connect()
            self._by_ask[request_id] = link
            self._asks[link] = request_id
        return link

    def _free_link(self, request_id: bytes) -> None:
        """A link whose request was answered is clean: the next request may have it."""
        link = self._by_ask.pop(request_id, None)
        if link is None:
            return
        del self._asks[link]
        if len(self._spare) < _SPARE:
            self._spare.append(link)
        else:
            link.close()

    def _drop_link(self, request_id: bytes) -> None:
        """A link on which a late reply may come must not be used for another request."""
        link = self._by_ask.pop(request_id, None)
        if link is not None:
            del self._asks[link]
            link.close()


def no_answer(ask: Ask, waited: float) -> NoAnswer:
    """What a caller is told when the time is over."""
    service = ask.service.decode("utf-8", "replace")
    tried = f", asked {ask.retries + 1} times" if ask.retries else ""
    return NoAnswer(
        f"no answer from the service {service!r} within {waited:.3g} s{tried} (request id "
        f"{name_of(ask.request_id)}); check that the broker runs at that address and a worker "
        "serves this name: a request to mmi.service tells on the Majordomo dialects"
    )
