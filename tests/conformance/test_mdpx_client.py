"""MDPX: our client against a scripted broker."""

from __future__ import annotations

import random

import pytest
import zmq

from support.raw import PATIENCE, Raw
from support.running import Scene
from support.wire import Frames, Mdpx
from zwire import Client, ClientSettings, NoAnswer

pytestmark = pytest.mark.process


def meet(scene: Scene, **settings: float) -> tuple[Raw, Client]:
    """A scripted broker and a client of it, which asks only once unless told otherwise."""
    router, address = scene.fake_broker()
    chosen = ClientSettings(**{"timeout": PATIENCE, "retry": 0, **settings})  # type: ignore[arg-type]
    client = scene.own(Client(address, dialect="mdpx", settings=chosen, identity=b"C"))
    return router, client


@pytest.mark.clause("MDPX-CLI-01", "MDPX-FMT-01")
def test_a_request_leaves_a_dealer_in_exactly_these_octets(scene: Scene) -> None:
    router, client = meet(scene)
    client.submit("echo", b"one", b"", "zwei", request_id=b"id-1")
    # A REQ would have put an empty frame in front.
    assert router.receive() == [b"C", b"MDXC01", b"\x01", b"echo", b"id-1", b"one", b"", b"zwei"]
    client.submit("echo", request_id=b"id-2")
    assert router.receive() == [b"C", b"MDXC01", b"\x01", b"echo", b"id-2", b""]
    # Another request while the first is open: no REQ could say that.


@pytest.mark.clause("MDPX-CLI-02", "MDPX-FMT-02", "MDPX-FMT-03")
@pytest.mark.parametrize("partials", [0, 1, 1000])
def test_any_number_of_partial_replies_is_understood_in_order(scene: Scene, partials: int) -> None:
    router, client = meet(scene)
    stream = client.stream("echo", b"?", request_id=b"id")
    router.receive()
    for number in range(partials):
        router.send(b"C", b"MDXC01", b"\x02", b"echo", b"id", b"%d" % number)
    router.send(b"C", b"MDXC01", b"\x03", b"echo", b"id", b"end", b"")
    pieces = list(stream)
    assert [piece.body for piece in pieces[:-1]] == [(b"%d" % n,) for n in range(partials)]
    assert pieces[-1].body == (b"end", b"")
    assert [piece.final for piece in pieces] == [False] * partials + [True]


@pytest.mark.clause("MDPX-CLI-03", "MDPX-CLI-04")
def test_twenty_open_requests_get_their_own_final_in_whatever_order(scene: Scene) -> None:
    router, client = meet(scene)
    names = [b"id-%d" % number for number in range(20)]
    futures = {name: client.submit("echo", name, request_id=name) for name in names}
    assert [router.receive()[4] for _ in names] == names
    random.Random(1).shuffle(names)
    router.send(b"C", *Mdpx.final(b"nobody's", b"stray"))
    for name in names:
        router.send(b"C", *Mdpx.partial(name, b"part of " + name))
    for name in names:
        router.send(b"C", *Mdpx.final(name, b"re " + name))
        router.send(b"C", *Mdpx.final(name, b"once more"))
    for name, future in futures.items():
        reply = future.result(PATIENCE)
        assert reply.body == (b"re " + name,)
        assert reply.partials == ((b"part of " + name,),)


@pytest.mark.clause("MDPX-CLI-05")
def test_a_silent_broker_is_asked_again_or_given_up_as_the_caller_wishes(scene: Scene) -> None:
    router, client = meet(scene, retry=0.2)
    future = client.submit("echo", b"?", request_id=b"id")
    asked = [router.receive() for _ in range(3)]
    assert asked == [[b"C", *Mdpx.ask(b"id", b"?")]] * 3
    router.send(b"C", *Mdpx.final(b"id", b"!"))
    assert future.result(PATIENCE).body == (b"!",)
    with pytest.raises(NoAnswer):
        client.request("echo", b"?", timeout=0.1)


@pytest.mark.clause("MDPX-CONN-02", "MDPX-FMT-02", "MDPX-FMT-03")
@pytest.mark.parametrize(
    "nonsense",
    [
        [b"MDPC02", b"\x03", b"echo", b"id", b"wrong"],
        [b"MDXC01", b"\x04", b"echo", b"id", b"wrong"],
        [b"MDXC01", b"\x03", b"echo", b"id"],
        [b"MDXC01", b"\x03", b"echo", b"", b"wrong"],
        [b"", b"MDXC01", b"\x03", b"echo", b"id", b"wrong"],
        [b""],
    ],
    ids=["other header", "other command", "no body", "empty id", "delimiter", "nothing"],
)
def test_what_is_no_reply_is_not_taken_for_one(scene: Scene, nonsense: Frames) -> None:
    router, client = meet(scene)
    future = client.submit("echo", b"?", request_id=b"id")
    router.receive()
    router.send(b"C", *nonsense)
    router.send(b"C", *Mdpx.final(b"id", b"right"))
    assert future.result(PATIENCE).body == (b"right",)


@pytest.mark.clause("MDPX-GOAL-03")
def test_a_thousand_requests_are_open_under_ids_that_the_caller_chose(scene: Scene) -> None:
    router, client = meet(scene)
    router.socket.setsockopt(zmq.SNDHWM, 2000)
    names = [b"mine %d" % number for number in range(1000)]
    futures = [client.submit("echo", name, request_id=name) for name in names]
    assert [router.receive() for _ in names] == [[b"C", *Mdpx.ask(name, name)] for name in names]
    assert not any(future.done() for future in futures)
    order = random.Random(2).sample(names, len(names))
    for name in order:
        router.send(b"C", *Mdpx.final(name, name[::-1]))
    for name, future in zip(names, futures, strict=True):
        reply = future.result(PATIENCE)
        assert (reply.request_id, reply.body) == (name, (name[::-1],))
