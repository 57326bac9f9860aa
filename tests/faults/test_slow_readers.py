"""Clients that ask and do not read: the broker keeps what it may, and serves the others."""

from __future__ import annotations

import pytest
import zmq

from support.fleet import Fleet, everything, patient, size
from support.raw import Context, Raw
from support.wire import Mdpx
from zwire import BrokerConfig, Job
from zwire.core.policy import Limits

pytestmark = [pytest.mark.process, pytest.mark.timeout(3600)]

LARGE = bytes(20_000)


def test_a_client_that_does_not_read_costs_only_itself(fleet: Fleet) -> None:
    limits = Limits(max_parked=100)
    config = BrokerConfig(everything(), rules=patient(credit=16), limits=limits)
    broker = fleet.broker(config, quiet=True)
    place = broker.places["mdpx"]

    def answer(job: Job) -> bytes:
        return LARGE if job.body == (b"large",) else job.body[0]

    fleet.worker(place, "echo", answer)
    client = fleet.client(place)
    context: Context = zmq.Context()
    asked = size(2_500, 50_000)  # far more than the queues and the network between us hold
    with Raw(zmq.DEALER, context, identity=b"slow", queue=1) as slow:
        slow.connect(place.front.replace("mdpx", "tcp"))
        for number in range(asked):
            slow.send(*Mdpx.ask(b"%d" % number, b"large"))
            if number % (asked // 10) == 0:
                assert client.request("echo", b"in between").body == (b"in between",)
        assert client.request("echo", b"afterwards").body == (b"afterwards",)
        got = read_all(slow)
    context.term()
    counts = broker.end()
    assert {body for _, body in got} == {LARGE}
    assert len({request_id for request_id, _ in got}) == len(got), "a reply came twice"
    assert counts["reply parked"] > 0
    assert counts["reply dropped"] == counts["request failed"] + counts["client gone"]
    assert counts["request expired"] == 0
    # What was neither refused nor dropped has arrived: nothing vanished uncounted.
    assert len(got) + counts["reply dropped"] + counts["request refused"] >= asked


def read_all(slow: Raw) -> list[tuple[bytes, bytes]]:
    """Read at last: everything up to the reply to a request that is asked in the end."""
    got: list[tuple[bytes, bytes]] = []
    ends = 0
    while True:
        if not slow.socket.poll(1000):
            # Nothing left on the way, or the reply to the last request had no room: ask again.
            ends += 1
            slow.send(*Mdpx.ask(b"end %d" % ends, b"end"))
            continue
        _, _, _, request_id, body = slow.receive()
        if body == b"end":
            return got
        got.append((request_id, body))
