"""Stories of the terminal in which a line is typed while others appear above it."""

from __future__ import annotations

import os
import pty
import termios
import threading
from collections.abc import Iterator

import pytest

from support.raw import eventually
from support.screen import Screen
from zwire.cli.node_typed import quoted, split_name
from zwire.cli.terminal import Terminal


class Typing:
    """A terminal, its screen, and somebody at the keys."""

    def __init__(self, *words: str) -> None:
        self._fingers, self.keys = pty.openpty()
        self.screen = Screen()
        self.terminal = Terminal(self.keys, self.screen, lambda: words)
        self.lines: list[str] = []
        self.over = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)

    def _read(self) -> None:
        self.lines.extend(self.terminal.lines())
        self.over.set()

    def begin(self) -> None:
        self.terminal.__enter__()
        self._reader.start()

    def press(self, keys: str) -> None:
        os.write(self._fingers, keys.encode())

    def sees(self, *rows: str) -> None:
        """These are the last rows of the screen, sooner or later."""
        eventually(lambda: self.screen.rows[-len(rows) :] == list(rows), f"{rows} are seen")

    def line(self, keys: str) -> str:
        """The line that comes of these keys and the end of the line."""
        count = len(self.lines)
        self.press(f"{keys}\r")
        eventually(lambda: len(self.lines) > count, "a line was typed")
        return self.lines[-1]

    def close(self) -> None:
        self.press("\x15\x04")
        self._reader.join()
        self.terminal.__exit__(None, None, None)
        os.close(self._fingers)
        os.close(self.keys)


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Typing]:
    monkeypatch.setenv("COLUMNS", "30")
    found = Typing("whisper", "wait", "ann")
    found.begin()
    yield found
    found.close()


def test_what_is_told_appears_above_what_is_being_typed(typing: Typing) -> None:
    typing.terminal.show("1 peer: bob")
    typing.press("shout chat hel")
    typing.sees("1 peer: bob", "> shout chat hel")
    typing.terminal.say("+ eve entered")
    typing.terminal.show("2 peers: bob, eve")
    typing.sees("+ eve entered", "2 peers: bob, eve", "> shout chat hel")
    assert typing.line("lo") == "shout chat hello"
    typing.sees("+ eve entered", "> shout chat hello", "2 peers: bob, eve", ">")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("hallo\x7f\x7f\x7fello", "haello"),
        ("b\x1b[Da", "ab"),
        ("bc\x1b[Ha\x1b[Fd", "abcd"),
        ("abc\x1b[D\x1b[D\x1b[3~", "ac"),
        ("abc\x1b[D\x1b[D\x0b", "a"),
        ("something else\x15this", "this"),
        ("one two three\x17four", "one two four"),
        ("grüße, 世界", "grüße, 世界"),
        ("a\x1b[200~\x07\x00b", "ab"),  # keys that mean nothing here
        ("\x7f\x1b[3~\x1b[D\x1b[Cx", "x"),
        ("whi\tann\t", "whisper ann "),
        ("w\tx", "wx"),  # there are two such words
        ("\tx", "x"),
    ],
)
def test_a_line_is_edited_with_the_usual_keys(typing: Typing, keys: str, line: str) -> None:
    assert typing.line(keys) == line


def test_lines_are_called_back(typing: Typing) -> None:
    for line in ("first", "second", "second"):
        typing.line(line)
    assert typing.line("\x1b[A") == "second"
    assert typing.line("\x1b[A\x1b[A") == "first"
    assert typing.line("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\x1b[B!") == "second!"
    assert typing.line("\x1b[A\x1b[B") == ""


def test_what_is_longer_than_the_screen_is_wide_is_shown_in_part(typing: Typing) -> None:
    typing.terminal.show("a status that is much longer than the screen")
    typing.press("0123456789" * 4)
    typing.sees("a status that is much longer", "> 3456789" + "0123456789" * 2)
    typing.press("\x1b[H")
    eventually(lambda: typing.screen.rows[-1].startswith("> 0123456789"), "its beginning is seen")
    assert typing.screen.cursor[1] == 2
    assert typing.line("") == "0123456789" * 4


def test_keys_that_come_in_pieces_are_put_together(typing: Typing) -> None:
    typing.press("b\x1b")
    typing.press("[")
    typing.press("Da")
    for octet in "ü".encode():
        os.write(typing._fingers, bytes([octet]))
    assert typing.line("") == "aüb"


def test_the_end_is_typed_on_an_empty_line_and_the_terminal_is_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    typing = Typing()
    before = termios.tcgetattr(typing.keys)
    typing.begin()
    assert termios.tcgetattr(typing.keys) != before
    typing.terminal.say("told")
    typing.press("x\x04")  # which is no end in the middle
    typing.sees("told", "> x")
    typing.press("\x7f\x04")
    assert typing.over.wait(30)
    typing.terminal.__exit__(None, None, None)
    assert termios.tcgetattr(typing.keys) == before
    assert typing.screen.rows == ["told", ""]


@pytest.mark.parametrize("name", ["chat", "my group", "it's", 'say "hi" now', "a  b"])
def test_names_with_blanks_are_written_in_quotes(name: str) -> None:
    assert split_name(f"{quoted(name)} and more") == (name, "and more")
    assert split_name(quoted(name)) == (name, "")


def test_a_quote_that_is_not_closed_is_a_letter() -> None:
    assert split_name("it's late") == ("it's", "late")
    assert split_name("'tis late") == ("'tis", "late")
