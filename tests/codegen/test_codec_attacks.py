"""What hostile callers and hostile names tried on the generated codecs, told as stories."""

from __future__ import annotations

import ast
import importlib
import itertools
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from mypy import api as mypy

from support.documents import document, protocol_of, table
from support.duel import Duel
from support.rendered import Package
from zwire_codegen.backends.all import layout
from zwire_codegen.backends.python import codec, dialogs, strategies
from zwire_codegen.backends.python.names import literal
from zwire_codegen.backends.tidying import as_black_has_it
from zwire_codegen.backends.vectors import unpack
from zwire_codegen.model.types import Protocol
from zwire_protocols import PROTOCOLS, zre36
from zwire_protocols.errors import DecodeError, EncodeError
from zwire_protocols.ppp import decode_from_worker

VECTORS = Path(__file__).parents[2] / "generated" / "vectors"
HUGE = 10**5000  # more digits than Python is willing to print, pytest too
A_HUGE_ONE = pytest.param(HUGE, id="huge")


class Unshowable:
    """An object that nobody can look at."""

    def __repr__(self) -> str:
        raise RuntimeError("do not look at me")


def package_of(folder: Path, *protocols: Protocol) -> Package:
    return Package(folder, {**codec.render(protocols), **dialogs.render(protocols)})


def duel_over(folder: Path, protocol: Protocol, package: str) -> Duel:
    """The one part of a protocol against the reference."""
    rendered = package_of(folder, protocol)
    (part,) = protocol.parts
    return Duel(part, rendered.module(f"{package}.{part.name}"), rendered.module("errors"))


# ---------------------------------------------------------------- hostile values


@pytest.mark.parametrize("value", [A_HUGE_ONE, Unshowable()])
def test_a_value_that_cannot_be_shown_is_still_refused_in_words(value: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        zre36.messages.encode(zre36.messages.Ping(value))
    assert type(value).__name__ in str(caught.value)
    assert "PING sequence" in repr(caught.value)


@pytest.mark.parametrize("frame", [A_HUGE_ONE, Unshowable()])
def test_frames_that_cannot_be_shown_are_still_refused_in_words(frame: Any) -> None:
    with pytest.raises(DecodeError) as caught:
        zre36.messages.decode([frame])
    assert caught.value.code == "type"


def test_an_endless_content_is_refused_and_not_waited_for() -> None:
    endless: Any = itertools.repeat(b"again")
    with pytest.raises(EncodeError, match="WHISPER content: expected a tuple of frames"):
        zre36.messages.encode(zre36.messages.Whisper(1, endless))


def test_octets_in_place_of_a_list_of_frames_are_no_message_of_ppp() -> None:
    octets: Any = b"hello"
    with pytest.raises(DecodeError) as caught:
        decode_from_worker(octets)
    assert caught.value.code == "type"


@pytest.mark.parametrize("value", [None, "x", b"x", object(), A_HUGE_ONE, Unshowable()])
def test_json_is_never_made_of_what_cannot_be_sent(value: Any) -> None:
    broken = zre36.messages.Hello(value, value, value, value, value, value)
    for told in (zre36.messages.to_dict, zre36.messages.summary):
        with pytest.raises(EncodeError, match="HELLO sequence"):
            told(broken)


@pytest.mark.parametrize("frames", [None, 7, "text", [None], ["text"], [7], [HUGE], [[]], object()])
def test_a_dump_of_what_are_no_frames_says_so(frames: Any) -> None:
    assert zre36.messages.dump(frames).startswith("malformed: ")


@pytest.mark.parametrize("name", [A_HUGE_ONE, [], {}, None, 7, Unshowable()])
def test_a_message_whose_name_is_no_text_is_refused(name: Any) -> None:
    with pytest.raises(EncodeError):
        zre36.messages.from_dict({"message": name, "fields": {}})


NUMBERS = """\
; Numbers in a row.
LIST = %x01 numbers
numbers = size *number
size = OCTET
number = 2OCTET"""


@pytest.mark.parametrize("number", [65536, -1, A_HUGE_ONE, True, 1.0, "1", None])
def test_a_number_in_a_list_that_its_octets_cannot_hold_is_refused(
    tmp_path: Path, number: Any
) -> None:
    text = document(settings='[senders]\nLIST = ["client"]', abnf=NUMBERS)
    package = package_of(tmp_path, protocol_of(text))
    module = package.module("sample.messages")
    assert module.encode(module.List((1, 65535))) == [b"\x01\x02\x00\x01\xff\xff"]
    with pytest.raises(package.module("errors").EncodeError, match="LIST numbers"):
        module.encode(module.List((1, number)))


# ---------------------------------------------------------------- names that clash

# A dictionary in the middle, and around it fields with the names that its loops use.
CLOBBERING = """\
; Mixes names.
MIX = %x01 size headers key value key-octets value-octets value-size headers-items entry refusal at tail
size = number
key = string
value = string
key-octets = octets
value-octets = octets
value-size = number
headers = count *pair
headers-items = size1 *string
entry = string
refusal = string
at = string
tail = string
pair = string longstr
longstr = count *VCHAR
count = 4OCTET
string = size1 *VCHAR
octets = size1 *OCTET
size1 = OCTET
number = 2OCTET"""


def test_fields_named_like_the_variables_of_a_codec_keep_their_values(tmp_path: Path) -> None:
    text = document(settings='[senders]\nMIX = ["client"]', abnf=CLOBBERING)
    duel = duel_over(tmp_path, protocol_of(text), "sample")
    duel.valid()
    duel.invalid()
    duel.mutations(300, Random(5))


MESSAGES = [
    "MESSAGE",
    "ENCODE",
    "DECODE",
    "NONE",
    "CLASS",
    "ANY",
    "STRUCT",
    "VALUE-ERROR",
    "TYPE-ERROR",
    "TRUE",
    "INT-ENUM",
    "UUID",
    "SEQUENCE",
    "CALLABLE",
    "TYPE-ALIAS",
    "DECODE-ERROR",
    "PING-2",
    "PING2",
    "PROPERTY",
    "TUPLES-OF",
    "SENDABLE",
]
FIELDS = [
    "class",
    "none",
    "made",
    "message",
    "frames",
    "frame-1",
    "type",
    "tuple",
    "int",
    "str",
    "bytes",
    "dict",
    "property",
    "mro",
    "self",
    "cls",
    "headers",
    "headers-view",
    "import",
    "lambda",
    "match",
    "unpack",
    "blank",
    "refuse-controls",
    "range",
    "len",
    "object",
    "name",
]
KINDS = ("string", "number", "dictionary", "list", "`*OCTET`", "`1*VCHAR`", "kind")
RULES = """\
string = size1 *VCHAR
number = 2OCTET
list = size1 *string
dictionary = count *pair
pair = string longstr
longstr = count *VCHAR
count = 4OCTET
size1 = OCTET
kind = mro-x / name-x / class-x
mro-x = %x01
name-x = %x02
class-x = %x03"""
CONSTANTS = ["octet", "messages", "decoders", "malformed", "unsuitable", "limit", "uuid"]


def _awkward() -> Protocol:
    """A protocol whose messages, fields, constants and dialogs have the most awkward names."""
    senders = "".join(f'{name} = ["client"]\n' for name in MESSAGES)
    constants = "".join(f"{name} = {number}\n" for number, name in enumerate(CONSTANTS))
    tables = ""
    for number, name in enumerate(MESSAGES):
        fields = [FIELDS[(5 * number + one) % len(FIELDS)] for one in range(5)]
        rows = [
            f"{place} | {KINDS[(number + place) % len(KINDS)]} | {field}"
            for place, field in enumerate(fields, start=1)
        ]
        tables += table(name, f'0 | `%s"{name.lower()}"` | ', *rows)
    settings = f"[senders]\n{senders}[constants]\n{constants}"
    dialog = "limit = C:MESSAGE\ndialogs = C:ENCODE\ncommands = C:DECODE\ncloses = C:CLASS"
    return protocol_of(document(settings=settings, abnf=RULES, dialog=dialog, tables=tables))


@pytest.fixture(scope="module")
def awkward() -> Protocol:
    return _awkward()


def test_awkward_names_make_codecs_that_work(tmp_path: Path, awkward: Protocol) -> None:
    duel = duel_over(tmp_path, awkward, "sample")
    assert len({*duel.module.MESSAGES.values()}) == len(MESSAGES)
    duel.valid()
    duel.invalid()
    duel.shuffles(Random(1))


def test_awkward_names_bother_neither_mypy_nor_black(tmp_path: Path, awkward: Protocol) -> None:
    files = {**codec.render([awkward]), **dialogs.render([awkward])}
    package = Package(tmp_path, files)
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = true\n")
    told, _, code = mypy.run(
        [
            f"--config-file={settings}",
            f"--cache-dir={tmp_path / 'cache'}",
            str(tmp_path / package.name),
        ]
    )
    assert code == 0, told
    for name in ("sample/messages.py", "sample/messages_dialogs.py", "sample/__init__.py"):
        assert as_black_has_it(files[name]) == files[name], name


def test_a_dialog_called_limit_leaves_the_limit_alone(tmp_path: Path, awkward: Protocol) -> None:
    module = package_of(tmp_path, awkward).module("sample.messages_dialogs")
    assert set(module.DIALOGS) == {"limit", "dialogs", "commands", "closes"}
    assert module.conversation().feed("client", "MESSAGE") is None
    assert isinstance(module.LIMIT, int)


@pytest.mark.parametrize("name", ["layout", "views", "reading", "checking", "choosing"])
def test_a_protocol_named_like_a_shared_module_does_not_hide_it(tmp_path: Path, name: str) -> None:
    text = document(settings='[senders]\nLIST = ["client"]', abnf=NUMBERS)
    text = text.replace('name = "sample"', f'name = "{name}"')
    module = package_of(tmp_path, protocol_of(text)).module(f"{name}_.messages")
    frames = [b"\x01\x01\x00\x07"]
    assert module.to_dict(module.decode(frames)) == {"message": "LIST", "fields": {"numbers": [7]}}


def test_a_constant_and_a_message_may_share_a_letter(tmp_path: Path) -> None:
    settings = '[senders]\nA = ["client"]\n[constants]\na = 1'
    package = package_of(tmp_path, protocol_of(document(settings=settings, abnf="A = %x01")))
    module = package.module("sample.messages")
    assert module.A_ == 1
    assert module.decode([b"\x01"]) == module.A()


TITLE = r'''title = 'A "quoted\" title with \N, \ and three: """ in it' '''


def test_titles_comments_and_constants_cannot_break_out(tmp_path: Path) -> None:
    settings = '[senders]\nLIST = ["client"]\n[constants]\nodd = "a\\\\b\\"c\\n\'d\'"'
    dialog = '; Says """ and \\N,\n; in two lines.\ntalk = C:LIST'
    text = document(settings=settings, abnf=NUMBERS, dialog=dialog)
    text = text.replace('name = "sample"\n', f'name = "sample"\n{TITLE}\n')
    protocol = protocol_of(text)
    assert '"""' in protocol.title
    for files in (
        codec.render([protocol]),
        dialogs.render([protocol]),
        strategies.render([protocol]),
    ):
        for name, rendered in files.items():
            if name.endswith(".py"):
                ast.parse(rendered)
                assert as_black_has_it(rendered) == rendered, name
    assert package_of(tmp_path, protocol).module("sample.messages").ODD == "a\\b\"c\n'd'"


@pytest.mark.parametrize("value", ["", "'", '"', "'\"", "''\"", '\'""', "\\'", "\n\"'", b"'\"\xff"])
def test_literals_are_those_of_black(value: str | bytes) -> None:
    assert ast.literal_eval(literal(value)) == value
    assert as_black_has_it(f"x = {literal(value)}\n") == f"x = {literal(value)}\n"


# ---------------------------------------------------------------- odd sizes


def test_three_hundred_messages_are_told_apart(tmp_path: Path) -> None:
    names = [f"M{number}" for number in range(300)]
    settings = "[senders]\n" + "\n".join(f'{name} = ["client"]' for name in names)
    abnf = "\n".join(f"M{n} = %x{n >> 8:02X}.{n & 255:02X} string" for n in range(300))
    text = document(settings=settings, abnf=abnf + "\nstring = size *VCHAR\nsize = OCTET")
    module = package_of(tmp_path, protocol_of(text)).module("sample.messages")
    for number, name in enumerate(names):
        frames = [number.to_bytes(2, "big") + b"\x02hi"]
        message = module.decode(frames)
        assert type(message) is module.MESSAGES[name]
        assert module.encode(message) == frames


def test_a_part_of_one_message_without_fields_is_as_black_has_it() -> None:
    protocol = protocol_of(document(settings='[senders]\nA = ["client"]', abnf="A = %x01"))
    for name, text in layout([protocol], ["python", "strategies"], own=True).items():
        if name.endswith("messages.py"):
            assert as_black_has_it(text) == text, name


SIZED = {
    "one text to the end": "string",
    "between fixed fields": "number string number",
    "two side by side": "string string2",
    "bounded": "short number",
    "octets": "octets number octets2",
    "before a list": "string list",
    "behind a list": "list number string",
    "before the rest": "string rest",
    "constant behind": "string %xAB.CD number",
}
SIZED_RULES = """
string = size *VCHAR
string2 = size *VCHAR
short = size 1*VCHAR
octets = size *OCTET
octets2 = size *OCTET
list = size *string
number = 2OCTET
rest = *OCTET
size = OCTET"""


@pytest.mark.parametrize("fields", SIZED.values(), ids=SIZED)
def test_texts_of_every_size_go_both_ways_wherever_they_stand(tmp_path: Path, fields: str) -> None:
    fields = fields.replace("number string number", "number string number2")
    abnf = f"SAY = %x01 {fields}{SIZED_RULES}\nnumber2 = 2OCTET"
    duel = duel_over(
        tmp_path, protocol_of(document(settings='[senders]\nSAY = ["client"]', abnf=abnf)), "sample"
    )
    duel.valid()
    duel.invalid()
    duel.cuts(80)
    duel.mutations(300, Random(7))
    duel.unencodable()


def test_lists_in_several_frames_of_a_message_do_not_mix(tmp_path: Path) -> None:
    rows = ("0 | `%x01` | ", "1 | list | first", "2 | dictionary | second", "3 | list | parts-1")
    text = document(settings='[senders]\nSAY = ["client"]', abnf=RULES, tables=table("SAY", *rows))
    module = package_of(tmp_path, protocol_of(text)).module("sample.messages")
    message = module.Say(("a",), (("k", "v"),), ("b", "c"))
    frames = [b"\x01", b"\1\1a", b"\0\0\0\1\1k\0\0\0\1v", b"\2\1b\1c"]
    assert module.encode(message) == frames
    assert module.decode(frames) == message


# ---------------------------------------------------------------- vectors and conversations


@pytest.mark.parametrize("name", PROTOCOLS)
def test_committed_vectors_hold_for_the_committed_codecs(name: str) -> None:
    told = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    for part in unpack(told)["parts"]:
        module = importlib.import_module(f"zwire_protocols.{name}.{part['part']}")
        for case in part["invalid"]:
            decode = module.DECODERS[case["role"]] if case["role"] else module.decode
            with pytest.raises(DecodeError) as caught:
                decode([bytes.fromhex(frame) for frame in case["frames"]])
            place = ("code", "message", "field", "frame", "offset")
            assert {key: getattr(caught.value, key) for key in place} == {
                key: case[key] for key in place
            }, case["name"]
        for case in part["unencodable"]:
            with pytest.raises(EncodeError) as refused:
                module.encode(module.from_dict({k: case[k] for k in ("message", "fields")}))
            assert refused.value.field == case["field"], case["name"]


@pytest.mark.parametrize("evict", [False, True])
@pytest.mark.parametrize(
    "name", [f"{one}.{part}" for one, parts in PROTOCOLS.items() for part in parts]
)
def test_a_flood_of_strangers_fills_a_conversation_only_to_its_limit(
    name: str, evict: bool
) -> None:
    module = importlib.import_module(f"zwire_protocols.{name}_dialogs")
    random = Random(name)
    commands = [*module.COMMANDS, ("nobody", "NOTHING")]
    watch = module.conversation(limit=8, evict=evict)
    for _ in range(800):
        role, command = random.choice(commands)
        key = random.randrange(1_000_000)
        before = watch.legal(key), [watch.open(dialog) for dialog in module.DIALOGS]
        verdict = watch.feed(role, command, key)
        after = watch.legal(key), [watch.open(dialog) for dialog in module.DIALOGS]
        if type(verdict).__name__ == "Violation":
            assert str(verdict)
            if verdict.reason != "closed":
                assert before == after
        assert max(after[1], default=0) <= 8
        if watch.closed:
            watch = module.conversation(limit=8, evict=evict)
