"""Partial replies in asyncio, worker and client in one loop: `python stream_aio.py FRONT BACK`."""

import asyncio
import sys
from collections.abc import AsyncIterator

from zwire.aio import Client, Worker


async def main(front: str, back: str) -> None:
    worker = Worker(back, "letters")

    @worker.handler
    async def letters(word: bytes) -> AsyncIterator[str]:
        for letter in word.decode():
            yield letter

    async with worker, Client(front) as client:
        async for piece in client.stream("letters", "abc"):
            if not piece.final:
                print(piece.body[0].decode())


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
