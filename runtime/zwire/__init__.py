"""zwire: protocol stacks for ZeroMQ, generated from their specifications.

The public names are loaded when they are first used: `import zwire` alone needs no pyzmq.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from zwire.errors import Closed, LocalError, NoAnswer, RemoteError, ZwireError

if TYPE_CHECKING:
    from zwire.dialects.headers import read_headers
    from zwire.io.broker import Broker
    from zwire.io.client import Client, Stream
    from zwire.io.config import BrokerConfig, Listener
    from zwire.io.handlers import Job
    from zwire.io.requests import ClientSettings, Piece, Reply
    from zwire.io.security import CurveClient, CurveServer
    from zwire.io.worker import Worker
    from zwire.io.worker_settings import WorkerEvent, WorkerSettings

__version__ = "0.1.0"

__all__ = [
    "Broker",
    "BrokerConfig",
    "Client",
    "ClientSettings",
    "Closed",
    "CurveClient",
    "CurveServer",
    "Job",
    "Listener",
    "LocalError",
    "NoAnswer",
    "Piece",
    "RemoteError",
    "Reply",
    "Stream",
    "Worker",
    "WorkerEvent",
    "WorkerSettings",
    "ZwireError",
    "read_headers",
]

_HOMES = {
    "Broker": "zwire.io.broker",
    "BrokerConfig": "zwire.io.config",
    "Client": "zwire.io.client",
    "ClientSettings": "zwire.io.requests",
    "CurveClient": "zwire.io.security",
    "CurveServer": "zwire.io.security",
    "Job": "zwire.io.handlers",
    "Listener": "zwire.io.config",
    "Piece": "zwire.io.requests",
    "Reply": "zwire.io.requests",
    "Stream": "zwire.io.client",
    "Worker": "zwire.io.worker",
    "WorkerEvent": "zwire.io.worker_settings",
    "WorkerSettings": "zwire.io.worker_settings",
    "read_headers": "zwire.dialects.headers",
}


if not TYPE_CHECKING:  # a type checker knows the names from above, and so sees a misspelt one

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'zwire' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(home), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
