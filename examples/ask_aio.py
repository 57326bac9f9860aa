"""The client in asyncio: `python ask_aio.py mdpx://127.0.0.1:5555 echo one two`."""

import asyncio
import sys

from zwire.aio import Client


async def main(url: str, service: str, *words: str) -> None:
    async with Client(url) as client:
        replies = await asyncio.gather(*(client.request(service, word) for word in words))
        for reply in replies:
            print(b" ".join(reply.body).decode())


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
