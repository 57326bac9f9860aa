"""Nothing that a peer sends stops the broker: it answers the next good request."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from random import Random

import pytest
import zmq

from support import junk
from support.fleet import DIALECTS, Fleet, RunningBroker, everything, patient, progress, size
from support.raw import PATIENCE, Context, Raw, eventually
from zwire import BrokerConfig
from zwire.core.policy import Limits

pytestmark = [pytest.mark.process, pytest.mark.timeout(7200)]

EACH = size(500, 1_000_000)  # messages for each of the six endpoints
CROWD = 100  # peers at a time
A_PEER = (
    50  # messages of one peer: one that was dismissed is ignored for a while, so that many count
)
SLICES = size(2, 20)
CONNECTIONS = size(40, 5_000)

# What a peer that speaks ZMTP 3.0 without security says first: greeting, then READY as a DEALER.
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
HANDSHAKE = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"


def start(fleet: Fleet) -> RunningBroker:
    # Peers are forgiven at once, or all but their first mistakes would be ignored unread. What is
    # junk and valid all the same soon expires, so that it cannot take all the room.
    # PPP names no service, so junk at its back end is a worker: it gets a service of its own, lest it
    # answers what is asked in earnest.
    spoiled = everything(service="spoiled")[-1]
    config = BrokerConfig(
        (spoiled, *everything(service="good")),
        patient(expiry=5.0),
        limits=Limits(invalid_for=0.0),
    )
    broker = fleet.broker(config, quiet=True)
    for service in ("good", "spoiled"):
        fleet.worker(broker.places["mdpx"], service, lambda job: job.body)
    return broker


def ask_in_every_dialect(fleet: Fleet, broker: RunningBroker) -> None:
    assert broker.program.running
    for name in DIALECTS:
        client = fleet.client(broker.places[name], retry=1.0, retry_longest=2.0)
        assert client.request("good", name).body == (name.encode(),)
        client.close()
    # Here junk may be the one that answers; that there is an answer is the broker's part.
    client = fleet.client(broker.ppp["spoiled"], retry=1.0, retry_longest=2.0)
    assert client.request("spoiled", "ppp").body
    client.close()


def test_after_spoiled_messages_on_every_endpoint_the_next_good_request_is_answered(
    fleet: Fleet,
) -> None:
    broker = start(fleet)
    places = {name: place for name, place in broker.places.items() if name != "mdp02"}
    targets = [
        (places["mdpx"].front, junk.MDPX_FRONT),
        (places["mdpx"].back, junk.MDPX_BACK),
        (places["emqp"].front, junk.EMQP),
        (places["mdp01"].front, junk.MDP),
        (broker.ppp["spoiled"].front, junk.PPP_FRONT),
        (broker.ppp["spoiled"].back, junk.PPP_BACK),
    ]
    random = Random(20)
    sent = 0
    for number in range(SLICES):
        progress(f"slice {number + 1} of {SLICES}, {broker.memory // 2**20} MiB")
        for url, good in targets:
            endpoint = "tcp" + url[url.index(":") :]
            for count in in_parts(EACH // SLICES, A_PEER * CROWD):
                sent += count
                with crowd(endpoint, good, count, random):
                    wait_until_heard(broker, sent)
        ask_in_every_dialect(fleet, broker)
    assert sent == len(targets) * EACH
    assert broker.heard_junk() == sent
    counts = broker.end()
    progress(f"{sent} heard: {counts}")
    assert counts["invalid message"] > EACH
    assert counts["ignored"] < sent // 2, "most of it was not even looked at"


def in_parts(total: int, largest: int) -> Iterator[int]:
    while total > 0:
        yield min(total, largest)
        total -= largest


@contextmanager
def crowd(endpoint: str, good: list[list[bytes]], count: int, random: Random) -> Iterator[None]:
    """So many messages, each peer with its share; the peers stay until the broker has heard them."""
    context: Context = zmq.Context()
    with ExitStack() as peers:
        peers.callback(context.term)
        for share in in_parts(count, A_PEER):
            name = b"junk" + random.randbytes(12)
            peer = peers.enter_context(Raw(zmq.DEALER, context, identity=name))
            peer.connect(endpoint)
            for frames in junk.junk(good, share, random):
                peer.send(*frames)
        yield


def wait_until_heard(broker: RunningBroker, sent: int) -> None:
    eventually(lambda: broker.heard_junk() >= sent, f"{sent} heard, not {broker.heard_junk()}")


def test_octets_that_are_no_zeromq_at_all_do_not_matter(fleet: Fleet) -> None:
    broker = start(fleet)
    ask_in_every_dialect(fleet, broker)
    calm = broker.descriptors
    random = Random(21)
    ports = {
        int(endpoint.rpartition(":")[2])
        for place in broker.places.values()
        for endpoint in place.endpoints
    }
    for port in sorted(ports):
        for _ in range(CONNECTIONS):
            opening = random.choice((b"", GREETING[:10], GREETING, GREETING + HANDSHAKE))
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as wire:
                # The broker hangs up on nonsense, perhaps while we are still talking.
                with suppress(ConnectionError):
                    wire.sendall(opening + random.randbytes(random.choice((0, 1, 9, 300))))
                if random.random() < 0.2:
                    # A frame that would be a million million octets long.
                    with suppress(ConnectionError):
                        wire.sendall(b"\x02" + (10**12).to_bytes(8, "big") + bytes(100))
    ask_in_every_dialect(fleet, broker)
    eventually(lambda: broker.descriptors <= calm, f"{broker.descriptors} descriptors, not {calm}")
    broker.end()
