"""The Spark target: what a small message becomes, and what its columns are called."""

from __future__ import annotations

import ast
from pathlib import Path

from support import hand_made
from support.grammars import NAMES, protocol
from support.hand_made import frame, part, said
from support.rendered import Package
from zwire_codegen.backends.all import layout
from zwire_codegen.backends.spark.columns import columns
from zwire_codegen.backends.spark.module import render
from zwire_codegen.backends.spark.sql import minus, plus
from zwire_codegen.backends.tidying import as_black_has_it
from zwire_codegen.model.types import Constant, Integer, Listing, Octets, Part, Text

SMALL = hand_made.protocol(
    "small",
    part(
        "messages",
        said("SAY", frame(("command", Constant(b"\x01")), ("words", Text(1)))),
        said("BYE", frame(("command", Constant(b"\x02")))),
    ),
)

STAGES = (
    r"""
SELECT
  *,
  get(frames, 0) AS `_f0`
FROM {source}
""",
    r"""
SELECT
  *,
  CASE
    WHEN substring(_f0, 1, 1) <=> X'01' THEN 1
    WHEN _f0 <=> X'02' THEN 2
  END AS `_m`
FROM {source}
""",
    r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN CAST(least(2 + CAST(conv(hex(substring(_f0, 2, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_words_stop`
FROM {source}
""",
    r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _m = 1 THEN substring(_f0, 3, _words_stop - 2)
  END AS `_words_octets`
FROM {source}
""",
    r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN _words_stop > length(_f0) THEN 3
      WHEN NOT is_valid_utf8(CAST(_words_octets AS STRING)) OR CAST(_words_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
      WHEN length(_f0) > _words_stop THEN 5
    END
    WHEN _m = 2 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
    END
    ELSE CASE
      WHEN _n = 0 THEN 6
      ELSE 7
    END
  END AS INT) AS `_w`
FROM {source}
""",
    r"""
SELECT
  * EXCEPT (_n, _f0, _m, _words_stop, _words_octets, _w),
  CASE
    WHEN _w IS NULL THEN get(array('SAY', 'BYE'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'truncated', 'text', 'trailing', 'frame-count', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5) THEN get(array('SAY', 'BYE'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'words', 'words', '', '', 'command'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  CASE
    WHEN _w IN (5) THEN CAST(_words_stop AS INT)
    ELSE get(array(0, 0, 1, 1, NULL, 0, 0), _w - 1)
  END AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(_words_octets AS STRING)
  END AS STRING) AS `words`
FROM {source}
""",
)


def test_a_small_protocol_becomes_these_stages(tmp_path: Path) -> None:
    module = Package(tmp_path, render([SMALL])).module("small.messages")
    assert module.PART.name == "small.messages"
    assert module.PART.fields == (("words", "STRING"),)
    assert module.PART.columns == {"SAY": {"words": "words"}, "BYE": {}}
    assert module.PART.stages == STAGES


def test_all_stages_make_one_query(tmp_path: Path) -> None:
    module = Package(tmp_path, render([SMALL])).module("small.messages")
    query = module.PART.over("captured")
    assert query.count("SELECT") == len(STAGES) + 1
    assert query.count("FROM captured\n") == 1
    assert "{" not in query


def test_a_field_that_rows_have_already_gets_another_name() -> None:
    types, places = columns(protocol_part("zrelog"))
    assert places["LOG"]["peer"] == "peer_field"
    assert types["peer_field"] == "BIGINT"
    assert types["time"] == "DECIMAL(20, 0)"


def protocol_part(name: str) -> Part:
    return protocol(name).parts[0]


def test_fields_of_one_name_and_two_types_have_a_column_each() -> None:
    mixed = part(
        "messages",
        said("ONE", frame(("command", Constant(b"\x01")), ("size", Integer(4)))),
        said("TWO", frame(("command", Constant(b"\x02")), ("size", Text(1)))),
        said("THREE", frame(("command", Constant(b"\x03")), ("size", Integer(2)))),
        said("FOUR", frame(("command", Constant(b"\x04")), ("size", Listing(1, Octets(4))))),
    )
    types, places = columns(mixed)
    assert types == {
        "size_one": "BIGINT",
        "size_two": "STRING",
        "size_three": "BIGINT",
        "size_four": "ARRAY<BINARY>",
    }
    assert places["TWO"] == {"size": "size_two"}


def test_black_would_change_nothing() -> None:
    protocols = [*hand_made.ALL, *(protocol(name) for name in NAMES), SMALL]
    for name, text in render(protocols).items():
        if name.endswith(".py"):
            assert as_black_has_it(text) == text, name


def test_a_stage_has_no_braces_but_those_of_its_source() -> None:
    for name, text in render([*hand_made.ALL, *(protocol(name) for name in NAMES)]).items():
        for node in ast.walk(ast.parse(text)):
            stage = node.value if isinstance(node, ast.Constant) else None
            if isinstance(stage, str) and stage.startswith("\nSELECT"):
                assert stage.count("{") == stage.count("}") == stage.count("{source}") == 1, name


def test_somebodys_own_protocol_stands_right_in_their_folder() -> None:
    files = layout([SMALL], ["spark"], own=True)
    assert {"__init__.py", "part.py", "small/messages.py"} <= files.keys()


def test_a_protocol_called_part_does_not_hide_the_module_that_all_share(tmp_path: Path) -> None:
    named = hand_made.protocol("part", *SMALL.parts)
    package = Package(tmp_path, render([named]))
    assert package.module("part_.messages").PART.name == "part.messages"


def test_sums_are_worked_out_as_far_as_they_are_known() -> None:
    assert plus("0", 0) == "0"
    assert plus("2", 3) == "5"
    assert plus("_stop", 0) == "_stop"
    assert plus("_stop + 2", 1) == "_stop + 3"
    assert plus("2", "_stop") == "2 + _stop"
    assert minus("_n", "_stop + 1") == "_n - (_stop + 1)"
