"""Filters with which the templates of the Python target print names, literals and texts."""

from __future__ import annotations

import textwrap

import jinja2

from zwire_codegen.backends.python.names import function_name, literal

WIDTH = 96


def docstring(text: str, indent: int = 0) -> str:
    """A comment of the specification as the inside of a docstring, wrapped."""
    safe = text.strip().replace("\\", "\\\\").replace('"""', "'''")
    margin = " " * indent
    paragraphs = [" ".join(paragraph.split()) for paragraph in safe.split("\n\n")]
    wrapped = [
        textwrap.fill(paragraph, WIDTH, subsequent_indent=margin, break_long_words=False)
        for paragraph in paragraphs
    ]
    ending = f"\n{margin}" if len(wrapped) > 1 or "\n" in wrapped[0] else ""
    inner = f"\n\n{margin}".join(wrapped)
    return inner + (ending or " " * inner.endswith('"'))


def inside(text: str, width: int = 4) -> str:
    """Lines as the body of a block: moved to the right, without blank ones."""
    margin = " " * width
    return "\n".join(margin + line for line in text.split("\n") if line.strip())


def prepare(jinja: jinja2.Environment) -> jinja2.Environment:
    """The environment with these filters."""
    jinja.filters.update(
        docstring=docstring,
        inside=inside,
        literal=literal,
        lower_name=function_name,
    )
    return jinja
