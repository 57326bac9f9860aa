"""The client's driver: the asking engine with its dialect and its DEALER sockets."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import assert_never

import zmq

from zwire.core.asking import Ask, AskEffect, Asking, BreakOff, Deliver, Discard, GiveUp, Send
from zwire.dialects.asking import ClientDialect
from zwire.errors import Closed, LocalError, RemoteError, ZwireError
from zwire.io.hosting import BATCH, Raw
from zwire.io.requests import Question, Sink, broken_off, no_answer
from zwire.io.taps import Tap
from zwire.io.telling import name_of

_log = logging.getLogger("zwire.client")
# Where each request has a socket of its own: so many at a time, further requests wait for one.
# libzmq allows 1,023 sockets to a context, most systems 1,024 descriptors to a process.
_MOST_LINKS = 250
_SPARE = 8  # kept open for the next requests


class AskingDriver:
    """Requests of one client, by way of a broker."""

    def __init__(
        self,
        asking: Asking,
        dialect: ClientDialect,
        connect: Callable[[], Raw],
        where: str,
        tap: Tap | None = None,
    ) -> None:
        self._asking = asking
        self._dialect = dialect
        self._connect = connect
        self._where = where
        self._tap = tap
        self._sinks: dict[bytes, Sink] = {}
        self._shared: Raw | None = None  # for all requests, where the dialect has ids
        self._by_ask: dict[bytes, Raw] = {}  # else each has its own
        self._asks: dict[Raw, Ask] = {}
        self._spare: list[Raw] = []
        self._waiting: deque[Ask] = deque()
        self._unheard = 0  # requests that were sent since the broker was last heard
        self._closed = False
        # Made here and now: what is wrong with the address is told to whoever makes the client.
        if dialect.pipelines:
            self._shared = connect()
        else:
            self._spare.append(connect())

    # ---------------------------------------------------------------- what callers want

    def submit(self, sink: Sink, asked: Question, now: float) -> None:
        """Open a request; what is wrong with it goes to the sink."""
        try:
            if self._closed:
                raise Closed("the client is closed; make a new one")
            effects = self._asking.submit(
                asked.request_id,
                asked.service.encode(),
                asked.body,
                now,
                timeout=asked.timeout,
                envelope=asked.envelope,
            )
        except ZwireError as error:
            sink.fail(error)
            return
        self._sinks[asked.request_id] = sink
        self._carry_out(effects)

    def cancel(self, request_id: bytes, sink: Sink, now: float) -> None:
        """Forget a request of this sink: nobody waits for its reply any more."""
        if self._sinks.get(request_id) is sink and self._asking.cancel(request_id):
            del self._sinks[request_id]
            self._drop_link(request_id)

    # ---------------------------------------------------------------- what the host calls

    @property
    def links(self) -> Collection[Raw]:
        if self._shared is not None:
            return (self._shared,)
        return [*self._asks, *self._spare]

    @property
    def congested(self) -> Collection[Raw]:
        return ()

    def readable(self, link: Raw, now: float) -> None:
        if link.broken():
            self._finish(link)
            return
        for _ in range(BATCH):
            if link.closed or (frames := link.pull()) is None:
                return
            self._hear(link, frames)

    def _finish(self, link: Raw) -> None:
        """The connection broke: take what had come over it, and break off the rest.

        What has come over the next one already would be taken for what follows.
        """
        waiting = list(iter(link.pull, None))
        link.broken()
        if link.mended:
            self._break_off(link)
        for frames in waiting:
            self._hear(link, frames)
        self._break_off(link)

    def _break_off(self, link: Raw) -> None:
        own = self._asks.get(link)
        asked = [own.request_id] if own else list(self._asking.open) if self._shared else ()
        self._carry_out(self._asking.interrupt(asked))

    def _hear(self, link: Raw, frames: list[bytes]) -> None:
        self._unheard = 0
        try:
            heard = self._dialect.hear(frames)
        except RemoteError as error:
            if self._tap is not None:
                self._tap.heard(b"", frames, 0, self._tap.clock())
            _log.warning("dropped: %s", error)
            return
        request_id = heard.request_id
        if request_id is None:
            ask = self._asks.get(link)
            request_id = b"" if ask is None else ask.request_id
        if self._tap is not None:
            ours = self._asking.open.get(request_id)
            number = 0 if ours is None else ours.number
            self._tap.heard(b"", frames, number, self._tap.clock())
        if not heard.final and not link.closed:
            self._watch(link)
        self._carry_out(self._asking.reply(request_id, heard.body, heard.final))

    def _watch(self, link: Raw) -> None:
        try:
            link.watch()
        except zmq.ZMQError as error:
            _log.warning("cannot watch a connection: %s", error)

    def writable(self, link: Raw, now: float) -> None:
        """Never needed: what finds no room is sent again by its retry."""

    def next_deadline(self) -> float | None:
        return self._asking.next_deadline()

    def tick(self, now: float) -> None:
        self._carry_out(self._asking.tick(now))

    def close(self) -> None:
        self._closed = True
        sinks, self._sinks = self._sinks, {}
        for link in self.links:
            link.close()
        self._asks.clear()
        self._spare.clear()
        self._shared = None
        if self._tap is not None:
            self._tap.close()
        for sink in sinks.values():
            sink.fail(Closed("the client was closed before the reply came"))

    # ---------------------------------------------------------------- what the engine orders

    def _carry_out(self, effects: Iterable[AskEffect]) -> None:
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
                    self._note_given_up(ask, waited)
                    self._drop_link(ask.request_id)
                    self._sinks.pop(ask.request_id).fail(no_answer(ask, waited, self._where))
                case BreakOff(ask):
                    self._drop_link(ask.request_id)
                    self._sinks.pop(ask.request_id).fail(broken_off(ask))
                case Discard(request_id, _):
                    _log.info("dropped: a reply to nothing open, id %s", name_of(request_id))
                case _:
                    assert_never(effect)

    def _send(self, ask: Ask, fresh: bool) -> None:
        if self._shared is not None:
            link = self._shared
        else:
            if fresh:
                self._drop_link(ask.request_id)
            if ask.request_id not in self._by_ask:
                if len(self._asks) >= _MOST_LINKS:
                    if ask not in self._waiting:
                        self._waiting.append(ask)
                    return
                if not self._give_link(ask):
                    return
            link = self._by_ask[ask.request_id]
        if not self._push(link, ask):
            if self._unheard < link.options.send_queue:
                self._renew(ask)
            else:
                # Earlier requests wait there for a silent broker; the retry comes later.
                _log.warning("the queue to the broker is full; %s waits", name_of(ask.request_id))

    def _push(self, link: Raw, ask: Ask) -> bool:
        frames = self._dialect.request(ask)
        at = 0 if self._tap is None else self._tap.clock()
        sent = link.push(frames)
        self._unheard += sent
        if sent and self._tap is not None:
            self._tap.said(b"", frames, ask.number, at)
        return sent

    def _renew(self, ask: Ask) -> None:
        """Send a request on a new link, for the old one is dead.

        libzmq gives a connection up for good when the other side refuses our key or speaks something
        else; by now there may be a broker that admits us.
        """
        _log.info("the connection to the broker was refused; trying a new one")
        self._unheard = 0
        if self._shared is None:
            self._drop_link(ask.request_id)
            if not self._give_link(ask):
                return
            link = self._by_ask[ask.request_id]
        else:
            try:
                link = self._connect()
            except (ZwireError, zmq.ZMQError) as error:
                _log.error("no socket for a new connection: %s", error)
                return
            self._shared.close()
            self._shared = link
        self._push(link, ask)

    def _note_given_up(self, ask: Ask, waited: float) -> None:
        if self._tap is not None:
            facts = {"request_id": name_of(ask.request_id), "waited": round(waited, 6)}
            self._tap.event("no answer", facts, ask.number)

    # ---------------------------------------------------------------- a link for each request

    def _give_link(self, ask: Ask) -> bool:
        try:
            link = self._spare.pop() if self._spare else self._connect()
        except (ZwireError, zmq.ZMQError) as error:
            sink = self._sinks.pop(ask.request_id)
            self._asking.cancel(ask.request_id)
            sink.fail(LocalError(f"no socket for the request: {error}"))
            return False
        self._by_ask[ask.request_id] = link
        self._asks[link] = ask
        return True

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
        self._serve_waiting()

    def _drop_link(self, request_id: bytes) -> None:
        """A link on which a late reply may come must not be used for another request."""
        link = self._by_ask.pop(request_id, None)
        if link is not None:
            del self._asks[link]
            link.close()
            self._serve_waiting()

    def _serve_waiting(self) -> None:
        while self._waiting and len(self._asks) < _MOST_LINKS:
            ask = self._waiting.popleft()
            if not ask.ended:
                self._send(ask, False)
