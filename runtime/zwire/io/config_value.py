"""The broker's configuration as one value that can tell all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path

from zwire.capture import Rotation, Sync
from zwire.core.mmi import PREFIX
from zwire.core.policy import Limits, ServiceRules
from zwire.errors import LocalError
from zwire.io.endpoints import Endpoint, as_endpoint, is_loopback, read_endpoint
from zwire.io.errors import BadEndpoint

DIALECTS = ("mdpx", "ppp", "emqp", "mdp")
# Seconds between heartbeats, and how many may be missed. PPP's text has its own.
_USUAL_PACE = (2.5, 4.0)
_PACE_OF_PPP = (1.0, 3.0)
_RESERVED = PREFIX.decode()
_MOST_OCTETS = 2**63 - 1  # that libzmq can be told


class ConfigError(LocalError):
    """A configuration with mistakes; its text lists all of them."""

    def __init__(self, where: str, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(f"{where}: {mistake}" for mistake in self.mistakes))


@dataclass(frozen=True, slots=True)
class Listener:
    """One dialect at one front end, with the back end for its workers where that is another."""

    dialect: str
    front: Endpoint
    back: Endpoint | None = None
    service: str = ""  # PPP names none on the wire: all its requests and workers are for this one
    interval: float | None = None  # None: what is usual in the dialect
    liveness: float | None = None

    @property
    def pace(self) -> tuple[float, float]:
        """Seconds between heartbeats, and the intervals of silence after which a worker is gone."""
        interval, liveness = _PACE_OF_PPP if self.dialect == "ppp" else _USUAL_PACE
        return (
            interval if self.interval is None else self.interval,
            liveness if self.liveness is None else self.liveness,
        )

    @property
    def addresses(self) -> tuple[Endpoint, ...]:
        return (self.front,) if self.back is None else (self.front, self.back)


@dataclass(frozen=True, slots=True)
class Curve:
    """The broker's secret key file, and the folder of the public keys that may come in."""

    secret: Path
    authorised: Path


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """Everything that a broker is told before it starts."""

    listeners: tuple[Listener, ...]
    rules: ServiceRules = field(default_factory=ServiceRules)  # of services not named below
    services: Mapping[str, ServiceRules] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    drain: float = 10.0  # seconds a stopping broker waits for open requests
    curve: Curve | None = None
    insecure: bool = False
    max_message_size: int = 64 * 1024 * 1024  # octets of one frame
    max_frames: int = 1_000
    capture: Path | None = None  # the folder to record all traffic into
    capture_bodies: int | None = None  # octets kept of each frame of a body; None: all
    capture_sync: Sync = Sync.FILE  # when what is recorded is brought to the disk
    capture_rotation: Rotation = field(default_factory=Rotation)  # when the next file begins

    def check(self, where: str = "configuration") -> BrokerConfig:
        """Itself; raises ConfigError with everything that is wrong with it."""
        mistakes = list(self.mistakes())
        if mistakes:
            raise ConfigError(where, mistakes)
        return self

    def mistakes(self) -> Iterable[str]:
        """What is wrong with it, one sentence for each mistake."""
        if not self.listeners:
            yield "no endpoints: name at least one dialect with its front end"
        taken: set[str] = set()
        for listener in self.listeners:
            yield from _listener_mistakes(listener)
            for address in filter(_is_readable, listener.addresses):
                if address.address in taken and not address.address.endswith((":*", ":0")):
                    yield f"{listener.dialect}: {address.address} is used twice"
                taken.add(address.address)
                secured = self.curve is not None and not address.plain
                protected = secured or self.insecure or address.connects
                if not protected and not is_loopback(address.address):
                    yield (
                        f"{listener.dialect}: {address.address} is open to other machines without "
                        "CURVE; give keys, or say --insecure (insecure = true) if that is meant"
                    )
        if self.curve is not None:
            if not self.curve.secret.is_file():
                yield f"curve.secret: no file {self.curve.secret}; zwire keys new makes one"
            if not self.curve.authorised.is_dir():
                yield f"curve.authorised: no folder {self.curve.authorised}"
        if self.capture_bodies is not None and self.capture_bodies < 0:
            yield f"capture.bodies: expected at least 0, got {self.capture_bodies}"
        for one in fields(self.capture_rotation):
            number = getattr(self.capture_rotation, one.name)
            if not (number >= 1 and isfinite(number)):
                yield f"capture.rotate_{one.name}: expected a number of at least 1, got {number}"
        for name in ("drain", "max_message_size", "max_frames"):
            if not getattr(self, name) >= 0:
                yield f"broker.{name}: expected at least 0, got {getattr(self, name)}"
        if self.max_message_size > _MOST_OCTETS:
            yield (
                f"broker.max_message_size: expected at most {_MOST_OCTETS} (0 is no limit), got "
                f"{self.max_message_size}"
            )
        yield from _number_mistakes("limits", self.limits)
        for service, rules in {"*": self.rules, **self.services}.items():
            yield from _number_mistakes(f"services.{service}", rules)


def _listener_mistakes(listener: Listener) -> Iterable[str]:
    name = listener.dialect
    if name not in DIALECTS:
        yield f"dialect: expected one of {', '.join(DIALECTS)}, got {name!r}"
        return
    for address in listener.addresses:
        try:
            read_endpoint(str(address))
        except BadEndpoint as error:
            yield f"{name}: {error}"
        if address.address.startswith("inproc:"):
            # A broker has a context of its own, which nobody else can have a socket in.
            yield f"{name}: {address}: nobody could reach it; expected tcp://host:port or ipc://path"
    if name in ("mdpx", "ppp") and listener.back is None:
        yield f"{name}: needs two endpoints, for clients and for workers"
    if name == "ppp" and not listener.service:
        yield "ppp: needs the service that its clients ask and its workers serve"
    elif not listener.service.isprintable() or listener.service.startswith(_RESERVED):
        yield (
            f"{name}: expected a service of printable text that does not begin with {_RESERVED}, got "
            f"{listener.service!r}"
        )
    if name != "ppp" and listener.service:
        yield f"{name}: names its services on the wire; service = {listener.service!r} is for ppp"
    interval, liveness = listener.pace
    if not interval > 0:
        yield f"{name}: interval: expected more than 0, got {interval}"
    if not liveness >= 1:
        yield f"{name}: liveness: expected at least 1, got {liveness}"


def _is_readable(address: Endpoint) -> bool:
    try:
        read_endpoint(str(address))
    except BadEndpoint:
        return False
    return True


def _number_mistakes(where: str, values: Limits | ServiceRules) -> Iterable[str]:
    for one in fields(values):
        least = 1 if one.name == "credit" else 0
        value = getattr(values, one.name)
        if value is not None and not value >= least:
            yield f"{where}.{one.name}: expected at least {least}, got {value}"


def parse_flag(dialect: str, text: str) -> Listener:
    """A listener from a flag: `FRONT,BACK`, `FRONT`, or for PPP `FRONT,BACK=SERVICE`."""
    addresses, _, service = text.partition("=")
    front, comma, back = addresses.partition(",")
    return Listener(
        dialect,
        as_endpoint(front.strip()),
        as_endpoint(back.strip()) if comma else None,
        service.strip(),
    )
