"""A document's text while errata mend it: every offset still knows its place in the original."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from zwire_codegen.source import Line, Place, Source


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the mended text. An original one lies at `original` in the source; one that
    an erratum put there has all its characters at the beginning of what it replaced."""

    start: int
    original: int
    replaced: int | None = None


@dataclass(frozen=True)
class Mended:
    """The text to read, and the pieces that it is made of, in order."""

    source: Source
    text: str
    pieces: tuple[Piece, ...]
    line_starts: tuple[int, ...]

    @staticmethod
    def of(source: Source) -> Mended:
        """The text as it stands."""
        starts = [0]
        for line in source.lines[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        return Mended(source, source.text, (Piece(0, 0),), tuple(starts))

    def replace(self, start: int, end: int, text: str) -> Mended:
        """The same with `text` in place of what stands between the two offsets."""
        before = tuple(piece for piece in self.pieces if piece.start < start)
        new = Piece(start, self._original(start), replaced=end - start)
        cut = self._piece(end)
        rest = Piece(start + len(text), self._original(end), cut.replaced)
        shift = len(text) - (end - start)
        after = tuple(
            Piece(piece.start + shift, piece.original, piece.replaced)
            for piece in self.pieces
            if piece.start > end
        )
        mended = self.text[:start] + text + self.text[end:]
        return Mended(self.source, mended, (*before, new, rest, *after), self.line_starts)

    def place(self, start: int, end: int | None = None) -> Place:
        """Where the characters between two offsets stand in the original."""
        original = self._original(start)
        length = 1 if end is None else max(1, self._original(end) - original)
        line = bisect_right(self.line_starts, original)
        column = original - self.line_starts[line - 1] + 1
        return Place(line, column, min(length, max(1, len(self.source.line(line)) - column + 1)))

    def lines(self) -> list[Line]:
        """The lines of the mended text, each with the place it has in the original."""
        if len(self.pieces) == 1:  # nothing was mended
            return [Line(text, at) for at, text in enumerate(self.source.lines, start=1)]
        starts = [0]
        texts = self.text.split("\n")
        for text in texts[:-1]:
            starts.append(starts[-1] + len(text) + 1)
        return [
            self.line(start, start + len(text)) for start, text in zip(starts, texts, strict=True)
        ]

    def line(self, start: int, end: int) -> Line:
        """The text between two offsets, with the place its beginning has in the original."""
        place = self.place(start)
        return Line(self.text[start:end], place.line, place.column)

    def _original(self, offset: int) -> int:
        piece = self._piece(offset)
        if piece.replaced is not None:
            return piece.original
        return piece.original + offset - piece.start

    def _piece(self, offset: int) -> Piece:
        return self.pieces[bisect_right(self.pieces, offset, key=lambda piece: piece.start) - 1]
