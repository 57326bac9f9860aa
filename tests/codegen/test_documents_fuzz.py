"""Whatever text comes, reading it ends with a document and problems in it, never a traceback."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zwire_codegen.catalogue import CODES
from zwire_codegen.notation.errata import parse_errata
from zwire_codegen.notation.files import source_of
from zwire_codegen.notation.reading import read
from zwire_codegen.source import Source

# Pieces of every notation, so that arbitrary texts come near to what is read.
PIECES = (
    "```abnf\n", "```\n", "~~~\n", "```zwire\n", "```dialog\n", "[[code]]\n", "[[/code]]\n",
    "    ", "\t", "\n", "\n\n", "# HELLO\n", "++ The HELLO Command\n", "size = OCTET\n",
    "S:HELLO = header %06\n", "a = (b / [c]) 2*3d\n", "| Frame | Value | Name | Meaning |\n",
    "|---|---|---|---|\n", "|---|\n", "| 0 | `%x01` | | command |\n", "| 4+ | *OCTET | body |\n",
    "A **PING** command consists of 2 or more frames\n", "* Frame 0: 0x01 (one byte)\n",
    "* Frames 4+: Body (opaque binary)\n", "===== =====", " ===== ===== ", "FRAME Value", " 0 X 1 Y ",
    "------\n", "******", "Title\n", "Repeat:\n", "  C: REQUEST\n", "  W: \\*PARTIAL|\n", "Dialog:|\n",
    "+---+---+\n", "| Z | %x01 |\n", "[part]\n", 'name = "x"\n', "[protocol]\n", "* Name: x/spec:6/PPP\n",
    "word " * 50, "\\", "`", "_X_", "\x85", "\u2028", "\x1c", "é",
)  # fmt: skip

texts = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=30).map("".join),
)


@given(texts, st.sampled_from(["x.md", "x.abnf", "x.rst"]))
def test_any_text_reads(text: str, name: str) -> None:
    source = Source(name, text)
    document, problems = read(source)
    assert document.source is source
    assert document.parts
    for problem in problems:
        assert problem.code in CODES
        assert 1 <= problem.place.line <= len(source.lines)
        assert problem.place.column >= 1


@given(st.binary(max_size=300))
def test_any_octets_are_a_source_or_a_problem(octets: bytes) -> None:
    source = source_of("x.md", octets)
    if isinstance(source, Source):
        read(source)
    else:
        assert source.code == "ZW002"


@given(st.one_of(texts, st.sampled_from(["erratum", "cell", "document"]).map("{} = 1".format)))
def test_any_text_is_errata_or_a_problem(text: str) -> None:
    parse_errata(Source("x.toml", text))
