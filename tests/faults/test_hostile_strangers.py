"""Nothing that strangers send to a node stops it, or costs it a friend."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
import zmq

from support.fleet import progress, size
from support.nodes import Gathering, Listened, gathering
from support.processes import Program, python
from support.raw import PATIENCE, Context, Raw, eventually
from support.zre_junk import beacons, conversation, stranger
from zwire.zre.events import Entered, Left, Whispered

pytestmark = [pytest.mark.process, pytest.mark.timeout(7200)]

FRAMES = size(3_000, 700_000)
BEACONS = size(2_000, 300_000)
CROWD = 50  # strangers at a time
A_STRANGER = 20  # messages of one
AT_ONCE = 250  # beacons: fewer than a socket keeps
SLICES = size(2, 20)
GROWTH = 64 * 2**20  # octets that may come and go

SCRIPT = str(Path(__file__).parent.parent / "support" / "zre_target.py")


class Target:
    """A node that runs in another process, and a friend of it in this one."""

    def __init__(self, here: Gathering, descriptors: int = 0) -> None:
        self.program = Program(sys.executable, SCRIPT, str(here.port), str(descriptors), typed=True)
        here.own(self.program.kill)
        started = self.program.wait_for_json(started=True)
        self.uuid, self.endpoint = UUID(started["uuid"]), started["endpoint"]
        self.friend: Listened = here.node("friend", groups=("tea",))
        self.friend.wait_for(Entered, peer=self.uuid)
        self._port = here.port
        self._words = 0

    def fares(self) -> dict[str, Any]:
        """How it fares."""
        self.program.type_in("?")
        while True:
            found = self.program.wait_for_json()
            if "statistics" in found:
                return found

    def check(self) -> dict[str, Any]:
        """It lives, and the friend is known and answered; how it fares."""
        self._words += 1
        word = b"%d" % self._words
        self.friend.node.whisper(self.uuid, word)
        assert self.friend.wait_for(Whispered, peer=self.uuid, content=(word,))
        lost = [
            one for one in self.friend.events if isinstance(one, Left) and one.peer == self.uuid
        ]
        self.friend.forget()
        assert lost == []
        found = self.fares()
        assert found["lost"] == []
        assert found["threads"] <= 4
        return found

    def heard(self) -> int:
        """Messages that it has taken in, good and bad."""
        counts = self.fares()["statistics"]
        names = ("messages_heard", "messages_malformed", "messages_refused")
        return sum(counts[name] for name in names)

    def attack_mailbox(self, count: int, random: Random) -> None:
        """So many messages of strangers, some at a time."""
        while count > 0:
            count -= self._attack_with_crowd(count, random)

    def _attack_with_crowd(self, most: int, random: Random) -> int:
        """Messages of a few strangers, who stay until they were heard; how many it were."""
        context: Context = zmq.Context()
        with ExitStack() as strangers:
            strangers.callback(context.term)
            before, sent = self.heard(), 0
            for _ in range(CROWD):
                identity = stranger(random)
                peer = strangers.enter_context(Raw(zmq.DEALER, context, identity=identity))
                peer.connect(self.endpoint)
                for frames in conversation(identity, min(A_STRANGER, most - sent), random):
                    peer.send(*frames)
                    sent += 1
                if sent >= most:
                    break
            self._wait_until_heard(before + sent)
        return sent

    def _wait_until_heard(self, count: int) -> None:
        try:
            eventually(lambda: self.heard() >= count, "all is heard")
        except AssertionError:
            raise AssertionError(f"{self.heard()} heard, not {count}: {self.fares()}") from None

    def send_beacons(self, datagrams: Iterable[bytes]) -> None:
        """Send beacons from an address that is not the friend's, and wait until they were heard."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            sender.bind(("127.0.0.66", 0))

            def send(octets: bytes) -> None:
                sender.sendto(octets, ("127.255.255.255", self._port))

            def heard(before: int) -> bool:
                # This one, or its own that came back to it, stands behind all the others.
                send(b"ZRE\x01" + self.uuid.bytes + b"\xff\xff")
                return self.beacons_own() > before

            for some in batched(datagrams, AT_ONCE):
                before = self.beacons_own()
                for octets in some:
                    send(octets)
                eventually(partial(heard, before), "the beacons are heard")

    def beacons_own(self) -> int:
        """Beacons that it took for its own."""
        return int(self.fares()["statistics"]["beacons_own"])


# Something that announces itself as a collector, greets like ZeroMQ 2, and is left at once.
OLD_COLLECTOR = """
import socket, threading, time
import zmq
from zwire.io.zre_logs import LogSockets
from zwire.zre.effects import OpenLog

listening = socket.create_server(("127.0.0.1", 0), backlog=1000)
endpoint = "tcp://127.0.0.1:%d" % listening.getsockname()[1]
held = []

def greet():
    while True:
        taken, _ = listening.accept()
        taken.sendall(b"\\x01\\x00")
        held[:] = [*held[-20:], taken]

threading.Thread(target=greet, daemon=True).start()
logs = LogSockets(zmq.Context(), None, False)
for number in range(2000):
    logs.open(OpenLog(endpoint))
    time.sleep(0.0005 * (number % 3))
    logs.close(endpoint)
print("survived", flush=True)
"""


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def test_hostile_messages_and_beacons_cost_no_friend_and_no_memory(here: Gathering) -> None:
    target = Target(here)
    calm = target.check()
    random = Random(30)
    warm = calm["memory"]
    for number in range(SLICES):
        target.attack_mailbox(FRAMES // SLICES, random)
        target.send_beacons(beacons(target.friend.node.uuid, BEACONS // SLICES, random))
        found = target.check()
        progress(
            f"slice {number + 1} of {SLICES}: {found['memory'] // 2**20} MiB, "
            f"{found['descriptors']} descriptors, {found['peers']} peers"
        )
        if number == 0:
            warm = found["memory"]
        assert found["memory"] < warm + GROWTH
    counts = found["statistics"]
    progress(f"{counts}")
    assert counts["messages_malformed"] > FRAMES // 4
    assert counts["messages_stray"] > FRAMES // 50
    assert counts["gaps"] > FRAMES // 1000
    assert counts["beacons_malformed"] > BEACONS // 4
    assert counts["beacons_foreign"] > BEACONS // 20
    assert counts["beacons_heard"] > BEACONS // 20


def batched(datagrams: Iterable[bytes], most: int) -> Iterator[list[bytes]]:
    left = iter(datagrams)
    while some := list(islice(left, most)):
        yield some


def test_a_flood_of_new_names_is_survived_with_few_descriptors(here: Gathering) -> None:
    """At each name a connection is tried: when the descriptors run out, strangers go without."""
    target = Target(here, descriptors=200)
    target.check()
    random = Random(31)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as silent:
        silent.bind(("127.0.0.66", 0))
        silent.listen(1000)  # it takes connections, and never says a word
        port = silent.getsockname()[1].to_bytes(2, "big")
        names = (b"ZRE\x01" + random.randbytes(16) + port for _ in range(1000))
        target.send_beacons(names)
        found = target.check()
        assert found["descriptors"] < 200
        assert found["statistics"]["greetings_refused"] > 0
        another = here.node("another")
        another.wait_for(Entered, peer=target.uuid)
    target.check()


def test_a_collector_that_greets_like_zeromq_2_does_not_end_the_process() -> None:
    """libzmq 4.3.5 aborts when a PUB or XPUB is closed at such a moment."""
    with python(OLD_COLLECTOR) as program:
        program.wait_for_line("survived")


def test_thousands_who_connect_and_go_do_not_make_a_node_deaf(here: Gathering) -> None:
    """libzmq tells each that went; when nobody listens to that, all its work stops at the 2001st."""
    target = Target(here)
    host, _, port = target.endpoint.removeprefix("tcp://").rpartition(":")
    for _ in range(2_500):
        socket.create_connection((host, int(port)), PATIENCE).close()
    target.check()
