"""What all commands share: consoles, exit codes, JSON output, and the sentence about extras."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


class Exit(IntEnum):
    """Exit codes of every command; docs/cli.md explains them."""

    OK = 0
    FAILED = 1  # findings, a malformed message, a time-out: the answer is no
    USAGE = 2  # the command line, a configuration or a missing extra: nothing was tried
    STOPPED = 130  # interrupted


def out() -> Console:
    """The console for results."""
    from rich.console import Console

    return Console(highlight=False)


def err() -> Console:
    """The console for complaints and progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def progress() -> Progress:
    """A bar on standard error for long work, gone when the work is done; nothing in a pipe."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TimeElapsedColumn(),
    )
    console = err()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def print_json(value: Any) -> None:
    """One JSON document on standard output, readable by people and programs."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=_is_limited()) + "\n")


def json_line(value: Any) -> str:
    """JSON on one line, as standard output can take it."""
    return json.dumps(value, ensure_ascii=_is_limited())


def _is_limited() -> bool:
    """Whether there are characters that standard output cannot write."""
    return not (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def fail(text: str, code: Exit = Exit.FAILED) -> NoReturn:
    """Tell what is wrong on standard error and end with this code."""
    err().print(text, style="red", markup=False, soft_wrap=True)
    raise typer.Exit(code)


def stop_signals() -> Sequence[signal.Signals]:
    """What asks a command to end: also the closing of its terminal, unless it runs under nohup."""
    numbers = [signal.SIGTERM, signal.SIGINT]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    return numbers


def require_compiler() -> None:
    """End with one sentence where the compiler's libraries are not installed."""
    try:
        import jinja2  # noqa: F401
        import lark  # noqa: F401
    except ImportError as error:
        fail(
            f"this command needs the compiler's libraries ({error.name} is missing): "
            "pip install 'zwire[codegen]'",
            Exit.USAGE,
        )
