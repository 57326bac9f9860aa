"""Messages and dialogs of 10 protocols, made from their specifications.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

PROTOCOLS: dict[str, tuple[str, ...]] = {
    "emqp": ("client", "worker"),
    "mdp01": ("client", "worker"),
    "mdp02": ("client", "worker"),
    "mdpx": ("client", "worker"),
    "ppp": ("messages",),
    "reqrep": ("req", "rep"),
    "zgossip": ("messages",),
    "zre": ("messages", "beacon"),
    "zre36": ("messages", "beacon", "beacon3"),
    "zrelog": ("messages",),
}
"""The parts (modules) of each protocol (package)."""
