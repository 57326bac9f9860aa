"""The commands of MDPX, eMQP and PPP as frames, written out octet by octet."""

from __future__ import annotations

Frames = list[bytes]


class Mdpx:
    """MDPX: the client's commands and answers have one header, the worker's another."""

    CLIENT = b"MDXC01"
    WORKER = b"MDXW01"
    PING: Frames = [WORKER, b"PING"]
    PONG: Frames = [WORKER, b"PONG"]
    DISCONNECT: Frames = [WORKER, b"\x06"]

    @classmethod
    def ask(cls, request_id: bytes, *body: bytes, service: bytes = b"echo") -> Frames:
        """REQUEST of a client."""
        return [cls.CLIENT, b"\x01", service, request_id, *body]

    @classmethod
    def partial(cls, request_id: bytes, *body: bytes, service: bytes = b"echo") -> Frames:
        """PARTIAL to a client."""
        return [cls.CLIENT, b"\x02", service, request_id, *body]

    @classmethod
    def final(cls, request_id: bytes, *body: bytes, service: bytes = b"echo") -> Frames:
        """FINAL to a client."""
        return [cls.CLIENT, b"\x03", service, request_id, *body]

    @classmethod
    def ready(cls, service: bytes = b"echo") -> Frames:
        return [cls.WORKER, b"\x01", service]

    @classmethod
    def task(cls, client: bytes, request_id: bytes, *body: bytes) -> Frames:
        """REQUEST to a worker."""
        return [cls.WORKER, b"\x02", client, b"", request_id, *body]

    @classmethod
    def part(cls, client: bytes, request_id: bytes, *body: bytes) -> Frames:
        """PARTIAL of a worker."""
        return [cls.WORKER, b"\x03", client, b"", request_id, *body]

    @classmethod
    def done(cls, client: bytes, request_id: bytes, *body: bytes) -> Frames:
        """FINAL of a worker."""
        return [cls.WORKER, b"\x04", client, b"", request_id, *body]


class Emqp:
    """eMQP: every command begins with an empty frame and the version."""

    HEAD: Frames = [b"", b"eMQP/1.0"]

    @classmethod
    def request(
        cls, msgid: bytes, body: bytes, *, queue: bytes = b"echo", headers: bytes = b""
    ) -> Frames:
        return [*cls.HEAD, b"REQUEST", msgid, queue, headers, body]

    @classmethod
    def inform(cls, msgid: bytes, queues: bytes = b"echo") -> Frames:
        return [*cls.HEAD, b"INFORM", msgid, queues]

    @classmethod
    def ready(cls, msgid: bytes) -> Frames:
        return [*cls.HEAD, b"READY", msgid]

    @classmethod
    def reply(cls, msgid: bytes, body: bytes) -> Frames:
        return [*cls.HEAD, b"REPLY", msgid, body]

    @classmethod
    def heartbeat(cls, msgid: bytes) -> Frames:
        return [*cls.HEAD, b"HEARTBEAT", msgid]

    @classmethod
    def disconnect(cls, msgid: bytes) -> Frames:
        return [*cls.HEAD, b"DISCONNECT", msgid]


class Ppp:
    """PPP: two commands of one octet; requests and replies are addresses, an empty frame, content."""

    READY: Frames = [b"\x01"]
    HEARTBEAT: Frames = [b"\x02"]
