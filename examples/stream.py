"""Partial replies, worker and client in one program: `python stream.py FRONT_URL BACK_URL`."""

import sys
from collections.abc import Iterator

from zwire import Client, Worker


def main(front: str, back: str) -> None:
    worker = Worker(back, "countdown")

    @worker.handler
    def countdown(start: bytes) -> Iterator[str]:
        for number in range(int(start), 0, -1):
            yield str(number)

    with worker, Client(front) as client:
        for piece in client.stream("countdown", "3"):
            print("lift-off" if piece.final else piece.body[0].decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
