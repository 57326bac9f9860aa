"""The family of errors that zwire raises, told apart by whose fault it is."""

from __future__ import annotations


class ZwireError(Exception):
    """The root: catch it to catch whatever zwire raises on purpose."""


class LocalError(ZwireError):
    """Our own caller asked for something that the protocol or the options do not allow."""


class RemoteError(ZwireError):
    """A peer sent something that the protocol does not allow, or refused what was asked."""


class NoAnswer(ZwireError, TimeoutError):
    """Nobody answered in time: neither side did anything illegal."""


class Closed(LocalError):
    """The client, worker, broker or socket was used after it had been closed."""
