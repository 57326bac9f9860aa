"""Line breaks that were lost on the way: a whole document in one physical line.

Runs of marks tell where lines began and ended: a simple table has three rules, its rows count
upwards, and a heading is exactly as long as the run that underlines it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zwire_codegen.notation.mended import Mended
from zwire_codegen.notation.rst import is_run
from zwire_codegen.source import Line

_WORD = re.compile(r"\S+")
_LONG = 200  # no line of a table or heading that kept its breaks is as long


def restore_breaks(mended: Mended) -> list[Line]:
    """The lines of a text, those that hold a whole document cut into the lines it once had."""
    found: list[Line] = []
    offset = 0
    for line in mended.lines():
        if len(line.text) < _LONG or "===" not in line.text:
            found.append(line)
        else:
            found.extend(_Cutter(mended, offset, line).cut())
        offset += len(line.text) + 1
    return found


@dataclass(slots=True)
class _Cutter:
    """Cuts one physical line, which begins at `offset`; `begun` is where in it the line that is
    being collected begins."""

    mended: Mended
    offset: int
    line: Line
    words: list[re.Match[str]] = field(init=False)
    found: list[Line] = field(default_factory=list)
    begun: int = 0

    def __post_init__(self) -> None:
        self.words = list(_WORD.finditer(self.line.text))

    def cut(self) -> list[Line]:
        index = 0
        while index < len(self.words):
            index = self._table(index) or self._title(index) or self._underlined(index) or index + 1
        if not self.found:
            return [self.line]  # nothing was lost: just a long line
        self._take(self.begun, len(self.line.text))
        return self.found

    def _take(self, start: int, end: int, *, apart: bool = True) -> None:
        """One line more, with an empty one before it where it stands apart."""
        text = self.line.text[start:end]
        start += len(text) - len(text.lstrip())
        text = text.strip()
        if not text:
            return
        begin = self.offset + start
        if apart and self.found:
            self.found.append(self.mended.line(begin, begin))
        self.found.append(self.mended.line(begin, begin + len(text)))

    def _table(self, index: int) -> int | None:
        """The index behind the table that begins with this word."""
        if self._is_rule_word(index - 1):
            return None
        header = self._behind_rule(index)
        if header is None:
            return None
        second = self._next_rule(header)
        body = self._behind_rule(second)
        if body is None:
            return None
        third = self._next_rule(body)
        end = self._behind_rule(third)
        if end is None:
            return None
        self._take(self.begun, self.words[index].start())
        self._take(*self._span(index, header))
        self._take(*self._span(header, second), apart=False)
        self._take(*self._span(second, body), apart=False)
        for first, last in _rows([word[0] for word in self.words[body:third]]):
            self._take(*self._span(body + first, body + last), apart=False)
        self._take(*self._span(third, end), apart=False)
        self.begun = self.words[end - 1].end()
        return end

    def _title(self, index: int) -> int | None:
        """The index behind a title with a run above and below it."""
        run = self.words[index]
        if not is_run(run[0]):
            return None
        text = self.line.text
        below = text.find(f" {run[0]}", run.end(), run.end() + 2 * len(run[0]) + 2)
        title = text[run.end() : below].strip() if below >= 0 else ""
        if not title or len(title) > len(run[0]) or is_run(title):
            return None
        end = below + 1 + len(run[0])
        if text[end : end + 1].strip():
            return None
        self._take(self.begun, run.start())
        self._take(run.start(), run.end())
        self._take(run.end(), below, apart=False)
        self._take(below, end, apart=False)
        self.begun = end
        while index < len(self.words) and self.words[index].start() < end:
            index += 1
        return index

    def _underlined(self, index: int) -> int | None:
        """The index behind a run that underlines the words before it."""
        run = self.words[index]
        start = run.start() - 1 - len(run[0])
        if not is_run(run[0]) or start < self.begun:
            return None
        title = self.line.text[start : run.start() - 1]
        if title != title.strip() or is_run(title):
            return None
        if self.line.text[max(0, start - 1) : start].strip():
            return None
        self._take(self.begun, start)
        self._take(start, run.start())
        self._take(run.start(), run.end(), apart=False)
        self.begun = run.end()
        return index + 1

    def _span(self, first: int, last: int) -> tuple[int, int]:
        if first >= last:
            return 0, 0
        return self.words[first].start(), self.words[last - 1].end()

    def _is_rule_word(self, index: int) -> bool:
        if not 0 <= index < len(self.words):
            return False
        word = self.words[index][0]
        return len(word) >= 3 and not word.strip("=")

    def _behind_rule(self, index: int) -> int | None:
        end = index
        while self._is_rule_word(end):
            end += 1
        return end if end - index >= 2 else None

    def _next_rule(self, index: int) -> int:
        while index < len(self.words) and not self._is_rule_word(index):
            index += 1
        return index


def _rows(words: Sequence[str]) -> list[tuple[int, int]]:
    """The rows of a table's body: each begins with the number that follows the last row's."""
    starts: list[int] = []
    expected = 0
    for index, word in enumerate(words):
        if word in (str(expected), f"{expected}+"):
            starts.append(index)
            expected += 1
    if not starts:
        return [(0, len(words))] if words else []
    if starts[0] > 0:
        starts.insert(0, 0)
    return list(zip(starts, [*starts[1:], len(words)], strict=True))
