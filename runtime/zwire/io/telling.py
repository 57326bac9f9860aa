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


def level(told: Tell) -> int:
    """How loud it is logged: what costs somebody something is a warning."""
    return _LEVELS.get(told.what, logging.WARNING)


def name_of(octets: bytes) -> str:
    """An identity, id or name as people can read it: text where it is text, else hex."""
    if octets and all(0x20 < octet < 0x7F for octet in octets):
        return octets.decode("ascii")
    return octets.hex()


def as_json(told: Tell) -> dict[str, Any]:
    """The happening with those of its facts that are known."""
    facts: dict[str, Any] = {"event": told.what.value, "endpoint": told.endpoint}
    if told.peer:
        facts["peer"] = name_of(told.peer)
    if told.service:
        facts["service"] = told.service.decode("utf-8", "replace")
    if told.job:
        facts["job"] = told.job
    if told.request_id:
        facts["request_id"] = name_of(told.request_id)
    if told.why:
        facts["detail"] = told.why
    return {key: value for key, value in facts.items() if value != ""}


def as_line(told: Tell) -> str:
    """The happening in one line."""
    facts = as_json(told)
    event, detail = str(facts.pop("event")), facts.pop("detail", "")
    known = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in facts.items())
    return event + (f" ({known})" if known else "") + (f": {detail}" if detail else "")
