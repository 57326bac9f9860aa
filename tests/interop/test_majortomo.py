"""Peers of the PyPI package majortomo at our broker, and ours at its broker as far as its wire allows.

It calls its dialect MDP 0.2 and puts an empty frame in front of every message; its clients use the
workers' command octets, and its replies do not name the service. Our broker knows that variant. Our
clients and workers do not speak it, so its broker drops what they say; our worker's codec fits behind
the empty frame.
"""

from __future__ import annotations

import sys

import pytest
import zmq

from support.fleet import Fleet, RunningBroker
from support.processes import Program
from support.raw import Context, Raw
from support.scripts import back, front, lines_of, run_script
from zwire import Client, Job, NoAnswer
from zwire_protocols.mdp02 import worker as mdp02

pytestmark = pytest.mark.process


def test_its_client_and_its_worker_meet_at_our_broker(fleet: Fleet, broker: RunningBroker) -> None:
    place = broker.places["mdp02"]
    run_script(fleet, "majortomo_worker", back(place), "words")
    client = run_script(fleet, "majortomo_client", front(place), "words", "one two", "three")
    parts = ["one", "two", "that is all", "three", "that is all"]
    assert lines_of(client, "part") == parts
    counts = broker.end()
    assert counts["partials"] >= 3
    assert counts["invalid message"] == counts["violation"] == 0


def test_its_client_is_served_by_our_workers(fleet: Fleet, broker: RunningBroker) -> None:
    def answer(job: Job) -> list[bytes]:
        return [job.service.encode(), *job.body]

    for dialect in ("mdpx", "mdp01", "mdp02"):
        fleet.worker(broker.places[dialect], dialect, answer)
        client = run_script(
            fleet, "majortomo_client", front(broker.places["mdp02"]), dialect, "this"
        )
        assert lines_of(client, "part") == [f"{dialect} this second frame"]


def test_its_worker_serves_our_clients_with_the_partial_replies_they_can_take(
    fleet: Fleet, broker: RunningBroker
) -> None:
    worker = run_script(fleet, "majortomo_worker", back(broker.places["mdp02"]), "echo")
    words, end = ((b"one",), (b"two",)), (b"that is all",)
    for dialect in ("mdpx", "mdp02"):
        reply = fleet.client(broker.places[dialect]).request("echo", "one two")
        assert (reply.partials, reply.body) == (words, end)
    # A dialect without partial replies gets them in front of the final one.
    reply = fleet.client(broker.places["mdp01"]).request("echo", "one two")
    assert (reply.partials, reply.body) == ((), (b"one", b"two", b"that is all"))
    worker.kill()
    counts = broker.end()
    assert counts["invalid message"] == counts["violation"] == 0


def test_its_worker_understands_when_our_broker_dismisses_it(
    fleet: Fleet, broker: RunningBroker
) -> None:
    place = broker.places["mdp02"]
    worker = run_script(fleet, "majortomo_worker", back(place), "echo")
    assert fleet.client(place).request("echo", "hello").body == (b"that is all",)
    broker.end()
    assert worker.wait() != 0
    assert any("Disconnected" in line for line in worker.complaints)


def its_broker(fleet: Fleet) -> str:
    endpoint = next(fleet.own_ports())
    fleet.own(Program(sys.executable, "-m", "majortomo.broker", "-b", endpoint, "-t", "60"))
    return endpoint


def test_its_broker_drops_what_our_peers_say_and_lives_on(fleet: Fleet) -> None:
    endpoint = its_broker(fleet)
    run_script(fleet, "majortomo_worker", endpoint, "echo")
    client = run_script(fleet, "majortomo_client", endpoint, "echo", "before")
    assert lines_of(client, "part") == ["before", "that is all"]
    # Its worker stands ready: what is lacking is the wire.
    for dialect in ("mdp01", "mdp02"):
        with Client(endpoint, dialect=dialect) as ours:
            with pytest.raises(NoAnswer):
                ours.request("echo", "hello", timeout=0.5)
    client = run_script(fleet, "majortomo_client", endpoint, "echo", "after")
    assert lines_of(client, "part") == ["after", "that is all"]


def test_our_codec_serves_at_its_broker_behind_an_empty_frame(fleet: Fleet) -> None:
    endpoint = its_broker(fleet)
    context: Context = zmq.Context()
    with Raw(zmq.DEALER, context) as worker:
        worker.connect(endpoint)
        worker.send(b"", *mdp02.encode(mdp02.Ready("echo")))
        client = run_script(fleet, "majortomo_client", endpoint, "echo", "hello")
        while True:
            empty, *frames = worker.receive()
            said = mdp02.DECODERS["broker"](frames)
            assert empty == b""
            if isinstance(said, mdp02.Request):
                break
            assert isinstance(said, mdp02.Heartbeat)
        worker.send(b"", *mdp02.encode(mdp02.Partial(said.client_address, said.body)))
        worker.send(b"", *mdp02.encode(mdp02.Final(said.client_address, (b"done",))))
        assert lines_of(client, "part") == ["hello second frame", "done"]
    context.term()
