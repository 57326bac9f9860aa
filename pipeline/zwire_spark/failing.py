"""What to say when Spark fails: one sentence with the cause, from pages of where it was thrown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from zwire.errors import ZwireError

_SPARKS = ("pyspark.", "py4j.", "grpc.")
# Java tells its causes in that way, the innermost last; a worker's Python ends its traceback so.
_CAUSE = re.compile(
    r"^\s*Caused by: (.+)$|^((?:\w+\.)*\w*(?:Error|Exception): .+|zwire[\w.]+: .+)$", re.MULTILINE
)
_CALLING = "An error occurred while calling"
_THROWN = re.compile(r"^(?:\w+\.)+[\w$]+: |^(?:OS|FileNotFound|Permission)Error: ")
_LONGEST = 300


class SparkFailed(ZwireError):
    """Spark could not finish: a full disk, a lost cluster, a server that has ended."""


@contextmanager
def failures_told() -> Iterator[None]:
    """An error of Spark's becomes SparkFailed; all others pass."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(_SPARKS):
            raise
        raise SparkFailed(f"Spark could not go on: {cause_of(error)}") from error


def cause_of(error: Exception) -> str:
    """What an error of Spark's says of its innermost cause, be it Java's or a worker's Python's."""
    causes = [java or python for java, python in _CAUSE.findall(str(error))]
    known = [_THROWN.sub("", cause.strip()) for cause in causes]
    told = next((cause for cause in reversed(known) if not cause.startswith(_CALLING)), "")
    told = told or first_line(error)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


def first_line(error: Exception) -> str:
    """What an error of Spark's says first, without which of Py4J's calls it was."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith(_CALLING):
        lines = lines[1:]
    return _THROWN.sub("", lines[0].removeprefix(": ")) if lines else type(error).__name__
