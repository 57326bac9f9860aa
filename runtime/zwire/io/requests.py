"""What a client's request is made of, checked and ready to be submitted; and its reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias
from uuid import uuid4

from zwire.core.asking import Ask
from zwire.core.policy import AskingRules, Backoff
from zwire.dialects.asking import ClientDialect
from zwire.dialects.headers import write_headers
from zwire.errors import LocalError, NoAnswer, ZwireError
from zwire.io.telling import name_of

Headers: TypeAlias = Mapping[str, str] | bytes | None


@dataclass(frozen=True, slots=True)
class Piece:
    """A partial reply, or (`final`) the last one."""

    body: tuple[bytes, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a request: the final body, and the partial ones that came before it."""

    service: str
    request_id: bytes
    body: tuple[bytes, ...]
    partials: tuple[tuple[bytes, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """How a client asks; times are in seconds.

    `timeout` bounds a whole request; None waits for ever. A request about which nothing was heard
    is sent again after `retry` seconds, then after twice that, and so on up to `retry_longest`, at
    most `max_retries` times. Without a `retry` of your own it is 2.5 seconds in dialects whose
    broker knows a repeated request for what it is (MDPX, eMQP), and 10 in the others, where a
    request that was only slow may then run twice; 0 never asks again.
    """

    timeout: float | None = 30.0
    retry: float | None = None
    retry_longest: float = 20.0
    max_retries: int | None = None
    max_open: int = 10_000  # requests open at a time
    interval: float = 1.0  # of heartbeats, where the client speaks to its workers itself
    liveness: float = 3.0

    def __post_init__(self) -> None:
        least = {"timeout": 0, "retry": 0, "retry_longest": 0, "max_retries": 0, "max_open": 1}
        mistakes = [
            f"{name} is at least {bound}, not {value}"
            for name, bound in least.items()
            # Asked so that it also holds for NaN, which is below nothing and at least nothing.
            if (value := getattr(self, name)) is not None and not value >= bound
        ]
        if not self.interval > 0 or not self.liveness >= 1:
            mistakes.append("interval is more than 0 and liveness at least 1")
        if mistakes:
            raise LocalError("; ".join(mistakes))

    def rules(self, dialect: ClientDialect) -> AskingRules:
        """The same, as the engine reads it."""
        first = self.retry
        if first is None:
            first = 2.5 if dialect.knows_repeats else 10.0
        return AskingRules(
            self.timeout,
            Backoff(first, 2.0, max(first, self.retry_longest)) if first else None,
            self.max_retries,
            fresh_socket=not dialect.pipelines,
            max_open=self.max_open,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A request as the engine wants it."""

    service: str
    request_id: bytes
    body: tuple[bytes, ...]
    timeout: float | None
    envelope: tuple[bytes, ...]


def question(
    dialect: ClientDialect,
    service: str,
    body: Sequence[bytes | str],
    timeout: float | None,
    request_id: bytes | None,
    headers: Headers,
) -> Question:
    """Check what a caller gave; raises LocalError for what the dialect cannot say."""
    if not isinstance(service, str):
        raise LocalError(f"a service's name is text, not {type(service).__name__}: {service!r}")
    if request_id is not None:
        if not dialect.pipelines:
            raise LocalError("this dialect has no request ids; MDPX, eMQP and PPP have")
        if not isinstance(request_id, bytes):
            raise LocalError(f"a request id is bytes, not {type(request_id).__name__}")
        if not request_id:
            raise LocalError("a request id is not empty")
    if headers is not None and not dialect.has_headers:
        raise LocalError("this dialect has no headers; eMQP has")
    if timeout is not None and not timeout >= 0:
        raise LocalError(f"a time-out is at least 0, not {timeout}")
    frames = tuple(_frame(part) for part in body) or (b"",)
    dialect.check(service, frames)
    envelope: tuple[bytes, ...] = ()
    if headers is not None:
        envelope = (headers if isinstance(headers, bytes) else write_headers(headers),)
    return Question(service, request_id or uuid4().bytes, frames, timeout, envelope)


def _frame(part: bytes | str) -> bytes:
    if isinstance(part, str):
        return part.encode()
    if isinstance(part, bytes | bytearray | memoryview):
        return bytes(part)
    raise LocalError(f"a frame is bytes or text, not {type(part).__name__}")


class Sink(Protocol):
    """Who asked: gets the pieces of the reply, or the reason why there is none."""

    def deliver(self, body: Sequence[bytes], final: bool) -> None:
        """Take a piece of the reply."""

    def fail(self, error: ZwireError) -> None:
        """Learn that no reply will come."""


class WholeReply:
    """A sink that gathers the pieces and hands over the whole reply."""

    def __init__(
        self,
        asked: Question,
        finish: Callable[[Reply], None],
        refuse: Callable[[ZwireError], None],
    ) -> None:
        self._asked = asked
        self._finish = finish
        self._refuse = refuse
        self._partials: list[tuple[bytes, ...]] = []

    def deliver(self, body: Sequence[bytes], final: bool) -> None:
        if not final:
            self._partials.append(tuple(body))
            return
        asked = self._asked
        self._finish(Reply(asked.service, asked.request_id, tuple(body), tuple(self._partials)))

    def fail(self, error: ZwireError) -> None:
        self._refuse(error)


class Pieces:
    """A sink that hands the pieces on as they come."""

    def __init__(self, put: Callable[[Piece | ZwireError], object]) -> None:
        self._put = put

    def deliver(self, body: Sequence[bytes], final: bool) -> None:
        self._put(Piece(tuple(body), final))

    def fail(self, error: ZwireError) -> None:
        self._put(error)


def no_answer(ask: Ask, waited: float, where: str) -> NoAnswer:
    """What a caller is told when the time is over: what was asked, and what to look at."""
    service = ask.service.decode("utf-8", "replace")
    tried = f", asked {ask.retries + 1} times" if ask.retries else ""
    some = ", though a part of it came" if ask.streamed else ""
    return NoAnswer(
        f"no answer from the service {service!r} within {waited:.3g} s{tried}{some} (request id "
        f"{name_of(ask.request_id)}); {where}, or give it a longer timeout"
    )


def broken_off(ask: Ask) -> NoAnswer:
    """What a caller is told when the connection broke after a part of the reply had come."""
    service = ask.service.decode("utf-8", "replace")
    return NoAnswer(
        f"the reply of the service {service!r} broke off: the connection to the broker was lost in the "
        f"middle of it (request id {name_of(ask.request_id)}); ask again if it may run twice"
    )
