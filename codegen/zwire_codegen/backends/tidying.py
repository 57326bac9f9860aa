"""Generated Python as black writes it, so that nobody's editor changes it.

Black takes seconds for all protocols together. The templates write its style already, one logical
line on one line; only those that are too long are given to black, which knows best where to break.
"""

from __future__ import annotations

import re
from functools import lru_cache

import black
from black.mode import TargetVersion

WIDTH = 100
_VERSIONS = {TargetVersion.PY311}
_OPENINGS = ("def ", "class ", "@")
_BLANK_LINES = re.compile(r"\n{4,}")


def tidy(text: str) -> str:
    """The same program with its long lines broken and no more than two blank lines anywhere."""
    lines: list[str] = []
    quoted = False
    for line in text.split("\n"):
        line = line.rstrip()
        opens = line.count('"""') % 2 == 1
        if not quoted and line.startswith(_OPENINGS):
            _space_before(lines)
        if len(line) > WIDTH and not quoted and not opens and '"""' not in line:
            lines += _broken(line)
        else:
            lines.append(line)
        quoted ^= opens
    return _BLANK_LINES.sub("\n\n\n", "\n".join(lines).strip("\n")) + "\n"


def _space_before(lines: list[str]) -> None:
    """Leave two blank lines, but none behind a decorator."""
    while lines and not lines[-1]:
        lines.pop()
    if lines and not lines[-1].startswith("@"):
        lines += ["", ""]


def as_black_has_it(text: str) -> str:
    """What black makes of a whole file: slow, for tests."""
    return black.format_str(text, mode=_mode(WIDTH))


def _broken(line: str) -> list[str]:
    """One logical line, broken where black breaks it."""
    code = line.lstrip()
    margin = line[: len(line) - len(code)]
    return [margin + part if part else "" for part in _broken_code(code, WIDTH - len(margin))]


@lru_cache(maxsize=4096)
def _broken_code(code: str, width: int) -> tuple[str, ...]:
    if code.startswith("#"):
        return (code,)
    if code.endswith(":"):
        return tuple(_formatted(f"{code}\n    pass", width)[:-1])
    if code.endswith(","):  # belongs to the brackets around the line, not to the line
        *lines, last = _formatted(code[:-1], width - 1)
        return (*lines, f"{last},")
    return tuple(_formatted(code, width))


def _formatted(code: str, width: int) -> list[str]:
    return black.format_str(code, mode=_mode(width)).rstrip("\n").split("\n")


def _mode(width: int) -> black.Mode:
    return black.Mode(line_length=width, target_versions=_VERSIONS)
