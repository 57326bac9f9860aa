"""CURVE keys for tests: a server's, a guest's that it admits, and a stranger's that it does not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zwire.io.config import Curve
from zwire.io.keys import new_key_pair, write_keys
from zwire.io.security import CurveClient


@dataclass(frozen=True, slots=True)
class Keys:
    """What each of them holds."""

    broker: Curve
    guest: CurveClient
    stranger: CurveClient


def make_keys(folder: Path) -> Keys:
    """New keys, in files where a broker wants them there."""
    server, guest = new_key_pair(), new_key_pair()
    secret = write_keys(folder, "broker", server).secret
    authorised = folder / "authorised"
    authorised.mkdir()
    write_keys(folder / "guest", "guest", guest).public.rename(authorised / "guest.key")
    return Keys(
        Curve(secret, authorised),
        CurveClient(guest, server.public),
        CurveClient(new_key_pair(), server.public),
    )
