"""The client's side of each dialect: requests become frames, frames become replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zwire.core.asking import Ask
from zwire.dialects import majordomo_words as words
from zwire.dialects.majordomo import ClientWords
from zwire.dialects.speech import Spoken
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

    @property
    def pipelines(self) -> bool:
        """Whether one socket may carry many open requests: ids go with them and come back."""

    @property
    def knows_repeats(self) -> bool:
        """Whether a broker can tell a request that is sent again from a new one."""

    @property
    def has_headers(self) -> bool:
        """Whether headers travel beside the body."""

    @property
    def heard(self) -> Spoken:
        """What the broker says."""

    @property
    def said(self) -> Spoken:
        """What the client says."""

    def check(self, service: str, body: Sequence[bytes]) -> None:
        """Raises LocalError for a request that the dialect cannot say."""

    def request(self, ask: Ask) -> Frames:
        """A request that was checked, as it goes out."""

    def hear(self, frames: Frames) -> Heard:
        """The reply in these frames; raises RemoteError for what is none."""


class Majordomo:
    """MDPX, MDP 0.1 and MDP 0.2."""

    has_headers = False

    def __init__(self, table: ClientWords) -> None:
        self.pipelines = self.knows_repeats = table.has_ids
        self.heard, self.said = Spoken(table.part, "broker"), Spoken(table.part, "client")
        self._request = list(table.request)
        self._final = list(table.final)
        self._partial = list(table.partial)
        self._service = len(table.final)  # where the name of the service stands
        self._body = self._service + (2 if table.has_ids else 1)

    def check(self, service: str, body: Sequence[bytes]) -> None:
        check_service(service)
        _check_body(body)

    def request(self, ask: Ask) -> Frames:
        ids = [ask.request_id] if self.pipelines else []
        return [*self._request, ask.service, *ids, *ask.body]

    def hear(self, frames: Frames) -> Heard:
        at = self._service
        head = frames[:at]
        final = head == self._final
        if len(frames) > self._body and (final or head == self._partial) and frames[at]:
            request_id = frames[at + 1] if self.pipelines else None
            if request_id != b"":
                return Heard(request_id, frames[self._body :], final)
        raise RemoteError(f"no reply: {[frame.hex() for frame in frames[:6]]}")


class Emqp:
    """eMQP: exactly one frame to a body, headers beside it."""

    pipelines = True
    knows_repeats = True
    has_headers = True
    heard, said = Spoken("emqp.client", "broker"), Spoken("emqp.client", "client")

    def check(self, service: str, body: Sequence[bytes]) -> None:
        check_service(service)
        if len(body) != 1:
            raise LocalError(f"eMQP carries exactly one frame of body, not {len(body)}")

    def request(self, ask: Ask) -> Frames:
        headers = ask.envelope[0] if ask.envelope else b""
        queue = ask.service.decode()
        return emqp.encode(emqp.Request(ask.request_id, queue, headers, ask.body[0]))

    def hear(self, frames: Frames) -> Heard:
        try:
            message = emqp.decode(frames)
        except ProtocolError as error:
            raise RemoteError(str(error)) from error
        if not isinstance(message, emqp.Reply):
            raise RemoteError("a REQUEST came where replies are awaited")
        return Heard(message.msgid, (message.msg,), True)


class Ppp:
    """A client of a PPP queue speaks 28/REQREP, with the request's id as its address stack.

    No service is named on the wire: the queue has one.
    """

    pipelines = True
    knows_repeats = False
    has_headers = False
    heard, said = Spoken("reqrep.rep", "rep"), Spoken("reqrep.rep", "dealer")

    def check(self, service: str, body: Sequence[bytes]) -> None:
        _check_body(body)

    def request(self, ask: Ask) -> Frames:
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


def check_service(name: str) -> None:
    """Raises LocalError for what no dialect takes as the name of a service."""
    if not name or not name.isprintable():
        raise LocalError(f"a service's name is printable text, not {name!r}")


def _check_body(body: Sequence[bytes]) -> None:
    if not body:
        raise LocalError("a request needs at least one frame of body; b'' will do")
