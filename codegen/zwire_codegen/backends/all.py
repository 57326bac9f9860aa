"""All targets of `zwire generate`: what each writes, and into which folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias

from zwire_codegen.model.types import Protocol

Render: TypeAlias = Callable[[Sequence[Protocol]], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Target:
    """What can be generated: the modules whose `render` gives the files, and their folder."""

    folder: str  # below generated/
    modules: tuple[str, ...]

    def render(self, protocols: Sequence[Protocol]) -> dict[str, str]:
        """The files by their path below the target's folder."""
        files: dict[str, str] = {}
        for name in self.modules:
            render: Render = import_module(f"zwire_codegen.backends.{name}").render
            files.update(render(protocols))
        return files


TARGETS: dict[str, Target] = {
    "python": Target("python/zwire_protocols", ("python.codec", "python.dialogs")),
    "strategies": Target("python/zwire_strategies", ("python.strategies",)),
    "spark": Target("python/zwire_sql", ("spark.module",)),
    "vectors": Target("vectors", ("vectors",)),
    "docs": Target("docs", ("pages.page",)),
}


def layout(protocols: Sequence[Protocol], targets: Sequence[str], *, own: bool) -> dict[str, str]:
    """All files of these targets by path.

    For somebody's `own` documents a single target stands right in the folder they named.
    """
    files: dict[str, str] = {}
    for name in targets:
        target = TARGETS[name]
        prefix = "" if own and len(targets) == 1 else f"{target.folder}/"
        files.update({prefix + path: text for path, text in target.render(protocols).items()})
    return files
