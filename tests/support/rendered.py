"""Rendered Python files as an importable package, without touching those that are committed."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

_numbers = itertools.count()


class Package:
    """A package written into a folder, with a name that no other has."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.name = f"rendered_{next(_numbers)}"
        root = folder / self.name
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        for directory in {root, *((root / path).parent for path in files)}:
            (directory / "__init__.py").touch()
        self._folder = str(folder)

    def module(self, name: str) -> ModuleType:
        """One of its modules: `small.worker_dialogs`."""
        sys.path.insert(0, self._folder)
        try:
            importlib.invalidate_caches()
            return importlib.import_module(f"{self.name}.{name}")
        finally:
            sys.path.remove(self._folder)
