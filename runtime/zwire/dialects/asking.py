"""The client's side of each dialect: requests become frames, frames become replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zwire.core.asking import Ask
from zwire.dialects import majordomo_words as words
from zwire.dialects.majordomo import ClientWords
from zwire.errors import LocalError, RemoteError
from zwire_protocols.emqp import client as emqp
from zwire_protocols.errors import ProtocolError

Frames = list[bytes]


@dataclass(frozen=True, slots=True)
class Heard:
    """A reply: to which request (None: to the only one that can be meant), and what it says."""

    request_id: bytes | None
    body: Sequence[bytes]
    final: bool


class ClientDialect(Protocol):
    """What a client needs to know of its dialect."""

    pipelines: bool
    """Whether one socket may carry many open requests."""

    def request(self, ask: Ask) -> Frames:
        """The request as it goes out; raises LocalError for what the dialect cannot say."""

    def hear(self, frames: Frames) -> Heard:
        """The reply in these frames; raises RemoteError for what is none."""


class Majordomo:
    """MDPX, MDP 0.1 and MDP 0.2."""

    def __init__(self, table: ClientWords) -> None:
        self.pipelines = table.has_ids
        self._words = table
        self._final = list(table.final)
        self._partial = list(table.partial)

    def request(self, ask: Ask) -> Frames:
        _check_service(ask)
        if not ask.body:
            raise LocalError("a request needs at least one frame of body; b'' will do")
        ids = [ask.request_id] if self._words.has_ids else []
        return [*self._words.request, ask.service, *ids, *ask.body]

    def hear(self, frames: Frames) -> Heard:
        at = len(self._final)
        body = at + 1 + self._words.has_ids
        head = frames[:at]
        if len(frames) > body and (head == self._final or head == self._partial):
            request_id = frames[at + 1] if self._words.has_ids else None
            return Heard(request_id, frames[body:], head == self._final)
        raise RemoteError(f"no reply: {[frame.hex() for frame in frames[:6]]}")


class Emqp:
    """eMQP: one frame to a body, headers beside it."""

    pipelines = True

    def request(self, ask: Ask) -> Frames:
        if len(ask.body) != 1:
            raise LocalError(f"eMQP carries exactly one frame of body, not {len(ask.body)}")
        headers = ask.envelope[0] if ask.envelope else b""
        try:
            return emqp.encode(
                emqp.Request(ask.request_id, _check_service(ask), headers, ask.body[0])
            )
        except ProtocolError as error:
            raise LocalError(str(error)) from error

    def hear(self, frames: Frames) -> Heard:
        try:
            message = emqp.decode(frames)
        except ProtocolError as error:
            raise RemoteError(str(error)) from error
        if not isinstance(message, emqp.Reply):
            raise RemoteError("a REQUEST came where replies are awaited")
        return Heard(message.msgid, (message.msg,), True)


class Ppp:
    """A client of a PPP queue speaks 28/REQREP, with the request's id as its address stack."""

    pipelines = True

    def request(self, ask: Ask) -> Frames:
        if not ask.body:
            raise LocalError("a request needs at least one frame of body; b'' will do")
        return [ask.request_id, b"", *ask.body]

    def hear(self, frames: Frames) -> Heard:
        if len(frames) < 3 or not frames[0] or frames[1]:
            raise RemoteError(
                f"no reply: expected an id, an empty frame and data, got {len(frames)} frames"
            )
        return Heard(frames[0], frames[2:], True)


CLIENT_DIALECTS: dict[str, ClientDialect] = {
    "mdpx": Majordomo(words.MDPX_CLIENT),
    "mdp01": Majordomo(words.MDP01_CLIENT),
    "mdp02": Majordomo(words.MDP02_CLIENT),
    "emqp": Emqp(),
    "ppp": Ppp(),
}


def _check_service(ask: Ask) -> str:
    """The service's name as text; it is UTF-8 without control characters in every dialect."""
    try:
        name = ask.service.decode("utf-8")
    except UnicodeDecodeError:
        name = ""
    if not name or not name.isprintable():
        raise LocalError(f"a service's name is printable text, not {ask.service!r}")
    return name
