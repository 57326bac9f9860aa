"""The worker in asyncio: `python echo_worker_aio.py emqp://127.0.0.1:5570 mails notes`."""

import asyncio
import signal
import sys

from zwire import Job
from zwire.aio import Worker, WorkerSettings


async def main(url: str, *services: str) -> None:
    worker = Worker(url, *services, settings=WorkerSettings(slots=10))

    @worker.handler
    async def echo(job: Job) -> bytes:
        await asyncio.sleep(0.01)  # ten of these go on side by side
        return job.body[0]

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, worker.stop)
    await worker.run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
