"""What a client's request is made of, checked and ready to be submitted; and its reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

import zmq

from zwire.core.asking import Asking
from zwire.core.policy import AskingRules, Backoff
from zwire.dialects.asking import CLIENT_DIALECTS
from zwire.errors import LocalError
from zwire.io.asking_driver import AskingDriver
from zwire.io.direct_driver import DirectDriver
from zwire.io.endpoints import read_endpoint
from zwire.io.hosting import Raw
from zwire.io.identities import fresh_identity
from zwire.io.options import Options
from zwire.io.security import Context, CurveClient, CurveServer
from zwire.io.speech import FRAMES
from zwire.io.urls import read_url

_QUEUE = 20_000  # more than a client may have open


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
class Question:
    """A request as the engine wants it."""

    service: str
    request_id: bytes
    body: tuple[bytes, ...]
    timeout: float | None
    envelope: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a client asks; times are in seconds.

    `timeout` bounds a whole request; None waits for ever. A request about which nothing was heard is
    sent again after `retry` seconds, then after twice that, and so on up to `retry_longest`; None
    never asks again. `max_open` bounds the requests open at a time.
    """

    timeout: float | None = 30.0
    retry: float | None = 2.5
    retry_longest: float = 20.0
    max_retries: int | None = None
    max_open: int = 10_000
    interval: float = 1.0  # of heartbeats, where the client speaks to its workers itself
    liveness: float = 3.0

    def rules(self, pipelines: bool) -> AskingRules:
        """The same, as the engine reads it."""
        retry = None if self.retry is None else Backoff(self.retry, 2.0, self.retry_longest)
        return AskingRules(
            self.timeout,
            retry,
            self.max_retries,
            fresh_socket=not pipelines,
            max_open=self.max_open,
        )


def question(
    dialect: str,
    service: str,
    body: Sequence[bytes | str],
    timeout: float | None,
    request_id: bytes | None,
    headers: Mapping[str, str] | bytes | None,
) -> Question:
    """Check what a caller gave; raises LocalError for what the dialect cannot say."""
    if request_id is not None and dialect in ("mdp01", "mdp02"):
        raise LocalError(f"{dialect} has no request ids")
    if headers is not None and dialect != "emqp":
        raise LocalError(f"{dialect} has no headers; eMQP has")
    frames = tuple(frame.encode() if isinstance(frame, str) else bytes(frame) for frame in body)
    if timeout is not None and timeout < 0:
        raise LocalError(f"a time-out is not negative: {timeout}")
    chosen = uuid4().bytes if request_id is None else request_id
    # The top of an address stack may not look like an address made up by a ROUTER.
    if request_id is None and dialect == "ppp":
        chosen = b"\x01" + chosen
    return Question(
        service, chosen, frames or (b"",), timeout, () if headers is None else (_headers(headers),)
    )


def _headers(headers: Mapping[str, str] | bytes) -> bytes:
    if isinstance(headers, bytes):
        return headers
    for name, value in headers.items():
        if not name or any(mark in name + value for mark in ",\n") or ":" in name:
            raise LocalError(
                f"a header is name:value without commas, and without colons in the name: "
                f"{name!r}: {value!r}"
            )
    return ",".join(
        f"{name}:{value}" if value else name for name, value in headers.items()
    ).encode()


def broker_driver(
    url: str,
    dialect: str | None,
    settings: Settings,
    identity: bytes | None,
    curve: CurveClient | None,
    context: Context,
) -> tuple[str, AskingDriver]:
    """The dialect and the driver of a client that asks through a broker."""
    name, address = read_url(url, dialect)
    table = CLIENT_DIALECTS[name]

    def connect() -> Raw:
        # A client keeps its identity; where each request has a socket, each socket has its own.
        own = (identity or fresh_identity()) if table.pipelines else fresh_identity()
        options = Options(
            identity=own, send_queue=_QUEUE, curve=curve, reconnect_max=2.0, linger=1.0
        )
        link = Raw(zmq.DEALER, FRAMES, options, context)
        link.connect(address)
        return link

    return name, AskingDriver(Asking(settings.rules(table.pipelines)), table, connect)


def direct_driver(
    endpoint: str, settings: Settings, curve: CurveServer | None, insecure: bool, context: Context
) -> tuple[str, DirectDriver]:
    """The address and the driver of a client that asks its PPP workers itself."""
    where = read_endpoint(endpoint)
    link = Raw(zmq.ROUTER, FRAMES, Options(curve=curve, insecure=insecure), context)
    try:
        if where.connects:
            link.connect(where.address)
            address = where.address
        else:
            address = link.bind(where.address)
    except BaseException:
        link.close()
        raise
    asking = Asking(AskingRules(settings.timeout, None, max_open=settings.max_open))
    return address, DirectDriver(asking, link, settings.interval, settings.liveness)
