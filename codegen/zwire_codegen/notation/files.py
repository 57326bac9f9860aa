"""Files become sources: octets in, text with plain newlines out, or the one problem with them."""

from __future__ import annotations

from pathlib import Path

from zwire_codegen.catalogue import problem
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place, Source

LARGEST = 4 * 1024 * 1024  # octets of a document; more is refused before anything is parsed

_BEGIN = Place(1, 1)


def read_source(path: Path, name: str | None = None) -> Source | Problem:
    """The document at this path, or why it cannot be read. `name` is what to call it."""
    called = name if name is not None else path.as_posix()
    try:
        with path.open("rb") as file:
            octets = file.read(LARGEST + 1)
    except FileNotFoundError:
        return problem(called, _BEGIN, "ZW001", "there is no such file", "check the path")
    except IsADirectoryError:
        return problem(called, _BEGIN, "ZW001", "this is a folder", "name a file in it")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return problem(called, _BEGIN, "ZW001", f"cannot be read: {reason}")
    return source_of(called, octets)


def source_of(name: str, octets: bytes) -> Source | Problem:
    """The document with these octets: UTF-8, with or without a byte order mark, any newlines."""
    if len(octets) > LARGEST:
        hint = "split it, or leave out what is no specification"
        return problem(name, _BEGIN, "ZW003", "the document has more than 4 MiB", hint)
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A byte order mark is not counted in `error.object` once it is taken off.
        before = error.object[: error.start].decode("utf-8", "replace")
        return _not_text(name, before, f"octet {error.object[error.start]:02X} is not UTF-8")
    nul = text.find("\0")
    if nul >= 0:
        return _not_text(name, text[:nul], "a NUL character: this is no text")
    return Source(name, plain_newlines(text))


def plain_newlines(text: str) -> str:
    """The text with every kind of line end made `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _not_text(name: str, before: str, text: str) -> Problem:
    lines = plain_newlines(before).split("\n")
    place = Place(len(lines), len(lines[-1]) + 1)
    return problem(name, place, "ZW002", text, "save the document as UTF-8")
