"""The dialogs of MDP 0.1, client: who may say what, and when.

Made from mdp01.md:22 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

REQUEST = Dialog(
    name="request",
    line="mdp01.md:43",
    states=("start", "after REQUEST"),
    complete=(0,),
    moves={
        "client": {
            "REQUEST": {0: 1},
        },
        "broker": {
            "REPLY": {1: 0},
        },
    },
)

DIALOGS: dict[str, Dialog] = {
    "request": REQUEST,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("client", "REQUEST"): (),
    ("broker", "REPLY"): (),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "mdp01.md:22")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one; one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
