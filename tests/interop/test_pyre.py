"""Nodes of the PyPI package zeromq-pyre and ours on one network: 36/ZRE as others speak it."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support.cables import cabled, inside
from support.nodes import Gathering, Listened, gathering
from support.processes import Program
from support.raw import PATIENCE
from support.scripts import FOLDER
from zwire.zre import Dialect
from zwire.zre.events import Entered, JoinedGroup, Left, LeftGroup, Shouted, Whispered, Why

pytestmark = pytest.mark.process


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


class Pyre:
    """A node of pyre, in a process of its own."""

    def __init__(self, here: Gathering, name: str, *more: str) -> None:
        script = str(FOLDER / "pyre_node.py")
        self.program = Program(sys.executable, script, str(here.port), name, *more, typed=True)
        here.own(self.program.kill)
        self.uuid = UUID(self.wait_for("started")["uuid"])

    def do(self, what: str, **facts: Any) -> None:
        self.program.type_in(json.dumps({"do": what, **facts}))

    def wait_for(self, event: str, **facts: Any) -> dict[str, Any]:
        return self.program.wait_for_json(event=event, **facts)

    def met(self, other: Listened) -> dict[str, Any]:
        """Wait until each of the two knows the other; how pyre told it."""
        other.wait_for(Entered, peer=self.uuid)
        return self.wait_for("ENTER", peer=other.node.uuid.hex)


def test_they_find_each_other_and_learn_name_and_headers(here: Gathering) -> None:
    ann = here.node("ann", headers={"X-COLOUR": "blau, grün"})
    bob = Pyre(here, "bob")
    told = bob.met(ann)
    assert told["name"] == "ann"
    assert told["headers"]["X-COLOUR"] == "blau, grün"
    entered = ann.wait_for(Entered, peer=bob.uuid)
    assert (entered.name, entered.headers) == ("bob", {"X-KIND": "pyre"})
    assert entered.dialect is Dialect.ZRE36


def test_who_comes_later_finds_pyre_and_the_groups_it_is_in(here: Gathering) -> None:
    bob = Pyre(here, "bob")
    bob.do("join", group="tea")
    bob.do("join", group="chat")
    ann = here.node("ann", groups=("chat",))
    bob.met(ann)
    bob.wait_for("JOIN", name="ann", group="chat")
    for group in ("tea", "chat"):
        ann.wait_for(JoinedGroup, peer=bob.uuid, group=group)


@pytest.fixture
def pair(here: Gathering) -> tuple[Listened, Pyre]:
    """Ann, who is ours, and bob, who is pyre's; they know each other."""
    ann, bob = here.node("ann"), Pyre(here, "bob")
    bob.met(ann)
    return ann, bob


def test_whispers_go_both_ways_with_one_frame_or_many(pair: tuple[Listened, Pyre]) -> None:
    ann, bob = pair
    ann.node.whisper(bob.uuid, b"one")
    ann.node.whisper(bob.uuid, b"two", b"", b"\x00\xff")
    assert bob.wait_for("WHISPER", name="ann")["content"] == ["6f6e65"]
    assert bob.wait_for("WHISPER", name="ann")["content"] == ["74776f", "", "00ff"]
    bob.do("whisper", peer=ann.node.uuid.hex, content=["three", "", "four"])
    assert ann.wait_for(Whispered, peer=bob.uuid).content == (b"three", b"", b"four")


def test_they_join_shout_and_leave(pair: tuple[Listened, Pyre]) -> None:
    ann, bob = pair
    ann.node.join("chat")
    bob.wait_for("JOIN", name="ann", group="chat")
    bob.do("join", group="chat")
    ann.wait_for(JoinedGroup, peer=bob.uuid, group="chat")
    ann.node.shout("chat", "hello", "all")
    shout = bob.wait_for("SHOUT", name="ann", group="chat")
    assert shout["content"] == [b"hello".hex(), b"all".hex()]
    bob.do("shout", group="chat", content=["hello", "ann"])
    assert ann.wait_for(Shouted, peer=bob.uuid, group="chat").content == (b"hello", b"ann")
    bob.do("leave", group="chat")
    ann.wait_for(LeftGroup, peer=bob.uuid, group="chat")
    ann.node.leave("chat")
    bob.wait_for("LEAVE", name="ann", group="chat")


def test_a_goodbye_is_noticed_at_once_on_both_sides(here: Gathering) -> None:
    ann, bob = here.node("ann"), Pyre(here, "bob")
    bob.met(ann)
    eve = here.node("eve")
    bob.met(eve)
    eve.node.stop()
    bob.wait_for("EXIT", peer=eve.node.uuid.hex)
    # What pyre does not know, our GOODBYE, has done no harm to it.
    bob.do("whisper", peer=ann.node.uuid.hex, content=["she left"])
    assert ann.wait_for(Whispered, peer=bob.uuid).content == (b"she left",)
    bob.do("stop")
    assert ann.wait_for(Left, peer=bob.uuid).why in (Why.GOODBYE, Why.VANISHED)
    assert bob.program.wait() == 0


def test_a_killed_one_is_noticed_and_the_next_under_its_uuid_is_welcome(
    here: Gathering,
) -> None:
    ann = here.node("ann")
    bob = Pyre(here, "bob")
    bob.met(ann)
    bob.program.kill()
    assert ann.wait_for(Left, peer=bob.uuid).why is Why.VANISHED
    for more in ((bob.uuid.hex,), ()):  # the same node again, then another one of that name
        ann.forget()
        again = Pyre(here, "bob", *more)
        assert (again.uuid == bob.uuid) == bool(more)
        again.met(ann)
        ann.node.whisper(again.uuid, "back?")
        again.wait_for("WHISPER", name="ann")
        again.do("whisper", peer=ann.node.uuid.hex, content=["back"])
        assert ann.wait_for(Whispered, peer=again.uuid).content == (b"back",)
        again.program.kill()
        ann.wait_for(Left, peer=again.uuid)


def test_one_that_is_restarted_before_it_is_missed_enters_again(here: Gathering) -> None:
    ann, first = here.node("ann"), Pyre(here, "bob")
    first.met(ann)
    first.program.signal(signal.SIGSTOP)  # it can say nothing more, and refuses nothing
    ann.forget()
    again = Pyre(here, "bob again", first.uuid.hex)
    assert ann.wait_for(Left, peer=first.uuid).why is Why.RESTARTED
    assert ann.wait_for(Entered, peer=first.uuid).name == "bob again"
    again.wait_for("ENTER", peer=ann.node.uuid.hex)
    ann.node.whisper(again.uuid, "which?")
    again.wait_for("WHISPER", name="ann")
    again.do("whisper", peer=ann.node.uuid.hex, content=["the second"])
    assert ann.wait_for(Whispered, peer=again.uuid).content == (b"the second",)


@pytest.mark.timeout(600)
def test_seventy_thousand_messages_each_way_survive_the_wrap(pair: tuple[Listened, Pyre]) -> None:
    ann, bob = pair
    total, window = 70_000, 500  # pyre drops a peer for which more than 3000 messages wait
    # It is ahead of us, so that its numbers are the first to begin again and show where.
    bob.do("chatter", peer=ann.node.uuid.hex, count=2 * window)
    for number in range(2 * window):
        ann.wait_for(Whispered, content=(b"%d" % number,))
        ann.forget()
    sent = back = 0
    while back < total:
        while sent < min(total, back + window):
            ann.node.whisper(bob.uuid, f"#{sent}")
            sent += 1
        event = ann.node.receive(PATIENCE)
        assert isinstance(event, Whispered), event
        assert event.content == (b"#%d" % back,)
        back += 1
    bob.wait_for("COUNTED", count=total)
    assert not [line for line in bob.program.output if "DISORDER" in line or "EXIT" in line]
    counts = ann.node.statistics()
    assert counts["renumbered"] == counts["gaps"] == counts["messages_malformed"] == 0


@pytest.mark.timeout(600)
def test_while_nobody_knows_where_pyre_wraps_a_second_hello_begins_the_numbers_anew(
    pair: tuple[Listened, Pyre],
) -> None:
    ann, bob = pair
    total = 66_000
    for number in range(total):
        ann.node.whisper(bob.uuid, b"=%d" % number)
    for count in range(1000, total + 1, 1000):
        bob.wait_for("COUNTED", count=count)
    told = [json.loads(line)["event"] for line in bob.program.output]
    assert "DISORDER" not in told
    assert told.count("EXIT") == 1  # so pyre takes a second HELLO
    assert told.count("ENTER") == 2
    assert ann.node.statistics()["renumbered"] == 1
    ann.node.whisper(bob.uuid, "still there?")
    bob.wait_for("WHISPER", name="ann")
    bob.do("whisper", peer=ann.node.uuid.hex, content=["yes"])
    assert ann.wait_for(Whispered, peer=bob.uuid).content == (b"yes",)
    assert [one for one in ann.events if isinstance(one, Left)] == []


def test_between_two_machines_pyre_as_it_is_talks_with_the_command_line() -> None:
    """Here nothing of pyre is changed: it finds its interface and its broadcast address itself."""
    zwire = str(Path(sys.executable).with_name("zwire"))
    with cabled(("ours", "theirs")) as networks, ExitStack() as programs:

        def start(host: str, *command: str) -> Program:
            program = Program(*inside(networks[host], *command), typed=True)
            programs.callback(program.kill)
            return program

        ann = start("ours", zwire, "node", "ann", "--json", "--group", "chat")
        at = ann.wait_for_json(event="started")["endpoint"]
        assert at.startswith("tcp://10.99.1.1:")
        bob = start(
            "theirs", sys.executable, str(FOLDER / "pyre_node.py"), "5670", "bob", "network"
        )
        bob.wait_for_json(event="ENTER", name="ann")
        bob.wait_for_json(event="JOIN", name="ann", group="chat")
        entered = ann.wait_for_json(event="entered", name="bob")
        assert entered["endpoint"].startswith("tcp://10.99.1.2:")
        bob.type_in(json.dumps({"do": "shout", "group": "chat", "content": ["over the cable"]}))
        assert ann.wait_for_json(event="shouted", name="bob")["text"] == ["over the cable"]
        ann.type_in("whisper bob and back")
        said = bob.wait_for_json(event="WHISPER", name="ann")["content"]
        assert said == [b"and back".hex()]
        ann.type_in("quit")
        bob.wait_for_json(event="EXIT", name="ann")
        assert ann.wait() == 0
