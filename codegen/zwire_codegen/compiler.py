"""The front end in one call: paths or texts in, checked protocols and their problems out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import Protocol
from zwire_codegen.passes.protocols import build
from zwire_codegen.problems import Problem, failed
from zwire_codegen.source import Place, Source

SUFFIXES = (".md", ".abnf")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document with the protocol it describes (None after an error), and every finding."""

    source: Source
    protocol: Protocol | None
    problems: tuple[Problem, ...]

    @property
    def failed(self) -> bool:
        return failed(self.problems)


def load(
    paths: Iterable[Path | str], *, errata: Sequence[Path] = (), known_errata: bool = True
) -> list[Loaded]:
    """What the documents at these paths describe. A folder stands for the documents in it."""
    return [
        loaded
        for path in paths
        for loaded in _load_path(Path(path), errata=errata, known_errata=known_errata)
    ]


def load_source(
    source: Source, *, errata: Sequence[Path] = (), known_errata: bool = True
) -> Loaded:
    """What one document describes."""
    from zwire_codegen.notation.reading import read  # the parser takes its time to import

    document, problems = read(source, errata=errata, known_errata=known_errata)
    protocol, told = build(document)
    found = sorted({*problems, *told}, key=lambda one: (one.order, one.text))
    return Loaded(source, None if failed(found) else protocol, tuple(found))


def _load_path(path: Path, *, errata: Sequence[Path], known_errata: bool) -> list[Loaded]:
    from zwire_codegen.notation.files import read_source

    if path.is_dir():
        inside = sorted(one for one in path.iterdir() if one.suffix in SUFFIXES and one.is_file())
        if not inside:
            text = "there are no documents in this folder"
            hint = "documents are named *.md or *.abnf"
            told = problem(path.as_posix(), Place(1, 1), "ZW006", text, hint)
            return [Loaded(Source(path.as_posix(), ""), None, (told,))]
        return [
            loaded
            for one in inside
            for loaded in _load_path(one, errata=errata, known_errata=known_errata)
        ]
    source = read_source(path)
    if isinstance(source, Problem):
        return [Loaded(Source(path.as_posix(), ""), None, (source,))]
    return [load_source(source, errata=errata, known_errata=known_errata)]
