"""Clients before they have a thread or a loop: dialect, driver and context, opened together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import zmq

from zwire.core.asking import Asking
from zwire.core.policy import AskingRules
from zwire.dialects.asking import CLIENT_DIALECTS, ClientDialect
from zwire.errors import LocalError
from zwire.io.asking_driver import AskingDriver
from zwire.io.attaching import attach
from zwire.io.contexts import Context, OwnContext
from zwire.io.direct_driver import DirectDriver
from zwire.io.endpoints import Endpoint, read_endpoint
from zwire.io.hosting import Raw
from zwire.io.identities import fresh_identity
from zwire.io.options import Options
from zwire.io.requests import ClientSettings
from zwire.io.security import CurveClient, CurveServer
from zwire.io.taps import Capture, Recording, Tap
from zwire.io.urls import read_url


@dataclass(frozen=True, slots=True)
class Opened:
    """What a client of either kind is made of."""

    name: str
    dialect: ClientDialect
    driver: AskingDriver | DirectDriver
    context: Context
    addresses: tuple[str, ...]


def through_broker(
    url: str,
    dialect: str | None,
    settings: ClientSettings | None,
    identity: bytes | None,
    curve: CurveClient | None,
    capture: Capture | None = None,
) -> Opened:
    """A client that asks by way of a broker or queue."""
    name, address = read_url(url, dialect)
    speech = CLIENT_DIALECTS[name]
    if identity is not None and not speech.pipelines:
        raise LocalError(f"{name} has a socket for each open request: it cannot keep one identity")
    chosen = settings or ClientSettings()
    # A client keeps its identity: replies find it after its connection was lost and made again.
    own = identity or fresh_identity()
    # More than can be open: what is sent again still finds room.
    queue = 2 * chosen.max_open
    context: Context = OwnContext()

    def connect() -> Raw:
        options = Options(
            identity=own if speech.pipelines else fresh_identity(),
            send_queue=queue,
            receive_queue=queue,
            curve=curve,
            reconnect_max=2.0,
            linger=0.0,  # nobody waits for the reply to what is still unsent
        )
        return attach(zmq.DEALER, [Endpoint(address, connects=True)], options, context)[0]

    known = ", admits our key" if curve is not None else ""
    where = (
        f"check that a broker listens at {address}{known} and has workers that serve this name"
        if name != "ppp"
        else f"check that a queue listens at {address}{known} and has workers"
    )
    with ExitStack() as undo:
        undo.callback(context.term)
        tap = None
        if capture is not None:
            recording = Recording(capture, "client")
            undo.callback(recording.close)
            tap = Tap(recording, address, speech.heard, speech.said)
            tap.event(
                "client", {"dialect": name, "identity": own.hex() if speech.pipelines else ""}
            )
        driver = AskingDriver(Asking(chosen.rules(speech)), speech, connect, where, tap)
        undo.pop_all()
    return Opened(name, speech, driver, context, (address,))


def straight_to_workers(
    endpoints: Sequence[str],
    settings: ClientSettings | None,
    curve: CurveServer | CurveClient | None,
    insecure: bool,
    capture: Capture | None = None,
) -> Opened:
    """A client that asks its PPP workers itself; `connect:` before an endpoint connects to it."""
    if not endpoints:
        raise LocalError("name at least one endpoint: tcp://127.0.0.1:5561, or connect:tcp://…")
    chosen = settings or ClientSettings()
    places = [read_endpoint(text) for text in endpoints]
    context: Context = OwnContext()
    with ExitStack() as undo:
        undo.callback(context.term)
        options = Options(curve=curve, insecure=insecure, linger=0.0)
        link, addresses = attach(zmq.ROUTER, places, options, context)
        undo.callback(link.close)
        asking = Asking(AskingRules(chosen.timeout, None, max_open=chosen.max_open))
        where = f"check that PPP workers run and meet this client at {', '.join(addresses)}"
        recording = None if capture is None else Recording(capture, "client")
        driver = DirectDriver(asking, link, chosen, where, recording, addresses[0])
        undo.pop_all()
    return Opened("ppp", CLIENT_DIALECTS["ppp"], driver, context, addresses)
