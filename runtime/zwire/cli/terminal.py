"""A terminal in which one line is typed while others appear above it.

The last rows belong to us: what is the case now, and what is being typed. Whatever is told goes above
them, so that nobody's half-typed line is torn apart.
"""

from __future__ import annotations

import codecs
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

from rich.cells import cell_len

PROMPT = "> "
_KEY = re.compile(r"\x1b\[[0-9;?]*[A-Za-z~]|\x1bO[A-Za-z]|\x1b[^\[O]|[^\x1b]", re.DOTALL)
_BEGUN = re.compile(r"\x1b(\[[0-9;?]*|O)?$")  # a key of which more is to come
MOST_REMEMBERED = 1000  # lines that can be called back


def is_possible() -> bool:
    """Whether there is such a terminal: a screen and keys, and a system that tells single keys."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    here = sys.stdin.isatty() and sys.stdout.isatty()
    return here and os.environ.get("TERM", "dumb") != "dumb"


class Terminal:
    """`with Terminal() as terminal:`; `say` from any thread, `lines` in one."""

    def __init__(
        self,
        keys: int = 0,
        screen: TextIO | None = None,
        words: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`keys` is the descriptor that is read; `words` are those that the tabulator completes."""
        self._keys = keys
        self._screen = screen or sys.stdout
        self._words = words
        self._lock = threading.RLock()
        self._status = ""
        self._text = ""
        self._at = 0  # where the cursor stands in the text
        self._typed: list[str] = []  # before, the newest last
        self._back = 0  # how far the one shown lies back
        self._rows = 0  # of ours on the screen
        self._before: list[Any] | None = None
        self._continued: Any = None

    def __enter__(self) -> Self:
        self._begin()
        if threading.current_thread() is threading.main_thread():
            # Who was stopped and goes on finds the terminal as the shell has left it.
            self._continued = signal.signal(signal.SIGCONT, lambda *_: self._begin())
        return self

    def _begin(self) -> None:
        import termios

        with self._lock:
            modes = termios.tcgetattr(self._keys)
            if self._before is None:
                self._before = list(modes)
            modes[3] &= ~(termios.ICANON | termios.ECHO)  # single keys, shown by us
            termios.tcsetattr(self._keys, termios.TCSADRAIN, modes)
            self._rows = 0
            self._write("")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        import termios

        if self._continued is not None:
            signal.signal(signal.SIGCONT, self._continued)
        with self._lock:
            self._screen.write(self._erased())
            self._screen.flush()
            if self._before is not None:
                termios.tcsetattr(self._keys, termios.TCSADRAIN, self._before)

    # ---------------------------------------------------------------- what is shown

    def say(self, text: str) -> None:
        """Let lines appear above what is typed."""
        with self._lock:
            self._write(text + "\n")

    def show(self, status: str) -> None:
        """Tell what is the case now."""
        with self._lock:
            if status != self._status:
                self._status = status
                self._write("")

    def _write(self, text: str) -> None:
        # Drawn anew as a whole: there is little of it, and nothing can be forgotten.
        erased = self._erased()
        columns = shutil.get_terminal_size().columns
        status = f"\x1b[2m{_cut(self._status, columns - 1)}\x1b[0m\n" if self._status else ""
        before, behind = self._text[: self._at], self._text[self._at :]
        room = max(1, columns - len(PROMPT) - 1)
        while cell_len(before) > room:
            before = before[1:]
        behind = _cut(behind, room - cell_len(before))
        cursor = f"\x1b[{cell_len(behind)}D" if behind else ""
        self._rows = 2 if status else 1
        self._screen.write(f"{erased}{text}{status}{PROMPT}{before}{behind}{cursor}")
        self._screen.flush()

    def _erased(self) -> str:
        up = f"\x1b[{self._rows - 1}A" if self._rows > 1 else ""
        return f"\r{up}\x1b[J" if self._rows else ""

    # ---------------------------------------------------------------- what is typed

    def lines(self) -> Iterator[str]:
        """The lines that are typed, until the end is."""
        decoded = codecs.getincrementaldecoder("utf-8")(errors="replace")
        rest = ""
        while True:
            try:
                octets = os.read(self._keys, 4096)
            except OSError:
                return
            if not octets:
                return
            rest += decoded.decode(octets)
            begun = _BEGUN.search(rest)
            whole, rest = (rest[: begun.start()], begun.group()) if begun else (rest, "")
            for key in _KEY.findall(whole):
                if key in ("\r", "\n"):
                    yield self._finish()
                elif key == "\x04" and not self._text:
                    return
                else:
                    with self._lock:
                        self._press(key)
                        self._write("")

    def _finish(self) -> str:
        with self._lock:
            line, self._text, self._at, self._back = self._text, "", 0, 0
            if line and line not in self._typed[-1:]:
                self._typed = [*self._typed, line][-MOST_REMEMBERED:]
            self._write(f"{PROMPT}{line}\n" if line else "")
        return line

    def _press(self, key: str) -> None:
        text, at = self._text, self._at
        match key:
            case "\x7f" | "\b":
                self._put(text[: at - 1] + text[at:] if at else text, max(0, at - 1))
            case "\x1b[3~":  # delete
                self._put(text[:at] + text[at + 1 :], at)
            case "\x15":  # ^U: all
                self._put("", 0)
            case "\x0b":  # ^K: what follows
                self._put(text[:at], at)
            case "\x17":  # ^W: a word
                kept = text[:at].rstrip().rpartition(" ")
                start = "".join(kept[:2])
                self._put(start + text[at:], len(start))
            case "\x1b[D" | "\x1bOD" | "\x02":
                self._at = max(0, at - 1)
            case "\x1b[C" | "\x1bOC" | "\x06":
                self._at = min(len(text), at + 1)
            case "\x1b[H" | "\x1bOH" | "\x1b[1~" | "\x01":
                self._at = 0
            case "\x1b[F" | "\x1bOF" | "\x1b[4~" | "\x05":
                self._at = len(text)
            case "\x1b[A" | "\x1bOA" | "\x10":
                self._recall(self._back + 1)
            case "\x1b[B" | "\x1bOB" | "\x0e":
                self._recall(self._back - 1)
            case "\t":
                self._complete()
            case _ if key.isprintable():
                self._put(text[:at] + key + text[at:], at + 1)

    def _put(self, text: str, at: int) -> None:
        self._text, self._at = text, at

    def _recall(self, back: int) -> None:
        if 0 <= back <= len(self._typed):
            self._back = back
            text = self._typed[-back] if back else ""
            self._put(text, len(text))

    def _complete(self) -> None:
        before, behind = self._text[: self._at], self._text[self._at :]
        begun = before.rpartition(" ")[2]
        found = {word for word in self._words() if begun and word.startswith(begun)}
        if len(found) == 1:
            before += f"{found.pop().removeprefix(begun)} "
            self._put(before + behind, len(before))


def _cut(text: str, room: int) -> str:
    """As much of a text as there is room for."""
    while text and cell_len(text) > room:
        text = text[:-1]
    return text
