"""Stories of `zwire node`, `zwire peers` and `zwire log`: real processes on loopback."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.nodes import Gathering, beacon_port, gathering
from support.ports import ReservedPort
from support.processes import Program, zwire
from support.raw import PATIENCE, eventually
from zwire.zre.events import Entered, JoinedGroup, Left, LeftGroup, Shouted, Whispered, Why
from zwire.zre.logs import uuid_hash

pytestmark = pytest.mark.process
ZWIRE = str(Path(sys.executable).with_name("zwire"))


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def where(here: Gathering) -> tuple[str, ...]:
    return "--interface", "loopback", "--port", str(here.port)


def typed(here: Gathering, *arguments: str, lines: str) -> subprocess.CompletedProcess[str]:
    """A node with these lines on its standard input, until it leaves."""
    return subprocess.run(
        [ZWIRE, "node", *arguments, *where(here)],
        input=lines,
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )


def listening(here: Gathering, name: str, *arguments: str) -> Program:
    """A node without any input, which stays until it is stopped."""
    program = zwire("node", name, "--json", *arguments, *where(here))
    program.wait_for_json(event="started", name=name)
    return program


def test_a_chat_between_two_processes(here: Gathering) -> None:
    with listening(here, "bob", "--group", "chat") as bob:
        ann = typed(here, "ann", lines="wait chat\njoin chat\nshout chat hello all\nquit\n")
        assert ann.returncode == 0, ann.stderr
        bob.wait_for_json(event="entered", name="ann")
        bob.wait_for_json(event="joined_group", name="ann", group="chat")
        shout = bob.wait_for_json(event="shouted", name="ann", group="chat")
        assert (shout["text"], shout["content"]) == (["hello all"], [b"hello all".hex()])
        assert bob.wait_for_json(event="left", name="ann")["why"] == "it said goodbye"
        lines = ann.stdout.splitlines()
        assert lines[0].startswith("ann is at tcp://127.0.0.1:")
        assert any(line.startswith("+ bob entered at tcp://127.0.0.1:") for line in lines)
        assert "+ bob joined chat" in lines
        assert bob.stop() == 0


def test_mistakes_in_what_is_typed_are_told_one_by_one(here: Gathering) -> None:
    done = typed(here, "ann", lines="dance\njoin\nwhisper nobody hello\nhelp\n")
    assert done.returncode == 0, done.stderr
    first, second, third, fourth = done.stdout.splitlines()[1:]
    assert first.startswith("! no command 'dance'; join GROUP")
    assert second.startswith("! join whom or what? join GROUP")
    assert third == "! no peer is called 'nobody': see `peers`"
    assert fourth.startswith("join GROUP · leave GROUP")


@pytest.mark.parametrize("header", ["X-CHAT", "=tcp://127.0.0.1:5000"])
def test_a_header_has_a_name_and_a_value(here: Gathering, header: str) -> None:
    done = typed(here, "ann", "--header", header, lines="")
    assert done.returncode == 2
    assert f"--header {header}: expected NAME=VALUE" in done.stderr


def test_a_node_at_a_fixed_place_is_found_there_and_leads_by_name(here: Gathering) -> None:
    with ReservedPort() as place, beacon_port() as port:
        # On another port for beacons nobody is met by chance.
        elsewhere = ("--interface", "loopback", "--port", str(port))
        seeking = (ZWIRE, "node", "ann", "-g", "chat", "--peer", place.endpoint, *elsewhere)
        with (
            zwire("node", "bob", "-g", "chat", "--endpoint", place.endpoint, *where(here)) as bob,
            Program(*seeking, typed=True) as ann,
        ):
            bob.wait_for_line(f"bob is at {place.endpoint}")
            ann.wait_for_line("bob joined chat")
            ann.type_in("lead chat")
            ann.wait_for_line("* we lead chat")
            bob.wait_for_line("* ann leads chat")


def test_listing_peers_can_be_interrupted(here: Gathering) -> None:
    ann = here.node("ann")
    with zwire("peers", "--wait", "600", *where(here)) as peers:
        ann.wait_for(Entered, name="zwire peers")
        assert peers.stop() == 130
        assert peers.complaints == []


def test_a_node_that_is_asked_to_end_by_everybody_still_says_goodbye(here: Gathering) -> None:
    eve = here.node("eve")
    with listening(here, "ann") as ann:
        eve.wait_for(Entered, name="ann")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            ann.signal(number)
        assert ann.wait() == 0
        assert ann.complaints == []
        assert eve.wait_for(Left, name="ann").why is Why.GOODBYE


def test_what_is_typed_is_done(here: Gathering) -> None:
    eve = here.node("eve", groups=("chat", "tea"))
    lines = "wait eve\njoin tea\nshout tea milk?\nwhisper eve psst\nleave tea\npeers\ngroups\n"
    done = typed(here, "ann", "--group", "chat", lines=lines)  # it leaves when its input ends
    assert done.returncode == 0, done.stderr
    eve.wait_for(JoinedGroup, name="ann", group="chat")
    eve.wait_for(JoinedGroup, name="ann", group="tea")
    assert eve.wait_for(Shouted, group="tea").content == (b"milk?",)
    assert eve.wait_for(Whispered, name="ann").content == (b"psst",)
    eve.wait_for(LeftGroup, name="ann", group="tea")
    eve.wait_for(Left, name="ann")
    told = done.stdout
    assert f"1 peer\n  eve  {str(eve.node.uuid)[:8]}  {eve.node.endpoint}  chat, tea\n" in told
    assert "2 groups\n  chat (we too): eve\n  tea: eve\n" in told


def test_mistakes_are_told_and_change_nothing(here: Gathering) -> None:
    done = typed(here, "ann", "--json", lines="dance\nwhisper nobody hello\nshout\n\npeers\nquit\n")
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    errors = [one["what"] for one in told if one["event"] == "error"]
    assert [text[:15] for text in errors] == [
        "no command 'dan",
        "no peer is call",
        "shout whom or w",
    ]
    assert told[-1] == {"event": "peers", "peers": []}
    wrong = zwire("node", "ann", "--interface", "nowhere0")
    with wrong:
        assert wrong.wait() == 2
        assert "no interface 'nowhere0'" in "".join(wrong.complaints)


def test_words_of_others_do_not_play_with_the_terminal(here: Gathering) -> None:
    eve = here.node("eve", groups=("chat",))
    with zwire("node", "ann", "--group", "chat", *where(here)) as ann:
        eve.wait_for(JoinedGroup, name="ann")
        eve.node.shout("chat", "\x1b[2Jboo", b"\xff\xfe")
        assert ann.wait_for_line("eve:") == "[chat] eve: \ufffd[2Jboo | fffe\n"
        assert ann.stop() == 0


def test_who_is_there_is_listed(here: Gathering) -> None:
    with zwire("peers", "--wait", "0.3", *where(here)) as alone:
        assert alone.wait() == 0
        assert alone.output == ["nobody\n"]
    ann = here.node("ann", groups=("chat",), headers={"X-ROLE": "host"})
    found: list[dict[str, object]] = []
    while not found:  # however slow the machine is
        with zwire("peers", "--wait", "2", "--json", *where(here)) as program:
            assert program.wait() == 0
            found = json.loads("".join(program.output))
    assert found == [
        {
            "peer": str(ann.node.uuid),
            "name": "ann",
            "endpoint": ann.node.endpoint,
            "dialect": "36/ZRE",
            "groups": ["chat"],
            "headers": {"X-ROLE": "host"},
            "alert": "calm",
        }
    ]
    ann.wait_for(Left, name="zwire peers")
    lines: list[str] = []
    while len(lines) < 2:
        with zwire("peers", "--wait", "2", *where(here)) as table:
            assert table.wait() == 0
            lines = table.output
    assert lines[0].split() == ["NAME", "UUID", "ENDPOINT", "SPEAKS", "GROUPS"]
    assert lines[1].split() == ["ann", str(ann.node.uuid), ann.node.endpoint, "36/ZRE", "chat"]


def test_nodes_report_to_the_log(here: Gathering, tmp_path: Path) -> None:
    with zwire("log", "--json", "--capture", str(tmp_path), *where(here)) as log:
        log.wait_for_json(event="started")
        ann = here.node("ann")
        number = uuid_hash(ann.node.uuid.bytes)
        # The collector may have heard this before it has met its author.
        assert log.wait_for_json(event="enter", node=number)["node_name"] in (
            "ann",
            f"{number:04x}",
        )
        ann.node.join("chat")
        assert log.wait_for_json(event="join", text="ann joined chat")["level"] == "info"
        assert log.stop() == 0
        assert json.loads(log.output[-1]) == {"event": "stopped", "discarded": 0, "filtered": 0}
    with zwire("cat", str(tmp_path), "--protocol", "zrelog") as recorded:
        assert recorded.wait() == 0
        assert any("ann joined chat" in line for line in recorded.output)


def test_the_log_for_people_leaves_out_what_is_not_important(here: Gathering) -> None:
    everything, bad = (zwire("log", "--level", one, *where(here)) for one in ("info", "error"))
    with everything, bad:
        ann = here.node("ann")
        eventually(lambda: len(ann.node.peers()) == 2, "it has met both collectors")
        ann.node.join("chat")
        # Others report it too; and who reports may not be known by name yet.
        names = f"ann|{uuid_hash(ann.node.uuid.bytes):04x}"
        line = re.compile(rf"[0-9:.]{{12}} INFO    ({names}): ann joined chat\n")
        while not line.fullmatch(everything.wait_for_line("ann joined chat")):
            continue
        assert (everything.stop(), bad.stop()) == (0, 0)
        assert bad.output == []


def test_a_gossip_hub_is_run_from_the_shell(here: Gathering) -> None:
    with listening(here, "hub", "--gossip-hub", "tcp://127.0.0.1:*") as hub:
        gossip = json.loads(hub.output[0])["gossip"]
        with gathering() as elsewhere:  # where no beacon of the hub is heard
            done = typed(elsewhere, "ann", "--gossip", gossip, lines="wait hub\nquit\n")
            assert done.returncode == 0, done.stderr
        hub.wait_for_json(event="entered", name="ann")


def test_a_collector_at_a_fixed_place_is_sought_where_there_are_no_beacons(
    here: Gathering,
) -> None:
    with ReservedPort() as place:
        where_it_is = ("--endpoint", place.endpoint, "--no-beacons", "--interface", "loopback")
        with zwire("log", "--json", *where_it_is) as log:
            log.wait_for_json(event="started")
            seeking = ("node", "ann", "--peer", place.endpoint, "--no-beacons", *where(here))
            with Program(ZWIRE, *seeking, typed=True) as ann:
                ann.wait_for_line("log entered")
                ann.type_in("join tea")
                log.wait_for_json(event="join", text="ann joined tea")


def test_a_terminal_that_cannot_write_all_characters_hears_of_them_all_the_same(
    here: Gathering,
) -> None:
    here.node("grün", groups=("茶",))
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    command = ("node", "ann", *where(here))
    with zwire(*command, environment=ascii_only) as ann:
        assert ann.wait_for_line("joined") == "+ gr?n joined ?\n"
        assert ann.stop() == 0
        assert ann.complaints == []
    with zwire(*command, "--json", environment=ascii_only) as ann:
        assert json.loads(ann.wait_for_line("joined"))["group"] == "茶"


def test_a_node_ends_when_nobody_reads_what_it_tells(here: Gathering) -> None:
    command = [ZWIRE, "node", "ann", *where(here)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        assert node.stderr is not None
        node.stdout.readline()
        node.stdout.close()
        node.stdin.write("groups\n")
        node.stdin.flush()
        node.wait(PATIENCE)
        assert node.stderr.read() == ""


def test_groups_and_peers_with_blanks_in_their_names_are_written_in_quotes(
    here: Gathering,
) -> None:
    eve = here.node("eve adams", groups=("my tea",))
    lines = "wait eve adams\njoin my tea\nshout 'my tea' milk?\nwhisper \"eve adams\" psst\n"
    done = typed(here, "ann", lines=lines)
    assert done.returncode == 0, done.stderr
    assert eve.wait_for(Shouted, group="my tea").content == (b"milk?",)
    assert eve.wait_for(Whispered, name="ann").content == (b"psst",)


def test_who_shouts_to_nobody_is_told(here: Gathering) -> None:
    done = typed(here, "ann", "--group", "chat", lines="shout chat hello\n")
    assert "! nobody else is in 'chat': see `groups`" in done.stdout


def test_keys_come_in_pairs(tmp_path: Path) -> None:
    with zwire("node", "--secret", str(tmp_path / "own.key_secret")) as program:
        assert program.wait() == 2
        assert "go together" in "".join(program.complaints)
