"""A node of the npm package zyre.js and ours on one network; npm fetches it into a temporary folder."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support.nodes import Gathering, Listened, gathering
from support.processes import Program
from support.raw import PATIENCE
from support.scripts import FOLDER
from zwire.zre import Dialect
from zwire.zre.events import Entered, JoinedGroup, Left, LeftGroup, Shouted, Whispered, Why

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

# It wants zeromq 5, which compiles libzmq from sources that it downloads; 6 comes with libraries.
PACKAGE = {
    "private": True,
    "dependencies": {"zyre.js": "1.3.0", "zeromq": "6.0.0-beta.20"},
    "overrides": {"zeromq": "$zeromq"},
}
INSTALL = "npm install --ignore-scripts --no-package-lock --no-audit --no-fund --prefer-offline"
LOADS = "require('zeromq/v5-compat'); require.resolve('zyre.js')"


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where zyre.js is installed."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("needs node and npm")
    folder = tmp_path_factory.mktemp("zyre-js")
    (folder / "package.json").write_text(json.dumps(PACKAGE))
    try:
        done = subprocess.run(
            INSTALL.split(), cwd=folder, capture_output=True, text=True, timeout=120
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not fetch zyre.js within two minutes")
    if done.returncode:
        pytest.skip(f"npm cannot fetch zyre.js: {done.stderr.strip()[-200:]}")
    tried = subprocess.run(["node", "-e", LOADS], cwd=folder, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"zeromq 6 has no library for this system: {tried.stderr.strip()[-200:]}")
    return folder / "node_modules"


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


class ZyreJs:
    """A node of zyre.js, in a process of its own."""

    def __init__(self, here: Gathering, modules: Path, name: str) -> None:
        script = str(FOLDER / "zyre_node.js")
        self.program = Program(
            "node",
            script,
            str(here.port),
            name,
            environment={"NODE_PATH": str(modules)},
            typed=True,
        )
        here.own(self.program.kill)
        self.uuid = UUID(self.wait_for("started")["uuid"])

    def do(self, what: str, **facts: Any) -> None:
        self.program.type_in(json.dumps({"do": what, **facts}))

    def wait_for(self, event: str, **facts: Any) -> dict[str, Any]:
        return self.program.wait_for_json(event=event, **facts)

    def met(self, other: Listened) -> dict[str, Any]:
        """Wait until each of the two knows the other; how zyre.js told it."""
        other.wait_for(Entered, peer=self.uuid)
        return self.wait_for("connect", peer=other.node.uuid.hex)


def test_they_meet_join_shout_whisper_and_part(here: Gathering, modules: Path) -> None:
    ann = here.node("ann", groups=("tea",), headers={"X-COLOUR": "grün"})
    bob = ZyreJs(here, modules, "bob")
    assert bob.wait_for("join", peer=ann.node.uuid.hex, group="tea")
    told = bob.met(ann)
    assert (told["name"], told["headers"]["X-COLOUR"]) == ("ann", "grün")
    entered = ann.wait_for(Entered, peer=bob.uuid)
    assert (entered.name, entered.headers) == ("bob", {"X-KIND": "zyre.js"})
    assert entered.dialect is Dialect.ZRE36

    ann.node.whisper(bob.uuid, "psst")
    assert bob.wait_for("whisper", name="ann")["content"] == "psst"
    bob.do("whisper", peer=ann.node.uuid.hex, content="yes?")
    assert ann.wait_for(Whispered, peer=bob.uuid).content == (b"yes?",)

    bob.do("join", group="chat")
    ann.wait_for(JoinedGroup, peer=bob.uuid, group="chat")
    ann.node.join("chat")
    bob.wait_for("join", name="ann", group="chat")
    ann.node.shout("chat", "hello")
    assert bob.wait_for("shout", name="ann", group="chat")["content"] == "hello"
    bob.do("shout", group="chat", content="hello ann")
    assert ann.wait_for(Shouted, peer=bob.uuid, group="chat").content == (b"hello ann",)
    bob.do("leave", group="chat")
    ann.wait_for(LeftGroup, peer=bob.uuid, group="chat")
    ann.node.leave("chat")
    bob.wait_for("leave", name="ann", group="chat")

    bob.do("stop")
    assert ann.wait_for(Left, peer=bob.uuid).why in (Why.GOODBYE, Why.VANISHED)
    assert bob.program.wait() == 0
    counts = ann.node.statistics()
    assert counts["gaps"] == counts["messages_malformed"] == 0


def test_it_notices_that_we_go_and_we_that_it_was_killed(here: Gathering, modules: Path) -> None:
    ann, eve = here.node("ann"), here.node("eve")
    bob = ZyreJs(here, modules, "bob")
    bob.met(ann)
    eve.wait_for(Entered, peer=bob.uuid)
    eve.node.stop()
    bob.wait_for("disconnect", peer=eve.node.uuid.hex)
    bob.program.kill()
    assert ann.wait_for(Left, peer=bob.uuid).why is Why.VANISHED
    again = ZyreJs(here, modules, "bob")
    again.met(ann)
    ann.node.whisper(again.uuid, "welcome back")
    assert again.wait_for("whisper", name="ann")["content"] == "welcome back"


def test_seventy_thousand_messages_each_way_survive_the_wrap(
    here: Gathering, modules: Path
) -> None:
    ann, bob = here.node("ann"), ZyreJs(here, modules, "bob")
    bob.met(ann)
    total, window = 70_000, 500
    # It is ahead of us, so that its numbers are the first to begin again and show where. A second
    # HELLO, which helps with others while nobody knows, counts as a lost message with zyre.js.
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
    counts = ann.node.statistics()
    assert counts["renumbered"] == counts["gaps"] == counts["messages_malformed"] == 0
