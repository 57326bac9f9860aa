"""A broker on real sockets with raw peers around it, and a clock that only the test moves."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol, TypeVar

import zmq

from support.ports import ANY_PORT
from support.raw import Context, Raw, eventually
from support.wire import Frames, Mdpx
from zwire.core.effects import Tell, What
from zwire.io.broker import Bound, Broker
from zwire.io.config import BrokerConfig, Listener
from zwire.io.endpoints import Endpoint

STEP = 0.05  # seconds at a time: below what a broker takes for having been held up


class Closes(Protocol):
    def close(self) -> None: ...


T = TypeVar("T", bound=Closes)


class Clock:
    """Time that stands still, however long the machine takes."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.looks = 0  # how often the broker has looked at it: once in each turn of its loop

    def __call__(self) -> float:
        now = self.now
        self.looks += 1
        return now


class Peer(Raw):
    """A raw peer of whom we know when its connection was lost, and so all it will ever hear."""

    def __init__(self, kind: zmq.SocketType, context: Context, identity: bytes | None) -> None:
        # It may reconnect: a libzmq socket that may not loses with the connection what it received.
        super().__init__(kind, context, identity=identity)
        self.watch()

    def rest(self) -> list[list[bytes]]:
        """All that it has not read yet of what the other side sent before it went."""
        self.watch().disconnected()
        return self.drain()


class Running:
    """A broker in a thread of its own, with what it told."""

    def __init__(self, config: BrokerConfig, clock: Callable[[], float]) -> None:
        self.events: list[Tell] = []
        self.broker = Broker(config, on_event=self.events.append, clock=clock).start()

    @property
    def bound(self) -> tuple[Bound, ...]:
        return self.broker.bound

    @property
    def front(self) -> str:
        return self.bound[0].front

    @property
    def back(self) -> str:
        return self.bound[0].back

    def told(self, what: What, **facts: Any) -> list[Tell]:
        """What it told of this kind, with these facts."""
        return [
            one
            for one in list(self.events)
            if one.what is what and all(getattr(one, key) == facts[key] for key in facts)
        ]

    def wait_for(self, what: What, **facts: Any) -> Tell:
        """The first happening of this kind with these facts, as soon as it was told."""
        eventually(lambda: bool(self.told(what, **facts)), f"{what.value} {facts}: {self.events}")
        return self.told(what, **facts)[0]

    def wait_for_count(self, name: str, least: int) -> None:
        """Wait until a counter has got so far."""
        eventually(
            lambda: self.broker.statistics[name] >= least,
            f"{name} reaches {least}: {self.broker.statistics}",
        )

    def close(self) -> None:
        self.broker.close()


class Scene:
    """All that one test starts and opens; leaving it ends all, the last first."""

    def __init__(self) -> None:
        self.context: Context = zmq.Context()
        self.clock = Clock()
        self._things = ExitStack()
        self._things.callback(self.context.term)
        self._bystander: Raw | None = None

    def own(self, thing: T) -> T:
        """Have something closed at the end."""
        self._things.callback(thing.close)
        return thing

    def broker(self, *listeners: Listener, real_time: bool = False, **settings: Any) -> Running:
        """A broker for which time stands still unless `let_pass` moves it, or it has its own."""
        # The last one is where somebody asks it whether it has taken notice of the time.
        config = BrokerConfig((*listeners, listener("mdpx")), **settings)
        return self.own(Running(config, time.monotonic if real_time else self.clock))

    def peer(self, address: str, identity: bytes | None = None) -> Peer:
        """A raw DEALER, connected."""
        peer = self.own(Peer(zmq.DEALER, self.context, identity))
        peer.connect(address)
        return peer

    def worker(self, broker: Running, identity: bytes, *said: Frames) -> Peer:
        """A raw worker that has said this much, and of which the broker has taken notice."""
        worker = self.peer(broker.back, identity)
        for frames in said or (Mdpx.ready(),):
            worker.send(*frames)
        broker.wait_for(What.WORKER_JOINED, peer=identity)
        return worker

    def fake_broker(self) -> tuple[Raw, str]:
        """A raw ROUTER that plays the broker, and where it listens."""
        router = self.own(Raw(zmq.ROUTER, self.context))
        router.watch()
        return router, router.bind(ANY_PORT)

    def let_pass(self, running: Running, seconds: float) -> None:
        """Move the clock of a broker, and have it take notice."""
        if self._bystander is None:
            self._bystander = self.peer(running.bound[-1].front, b"bystander")
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now = min(until, self.clock.now + STEP)
            # The first look may have been on its way with the old time, the second sees the new
            # one, and before the third all that was due at that time is done.
            done = self.clock.looks + 3
            while self.clock.looks < done:
                self._bystander.send(*Mdpx.ask(b"?", b"echo", service=b"mmi.service"))
                self._bystander.receive()

    def close(self) -> None:
        self._things.close()


def listener(dialect: str, *, service: str = "", **settings: Any) -> Listener:
    """A listener on free ports; `one` puts clients and workers on the same."""
    one = settings.pop("one", False)
    settings.setdefault("interval", 60.0)  # nobody is lost where silence is not the matter
    front, back = Endpoint(ANY_PORT), None if one else Endpoint(ANY_PORT)
    return Listener(dialect, front, back, service, **settings)
