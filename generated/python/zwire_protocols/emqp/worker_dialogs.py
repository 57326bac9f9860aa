"""The dialogs of eMQP, worker: who may say what, and when.

Made from emqp.md:80 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REGISTRATION = Dialog(
    name="registration",
    line="emqp.md:115",
    states=("start",),
    complete=(0,),
    moves={
        "worker": {
            "INFORM": {0: 0},
        },
    },
    opens=True,
)

READY = Dialog(
    name="ready",
    line="emqp.md:116",
    states=("start",),
    complete=(0,),
    moves={
        "worker": {
            "READY": {0: 0},
        },
    },
)

# one for each id, within the slots
REQUEST = Dialog(
    name="request",
    line="emqp.md:117",
    states=("start", "after REQUEST"),
    complete=(0,),
    moves={
        "broker": {
            "REQUEST": {0: 1},
        },
        "worker": {
            "REPLY": {1: 0},
        },
    },
    key=("msgid",),
)

HEARTBEAT = Dialog(
    name="heartbeat",
    line="emqp.md:118",
    states=("start",),
    complete=(0,),
    moves={
        "worker": {
            "HEARTBEAT": {0: 0},
        },
        "broker": {
            "HEARTBEAT": {0: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "registration": REGISTRATION,
    "ready": READY,
    "request": REQUEST,
    "heartbeat": HEARTBEAT,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("worker", "INFORM"): (),
    ("worker", "READY"): (),
    ("broker", "REQUEST"): ("msgid",),
    ("worker", "REPLY"): ("msgid",),
    ("worker", "HEARTBEAT"): (),
    ("broker", "HEARTBEAT"): (),
    ("worker", "DISCONNECT"): (),
    ("broker", "DISCONNECT"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = (("worker", "DISCONNECT"), ("broker", "DISCONNECT"))

_PLAN = Plan(DIALOGS.values(), CLOSES, "emqp.md:80")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one (`request=1`); one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
