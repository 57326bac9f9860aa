"""The dialogs of PPP: who may say what, and when.

Made from ppp.md:7 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REGISTRATION = Dialog(
    name="registration",
    line="ppp.md:48",
    states=("start",),
    complete=(0,),
    moves={
        "worker": {
            "READY": {0: 0},
        },
    },
    opens=True,
)

# one for each stack
REQUEST = Dialog(
    name="request",
    line="ppp.md:49",
    states=("start", "after REQUEST"),
    complete=(0,),
    moves={
        "client": {
            "REQUEST": {0: 1},
        },
        "worker": {
            "REPLY": {1: 0},
        },
    },
    key=("stack",),
)

HEARTBEAT = Dialog(
    name="heartbeat",
    line="ppp.md:50",
    states=("start",),
    complete=(0,),
    moves={
        "worker": {
            "HEARTBEAT": {0: 0},
        },
        "client": {
            "HEARTBEAT": {0: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "registration": REGISTRATION,
    "request": REQUEST,
    "heartbeat": HEARTBEAT,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("worker", "READY"): (),
    ("client", "REQUEST"): ("stack",),
    ("worker", "REPLY"): ("stack",),
    ("worker", "HEARTBEAT"): (),
    ("client", "HEARTBEAT"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "ppp.md:7")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one (`request=1`); one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
