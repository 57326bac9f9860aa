"""Handlers: the user's functions, generators and coroutines, as one kind of thing to run."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zwire.dialects.headers import read_headers
from zwire.errors import LocalError

_log = logging.getLogger("zwire.worker")

Body: TypeAlias = bytes | str | Sequence[bytes | str] | None
Handler: TypeAlias = Callable[..., Body | Awaitable[Body] | Iterator[Body] | AsyncIterator[Body]]
OnError: TypeAlias = Callable[[BaseException], Body]
Say: TypeAlias = Callable[[tuple[bytes, ...]], None]
SayAsync: TypeAlias = Callable[[tuple[bytes, ...]], Awaitable[None]]


class Abandoned(Exception):
    """Nobody waits for the rest of a reply: its conversation is over."""


@dataclass(frozen=True, slots=True)
class Job:
    """A request in a handler's hands; a handler whose only parameter is called `job` gets it."""

    service: str
    body: tuple[bytes, ...]
    request_id: bytes = b""
    headers: bytes = b""

    @property
    def header_values(self) -> dict[str, str]:
        """eMQP's headers, read as `name:value,…`."""
        return read_headers(self.headers)


class Craft:
    """A handler, with what its dialect can carry and what to say when it raises."""

    def __init__(self, handler: Handler, on_error: OnError | None, one_frame: bool) -> None:
        self._handler = handler
        self._on_error = on_error
        self._one_frame = one_frame
        self._takes_job = _takes_job(handler)
        self.awaits = _awaits(handler)
        """Whether it belongs into an event loop rather than a thread."""

    def work(self, job: Job, say: Say) -> tuple[bytes, ...]:
        """Do the work in this thread: partial replies are said, the final one is returned.

        A generator's yields are partial replies, its return value the final one. What raises, and
        be it SystemExit, still gives one final reply: that of `on_error`, or one empty frame. Only
        Abandoned, raised by `say`, ends it without.
        """
        try:
            result = self._call(job)
            if isinstance(result, Awaitable | AsyncIterator):

                async def said(frames: tuple[bytes, ...]) -> None:
                    say(frames)

                # Each request has a loop of its own here; zwire.aio has one for all.
                return asyncio.run(self._awaited(result, said))
            if isinstance(result, Iterator):
                result = self._pulled(result, say)
            return self._frames(result)
        except Abandoned:
            raise
        except BaseException as error:
            return self._apology(error)

    async def work_async(self, job: Job, say: SayAsync) -> tuple[bytes, ...]:
        """The same in a loop. Cancelling the task that runs it ends it without a reply."""
        try:
            return await self._awaited(self._call(job), say)
        except Abandoned:
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return self._apology(error)
        except BaseException as error:
            return self._apology(error)

    def _call(self, job: Job) -> Any:
        return self._handler(job) if self._takes_job else self._handler(*job.body)

    def _pulled(self, pieces: Iterator[Body], say: Say) -> Any:
        try:
            while True:
                say(self._frames(next(pieces)))
        except StopIteration as end:
            return end.value
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()

    async def _awaited(self, result: Any, say: SayAsync) -> tuple[bytes, ...]:
        if isinstance(result, AsyncIterator):
            try:
                async for piece in result:
                    await say(self._frames(piece))
            finally:
                close = getattr(result, "aclose", None)
                if close is not None:
                    await close()
            return (b"",)
        return self._frames(await result)

    def _frames(self, body: Any) -> tuple[bytes, ...]:
        frames = frames_of(body)
        if self._one_frame and len(frames) != 1:
            raise LocalError(f"this dialect carries one frame to a reply, not {len(frames)}")
        return frames

    def _apology(self, error: BaseException) -> tuple[bytes, ...]:
        _log.error("the handler raised %r", error, exc_info=error)
        if self._on_error is None:
            return (b"",)
        try:
            return self._frames(self._on_error(error))
        except BaseException as another:
            _log.error("on_error raised %r", another, exc_info=another)
            return (b"",)


def frames_of(body: Any) -> tuple[bytes, ...]:
    """What a handler gave, as frames; nothing is one empty frame."""
    if body is None:
        return (b"",)
    if isinstance(body, str):
        return (body.encode(),)
    if isinstance(body, bytes | bytearray | memoryview):
        return (bytes(body),)
    if not isinstance(body, Sequence):
        raise LocalError(
            f"a handler gave {type(body).__name__}; expected bytes, text, a list of them, or None"
        )
    for part in body:
        if not isinstance(part, bytes | bytearray | memoryview | str):
            raise LocalError(f"a handler gave a frame of {type(part).__name__}, not bytes or text")
    frames = (part.encode() if isinstance(part, str) else bytes(part) for part in body)
    return tuple(frames) or (b"",)


def _takes_job(handler: Handler) -> bool:
    try:
        return list(inspect.signature(handler).parameters) == ["job"]
    except (TypeError, ValueError):
        return False


def _awaits(handler: Handler) -> bool:
    call = getattr(handler, "__call__", None)  # noqa: B004  an object may have an async __call__
    return any(
        inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one)
        for one in (handler, call)
    )
