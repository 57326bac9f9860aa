"""Shells: sockets and clocks around the engines.

The four sockets of 28/REQREP are public here; `zwire.io.sockets_aio` has the same for asyncio. They
are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zwire.io.envelopes import close_envelope, dealer_to_rep, open_envelope, rep_to_dealer
    from zwire.io.errors import (
        Malformed,
        NoRoom,
        NothingReceived,
        NotSendable,
        OutOfTurn,
        SocketClosed,
        SocketError,
        UnknownPeer,
    )
    from zwire.io.options import Options, Undeliverable
    from zwire.io.sockets import Dealer, Rep, Req, Router
    from zwire.io.speech import Speech, heard_from, towards_rep

__all__ = [
    "Dealer",
    "Malformed",
    "NoRoom",
    "NotSendable",
    "NothingReceived",
    "Options",
    "OutOfTurn",
    "Rep",
    "Req",
    "Router",
    "SocketClosed",
    "SocketError",
    "Speech",
    "Undeliverable",
    "UnknownPeer",
    "close_envelope",
    "dealer_to_rep",
    "heard_from",
    "open_envelope",
    "rep_to_dealer",
    "towards_rep",
]

_HOMES = {
    "envelopes": ("close_envelope", "dealer_to_rep", "open_envelope", "rep_to_dealer"),
    "options": ("Options", "Undeliverable"),
    "sockets": ("Dealer", "Rep", "Req", "Router"),
    "speech": ("Speech", "heard_from", "towards_rep"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:  # a type checker knows the names from above, and so sees a misspelt one

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'zwire.io' has no attribute {name!r}")
        value = globals()[name] = getattr(
            import_module(f"zwire.io.{_HOME.get(name, 'errors')}"), name
        )
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
