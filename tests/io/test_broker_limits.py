"""The broker's shell against peers that send too much, read too little, or talk nonsense."""

from __future__ import annotations

import json
import random

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import Raw, eventually
from support.running import Peer, Running, Scene, listener
from support.wire import Emqp, Frames, Mdpx, Ppp
from zwire.core.effects import What
from zwire.core.policy import Limits, ServiceRules
from zwire.io.config import Listener
from zwire.io.endpoints import Endpoint
from zwire.io.telling import as_json, as_line

pytestmark = pytest.mark.process


def serve(client: Peer, worker: Peer, address: bytes, request_id: bytes = b"last") -> None:
    """See a request through, to show that the broker is well."""
    client.send(*Mdpx.ask(request_id, b"?"))
    assert worker.receive() == Mdpx.task(address, request_id, b"?")
    worker.send(*Mdpx.done(address, request_id, b"!"))
    assert client.receive() == Mdpx.final(request_id, b"!")


# Too much


def test_a_message_of_too_many_frames_is_refused_and_one_of_just_enough_is_served(
    scene: Scene,
) -> None:
    broker = scene.broker(listener("mdpx"), max_frames=10)
    worker = scene.worker(broker, b"W")
    greedy, modest = scene.peer(broker.front, b"greedy"), scene.peer(broker.front, b"modest")
    greedy.send(*Mdpx.ask(b"1", *[b"x"] * 7))
    broker.wait_for(What.INVALID, peer=b"greedy")
    modest.send(*Mdpx.ask(b"2", *[b"x"] * 6))
    assert worker.receive()[4:] == [b"2", *[b"x"] * 6]
    assert broker.broker.statistics["accepted"] == 1


def test_a_worker_that_reads_slowly_is_sent_all_the_requests_it_may_hold(scene: Scene) -> None:
    credit = 2_000
    broker = scene.broker(listener("mdpx"), rules=ServiceRules(credit=credit))
    client = scene.peer(broker.front, b"C")
    for number in range(credit):
        client.send(*Mdpx.ask(b"%d" % number, bytes(8_000)))
    broker.wait_for_count("accepted", credit)
    worker = scene.own(Raw(zmq.DEALER, scene.context, identity=b"W", queue=1))
    worker.socket.setsockopt(zmq.RCVBUF, 4_096)
    worker.connect(broker.back)
    worker.send(*Mdpx.ready())
    broker.wait_for_count("assigned", credit)
    for number in range(credit):
        assert worker.receive()[4] == b"%d" % number
    assert broker.told(What.WORKER_LOST) == []


def test_a_long_name_does_not_make_a_long_line(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), limits=Limits(max_services=0))
    long = bytes(range(1, 128)) * 1_000
    for number, frames in enumerate(
        (
            Mdpx.ask(long, b"x"),
            Mdpx.ask(b"1", b"x", service=b"y" * 100_000),
            [Mdpx.CLIENT, long, b"x"],
        )
    ):
        scene.peer(broker.front, b"C%d" % number).send(*frames)
    eventually(lambda: len(broker.events) == 3, "all are refused")
    for told in broker.events:
        assert len(as_line(told)) < 2_000
        assert len(json.dumps(as_json(told))) < 3_000
    assert "… (127000 octets)" in as_line(broker.told(What.REFUSED)[0])


def test_listeners_of_one_dialect_are_told_apart(scene: Scene) -> None:
    broker = scene.broker(listener("emqp", one=True), listener("emqp", one=True))
    for bound in broker.bound[:2]:
        scene.peer(bound.front, b"P").send(b"nonsense")
        broker.wait_for(What.INVALID, endpoint="emqp" if bound is broker.bound[0] else "emqp 2")


def test_a_frame_that_is_too_long_costs_its_sender_the_connection(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), max_message_size=1000)
    worker = scene.worker(broker, b"W")
    greedy = scene.peer(broker.front, b"greedy")
    greedy.watch().connected()
    greedy.send(*Mdpx.ask(b"1", bytes(1001)))
    greedy.watch().disconnected()
    modest = scene.peer(broker.front, b"modest")
    modest.send(*Mdpx.ask(b"2", bytes(1000)))
    assert worker.receive()[4:] == [b"2", bytes(1000)]
    assert broker.broker.statistics["accepted"] == 1


def test_a_full_broker_leaves_its_front_end_unread_and_refuses_nothing(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"), limits=Limits(max_open=10))
    client = scene.peer(broker.front, b"C")
    names = [b"%d" % number for number in range(100)]
    for name in names:
        client.send(*Mdpx.ask(name, b"?"))
    broker.wait_for_count("accepted", 10)
    worker = scene.worker(broker, b"W")
    # The back end is heard all the while.
    for number, name in enumerate(names):
        assert worker.receive() == Mdpx.task(b"C", name, b"?")
        worker.send(*Mdpx.PING)
        assert worker.receive() == Mdpx.PONG
        assert broker.broker.statistics["accepted"] <= number + 10
        worker.send(*Mdpx.done(b"C", name, b"!"))
        assert client.receive() == Mdpx.final(name, b"!")
    assert not broker.told(What.REFUSED)


def test_where_workers_speak_too_a_full_broker_refuses_before_it_accepts(scene: Scene) -> None:
    broker = scene.broker(listener("emqp", one=True), limits=Limits(max_open=3))
    client = scene.peer(broker.front, b"C")
    for number in range(5):
        client.send(*Emqp.request(b"%d" % number, b"?"))
    broker.wait_for(What.REFUSED, request_id=b"4")
    assert broker.broker.statistics["accepted"] == 3
    assert [one.request_id for one in broker.told(What.REFUSED)] == [b"3", b"4"]


# Too slow


def slow_client(scene: Scene, broker: Running) -> Raw:
    """A client that has hardly any room for what it does not read."""
    client = scene.own(Raw(zmq.DEALER, scene.context, identity=b"slow", queue=1))
    client.socket.setsockopt(zmq.RCVBUF, 4096)
    client.connect(broker.front)
    return client


def stream_until(scene: Scene, broker: Running, worker: Peer, what: What) -> int:
    """Have the worker send parts of its reply until this is told; how many it sent."""
    sent = 0
    while not broker.told(what):
        assert sent < 200_000, "the broker takes no notice of a client that does not read"
        for _ in range(200):
            worker.send(*Mdpx.part(b"slow", b"1", b"%d" % sent, bytes(4000)))
            sent += 1
        # The answer comes after everything before it was dealt with.
        worker.send(*Mdpx.PING)
        assert worker.receive() == Mdpx.PONG
    return sent


def test_replies_to_a_slow_reader_are_kept_in_order(scene: Scene) -> None:
    limits = Limits(max_parked=1_000_000, max_parked_total=1_000_000, parked_for=1e6)
    broker = scene.broker(listener("mdpx"), real_time=True, limits=limits)
    worker, client = scene.worker(broker, b"W"), slow_client(scene, broker)
    client.send(*Mdpx.ask(b"1", b"?"))
    worker.receive()
    sent = stream_until(scene, broker, worker, What.REPLY_PARKED)
    worker.send(*Mdpx.done(b"slow", b"1", b"end"))
    for number in range(sent):
        assert client.receive()[:5] == Mdpx.partial(b"1", b"%d" % number)
    assert client.receive() == Mdpx.final(b"1", b"end")
    assert not broker.told(What.REPLY_DROPPED)


def test_what_a_slow_reader_leaves_too_long_is_dropped_and_told_and_others_are_served(
    scene: Scene,
) -> None:
    limits = Limits(max_parked=50, parked_for=1e6)
    broker = scene.broker(listener("mdpx"), real_time=True, limits=limits)
    worker, client = scene.worker(broker, b"W"), slow_client(scene, broker)
    client.send(*Mdpx.ask(b"1", b"?"))
    worker.receive()
    stream_until(scene, broker, worker, What.REPLY_DROPPED)
    assert broker.told(What.FAILED, request_id=b"1")
    # What was parked of that reply goes too, and makes room.
    broker.wait_for_count(What.REPLY_DROPPED.value, 1 + limits.max_parked)
    worker.send(*Mdpx.done(b"slow", b"1", b"end"))
    broker.wait_for(What.LATE_REPLY, request_id=b"1")
    serve(scene.peer(broker.front, b"C"), worker, b"C")
    client.send(*Mdpx.ask(b"2", b"?"))
    assert worker.receive() == Mdpx.task(b"slow", b"2", b"?")
    worker.send(*Mdpx.done(b"slow", b"2", b"!"))
    # It gets the beginning of the first reply without a gap, no end of it, and then the second.
    number = 0
    while (frames := client.receive())[3] == b"1":
        assert frames[:5] == Mdpx.partial(b"1", b"%d" % number)
        number += 1
    assert frames == Mdpx.final(b"2", b"!")
    assert number > 0


# Nonsense


GOOD: list[Frames] = [
    Mdpx.ask(b"1", b"?"),
    Mdpx.ready(),
    Mdpx.PING,
    Mdpx.done(b"C", b"1", b"!"),
    Emqp.request(b"1", b"?"),
    Emqp.inform(b"1"),
    Emqp.reply(b"1", b"!"),
    Ppp.READY,
    [b"a", b"", b"?"],
    [b"", b"MDPC01", b"echo", b"?"],
    [b"MDPW02", b"\x01", b"echo"],
]


def mutated(chance: random.Random) -> Frames:
    """A message of some dialect with something wrong about it, most often."""
    frames = list(chance.choice(GOOD))
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(frames))
        match chance.randrange(4):
            case 0:
                frames.insert(place, chance.randbytes(chance.randrange(20)))
            case 1:
                frames[place] = chance.randbytes(chance.randrange(20))
            case 2:
                frames[place] = frames[place][:-1]
            case _:
                del frames[place]
                frames = frames or [b""]
    # Services of the strangers' own: what they register must not take the good request.
    return [b"nonsense" if frame == b"echo" else frame for frame in frames]


def test_thousands_of_strange_messages_do_not_stop_it(scene: Scene) -> None:
    broker = scene.broker(
        listener("mdpx"),
        listener("emqp", one=True),
        listener("mdp", one=True),
        listener("ppp", service="nonsense"),
        Listener("mdp", Endpoint(ANY_PORT), Endpoint(ANY_PORT)),
    )
    chance = random.Random(20)
    for bound in broker.bound[:-1]:
        for address in dict.fromkeys((bound.front, bound.back)):
            for _ in range(20):
                stranger = scene.peer(address)
                for _ in range(50):
                    stranger.send(*mutated(chance))
    turned_down = (What.INVALID.value, What.STRANGER.value, "ignored")
    eventually(
        lambda: sum(broker.broker.statistics[name] for name in turned_down) > 4000,
        f"thousands were turned down: {broker.broker.statistics}",
    )
    worker = scene.worker(broker, b"W")
    serve(scene.peer(broker.front, b"C"), worker, b"C")
    broker.broker.stop(at_once=True)
    broker.broker.join()
