"""The client, the worker and the node for asyncio: `from zwire.aio import Client, Node, Worker`."""

from zwire.io.client_aio import Client, Stream
from zwire.io.requests import ClientSettings, Piece, Reply
from zwire.io.worker_aio import Worker
from zwire.io.worker_settings import WorkerEvent, WorkerSettings
from zwire.io.zre_node_aio import Node
from zwire.io.zre_settings import NodeSettings

__all__ = [
    "Client",
    "ClientSettings",
    "Node",
    "NodeSettings",
    "Piece",
    "Reply",
    "Stream",
    "Worker",
    "WorkerEvent",
    "WorkerSettings",
]
