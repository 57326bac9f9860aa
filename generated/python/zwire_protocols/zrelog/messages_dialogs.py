"""The dialogs of ZRE/LOG: who may say what, and when.

Made from zrelog.md:7 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REPORT = Dialog(
    name="report",
    line="zrelog.md:34",
    states=("start",),
    complete=(0,),
    moves={
        "node": {
            "LOG": {0: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "report": REPORT,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("node", "LOG"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "zrelog.md:7")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
