"""The generated SQL says what the Python codec says, of every message, good or damaged."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from support import hand_made
from support.grammars import ROOT, part
from support.mutation import mutated
from support.rendered import Package
from support.sql_decoding import Row, Verdict, differences, verdicts
from zwire_codegen.backends.spark.module import package_name, render
from zwire_codegen.backends.vectors import unpack
from zwire_codegen.backends.vectors.cases import Cases
from zwire_protocols.errors import DecodeError
from zwire_spark.decoding import REFUSED, decode
from zwire_sql import PARTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

DRAWN = 60  # messages of each part; each is also damaged
DAMAGED = 6  # times
LONGEST_METHOD = 8_000  # octets of byte code, above which Java only interprets
CUT_IN_PIECES = {"zre36.messages": 1}  # stages that are longer, and that Spark then takes apart


def of_cases(cases: dict[str, Any]) -> tuple[list[Row], list[Verdict]]:
    """The rows of a part's cases, and what is to be said of them."""
    rows: list[Row] = []
    expected: list[Verdict] = []
    for case in unpack(cases["valid"]):
        for role in case["roles"] or [""]:
            rows.append((role, [bytes.fromhex(frame) for frame in case["frames"]]))
            expected.append((case["message"], case["fields"]))
    for case in unpack(cases["invalid"]):
        rows.append((case["role"] or "", [bytes.fromhex(frame) for frame in case["frames"]]))
        expected.append(tuple(case[n] for n in ("code", "message", "field", "frame", "offset")))
    return rows, expected


def as_python_says(name: str, rows: list[Row]) -> list[Verdict]:
    """What the Python codec of a part says of rows."""
    codec: Any = importlib.import_module(f"zwire_protocols.{name}")
    said: list[Verdict] = []
    for role, frames in rows:
        try:
            told = codec.to_dict(codec.DECODERS[role](frames))
            said.append((told["message"], told["fields"]))
        except DecodeError as error:
            said.append((error.code, error.message, error.field, error.frame, error.offset))
    return said


def drawn(name: str) -> list[Any]:
    """Messages of a part, as Hypothesis draws them."""
    found: list[Any] = []
    strategies: Any = importlib.import_module(f"zwire_strategies.{name}")

    @settings(max_examples=DRAWN, database=None)
    @given(strategies.messages())
    def collect(message: Any) -> None:
        found.append(message)

    collect()
    return found


def of_vectors(name: str) -> tuple[list[Row], list[Verdict]]:
    """The rows of all vectors of a part, and what they say."""
    protocol, _, part_name = name.partition(".")
    vectors = json.loads((ROOT / "generated/vectors" / f"{protocol}.json").read_text("utf-8"))
    return of_cases(next(cases for cases in vectors["parts"] if cases["part"] == part_name))


def drawn_and_damaged(name: str) -> list[Row]:
    """Messages of a part, whole and damaged, from senders of all kinds."""
    codec: Any = importlib.import_module(f"zwire_protocols.{name}")
    random = Random(name)
    whole = [codec.encode(message) for message in drawn(name)]
    frames = whole + [mutated(one, whole, random) for one in whole for _ in range(DAMAGED)]
    roles = list(codec.DECODERS)
    return [(random.choice(roles), one) for one in frames]


@pytest.mark.parametrize("name", PARTS)
def test_vectors_and_whatever_is_drawn_or_damaged_read_in_sql_as_in_python(
    name: str, spark: SparkSession, tmp_path: Path
) -> None:
    rows, expected = of_vectors(name)
    further = drawn_and_damaged(name)
    rows += further
    expected += as_python_says(name, further)
    found = verdicts(spark, tmp_path, part(name), PARTS[name], rows)
    assert differences(rows, found, expected) == []
    assert {len(verdict) for verdict in found} == {2, 5}  # messages, and such as are none


@pytest.mark.parametrize("protocol", hand_made.ALL, ids=lambda protocol: protocol.name)
def test_kinds_that_no_grammar_of_ours_has_are_decoded_too(
    protocol: Any, spark: SparkSession, tmp_path: Path
) -> None:
    decoders = Package(tmp_path, render([protocol]))
    for one in protocol.parts:
        cases = Cases(one)
        rows, expected = of_cases({"valid": cases.valid(), "invalid": cases.invalid()})
        module = decoders.module(f"{package_name(protocol.name)}.{one.name}")
        found = verdicts(spark, tmp_path, one, module.PART, rows)
        assert differences(rows, found, expected) == []


def test_every_octet_sequence_is_text_in_sql_when_it_is_text_in_python(
    spark: SparkSession, tmp_path: Path
) -> None:
    edges = bytes.fromhex("00 1f 41 7f 80 8f 90 9f a0 bf c0 c2 e0 ed ef f0 f4 f5 ff")
    texts = [bytes([one, two]) for one in range(256) for two in range(256)]
    texts += [bytes([one, two, three]) for one in edges for two in edges for three in edges]
    texts += [
        bytes([first, one, two, three])
        for first in (0xF0, 0xF1, 0xF4)
        for one in edges
        for two in edges
        for three in (0x41, 0x80, 0xBF, 0xC0)
    ]
    rows: list[Row] = [("worker", [b"MDXW01", b"\x01", text]) for text in texts]
    found = verdicts(spark, tmp_path, part("mdpx.worker"), PARTS["mdpx.worker"], rows)
    assert differences(rows, found, as_python_says("mdpx.worker", rows)) == []


def hello(groups: bytes, headers: bytes = b"\x00\x00\x00\x00") -> list[bytes]:
    """A HELLO of 36/ZRE with these octets for groups and headers."""
    return [b"\xaa\xa1\x01\x02\x00\x01\x00" + groups + b"\x01\x00" + headers]


def test_a_count_of_four_milliards_asks_for_no_more_than_the_octets_that_are_there(
    spark: SparkSession, tmp_path: Path
) -> None:
    item = b"\x00\x00\x00\x01g"
    most = b"\xff\xff\xff\xff"
    rows: list[Row] = [
        ("sender", hello(most)),
        ("sender", hello(most + item * 3)),
        ("sender", hello(b"\x80\x00\x00\x00" + item * 3)),
        ("sender", hello(b"\x00\x00\x00\x02" + item + most + b"g")),
        ("sender", hello(b"\x00\x00\x00\x01" + item, most + b"\x01k\x00\x00\x00\x01v" * 2)),
        ("sender", hello(b"\x00\x00\x00\x01" + item, b"\x00\x00\x00\x01\x01k" + most)),
    ]
    found = verdicts(spark, tmp_path, part("zre36.messages"), PARTS["zre36.messages"], rows)
    assert differences(rows, found, as_python_says("zre36.messages", rows)) == []
    assert {code for code, *_ in found} == {"truncated"}


def test_ten_thousand_groups_are_all_there_and_in_order(
    spark: SparkSession, tmp_path: Path
) -> None:
    names = [f"group {number}" for number in range(10_000)]
    items = b"".join(len(name).to_bytes(4, "big") + name.encode() for name in names)
    rows: list[Row] = [("sender", hello(len(names).to_bytes(4, "big") + items))]
    found = verdicts(spark, tmp_path, part("zre36.messages"), PARTS["zre36.messages"], rows)
    assert found[0][1]["groups"] == names


def test_the_largest_number_of_eight_octets_stays_what_it_is(
    spark: SparkSession, tmp_path: Path
) -> None:
    log = b"\xaa\xa2\x01\x01\x01\x00\x01\x00\x02%b\x00"
    numbers = [0, 2**63 - 1, 2**63, 2**64 - 1]
    rows: list[Row] = [("node", [log % number.to_bytes(8, "big")]) for number in numbers]
    found = verdicts(spark, tmp_path, part("zrelog.messages"), PARTS["zrelog.messages"], rows)
    assert [fields["time"] for _, fields in found] == numbers


def test_a_role_that_nobody_knows_is_the_reason_where_roles_matter(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows: list[Row] = [("stranger", [b"\x01"]), ("", [b"\x01"]), ("worker", [b"\x01"])]
    found = verdicts(spark, tmp_path, part("ppp.messages"), PARTS["ppp.messages"], rows)
    assert found == [("role", "", "", 0, 0), ("role", "", "", 0, 0), ("READY", {})]


def test_no_frames_at_all_are_refused_and_nothing_is_raised(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.ansi.enabled") == "true"
    for name, decoder in PARTS.items():
        role = "CAST(NULL AS STRING) AS role"
        nothing = f"(SELECT CAST(NULL AS ARRAY<BINARY>) AS frames, {role})"
        (row,) = spark.sql(decoder.over(nothing)).collect()
        assert row["command"] is None, name
        assert row["code"] in ("frame-count", "role"), name


@pytest.mark.parametrize("name", ["mdpx.worker", "zre.messages", "zre36.messages"])  # the longest
def test_java_compiles_the_methods_that_spark_makes_of_it(
    spark: SparkSession, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = spark.createDataFrame([], "frames array<binary>, role string, octets long")
    # as the tables of messages want it, which is most of what is decoded
    places = [column for column in REFUSED if column != "code"]
    decode(rows, name).drop(*places).explain("codegen")
    sizes = [int(size) for size in re.findall(r"maxMethodCodeSize:(\d+)", capsys.readouterr().out)]
    assert sizes
    too_long = [size for size in sizes if size > LONGEST_METHOD]
    assert len(too_long) == CUT_IN_PIECES.get(name, 0), f"methods of {sizes} octets"
