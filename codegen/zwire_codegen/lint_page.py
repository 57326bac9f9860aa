"""The page of all findings, docs/lint.md, written from the catalogue.

`python -m zwire_codegen.lint_page docs/lint.md` writes it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from zwire_codegen.catalogue import CODES, Entry

_RANGES = (
    ("ZW0", "Files"),
    ("ZW1", "Syntax of ABNF"),
    ("ZW2", "Tolerances"),
    ("ZW3", "Tables, blocks, settings and errata"),
    ("ZW4", "Names, types and layout"),
    ("ZW5", "Roles and dialogs"),
    ("ZW6", "Style"),
)
_OPENING = """\
# Findings of `zwire lint`

Every finding has a code that never changes its meaning. An *error* stops generation, a *warning*
does not (unless `--strict`), a *note* only tells. This page is written from the catalogue in
`zwire_codegen.catalogue`; `python -m zwire_codegen.lint_page docs/lint.md` writes it anew.
"""


def lint_page() -> str:
    """The whole page."""
    return "\n".join((_OPENING, *_overview(), *_sections()))


def _overview() -> Iterator[str]:
    yield "| Code | Finding | |"
    yield "| ---- | ------- | - |"
    for entry in CODES.values():
        title = entry.title.replace("|", "\\|")
        yield f"| [{entry.code}](#{entry.code.lower()}) | {title} | {entry.severity} |"
    yield ""


def _sections() -> Iterator[str]:
    for prefix, title in _RANGES:
        yield f"## {title}\n"
        for entry in CODES.values():
            if entry.code.startswith(prefix):
                yield from _entry(entry)


def _entry(entry: Entry) -> Iterator[str]:
    yield f'<a id="{entry.code.lower()}"></a>\n'
    yield f"### {entry.code}: {entry.title}\n"
    yield f"*{str(entry.severity).capitalize()}.* {entry.explanation}\n"
    for label, example in (("Good", entry.good), ("Bad", entry.bad)):
        # Four ticks: an example may hold a fenced block itself.
        yield f"{label}:\n\n````text\n{example}\n````\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(lint_page(), encoding="utf-8")
