"""The dialogs of MDP 0.1, worker: who may say what, and when.

Made from mdp01.md:70 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REGISTRATION = Dialog(
    name="registration",
    line="mdp01.md:102",
    states=("start", "after READY"),
    complete=(1,),
    moves={
        "worker": {
            "READY": {0: 1},
        },
    },
    opens=True,
)

# one for each client address
REQUEST = Dialog(
    name="request",
    line="mdp01.md:103",
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
    key=("client_address",),
)

HEARTBEAT = Dialog(
    name="heartbeat",
    line="mdp01.md:104",
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
    "request": REQUEST,
    "heartbeat": HEARTBEAT,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("worker", "READY"): (),
    ("broker", "REQUEST"): ("client_address",),
    ("worker", "REPLY"): ("client_address",),
    ("worker", "HEARTBEAT"): (),
    ("broker", "HEARTBEAT"): (),
    ("worker", "DISCONNECT"): (),
    ("broker", "DISCONNECT"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = (("worker", "DISCONNECT"), ("broker", "DISCONNECT"))

_PLAN = Plan(DIALOGS.values(), CLOSES, "mdp01.md:70")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one (`request=1`); one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
