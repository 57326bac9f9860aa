"""Opening a node: its interfaces, its mailbox in the range of ports, its beacons, its engine."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from uuid import UUID

import zmq

from zwire.errors import LocalError
from zwire.io.errors import BadEndpoint
from zwire.io.hosting import Raw
from zwire.io.options import Options
from zwire.io.security import CurveServer
from zwire.io.speech import FRAMES
from zwire.io.taps import Capture, Recording
from zwire.io.zre_dealers import Dealers
from zwire.io.zre_driver import NodeDriver
from zwire.io.zre_gossip import GossipSockets
from zwire.io.zre_interfaces import choose_interfaces
from zwire.io.zre_logs import LogSockets
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_settings import FIRST_PORT, HANDSHAKE, LAST_PORT, MOST_FRAMES, NodeSettings
from zwire.io.zre_taps import NodeTap
from zwire.io.zre_udp import Air
from zwire.zre import Node
from zwire.zre.endpoints import can_be_believed, can_be_dialled, host_and_port, tcp_endpoint
from zwire.zre.keys import z85_decode

DESCRIPTORS_OF_PEER = 6  # DEALER, its monitor, a connection each way; and those that close slowly
OTHER_DESCRIPTORS = 50  # of the node itself, and of the program around it
ANY = ("0.0.0.0", "::")  # as libzmq tells that all addresses are bound
TRIES = 200  # ports that are tried before we believe that none is free


def open_node(
    place: MeetingPlace,
    name: str,
    headers: Mapping[str, str] | None,
    uuid: UUID,
    groups: Sequence[str],
    settings: NodeSettings,
    curve: CurveServer | None,
    capture: Capture | None = None,
) -> NodeDriver:
    """A driver that is ready to start; what cannot be opened is the caller's mistake and is told."""
    interfaces = choose_interfaces(settings.interfaces, settings.ipv6)
    ipv6 = settings.ipv6 or any(one.is_ipv6 for one in interfaces)
    options = settings.options
    options = replace(options, max_peers=min(options.max_peers, affordable_peers()))
    if curve is not None:
        options = replace(options, public_key=z85_decode(curve.pair.public.decode("ascii")))
    static = [static_peer(text, curve is not None) for text in settings.peers]
    mailbox, endpoints = open_in_range(
        place,
        zmq.ROUTER,
        Options(
            receive_queue=settings.receive_queue,
            max_frames=MOST_FRAMES,
            max_frame_size=settings.max_frame_size,
            handshake=HANDSHAKE,
            curve=curve,
            insecure=True,  # a node is there to be met; who demands keys gives `curve`
            ipv6=ipv6,
        ),
        settings.endpoint,
        [one.host for one in interfaces],
    )
    endpoint = endpoints[0]
    fixed = "" if settings.endpoint is None else _bound(mailbox)
    doors = [one.door(where) for one, where in zip(interfaces, endpoints, strict=False)]
    with ExitStack() as undo:
        undo.callback(mailbox.close, at_once=True)
        tap = None
        if capture is not None:
            tap = NodeTap(Recording(capture, "node"), uuid, name, endpoint)
            undo.callback(tap.close)
            tap.mailbox(mailbox)
        engine = Node(
            uuid,
            endpoint,
            options,
            name=name,
            headers=headers,
            doors=doors,
            epoch=time.time() - time.monotonic(),
        )
        for where, key in static:
            engine.discover(b"", where, time.monotonic(), key)
        if settings.inproc and curve is None:
            mailbox.bind(place.come(uuid.bytes))
            undo.callback(place.go, uuid.bytes)
        air = Air(interfaces, settings.port) if options.beacons else None
        if tap is not None and air is not None:
            tap.air(air)
        pair = None if curve is None else curve.pair
        dealers = Dealers(place, settings, pair, ipv6, tap)
        logs = LogSockets(place.context, pair, ipv6, tap)
        driver = NodeDriver(engine, place, mailbox, air, dealers, logs, fixed=fixed)
        driver.tap = tap
        undo.pop_all()
    try:
        if air is not None:
            air.listen(driver.overhear)
        for group in groups:
            engine.join(group, time.monotonic())
        if settings.gossip_bind is not None or settings.gossip_hubs:
            driver.gossip = _gossip(driver, place, settings, ipv6, curve is not None)
            if tap is not None:
                tap.gossip(driver.gossip)
    except BaseException:
        driver.close()
        driver.vanish()
        raise
    return driver


def affordable_peers() -> int:
    """Peers for which this process has descriptors: strangers shall not be able to use them all up."""
    try:
        import resource
    except ImportError:
        return sys.maxsize  # a system without such a limit
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(1, (soft - OTHER_DESCRIPTORS) // DESCRIPTORS_OF_PEER)


def open_in_range(
    place: MeetingPlace,
    kind: zmq.SocketType,
    options: Options,
    fixed: str | None,
    hosts: Sequence[str],
) -> tuple[Raw, list[str]]:
    """A link bound to all hosts at one free port of the range, and the endpoint on each.

    20/ZRE asks for a port in 0xC000..0xFFFF; what libzmq picks itself may be below. One that is fixed
    has one endpoint, or one on each host where it is bound to all addresses.
    """
    if options.curve is not None:
        place.keep_guard()
    if fixed is not None:
        link: Raw = Raw(kind, FRAMES, options, place.context)
        try:
            bound = link.bind(fixed)
            host, port = host_and_port(bound)
            return link, [tcp_endpoint(one, port) for one in hosts] if host in ANY else [bound]
        except BaseException:
            link.close(at_once=True)
            raise
    for _ in range(TRIES):
        port = random.randint(FIRST_PORT, LAST_PORT)
        link = Raw(kind, FRAMES, options, place.context)
        try:
            endpoints = [tcp_endpoint(host, port) for host in hosts]
            for endpoint in dict.fromkeys(endpoints):
                link.bind(endpoint)
            return link, endpoints
        except BadEndpoint as error:
            link.close(at_once=True)
            problem = error
        except BaseException:
            link.close(at_once=True)
            raise
    raise LocalError(f"no free port from {FIRST_PORT} to {LAST_PORT}") from problem


def _bound(link: Raw) -> str:
    return link.socket.getsockopt_string(zmq.LAST_ENDPOINT)


def static_peer(text: str, secure: bool) -> tuple[str, bytes]:
    """The endpoint of a static peer and its key, as they are written together."""
    endpoint, _, key = text.partition("|")
    server_key = z85_decode(key)
    if not can_be_dialled(endpoint):
        raise LocalError(
            f"{endpoint!r} is no endpoint of a static peer: expected tcp://HOST:PORT, "
            "as in tcp://192.168.0.7:50000"
        )
    if key and not server_key:
        raise LocalError(
            f"{text!r}: expected behind the | the 40 characters of public-key in the peer's .key "
            f"file, got {len(key)} that are no key"
        )
    if secure and not server_key:
        raise LocalError(
            f"a node with keys needs that of a static peer: expected {endpoint}|KEY, with the 40 "
            "characters of public-key in its .key file"
        )
    return endpoint, server_key


def _gossip(
    driver: NodeDriver, place: MeetingPlace, settings: NodeSettings, ipv6: bool, secure: bool
) -> GossipSockets:
    def found(key: bytes, endpoint: str, server_key: bytes) -> None:
        # Hubs may tell names, unlike strangers; but sockets of this host are no business of theirs.
        own = driver.engine.own.endpoint
        named = endpoint.startswith("tcp://") and can_be_dialled(endpoint)
        if (named or can_be_believed(endpoint, own)) and (server_key or not secure):
            driver.discovered(key, endpoint, server_key)

    return GossipSockets(place.context, settings, ipv6, found, driver.engine.withdraw)
