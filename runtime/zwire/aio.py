"""The client and the worker for asyncio: `from zwire.aio import Client, Worker`."""

from zwire.io.client_aio import Client, Stream
from zwire.io.requests import ClientSettings, Piece, Reply
from zwire.io.worker_aio import Worker
from zwire.io.worker_settings import WorkerEvent, WorkerSettings

__all__ = [
    "Client",
    "ClientSettings",
    "Piece",
    "Reply",
    "Stream",
    "Worker",
    "WorkerEvent",
    "WorkerSettings",
]
