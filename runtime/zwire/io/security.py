"""CURVE on sockets: servers that admit authorised keys alone, and clients that know their server."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import zmq
from zmq.auth.thread import ThreadAuthenticator

from zwire.io.contexts import Context
from zwire.io.keys import AuthorisedKeys, KeyPair, read_pair, read_public


@dataclass(frozen=True, slots=True)
class CurveServer:
    """A server's own pair and the folder with the public keys of the clients it admits."""

    pair: KeyPair
    authorised: Path

    @classmethod
    def from_files(cls, secret_file: Path, authorised: Path) -> CurveServer:
        return cls(read_pair(secret_file), authorised)


@dataclass(frozen=True, slots=True)
class CurveClient:
    """A client's own pair and the public key of the server it trusts."""

    pair: KeyPair
    server_key: bytes

    @classmethod
    def from_files(cls, secret_file: Path, server_public_file: Path) -> CurveClient:
        return cls(read_pair(secret_file), read_public(server_public_file))


class Guard:
    """Answers, for all CURVE servers of one context, who is admitted.

    libzmq asks at one fixed place in each context, so there is one guard a context; it lives as
    long as somebody holds it.
    """

    _standing: dict[Context, Guard] = {}
    _lock = threading.Lock()

    def __init__(self, context: Context) -> None:
        self._context = context
        self._holders = 0
        self._domains: dict[Path, str] = {}
        self._authenticator = ThreadAuthenticator(context)
        self._authenticator.start()

    @classmethod
    def hold(cls, context: Context) -> Guard:
        """The guard of this context, started when it is the first to be held."""
        with cls._lock:
            guard = cls._standing.get(context)
            if guard is None:
                guard = cls._standing[context] = cls(context)
            guard._holders += 1
            return guard

    def release(self) -> None:
        """Let go of the guard; the last to do so ends it."""
        with self._lock:
            self._holders -= 1
            if self._holders == 0:
                del self._standing[self._context]
                self._authenticator.stop()

    def admit(self, folder: Path) -> str:
        """Admit the keys of a folder; the name of the domain in which they count."""
        with self._lock:
            place = folder.resolve()
            if place not in self._domains:
                domain = f"zwire-{len(self._domains)}"
                keys = AuthorisedKeys(place)
                self._authenticator.configure_curve_callback(domain, keys)
                self._domains[place] = domain
            return self._domains[place]


def secure_server(socket: zmq.Socket[bytes], server: CurveServer) -> Guard:
    """Make a socket that is not yet bound a CURVE server.

    Returns the guard that admits its clients: release it after the socket was closed.
    """
    guard = Guard.hold(socket.context)
    try:
        domain = guard.admit(server.authorised)
    except BaseException:
        guard.release()
        raise
    socket.setsockopt(zmq.CURVE_SERVER, 1)
    socket.setsockopt(zmq.CURVE_PUBLICKEY, server.pair.public)
    socket.setsockopt(zmq.CURVE_SECRETKEY, server.pair.secret)
    socket.setsockopt(zmq.ZAP_DOMAIN, domain.encode("ascii"))
    # Without this a server whose guard is gone would admit every key.
    socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
    return guard


def secure_client(socket: zmq.Socket[bytes], client: CurveClient) -> None:
    """Make a socket that is not yet connected a CURVE client."""
    socket.setsockopt(zmq.CURVE_SERVERKEY, client.server_key)
    socket.setsockopt(zmq.CURVE_PUBLICKEY, client.pair.public)
    socket.setsockopt(zmq.CURVE_SECRETKEY, client.pair.secret)
