"""The documents that ship with zwire: found in a checkout or in the installed package."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
_FOLDERS = (_HERE.parent.parent / "grammars", _HERE / "grammars")


def grammars() -> Path:
    """The folder of the documents that ship with zwire."""
    return next((folder for folder in _FOLDERS if folder.is_dir()), _FOLDERS[-1])


def known_protocols() -> list[str]:
    """The names of the protocols that ship with zwire."""
    return sorted(path.stem for path in grammars().glob("*.md"))


def find_document(name: str) -> Path | None:
    """The document of a protocol that ships with zwire, or a document of that path."""
    if name in known_protocols():
        return grammars() / f"{name}.md"
    path = Path(name)
    return path if path.is_file() else None
