"""The dialogs of MDPX, client: who may say what, and when.

Made from mdpx.md:28 by `zwire generate`; do not edit.
"""

from __future__ import annotations

from ..conversation import LIMIT, Conversation, Dialog, Plan

# one for each request id
REQUEST = Dialog(
    name="request",
    line="mdpx.md:53",
    states=("start", "after REQUEST or PARTIAL"),
    complete=(0,),
    moves={
        "client": {
            "REQUEST": {0: 1, 1: 1},
        },
        "broker": {
            "PARTIAL": {1: 1},
            "FINAL": {1: 0},
        },
    },
    key=("request_id",),
)

DIALOGS: dict[str, Dialog] = {
    "request": REQUEST,
}

# Who says what, and the fields of it that make the key of a conversation's feed.
COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("client", "REQUEST"): ("request_id",),
    ("broker", "PARTIAL"): ("request_id",),
    ("broker", "FINAL"): ("request_id",),
}

# Who may end it all, and by what.
CLOSES: tuple[tuple[str, str], ...] = ()

_PLAN = Plan(DIALOGS.values(), CLOSES, "mdpx.md:28")


def conversation(*, limit: int = LIMIT, evict: bool = False, **limits: int) -> Conversation:
    """A new conversation. `limit` bounds the open instances of each keyed dialog, `limits` those
    of one (`request=1`); one more is refused, or with `evict` the oldest is forgotten."""
    return Conversation(_PLAN, limit=limit, evict=evict, limits=limits)
