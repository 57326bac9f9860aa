"""The picture of a message: its frames as rows of boxes, geometry first, then SVG by template."""

from __future__ import annotations

from dataclasses import dataclass

from zwire_codegen.backends.templating import render
from zwire_codegen.model.types import Constant, Frame, Message, Slot
from zwire_codegen.model.words import octets_in_words, size_in_words, slot_in_words

_LETTER = 7.3  # width of a letter at the size used, on the safe side
_BOX_HEIGHT = 44
_ROW_GAP = 12
_LEFT = 76  # room for "frame 12+"
_MARGIN = 10


@dataclass(frozen=True, slots=True)
class Box:
    """A field, or the name of a whole slot: a title, a size below it, and where it stands."""

    x: float
    y: float
    width: float
    title: str
    size: str
    kind: str  # constant, field, open

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Row:
    """One frame: its label and its boxes."""

    label: str
    y: float
    boxes: tuple[Box, ...]
    dashed: bool


def picture(message: Message) -> str:
    """The SVG of a message's frames."""
    rows: list[Row] = []
    open_ended = False
    for number, slot in enumerate(message.slots):
        y = _MARGIN + number * (_BOX_HEIGHT + _ROW_GAP)
        several = not isinstance(slot, Frame)
        label = f"frame {number}{'+' if open_ended or several else ''}"
        rows.append(_row(label, y, slot))
        open_ended = open_ended or several
    width = max((row.boxes[-1].x + row.boxes[-1].width for row in rows), default=0) + _MARGIN
    height = _MARGIN * 2 + len(rows) * (_BOX_HEIGHT + _ROW_GAP) - _ROW_GAP
    return render(
        "pages",
        "frames.svg.jinja",
        message=message,
        rows=rows,
        width=round(width),
        height=round(height),
        box=_BOX_HEIGHT,
    )


def _row(label: str, y: float, slot: Slot) -> Row:
    if not isinstance(slot, Frame):
        words = slot_in_words(slot)
        width = _width(slot.name, words)
        return Row(label, y, (Box(_LEFT, y, width, slot.name, words, "open"),), dashed=True)
    boxes: list[Box] = []
    x = float(_LEFT)
    for field in slot.fields:
        constant = isinstance(field.type, Constant)
        title = (
            octets_in_words(field.type.octets) if isinstance(field.type, Constant) else field.name
        )
        size = field.name if constant else _octets(size_in_words(field.type))
        width = _width(title, size)
        boxes.append(Box(x, y, width, title, size, "constant" if constant else "field"))
        x += width
    if not boxes:
        boxes.append(Box(x, y, _width("empty", ""), "empty", "", "constant"))
    return Row(label, y, tuple(boxes), dashed=slot.optional)


def _octets(size: str) -> str:
    if size.isdigit() or size.endswith(" n"):
        return "1 octet" if size == "1" else f"{size} octets"
    return size


def _width(title: str, size: str) -> float:
    return max(62.0, len(title) * _LETTER * 1.12 + 22, len(size) * _LETTER * 0.88 + 18)
