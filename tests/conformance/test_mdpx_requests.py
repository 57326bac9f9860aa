"""MDPX: requests and replies through the running broker, with raw clients and workers."""

from __future__ import annotations

import pytest

from support.running import Scene, listener
from support.wire import Frames, Mdpx
from zwire.core.effects import What
from zwire.core.policy import Limits, ServiceRules

pytestmark = pytest.mark.process


@pytest.mark.clause("MDPX-TOP-01")
def test_clients_and_workers_have_a_socket_each_and_are_refused_at_the_other(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    assert broker.front != broker.back
    lost_worker, lost_client = scene.peer(broker.front, b"W"), scene.peer(broker.back, b"C")
    lost_worker.send(*Mdpx.ready())
    lost_client.send(*Mdpx.ask(b"1", b"hello"))
    broker.wait_for(What.INVALID, peer=b"W", endpoint="mdpx front")
    broker.wait_for(What.INVALID, peer=b"C", endpoint="mdpx back")
    assert not broker.told(What.WORKER_JOINED)
    broker.close()
    assert lost_worker.rest() == lost_client.rest() == []


@pytest.mark.clause("MDPX-TOP-02", "MDPX-TOP-03", "MDPX-RR-06")
def test_replies_are_routed_by_the_identity_which_is_no_frame_of_a_command(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    worker = scene.worker(broker, b"W")
    clients = {name: scene.peer(broker.front, name) for name in (b"Ada", b"Bob")}
    for name, client in clients.items():
        client.send(*Mdpx.ask(b"the same id", b"from " + name))
    for _ in clients:
        task = worker.receive()
        address = task[2]
        assert task == Mdpx.task(address, b"the same id", b"from " + address)
        worker.send(*Mdpx.done(address, b"the same id", b"to " + address))
    for name, client in clients.items():
        assert client.receive() == Mdpx.final(b"the same id", b"to " + name)


@pytest.mark.clause(
    "MDPX-CLI-06",
    "MDPX-FMT-01",
    "MDPX-FMT-02",
    "MDPX-FMT-03",
    "MDPX-FMT-05",
    "MDPX-FMT-06",
    "MDPX-FMT-07",
    "MDPX-RR-02",
    "MDPX-RR-03",
    "MDPX-RR-04",
    "MDPX-RR-05",
)
@pytest.mark.parametrize("body", [[b"one"], [b""], [b"one", b"", b"\x00\xff"]])
@pytest.mark.parametrize("partials", [0, 1, 5])
def test_a_request_and_all_its_replies_octet_by_octet(
    scene: Scene, body: Frames, partials: int
) -> None:
    broker = scene.broker(listener("mdpx"))
    worker = scene.worker(broker, b"W")
    client = scene.peer(broker.front, b"Client")
    client.send(b"MDXC01", b"\x01", b"echo", b"id-1", *body)
    assert worker.receive() == [b"MDXW01", b"\x02", b"Client", b"", b"id-1", *body]
    for number in range(partials):
        worker.send(b"MDXW01", b"\x03", b"Client", b"", b"id-1", b"%d" % number, *body)
    worker.send(b"MDXW01", b"\x04", b"Client", b"", b"id-1", b"end", *body)
    for number in range(partials):
        assert client.receive() == [b"MDXC01", b"\x02", b"echo", b"id-1", b"%d" % number, *body]
    assert client.receive() == [b"MDXC01", b"\x03", b"echo", b"id-1", b"end", *body]
    broker.close()
    assert client.rest() == []
    assert worker.rest() == [Mdpx.DISCONNECT]


@pytest.mark.clause("MDPX-CLI-04")
def test_replies_to_several_requests_of_one_client_come_interleaved(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), rules=ServiceRules(credit=2))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"a", b"?"))
    client.send(*Mdpx.ask(b"b", b"?"))
    assert [worker.receive()[4] for _ in range(2)] == [b"a", b"b"]
    worker.send(*Mdpx.part(b"C", b"b", b"b1"))
    worker.send(*Mdpx.part(b"C", b"a", b"a1"))
    worker.send(*Mdpx.done(b"C", b"b", b"b2"))
    worker.send(*Mdpx.part(b"C", b"a", b"a2"))
    worker.send(*Mdpx.done(b"C", b"a", b"a3"))
    assert [client.receive() for _ in range(5)] == [
        Mdpx.partial(b"b", b"b1"),
        Mdpx.partial(b"a", b"a1"),
        Mdpx.final(b"b", b"b2"),
        Mdpx.partial(b"a", b"a2"),
        Mdpx.final(b"a", b"a3"),
    ]


@pytest.mark.clause("MDPX-CLI-06")
def test_a_reply_broken_off_after_a_part_is_not_begun_again_by_another_worker(
    scene: Scene,
) -> None:
    broker = scene.broker(listener("mdpx"))
    first, client = scene.worker(broker, b"W1"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    first.receive()
    first.send(*Mdpx.part(b"C", b"1", b"begun"))
    assert client.receive() == Mdpx.partial(b"1", b"begun")
    second = scene.worker(broker, b"W2")
    first.send(*Mdpx.DISCONNECT)
    broker.wait_for(What.FAILED, request_id=b"1")
    broker.close()
    assert client.rest() == []
    assert second.rest() == [Mdpx.DISCONNECT]


@pytest.mark.clause("MDPX-FMT-01", "MDPX-CONN-02", "MDPX-CONN-12")
@pytest.mark.parametrize(
    "nonsense",
    [
        [b"MDXC01", b"\x01", b"echo", b"id"],
        [b"MDXC01", b"\x01", b"echo", b"", b"body"],
        [b"MDXC01", b"\x01", b"", b"id", b"body"],
        [b"MDXC01", b"\x04", b"echo", b"id", b"body"],
        [b"MDPC02", b"\x01", b"echo", b"id", b"body"],
        [b"", b"MDXC01", b"\x01", b"echo", b"id", b"body"],
    ],
    ids=["no body", "empty id", "no service", "unknown command", "other header", "delimiter"],
)
def test_what_is_no_request_is_dropped_and_its_sender_held_for_invalid(
    scene: Scene, nonsense: Frames
) -> None:
    broker = scene.broker(listener("mdpx"))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*nonsense)
    broker.wait_for(What.INVALID, peer=b"C")
    client.send(*Mdpx.ask(b"1", b"now in good order"))
    broker.wait_for_count("ignored", 1)
    broker.close()
    assert client.rest() == []
    assert worker.rest() == [Mdpx.DISCONNECT]


@pytest.mark.clause(
    "MDPX-FMT-06", "MDPX-FMT-07", "MDPX-RR-02", "MDPX-RR-03", "MDPX-RR-04", "MDPX-RR-05"
)
@pytest.mark.parametrize("command", [b"\x03", b"\x04"], ids=["PARTIAL", "FINAL"])
@pytest.mark.parametrize(
    "rest",
    [
        [b"", b"id", b"body"],
        [b"C", b"", b"id"],
        [b"C", b"id", b"body"],
        [b"C", b"D", b"", b"id", b"body"],
        [b"C", b"x", b"id", b"body"],
        [b"C", b"", b"", b"body"],
    ],
    ids=["no address", "no body", "no empty frame", "two addresses", "not empty", "no id"],
)
def test_a_reply_of_another_form_is_no_reply(
    scene: Scene, command: bytes, rest: list[bytes]
) -> None:
    broker = scene.broker(listener("mdpx"))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"id", b"?"))
    worker.receive()
    worker.send(b"MDXW01", command, *rest)
    broker.wait_for(What.INVALID, peer=b"W")
    broker.wait_for(What.REDELIVERED, request_id=b"id")
    broker.close()
    assert client.rest() == worker.rest() == []


@pytest.mark.clause("MDPX-MISC-02")
def test_a_bound_on_the_open_requests_of_a_client_is_an_option(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), limits=Limits(max_open_per_client=1))
    client, other = scene.peer(broker.front, b"C"), scene.peer(broker.front, b"D")
    client.send(*Mdpx.ask(b"1", b"?"))
    client.send(*Mdpx.ask(b"2", b"?"))
    broker.wait_for(What.REFUSED, peer=b"C", request_id=b"2")
    other.send(*Mdpx.ask(b"3", b"?"))
    broker.wait_for_count("accepted", 2)
    worker = scene.worker(broker, b"W")
    for address, request_id in ((b"C", b"1"), (b"D", b"3")):
        assert worker.receive() == Mdpx.task(address, request_id, b"?")
        worker.send(*Mdpx.done(address, request_id, b"!"))
    assert client.receive() == Mdpx.final(b"1", b"!")
    assert other.receive() == Mdpx.final(b"3", b"!")
    assert len(broker.told(What.REFUSED)) == 1


@pytest.mark.clause("MDPX-GOAL-01", "MDPX-CONN-03")
def test_three_workers_take_turns_and_who_just_answered_is_last(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    workers = [scene.worker(broker, b"W%d" % number) for number in range(3)]
    client = scene.peer(broker.front, b"C")
    for number in range(9):
        name = b"%d" % number
        client.send(*Mdpx.ask(name, b"?"))
        worker = workers[number % 3]
        assert worker.receive() == Mdpx.task(b"C", name, b"?")
        worker.send(*Mdpx.done(b"C", name, b"!"))
        assert client.receive() == Mdpx.final(name, b"!")
