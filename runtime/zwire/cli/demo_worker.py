"""The worker that `zwire demo` kills: it tells that it holds a request, and never answers."""

from __future__ import annotations

import json
import sys
import threading

from zwire.io.handlers import Job
from zwire.io.worker import Worker
from zwire.io.worker_settings import WorkerSettings


def hold(url: str, service: str, interval: float) -> None:
    """Serve until killed; every request that it takes is told and then held for ever."""
    worker = Worker(url, service, settings=WorkerSettings(interval=interval))

    @worker.handler
    def never(job: Job) -> None:
        body = b" ".join(job.body).decode()
        sys.stdout.write(json.dumps({"event": "holding", "body": body}) + "\n")
        sys.stdout.flush()
        threading.Event().wait()

    worker.run()


if __name__ == "__main__":
    hold(sys.argv[1], sys.argv[2], float(sys.argv[3]))
