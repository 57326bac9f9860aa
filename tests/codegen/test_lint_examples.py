"""The catalogue tells the truth: every bad example has its finding, and every good one has not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from support.documents import ROLES, codes_of, document, table
from zwire_codegen.catalogue import CODES
from zwire_codegen.compiler import load

# What examples mention and do not define.
LIBRARY = {
    "header": "signature sequence",
    "signature": "%xAA.A1",
    "sequence": "2OCTET",
    "string": "size *VCHAR",
    "size": "OCTET",
    "group": "string",
    "status": "OCTET",
    "uuid": "16OCTET",
    "port": "2OCTET",
    "name": "size *VCHAR",
    "ERROR": "%x01",
    "INFO": "%x02",
    "b": "%x0B",
    "c": "%x0C",
    "e": "%x0E",
}
COMMANDS = ["request", "reply", "ping", "pong", "partial", "final", "disconnect"]
DEFINED = re.compile(r"^[ \t]*(?:\w+:)?([A-Za-z][\w-]*)[ \t]*=", re.MULTILINE)
WORD = re.compile(r"(?<![\w%\".-])[A-Za-z][\w-]*")
SAID = re.compile(r"[A-Z]:([A-Z]+)")


def with_library(rules: str) -> str:
    """The rules, with those that they mention and the library has."""
    missing = [
        name
        for name in dict.fromkeys(WORD.findall(re.sub(r";.*|\"[^\"]*\"?", "", rules)))
        if name in LIBRARY and name not in DEFINED.findall(rules)
    ]
    if not missing:
        return rules
    return with_library(rules + "".join(f"\n{name} = {LIBRARY[name]}" for name in missing))


def wire(example: str, name: str = "sample.md") -> list[str]:
    """Rules; those in capitals that no other mentions are said, or else the first is wrapped."""
    rules = with_library(example)
    defined = list(dict.fromkeys(DEFINED.findall(example)))
    bodies = re.sub(r"(?m)^[^=\n]*=", "", rules)
    said = [one for one in defined if one.lower() in COMMANDS or one.isupper()]
    said = [one for one in said if not re.search(rf"\b{one}\b", bodies)]
    if not said and "=/" not in example:
        rules += f"\nWHOLE = %xFF {defined[0]}"
        said = ["WHOLE"]
    if name.endswith(".abnf"):
        return codes_of(rules, name)
    dialog = "\n".join(f"d{number} = C:{one}" for number, one in enumerate(said))
    return codes_of(document(abnf=rules, dialog=dialog))


def tolerant(example: str) -> list[str]:
    return wire(example, "sample.abnf")


def whole(example: str) -> list[str]:
    return codes_of(example)


def rows(example: str) -> list[str]:
    """Rows of a table, after those that must stand before them."""
    first = int(re.findall(r"\d", example.split("|")[1] + "0")[0])
    before = [f"| {number} | %x0{number + 1} | | |" for number in range(first)]
    lines = ["### READY", "", "Ready.", "", "| Frame | Value | Name | Meaning |", "|-|-|-|-|"]
    return codes_of(document(tables="\n".join([*lines, *before, example]), dialog="d = C:READY"))


def headers(example: str) -> list[str]:
    """A row for frame 0 of one command among others with the header MDXW01."""
    lines = ["| Frame | Value | Name | Meaning |", "|-|-|-|-|"]
    common = '| 0 | %s"MDXW01" | | header |'
    tables = [
        [f"### {name}", "", "Text.", "", *lines, first, f"| 1 | %x0{number} | | |", ""]
        for number, (name, first) in enumerate(
            [("PING", common), ("PONG", common), ("BYE", example)], 1
        )
    ]
    text = "\n".join(line for table in tables for line in table)
    return codes_of(document(tables=text, dialog="d = C:PING B:PONG C:BYE"))


def settings(example: str) -> list[str]:
    text = document(
        abnf="; A\nPING = %x01 node-id request-id\n; B\nDISCONNECT = %x02\n"
        "node-id = 16OCTET\nrequest-id = OCTET",
        dialog="registration = C:DISCONNECT\nrequest = C:PING",
        settings=example,
    )
    if example.startswith("[protocol]"):
        text = text.replace('[protocol]\nname = "sample"\n', "").replace("[senders]", "")
    return codes_of(text)


def talk(example: str) -> list[str]:
    """Dialogs, with the settings above them; all that they say and a few more are messages."""
    given, _, dialog = example.rpartition("\n\n")
    known = [one.upper() for one in COMMANDS if one.upper() in [*SAID.findall(example), "REPLY"]]
    messages = [table(one, f"0 | %x{number:02X} |") for number, one in enumerate(known)]
    closes = '[conversation]\ncloses = ["DISCONNECT"]\n' if "DISCONNECT" in known else ""
    roles = "" if "[roles]" in given else ROLES
    text = "\n".join(messages)
    return codes_of(document(tables=text, dialog=dialog, settings=f"{given}\n{roles}{closes}"))


def prose(example: str) -> list[str]:
    """Running text of somebody else's document."""
    if not example.startswith("A "):
        example = f"A PING command consists of 1 frame\n\n{example}"
    return codes_of(f"# Somebody's\n\n{example}\n")


def block(example: str) -> list[str]:
    """A code block of somebody else's document."""
    return codes_of(f"# Somebody's\n\nA message:\n\n```\n{example}\n```\n")


def headings(example: str) -> list[str]:
    frames = "| Frame | Value | Name | Meaning |\n|-|-|-|-|\n| 0 | %x0{} | | |\n"
    parts = re.split(r"(?m)^(?=###)", example)
    tables = [
        f"{part.strip()}\n\n{frames.format(number)}" for number, part in enumerate(parts) if part
    ]
    return codes_of(document(tables="\n".join(tables)))


def table_head(example: str) -> list[str]:
    return codes_of(document(tables=f"{example}\n|-|-|-|-|\n| 0 | %x01 | | |\n"))


def spoken_or_not(example: str) -> list[str]:
    """Rules, and below them the dialogs that say them."""
    rules, _, dialog = example.partition("\n\n")
    return codes_of(document(abnf=rules, dialog=dialog))


def datagram(example: str) -> list[str]:
    rules = with_library(example)
    return codes_of(
        document(
            abnf=rules,
            settings='[part]\ndatagram = true\n[senders]\nbeacon = ["client"]',
        )
    )


def from_files(folder: Path, example: str) -> list[str]:
    """What `zwire lint` says of the paths in an example."""
    (folder / "grammars").mkdir()
    (folder / "grammars/zre.md").write_text("# Nothing\n")
    paths = [folder / word for word in example.split()[2:]]
    return [problem.code for one in load(paths) for problem in one.problems]


def folder_listing(folder: Path, example: str) -> list[str]:
    name, inside = example.replace("/", "").split()
    (folder / name).mkdir()
    (folder / name / inside).write_text("# Nothing\n")
    return [problem.code for one in load([folder / name]) for problem in one.problems]


def octets(folder: Path, example: str) -> list[str]:
    path = folder / "any.md"
    path.write_bytes(example.replace("…", "").encode().decode("unicode_escape").encode("latin-1"))
    return [problem.code for one in load([path]) for problem in one.problems]


def with_errata(folder: Path, example: str) -> list[str]:
    """An errata file for the document that says `header %06`; what an entry lacks is filled in."""
    complete = {"ZW308": 'replace = "header %x06"\nwhy = "slip"\n'}
    path = folder / "errata.toml"
    path.write_text(example + "\n" + (complete["ZW308"] if "header" in example else ""))
    said = folder / "said.txt"
    said.write_text("# Said\n\n    PING = header %06\n    header = OCTET\n")
    found = load([said], errata=[path])
    return [problem.code for one in found for problem in one.problems]


def each(
    ways: Callable[..., list[str]], codes: Iterable[int]
) -> dict[str, Callable[..., list[str]]]:
    return {f"ZW{code}": ways for code in codes}


PLAIN = {
    **each(wire, [101, 102, 103, 104, 105, 106]),
    **each(tolerant, range(201, 210)),
    **each(settings, [301, 302, 303, 414, 418, 419, 507, 508]),
    **each(rows, [304, 310, 312]),
    **each(prose, [305, 316]),
    **each(block, [313, 315]),
    **each(whole, [306, 318]),
    **each(wire, [401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 412, 415, 416, 420, 422, 423]),
    **each(wire, [601, 602, 603]),
    **each(talk, [501, 502, 503, 504, 505, 506, 510, 511, 512]),
    "ZW005": whole,
    "ZW311": table_head,
    "ZW411": headers,
    "ZW413": headings,
    "ZW417": datagram,
    "ZW421": spoken_or_not,
}
ON_DISK = {
    "ZW001": from_files,
    "ZW002": octets,
    "ZW006": folder_listing,
    "ZW308": with_errata,
    "ZW309": with_errata,
}
# Sizes that no page prints, and notes about what errata did: each has a test of its own.
DESCRIBED = {"ZW003", "ZW004", "ZW107", "ZW307", "ZW314", "ZW317"}


def test_no_code_is_forgotten() -> None:
    assert {*PLAIN, *ON_DISK, *DESCRIBED} == set(CODES)


@pytest.mark.parametrize("code", PLAIN)
def test_the_bad_example_has_the_finding_and_the_good_one_has_not(code: str) -> None:
    entry, read = CODES[code], PLAIN[code]
    assert code in read(entry.bad)
    assert code not in read(entry.good)


@pytest.mark.parametrize("code", ON_DISK)
def test_so_it_is_with_examples_about_files(code: str, tmp_path: Path) -> None:
    entry, read = CODES[code], ON_DISK[code]
    (tmp_path / "bad").mkdir()
    (tmp_path / "good").mkdir()
    assert code in read(tmp_path / "bad", entry.bad)
    assert code not in read(tmp_path / "good", entry.good)
