"""The dialogs of MDPX, worker: who may say what, and when.

Made from mdpx.md:94 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REGISTRATION = Dialog(
    name="registration",
    line="mdpx.md:139",
    states=("start", "after READY"),
    complete=(1,),
    moves={
        "worker": {
            "READY": {0: 1},
        },
    },
    opens=True,
)

# one for each client address and request id
REQUEST = Dialog(
    name="request",
    line="mdpx.md:140",
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
    key=("client_address", "request_id"),
)

# another command may stand in for a PONG
HEARTBEAT = Dialog(
    name="heartbeat",
    line="mdpx.md:141",
    states=("start", "after PING or PONG"),
    complete=(0, 1),
    moves={
        "worker": {
            "PING": {0: 1, 1: 1},
        },
        "broker": {
            "PONG": {1: 1},
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
    ("broker", "REQUEST"): ("client_address", "request_id"),
    ("worker", "PARTIAL"): ("client_address", "request_id"),
    ("worker", "FINAL"): ("client_address", "request_id"),
    ("worker", "PING"): (),
    ("broker", "PONG"): (),
    ("worker", "DISCONNECT"): (),
    ("broker", "DISCONNECT"): (),
    ("worker", "DISCONNECT-MDPW02"): (),
    ("broker", "DISCONNECT-MDPW02"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = (
    ("worker", "DISCONNECT"),
    ("broker", "DISCONNECT"),
    ("worker", "DISCONNECT-MDPW02"),
    ("broker", "DISCONNECT-MDPW02"),
)

_PLAN = Plan(DIALOGS.values(), CLOSES, "mdpx.md:94")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one (`request=1`); one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
