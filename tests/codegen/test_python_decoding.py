"""What arrives is read into messages, or refused with the place and the reason."""

from __future__ import annotations

from typing import Any

import pytest

from support import hand_made
from support.rendered import Package
from zwire_codegen.backends.python import codec


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(tmp_path_factory.mktemp("decoding"), codec.render(hand_made.ALL))


def verdict(package: Package, decode: Any, frames: Any) -> tuple[str, str, str, int, int]:
    with pytest.raises(package.module("errors").DecodeError) as caught:
        decode(frames)
    error = caught.value
    assert error.expected
    assert error.got
    return error.code, error.message, error.field, error.frame, error.offset


def test_octets_of_a_message_are_those_of_the_specification(package: Package) -> None:
    mesh = package.module("mesh.messages")
    hello = mesh.Hello(1, "10.0.0.1", 49152, ("A", "BC"), 200, ("k=v", "bare"))
    (frame,) = mesh.encode(hello)
    assert frame == (
        b"\xaa\xa1\x00\x01\x01\x0810.0.0.1\xc0\x00\x02\x01A\x02BC\xc8\x02\x03k=v\x04bare"
    )
    assert mesh.decode([frame]) == hello
    assert mesh.decode((frame,)) == hello


def test_a_view_takes_the_first_of_duplicates_and_splits_once(package: Package) -> None:
    mesh = package.module("mesh.messages")
    hello = mesh.Hello(1, "", 1, (), 0, ("a=1=2", "b", "a=3"))
    assert hello.headers_view == {"a": "1=2", "b": ""}
    pairs = package.module("mesh2.messages").Hello(1, "", (), 0, "", (("a", "1"), ("a", "2")))
    assert pairs.headers_view == {"a": "1"}


JOIN = b"\xaa\xa1\x00\x02\x04\x01A\x09"


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([], ("frame-count", "", "", 0, 0)),
        ([b""], ("constant", "", "signature", 0, 0)),
        ([b"\xaa\xa2" + JOIN[2:]], ("constant", "", "signature", 0, 0)),
        ([JOIN[:4] + b"\x09" + JOIN[5:]], ("command", "", "id", 0, 4)),
        ([JOIN, b""], ("frame-count", "JOIN", "", 1, 0)),
        ([JOIN[:5]], ("truncated", "JOIN", "group", 0, 5)),
        ([JOIN[:6]], ("truncated", "JOIN", "group", 0, 5)),
        ([JOIN[:7]], ("truncated", "JOIN", "status", 0, 7)),
        ([JOIN + b"!"], ("trailing", "JOIN", "", 0, 8)),
        ([JOIN[:6] + b"\xff\x09"], ("text", "JOIN", "group", 0, 5)),
        ([JOIN[:6] + b"\x00\x09"], ("text", "JOIN", "group", 0, 5)),
        ([b"\xaa\xa1\x00\x01\x02"], ("frame-count", "WHISPER", "", 1, 0)),
        (["text"], ("type", "", "", 0, 0)),
        ([bytearray(JOIN)[:5]], ("type", "", "", 0, 0)),
        ("text", ("type", "", "", 0, 0)),
        (None, ("type", "", "", 0, 0)),
    ],
)
def test_damage_is_placed_and_named(package: Package, frames: Any, told: object) -> None:
    assert verdict(package, package.module("mesh.messages").decode, frames) == told


def test_the_item_of_a_list_is_placed_where_it_begins(package: Package) -> None:
    mesh = package.module("mesh.messages")
    head = b"\xaa\xa1\x00\x01\x01\x00\x00\x05"
    lost = head + b"\x02\x01A"
    assert verdict(package, mesh.decode, [lost]) == ("truncated", "HELLO", "groups", 0, 11)
    dirty = head + b"\x02\x01A\x01\x07\x00\x00"
    assert verdict(package, mesh.decode, [dirty]) == ("text", "HELLO", "groups", 0, 11)


def test_a_count_of_billions_ends_with_the_frame(package: Package) -> None:
    mesh = package.module("mesh2.messages")
    frame = b"\xaa\xa1\x01\x02\x00\x01\x00" + b"\xff" * 4 + b"\x00\x00\x00\x00"
    assert verdict(package, mesh.decode, [frame]) == ("truncated", "HELLO", "groups", 0, 15)
    odd = package.module("odd.messages")
    frame = (
        b"\x01" + bytes(3) + b"\x07" + bytes(11) + b"\x00\x01t\x00\x00\x00" + b"\xff" * 4 + b"kkkkk"
    )
    assert verdict(package, odd.decode, [frame]) == ("truncated", "CLASS", "keys", 0, 31)


def test_two_messages_with_one_command_are_told_apart_by_their_header(package: Package) -> None:
    worker = package.module("tabled.worker")
    assert worker.decode([b"MDXW01", b"\x06"]) == worker.Disconnect()
    assert worker.decode([b"MDPW02", b"\x06"]) == worker.DisconnectOld()
    wrong = verdict(package, worker.decode, [b"MDPW02", b"PING"])
    assert wrong == ("command", "", "command", 1, 0)


def test_one_decoder_serves_all_where_nothing_clashes(package: Package) -> None:
    worker = package.module("tabled.worker")
    assert {"broker": worker.decode, "worker": worker.decode} == worker.DECODERS
    assert worker.MESSAGES["DISCONNECT-OLD"] is worker.DisconnectOld


def test_what_only_the_sender_tells_apart_has_a_decoder_for_each(package: Package) -> None:
    pirate = package.module("pirate.messages")
    assert not hasattr(pirate, "decode")
    frames = [b"address", b"", b"work"]
    assert pirate.DECODERS["client"](frames) == pirate.Request((b"address",), (b"work",))
    assert pirate.DECODERS["worker"](frames) == pirate.Reply((b"address",), (b"work",))
    assert pirate.decode_from_worker([b"\x01"]) == pirate.Ready()
    assert pirate.decode_from_client([b"\x02"]) == pirate.Heartbeat()


def test_ready_is_ready_whoever_sends_it(package: Package) -> None:
    pirate = package.module("pirate.messages")
    told = verdict(package, pirate.decode_from_client, [b"\x01"])
    assert told == ("command", "", "command", 0, 0)


def test_an_optional_stack_is_there_when_an_empty_frame_is(package: Package) -> None:
    pirate = package.module("pirate.messages")
    assert pirate.decode_from_client([b"work"]) == pirate.Request(None, (b"work",))
    assert pirate.decode_from_client([b"", b"work"]) == pirate.Request((), (b"work",))
    assert pirate.decode_from_client([b"", b"\x01"]) == pirate.Request((), (b"\x01",))
    later = pirate.decode_from_client([b"a", b"", b"", b"work"])
    assert later == pirate.Request((b"a",), (b"", b"work"))
    alone = verdict(package, pirate.decode_from_client, [b""])
    assert alone == ("frame-count", "REQUEST", "", 1, 0)


def test_a_required_stack_must_end(package: Package) -> None:
    letter = package.module("letter.rep")
    told = verdict(package, letter.decode_from_req, [b"a", b"data"])
    assert told == ("empty", "REQUEST", "stack", 2, 0)


def test_envelopes_split_and_join_again(package: Package) -> None:
    letter, pirate = package.module("letter.rep"), package.module("pirate.messages")
    frames = [b"a", b"b", b"", b"x", b"", b"y"]
    for module in (letter, pirate):
        stack, content = module.split(frames)
        assert (stack, content) == ((b"a", b"b"), [b"x", b"", b"y"])
        assert module.join(stack, content) == frames
    assert pirate.split([b"x"]) == (None, [b"x"])
    assert pirate.join(None, [b"x"]) == [b"x"]
    errors = package.module("errors")
    with pytest.raises(errors.DecodeError):
        letter.split([b"x"])
    with pytest.raises(errors.EncodeError):
        pirate.join(None, [b"x", b""])
    with pytest.raises(errors.EncodeError):
        letter.join([b""], [b"x"])
    assert not hasattr(package.module("mesh.messages"), "split")


def test_a_package_with_one_part_offers_its_names(package: Package) -> None:
    log, messages = package.module("log"), package.module("log.messages")
    assert log.decode is messages.decode
    assert set(log.__all__) <= set(vars(log))
    assert package.module("mesh").beacon.UDP_PORT == 5670
    assert package.module("mesh.beacon").MAGIC == b"\x00\xff"


def test_enumerations_of_one_name_stay_apart(package: Package) -> None:
    moods = package.module("moods.messages")
    mood = moods.Mood(moods.MoodMood(2), moods.Kind.A)
    assert moods.encode(mood) == [b"\x01\x02\x00\x01"]
    assert moods.decode([b"\x01\x02\x00\x01"]) == mood
    assert moods.to_dict(mood)["fields"] == {"mood": "2nd", "kind": "a"}
    assert moods.decode([b"\x02\x02"]) == moods.Other(moods.OtherKind.C)
