"""How one frame is written: runs of fixed fields packed at once, with a sized text among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zwire_codegen.backends.python.fields import CODES, FieldPlan
from zwire_codegen.backends.python.names import literal
from zwire_codegen.backends.python.structures import (
    SIZED,
    Structure,
    count_of,
    is_fixed,
    is_sized,
)
from zwire_codegen.model.types import Constant, Dictionary, Enumeration, Listing, Text, Uuid


@dataclass(frozen=True, slots=True)
class Writing:
    """The pieces of a frame in order: expressions, and fields that need a loop."""

    pieces: tuple[str | FieldPlan, ...]
    structures: tuple[Structure, ...]

    @property
    def loops(self) -> bool:
        return any(isinstance(piece, FieldPlan) for piece in self.pieces)

    @property
    def expression(self) -> str:
        """All pieces as one expression, where none loops."""
        return " + ".join(str(piece) for piece in self.pieces) or 'b""'


@dataclass(slots=True)
class _Packed:
    """One argument of a pack: its code and expression, and its octets where it is a constant."""

    code: str
    argument: str
    octets: bytes | None = None


@dataclass(slots=True)
class _Writer:
    pieces: list[str | FieldPlan] = field(default_factory=list)
    structures: list[Structure] = field(default_factory=list)
    run: list[_Packed] = field(default_factory=list)

    def add_constant(self, octets: bytes) -> None:
        if self.run and (before := self.run[-1].octets) is not None:  # side by side they are one
            octets = before + octets
            self.run.pop()
        self.run.append(_Packed(f"{len(octets)}s", literal(octets), octets))

    def add_sized(self, argument: str) -> None:
        """A run holds one sized text: its size chooses the format."""
        if any(packed.code == SIZED for packed in self.run):
            self.flush()
        self.run.append(_Packed(SIZED, argument))

    def flush(self) -> None:
        codes = [packed.code for packed in self.run]
        arguments = ", ".join(packed.argument for packed in self.run)
        if all(packed.octets is not None for packed in self.run):
            whole = b"".join(packed.octets or b"" for packed in self.run)
            self.pieces += [literal(whole)] if whole else []
        elif codes == ["B"]:
            self.pieces.append(f"OCTET[{arguments}]")
        elif codes == [SIZED]:
            self.pieces += [f"OCTET[len({arguments})]", arguments]
        else:
            structure = Structure("write", "".join(codes))
            self.structures.append(structure)
            sized = next((p.argument for p in self.run if p.code == SIZED), "")
            chosen = f"[len({sized})]" if sized else ""
            self.pieces.append(f"{structure.name}{chosen}({arguments})")
        self.run.clear()


def plan_writing(fields: Sequence[FieldPlan]) -> Writing:
    """How to write a frame from variables that hold its values."""
    writer = _Writer()
    for plan in fields:
        if isinstance(plan.type, Constant):
            writer.add_constant(plan.type.octets)
        elif is_fixed(plan):
            suffix = ".bytes" if isinstance(plan.type, Uuid) else ""
            writer.run.append(_Packed(plan.code, plan.variable + suffix))
        elif is_sized(plan):
            writer.add_sized(_octets_name(plan))
        elif isinstance(plan.type, Listing | Dictionary):
            writer.run.append(_Packed(CODES[count_of(plan)], f"len({plan.variable})"))
            writer.flush()
            writer.pieces.append(plan)
        else:
            octets_name = _octets_name(plan)
            if count := count_of(plan):
                writer.run.append(_Packed(CODES[count], f"len({octets_name})"))
            writer.flush()
            writer.pieces.append(octets_name)
    writer.flush()
    return Writing(tuple(writer.pieces), tuple(writer.structures))


def _octets_name(plan: FieldPlan) -> str:
    match plan.type:
        case Text():
            return f"{plan.variable}_octets"
        case Enumeration():
            return f"{plan.octets_table}[{plan.variable}]"
        case _:
            return plan.variable
