"""Peers that come and go by the thousand: descriptors, peers and services stay as few as before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import zmq

from support.fleet import Fleet, RunningBroker, everything, patient, progress, size
from support.raw import Context, Raw, eventually
from support.wire import Emqp, Mdpx
from zwire import BrokerConfig
from zwire.core.policy import Limits

pytestmark = [pytest.mark.process, pytest.mark.timeout(3600)]

CYCLES = size(200, 10_000)
# Fewer than there are cycles: a peer, or a service, that is not forgotten ends in a refusal.
BOUND = size(60, 1_100)
INTERVAL = 3.0  # long enough that no worker is missed before it had its say


def test_peers_that_come_and_go_leave_nothing_behind(fleet: Fleet) -> None:
    limits = Limits(max_workers=BOUND, max_clients=BOUND, max_services=BOUND)
    config = BrokerConfig(everything(interval=INTERVAL), patient(), limits=limits)
    broker = fleet.broker(config, quiet=True)
    context: Context = zmq.Context()
    calm = broker.descriptors
    for number in range(CYCLES):
        cycle(broker, context, number)
        if number % 1000 == 0:
            progress(f"{number} cycles, {broker.descriptors} descriptors")
    context.term()
    # The last of them may still be on their way out.
    eventually(lambda: broker.descriptors <= calm, f"{broker.descriptors} descriptors, not {calm}")
    counts = broker.end()
    assert counts["accepted"] == counts["answered"] == CYCLES
    assert counts["worker joined"] == CYCLES
    assert counts["worker refused"] == counts["request refused"] == 0
    gone = sum(counts[f"worker {how}"] for how in ("left", "lost", "dismissed"))
    assert gone == CYCLES


def cycle(broker: RunningBroker, context: Context, number: int) -> None:
    """A worker and a client meet once and go; one worker in ten without a word."""
    dialect = ("mdpx", "emqp")[number % 2]
    place = broker.places[dialect]
    service = b"service %d" % number
    with Raw(zmq.DEALER, context) as worker, Raw(zmq.DEALER, context) as client:
        worker.connect(place.back.replace(dialect, "tcp"))
        client.connect(place.front.replace(dialect, "tcp"))
        meet, goodbye = (over_mdpx, Mdpx.DISCONNECT), (over_emqp, Emqp.disconnect(b"bye"))
        talk, farewell = meet if dialect == "mdpx" else goodbye
        assert talk(worker, client, service) == [b"hello"]
        if number % 10:
            worker.send(*farewell)
            worker.socket.setsockopt(zmq.LINGER, 30_000)
            worker.socket.close()


def over_mdpx(worker: Raw, client: Raw, service: bytes) -> Sequence[bytes]:
    worker.send(*Mdpx.ready(service))
    client.send(*Mdpx.ask(b"1", b"hello", service=service))
    _, _, address, _, request_id, body = worker.receive()
    worker.send(*Mdpx.done(address, request_id, body))
    return client.receive()[4:]


def over_emqp(worker: Raw, client: Raw, service: bytes) -> Sequence[bytes]:
    worker.send(*Emqp.inform(b"1", service))
    worker.send(*Emqp.ready(b"2"))
    client.send(*Emqp.request(b"1", b"hello", queue=service))
    request_id, body = worker.receive()[3::3]
    worker.send(*Emqp.reply(request_id, body))
    return client.receive()[4:]
