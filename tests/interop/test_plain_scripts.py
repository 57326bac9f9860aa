"""Plain pyzmq scripts as other people write them, with each other and with our own peers."""

from __future__ import annotations

import threading

import pytest

from support.fleet import Fleet, RunningBroker
from support.scripts import back, front, lines_of, run_script
from zwire import Job
from zwire.io.envelopes import dealer_to_rep, rep_to_dealer
from zwire.io.options import Options
from zwire.io.sockets import Dealer, Rep, Req

pytestmark = pytest.mark.process


def echo(job: Job) -> tuple[bytes, ...]:
    return job.body


def test_a_req_client_and_a_worker_speak_majordomo_01_through_our_broker(
    fleet: Fleet, broker: RunningBroker
) -> None:
    place = broker.places["mdp01"]
    client = run_script(fleet, "mdp_req_client", front(place), "shout", "hello", "world")
    run_script(fleet, "mdp_worker", back(place), "shout")
    assert lines_of(client, "reply") == ["HELLO", "WORLD"]
    asking = run_script(fleet, "mdp_req_client", front(place), "mmi.service", "shout", "none")
    assert lines_of(asking, "reply") == ["200", "404"]
    many = run_script(fleet, "mdp_dealer_client", front(place), "shout", "50")
    assert lines_of(many, "replies") == ["50"]
    counts = broker.end()
    assert counts["invalid message"] == counts["violation"] == 0


def test_scripts_of_majordomo_meet_peers_of_every_dialect(
    fleet: Fleet, broker: RunningBroker
) -> None:
    place = broker.places["mdp01"]
    run_script(fleet, "mdp_worker", back(place), "shout")
    for dialect in ("mdpx", "mdp02", "emqp"):
        client = fleet.client(broker.places[dialect])
        assert client.request("shout", f"from {dialect}").body == (
            f"FROM {dialect.upper()}".encode(),
        )
    fleet.worker(broker.places["emqp"], "emails", echo)
    script = run_script(fleet, "mdp_req_client", front(place), "emails", "to the queue")
    assert lines_of(script, "reply") == ["to the queue"]


def test_pirates_sail_through_our_queue(fleet: Fleet, broker: RunningBroker) -> None:
    place = broker.places["ppp"]
    worker = run_script(fleet, "pp_worker", back(place))
    clients = [run_script(fleet, "pp_client", front(place), "20") for _ in range(2)]
    for client in clients:
        assert len(lines_of(client, "server replied OK")) == 20
    assert fleet.client(broker.places["mdpx"]).request("echo", "7").body == (b"7",)
    worker.wait_for_line("heartbeat")
    counts = broker.end()
    assert counts["invalid message"] == counts["violation"] == 0


def test_a_req_client_behind_a_queue_device_reaches_our_workers(
    fleet: Fleet, broker: RunningBroker
) -> None:
    # One more address on the way: it must come back with the reply.
    fleet.worker(broker.places["mdpx"], "echo", echo)
    device = run_script(fleet, "queue_device", front(broker.places["ppp"]))
    near = device.wait_for_line("front").split()[1]
    client = run_script(fleet, "pp_client", near, "5")
    assert len(lines_of(client, "server replied OK")) == 5


def test_our_sockets_ask_plain_rep_servers_behind_a_queue_device(fleet: Fleet) -> None:
    servers = [run_script(fleet, "rep_server") for _ in range(2)]
    places = [server.wait_for_line("serves at").split()[2] for server in servers]
    device = run_script(fleet, "queue_device", *places)
    near = device.wait_for_line("front").split()[1]
    patient = Options(send_timeout=60.0, receive_timeout=60.0)
    with Req(options=patient) as asking:
        asking.connect(near)
        for word in (b"one", b"two", b"three"):
            assert asking.request([word]) == [word.upper()]
    with Dealer(options=patient) as dealing:
        dealing.connect(near)
        for word in (b"one", b"two"):
            dealing.send(dealer_to_rep([word]))
        got = {rep_to_dealer(dealing.receive())[0] for _ in range(2)}
        assert got == {b"ONE", b"TWO"}


def test_our_rep_answers_a_plain_req_client(fleet: Fleet) -> None:
    with Rep(options=Options(send_timeout=60.0, receive_timeout=60.0)) as answering:
        near = answering.bind("tcp://127.0.0.1:*")
        client = run_script(fleet, "pp_client", near, "3")
        for _ in range(3):
            answering.send(answering.receive())
        assert len(lines_of(client, "server replied OK")) == 3


def test_emqp_peers_written_from_the_document_meet_and_part(
    fleet: Fleet, broker: RunningBroker
) -> None:
    place = broker.places["emqp"]
    worker = run_script(fleet, "emqp_worker", back(place), "emails, letters")
    client = run_script(fleet, "emqp_client", front(place), "letters", "one", "two", "three")
    assert sorted(lines_of(client, "reply to")) == ["one is ONE", "three is THREE", "two is TWO"]
    assert fleet.client(broker.places["mdpx"]).request("emails", "x").body == (b"X",)
    assert fleet.client(place).request("emails", "the last one").body == (b"THE LAST ONE",)
    assert sorted(lines_of(worker, "got letters guarantee")) == ["one", "three", "two"]
    counts = broker.end()
    assert counts["invalid message"] == counts["violation"] == 0


def test_an_emqp_client_from_the_document_is_served_by_our_worker(
    fleet: Fleet, broker: RunningBroker
) -> None:
    heard = threading.Event()

    def answer(job: Job) -> str:
        if job.headers == b"guarantee":
            heard.set()
        return f"{job.service}: {job.body[0].decode()}"

    fleet.worker(broker.places["emqp"], "emails", answer, slots=2)
    client = run_script(fleet, "emqp_client", front(broker.places["emqp"]), "emails", "a", "b")
    assert sorted(lines_of(client, "reply to")) == ["a is emails: a", "b is emails: b"]
    assert heard.is_set()
