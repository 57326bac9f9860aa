"""How one frame is read: runs of fixed fields fused, a sized text among them, others between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from zwire_codegen.backends.python.fields import CODES, FieldPlan, out_of_bounds
from zwire_codegen.backends.python.names import literal
from zwire_codegen.backends.python.structures import (
    SIZED,
    Structure,
    count_of,
    is_fixed,
    is_sized,
    size_of,
)
from zwire_codegen.model.types import Constant, Enumeration, Integer, Octets, Text, Uuid


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a line of text, or a field whose kind knows how to print it.

    `start` is where a variable field begins; `moving`: that depends on what came before it.
    `cut`: its octets are in a variable already.
    """

    line: str = ""
    field: FieldPlan | None = None
    start: str = ""
    moving: bool = False
    cut: bool = False

    @property
    def rest(self) -> str:
        """The slice from its beginning to the end of the frame, as black spaces it."""
        return f"[{self.start} :]" if " " in self.start else f"[{self.start}:]"

    @property
    def jump(self) -> str:
        """Move `at` to where the field begins."""
        if not self.moving:
            return f"at = {self.start}"
        return self.start.replace("at +", "at +=") if self.start != "at" else ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The steps that read a frame, and the conditions under which it is malformed.

    `moving`: both need the place in the frame, which the variable `at` keeps.
    """

    steps: tuple[Step, ...]
    malformed: tuple[str, ...]
    structures: tuple[Structure, ...]
    moving: bool = False


class _Reader:
    def __init__(self, frame: str, covered: frozenset[int]) -> None:
        self.frame = frame
        self.covered = covered  # offsets of constants that are known to be right
        self.steps: list[Step] = []
        self.malformed: list[str] = []
        self.structures: list[Structure] = []
        self.moving = False  # whether the place counts from `at`
        self.offset = 0
        self.codes: list[str] = []
        self.targets: list[str] = []
        self.after: list[Step] = []
        self.run_size = 0  # the octets of the run, without those of a sized text
        self.sized: int | None = None  # where in the run the size of a text is
        self.constant = b""  # the octets of the constant that the run ends with
        self.safe = True  # whether all octets up to here are known to be there

    def place(self, offset: int) -> str:
        if not self.moving:
            return str(offset)
        return f"at + {offset}" if offset else "at"

    def add(self, code: str, size: int, target: str) -> None:
        """Add a field of fixed size to the run; without a target it is skipped."""
        self.constant = b""
        if target:
            self.codes.append(code)
            self.targets.append(target)
        elif size:
            if self.codes and self.codes[-1].endswith("x"):
                size_before = int(self.codes.pop()[:-1] or 1)
                self.codes.append(f"{size_before + size}x")
            else:
                self.codes.append("x" if size == 1 else f"{size}x")
        self.run_size += size

    def add_constant(self, target: str, octets: bytes) -> None:
        """Add a constant to the run; those side by side are read as one."""
        if self.constant:
            target, before = self.targets.pop(), self.constant
            self.codes.pop()
            self.malformed.remove(_differs(target, before))
            self.run_size -= len(before)
            octets = before + octets
        self.malformed.append(_differs(target, octets))
        self.add(f"{len(octets)}s", len(octets), target)
        self.constant = octets

    def add_sized(self, field: FieldPlan) -> None:
        """Add text or octets behind one octet that counts them; a run holds only one of them."""
        if self.sized is not None:
            self.flush()
        self.sized = self.run_size
        self.add(SIZED, 1, _octets_of(field))
        self.after.append(Step(field=field, cut=True))

    def flush(self, whole: bool = False) -> None:
        """Print the run; `whole`: it is all that its frame holds."""
        self.constant = b""
        if self.codes == [SIZED] and not whole:
            self._slice()
        elif self.sized is not None:
            self._read_sized(whole)
        elif self.targets:
            self.steps.append(Step(self._run(self.place(self.offset), whole)))
            self.safe = True
        self.steps += self.after
        self.offset += self.run_size
        self.run_size, self.sized = 0, None
        self.codes, self.targets, self.after = [], [], []

    def _run(self, start: str, whole: bool) -> str:
        if self.codes == ["B"] and not whole:
            return f"{self.targets[0]} = {self.frame}[{start}]"
        return f"{self._all_targets} = {self._structure(whole).name}({self._where(start, whole)})"

    def _read_sized(self, whole: bool) -> None:
        """Read a run by the format for the size that its text has."""
        assert self.sized is not None
        start, size = (
            self.place(self.offset),
            f"{self.frame}[{self.place(self.offset + self.sized)}]",
        )
        if not whole:
            self.steps.append(Step(f"size = {size}"))
            size = "size"
        reader, where = self._structure(whole).name, self._where(start, whole)
        self.steps.append(Step(f"{self._all_targets} = {reader}[{size}]({where})"))
        if not whole:
            self._move(f"{self.offset + self.run_size} + size")
            self.safe = True

    def _slice(self) -> None:
        """A sized text alone is cut out without a format."""
        (target,) = self.targets
        self.steps.append(Step(f"start = {self.place(self.offset + 1)}"))
        self.steps.append(Step(f"at = start + {self.frame}[{self.place(self.offset)}]"))
        self.steps.append(Step(f"{target} = {self.frame}[start:at]"))
        self.moving, self.offset, self.run_size, self.safe = True, 0, 0, False

    def _move(self, distance: str) -> None:
        self.steps.append(Step(f"at {'+' if self.moving else ''}= {distance}"))
        self.moving, self.offset, self.run_size = True, 0, 0

    @property
    def _all_targets(self) -> str:
        return ", ".join(self.targets) if len(self.targets) > 1 else f"({self.targets[0]},)"

    def _structure(self, whole: bool) -> Structure:
        structure = Structure("all" if whole else "read", "".join(self.codes))
        self.structures.append(structure)
        return structure

    def _where(self, start: str, whole: bool) -> str:
        return self.frame if whole or start == "0" else f"{self.frame}, {start}"


def plan_reading(fields: Sequence[FieldPlan], frame: str, covered: frozenset[int]) -> Reading:
    """How to read a frame in the variable `frame`; `covered` are the offsets of constants that
    whoever chose the message has already seen."""
    reader = _Reader(frame, _known(fields, covered))
    ended = False
    for field in fields:
        if is_fixed(field):
            _read_fixed(reader, field)
        elif is_sized(field):
            reader.add_sized(field)
            reader.malformed += _malformed(field)
        else:
            _read_variable(reader, field)
            ended = ended or not count_of(field)
    exact = bool(reader.targets) and all(is_fixed(f) or is_sized(f) for f in fields)
    exact = exact and sum(map(is_sized, fields)) <= 1
    reader.flush(whole=exact)
    if not exact and not ended:
        reader.malformed.insert(0, f"len({frame}) != {reader.place(reader.offset)}")
    return Reading(
        tuple(reader.steps), tuple(reader.malformed), tuple(reader.structures), reader.moving
    )


def _read_variable(reader: _Reader, field: FieldPlan) -> None:
    """A field that ends a run: behind a longer size, repeated, or to the end of its frame."""
    count = count_of(field)
    if count:
        reader.add(CODES[count], count, f"{field.variable}_size")
    reader.flush()
    start = reader.place(reader.offset)
    reader.steps.append(Step(field=field, start=start, moving=reader.moving))
    reader.malformed += _malformed(field)
    if count:
        reader.moving, reader.offset, reader.safe = True, 0, False
    elif not reader.safe:
        reader.malformed.insert(0, f"len({reader.frame}) < at")


def _known(fields: Sequence[FieldPlan], covered: frozenset[int]) -> frozenset[int]:
    """The constants that need no look: those side by side are looked at all together or not."""
    known: set[int] = set()
    offset = 0
    for constant, group in groupby(fields, lambda field: isinstance(field.type, Constant)):
        members = list(group)
        starts = list(accumulate((size_of(field) for field in members), initial=offset))
        if constant and covered.issuperset(starts[:-1]):
            known.update(starts[:-1])
        offset = starts[-1]
        if not all(is_fixed(field) for field in members):
            break
    return frozenset(known)


def _read_fixed(reader: _Reader, field: FieldPlan) -> None:
    size = size_of(field)
    # Behind a sized text `run_size` does not tell the place; what is known stands before it.
    here = reader.offset + reader.run_size
    if isinstance(field.type, Constant):
        placed = not reader.moving and reader.sized is None
        if not size or (placed and here in reader.covered):
            reader.add("", size, "")
            return
        reader.add_constant(field.constant_variable, field.type.octets)
        return
    converted = isinstance(field.type, Uuid | Enumeration)
    reader.add(field.code, size, field.variable if converted else field.target)
    reader.malformed += _malformed(field)
    if converted:
        reader.after.append(Step(field=field))


def _octets_of(field: FieldPlan) -> str:
    """Where the octets of a sized field go."""
    return f"{field.variable}_octets" if isinstance(field.type, Text) else field.target


def _differs(target: str, octets: bytes) -> str:
    return f"{target} != {literal(octets)}"


def _malformed(field: FieldPlan) -> tuple[str, ...]:
    """Conditions under which what was read is refused."""
    match field.type:
        case Integer(_, minimum) if minimum:
            return (f"{field.variable} < {minimum}",)
        case Text() | Octets(0):
            length = f"{field.variable}_size"
            if count_of(field) <= 1:
                text = isinstance(field.type, Text)
                length = f"len({field.variable}{'_octets' if text else ''})"
            return out_of_bounds(length, *field.bounds)
        case _:
            return ()
