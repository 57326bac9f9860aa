"""Messages in octets, written by hand after the specifications, read by the grammars."""

from __future__ import annotations

import pytest

from support.grammars import part
from zwire_codegen.reference.codec import Reference
from zwire_codegen.reference.refusal import Refusal

UUID = "00112233445566778899aabbccddeeff"
WORDS = "00112233-4455-6677-8899-aabbccddeeff"

# Written by hand after the specifications, spaces where a reader wants them.
EXAMPLES: list[tuple[str, str | None, str, list[str], dict[str, object]]] = [
    (
        "zre.messages",
        None,
        "HELLO",
        ["aaa1 0001 01 08 31302e302e302e37 c001 02 01 41 02 4242 05 01 05 583d793d7a"],
        {
            "sequence": 1,
            "ipaddress": "10.0.0.7",
            "mailbox": 0xC001,
            "groups": ["A", "BB"],
            "status": 5,
            "headers": ["X=y=z"],
        },
    ),
    ("zre.messages", None, "WHISPER", ["aaa1 0002 02", ""], {"sequence": 2, "content": ""}),
    (
        "zre.messages",
        None,
        "SHOUT",
        ["aaa1 0003 03 01 41", "6869"],
        {"sequence": 3, "group": "A", "content": "6869"},
    ),
    (
        "zre.messages",
        None,
        "JOIN",
        ["aaa1 0002 04 01 41 01"],
        {"sequence": 2, "group": "A", "status": 1},
    ),
    (
        "zre.messages",
        None,
        "LEAVE",
        ["aaa1 ffff 05 01 41 ff"],
        {"sequence": 65535, "group": "A", "status": 255},
    ),
    ("zre.messages", None, "PING", ["aaa1 0000 06"], {"sequence": 0}),
    ("zre.messages", None, "PING-OK", ["aaa1 0102 07"], {"sequence": 258}),
    ("zre.beacon", None, "BEACON", [f"5a5245 01 {UUID} c001"], {"uuid": WORDS, "port": 0xC001}),
    (
        "zrelog.messages",
        None,
        "LOG",
        ["aaa2 01 02 04 1234 0000 00000000000003e8 02 6f6b"],
        {
            "level": "WARNING",
            "event": "EXIT",
            "node": 0x1234,
            "peer": 0,
            "time": 1000,
            "data": "ok",
        },
    ),
    (
        "zre36.messages",
        None,
        "HELLO",
        [
            "aaa1 01 02 0001 09 7463703a2f2f613a31 00000001 00000001 41 00 02 6d65"
            "00000001 01 6b 00000002 7676"
        ],
        {
            "sequence": 1,
            "endpoint": "tcp://a:1",
            "groups": ["A"],
            "status": 0,
            "name": "me",
            "headers": [["k", "vv"]],
        },
    ),
    ("zre36.messages", None, "WHISPER", ["aaa1 02 02 0002"], {"sequence": 2, "content": []}),
    (
        "zre36.messages",
        None,
        "SHOUT",
        ["aaa1 03 02 0003 01 41", "61", ""],
        {"sequence": 3, "group": "A", "content": ["61", ""]},
    ),
    (
        "zre36.messages",
        None,
        "ELECT",
        ["aaa1 08 02 0004 01 41 02 4646"],
        {"sequence": 4, "group": "A", "challenger_id": "FF"},
    ),
    ("zre36.messages", None, "GOODBYE", ["aaa1 0a 02 0005"], {"sequence": 5}),
    ("zre36.beacon", None, "BEACON", [f"5a5245 01 {UUID} 0000"], {"uuid": WORDS, "port": 0}),
    (
        "zre36.beacon3",
        None,
        "BEACON",
        [f"5a5245 03 {UUID} c001 {'5a' * 32}"],
        {"uuid": WORDS, "port": 0xC001, "public_key": "5a" * 32},
    ),
    (
        "zgossip.messages",
        None,
        "PUBLISH",
        ["aaa0 02 01 01 6b 00000001 76 00000bb8"],
        {"key": "k", "value": "v", "ttl": 3000},
    ),
    (
        "mdpx.client",
        None,
        "REQUEST",
        ["4d4458433031", "01", "6563686f", "01", "6869"],
        {"service": "echo", "request_id": "01", "body": ["6869"]},
    ),
    (
        "mdpx.worker",
        None,
        "FINAL",
        ["4d4458573031", "04", "c1", "", "01", ""],
        {"client_address": "c1", "request_id": "01", "body": [""]},
    ),
    ("mdpx.worker", None, "PING", ["4d4458573031", "50494e47"], {}),
    ("mdpx.worker", None, "DISCONNECT-MDPW02", ["4d4450573032", "06"], {}),
    (
        "mdp01.client",
        "client",
        "REQUEST",
        ["", "4d4450433031", "6563686f", "6869"],
        {"service": "echo", "body": ["6869"]},
    ),
    (
        "emqp.worker",
        None,
        "INFORM",
        ["", "654d51502f312e30", "494e464f524d", "31", "612c62"],
        {"msgid": "31", "queue_name": "a,b"},
    ),
    ("reqrep.req", "req", "REQUEST", ["", ""], {"data": [""]}),
    (
        "reqrep.rep",
        "dealer",
        "REQUEST",
        ["61", "62", "", "78", "", "79"],
        {"envelope": ["61", "62"], "data": ["78", "", "79"]},
    ),
    ("ppp.messages", "worker", "READY", ["01"], {}),
    ("ppp.messages", "client", "HEARTBEAT", ["02"], {}),
    ("ppp.messages", "client", "REQUEST", ["03"], {"stack": None, "content": ["03"]}),
    ("ppp.messages", "client", "REQUEST", ["", "01"], {"stack": [], "content": ["01"]}),
    ("ppp.messages", "worker", "REPLY", ["c1", "", "78"], {"stack": ["c1"], "content": ["78"]}),
]


@pytest.mark.parametrize(("path", "role", "name", "frames", "fields"), EXAMPLES)
def test_an_example_in_octets_reads_as_people_read_it(
    path: str, role: str | None, name: str, frames: list[str], fields: dict[str, object]
) -> None:
    octets = [bytes.fromhex(frame) for frame in frames]
    assert Reference(part(path)).decode(octets, role) == (name, fields)


REFUSED: list[tuple[str, str | None, list[str], str]] = [
    ("zre.beacon", None, [f"5a5245 01 {UUID} 0000"], "value"),  # a mailbox has a port
    ("zre.beacon", None, [f"5a5245 02 {UUID} c001"], "constant"),
    ("zre.beacon", None, [f"5a5245 01 {UUID} c001 00"], "trailing"),
    ("zre.messages", None, ["aaa1 0002 02"], "frame-count"),  # content may not be missing
    ("zre.messages", None, ["aaa1 0002 08"], "command"),
    ("zre.messages", None, ["aaa2 0002 06"], "constant"),
    ("zre36.messages", None, ["aaa1 06 01 0002"], "constant"),  # another version
    ("mdpx.client", None, ["4d4458433031", "01", "61", "01"], "frame-count"),  # no body
    ("mdpx.client", None, ["4d4458433031", "01", "61", "", "61"], "empty"),  # no request id
    ("mdpx.worker", None, ["4d4458573031", "05"], "command"),  # reserved
    ("mdpx.worker", None, ["4d4458573031", "70696e67"], "command"),  # ping in small letters
    ("mdpx.worker", None, ["4d4458573031", "02", "c1", "", "01"], "frame-count"),
    (
        "mdpx.worker",
        None,
        ["4d4458573031", "02", "c1", "c2", "", "01", "61"],
        "command",
    ),  # two addresses
    ("emqp.client", None, ["", "654d51502f312e31", "5245504c59", "31", "61"], "constant"),
    ("ppp.messages", "client", [""], "frame-count"),  # a stack without content
    ("reqrep.req", "req", [""], "frame-count"),  # a bare delimiter
    ("reqrep.rep", "dealer", ["61", "62"], "empty"),  # no delimiter
]


@pytest.mark.parametrize(("path", "role", "frames", "code"), REFUSED)
def test_what_a_specification_forbids_is_refused(
    path: str, role: str | None, frames: list[str], code: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        Reference(part(path)).decode([bytes.fromhex(frame) for frame in frames], role)
    assert refusal.value.code == code
