"""What the codecs make of captured frames: bodies, ids and names in every dialect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from zwire.captured import (
    NoCodec,
    Understood,
    addresses_in,
    body_at,
    body_begins,
    ids_in,
    understand,
)
from zwire.codecs import find_codecs, known_protocols
from zwire_protocols.errors import DecodeError

VECTORS = Path(__file__).parents[2] / "generated" / "vectors"
MAJORDOMO = ("mdpx", "mdp01", "mdp02", "emqp")
EMQP = (b"", b"eMQP/1.0")

BODIES = [
    ("mdpx.client", "client", [b"MDXC01", b"\1", b"echo", b"id", b"a", b"b"], 4),
    ("mdpx.worker", "worker", [b"MDXW01", b"\4", b"alice", b"", b"id", b"a"], 5),
    ("mdpx.worker", "worker", [b"MDXW01", b"PING"], 2),
    ("mdpx", "worker", [b"MDXW01", b"\4", b"alice", b"", b"id", b"a"], 5),
    ("ppp", "client", [b"top", b"next", b"", b"a", b"b"], 3),
    ("ppp", "worker", [b"\1"], 1),
    ("emqp.client", "client", [*EMQP, b"REQUEST", b"id", b"queue", b"", b"body"], 6),
    ("reqrep.rep", "req", [b"", b"a", b"b"], 1),
    ("zre.messages", "sender", [bytes.fromhex("aaa1000202"), b"a"], 1),
    ("zrelog", "node", [bytes.fromhex("aaa2010101000100020000000000000000") + b"\5hello"], 1),
    ("mdpx.client", "client", [b"nonsense", b"secret"], 0),
    ("unheard-of", "client", [b"secret"], 0),
]


@pytest.mark.parametrize(("protocol", "role", "frames", "first"), BODIES)
def test_a_body_begins_where_the_specification_says(
    protocol: str, role: str, frames: Sequence[bytes], first: int
) -> None:
    assert body_at(protocol, role, frames) == first


def valid_vectors() -> Iterator[tuple[str, str, list[bytes]]]:
    for path in sorted(VECTORS.glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        for part in told["parts"]:
            for case in part["valid"]:
                if not all(isinstance(frame, str) for frame in case["frames"]):
                    continue  # long ones, told in short
                frames = [bytes.fromhex(frame) for frame in case["frames"]]
                for role in case["roles"]:
                    yield f"{told['protocol']}.{part['part']}", role, frames


def test_requests_and_replies_need_no_reading_to_find_their_body() -> None:
    """The quick way and the careful one agree on every message that has a body."""
    checked = set()
    for protocol, role, frames in valid_vectors():
        begins = body_begins(protocol, role)
        first = body_at(protocol, role, frames)
        if begins is not None and first < len(frames):
            assert begins(frames) == first, (protocol, role, frames)
            checked.add(protocol)
    parts = {f"{name}.{side}" for name in MAJORDOMO for side in ("client", "worker")}
    assert checked == parts | {"ppp.messages", "reqrep.rep"}


IDS = [
    ("mdpx.client", "client", [b"MDXC01", b"\1", b"echo", b"id", b"a"], {b"id"}, set()),
    ("mdpx.worker", "broker", [b"MDXW01", b"\2", b"alice", b"", b"id", b"a"], {b"id"}, set()),
    ("emqp.worker", "worker", [*EMQP, b"REPLY", b"id", b"a"], {b"id"}, set()),
    ("ppp", "client", [b"top", b"next", b"", b"a"], {b"top"}, {b"top", b"next"}),
    ("mdpx.worker", "worker", [b"MDXW01", b"PING"], set(), set()),
]


@pytest.mark.parametrize(("protocol", "role", "frames", "ids", "addresses"), IDS)
def test_a_request_is_known_by_its_ids(
    protocol: str, role: str, frames: Sequence[bytes], ids: set[bytes], addresses: set[bytes]
) -> None:
    understood = understand(protocol, role, frames)
    assert ids_in(understood, role) == ids
    assert addresses_in(understood) == addresses


def test_of_several_parts_the_one_that_understands_is_taken() -> None:
    assert understand("mdpx", "broker", [b"MDXW01", b"PONG"]).codec.name == "mdpx.worker"
    assert understand("mdpx", "worker", [b"MDXW01", b"PING"]).name == "PING"


def test_of_several_refusals_the_one_that_read_furthest_is_told() -> None:
    with pytest.raises(DecodeError) as refused:
        understand("mdpx", "broker", [b"MDXW01", b"\2", b"alice", b"", b"", b"a"])
    assert (refused.value.message, refused.value.field) == ("REQUEST", "request_id")


def test_a_role_that_nobody_has_is_no_reason_to_guess() -> None:
    with pytest.raises(NoCodec):
        understand("ppp", "broker", [b"\1"])
    with pytest.raises(NoCodec):
        understand("nothing", "", [b"\1"])


def test_every_message_of_every_protocol_has_its_name() -> None:
    for protocol in known_protocols():
        for codec in find_codecs(protocol):
            for name, kind in codec.messages.items():
                assert Understood(codec, object.__new__(kind)).name == name
