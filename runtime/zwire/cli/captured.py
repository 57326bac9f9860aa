"""Rows of captures as the commands show them: as a line for people, as JSON, and which to show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from zwire.capture import Direction, Kind, Row
from zwire.captured import NoCodec, Understood, understand
from zwire.io.telling import name_of
from zwire_protocols.errors import DecodeError

_ARROWS = {Direction.IN: "←", Direction.OUT: "→", Direction.NONE: "·"}
_AGO = re.compile(r"(\d+(?:\.\d+)?)([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Shown:
    """A row and what was understood of it; `refusal` says why nothing was."""

    row: Row
    understood: Understood | None
    refusal: DecodeError | NoCodec | None

    @property
    def command(self) -> str:
        """The name of the message or event; empty where it could not be read."""
        if self.understood is not None:
            return self.understood.name
        return self.row.name


def look_at(row: Row) -> Shown:
    """The row, decoded if it is a message."""
    if row.kind is Kind.EVENT:
        return Shown(row, None, None)
    try:
        return Shown(row, understand(row.protocol, row.role, row.frames), None)
    except (DecodeError, NoCodec) as error:
        return Shown(row, None, error)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows to show: those for which all that is given is true."""

    protocol: str | None = None
    peer: str | None = None
    since: int | None = None
    command: str | None = None

    def lets_pass(self, row: Row) -> bool:
        """Whether to look closer at the row."""
        if self.since is not None and row.time < self.since:
            return False
        if self.peer is not None and row.peer not in octets_of(self.peer):
            return False
        if self.protocol is None:
            return True
        return row.protocol == self.protocol or row.protocol.startswith(self.protocol + ".")

    def wants(self, shown: Shown) -> bool:
        """Whether to show it, now that it is decoded."""
        return self.command is None or shown.command.lower() == self.command.lower()


def octets_of(text: str) -> set[bytes]:
    """What somebody may mean who types an identity or id: these letters, or these octets in hex."""
    meant = {text.encode()}
    try:
        meant.add(bytes.fromhex(text.removeprefix("0x").replace("-", "")))
    except ValueError:
        return meant
    return meant


def read_since(text: str, now: Callable[[], float]) -> int:
    """Nanoseconds since 1970 for `2026-03-01T12:00`, which is UTC, or `10m`, which is ago.

    Raises ValueError for anything else.
    """
    ago = _AGO.fullmatch(text)
    if ago:
        return int((now() - float(ago[1]) * _SECONDS[ago[2]]) * _NS)
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp()) * _NS + moment.microsecond * 1000


def when(time: int) -> str:
    """A time to the microsecond, in UTC."""
    seconds, rest = divmod(time, _NS)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest // 1000:06}Z"


def as_line(shown: Shown) -> str:
    """The row in one line without the time, safe to show on a terminal."""
    row = shown.row
    words = [_ARROWS[row.direction], row.protocol, row.role]
    words.append(name_of(row.peer) if row.peer else "")
    words.append(f"job {row.job}" if row.job else "")
    words.append(_told(shown))
    if not row.whole:
        words.append(f"({sum(map(len, row.frames))} of {row.octets} octets kept)")
    return printable(" ".join(word for word in words if word))


def _told(shown: Shown) -> str:
    row = shown.row
    if row.kind is Kind.EVENT:
        return f"{row.name} {json.dumps(row.facts, ensure_ascii=False)}"
    if shown.understood is not None:
        return shown.understood.summary
    frames = ", ".join(frame[:16].hex() + ("…" if len(frame) > 16 else "") for frame in row.frames)
    return f"[{frames}] {shown.refusal}"


def printable(text: str) -> str:
    """Nothing that a message holds may steer somebody's terminal."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def as_json(shown: Shown) -> dict[str, Any]:
    """The row with all it holds: octets in hex, and the decoded message or the reason it is none."""
    row = shown.row
    value: dict[str, Any] = {
        "time": when(row.time),
        "ts_ns": row.time,
        "sequence": row.sequence,
        "recorder": f"{row.recorder:016x}",
        "kind": row.kind.name.lower(),
        "endpoint": row.endpoint,
        "protocol": row.protocol,
        "role": row.role,
        "peer": row.peer.hex(),
        "job": row.job,
    }
    if row.kind is Kind.EVENT:
        return {**value, "event": row.name, "facts": dict(row.facts)}
    value["direction"] = row.direction.name.lower()
    value["frames"] = [frame.hex() for frame in row.frames]
    value["lengths"] = list(row.lengths)
    if shown.understood is not None:
        return {**value, **shown.understood.told}
    error = shown.refusal
    code = error.code if isinstance(error, DecodeError) else "unknown"
    return {**value, "error": {"code": code, "text": str(error)}}
