"""The worker for asyncio: coroutine handlers run as tasks, plain functions in threads."""

from __future__ import annotations

import asyncio
import logging
import time
from types import TracebackType
from typing import Self

from zwire.core.serving import Task
from zwire.errors import Closed, LocalError
from zwire.io.handlers import Abandoned
from zwire.io.hosting import Call
from zwire.io.hosting_aio import LoopHost
from zwire.io.worker_base import WINDOW, WorkerBase

_log = logging.getLogger("zwire.worker")
_CANCEL_FOR = 5.0  # seconds that cancelled handlers have to clean up


class Worker(WorkerBase):
    """Serves requests: `Worker("mdpx://127.0.0.1:5556", "echo")`, then `await worker.run()`.

    Handlers are those of the worker with threads. Coroutines and asynchronous generators run as
    tasks of the loop, `slots` side by side; plain functions and generators run in threads, so that
    heartbeats go on however long they block. A coroutine that blocks the loop holds up heartbeats.
    """

    _host: LoopHost | None = None

    def _set_up(self) -> None:
        self._stopping = asyncio.Event()
        self._hurry = asyncio.Event()  # set: do not wait for what is open

    async def start(self) -> Self:
        """Connect, register, and serve in the loop that is running."""
        if self._host is not None:
            raise LocalError("the worker runs already")
        self._prepare()
        self._free = asyncio.Semaphore(self.settings.slots)
        self._tasks: set[asyncio.Task[None]] = set()
        self._host = LoopHost(self._driver, self._context)
        self._host.post(lambda: self._driver.start(time.monotonic()))
        return self

    async def run(self, *, drain: float = 10.0) -> None:
        """Serve until `stop()` is called or the task is cancelled.

        After `stop()` what is open gets `drain` seconds to finish.
        """
        if self._host is None:
            await self.start()
        try:
            await self._stopping.wait()
            await self._finish(drain)
        finally:
            await self.close()

    def stop(self, *, at_once: bool = False) -> None:
        """Have `run()` end: after what is open, or (also while it waits for that) at once.

        To be called in the loop: `loop.add_signal_handler(signal.SIGTERM, worker.stop)`.
        """
        self._stopping.set()
        if at_once:
            self._hurry.set()

    async def close(self, *, drain: float = 0.0) -> None:
        """Leave the broker and let go of the socket; with `drain`, finish what is open first."""
        if self._closed:
            return
        self._closed = True
        if self._host is None:
            self._context.term()
            return
        if drain > 0:
            await self._finish(drain)
        self._driver.leave(time.monotonic())
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            _, stubborn = await asyncio.wait(self._tasks, timeout=_CANCEL_FOR)
            if stubborn:
                _log.warning("%d handlers ignore that they were cancelled", len(stubborn))
        await self._host.close()
        if self._crew is not None:
            self._crew.dismiss()

    async def _finish(self, seconds: float) -> None:
        """Wait until nothing is open, but not for longer than this."""
        assert self._host is not None
        if self._hurry.is_set():
            return
        self._host.post(lambda: self._driver.drain(time.monotonic()))
        try:
            await asyncio.wait_for(self._hurry.wait(), seconds)
        except TimeoutError:
            return

    def _over(self) -> None:
        self._stopping.set()
        self._hurry.set()

    def _post(self, call: Call) -> None:
        assert self._host is not None
        self._host.post_from_thread(call)

    # ---------------------------------------------------------------- working

    def _perform(self, task: Task) -> None:
        if not self._craft_for(self._job(task).service).awaits:
            super()._perform(task)
            return
        running = asyncio.get_running_loop().create_task(self._attend(task))
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)

    async def _attend(self, task: Task) -> None:
        """Run a coroutine handler, if somebody still waits for it when its turn comes."""
        assert self._host is not None
        host, window = self._host, asyncio.Semaphore(WINDOW)

        async def hand_over(frames: tuple[bytes, ...], final: bool) -> None:
            await window.acquire()
            if not self._driver.holds(task):
                raise Abandoned
            try:
                host.post(
                    lambda: self._driver.answer(
                        task, frames, final, time.monotonic(), window.release
                    )
                )
            except Closed:
                raise Abandoned from None

        async with self._free:
            if not self._driver.holds(task):
                return
            job = self._job(task)
            try:
                final = await self._craft_for(job.service).work_async(
                    job, lambda piece: hand_over(piece, False)
                )
                await hand_over(final, True)
            except Abandoned:
                _log.info("a reply was dropped: its conversation is over")

    async def __aenter__(self) -> Self:
        return await self.start() if self._host is None else self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
