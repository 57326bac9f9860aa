"""Layout: the pieces of a message, from a rule or from a frame table, laid out in frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import (
    Constant,
    Enumeration,
    Field,
    Frame,
    Frames,
    Octets,
    Origin,
    Slot,
    Stack,
    Text,
    Type,
)
from zwire_codegen.notation.document import FrameTable, Row
from zwire_codegen.notation.tree import Element, Rule
from zwire_codegen.passes.idioms import NoIdiom
from zwire_codegen.passes.lowering import Lowering
from zwire_codegen.passes.names import in_code, key, serves_as_field
from zwire_codegen.passes.overrides import override_type
from zwire_codegen.passes.shapes import (
    Broken,
    Envelope,
    Many,
    ManyFrames,
    OneFrame,
    Perhaps,
    Piece,
    Run,
    Shape,
    type_of,
)
from zwire_codegen.source import Place

_CONTENT = "content"  # what frames are called that nobody named


@dataclass(slots=True)
class Layout:
    """Lays one message out; problems go to the lowering that made its shapes."""

    message: str
    lowering: Lowering
    slots: list[Slot] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    broken: bool = False

    def of_rule(self, rule: Rule) -> tuple[Slot, ...] | None:
        """The frames of a message that a rule describes; None after a problem."""
        shape = self.lowering.shapes.get(key(rule.name.text), Broken())
        if isinstance(shape, Broken):
            return None
        for piece in self.lowering.pieces(rule.body, shape):
            self._place(piece)
        return self._finished(rule.name.place)

    def of_table(
        self, table: FrameTable, values: Sequence[Element | None]
    ) -> tuple[Slot, ...] | None:
        """The frames of a table; None after a problem. `values` are the cells' elements."""
        for number, (row, value) in enumerate(zip(table.rows, values, strict=True)):
            if row.first != number or (row.more and number + 1 < len(table.rows)):
                text = f"frame {row.first} stands where frame {number} belongs"
                if row.first == number:
                    text = "nothing can follow all further frames"
                self._tell(row.place, "ZW312", text, "number the frames from 0, without a gap")
            elif value is None:
                self.broken = True
            else:
                self._row(row, value, self.lowering.element(value, alone=True))
        return self._finished(table.place)

    # -------------------------------------------------------- rules

    def _place(self, piece: Piece) -> None:
        shape = piece.shape
        origin = self._origin(piece.line, piece.comment)
        match shape:
            case Broken():
                self.broken = True
            case Envelope() | ManyFrames() | OneFrame():
                self._close_frame(piece.place)
                self._frames(shape, piece.name or _CONTENT, piece.place, origin)
            case Many():
                hint = "write a count in front: size *item"
                self._tell(piece.place, "ZW407", "nothing says how often this comes", hint)
            case Perhaps():
                hint = "only a whole frame can be optional"
                self._tell(piece.place, "ZW407", "a value that may be missing", hint)
            case _:
                if self.slots and not isinstance(self.slots[-1], Stack):
                    text = "a value behind a frame that stands for itself"
                    hint = "describe messages of several such frames in a table"
                    self._tell(piece.place, "ZW415", text, hint)
                self._value(shape, piece.name, piece.place, origin)

    def _close_frame(self, place: Place) -> None:
        if self.fields:
            self._append(Frame(tuple(self.fields), self.fields[0].origin), place)
            self.fields = []

    def _frames(self, shape: Shape, name: str, place: Place, origin: Origin) -> None:
        self._take(name, place)
        match shape:
            case Envelope():
                if any(isinstance(slot, Stack) for slot in self.slots):
                    self._tell(place, "ZW415", "a second address stack in one message")
                self._append(Stack(name, shape.required, origin), place)
            case ManyFrames():
                self._append(Frames(name, shape.minimum, origin), place)
            case OneFrame():
                inner = Field(name, self._overridden(name, Octets(), place), origin)
                self._append(Frame((inner,), origin, shape.optional), place)

    # -------------------------------------------------------- tables

    def _row(self, row: Row, value: Element, shape: Shape) -> None:
        origin = self._origin(row.place.line, row.meaning.text)
        pieces = self.lowering.pieces(value, shape)
        name = row.name.text.strip() or (pieces[0].name if len(pieces) == 1 else "")
        place = row.value.place
        if name and not serves_as_field(name):
            text = f'"{name}" cannot name a field'
            hint = "use letters of ASCII, digits, - and _, beginning with a letter"
            self._tell(row.name.place, "ZW418", text, hint)
        elif isinstance(shape, Broken):
            self.broken = True
        elif row.more:
            self._rest(shape, name or _CONTENT, place, origin)
        elif isinstance(shape, Envelope | ManyFrames | OneFrame):
            if isinstance(shape, ManyFrames):
                hint = f"number the row {row.first}+"
                self._tell(row.place, "ZW310", "one row for several frames", hint)
            self._frames(shape, name or _CONTENT, place, origin)
        else:
            optional = isinstance(shape, Perhaps)
            if isinstance(shape, Perhaps):
                shape = shape.shape
            if type_of(shape) is not None:
                self._value(shape, name, place, origin)
            else:
                for piece in pieces:
                    self._place_in_row(piece)
            self._append(Frame(tuple(self.fields), origin, optional), place)
            self.fields = []

    def _rest(self, shape: Shape, name: str, place: Place, origin: Origin) -> None:
        match shape:
            case ManyFrames():
                minimum = shape.minimum
            case OneFrame():
                minimum = 0 if shape.optional else 1
            case Run(minimum=0, maximum=None) if not shape.of.text:
                minimum = 1
            case _:
                text = "all further frames are opaque"
                self._tell(place, "ZW310", text, "write *OCTET, 1*FRAME or *FRAME")
                return
        self._take(name, place)
        self._append(Frames(name, minimum, origin), place)

    def _place_in_row(self, piece: Piece) -> None:
        if type_of(piece.shape) is None:
            text = "one frame of a table holds values only"
            self._tell(piece.place, "ZW310", text, "give each frame a row of its own")
            return
        origin = self._origin(piece.line, piece.comment)
        self._value(piece.shape, piece.name, piece.place, origin)

    # -------------------------------------------------------- both

    def _value(self, shape: Shape, name: str, place: Place, origin: Origin) -> None:
        found = type_of(shape)
        if found is None:
            text = "this set of octets is no number"
            self._tell(place, "ZW407", text, "write OCTET, or alternatives of constants")
            return
        if self.fields and _fills(self.fields[-1].type):
            text = f'"{self.fields[-1].name}" takes the rest of its frame, and this follows it'
            self._tell(place, "ZW415", text, "count it: size *OCTET")
        if not isinstance(found, Constant):
            if not name:
                hint = "give it a rule of its own, or fill in the name cell"
                self._tell(place, "ZW423", "a value that nothing names", hint)
                return
            self._take(name, place)
            found = self._overridden(name, found, place)
            if isinstance(found, Enumeration) and not found.name:
                found = Enumeration(name, found.width, found.members)
        self.fields.append(Field(name, found, origin))

    def _overridden(self, name: str, found: Type, place: Place) -> Type:
        path = f"{key(self.message)}.{key(name)}"
        wanted = self.lowering.overrides.get(path)
        if wanted is None:
            return found
        try:
            return override_type(found, wanted)
        except NoIdiom as reason:
            self._tell(wanted.place, reason.code, reason.text, reason.hint)
            return found

    def _take(self, name: str, place: Place) -> None:
        if in_code(name) in self.used:
            text = f'{self.message} has two fields named "{name}"'
            self._tell(place, "ZW412", text, "name each by a rule of its own")
        self.used.add(in_code(name))

    def _append(self, slot: Slot, place: Place) -> None:
        last = self.slots[-1] if self.slots else None
        if isinstance(last, Frames):
            self._tell(place, "ZW415", "nothing can follow all further frames")
        elif _may_be_missing(last) and not _may_be_missing(slot):
            hint = "frames that may be missing come last"
            self._tell(place, "ZW415", "a frame behind one that may be missing", hint)
        self.slots.append(slot)

    def _finished(self, place: Place) -> tuple[Slot, ...] | None:
        self._close_frame(place)
        if not self.slots and not self.broken:
            self._tell(place, "ZW407", f"{self.message} has no frames")
        return None if self.broken else tuple(self.slots)

    def _tell(self, place: Place, code: str, text: str, hint: str = "") -> None:
        self.broken = True
        self.lowering.problems.append(problem(self.lowering.file, place, code, text, hint))

    def _origin(self, line: int, comment: str) -> Origin:
        return Origin(self.lowering.document, line, " ".join(comment.split()))


def _may_be_missing(slot: Slot | None) -> bool:
    return isinstance(slot, Frame) and slot.optional


def _fills(found: Type) -> bool:
    """Whether a value goes on to the end of its frame."""
    match found:
        case Text(count=0) | Enumeration(width=0) | Octets(length=0, count=0):
            return True
        case _:
            return False
