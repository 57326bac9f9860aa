"""Identities of sockets: what is allowed, fresh ones, and which key each belongs to."""

from __future__ import annotations

from collections import OrderedDict
from uuid import uuid4

from zwire.io.errors import BadIdentity

MAX_OCTETS = 255


def check_identity(identity: bytes, where: str) -> bytes:
    """The identity, when a socket may take it; BadIdentity otherwise."""
    if not 1 <= len(identity) <= MAX_OCTETS:
        raise BadIdentity(
            "an identity of the wrong length",
            where=where,
            expected=f"1 to {MAX_OCTETS} octets",
            got=f"{len(identity)} octets",
            remedy="choose a shorter or longer one",
        )
    if identity[0] == 0:
        # A ROUTER makes up identities that begin with a zero octet for peers that have none.
        raise BadIdentity(
            "an identity that begins with a zero octet",
            where=where,
            expected="another first octet",
            got=identity.hex(),
            remedy="zero is kept for the identities that a ROUTER makes up",
        )
    return identity


def fresh_identity() -> bytes:
    """An identity that nobody had before: 17 octets, the first of them never zero."""
    return b"\x01" + uuid4().bytes


class Owners:
    """Remembers which CURVE key first used an identity, for as many identities as it may."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._keys: OrderedDict[bytes, str] = OrderedDict()

    def owns(self, identity: bytes, key: str) -> bool:
        """Whether this key may speak under this identity; the first to do so owns it."""
        owner = self._keys.setdefault(identity, key)
        self._keys.move_to_end(identity)
        if len(self._keys) > self._limit:
            self._keys.popitem(last=False)
        return owner == key

    def __len__(self) -> int:
        return len(self._keys)
