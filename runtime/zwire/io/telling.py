"""What the broker tells, for people and programs: as a line, as a log record, as JSON."""

from __future__ import annotations

import logging
from typing import Any

from zwire.core.effects import Tell, What

_LEVELS = {
    What.WORKER_JOINED: logging.INFO,
    What.WORKER_LEFT: logging.INFO,
    What.DRAINING: logging.INFO,
    What.STOPPED: logging.INFO,
    What.RETRIED: logging.DEBUG,
    What.REPLY_PARKED: logging.DEBUG,
    What.LATE_REPLY: logging.INFO,
    What.REPEATED: logging.INFO,
}


MOST_OCTETS = 300  # of a name that are shown
MOST_LETTERS = 1_000  # of an explanation


def level(told: Tell) -> int:
    """How loud it is logged: what costs somebody something is a warning."""
    return _LEVELS.get(told.what, logging.WARNING)


def name_of(octets: bytes) -> str:
    """An identity, id or name as people can read it: text where it is text, else hex.

    Names come from anybody: one that is very long is cut, lest it fills the log.
    """
    if len(octets) > MOST_OCTETS:
        return f"{name_of(octets[:MOST_OCTETS])}… ({len(octets)} octets)"
    if octets and all(0x20 < octet < 0x7F for octet in octets):
        return octets.decode("ascii")
    return octets.hex()


def as_json(told: Tell) -> dict[str, Any]:
    """The happening with those of its facts that are known."""
    facts: dict[str, Any] = {"event": told.what.value, "endpoint": told.endpoint}
    if told.peer:
        facts["peer"] = name_of(told.peer)
    if told.service:
        facts["service"] = _cut(told.service[: 4 * MOST_LETTERS].decode("utf-8", "replace"))
    if told.job:
        facts["job"] = told.job
    if told.request_id:
        facts["request_id"] = name_of(told.request_id)
    if told.why:
        facts["detail"] = _cut(told.why)
    return {key: value for key, value in facts.items() if value != ""}


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"


def as_line(told: Tell) -> str:
    """The happening in one line."""
    facts = as_json(told)
    event, detail = str(facts.pop("event")), facts.pop("detail", "")
    known = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in facts.items())
    return event + (f" ({known})" if known else "") + (f": {detail}" if detail else "")
