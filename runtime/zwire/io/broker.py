"""The broker: one engine, any set of endpoints, each with its dialect; a draining poll loop."""

from __future__ import annotations

import logging
import os
import signal
import socket as sockets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import zmq

from zwire.core.broker import Broker as Engine
from zwire.core.effects import Tell, What
from zwire.dialects.opening import open_emqp, open_mdp, open_mdpx, open_ppp
from zwire.dialects.speech import Ear
from zwire.errors import Closed, LocalError
from zwire.io.config import BrokerConfig, Listener
from zwire.io.contexts import Context, OwnContext
from zwire.io.endpoints import Endpoint
from zwire.io.options import Options
from zwire.io.security import CurveServer
from zwire.io.speech import FRAMES
from zwire.io.switch import Raw, Switch
from zwire.io.switch_recorded import RecordingSwitch
from zwire.io.taps import Capture, Recording
from zwire.io.telling import as_line, level

_log = logging.getLogger("zwire.broker")
_DRAIN = b"d"
_STOP = b"s"
_UNRECORDED = b"u"
# Woken so much later than planned, the broker was held up itself. What its peers said meanwhile may
# still be on its way through libzmq's threads, and gets this long to be heard before anybody counts
# as silent.
_LATE = 0.1
_GRACE = 0.2
_QUEUE = 1_000  # messages that wait for one peer in libzmq, beside what a worker may hold
_LONGEST_QUEUE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Bound:
    """A listener as it stands: the addresses that its sockets really have."""

    dialect: str
    front: str
    back: str
    service: str = ""


class Broker:
    """A broker that speaks MDPX, PPP, eMQP and MDP, as its configuration says.

    `run()` serves in the calling thread until somebody calls `stop()`; `start()` does so in a thread
    of its own. As a context manager it is started, and stopped at the end.
    """

    def __init__(
        self,
        config: BrokerConfig,
        *,
        on_event: Callable[[Tell], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        capture: Capture | None = None,
    ) -> None:
        """`capture` records all traffic: into a folder, or by a recorder that stays its owner's."""
        self.config = config.check()
        self._on_event = on_event
        self._clock = clock
        self._stopped_recording = ""
        self._ear_pipe, self._mouth_pipe = sockets.socketpair()
        self._ear_pipe.setblocking(False)
        self._mouth_pipe.setblocking(False)
        services = {name.encode(): rules for name, rules in config.services.items()}
        self._engine = Engine(config.limits, config.rules, services)
        self._switch = Switch(self._engine, self._tell)
        self._recording: Recording | None = None
        self._context: Context = OwnContext()
        self._links: list[tuple[Raw, Ear]] = []
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self._process = os.getpid()
        self._closed = False
        self.bound: tuple[Bound, ...] = ()
        """The listeners with the addresses they got, in the order of the configuration."""
        with ExitStack() as undo:
            undo.callback(self.close)
            if where := capture or config.capture:
                self._record(where)
            names = _names(config.listeners)
            self.bound = tuple(map(self._open, config.listeners, names))
            undo.pop_all()

    # ---------------------------------------------------------------- opening

    def _record(self, capture: Capture) -> None:
        recording = Recording(
            capture,
            "broker",
            keep_body=self.config.capture_bodies,
            sync=self.config.capture_sync,
            rotation=self.config.capture_rotation,
            on_event=self._recording_stopped,
        )
        self._recording = recording
        self._switch = RecordingSwitch(self._engine, self._tell, recording)

    def _recording_stopped(self, _name: str, facts: Mapping[str, Any]) -> None:
        """Called in any thread: the broker's own tells of it."""
        self._stopped_recording = f"{facts['why']} ({facts['file']})"
        self._order(_UNRECORDED)

    def _open(self, listener: Listener, name: str) -> Bound:
        dialect, pace = listener.dialect, listener.pace
        two = listener.back is not None
        ears: tuple[Ear, ...]
        if dialect == "mdpx":
            ears = open_mdpx(self._engine, name, *pace)
        elif dialect == "ppp":
            ears = open_ppp(self._engine, name, listener.service, *pace)
        elif dialect == "emqp":
            ears = open_emqp(self._engine, name, *pace, two)
        else:
            ears = open_mdp(self._engine, name, *pace, two)
        addresses = [
            self._attach(ear, endpoint)
            for ear, endpoint in zip(ears, listener.addresses, strict=True)
        ]
        return Bound(dialect, addresses[0], addresses[-1], listener.service)

    def _attach(self, ear: Ear, endpoint: Endpoint) -> str:
        curve = None if endpoint.plain else self.config.curve
        options = Options(
            linger=1.0,
            send_queue=min(_QUEUE + 2 * self._most_held(ear), _LONGEST_QUEUE),
            max_frame_size=self.config.max_message_size or None,
            max_frames=self.config.max_frames or None,
            curve=CurveServer.from_files(curve.secret, curve.authorised) if curve else None,
            insecure=self.config.insecure,
            reconnect_max=5.0,
        )
        link: Raw = Raw(zmq.ROUTER, FRAMES, options, self._context)
        self._links.append((link, ear))
        address = endpoint.address
        if endpoint.connects:
            link.connect(address)
        else:
            address = link.bind(address)
        self._switch.add(link, ear, address)
        return address

    def _most_held(self, ear: Ear) -> int:
        """How many requests a worker may be sent at once: its queue has room for them.

        libzmq takes notice of what was read by halves of a queue, so they count twice.
        """
        config = self.config
        credit = max(rules.credit for rules in (config.rules, *config.services.values()))
        rules = [endpoint.rules.workers for endpoint in ear.voices]
        return max(
            (config.limits.max_slots if one.offers_slots else credit for one in rules if one),
            default=0,
        )

    # ---------------------------------------------------------------- running

    def run(self) -> None:
        """Serve until stopped, then close; the sockets belong to the thread that calls this."""
        if self._closed:
            raise Closed("the broker is closed; make a new one")
        try:
            with self._woken_by_signals():
                self._serve()
        finally:
            self.close()

    @contextmanager
    def _woken_by_signals(self) -> Iterator[None]:
        """Have a signal end the poll: one that comes just before it would else wait with it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        # What Python writes there is the signal's number, which is no order of ours.
        before = signal.set_wakeup_fd(self._mouth_pipe.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def _serve(self) -> None:
        switch, engine, clock = self._switch, self._engine, self._clock
        poller = zmq.Poller()
        poller.register(self._ear_pipe, zmq.POLLIN)
        quiet = [link for link, ear in self._links if not ear.shared]
        by_socket = {link.socket: link for link, _ in self._links}
        for link, _ in self._links:
            poller.register(link.socket, zmq.POLLIN)
        paused = False
        before = fair_from = clock()
        while not engine.stopped:
            if engine.paused is not paused:
                # Sockets that carry no workers wait while too much is open: libzmq pushes back.
                paused = not paused
                for link in quiet:
                    poller.modify(link.socket, 0 if paused else zmq.POLLIN)
            ready = poller.poll(self._patience(before))
            now = clock()
            for socket, _ in ready:
                found = by_socket.get(socket)
                if found is not None:
                    switch.drain(found, now)
                else:
                    self._listen_to_orders(now)
            deadline = engine.next_deadline()
            if deadline is not None and deadline <= now:
                if now - max(before, deadline) > _LATE:
                    fair_from = now + _GRACE
                switch.carry_out(engine.tick(now, drained=now >= fair_from), now)
            before = now

    def _patience(self, now: float) -> int:
        """Milliseconds until the engine wants to be told the time."""
        deadline = self._engine.next_deadline()
        if deadline is None:
            return 60_000
        return max(0, min(60_000, int((deadline - now) * 1000) + 1))

    def _listen_to_orders(self, now: float) -> None:
        try:
            orders = self._ear_pipe.recv(64)
        except BlockingIOError:
            return
        if _UNRECORDED in orders:
            self._engine.statistics.told[What.RECORDING_STOPPED] += 1
            self._tell(Tell(What.RECORDING_STOPPED, why=self._stopped_recording))
        if _STOP in orders:
            self._switch.carry_out(self._engine.stop(now), now)
        elif _DRAIN in orders:
            self._switch.carry_out(self._engine.drain(now, self.config.drain), now)

    def _tell(self, told: Tell) -> None:
        if _log.isEnabledFor(level(told)):
            _log.log(level(told), "%s", as_line(told))
        if self._on_event is not None:
            try:
                self._on_event(told)
            except Exception:
                _log.exception("on_event raised")

    # ---------------------------------------------------------------- from outside

    @property
    def statistics(self) -> Mapping[str, int]:
        """The counters since the start; may be read from any thread."""
        return {**self._engine.statistics.as_dict(), "open": self._engine.open}

    def stop(self, *, at_once: bool = False) -> None:
        """Ask it to stop, from any thread or a signal handler: after what is open, or at once."""
        self._order(_STOP if at_once else _DRAIN)

    def _order(self, order: bytes) -> None:
        if os.getpid() != self._process:
            return  # forked: the broker goes on in the process that made it
        # The pipe is full or closed only when it has been asked already.
        try:
            self._mouth_pipe.send(order)
        except OSError:
            return

    def start(self) -> Broker:
        """Serve in a thread of its own."""
        if self._thread is not None:
            raise LocalError("the broker runs already")
        self._thread = threading.Thread(target=self._run_thread, name="zwire-broker", daemon=True)
        self._thread.start()
        return self

    def _run_thread(self) -> None:
        try:
            self.run()
        except BaseException as error:  # told to whoever joins
            self._failure = error

    def join(self) -> None:
        """Wait until a started broker has stopped; raises what made it fail."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def close(self) -> None:
        """Let go of sockets and descriptors, after stopping at once if it was started.

        `run()` does so itself when it ends.
        """
        if self._thread is not None and self._thread is not threading.current_thread():
            self.stop(at_once=True)
            self.join()
        if self._closed or os.getpid() != self._process:
            return
        self._closed = True
        for link, _ in self._links:
            link.close()
        self._context.term()
        if self._recording is not None:
            self._recording.close()
        self._ear_pipe.close()
        self._mouth_pipe.close()

    def __enter__(self) -> Broker:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop(at_once=kind is not None)
        self.join()


def _names(listeners: Sequence[Listener]) -> Iterator[str]:
    """How events call the listeners: by dialect, with a number from the second of its kind on."""
    seen: Counter[str] = Counter()
    for one in listeners:
        name = f"{one.dialect} {one.service}".rstrip()
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name} {seen[name]}"
