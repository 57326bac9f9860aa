"""Brokers, workers and holders as processes of their own, which a test kills, freezes and starts again."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.ports import ANY_PORT, ReservedPort
from support.processes import Program, python, zwire
from zwire import Client, ClientSettings, Worker, WorkerSettings
from zwire.core.policy import ServiceRules
from zwire.io.config import BrokerConfig, Listener, to_toml
from zwire.io.endpoints import Endpoint

DIALECTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")
SOAK = bool(os.environ.get("ZWIRE_SOAK"))

# A silent worker is missed after these together: soon enough for a test, and a live one that is
# missed on a stalling machine costs a test nothing but a redelivery.
INTERVAL = 0.4
LIVENESS = 5.0
LONG = 120.0  # seconds that a request may take before a test gives up
ENDINGS = ("answered", "request expired", "request failed", "client gone", "open")

# A broker that tells only where it listens and what it counted: for tests in which a million
# messages are refused, each with an event. It also counts what its dialects were given to hear from
# peers whose identity begins with "junk", and tells that at a signal: what was sent to a broker is
# not yet heard, and is lost if its sender closes too early.
_QUIET_BROKER = """
import json, logging, signal, sys
from dataclasses import replace
from pathlib import Path
from zwire import Broker
from zwire.io.config import read_config

logging.disable(logging.CRITICAL)
broker = Broker(read_config(Path(sys.argv[1])))
heard = 0

def counted(hear):
    def count(frames, now):
        global heard
        heard += frames[0].startswith(b"junk")
        return hear(frames, now)
    return count

ears = broker._switch._ears
for link, ear in ears.items():
    ears[link] = replace(ear, hear=counted(ear.hear))

def tell(number, frame):
    print(json.dumps({"event": "heard", "count": heard}), flush=True)

signal.signal(signal.SIGUSR1, tell)
signal.signal(signal.SIGTERM, lambda number, frame: broker.stop())
bound = [
    {"dialect": one.dialect, "front": one.front, "back": one.back, "service": one.service}
    for one in broker.bound
]
print(json.dumps({"event": "listening", "endpoints": bound}), flush=True)
broker.run()
print(json.dumps({"event": "ended", "statistics": dict(broker.statistics)}), flush=True)
"""


def progress(text: str) -> None:
    """Tell in a soak how far it is."""
    if SOAK:
        sys.stderr.write(f"  {time.strftime('%H:%M:%S')} {text}\n")


def size(normal: int, full: int) -> int:
    """How much of something a test does: in the normal run, and in the soak."""
    return full if SOAK else normal


@dataclass(frozen=True, slots=True)
class Place:
    """Where clients and workers of a dialect find the broker."""

    front: str
    back: str

    @property
    def endpoints(self) -> set[str]:
        """The same for raw sockets."""
        return {"tcp" + url[url.index(":") :] for url in (self.front, self.back)}


def everything(
    *,
    service: str = "echo",
    ports: Iterator[str] | None = None,
    interval: float = INTERVAL,
    liveness: float = LIVENESS,
) -> tuple[Listener, ...]:
    """Listeners for all dialects; PPP is given the service."""

    def somewhere() -> Endpoint:
        return Endpoint(ANY_PORT if ports is None else next(ports))

    def listener(dialect: str, two: bool, name: str = "") -> Listener:
        front, back = somewhere(), somewhere() if two else None
        return Listener(dialect, front, back, name, interval, liveness)

    return (
        listener("mdpx", True),
        listener("mdp", False),
        listener("emqp", False),
        listener("ppp", True, service),
    )


def patient(**settings: Any) -> ServiceRules:
    """Rules under which a stalling machine makes nothing expire or fail."""
    return replace(ServiceRules(expiry=600.0, max_redeliveries=1000), **settings)


class RunningBroker:
    """A broker's process, and where it listens."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.places: dict[str, Place] = {}
        self.ppp: dict[str, Place] = {}  # by the service, where there are several
        for one in program.wait_for_json(event="listening")["endpoints"]:
            front, back = (one[side].removeprefix("tcp") for side in ("front", "back"))
            names = ("mdp01", "mdp02") if one["dialect"] == "mdp" else (one["dialect"],)
            self.places.update({name: Place(name + front, name + back) for name in names})
            if one["dialect"] == "ppp":
                self.ppp[one["service"]] = self.places["ppp"]

    @property
    def memory(self) -> int:
        """Octets that the process has in memory."""
        status = Path(f"/proc/{self.program.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.program.pid}/fd"))

    def heard_junk(self) -> int:
        """Messages of junk peers that a quiet broker has heard so far."""
        self.program.signal(signal.SIGUSR1)
        return int(self.program.wait_for_json(event="heard")["count"])

    def end(self) -> Mapping[str, int]:
        """Stop it as an operator does; its counters, after a look at whether they agree."""
        self.program.signal(signal.SIGTERM)
        counts: dict[str, int] = self.program.wait_for_json(event="ended")["statistics"]
        assert self.program.wait() == 0
        assert counts["accepted"] == sum(counts[name] for name in ENDINGS), counts
        return counts


class Fleet:
    """All that one test starts; leaving it ends all, the last first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._things = ExitStack()
        self._files = 0

    def own_ports(self) -> Iterator[str]:
        """Endpoints that stay ours while no broker listens there."""
        while True:
            yield self._things.enter_context(ReservedPort()).endpoint

    def broker(
        self, config: BrokerConfig | None = None, *, quiet: bool = False, **settings: Any
    ) -> RunningBroker:
        """A broker in a process of its own; without a configuration, one that speaks everything."""
        if config is None:
            config = BrokerConfig(everything(), rules=patient(), **settings)
        self._files += 1
        file = self._folder / f"broker{self._files}.toml"
        file.write_text(to_toml(config))
        if quiet:
            return RunningBroker(self.own(python(_QUIET_BROKER, str(file))))
        return RunningBroker(self.own(zwire("broker", "--json", "--config", str(file))))

    def echo(self, place: Place, *services: str, slots: int = 1) -> Program:
        """A worker's process that echoes; it tells in JSON lines."""
        pace = ("--interval", str(INTERVAL), "--liveness", str(LIVENESS))
        return self.own(
            zwire(
                *("worker", *(services or ("echo",)), "--echo", "--json", "--url", place.back),
                *("--slots", str(slots), *pace),
            )
        )

    def holder(self, place: Place, service: str) -> Program:
        """A worker's process that tells `holding` and never answers."""
        return self.own(
            Program(
                sys.executable, "-m", "zwire.cli.demo_worker", place.back, service, str(INTERVAL)
            )
        )

    def worker(
        self, place: Place, service: str, handler: Callable[..., Any], slots: int = 1
    ) -> Worker:
        """A worker in threads of this process."""
        settings = WorkerSettings(interval=INTERVAL, liveness=LIVENESS, slots=slots, reconnect=0.2)
        worker = Worker(place.back, service, settings=settings)
        worker.handler(handler)
        self._things.callback(worker.close)
        return worker.start()

    def client(self, place: Place, **settings: Any) -> Client:
        """A client in this process."""
        settings.setdefault("timeout", LONG)
        client = Client(place.front, settings=ClientSettings(**settings))
        self._things.callback(client.close)
        return client

    def program(self, source: str, *arguments: str) -> Program:
        """A Python program given as text."""
        return self.own(python(source, *arguments))

    def own(self, program: Program) -> Program:
        self._things.callback(program.kill)
        return program

    def close(self) -> None:
        self._things.close()


@contextmanager
def fleet_in(folder: Path) -> Iterator[Fleet]:
    """A fleet that is gone at the end, whatever became of the test."""
    fleet = Fleet(folder)
    try:
        yield fleet
    finally:
        fleet.close()
