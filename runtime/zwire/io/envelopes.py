"""Envelopes of 28/REQREP: the addresses and the empty delimiter in front of the data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zwire.io.errors import Malformed, NotSendable

DELIMITER = b""


class Opened(NamedTuple):
    """A message taken out of its envelope."""

    addresses: tuple[bytes, ...]
    data: list[bytes]


def open_envelope(frames: Sequence[bytes]) -> Opened:
    """The addresses and the data frames of a message that has an envelope.

    The envelope ends at the first empty frame; empty frames after it are data.
    """
    try:
        end = frames.index(DELIMITER)
    except ValueError:
        raise Malformed(
            "a message without a delimiter",
            where="envelope",
            expected="an empty frame between addresses and data",
            got=f"{len(frames)} frames, none of them empty",
            frames=tuple(frames),
        ) from None
    if end + 1 == len(frames):
        raise Malformed(
            "an envelope with nothing in it",
            where="envelope",
            expected="at least one data frame after the delimiter",
            got="none",
            frames=tuple(frames),
        )
    return Opened(tuple(frames[:end]), list(frames[end + 1 :]))


def close_envelope(addresses: Sequence[bytes], data: Sequence[bytes]) -> list[bytes]:
    """The data frames in an envelope: addresses, delimiter, data."""
    if not data:
        raise NotSendable(
            "an envelope with nothing in it",
            where="envelope",
            expected="at least one data frame",
            got="none",
            remedy="send an empty frame where there is nothing to say",
        )
    if DELIMITER in addresses:
        raise NotSendable(
            "an empty address",
            where="envelope",
            expected="addresses of at least one octet",
            remedy="an empty frame would end the envelope: leave it out",
        )
    return [*addresses, DELIMITER, *data]


def dealer_to_rep(data: Sequence[bytes]) -> list[bytes]:
    """What a DEALER sends so that a REP delivers these data frames: it adds no delimiter itself."""
    return close_envelope((), data)


def rep_to_dealer(frames: Sequence[bytes]) -> list[bytes]:
    """The data frames of what a REP answered to a DEALER."""
    return open_envelope(frames).data
