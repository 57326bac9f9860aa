"""How one frame is read and written: runs of fixed fields fused, variable ones between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from zwire_codegen.backends.python.fields import CODES, FieldPlan, out_of_bounds
from zwire_codegen.backends.python.names import literal
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Octets,
    Text,
    Uuid,
)
from zwire_codegen.reference.shape import fixed_size


@dataclass(frozen=True, slots=True)
class Structure:
    """A compiled format: `use` is read (from somewhere), all (a whole frame) or write."""

    use: str
    format: str

    @property
    def name(self) -> str:
        return f"_{self.use}_{self.format}"

    @property
    def method(self) -> str:
        return {"read": "unpack_from", "all": "unpack", "write": "pack"}[self.use]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a line of text, or a field whose kind knows how to print it.

    `start` is where a variable field begins; `moving`: that depends on what came before it.
    """

    line: str = ""
    field: FieldPlan | None = None
    start: str = ""
    moving: bool = False

    @property
    def rest(self) -> str:
        """The slice from its beginning to the end of the frame, as black spaces it."""
        return f"[{self.start} :]" if " " in self.start else f"[{self.start}:]"

    @property
    def jump(self) -> str:
        """Move `at` to where the field begins."""
        if not self.moving:
            return f"at = {self.start}"
        return self.start.replace("at +", "at +=")


@dataclass(frozen=True, slots=True)
class Reading:
    """The steps that read a frame, and the conditions under which it is malformed."""

    steps: tuple[Step, ...]
    malformed: tuple[str, ...]
    structures: tuple[Structure, ...]


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


def count_of(field: FieldPlan) -> int:
    """The width of the size or count in front of a field; 0: it has none."""
    match field.type:
        case Text(count) | Octets(0, count) | Listing(count) | Dictionary(count):
            return count
        case _:
            return 0


def is_fixed(field: FieldPlan) -> bool:
    """Whether a field always takes the same number of octets."""
    match field.type:
        case Constant() | Integer() | Uuid() | Octets() | Enumeration():
            return fixed_size(field.type) is not None
        case _:
            return False


# ---------------------------------------------------------------- reading


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
        self.run_size = 0
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

    def flush(self, whole: bool = False) -> None:
        """Print the run."""
        self.constant = b""
        start = self.place(self.offset)
        if self.targets:
            self.steps.append(Step(self._run(start, whole)))
            self.safe = True
        self.steps += self.after
        self.offset += self.run_size
        self.run_size, self.codes, self.targets, self.after = 0, [], [], []

    def _run(self, start: str, whole: bool) -> str:
        if self.codes == ["B"] and not whole:
            return f"{self.targets[0]} = {self.frame}[{start}]"
        structure = Structure("all" if whole else "read", "".join(self.codes))
        self.structures.append(structure)
        targets = ", ".join(self.targets) if len(self.targets) > 1 else f"({self.targets[0]},)"
        where = self.frame if whole or start == "0" else f"{self.frame}, {start}"
        return f"{targets} = {structure.name}({where})"


def plan_reading(fields: Sequence[FieldPlan], frame: str, covered: frozenset[int]) -> Reading:
    """How to read a frame in the variable `frame`; `covered` are the offsets of constants that
    whoever chose the message has already seen."""
    reader = _Reader(frame, _known(fields, covered))
    only_fixed = all(is_fixed(field) for field in fields)
    ended = False
    for field in fields:
        if is_fixed(field):
            _read_fixed(reader, field)
            continue
        count = count_of(field)
        if count:
            reader.add(CODES[count], count, f"{field.variable}_size")
        reader.flush()
        start = reader.place(reader.offset)
        reader.steps.append(Step(field=field, start=start, moving=reader.moving))
        reader.malformed += _malformed(field)
        if count:
            reader.moving, reader.offset, reader.safe = True, 0, False
        else:
            ended = True
            if not reader.safe:
                reader.malformed.insert(0, f"len({frame}) < at")
    exact = only_fixed and bool(reader.targets)
    reader.flush(whole=exact)
    if not exact and not ended:
        reader.malformed.insert(0, f"len({frame}) != {reader.place(reader.offset)}")
    return Reading(tuple(reader.steps), tuple(reader.malformed), tuple(reader.structures))


def _known(fields: Sequence[FieldPlan], covered: frozenset[int]) -> frozenset[int]:
    """The constants that need no look: those side by side are looked at all together or not."""
    known: set[int] = set()
    offset = 0
    for constant, group in groupby(fields, lambda field: isinstance(field.type, Constant)):
        members = list(group)
        starts = list(accumulate((_size(field) for field in members), initial=offset))
        if constant and covered.issuperset(starts[:-1]):
            known.update(starts[:-1])
        offset = starts[-1]
        if not all(is_fixed(field) for field in members):
            break
    return frozenset(known)


def _size(field: FieldPlan) -> int:
    """The octets of a field of fixed size; of another, 0."""
    return (fixed_size(field.type) or 0) if is_fixed(field) else 0  # type: ignore[arg-type]


def _read_fixed(reader: _Reader, field: FieldPlan) -> None:
    size = _size(field)
    here = reader.offset + reader.run_size
    if isinstance(field.type, Constant):
        if not size or (not reader.moving and here in reader.covered):
            reader.add("", size, "")
            return
        reader.add_constant(f"{field.variable}_constant", field.type.octets)
        return
    reader.add(field.code, size, field.variable)
    reader.malformed += _malformed(field)
    if isinstance(field.type, Uuid | Enumeration):
        reader.after.append(Step(field=field))


def _differs(target: str, octets: bytes) -> str:
    return f"{target} != {literal(octets)}"


def _malformed(field: FieldPlan) -> tuple[str, ...]:
    """Conditions under which what was read is refused."""
    match field.type:
        case Integer(_, minimum) if minimum:
            return (f"{field.variable} < {minimum}",)
        case Text(count) | Octets(0, count):
            length = f"{field.variable}_size" if count else f"len({field.variable}_octets)"
            if isinstance(field.type, Octets) and not count:
                length = f"len({field.variable})"
            return out_of_bounds(length, *field.bounds)
        case _:
            return ()


# ---------------------------------------------------------------- writing


def plan_writing(fields: Sequence[FieldPlan]) -> Writing:
    """How to write a frame from variables that hold its values."""
    pieces: list[str | FieldPlan] = []
    structures: list[Structure] = []
    run: list[tuple[str, str, bytes | None]] = []  # code, argument, octets of a constant

    def flush() -> None:
        if not run:
            return
        if all(octets is not None for _, _, octets in run):
            whole = b"".join(octets or b"" for _, _, octets in run)
            if whole:
                pieces.append(literal(whole))
        elif [code for code, _, _ in run] == ["B"]:
            pieces.append(f"OCTET[{run[0][1]}]")
        else:
            structure = Structure("write", "".join(code for code, _, _ in run))
            structures.append(structure)
            pieces.append(f"{structure.name}({', '.join(argument for _, argument, _ in run)})")
        run.clear()

    for field in fields:
        if isinstance(field.type, Constant):
            octets = field.type.octets
            if run and run[-1][2] is not None:  # constants side by side are one
                octets = (run.pop()[2] or b"") + octets
            run.append((f"{len(octets)}s", literal(octets), octets))
        elif is_fixed(field):
            suffix = ".bytes" if isinstance(field.type, Uuid) else ""
            run.append((field.code, field.variable + suffix, None))
        elif isinstance(field.type, Listing | Dictionary):
            run.append((CODES[count_of(field)], f"len({field.variable})", None))
            flush()
            pieces.append(field)
        else:
            octets_name = _octets_name(field)
            if count := count_of(field):
                run.append((CODES[count], f"len({octets_name})", None))
            flush()
            pieces.append(octets_name)
    flush()
    return Writing(tuple(pieces), tuple(structures))


def _octets_name(field: FieldPlan) -> str:
    match field.type:
        case Text():
            return f"{field.variable}_octets"
        case Enumeration():
            return f"{field.octets_table}[{field.variable}]"
        case _:
            return field.variable
