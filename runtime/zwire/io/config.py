"""The broker's configuration: from flags or TOML and back, every mistake told at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from zwire.capture import Rotation, Sync
from zwire.capture.rotation import read_every, read_size, write_every, write_size
from zwire.core.policy import Limits, ServiceRules
from zwire.errors import LocalError
from zwire.io.config_value import (
    DIALECTS,
    BrokerConfig,
    ConfigError,
    Curve,
    Listener,
    parse_flag,
)
from zwire.io.endpoints import as_endpoint
from zwire.io.taps import read_bodies, write_bodies

__all__ = [
    "DIALECTS",
    "BrokerConfig",
    "ConfigError",
    "Curve",
    "Listener",
    "parse_config",
    "parse_flag",
    "read_config",
    "to_toml",
]

T = TypeVar("T")

_NEVER = "never"  # TOML has no word for nothing
_GENERAL = ("drain", "insecure", "max_message_size", "max_frames")
_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


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
    reader.unknown("", values, ("broker", "listen", "limits", "services", "curve", "capture"))
    general = reader.table(values, "broker")
    reader.unknown("broker", general, _GENERAL)
    usual = BrokerConfig(())
    services = {
        name: reader.numbers(f"services.{name}", table, ServiceRules())
        for name, table in reader.tables(values, "services")
    }
    config = BrokerConfig(
        listeners=tuple(reader.listeners(values.get("listen", []))),
        rules=services.pop("*", ServiceRules()),
        services=services,
        limits=reader.numbers("limits", reader.table(values, "limits"), Limits()),
        drain=reader.take("broker", general, "drain", float, usual.drain),
        curve=reader.curve(reader.table(values, "curve"), folder),
        insecure=reader.take("broker", general, "insecure", bool, False),
        max_message_size=reader.take(
            "broker", general, "max_message_size", int, usual.max_message_size
        ),
        max_frames=reader.take("broker", general, "max_frames", int, usual.max_frames),
        **reader.capture(reader.table(values, "capture"), folder),
    )
    mistakes = [*reader.mistakes, *config.mistakes()]
    if mistakes:
        raise ConfigError(where, mistakes)
    return config


class _Reader:
    """Takes values out of TOML tables and collects what is wrong with them."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def unknown(self, where: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
        names = sorted(known)
        dot = f"{where}." if where else ""
        for key in (key for key in table if key not in names):
            self.mistakes.append(f"{dot}{key}: not known; expected {', '.join(names)}")

    def table(self, values: Mapping[str, Any], name: str, where: str = "") -> Mapping[str, Any]:
        found = values.get(name, {})
        if isinstance(found, Mapping):
            return found
        self.mistakes.append(f"{where}{name}: expected a table, got {found!r}")
        return {}

    def tables(
        self, values: Mapping[str, Any], name: str
    ) -> Iterable[tuple[str, Mapping[str, Any]]]:
        group = self.table(values, name)
        return [(key, self.table(group, key, f"{name}.")) for key in group]

    def take(self, where: str, table: Mapping[str, Any], key: str, kind: type, usual: T) -> T:
        """The value of a key if it is of this kind; what is usual without it."""
        value: Any = table.get(key, usual)
        accepted = (int, float) if kind is float else kind
        # To Python True is a whole number, to people it is not.
        right = isinstance(value, accepted) and (kind is bool or not isinstance(value, bool))
        if right or key not in table:
            return value  # type: ignore[no-any-return]  # of the kind that was asked for
        self.mistakes.append(f"{where}.{key}: expected {_KINDS[kind]}, got {value!r}")
        return usual

    def numbers(self, where: str, table: Mapping[str, Any], usual: Any) -> Any:
        """A dataclass of numbers with those changed that the table names."""
        names = {one.name: one.type for one in fields(usual)}
        self.unknown(where, table, names)
        found: dict[str, Any] = {}
        for key in (key for key in table if key in names):
            default = getattr(usual, key)
            if "None" in str(names[key]) and table[key] == _NEVER:
                found[key] = None
            else:
                kind = int if isinstance(default, int) else float
                found[key] = self.take(where, table, key, kind, default)
        return replace(usual, **found)

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
            dialect, front, back, service = (
                self.take(where, table, key, str, "")
                for key in ("dialect", "front", "back", "service")
            )
            interval, liveness = (
                self.take(where, table, key, float, None) for key in ("interval", "liveness")
            )
            other = as_endpoint(back) if back else None
            yield Listener(dialect, as_endpoint(front), other, service, interval, liveness)

    def curve(self, table: Mapping[str, Any], folder: Path) -> Curve | None:
        if not table:
            return None
        self.unknown("curve", table, ["secret", "authorised"])
        for key, what in (("secret", "the broker's secret key file"), ("authorised", "a folder")):
            if table.get(key, "") == "":
                self.mistakes.append(f"curve.{key}: name {what}")
        secret, authorised = (
            folder / self.take("curve", table, key, str, "") for key in ("secret", "authorised")
        )
        return Curve(secret, authorised)

    def capture(self, table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        """What is said about recording, under the names of BrokerConfig."""
        if not table:
            return {}
        self.unknown("capture", table, ["folder", "bodies", "sync", "rotate_size", "rotate_every"])
        into = self.take("capture", table, "folder", str, "")
        if not into:
            self.mistakes.append("capture.folder: name the folder to record into")
        usual = Rotation()
        return {
            "capture": folder / into,
            "capture_bodies": self.word("capture", table, "bodies", read_bodies, None),
            "capture_sync": self.word("capture", table, "sync", _read_sync, Sync.FILE),
            "capture_rotation": Rotation(
                self.word("capture", table, "rotate_size", read_size, usual.size),
                self.word("capture", table, "rotate_every", read_every, usual.every),
            ),
        }

    def word(
        self, where: str, table: Mapping[str, Any], key: str, read: Callable[[str], T], usual: T
    ) -> T:
        """What the word or number of a key means; what is usual without it."""
        if key not in table:
            return usual
        try:
            return read(str(table[key]))
        except LocalError as error:
            self.mistakes.append(f"{where}.{key}: {error}")
            return usual


def _read_sync(text: str) -> Sync:
    known = [one.value for one in Sync]
    if text not in known:
        raise LocalError(f"expected {', '.join(known)}, got {text!r}")
    return Sync(text)


def to_toml(config: BrokerConfig) -> str:
    """The whole configuration as TOML; read in again it means the same."""
    lines = ["[broker]", *_lines(config, _GENERAL)]
    for listener in config.listeners:
        interval, liveness = listener.pace
        lines += ["", "[[listen]]", f"dialect = {_toml(listener.dialect)}"]
        lines.append(f"front = {_toml(str(listener.front))}")
        if listener.back is not None:
            lines.append(f"back = {_toml(str(listener.back))}")
        if listener.service:
            lines.append(f"service = {_toml(listener.service)}")
        lines += [f"interval = {_toml(interval)}", f"liveness = {_toml(liveness)}"]
    for name, rules in [("*", config.rules), *config.services.items()]:
        lines += ["", f"[services.{_toml(name)}]"]
        lines += _lines(rules, [one.name for one in fields(rules)])
    lines += ["", "[limits]", *_lines(config.limits, [one.name for one in fields(config.limits)])]
    if config.curve is not None:
        lines += ["", "[curve]", f"secret = {_toml(str(config.curve.secret.absolute()))}"]
        lines.append(f"authorised = {_toml(str(config.curve.authorised.absolute()))}")
    if config.capture is not None:
        lines += ["", "[capture]", f"folder = {_toml(str(config.capture.absolute()))}"]
        lines.append(f"bodies = {_toml(write_bodies(config.capture_bodies))}")
        lines.append(f"sync = {_toml(config.capture_sync.value)}")
        lines.append(f"rotate_size = {_toml(write_size(config.capture_rotation.size))}")
        lines.append(f"rotate_every = {_toml(write_every(config.capture_rotation.every))}")
    return "\n".join(lines) + "\n"


def _lines(values: Any, names: Iterable[str]) -> Iterable[str]:
    return [f"{name} = {_toml(getattr(values, name))}" for name in names]


def _toml(value: Any) -> str:
    if value is None:
        return f'"{_NEVER}"'
    if isinstance(value, float):
        return str(value)  # also inf, which TOML writes so and JSON does not know
    # JSON's texts, numbers and truths are TOML's, but that TOML wants this octet escaped too.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
