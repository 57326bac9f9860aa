"""The dialogs of ZRE, messages: who may say what, and when.

Made from zre.md:24 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

GREETING = Dialog(
    name="greeting",
    line="zre.md:54",
    states=("start",),
    complete=(0,),
    moves={
        "sender": {
            "HELLO": {0: 0},
        },
    },
    opens=True,
)

WHISPER = Dialog(
    name="whisper",
    line="zre.md:55",
    states=("start",),
    complete=(0,),
    moves={
        "sender": {
            "WHISPER": {0: 0},
        },
    },
)

SHOUT = Dialog(
    name="shout",
    line="zre.md:56",
    states=("start",),
    complete=(0,),
    moves={
        "sender": {
            "SHOUT": {0: 0},
        },
    },
)

JOIN = Dialog(
    name="join",
    line="zre.md:57",
    states=("start",),
    complete=(0,),
    moves={
        "sender": {
            "JOIN": {0: 0},
        },
    },
)

LEAVE = Dialog(
    name="leave",
    line="zre.md:58",
    states=("start",),
    complete=(0,),
    moves={
        "sender": {
            "LEAVE": {0: 0},
        },
    },
)

# each PING is owed a PING-OK
PING = Dialog(
    name="ping",
    line="zre.md:59",
    states=("start", "after PING", "after PING-OK"),
    complete=(0, 2),
    moves={
        "sender": {
            "PING": {0: 1, 1: 1, 2: 1},
        },
        "recipient": {
            "PING-OK": {1: 2, 2: 2},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "greeting": GREETING,
    "whisper": WHISPER,
    "shout": SHOUT,
    "join": JOIN,
    "leave": LEAVE,
    "ping": PING,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("sender", "HELLO"): (),
    ("sender", "WHISPER"): (),
    ("sender", "SHOUT"): (),
    ("sender", "JOIN"): (),
    ("sender", "LEAVE"): (),
    ("sender", "PING"): (),
    ("recipient", "PING-OK"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "zre.md:24")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
