"""No document, whatever is in it, brings the compiler down: there are findings or a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.documents import codes_of, compiled, document
from zwire_codegen.compiler import Loaded, load
from zwire_codegen.problems import failed
from zwire_codegen.report import as_json, show

GRAMMARS = sorted((Path(__file__).parents[2] / "grammars").glob("*.md"))
TEXTS = [path.read_text(encoding="utf-8") for path in GRAMMARS]


def check(loaded: Loaded) -> None:
    """A model only without errors, and findings that can be shown."""
    assert (loaded.protocol is None) or not failed(loaded.problems)
    assert loaded.protocol is not None or loaded.problems
    assert show(loaded.problems, [loaded.source]).count("\n") >= len(loaded.problems) - 1
    for problem in as_json(loaded.problems):
        assert problem["line"] >= 1
        assert problem["column"] >= 1
        assert problem["text"]


@given(st.text(), st.sampled_from(["a.md", "a.abnf", "a.txt"]))
def test_any_text(text: str, name: str) -> None:
    check(compiled(text, name))


@given(st.binary())
def test_any_octets(tmp_path_factory: pytest.TempPathFactory, octets: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.md"
    path.write_bytes(octets)
    for loaded in load([path]):
        check(loaded)


@given(st.data())
def test_a_grammar_with_something_cut_out_doubled_or_put_in(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 40))
    other = data.draw(
        st.one_of(
            st.just(""),
            st.just(text[at : at + length] * 2),
            st.sampled_from(
                ["(", "*", "/ ", '"', "%x", "=", "\n", "```", "|", "[", "C:", "0", "1*"]
            ),
            st.text(max_size=3),
        )
    )
    check(compiled(text[:at] + other + text[at + length :]))


WORDS = st.sampled_from(
    [
        *("a", "b", "c", "size", "key-value", "M", "N", "OCTET", "VCHAR", "FRAME", "DIGIT", "CRLF"),
        *("%x01", "%x01.02", "%x00-FF", "%x20-7E", '""', '%s"ab"', '"ab"', "<prose>", "LWSP"),
    ]
)
ELEMENTS = st.recursive(
    WORDS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"({' '.join(items)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"({' / '.join(items)})"),
        inner.map(lambda item: f"[{item}]"),
        st.tuples(st.sampled_from(["*", "1*", "2", "16", "*3", "0", "2*4"]), inner).map(
            lambda pair: pair[0] + (pair[1] if pair[1][0] not in "*0123456789" else f"({pair[1]})")
        ),
    ),
    max_leaves=6,
)
RULES = st.lists(
    st.tuples(st.sampled_from(["M", "N", "a", "b", "c", "size", "key-value"]), ELEMENTS),
    min_size=1,
    max_size=7,
    unique_by=lambda pair: pair[0],
)
SAYINGS = st.recursive(
    st.sampled_from(["C:M", "B:M", "C:N", "B:N", "d", "e", "X:M", "C:Q"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"({' '.join(items)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"({' / '.join(items)})"),
        inner.map(lambda item: f"*({item})"),
        inner.map(lambda item: f"0*9({item})"),
    ),
    max_leaves=6,
)
KINDS = st.sampled_from(["text", "octets", "uuid", "integer", "list", "dictionary", "frames", "x"])


@given(RULES, st.lists(SAYINGS, max_size=2), st.none() | KINDS)
def test_any_grammar_of_legal_elements(
    rules: list[tuple[str, str]], sayings: list[str], kind: str | None
) -> None:
    text = document(
        abnf="\n".join(f"{name} = {element}" for name, element in rules),
        dialog="\n".join(f"{name} = {said}" for name, said in zip("de", sayings, strict=False)),
        settings=f'[types]\na = "{kind}"\nM.b = "{kind}"' if kind else "",
    )
    check(compiled(text))


VALUES = st.recursive(
    st.one_of(
        st.sampled_from(["C", "M", "d", "client", "", "%xAA", "uuid", "-"]),
        st.integers(-3, 300),
        st.booleans(),
        st.floats(0, 2),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["letter", "type", "minimum", "d", "M"]), inner, max_size=3
        ),
    ),
    max_leaves=5,
)


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)


TABLES = st.sampled_from(
    [
        *("protocol", "part", "roles", "senders", "messages", "types", "conversation"),
        *("constants", "colours"),
    ]
)
KEYS = st.sampled_from(["name", "datagram", "M", "a", "client", "opens", "keys", "closes", "once"])


@given(st.dictionaries(TABLES, st.one_of(VALUES, st.dictionaries(KEYS, VALUES, max_size=3))))
def test_any_settings(settings: dict[str, object]) -> None:
    lines = [f"{name} = {toml(value)}" for name, value in settings.items()]
    block = "\n".join(["```zwire", *lines, "```"])
    check(compiled(f"{block}\n\n```abnf\nM = %x01 a\na = OCTET\n```\n\n```dialog\nd = C:M\n```\n"))


MANY = 3_000


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("".join(f"a{n} = a{n + 1}\n" for n in range(MANY)) + f"a{MANY} = OCTET\nM = a0", "ZW603"),
        ("".join(f"a{n} = a{n + 1}\n" for n in range(MANY)) + f"a{MANY} = a0", "ZW406"),
        ("".join(f"a{n} = a{n + 1} a0\n" for n in range(MANY)) + f"a{MANY} = a0", "ZW406"),
        (
            "".join(f"a{n} = a{n + 1} a{n + 1}\n" for n in range(60)) + "a60 = OCTET\nM = a0",
            "ZW407",
        ),
        ("".join(f"A{n} = %x01\n" for n in range(MANY)), "ZW410"),
        ("a = %x01\n" + "a =/ %x01\n" * MANY + "M = a", "ZW408"),
        ("M = " + "(a / " * 190 + "a" + ")" * 190 + "\na = %x01", "ZW408"),
        ("M = " + "*(a " * 190 + "a" + ")" * 190 + "\na = %x01", "ZW407"),
        ("M = 99999999(a)\na = %x01", "ZW407"),
    ],
    ids=["chain", "circle", "circles", "doubling", "alike", "added", "nested", "repeats", "huge"],
)
def test_a_monstrous_grammar_is_answered(rules: str, code: str) -> None:
    assert code in codes_of(rules, "sample.abnf")


@pytest.mark.parametrize(
    "dialog",
    [
        "".join(f"d{n} = d{n + 1} d{n + 1}\n" for n in range(60)) + "d60 = C:M",
        "".join(f"d{n} = *d{n + 1} C:M\n" for n in range(MANY)) + f"d{MANY} = C:M",
        "d = *(C:M / B:M) C:M 40(C:M / B:M)",
        "d = 999999(C:M)",
    ],
    ids=["doubling", "deep", "states", "repeats"],
)
def test_a_monstrous_dialog_is_answered(dialog: str) -> None:
    assert "ZW511" in codes_of(document(abnf="; A\nM = %x01", dialog=dialog))
