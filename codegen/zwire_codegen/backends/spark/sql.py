"""Small pieces of Spark SQL that all the others are made of.

None of them raises in ANSI mode, whatever the octets: `substring` and `get` give less or nothing
where there is nothing, and what could be too large is bounded before it becomes an `int`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# Control characters as the codecs know them (Unicode's category Cc). No braces: a stage is a text
# into which its source is put by them.
_CONTROLS = r"r'[\x00-\x1F\x7F-\x9F]'"


def quoted(text: str) -> str:
    """A text as a literal."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def octets(value: bytes) -> str:
    """Octets as a literal."""
    return f"X'{value.hex().upper()}'"


def array(items: Iterable[str]) -> str:
    """An array of these expressions."""
    return f"array({', '.join(items)})"


def plus(first: str, second: int | str) -> str:
    """A sum, with the numbers in it added up where they are known."""
    if not str(second).isdigit():
        return f"{first} + {second}" if first != "0" else str(second)
    *terms, last = first.split(" + ")
    if not last.isdigit():
        return f"{first} + {second}" if int(second) else first
    return " + ".join([*terms, str(int(last) + int(second))])


def minus(first: str, second: str) -> str:
    """A difference."""
    return f"{first} - ({second})" if " " in second else f"{first} - {second}"


def piece(frame: str, offset: str, length: int | str) -> str:
    """Octets from an offset on, fewer where the frame ends before."""
    return f"substring({frame}, {plus(offset, 1)}, {length})"


def rest(frame: str, offset: str) -> str:
    """Octets from an offset to the end of a frame."""
    return frame if offset == "0" else f"substring({frame}, {plus(offset, 1)})"


def number(frame: str, offset: str, width: int) -> str:
    """An unsigned number in network order. Of octets that are not all there: any, or null."""
    digits = f"conv(hex({piece(frame, offset, width)}), 16, 10)"
    return f"CAST({digits} AS {number_type(width)})"


def number_type(width: int) -> str:
    """The type that holds every unsigned number of so many octets."""
    return "DECIMAL(20, 0)" if width == 8 else "BIGINT"


def text(value: str) -> str:
    """Octets as a text, as they are."""
    return f"CAST({value} AS STRING)"


def no_text(value: str) -> str:
    """Whether octets are not UTF-8, or have a control character."""
    return f"NOT is_valid_utf8({text(value)}) OR {text(value)} RLIKE {_CONTROLS}"


def equal(one: str, other: str) -> str:
    """Whether two are the same; what is missing is the same as nothing else."""
    return f"{one} <=> {other}"


def both(conditions: Iterable[str]) -> str:
    """Whether all hold."""
    return " AND ".join(conditions) or "true"


def either(conditions: Iterable[str]) -> str:
    """Whether any holds."""
    return " OR ".join(conditions) or "false"


def among(column: str, numbers: Sequence[int]) -> str:
    """Whether a number is one of these."""
    if len(numbers) == 1:
        return f"{column} = {numbers[0]}"
    return f"{column} IN ({', '.join(map(str, numbers))})"


def cases(branches: Sequence[tuple[str, str]], otherwise: str = "") -> str:
    """The value behind the first condition that holds; else `otherwise`, or null."""
    always = next((n for n, (condition, _) in enumerate(branches) if condition == "true"), None)
    if always is not None:
        branches, otherwise = branches[:always], branches[always][1]
    if not branches:
        return otherwise or "NULL"
    lines = [f"WHEN {condition} THEN {value}" for condition, value in branches]
    if otherwise:
        lines.append(f"ELSE {otherwise}")
    inner = "\n".join(lines).replace("\n", "\n  ")
    return f"CASE\n  {inner}\nEND"


def named(value: str, name: str, body: str) -> str:
    """An expression in which a value has a name, and is worked out once."""
    return f"get(transform(array({value}), {name} -> {body}), 0)"


def apart(value: str, name: str, body: str) -> str:
    """The same, for a long expression that few rows need.

    Spark makes one method of stages that follow each other, and none at all where it becomes too long.
    It leaves out a stage with `zip_with`, and the short ones around it are compiled.
    """
    return (
        f"get(transform(zip_with(array({value}), array(0), (one, _) -> one), {name} -> {body}), 0)"
    )
