"""The broker's configuration: from TOML or flags to one checked value, every mistake told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from zwire.core.policy import Limits, ServiceRules
from zwire.errors import LocalError
from zwire.io.endpoints import CONNECT_PREFIX, Endpoint, is_loopback, read_endpoint
from zwire.io.errors import BadEndpoint

DIALECTS = ("mdpx", "ppp", "emqp", "mdp")


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
    interval: float = 2.5
    liveness: float = 4.0

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

    def check(self, where: str = "configuration") -> BrokerConfig:
        """Itself; raises ConfigError with everything that is wrong with it."""
        mistakes = list(self._mistakes())
        if mistakes:
            raise ConfigError(where, mistakes)
        return self

    def _mistakes(self) -> Iterable[str]:
        if not self.listeners:
            yield "no endpoints: name at least one dialect with its front end"
        taken: set[str] = set()
        for listener in self.listeners:
            yield from _listener_mistakes(listener)
            for address in listener.addresses:
                if address.address in taken and not address.address.endswith((":*", ":0")):
                    yield f"{listener.dialect}: {address.address} is used twice"
                taken.add(address.address)
                if self.curve is None and not self.insecure and not is_loopback(address.address):
                    yield (
                        f"{listener.dialect}: {address.address} is open to other machines without "
                        "CURVE; give keys, or say --insecure (insecure = true) if that is meant"
                    )
        if self.curve is not None:
            if not self.curve.secret.is_file():
                yield f"curve.secret: no file {self.curve.secret}; zwire keys new makes one"
            if not self.curve.authorised.is_dir():
                yield f"curve.authorised: no folder {self.curve.authorised}"
        for name in ("drain", "max_message_size", "max_frames"):
            if getattr(self, name) < 0:
                yield f"{name}: expected 0 or more, got {getattr(self, name)}"


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
    if name in ("mdpx", "ppp") and listener.back is None:
        yield f"{name}: needs two endpoints, for clients and for workers"
    if name == "ppp" and not listener.service:
        yield "ppp: needs the service that its clients ask and its workers serve"
    if name != "ppp" and listener.service:
        yield f"{name}: names its services on the wire; service = {listener.service!r} is for ppp"
    if listener.interval <= 0:
        yield f"{name}: interval: expected more than 0, got {listener.interval}"
    if listener.liveness < 1:
        yield f"{name}: liveness: expected at least 1, got {listener.liveness}"


def parse_flag(dialect: str, text: str) -> Listener:
    """A listener from a flag: `FRONT,BACK`, `FRONT`, or for PPP `FRONT,BACK=SERVICE`."""
    addresses, _, service = text.partition("=")
    front, comma, back = addresses.partition(",")
    return Listener(
        dialect,
        _endpoint(front.strip()),
        _endpoint(back.strip()) if comma else None,
        service.strip(),
    )


def _endpoint(text: str) -> Endpoint:
    """An endpoint as written; what is wrong with it is told with all other mistakes."""
    return Endpoint(text.removeprefix(CONNECT_PREFIX).strip(), text.startswith(CONNECT_PREFIX))


def read_config(path: Path) -> BrokerConfig:
    """The configuration in a TOML file; raises ConfigError with every mistake in it."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(str(path), [reason]) from None
    return parse_config(values, str(path), path.parent)


def parse_config(values: Mapping[str, Any], where: str, folder: Path) -> BrokerConfig:
    """The configuration in TOML values; paths in it count from `folder`."""
    reader = _Reader()
    known = {"broker", "listen", "limits", "services", "curve"}
    reader.unknown("", values, known)
    general = reader.table(values, "broker")
    limits = Limits(**reader.numbers("limits", reader.table(values, "limits"), Limits()))
    rules = ServiceRules()
    services: dict[str, ServiceRules] = {}
    for name, table in reader.table(values, "services").items():
        if not isinstance(table, Mapping):
            reader.mistakes.append(f"services.{name}: expected a table, got {table!r}")
            continue
        settings = reader.numbers(f"services.{name}", table, ServiceRules())
        if name == "*":
            rules = replace(rules, **settings)
        else:
            services[name] = ServiceRules(**settings)
    defaults = BrokerConfig(())
    reader.unknown("broker", general, {"drain", "insecure", "max_message_size", "max_frames"})
    config = BrokerConfig(
        tuple(reader.listeners(values.get("listen", []))),
        rules,
        services,
        limits,
        reader.value("broker.drain", general.get("drain", defaults.drain), float),
        reader.curve(reader.table(values, "curve"), folder),
        reader.value("broker.insecure", general.get("insecure", False), bool),
        reader.value(
            "broker.max_message_size",
            general.get("max_message_size", defaults.max_message_size),
            int,
        ),
        reader.value("broker.max_frames", general.get("max_frames", defaults.max_frames), int),
    )
    mistakes = [*reader.mistakes, *config._mistakes()]
    if mistakes:
        raise ConfigError(where, mistakes)
    return config


class _Reader:
    """Takes values out of TOML tables and collects what is wrong with them."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def unknown(self, where: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
        names = sorted(known)
        for key in table:
            if key not in names:
                dot = f"{where}." if where else ""
                self.mistakes.append(f"{dot}{key}: not known; expected {', '.join(names)}")

    def table(self, values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        found = values.get(name, {})
        if isinstance(found, Mapping):
            return found
        self.mistakes.append(f"{name}: expected a table, got {found!r}")
        return {}

    def value(self, where: str, value: Any, kind: type) -> Any:
        accepted = (int, float) if kind is float else (kind,)
        if isinstance(value, accepted) and (kind is bool or not isinstance(value, bool)):
            return value
        self.mistakes.append(f"{where}: expected {_kind(kind)}, got {value!r}")
        return kind()

    def numbers(self, where: str, table: Mapping[str, Any], defaults: Any) -> dict[str, Any]:
        """The fields of a dataclass of numbers; "never" stands for a None where there is one."""
        names = {one.name for one in fields(defaults)}
        self.unknown(where, table, names)
        found: dict[str, Any] = {}
        for key, value in table.items():
            if key not in names:
                continue
            default = getattr(defaults, key)
            optional = "None" in str(type(defaults).__dataclass_fields__[key].type)
            if optional and value == "never":
                found[key] = None
                continue
            kind = int if isinstance(default, int) else float
            number = self.value(f"{where}.{key}", value, kind)
            if number < 0 or (key == "credit" and number < 1):
                least = 1 if key == "credit" else 0
                self.mistakes.append(f"{where}.{key}: expected at least {least}, got {value!r}")
            found[key] = number
        return found

    def listeners(self, tables: Any) -> Iterable[Listener]:
        if not isinstance(tables, list):
            self.mistakes.append(f"listen: expected [[listen]] tables, got {tables!r}")
            return
        for number, table in enumerate(tables, 1):
            where = f"listen {number}"
            if not isinstance(table, Mapping):
                self.mistakes.append(f"{where}: expected a table, got {table!r}")
                continue
            self.unknown(where, table, [one.name for one in fields(Listener)])
            texts = {
                key: self.value(f"{where}.{key}", table.get(key, ""), str)
                for key in ("dialect", "front", "back", "service")
            }
            if not texts["front"]:
                self.mistakes.append(f"{where}.front: expected an endpoint, got nothing")
                continue
            yield Listener(
                texts["dialect"],
                _endpoint(texts["front"]),
                _endpoint(texts["back"]) if texts["back"] else None,
                texts["service"],
                self.value(f"{where}.interval", table.get("interval", 2.5), float),
                self.value(f"{where}.liveness", table.get("liveness", 4.0), float),
            )

    def curve(self, table: Mapping[str, Any], folder: Path) -> Curve | None:
        if not table:
            return None
        self.unknown("curve", table, ["secret", "authorised"])
        paths = [
            folder / self.value(f"curve.{key}", table.get(key, ""), str)
            for key in ("secret", "authorised")
        ]
        return Curve(*paths)


def _kind(kind: type) -> str:
    return {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]


def to_toml(config: BrokerConfig) -> str:
    """The configuration as TOML that reads in again to the same one."""
    lines = ["[broker]"]
    for name in ("drain", "insecure", "max_message_size", "max_frames"):
        lines.append(f"{name} = {_toml(getattr(config, name))}")
    for listener in config.listeners:
        lines += ["", "[[listen]]", f"dialect = {_toml(listener.dialect)}"]
        lines.append(f"front = {_toml(str(listener.front))}")
        if listener.back is not None:
            lines.append(f"back = {_toml(str(listener.back))}")
        if listener.service:
            lines.append(f"service = {_toml(listener.service)}")
        lines += [f"interval = {listener.interval}", f"liveness = {listener.liveness}"]
    for name, rules in [("*", config.rules), *config.services.items()]:
        lines += ["", f"[services.{_toml(name)}]", *_table(rules)]
    lines += ["", "[limits]", *_table(config.limits)]
    if config.curve is not None:
        lines += ["", "[curve]", f"secret = {_toml(str(config.curve.secret.absolute()))}"]
        lines.append(f"authorised = {_toml(str(config.curve.authorised.absolute()))}")
    return "\n".join(lines) + "\n"


def _table(values: Any) -> Iterable[str]:
    return (f"{one.name} = {_toml(getattr(values, one.name))}" for one in fields(values))


def _toml(value: Any) -> str:
    if value is None:
        return '"never"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
