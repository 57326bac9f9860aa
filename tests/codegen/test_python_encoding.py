"""What cannot be sent is refused with message, field, limit and value."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support import hand_made
from support.rendered import Package
from zwire_codegen.backends.python import codec


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder: Path = tmp_path_factory.mktemp("encoding")
    return Package(folder, codec.render(hand_made.ALL))


@pytest.fixture(scope="module")
def errors(package: Package) -> Any:
    return package.module("errors")


def refused(package: Package, module: Any, message: Any) -> Any:
    with pytest.raises(package.module("errors").EncodeError) as caught:
        module.encode(message)
    return caught.value


@pytest.mark.parametrize(
    ("field", "value", "limit"),
    [
        ("group", "a" * 256, "at most 255 octets"),
        ("group", "é" * 128, "at most 255 octets"),
        ("group", "tab\there", "text without control characters"),
        ("group", "\x85", "text without control characters"),
        ("group", "\ud800", "characters that UTF-8 has"),
        ("group", b"octets", "text"),
        ("group", None, "text"),
        ("status", 256, "a number from 0 to 255"),
        ("status", -1, "a number from 0 to 255"),
        ("status", True, "a number from 0 to 255"),
        ("status", 1.0, "a number from 0 to 255"),
        ("status", "1", "a number from 0 to 255"),
        ("sequence", 65536, "a number from 0 to 65535"),
        ("sequence", False, "a number from 0 to 65535"),
    ],
)
def test_a_value_out_of_its_limits_is_named(
    package: Package, field: str, value: object, limit: str
) -> None:
    mesh = package.module("mesh.messages")
    values = {"sequence": 1, "group": "a", "status": 1, field: value}
    error = refused(package, mesh, mesh.Join(**values))
    assert (error.message, error.field, error.limit, error.value) == ("JOIN", field, limit, value)
    assert "JOIN" in str(error)
    assert field in str(error)


def test_text_with_blanks_and_signs_beyond_ascii_goes_through(package: Package) -> None:
    mesh = package.module("mesh.messages")
    # Not printable to Python, but no control characters either.
    for group in ("a b", "naïve — ✓", "no\u00a0break", "zero\u200dwidth", "\U0001f3f4"):
        join = mesh.Join(1, group, 2)
        assert mesh.decode(mesh.encode(join)) == join


@pytest.mark.parametrize(
    ("groups", "limit"),
    [
        (("a",) * 256, "at most 255 entries"),
        (["a"], "a tuple"),
        ("abc", "a tuple"),
        ((1,), "text"),
        (("fine", "x" * 256), "at most 255 octets"),
    ],
)
def test_lists_are_bounded_too(package: Package, groups: Any, limit: str) -> None:
    mesh = package.module("mesh.messages")
    error = refused(package, mesh, mesh.Hello(1, "::1", 5, groups, 0, ()))
    assert (error.field, error.limit) == ("groups", limit)


@pytest.mark.parametrize("headers", [(("a",),), (("a", "b", "c"),), ("ab",), (("a", 1),)])
def test_a_dictionary_takes_pairs_only(package: Package, headers: Any) -> None:
    mesh = package.module("mesh2.messages")
    error = refused(package, mesh, mesh.Hello(1, "e", (), 0, "n", headers))
    assert (error.message, error.field) == ("HELLO", "headers")


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ((), "at least 1 frames"),
        ((b"a", "b"), "bytes in each frame"),
        (b"abc", "a tuple of frames"),
        ([b"abc"], "a tuple of frames"),
        (None, "a tuple of frames"),
    ],
)
def test_a_body_needs_its_frames(package: Package, body: Any, limit: str) -> None:
    client = package.module("tabled.client")
    error = refused(package, client, client.Request("echo", b"1", body))
    assert (error.message, error.field, error.limit) == ("REQUEST", "body", limit)


def test_a_frame_that_may_not_be_empty_is_refused_empty(package: Package) -> None:
    client = package.module("tabled.client")
    error = refused(package, client, client.Request("echo", b"", (b"x",)))
    assert (error.field, error.limit) == ("request_id", "at least 1 octets")


def test_content_that_reads_as_a_command_needs_a_stack(package: Package) -> None:
    pirate = package.module("pirate.messages")
    for content in ((b"\x01",), (b"\x02",), (b"a", b"", b"b")):
        for kind in (pirate.Request, pirate.Reply):
            error = refused(package, pirate, kind(None, content))
            assert (error.field, error.value) == ("content", content)
            assert pirate.encode(kind((), content)) == [b"", *content]


def test_a_stack_holds_no_empty_address(package: Package) -> None:
    pirate = package.module("pirate.messages")
    error = refused(package, pirate, pirate.Request((b"a", b""), (b"x",)))
    assert (error.field, error.limit) == ("stack", "addresses that are not empty")


def test_a_member_of_an_enumeration_is_asked_for(package: Package) -> None:
    log = package.module("log.messages")
    error = refused(package, log, log.Log(1, 1, 1, "x"))
    assert (error.field, error.limit) == ("level", "a member of Level")
    assert log.encode(log.Log(log.Level.ERROR, 1, 1, "x"))


def test_a_uuid_is_asked_for_and_a_port_that_is_not_zero(package: Package) -> None:
    beacon = package.module("mesh.beacon")
    assert refused(package, beacon, beacon.Beacon(b"x" * 16, 1)).field == "uuid"
    error = refused(package, beacon, beacon.Beacon(UUID(int=1), 0))
    assert (error.field, error.limit) == ("port", "a number from 1 to 65535")
    datagram = beacon.encode_datagram(beacon.Beacon(UUID(int=1), 258))
    assert datagram == b"ZRE\x01" + bytes(15) + b"\x01\x01\x02"
    assert beacon.decode_datagram(datagram) == beacon.Beacon(UUID(int=1), 258)


def test_an_optional_frame_cannot_follow_a_missing_one(package: Package) -> None:
    odd = package.module("odd.messages")
    good = odd.Message_("n", odd.Mood.GOOD, UUID(int=1), 7, "note", (b"x",))
    assert odd.decode(odd.encode(good)) == good
    for number, note, further in ((None, "note", ()), (7, None, (b"x",)), (None, None, (b"x",))):
        error = refused(
            package, odd, odd.Message_("n", odd.Mood.GOOD, UUID(int=1), number, note, further)
        )
        assert error.field == ("number" if number is None else "note")


def test_something_else_than_a_message_is_refused(package: Package) -> None:
    mesh = package.module("mesh.messages")
    error = refused(package, mesh, package.module("mesh2.messages").Ping(1))
    assert error.message == "Ping"
    assert refused(package, mesh, None).message == "NoneType"


def test_errors_travel_between_processes(package: Package, errors: Any) -> None:
    mesh = package.module("mesh.messages")
    error = refused(package, mesh, mesh.Join(1, "a", 256))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert isinstance(error, errors.ProtocolError)
    assert isinstance(error, ValueError)
