"""Small documents for tests of the compiler's front end."""

from __future__ import annotations

from zwire_codegen.compiler import Loaded, load_source
from zwire_codegen.model.types import Message, Part, Protocol
from zwire_codegen.source import Source

ROLES = """\
[roles]
client = { letter = "C", socket = "DEALER" }
broker = { letter = "B", socket = "ROUTER" }
"""


def document(*, settings: str = "", abnf: str = "", dialog: str = "", tables: str = "") -> str:
    """A document of one part, with the roles client (C) and broker (B) unless settings have some."""
    roles = "" if "[roles]" in settings else ROLES
    blocks = [f'```zwire\n[protocol]\nname = "sample"\n{roles}\n{settings}\n```']
    if abnf:
        blocks.append(f"```abnf\n{abnf}\n```")
    if dialog:
        blocks.append(f"```dialog\n{dialog}\n```")
    return "\n\n".join(["# Sample", *blocks, tables]) + "\n"


def table(command: str, *rows: str, comment: str = "Says something.") -> str:
    """A frame table; a row is `0 | %x01 | name`."""
    lines = [f"### {command}", "", comment, "", "| Frame | Value | Name | Meaning |", "|-|-|-|-|"]
    return "\n".join([*lines, *(f"| {row} | what it is |" for row in rows), "", ""])


def compiled(text: str, name: str = "sample.md") -> Loaded:
    """What the front end makes of a text."""
    return load_source(Source(name, text))


def protocol_of(text: str) -> Protocol:
    """The protocol of a document without errors."""
    loaded = compiled(text)
    assert loaded.protocol is not None, [problem.text for problem in loaded.problems]
    return loaded.protocol


def part_of(text: str) -> Part:
    """The one part of a document without errors."""
    (part,) = protocol_of(text).parts
    return part


def message_of(text: str, name: str | None = None) -> Message:
    """A message of a document without errors; without a name the first."""
    part = part_of(text)
    return next(one for one in part.messages if name is None or one.name == name)


def codes_of(text: str, name: str = "sample.md") -> list[str]:
    """The codes of all findings, in the order of the text."""
    return [problem.code for problem in compiled(text, name).problems]
