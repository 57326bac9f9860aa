"""The dialogs of REQREP, rep: who may say what, and when.

Made from reqrep.md:77 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

# in lock step or ahead of the answers
EXCHANGE = Dialog(
    name="exchange",
    line="reqrep.md:101",
    states=("start", "after REQUEST", "after REQUEST or REPLY"),
    complete=(0, 2),
    moves={
        "req": {
            "REQUEST": {0: 1, 2: 1},
        },
        "dealer": {
            "REQUEST": {0: 2, 2: 2},
        },
        "rep": {
            "REPLY": {1: 0, 2: 2},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "exchange": EXCHANGE,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("req", "REQUEST"): (),
    ("dealer", "REQUEST"): (),
    ("rep", "REPLY"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "reqrep.md:77")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
