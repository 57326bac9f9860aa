"""The dialogs of 36/ZRE, beacon3: who may say what, and when.

Made from zre36.md:155 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

ANNOUNCEMENT = Dialog(
    name="announcement",
    line="zre36.md:183",
    states=("start",),
    complete=(0,),
    moves={
        "node": {
            "BEACON": {0: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "announcement": ANNOUNCEMENT,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("node", "BEACON"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "zre36.md:155")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
