"""Boxes of octets drawn in characters: `| Z | R | E | %x01 |` between rulers of dashes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.tree import Element, Grammar, Name, Rule, Terminal
from zwire_codegen.notation.tree import Sequence as InOrder
from zwire_codegen.notation.values import name_of
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place

_WIDEST = 1000  # characters of a line that people draw
_CELL = re.compile(r"[^|]+")
_OCTETS = re.compile(r"(?:%x|0x)([0-9A-Fa-f]{2}(?:\.?[0-9A-Fa-f]{2})*)")
_QUOTED = re.compile(r"(?:%s)?\"([\x20\x21\x23-\x7e]+)\"|'([\x20-\x26\x28-\x7e]+)'")
_NAMED = re.compile(r"[A-Za-z][A-Za-z0-9 _-]*")
_MESSAGE = re.compile(r"\b([A-Za-z][A-Za-z0-9-]*)\s+(?:consists|is\s+made)\s+of\b")


def is_box(lines: Sequence[Line]) -> bool:
    """Whether the lines draw a box of octets. A ruler `+-+-+-+` counts bits: that is none."""
    if any(len(line.text) > _WIDEST for line in lines):
        return False
    rulers = [line.text.strip() for line in lines if _is_ruler(line.text)]
    return (
        len(rulers) >= 2
        and not any("+-+-+" in ruler for ruler in rulers)
        and any(_is_row(line.text) for line in lines)
    )


def read_box(
    lines: Sequence[Line], file: str, name: str, place: Place, comment: str = ""
) -> tuple[Grammar, list[Problem]]:
    """The box as one rule with this name: what its cells hold, one after the other."""
    items: list[Element] = []
    problems: list[Problem] = []
    for line in lines:
        if not _is_row(line.text):
            continue
        for found in _CELL.finditer(line.text):
            text = found[0].strip()
            if not text:
                continue  # the space between two boxes
            start = found.start() + found[0].index(text)
            where = line.place(start, start + len(text))
            element = _element(text, where)
            if element is None:
                hint = "write a character, %x01, or the name of a rule"
                words = f'the cell "{text[:40]}" is not understood'
                problems.append(problem(file, where, "ZW313", words, hint))
            else:
                items.append(element)
    items = _joined(items)
    if not items:
        return Grammar(()), problems
    body = items[0] if len(items) == 1 else InOrder(tuple(items), items[0].place)
    above = (comment,) if comment else ()
    return Grammar((Rule(Name(name, place), body, place, above),)), problems


def box_name(paragraph: str, heading: str) -> str:
    """What a box is called: by the sentence before it ("The beacon consists of"), else the
    heading's last word; in capitals, as messages are."""
    told = _MESSAGE.findall(paragraph[-2000:])
    words = name_of(heading).split("-") if heading.strip() else []
    return (told[-1] if told else words[-1] if words else "BOX").upper()


def _is_ruler(text: str) -> bool:
    stripped = text.strip()
    return stripped.startswith("+-") and stripped.endswith("+") and not stripped.strip("+-= ")


def _is_row(text: str) -> bool:
    stripped = text.strip()
    return len(stripped) > 2 and stripped.startswith("|") and stripped.endswith("|")


def _element(text: str, place: Place) -> Element | None:
    octets = _OCTETS.fullmatch(text)
    if octets is not None:
        value = bytes.fromhex(octets[1].replace(".", ""))
        return Terminal(value, place, "%x" + ".".join(f"{octet:02X}" for octet in value))
    quoted = _QUOTED.fullmatch(text)
    if quoted is not None:
        return _characters(quoted[1] or quoted[2], place)
    if len(text) == 1 and "!" <= text <= "~" and text != '"':
        return _characters(text, place)
    if _NAMED.fullmatch(text) is not None:
        return Name(name_of(text), place)
    return None


def _characters(text: str, place: Place) -> Terminal:
    return Terminal(text.encode("ascii"), place, f'%s"{text}"')


def _joined(elements: Sequence[Element]) -> list[Element]:
    """The elements, characters that follow each other made one text."""
    found: list[Element] = []
    for textual, run in groupby(elements, key=_is_text):
        items = list(run)
        if not textual or len(items) == 1:
            found += items
            continue
        octets = b"".join(item.octets for item in items if isinstance(item, Terminal))
        first, last = items[0].place, items[-1].place
        end = last.column + last.length if first.line == last.line else first.column + 1
        place = Place(first.line, first.column, end - first.column)
        found.append(_characters(octets.decode("ascii"), place))
    return found


def _is_text(element: Element) -> bool:
    return isinstance(element, Terminal) and element.written.startswith("%s")
