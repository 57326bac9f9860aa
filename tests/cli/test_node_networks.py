"""Stories of nodes on several networks: hosts that are network namespaces, joined by cables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.cables import cabled, inside
from support.processes import Program

pytestmark = pytest.mark.process
ZWIRE = str(Path(sys.executable).with_name("zwire"))
Start = Callable[..., Program]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a command on the host left, middle or right; the middle one has two interfaces."""
    with cabled(("middle", "left"), ("middle", "right")) as networks, ExitStack() as programs:

        def started(host: str, *command: str) -> Program:
            program = Program(*inside(networks[host], ZWIRE, *command, "--json"), typed=True)
            programs.callback(program.kill)
            program.wait_for_json(event="started")
            return program

        yield started


def test_a_node_between_two_networks_is_reached_from_both(start: Start) -> None:
    middle = start("middle", "node", "middle", "--group", "g")
    for number, host in enumerate(("left", "right"), 1):
        other = start(host, "node", host, "--group", "g")
        entered = other.wait_for_json(event="entered", name="middle")
        assert entered["endpoint"].startswith(f"tcp://10.99.{number}.1:")
        middle.wait_for_json(event="joined_group", name=host)
        other.wait_for_json(event="joined_group", name="middle")
        other.type_in("whisper middle hello")
        assert middle.wait_for_json(event="whispered", name=host)["text"] == ["hello"]
        middle.type_in(f"whisper {host} and back")
        assert other.wait_for_json(event="whispered", name="middle")["text"] == ["and back"]
        other.type_in("quit")
        assert middle.wait_for_json(event="left", name=host)["why"] == "it said goodbye"


def test_a_collector_between_two_networks_hears_from_both(start: Start) -> None:
    middle = start("middle", "log")
    for number, host in enumerate(("left", "right"), 1):
        other = start(host, "node", host)
        entered = other.wait_for_json(event="entered", name="log")
        assert entered["headers"]["X-ZRELOG"].startswith(f"tcp://10.99.{number}.1:")
        other.type_in("join tea")
        assert middle.wait_for_json(event="join")["text"] == f"{host} joined tea"


def test_a_node_at_a_fixed_port_of_all_addresses_is_reached_at_each(start: Start) -> None:
    start("middle", "node", "middle", "--endpoint", "tcp://*:50123")
    for number, host in enumerate(("left", "right"), 1):
        other = start(host, "node", host)
        entered = other.wait_for_json(event="entered", name="middle")
        assert entered["endpoint"] == f"tcp://10.99.{number}.1:50123"
        other.type_in("quit")
        assert other.wait() == 0
        sought = start(host, "node", host, "--port", "5999", "--peer", entered["endpoint"])
        sought.wait_for_json(event="entered", name="middle")
