"""Settings, parts, and files as they lie on a disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from zwire_codegen.notation.files import LARGEST, read_source, source_of
from zwire_codegen.notation.reading import read
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place, Source

TWO_PARTS = """\
```zwire
[protocol]
name = "abc"
[constants]
port = 7  # where it listens
```

```zwire
[part]
name = "client"
[roles]
client = { letter = "C", socket = "DEALER" }
```

```abnf
header = %s"C"
```

```zwire
[conversation]
closes = ["BYE"]
```

```zwire
[part]
name = "worker"
```

```abnf
header = %s"W"
```

```dialog
greeting = W:HELLO
```
"""


def test_everything_until_the_next_part_belongs_to_a_part() -> None:
    document, problems = read(Source("abc.md", TWO_PARTS))
    client, worker = document.parts
    assert client.settings.values["part"] == {"name": "client"}
    assert client.settings.values["conversation"] == {"closes": ["BYE"]}
    assert [len(client.wire), len(client.dialogs)] == [1, 0]
    assert worker.settings.values == {"part": {"name": "worker"}}
    assert [len(worker.wire), len(worker.dialogs)] == [1, 1]
    assert problems == []


def test_settings_before_the_first_part_are_the_documents() -> None:
    document, _ = read(Source("abc.md", TWO_PARTS))
    assert document.settings.values == {"protocol": {"name": "abc"}, "constants": {"port": 7}}
    assert document.settings.comments[("constants", "port")] == "where it listens"


def test_settings_know_where_they_stand() -> None:
    document, _ = read(Source("abc.md", TWO_PARTS))
    client = document.parts[0].settings
    assert client.place_of("roles", "client") == Place(12, 1, 6)
    assert client.place_of("roles", "client", "letter") == Place(12, 1, 6)
    assert client.place_of("conversation", "closes") == Place(21, 1, 6)


def test_a_document_without_parts_has_one() -> None:
    text = '```zwire\n[protocol]\nname = "x"\n[roles]\na = {}\n```\n\n```abnf\nsize = OCTET\n```\n'
    document, _ = read(Source("x.md", text))
    (part,) = document.parts
    assert part.settings.values == {"roles": {"a": {}}}
    assert document.settings.values == {"protocol": {"name": "x"}}


def test_settings_that_are_not_toml_are_told_where() -> None:
    _, problems = read(Source("x.md", "```zwire\n[part]\nname = client\n```\n"))
    assert [(p.code, p.place.line, p.text) for p in problems] == [
        ("ZW301", 3, "the settings are not TOML: invalid value")
    ]


@pytest.mark.parametrize("toml", ["a = " + "[" * 5000, "a = 1979-99-99", "a = " + "9" * 5000, "["])
def test_odd_toml_is_a_problem_and_no_traceback(toml: str) -> None:
    _, problems = read(Source("x.md", f"```zwire\n{toml}\n```\n"))
    assert [problem.code for problem in problems] == ["ZW301"]


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("octets", [b"a\r\nb\rc", b"\xef\xbb\xbfa\nb\nc"])
def test_marks_and_line_ends_do_not_matter(octets: bytes) -> None:
    source = source_of("x.md", octets)
    assert isinstance(source, Source)
    assert source.lines == ("a", "b", "c")


@pytest.mark.parametrize(
    ("octets", "code", "place"),
    [
        (b"fine\nno\xff", "ZW002", Place(2, 3)),
        (b"\xef\xbb\xbf\xc3", "ZW002", Place(1, 1)),
        (b"a\0b", "ZW002", Place(1, 2)),
        (b"x" * (LARGEST + 1), "ZW003", Place(1, 1)),
    ],
)
def test_what_is_no_text_is_one_problem(octets: bytes, code: str, place: Place) -> None:
    problem = source_of("x.md", octets)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.place) == (code, place)


def test_a_file_that_is_not_there_is_one_problem(tmp_path: Path) -> None:
    for path in (tmp_path / "none.md", tmp_path, tmp_path / "no\0name"):
        problem = read_source(path)
        assert isinstance(problem, Problem)
        assert problem.code == "ZW001"


def test_a_file_is_called_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "abc.md"
    path.write_bytes(b"Words.\r\n")
    assert read_source(path) == Source(path.as_posix(), "Words.\n")
    assert read_source(path, "abc.md") == Source("abc.md", "Words.\n")


def test_a_text_that_is_too_large_is_not_read() -> None:
    document, problems = read(Source("x.md", "é" * (LARGEST // 2 + 1)))
    assert [problem.code for problem in problems] == ["ZW003"]
    assert len(document.parts) == 1
