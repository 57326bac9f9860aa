"""The peers of every dialect for the theatre, each with its words written out as octets."""

from __future__ import annotations

from typing import Any

from support.theatre import Asker, Server


class MdpxAsker(Asker):
    ear, partials = "mdpx front", True

    def ask(self, body: bytes, request_id: bytes = b"id") -> None:
        self.say(b"MDXC01", b"\x01", b"echo", request_id, body)

    def answer(self) -> tuple[list[bytes], bool]:
        frames = self.next()
        assert frames is not None
        assert frames[0] == b"MDXC01"
        assert frames[1] in (b"\x02", b"\x03")
        assert frames[2] == b"echo"
        return frames[4:], frames[1] == b"\x03"


class MdpxServer(Server):
    ear, partials = "mdpx back", True

    def ready(self) -> None:
        self.say(b"MDXW01", b"\x01", b"echo")

    def task(self) -> tuple[object, list[bytes]]:
        frames = self.next()
        assert frames is not None
        assert frames[:2] == [b"MDXW01", b"\x02"]
        assert frames[3] == b""
        return (frames[2], frames[4]), frames[5:]

    def reply(self, tag: Any, *body: bytes, final: bool = True) -> None:
        self.say(b"MDXW01", b"\x04" if final else b"\x03", tag[0], b"", tag[1], *body)

    def beat(self) -> None:
        self.say(b"MDXW01", b"PING")

    def is_goodbye(self, frames: list[bytes] | None) -> bool:
        return frames == [b"MDXW01", b"\x06"]

    def leave(self) -> None:
        self.say(b"MDXW01", b"\x06")


class Mdp01Asker(Asker):
    ear, ids = "mdp front", False

    def ask(self, body: bytes, request_id: bytes = b"") -> None:
        self.say(b"", b"MDPC01", b"echo", body)

    def answer(self) -> tuple[list[bytes], bool]:
        frames = self.next()
        assert frames is not None
        assert frames[:3] == [b"", b"MDPC01", b"echo"]
        return frames[3:], True


class Mdp01Server(Server):
    ear = "mdp back"
    head: tuple[bytes, ...] = (b"", b"MDPW01")
    words = {"reply": b"\x03", "beat": b"\x04", "leave": b"\x05", "partial": b""}

    def ready(self) -> None:
        self.say(*self.head, b"\x01", b"echo")

    def task(self) -> tuple[object, list[bytes]]:
        frames = self.next()
        at = len(self.head)
        assert frames is not None
        assert frames[: at + 1] == [*self.head, b"\x02"]
        assert frames[at + 2] == b""
        return frames[at + 1], frames[at + 3 :]

    def reply(self, tag: Any, *body: bytes, final: bool = True) -> None:
        word = self.words["reply" if final else "partial"]
        self.say(*self.head, word, tag, b"", *body)

    def beat(self) -> None:
        self.say(*self.head, self.words["beat"])

    def is_goodbye(self, frames: list[bytes] | None) -> bool:
        return frames == [*self.head, self.words["leave"]]

    def leave(self) -> None:
        self.say(*self.head, self.words["leave"])


class Mdp02Asker(Asker):
    ear, ids, partials = "mdp2 front", False, True

    def ask(self, body: bytes, request_id: bytes = b"") -> None:
        self.say(b"MDPC02", b"\x01", b"echo", body)

    def answer(self) -> tuple[list[bytes], bool]:
        frames = self.next()
        assert frames is not None
        assert frames[0] == b"MDPC02"
        assert frames[2] == b"echo"
        return frames[3:], frames[1] == b"\x03"


class Mdp02Server(Mdp01Server):
    ear, partials = "mdp2 back", True
    head: tuple[bytes, ...] = (b"MDPW02",)
    words = {"reply": b"\x04", "beat": b"\x05", "leave": b"\x06", "partial": b"\x03"}


class MajortomoAsker(Asker):
    """As the PyPI package writes it: other commands, an empty frame, no service in replies."""

    ear, ids, partials = "mdp front", False, True

    def ask(self, body: bytes, request_id: bytes = b"") -> None:
        self.say(b"", b"MDPC02", b"\x02", b"echo", body)

    def answer(self) -> tuple[list[bytes], bool]:
        frames = self.next()
        assert frames is not None
        assert frames[:2] == [b"", b"MDPC02"]
        assert frames[2] in (b"\x03", b"\x04")
        return frames[3:], frames[2] == b"\x04"


class MajortomoServer(Mdp02Server):
    ear = "mdp back"
    head = (b"", b"MDPW02")


class EmqpAsker(Asker):
    ear = "emqp front"

    def ask(self, body: bytes, request_id: bytes = b"id") -> None:
        self.say(b"", b"eMQP/1.0", b"REQUEST", request_id, b"echo", b"", body)

    def answer(self) -> tuple[list[bytes], bool]:
        frames = self.next()
        assert frames is not None
        assert frames[:3] == [b"", b"eMQP/1.0", b"REPLY"]
        return frames[4:], True


class EmqpServer(Server):
    ear = "emqp2 back"

    def ready(self) -> None:
        self.say(b"", b"eMQP/1.0", b"INFORM", b"1", b"other, echo")
        self.say(b"", b"eMQP/1.0", b"READY", b"2")

    def task(self) -> tuple[object, list[bytes]]:
        frames = self.next()
        assert frames is not None
        assert frames[:3] == [b"", b"eMQP/1.0", b"REQUEST"]
        assert frames[4] == b"echo"
        return frames[3], frames[6:]

    def reply(self, tag: Any, *body: bytes, final: bool = True) -> None:
        self.say(b"", b"eMQP/1.0", b"REPLY", tag, *body)
        self.say(b"", b"eMQP/1.0", b"READY", b"3")

    def beat(self) -> None:
        self.say(b"", b"eMQP/1.0", b"HEARTBEAT", b"4")

    def is_goodbye(self, frames: list[bytes] | None) -> bool:
        return frames is not None and frames[:3] == [b"", b"eMQP/1.0", b"DISCONNECT"]

    def leave(self) -> None:
        self.say(b"", b"eMQP/1.0", b"DISCONNECT", b"5")


class PppAsker(Asker):
    ear, ids = "ppp front", False

    def ask(self, body: bytes, request_id: bytes = b"id") -> None:
        self.say(request_id, b"", body)

    def answer(self) -> tuple[list[bytes], bool]:
        frames = self.next()
        assert frames is not None
        assert frames[1] == b""
        return frames[2:], True


class PppServer(Server):
    ear, dismissible = "ppp back", False

    def ready(self) -> None:
        self.say(b"\x01")

    def task(self) -> tuple[object, list[bytes]]:
        frames = self.next()
        assert frames is not None
        at = frames.index(b"")
        return frames[:at], frames[at + 1 :]

    def reply(self, tag: Any, *body: bytes, final: bool = True) -> None:
        self.say(*tag, b"", *body)

    def beat(self) -> None:
        self.say(b"\x02")

    def is_goodbye(self, frames: list[bytes] | None) -> bool:
        return False

    def leave(self) -> None:
        raise AssertionError("PPP has no word for it")


ASKERS: dict[str, type[Asker]] = {
    "mdpx": MdpxAsker,
    "mdp01": Mdp01Asker,
    "mdp02": Mdp02Asker,
    "majortomo": MajortomoAsker,
    "emqp": EmqpAsker,
    "ppp": PppAsker,
}
SERVERS: dict[str, type[Server]] = {
    "mdpx": MdpxServer,
    "mdp01": Mdp01Server,
    "mdp02": Mdp02Server,
    "majortomo": MajortomoServer,
    "emqp": EmqpServer,
    "ppp": PppServer,
}
