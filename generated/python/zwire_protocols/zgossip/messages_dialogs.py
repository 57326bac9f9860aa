"""The dialogs of ZGOSSIP: who may say what, and when.

Made from zgossip.md:7 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

GREETING = Dialog(
    name="greeting",
    line="zgossip.md:40",
    states=("start", "after HELLO"),
    complete=(1,),
    moves={
        "client": {
            "HELLO": {0: 1},
        },
    },
    opens=True,
)

PUBLICATION = Dialog(
    name="publication",
    line="zgossip.md:41",
    states=("start",),
    complete=(0,),
    moves={
        "client": {
            "PUBLISH": {0: 0},
        },
        "server": {
            "PUBLISH": {0: 0},
        },
    },
)

# not paired
HEARTBEAT = Dialog(
    name="heartbeat",
    line="zgossip.md:42",
    states=("start",),
    complete=(0,),
    moves={
        "client": {
            "PING": {0: 0},
        },
        "server": {
            "PONG": {0: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "greeting": GREETING,
    "publication": PUBLICATION,
    "heartbeat": HEARTBEAT,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("client", "HELLO"): (),
    ("client", "PUBLISH"): (),
    ("server", "PUBLISH"): (),
    ("client", "PING"): (),
    ("server", "PONG"): (),
    ("server", "INVALID"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = (("server", "INVALID"),)

_PLAN = Plan(DIALOGS.values(), CLOSES, "zgossip.md:7")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
