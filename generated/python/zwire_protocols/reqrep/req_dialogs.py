"""The dialogs of REQREP, req: who may say what, and when.

Made from reqrep.md:35 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

# strictly one after the other
EXCHANGE = Dialog(
    name="exchange",
    line="reqrep.md:46",
    states=("start", "after REQUEST"),
    complete=(0,),
    moves={
        "req": {
            "REQUEST": {0: 1},
        },
        "rep": {
            "REPLY": {1: 0},
        },
        "router": {
            "REPLY": {1: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "exchange": EXCHANGE,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("req", "REQUEST"): (),
    ("rep", "REPLY"): (),
    ("router", "REPLY"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "reqrep.md:35")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
