"""Stories of nodes under CURVE: they speak with those whose keys they hold, and with nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import zmq

from support.nodes import Gathering, counted, gathering
from support.raw import Watch
from zwire.errors import LocalError
from zwire.io.keys import write_keys
from zwire.io.security import CurveServer
from zwire.zre import Options
from zwire.zre.events import Entered, Whispered
from zwire_protocols.zre36 import messages as zre36

pytestmark = pytest.mark.process


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


class Ring:
    """The keys of some friends, who all authorise each other, and of a stranger, whom nobody does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._authorised = folder / "authorised"
        self._authorised.mkdir()

    def friend(self, name: str) -> CurveServer:
        keys = self.stranger(name)
        public = self._folder / f"{name}.key"
        (self._authorised / public.name).write_bytes(public.read_bytes())
        return keys

    def stranger(self, name: str) -> CurveServer:
        files = write_keys(self._folder, name)
        return CurveServer.from_files(files.secret, self._authorised)


@pytest.fixture
def ring(tmp_path: Path) -> Ring:
    return Ring(tmp_path)


def test_nodes_with_keys_meet_and_ignore_those_without(here: Gathering, ring: Ring) -> None:
    plain = here.node("plain")
    ann, bob = (here.node(name, curve=ring.friend(name)) for name in ("ann", "bob"))
    ann.met(bob)
    bob.met(ann)
    assert "X-PUBLICKEY" in ann.node.headers
    assert bob.wait_for(Entered).headers == {}
    ann.node.whisper(bob.node.uuid, "secret")
    assert bob.wait_for(Whispered).content == (b"secret",)
    # Both sides have heard the beacons of the other kind, and dropped them.
    counted(plain.node, "beacons_foreign", 2)
    counted(ann.node, "beacons_foreign", 1)
    assert plain.node.peers() == []
    assert [peer.name for peer in ann.node.peers()] == ["bob"]


def test_a_key_that_is_not_authorised_is_not_let_in(here: Gathering, ring: Ring) -> None:
    ann = here.node("ann", curve=ring.friend("ann"))
    eve = here.node("eve", curve=ring.stranger("eve"))
    bob = here.node("bob", curve=ring.friend("bob"))
    ann.met(bob)
    bob.met(ann)
    # Eve has heard both, greeted both, and was heard by none.
    counted(eve.node, "beacons_heard", 2)
    counted(eve.node, "messages_sent", 2)
    ann.node.whisper(bob.node.uuid, "between us")
    bob.wait_for(Whispered)
    assert [peer.name for peer in ann.node.peers()] == ["bob"]
    assert [peer.name for peer in bob.node.peers()] == ["ann"]


def test_what_comes_in_the_clear_is_not_heard(here: Gathering, ring: Ring) -> None:
    ann = here.node("ann", curve=ring.friend("ann"))
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    here.own(context.term)
    with closing(context.socket(zmq.DEALER)) as plain:
        plain.setsockopt(zmq.LINGER, 0)
        plain.setsockopt(zmq.ROUTING_ID, b"\x01" + bytes(range(1, 17)))
        watch = Watch(plain)
        here.own(watch.close)
        plain.connect(ann.node.endpoint)
        hello = zre36.Hello(1, "tcp://127.0.0.1:50000", (), 0, "eve", ())
        plain.send_multipart(zre36.encode(hello))
        watch.disconnected()
    assert ann.node.statistics()["messages_heard"] == 0


def test_static_peers_under_curve_are_known_by_their_key(here: Gathering, ring: Ring) -> None:
    quiet = Options(beacons=False)
    keys = ring.friend("bob")
    bob = here.node("bob", curve=keys, options=quiet)
    where = f"{bob.node.endpoint}|{keys.pair.public.decode()}"
    ann = here.node("ann", curve=ring.friend("ann"), options=quiet, peers=(where,))
    ann.met(bob)
    bob.met(ann)
    with pytest.raises(LocalError, match=r"needs that of a static peer: expected .*\|KEY"):
        here.node("cat", curve=ring.friend("cat"), peers=(bob.node.endpoint,))
    with pytest.raises(LocalError, match=r"the 40 characters of public-key .* got 3 that are no"):
        here.node("cat", curve=ring.friend("dog"), peers=(f"{bob.node.endpoint}|abc",))
    dan = here.node("dan", curve=ring.friend("dan"), options=quiet)
    with pytest.raises(LocalError, match=r"needs that of a static peer: expected .*\|KEY"):
        dan.node.seek(bob.node.endpoint)
    dan.node.seek(where)
    dan.met(bob)


def test_gossip_tells_the_keys_of_nodes(here: Gathering, ring: Ring) -> None:
    quiet = Options(beacons=False)
    hub = here.node("hub", curve=ring.friend("hub"), options=quiet, gossip_bind="tcp://127.0.0.1:*")
    where = hub.node.gossip_endpoint
    assert where is not None
    ann = here.node("ann", curve=ring.friend("ann"), options=quiet, gossip_hubs=(where,))
    ann.met(hub)
    hub.met(ann)
