"""One ZeroMQ socket, opened as its kind and options ask: endpoints, closing, and errors as types."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import NoReturn, cast

import zmq

from zwire.io.contexts import Context, OwnContext
from zwire.io.endpoints import is_loopback
from zwire.io.errors import (
    BadEndpoint,
    OutOfTurn,
    SocketClosed,
    SocketError,
    UnknownPeer,
    Unprotected,
)
from zwire.io.identities import check_identity
from zwire.io.monitors import drain, end_listening, listen_to
from zwire.io.options import Options, milliseconds
from zwire.io.security import CurveClient, CurveServer, Guard, secure_client, secure_server

_BROKEN = int(zmq.Event.DISCONNECTED)
_MENDED = int(zmq.Event.HANDSHAKE_SUCCEEDED)


class Plug:
    """A REQ, REP, DEALER or ROUTER socket of libzmq, in a context of its own unless one is given."""

    def __init__(self, kind: zmq.SocketType, options: Options, context: Context | None) -> None:
        self.kind = kind
        self.options = options
        self._own_context = context is None
        self._context: Context = context or OwnContext()
        self._guard: Guard | None = None
        self.alarm: zmq.Socket[bytes] | None = None
        """A socket on which something comes when the connection of a watched one breaks."""
        self.mended = False
        self._where = kind.name
        self._closed = False
        self.socket: zmq.Socket[bytes] = self._context.socket(kind)
        try:
            self._set_up()
        except BaseException:
            self.close()
            self.end_context()
            raise

    def _set_up(self) -> None:
        self.options.apply(self.socket)
        if self.kind is zmq.REQ:
            # 28/REQREP: a send without a connected peer waits or fails. libzmq would otherwise
            # queue for a peer that was never there.
            self.socket.setsockopt(zmq.IMMEDIATE, 1)
        elif self.kind is zmq.ROUTER:
            # A peer that comes back under its identity replaces its old connection: without
            # this it would stay deaf and mute until the old one is noticed to be dead.
            self.socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
            # Always told, never blocked: we send without waiting and decide ourselves.
            self.socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        match self.options.curve:
            case CurveServer() as server:
                self._guard = secure_server(self.socket, server)
            case CurveClient() as client:
                secure_client(self.socket, client)
            case None:
                pass

    def bind(self, endpoint: str) -> str:
        """Bind, and the endpoint that was really bound."""
        protected = isinstance(self.options.curve, CurveServer) or self.options.insecure
        if not protected and not is_loopback(endpoint):
            raise Unprotected(
                "others could reach this endpoint and nothing protects it",
                where=f"{self.kind.name} {endpoint}",
                expected="a loopback endpoint, or CURVE",
                remedy="give CURVE keys, or say that it is meant to be insecure",
            )
        self._allow_ipv6(endpoint)
        try:
            self.socket.bind(endpoint)
        except zmq.ZMQError as error:
            self._refuse_endpoint("bind", endpoint, error)
        bound = self.socket.getsockopt_string(zmq.LAST_ENDPOINT)
        self._where = f"{self.kind.name} {bound}"
        return bound

    def connect(self, endpoint: str, peer: bytes | None = None) -> None:
        """Connect; a ROUTER may name the peer, and can then send to it at once."""
        self._allow_ipv6(endpoint)
        try:
            if peer is not None:
                self.socket.setsockopt(zmq.CONNECT_ROUTING_ID, check_identity(peer, self._where))
            self.socket.connect(endpoint)
        except zmq.ZMQError as error:
            self._refuse_endpoint("connect", endpoint, error)
        self._where = f"{self.kind.name} {endpoint}"

    def watch(self) -> None:
        """Take notice when the connection breaks; best asked for before there is any."""
        if self.alarm is None:
            self.alarm = listen_to(self, _BROKEN | _MENDED)

    def broken(self) -> bool:
        """Whether the connection has broken since this was last asked: what was on its way is lost.

        libzmq connects again by itself and says nothing; `mended` tells whether it has.
        """
        if self.alarm is None:
            return False
        events = [event for event, _ in drain(self.alarm)]
        if events:
            self.mended = events[-1] == _MENDED
        return _BROKEN in events

    def _allow_ipv6(self, endpoint: str) -> None:
        # Only where it is asked for: libzmq would else look for names there first.
        if "[" in endpoint and not self._closed:
            self.socket.setsockopt(zmq.IPV6, 1)

    def unbind(self, endpoint: str) -> None:
        try:
            self.socket.unbind(endpoint)
        except zmq.ZMQError as error:
            self._refuse_endpoint("unbind", endpoint, error)

    def disconnect(self, endpoint: str) -> None:
        try:
            self.socket.disconnect(endpoint)
        except zmq.ZMQError as error:
            self._refuse_endpoint("disconnect", endpoint, error)

    def _refuse_endpoint(self, verb: str, endpoint: str, error: zmq.ZMQError) -> NoReturn:
        self._check_open(error)
        raise BadEndpoint(
            f"cannot {verb}",
            where=f"{self.kind.name} {endpoint}",
            got=str(error.strerror),
            remedy=(
                "another program may have it"
                if error.errno == errno.EADDRINUSE
                else "check how it is written"
            ),
        ) from error

    @property
    def where(self) -> str:
        """The kind of socket and its endpoint, as errors name them."""
        return self._where

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self, *, at_once: bool = False) -> None:
        """Close the socket; what was sent gets the linger time, or none. The context is ended apart."""
        if not self._closed:
            self._closed = True
            if self.alarm is not None:
                end_listening(self, self.alarm)
                self.alarm = None
            self.socket.close(0 if at_once else milliseconds(self.options.linger))
            if self._guard is not None:
                self._guard.release()
                self._guard = None

    def end_context(self) -> None:
        """End the context if it is our own; this waits for the linger time at most."""
        if self._own_context and not self._context.closed:
            self._context.term()

    def _events(self) -> int:
        try:
            return cast(int, self.socket.getsockopt(zmq.EVENTS))
        except zmq.ZMQError as error:
            self._explain(error, "look at", ())

    def _check_open(self, error: zmq.ZMQError) -> None:
        if self._closed or error.errno in (zmq.ETERM, zmq.ENOTSOCK):
            raise SocketClosed(
                "the socket is closed", where=self._where, remedy="open a new one"
            ) from error

    def _explain(self, error: zmq.ZMQError, verb: str, frames: Sequence[bytes]) -> NoReturn:
        self._check_open(error)
        if error.errno == zmq.EFSM:
            first, then = ("send", "receive") if self.kind is zmq.REQ else ("receive", "send")
            raise OutOfTurn(
                f"it is not the turn to {verb}",
                where=self._where,
                expected=f"one {first}, then one {then}",
                remedy=f"{then if verb == first else first} first",
            ) from error
        if error.errno == zmq.EHOSTUNREACH:
            raise UnknownPeer(
                "nobody of this identity is connected",
                where=self._where,
                got=frames[0].hex(),
                remedy="a peer is known from its first message until it leaves",
            ) from error
        raise SocketError(f"cannot {verb}", where=self._where, got=str(error.strerror)) from error
