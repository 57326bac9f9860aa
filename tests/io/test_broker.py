"""The broker's shell: starting, stopping, binding, connecting, and coming back."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
import zmq

from support.keys import make_keys
from support.ports import ANY_PORT, ReservedPort
from support.raw import PATIENCE, Raw, eventually
from support.running import Scene, listener
from support.wire import Emqp, Mdpx, Ppp
from zwire import Client, ClientSettings, Closed, LocalError, Worker, WorkerSettings
from zwire.core.effects import Tell, What
from zwire.io.broker import Broker
from zwire.io.config import BrokerConfig, ConfigError, Listener
from zwire.io.endpoints import Endpoint
from zwire.io.errors import BadEndpoint
from zwire.io.keys import write_keys
from zwire.io.security import CurveClient, secure_client

pytestmark = pytest.mark.process

MDPX = BrokerConfig((listener("mdpx"),))


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


# Starting and stopping


def test_a_broker_runs_while_its_context_lasts_and_leaves_nothing_behind() -> None:
    with Broker(MDPX) as broker:
        assert "zwire-broker" in threads()
        address = broker.bound[0].front
    assert "zwire-broker" not in threads()
    with pytest.raises(Closed):
        broker.run()
    # Its port is free again.
    again = BrokerConfig((Listener("mdpx", Endpoint(address), Endpoint(ANY_PORT)),))
    Broker(again).close()


def test_a_broker_serves_in_the_thread_that_runs_it_until_another_stops_it(scene: Scene) -> None:
    broker = Broker(MDPX)
    stopper = threading.Timer(0, broker.stop)
    stopper.start()
    broker.run()
    stopper.join(PATIENCE)
    with pytest.raises(Closed):
        broker.run()


def test_a_broker_that_runs_cannot_be_started_again() -> None:
    with Broker(MDPX) as broker:
        with pytest.raises(LocalError, match="runs already"):
            broker.start()


def test_closing_twice_and_stopping_what_is_closed_does_no_harm() -> None:
    broker = Broker(MDPX).start()
    broker.close()
    broker.close()
    broker.stop()
    broker.stop(at_once=True)
    broker.join()


def test_a_failure_in_the_thread_is_told_to_whoever_joins() -> None:
    def broken() -> float:
        raise OSError("no clock")

    broker = Broker(MDPX, clock=broken).start()
    with pytest.raises(OSError, match="no clock"):
        broker.join()


def test_an_observer_that_raises_stops_nothing(scene: Scene) -> None:
    told: list[What] = []

    def clumsy(happening: Tell) -> None:
        told.append(happening.what)
        raise ValueError("clumsy")

    with Broker(MDPX, on_event=clumsy) as broker:
        peer = scene.peer(broker.bound[0].front, b"C")
        peer.send(b"nonsense")
        eventually(lambda: told == [What.INVALID], f"it was told: {told}")
        other = scene.peer(broker.bound[0].front, b"D")
        other.send(*Mdpx.ask(b"1", b"echo", service=b"mmi.service"))
        assert other.receive()[-1] == b"404"


def test_what_is_open_is_finished_before_it_stops_and_nothing_new_is_taken(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    assert worker.receive() == Mdpx.task(b"C", b"1", b"?")
    broker.broker.stop()
    broker.wait_for(What.DRAINING)
    client.send(*Mdpx.ask(b"2", b"?"))
    broker.wait_for(What.REFUSED, request_id=b"2")
    worker.send(*Mdpx.done(b"C", b"1", b"!"))
    broker.broker.join()
    assert client.rest() == [Mdpx.final(b"1", b"!")]
    assert worker.rest() == [Mdpx.DISCONNECT]


def test_after_the_limit_what_is_still_open_fails_and_is_told(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), drain=2.0)
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    worker.receive()
    broker.broker.stop()
    broker.wait_for(What.DRAINING)
    scene.clock.now += 3.0
    worker.send(*Mdpx.PING)
    broker.broker.join()
    assert broker.told(What.FAILED, request_id=b"1")
    assert worker.rest()[-1] == Mdpx.DISCONNECT


def test_a_second_stop_does_not_wait_for_what_is_open(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), drain=1e6)
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    worker.receive()
    broker.broker.stop()
    broker.wait_for(What.DRAINING)
    broker.broker.stop(at_once=True)
    broker.broker.join()
    assert broker.told(What.FAILED, request_id=b"1")
    assert worker.rest() == [Mdpx.DISCONNECT]
    assert client.rest() == []


# Binding and connecting


def test_an_endpoint_that_is_taken_is_named_and_nothing_stays_open() -> None:
    with Broker(MDPX) as broker:
        taken = broker.bound[0].front
        with ReservedPort() as free:
            config = BrokerConfig((Listener("mdpx", Endpoint(free.endpoint), Endpoint(taken)),))
            with pytest.raises(BadEndpoint, match="another program may have it"):
                Broker(config)
            # The one that it had bound already was let go.
            Broker(BrokerConfig((Listener("emqp", Endpoint(free.endpoint)),))).close()


def test_a_configuration_with_mistakes_makes_no_broker() -> None:
    with pytest.raises(ConfigError, match="open to other machines"):
        Broker(BrokerConfig((Listener("emqp", Endpoint("tcp://*:*")),)))


def test_beyond_loopback_it_binds_when_that_is_meant() -> None:
    config = BrokerConfig((Listener("emqp", Endpoint("tcp://0.0.0.0:*")),), insecure=True)
    with Broker(config) as broker:
        assert broker.bound[0].front.startswith("tcp://0.0.0.0:")


def test_a_broker_listens_on_ipv6(scene: Scene) -> None:
    place = Endpoint("tcp://[::1]:*")
    try:
        broker = scene.broker(Listener("mdpx", place, place), real_time=True)
    except BadEndpoint:
        with socket.socket(socket.AF_INET6) as plain, pytest.raises(OSError):
            plain.bind(("::1", 0))
        pytest.skip("this machine has no IPv6")
    worker = Worker(broker.back, "echo", dialect="mdpx")
    worker.handler(lambda word: word)
    with worker, Client(broker.front, dialect="mdpx") as client:
        assert client.request("echo", b"six", timeout=PATIENCE).body == (b"six",)


def test_a_broker_may_connect_to_peers_that_bind(scene: Scene) -> None:
    worker, client = (scene.own(Raw(zmq.DEALER, scene.context)) for _ in range(2))
    back, front = worker.bind(ANY_PORT), client.bind(ANY_PORT)
    places = Endpoint(front, connects=True), Endpoint(back, connects=True)
    scene.broker(Listener("ppp", *places, "echo", interval=60.0))
    client.send(b"id", b"", b"question")
    worker.send(*Ppp.READY)
    request = worker.receive()
    worker.send(*request[:-1], b"answer")
    assert client.receive() == [b"id", b"", b"answer"]


# A broker that goes and comes back


@pytest.mark.parametrize("dialect", ["mdpx", "emqp", "ppp"])
def test_workers_and_clients_find_a_restarted_broker_by_themselves(
    scene: Scene, dialect: str
) -> None:
    front, back = (scene.own(ReservedPort()).endpoint for _ in range(2))
    service = "echo" if dialect == "ppp" else ""
    places = Listener(dialect, Endpoint(front), Endpoint(back), service, 0.2, 20.0)
    first = scene.broker(places, real_time=True)
    worker = scene.own(
        Worker(
            back,
            "echo",
            dialect=dialect,
            settings=WorkerSettings(interval=0.2, reconnect=0.1, reconnect_longest=0.5),
        )
    )
    worker.handler(lambda body: body)
    worker.start()
    settings = ClientSettings(timeout=3 * PATIENCE, retry=0.5, retry_longest=1.0)
    client = scene.own(Client(front, dialect=dialect, settings=settings))
    assert client.request("echo", b"before").body == (b"before",)
    first.close()
    future = client.submit("echo", b"meanwhile")
    scene.broker(places, real_time=True)
    assert future.result(3 * PATIENCE).body == (b"meanwhile",)
    assert client.request("echo", b"after").body == (b"after",)


# Time


def test_a_broker_that_was_held_up_hears_its_peers_before_it_gives_them_up(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx", interval=1.0, liveness=4.0))
    worker = scene.worker(broker, b"W")
    scene.let_pass(broker, 0.1)
    scene.clock.now += 60.0  # as if the process had been frozen for a minute
    scene.let_pass(broker, 0.05)
    assert not broker.told(What.WORKER_LOST)
    worker.send(*Mdpx.PING)
    assert worker.receive() == Mdpx.PONG
    scene.let_pass(broker, 3.0)
    assert not broker.told(What.WORKER_LOST)
    scene.let_pass(broker, 2.0)
    assert broker.told(What.WORKER_LOST)


# Security


def test_only_authorised_keys_get_in_and_others_cost_nothing(scene: Scene, tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    broker = scene.broker(listener("emqp", one=True), curve=keys.broker)
    plain = scene.peer(broker.front, b"plain")
    plain.send_if_admitted(*Emqp.inform(b"1"))
    settings = ClientSettings(timeout=PATIENCE, retry=0)
    stranger = scene.own(
        Client(broker.front, dialect="emqp", curve=keys.stranger, settings=settings)
    )
    refused = stranger.submit("echo", b"?")
    worker = scene.own(Worker(broker.front, "echo", dialect="emqp", curve=keys.guest))
    worker.handler(lambda body: body)
    worker.start()
    guest = scene.own(Client(broker.front, dialect="emqp", curve=keys.guest, settings=settings))
    assert guest.request("echo", b"hello").body == (b"hello",)
    assert not refused.done()
    assert not plain.waiting()
    assert {one.what for one in broker.events} == {What.WORKER_JOINED}
    assert broker.broker.statistics["accepted"] == 1


def test_workers_may_do_without_the_keys_that_clients_need(scene: Scene, tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    mixed = Listener("mdpx", Endpoint(ANY_PORT), Endpoint(ANY_PORT, plain=True), "", 60.0)
    broker = scene.broker(mixed, curve=keys.broker)
    worker = scene.worker(broker, b"W")
    plain = scene.peer(broker.front, b"plain")
    plain.send_if_admitted(*Mdpx.ask(b"1", b"?"))
    client = scene.own(Client(broker.front, dialect="mdpx", curve=keys.guest))
    asked = client.submit("echo", b"?", timeout=3 * PATIENCE)
    _, _, address, _, request_id, body = worker.receive()
    worker.send(*Mdpx.done(address, request_id, body + b"!"))
    assert asked.result().body == (b"?!",)
    assert broker.broker.statistics["accepted"] == 1
    assert not plain.waiting()


def test_an_authorised_thief_of_an_identity_gets_no_work_and_does_no_harm_to_its_owner(
    scene: Scene, tmp_path: Path
) -> None:
    keys = make_keys(tmp_path)
    write_keys(keys.broker.authorised, "thief", keys.stranger.pair)  # authorised as well
    broker = scene.broker(listener("mdpx"), curve=keys.broker)

    def peer(address: str, identity: bytes, key: CurveClient) -> Raw:
        made = scene.own(Raw(zmq.DEALER, scene.context, identity=identity, reconnects=False))
        secure_client(made.socket, key)
        made.connect(address)
        return made

    owner, client = peer(broker.back, b"W", keys.guest), peer(broker.front, b"C", keys.guest)
    owner.send(*Mdpx.ready())
    broker.wait_for(What.WORKER_JOINED, peer=b"W")
    client.send(*Mdpx.ask(b"1", b"secret"))
    assert owner.receive() == Mdpx.task(b"C", b"1", b"secret")
    thief = peer(broker.back, b"W", keys.stranger)
    thief.send(*Mdpx.PING)
    broker.wait_for(What.REDELIVERED, peer=b"W")
    client.send(*Mdpx.ask(b"2", b"secret too"))
    broker.wait_for_count("accepted", 2)
    # Whom it belongs to is heard at once: it is told that it was forgotten, and begins anew.
    back = peer(broker.back, b"W", keys.guest)
    back.send(*Mdpx.PING)
    assert back.receive() == Mdpx.DISCONNECT
    other = peer(broker.back, b"V", keys.guest)
    other.send(*Mdpx.ready())
    for request_id, body in ((b"1", b"secret"), (b"2", b"secret too")):
        assert other.receive() == Mdpx.task(b"C", request_id, body)
        other.send(*Mdpx.done(b"C", request_id, b"done"))
        assert client.receive() == Mdpx.final(request_id, b"done")
    assert not thief.waiting()


def test_a_key_counts_from_the_moment_it_is_put_into_the_folder(
    scene: Scene, tmp_path: Path
) -> None:
    keys = make_keys(tmp_path)
    authorised = keys.broker.authorised / "guest.key"
    away = tmp_path / "guest.key"
    authorised.rename(away)
    broker = scene.broker(listener("mdpx"), curve=keys.broker)
    early = scene.own(Client(broker.front, dialect="mdpx", curve=keys.guest))
    refused = early.submit("mmi.service", b"echo", timeout=3 * PATIENCE)
    away.rename(authorised)
    client = scene.own(Client(broker.front, dialect="mdpx", curve=keys.guest))
    reply = client.request("mmi.service", b"echo", timeout=3 * PATIENCE)
    assert reply.body == (b"404",)
    refused.cancel()
