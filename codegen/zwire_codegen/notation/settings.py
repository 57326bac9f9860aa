"""`zwire` blocks: TOML, with the place and the comment of every value in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.document import Settings
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place

_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#\s?(.*))?$")
_NAMES = re.compile(r"[A-Za-z0-9_\-.\"' \t]+")
_WHERE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)$")
_COMMENT = re.compile(r"""(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*#\s?(.*)$""")


def read_settings(
    lines: Sequence[Line], file: str, place: Place
) -> tuple[Settings | None, list[Problem]]:
    """The settings in a block's lines, or None with the reason why they are none."""
    text = "\n".join(line.text for line in lines)
    try:
        values = tomllib.loads(text)
    except RecursionError:
        return None, [problem(file, place, "ZW301", "values are nested too deep")]
    except ValueError as error:
        return None, [_not_toml(str(error), lines, file, place)]
    places, comments = _places_and_comments(lines)
    return Settings(values, place, places, comments), []


def merge_settings(first: Settings, second: Settings) -> Settings:
    """Both as one: tables are united, and what the second says of a value counts."""
    return Settings(
        _united(first.values, second.values),
        first.place if first.values else second.place,
        {**first.places, **second.places},
        {**first.comments, **second.comments},
    )


def only(settings: Settings, *names: str) -> Settings:
    """The tables with these names, and nothing else."""
    return _chosen(settings, {name for name in settings.values if name in names})


def without(settings: Settings, *names: str) -> Settings:
    """All tables but those with these names."""
    return _chosen(settings, {name for name in settings.values if name not in names})


def _chosen(settings: Settings, names: set[str]) -> Settings:
    return Settings(
        {name: value for name, value in settings.values.items() if name in names},
        settings.place,
        {path: place for path, place in settings.places.items() if path[0] in names},
        {path: comment for path, comment in settings.comments.items() if path[0] in names},
    )


def _united(first: Any, second: Any) -> Any:
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return second
    united = dict(first)
    for name, value in second.items():
        united[name] = _united(united[name], value) if name in united else value
    return united


def _not_toml(text: str, lines: Sequence[Line], file: str, place: Place) -> Problem:
    where = _WHERE.search(text)
    if where is not None:
        text = text[: where.start()].rstrip()
        if where[1] is None and lines:
            place = lines[-1].place(len(lines[-1].text))
        elif where[1] is not None and 1 <= int(where[1]) <= len(lines):
            place = lines[int(where[1]) - 1].place(int(where[2]) - 1, int(where[2]))
    hint = 'texts stand in quotes: name = "client"'
    return problem(file, place, "ZW301", f"the settings are not TOML: {text.lower()}", hint)


def _places_and_comments(
    lines: Sequence[Line],
) -> tuple[dict[tuple[str, ...], Place], dict[tuple[str, ...], str]]:
    """Where tables and keys begin, and the comments beside them.

    A light scan, since the TOML reader of the standard library keeps no positions: a key inside
    a text of several lines may get a place too, which then nobody asks for.
    """
    places: dict[tuple[str, ...], Place] = {}
    comments: dict[tuple[str, ...], str] = {}
    table: tuple[str, ...] = ()
    for line in lines:
        header = _HEADER.match(line.text)
        if header is not None:
            table = _path(header[1])
            path, start, end = table, header.start(1), header.end(1)
        else:
            key, equals, _ = line.text.partition("=")
            if not equals or _NAMES.fullmatch(key) is None:
                continue
            path = (*table, *_path(key))
            start, end = len(key) - len(key.lstrip()), len(key.rstrip())
        places.setdefault(path, line.place(start, end))
        comment = _COMMENT.match(line.text)
        if comment is not None:
            comments.setdefault(path, comment[1].strip())
    return places, comments


def _path(text: str) -> tuple[str, ...]:
    return tuple(piece.strip().strip("\"'") for piece in text.split("."))
