"""Messages shown to people and handed on as JSON."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from support import hand_made
from support.rendered import Package
from zwire_codegen.backends.python import codec


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(tmp_path_factory.mktemp("views"), codec.render(hand_made.ALL))


def both_ways(module: Any, message: Any) -> Any:
    """The fields as JSON has them, when the way back gives the same message."""
    told = json.loads(json.dumps(module.to_dict(message)))
    assert module.from_dict(told) == message
    return told["fields"]


def test_json_has_octets_in_hexadecimal_and_members_by_name(package: Package) -> None:
    odd = package.module("odd.messages")
    message = odd.Message_("é", odd.Mood.BAD, UUID(int=5), None, None, ())
    assert odd.to_dict(message)["message"] == "MESSAGE"
    assert both_ways(odd, odd.Message_("é", odd.Mood.BAD, UUID(int=5), 1, "n", (b"\xff", b""))) == {
        "name": "é",
        "mood": "bad",
        "node": "00000000-0000-0000-0000-000000000005",
        "number": 1,
        "note": "n",
        "further": ["ff", ""],
    }


def test_json_keeps_the_names_that_python_does_not_allow(package: Package) -> None:
    odd = package.module("odd.messages")
    message = odd.Class(7, 1, b"abc", b"t", (1, 2), (b"", b"x"), (b"12345",), "rest")
    fields = both_ways(odd, message)
    assert message.from_ == fields["from"] == 7
    assert fields["blobs"] == ["", "78"]


def test_json_has_dictionaries_as_they_came(package: Package) -> None:
    mesh, mesh2 = package.module("mesh.messages"), package.module("mesh2.messages")
    assert both_ways(mesh, mesh.Hello(1, "", 1, ("A",), 0, ("a=1", "a=2")))["headers"] == [
        "a=1",
        "a=2",
    ]
    assert both_ways(mesh2, mesh2.Hello(1, "", (), 0, "", (("a", "1"),)))["headers"] == [["a", "1"]]


def test_an_absent_stack_is_null(package: Package) -> None:
    pirate = package.module("pirate.messages")
    assert both_ways(pirate, pirate.Request(None, (b"x",))) == {"stack": None, "content": ["78"]}
    assert both_ways(pirate, pirate.Request((b"a",), (b"x",)))["stack"] == ["61"]
    assert both_ways(pirate, pirate.Ready()) == {}


@pytest.mark.parametrize(
    ("mapping", "blamed"),
    [
        ({}, ""),
        ([], ""),
        ({"message": "NO-SUCH"}, ""),
        ({"message": "JOIN"}, "sequence"),
        ({"message": "JOIN", "fields": []}, "fields"),
        ({"message": "JOIN", "fields": {"sequence": 1, "group": "a"}}, "status"),
        ({"message": "JOIN", "fields": {"sequence": 1, "group": "a", "status": 256}}, "status"),
        ({"message": "JOIN", "fields": {"sequence": True, "group": "a", "status": 1}}, "sequence"),
        ({"message": "JOIN", "fields": {"sequence": 1, "group": None, "status": 1}}, "group"),
        ({"message": "PING", "fields": {"sequence": 1, "color": "red"}}, "color"),
        ({"message": "WHISPER", "fields": {"sequence": 1, "content": "xyz"}}, "content"),
        ({"message": "WHISPER", "fields": {"sequence": 1, "content": 7}}, "content"),
    ],
)
def test_json_that_is_no_message_is_refused(package: Package, mapping: Any, blamed: str) -> None:
    with pytest.raises(package.module("errors").EncodeError) as caught:
        package.module("mesh.messages").from_dict(mapping)
    assert caught.value.field == blamed


def test_a_summary_is_one_line(package: Package) -> None:
    mesh, log = package.module("mesh.messages"), package.module("log.messages")
    assert mesh.summary(mesh.Join(2, "A b", 1)) == "JOIN sequence=2 group='A b' status=1"
    assert log.summary(log.Log(log.Level.ERROR, 1, 2, "")) == (
        "LOG level=ERROR node=1 time=2 data=''"
    )
    long = mesh.summary(mesh.Whisper(1, bytes(5000)))
    assert "5000 octets" in long
    assert len(long) < 200
    pirate = package.module("pirate.messages")
    told = pirate.summary(pirate.Request((b"a",), (b"four", b"")))
    assert told == "REQUEST stack=[1 octet] content=[4 octets, empty]"


def test_a_dump_shows_every_octet_with_its_field(package: Package) -> None:
    mesh = package.module("mesh.messages")
    shout = mesh.Shout(2, "Global", b"\x00hello, world! and more")
    told = mesh.dump(mesh.encode(shout)).split("\n")
    assert told[0] == "SHOUT"
    assert told[1] == "frame 0: 12 octets"
    assert told[2].split() == ["0000", "aa", "a1", "..", "signature"]
    assert told[3].endswith("sequence = 2")
    assert told[5].split()[:3] == ["0005", "06", "47"]
    assert told[5].endswith("group = 'Global'")
    assert told[6] == "frame 1: 23 octets"
    assert len(told) == 9


def test_a_dump_of_damage_tells_what_is_wrong(package: Package) -> None:
    mesh = package.module("mesh.messages")
    (frame,) = mesh.encode(mesh.Join(2, "Global", 1))
    told = mesh.dump([frame[:-1]])
    assert "group = 'Global'" in told
    last = told.split("\n")[-1]
    assert last.startswith("malformed: JOIN status: frame 0, offset 12: expected 1 octets, got 0")
    assert mesh.dump([]).startswith("malformed: ")


def test_a_dump_needs_the_sender_where_directions_clash(package: Package) -> None:
    pirate = package.module("pirate.messages")
    assert pirate.dump([b"a", b"", b"x"], "worker").split("\n")[0] == "REPLY"
    assert pirate.dump([b"a", b"", b"x"], "client").split("\n")[0] == "REQUEST"
