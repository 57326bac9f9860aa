"""Errata applied to a document: passages replaced, supplements put where their anchors stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.errata import (
    CellReading,
    Errata,
    Erratum,
    Supplement,
    known_errata,
    load_errata,
)
from zwire_codegen.notation.mended import Mended
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place, Source


@dataclass(frozen=True, slots=True)
class Anchored:
    """A supplement and the place of its anchor."""

    supplement: Supplement
    place: Place


@dataclass(frozen=True, slots=True)
class Mending:
    """A document after its errata: the text to read, and what is to be added to it."""

    mended: Mended
    anchored: tuple[Anchored, ...]
    cells: tuple[CellReading, ...]


def mend(
    source: Source, name: str, title: str, given: Sequence[Path], *, known: bool
) -> tuple[Mending, list[Problem]]:
    """The document mended by the known errata that fit it (if wanted) and by those given."""
    fitting, problems = _fitting(source, name, title, given, known)
    mended = Mended.of(source)
    for errata in fitting:
        mended, told = _replaced(mended, errata)
        problems += told
    anchored: list[Anchored] = []
    for errata in fitting:
        found, told = _anchored(mended, errata)
        anchored += found
        problems += told
    anchored.sort(key=lambda each: (each.place.line, each.place.column))
    cells = tuple(cell for errata in fitting for cell in errata.cells)
    return Mending(mended, tuple(anchored), cells), problems


def _fitting(
    source: Source, name: str, title: str, given: Iterable[Path], known: bool
) -> tuple[list[Errata], list[Problem]]:
    problems: list[Problem] = []
    shipped = known_errata() if known else ()
    fitting = [errata for errata in shipped if errata.fits(name, title, source.text)]
    for path in given:
        loaded = load_errata(path)
        if isinstance(loaded, Problem):
            problems.append(loaded)
        elif loaded.fits(name, title, source.text):
            fitting.append(loaded)
        else:
            text = f"the errata in {loaded.label} are for another document"
            problems.append(problem(source.name, Place(1, 1), "ZW317", text))
    return fitting, problems


def _replaced(mended: Mended, errata: Errata) -> tuple[Mended, list[Problem]]:
    problems: list[Problem] = []
    for erratum in errata.errata:
        start = _only_one(mended, erratum.find, errata, problems)
        if start is None:
            continue
        same, ending = _alike(erratum)
        first, last = start + same, start + len(erratum.find) - ending
        wrong = erratum.find[same : len(erratum.find) - ending]
        right = erratum.replace[same : len(erratum.replace) - ending]
        place = mended.place(first, last)
        mended = mended.replace(first, last, right)
        text = f"erratum of {errata.label} applied: {erratum.why}"
        hint = f'"{_brief(wrong)}" is read as "{_brief(right)}"'
        problems.append(problem(mended.source.name, place, "ZW307", text, hint))
    return mended, problems


def _alike(erratum: Erratum) -> tuple[int, int]:
    """How many characters at the beginning and at the end stay as they are, in whole words: what
    is not replaced keeps its exact place."""
    find, replace = erratum.find, erratum.replace
    same = _shared(find, replace)
    while same > 0 and not find[same - 1].isspace():
        same -= 1
    ending = _shared(find[same:][::-1], replace[same:][::-1])
    while ending > 0 and not find[len(find) - ending].isspace():
        ending -= 1
    return same, ending


def _shared(first: str, second: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(first, second, strict=False))
    different = (at for at, (one, other) in pairs if one != other)
    return next(different, min(len(first), len(second)))


def _anchored(mended: Mended, errata: Errata) -> tuple[list[Anchored], list[Problem]]:
    found: list[Anchored] = []
    problems: list[Problem] = []
    for supplement in errata.supplements:
        start = _only_one(mended, supplement.anchor, errata, problems)
        if start is None:
            continue
        place = mended.place(start, start + len(supplement.anchor))
        found.append(Anchored(supplement, place))
        text = f"supplement of {errata.label} applied: {supplement.why}"
        problems.append(problem(mended.source.name, place, "ZW314", text))
    return found, problems


def _only_one(mended: Mended, passage: str, errata: Errata, problems: list[Problem]) -> int | None:
    """Where the passage stands, if it stands there exactly once."""
    start = mended.text.find(passage)
    again = mended.text.find(passage, start + 1) if start >= 0 else -1
    if start >= 0 and again < 0:
        return start
    count = "is not in the document" if start < 0 else "is there more than once"
    text = f'{errata.label} quotes "{_brief(passage)}", which {count}'
    hint = "the errata may be for another version of it; --no-errata reads it without them"
    place = Place(1, 1) if start < 0 else mended.place(again, again + len(passage))
    problems.append(problem(mended.source.name, place, "ZW308", text, hint))
    return None


def _brief(passage: str) -> str:
    words = " ".join(passage.split())
    return words if len(words) <= 60 else words[:57] + "…"
