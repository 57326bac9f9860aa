"""Generated Python as black writes it, so that nobody's editor changes it."""

from __future__ import annotations

from functools import lru_cache

import black

_MODE = black.Mode(line_length=100, target_versions={black.TargetVersion.PY311})


@lru_cache(maxsize=256)
def tidy(text: str) -> str:
    """The same program in black's layout."""
    return black.format_str(text, mode=_MODE)
