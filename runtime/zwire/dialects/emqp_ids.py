"""Ids for eMQP messages that nobody answers: no other message has them, whoever sends it."""

from __future__ import annotations

from itertools import count
from uuid import uuid4


class Mint:
    """Makes one new id after another, each begun with what is this mint's alone."""

    def __init__(self) -> None:
        self._own = uuid4().hex.encode()
        self._numbers = count(1)

    def __call__(self) -> bytes:
        return b"%s-%d" % (self._own, next(self._numbers))
