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
    from zwire.io.zre_collector import LogCollector
    from zwire.io.zre_node import Node
    from zwire.io.zre_settings import NodeSettings
    from zwire.zre.events import (
        Entered,
        Evasive,
        JoinedGroup,
        LeaderElected,
        Left,
        LeftGroup,
        NodeEvent,
        Shouted,
        Silent,
        Warning,
        Whispered,
        Why,
    )
    from zwire.zre.node import Busy
    from zwire.zre.options import Dialect, FullQueue
    from zwire.zre.options import Options as NodeOptions
    from zwire.zre.peer import KnownPeer

__version__ = "0.1.0"

__all__ = [
    "Broker",
    "BrokerConfig",
    "Busy",
    "Client",
    "ClientSettings",
    "Closed",
    "CurveClient",
    "CurveServer",
    "Dialect",
    "Entered",
    "Evasive",
    "FullQueue",
    "Job",
    "JoinedGroup",
    "KnownPeer",
    "LeaderElected",
    "Left",
    "LeftGroup",
    "Listener",
    "LocalError",
    "LogCollector",
    "NoAnswer",
    "Node",
    "NodeEvent",
    "NodeOptions",
    "NodeSettings",
    "Piece",
    "RemoteError",
    "Reply",
    "Shouted",
    "Silent",
    "Stream",
    "Warning",
    "Whispered",
    "Why",
    "Worker",
    "WorkerEvent",
    "WorkerSettings",
    "ZwireError",
    "read_headers",
]

_HOMES = {
    "Broker": "zwire.io.broker",
    "BrokerConfig": "zwire.io.config",
    "Busy": "zwire.zre.node",
    "Client": "zwire.io.client",
    "ClientSettings": "zwire.io.requests",
    "CurveClient": "zwire.io.security",
    "CurveServer": "zwire.io.security",
    "Dialect": "zwire.zre.options",
    "Entered": "zwire.zre.events",
    "Evasive": "zwire.zre.events",
    "FullQueue": "zwire.zre.options",
    "Job": "zwire.io.handlers",
    "JoinedGroup": "zwire.zre.events",
    "KnownPeer": "zwire.zre.peer",
    "LeaderElected": "zwire.zre.events",
    "Left": "zwire.zre.events",
    "LeftGroup": "zwire.zre.events",
    "Listener": "zwire.io.config",
    "LogCollector": "zwire.io.zre_collector",
    "Node": "zwire.io.zre_node",
    "NodeEvent": "zwire.zre.events",
    "NodeOptions": "zwire.zre.options",
    "NodeSettings": "zwire.io.zre_settings",
    "Piece": "zwire.io.requests",
    "Reply": "zwire.io.requests",
    "Shouted": "zwire.zre.events",
    "Silent": "zwire.zre.events",
    "Stream": "zwire.io.client",
    "Warning": "zwire.zre.events",
    "Whispered": "zwire.zre.events",
    "Why": "zwire.zre.events",
    "Worker": "zwire.io.worker",
    "WorkerEvent": "zwire.io.worker_settings",
    "WorkerSettings": "zwire.io.worker_settings",
    "read_headers": "zwire.dialects.headers",
}
_NAMED = {"NodeOptions": "Options"}  # what is called otherwise in its own module


if not TYPE_CHECKING:  # a type checker knows the names from above, and so sees a misspelt one

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'zwire' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(home), _NAMED.get(name, name))
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
