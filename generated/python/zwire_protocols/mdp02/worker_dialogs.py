"""The dialogs of MDP 0.2, worker: who may say what, and when.

Made from mdp02.md:80 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REGISTRATION = Dialog(
    name="registration",
    line="mdp02.md:112",
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
    line="mdp02.md:113",
    states=("start", "after REQUEST or PARTIAL"),
    complete=(0,),
    moves={
        "broker": {
            "REQUEST": {0: 1},
        },
        "worker": {
            "PARTIAL": {1: 1},
            "FINAL": {1: 0},
        },
    },
    key=("client_address",),
)

HEARTBEAT = Dialog(
    name="heartbeat",
    line="mdp02.md:114",
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
    ("worker", "PARTIAL"): ("client_address",),
    ("worker", "FINAL"): ("client_address",),
    ("worker", "HEARTBEAT"): (),
    ("broker", "HEARTBEAT"): (),
    ("worker", "DISCONNECT"): (),
    ("broker", "DISCONNECT"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = (("worker", "DISCONNECT"), ("broker", "DISCONNECT"))

_PLAN = Plan(DIALOGS.values(), CLOSES, "mdp02.md:80")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one (`request=1`); one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
