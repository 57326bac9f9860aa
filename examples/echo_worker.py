"""A worker: `python echo_worker.py mdpx://127.0.0.1:5556 echo`; stops cleanly on Ctrl-C."""

import signal
import sys

from zwire import Worker


def main(url: str, service: str) -> None:
    worker = Worker(url, service, on_error=lambda error: f"sorry: {error}")

    @worker.handler
    def echo(*body: bytes) -> list[bytes]:
        if body == (b"fail",):
            raise ValueError("you asked for it")
        return list(body)

    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    signal.signal(signal.SIGINT, lambda *_: worker.stop())
    worker.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
