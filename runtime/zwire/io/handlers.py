"""Handlers: the user's functions, generators and coroutines, as one kind of thing to run."""

from __future__ import annotations

import inspect
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Sequence,
)
from dataclasses import dataclass
from typing import Any, TypeAlias

from zwire.errors import LocalError

Body: TypeAlias = bytes | str | Sequence[bytes | str] | None
Handler: TypeAlias = Callable[..., Body | Awaitable[Body] | Iterator[Body] | AsyncIterator[Body]]
OnError: TypeAlias = Callable[[BaseException], Body]


@dataclass(frozen=True, slots=True)
class Job:
    """A request in a handler's hands; what a handler with one argument called `job` gets."""

    service: str
    body: tuple[bytes, ...]
    headers: bytes = b""


def frames_of(body: Body) -> tuple[bytes, ...]:
    """What a handler returned, as frames; nothing is one empty frame."""
    if body is None:
        return (b"",)
    if isinstance(body, str | bytes):
        return (body.encode() if isinstance(body, str) else body,)
    if isinstance(body, bytearray | memoryview):
        return (bytes(body),)
    if not isinstance(body, Iterable):
        raise LocalError(
            f"a handler returned {type(body).__name__}; expected bytes, text, a list of them, "
            "or None"
        )
    frames = [part.encode() if isinstance(part, str) else part for part in body]
    for part in frames:
        if not isinstance(part, bytes):
            raise LocalError(f"a handler returned a frame of {type(part).__name__}, not bytes")
    return tuple(frames) or (b"",)


def call(handler: Handler, job: Job) -> Any:
    """Call a handler: with the whole job where its only parameter is called so, else the frames."""
    if takes_job(handler):
        return handler(job)
    return handler(*job.body)


def takes_job(handler: Handler) -> bool:
    """Whether the handler wants the job itself rather than the frames of its body."""
    try:
        names = list(inspect.signature(handler).parameters)
    except (TypeError, ValueError):
        return False
    return names == ["job"]


def is_async(handler: Handler) -> bool:
    """Whether calling it gives something to await or to iterate over asynchronously."""
    return inspect.iscoroutinefunction(handler) or inspect.isasyncgenfunction(handler)


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of what a handler gives: partial, or the last."""

    frames: tuple[bytes, ...]
    final: bool


def run(handler: Handler, job: Job, on_error: OnError | None) -> Iterator[Part]:
    """Everything a synchronous handler gives, ending with exactly one final part.

    A generator's yields are partial replies and its return value the final one. A handler that
    raises gives one final part: that of `on_error`, or one empty frame.
    """
    try:
        result = call(handler, job)
        if isinstance(result, Generator):
            result = yield from _partials(result)
        final = frames_of(result)
    except Exception as error:
        final = apology(error, on_error)
    yield Part(final, True)


def _partials(generator: Generator[Body, None, Body]) -> Iterator[Any]:
    while True:
        try:
            piece = next(generator)
        except StopIteration as end:
            return end.value
        yield Part(frames_of(piece), False)


async def run_async(handler: Handler, job: Job, on_error: OnError | None) -> AsyncIterator[Part]:
    """The same for coroutines and asynchronous generators, whose final reply is an empty frame."""
    try:
        result = call(handler, job)
        if isinstance(result, AsyncGenerator):
            async for piece in result:
                yield Part(frames_of(piece), False)
            result = None
        elif inspect.isawaitable(result):
            result = await result
        final = frames_of(result)
    except Exception as error:
        final = apology(error, on_error)
    yield Part(final, True)


def apology(error: BaseException, on_error: OnError | None) -> tuple[bytes, ...]:
    """The final reply of a handler that raised."""
    if on_error is None:
        return (b"",)
    try:
        return frames_of(on_error(error))
    except Exception:
        return (b"",)
