"""Ctrl-C during long work: the work is told to end, has ended, and only then does the command."""

from __future__ import annotations

from _thread import interrupt_main
from threading import Event

import pytest

from zwire.cli.interruptible import run_interruptibly


def _never() -> None:
    raise AssertionError("nobody interrupted")


def test_work_gives_its_result() -> None:
    assert run_interruptibly(lambda: 7, _never) == 7


def test_what_the_work_raises_comes_out() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_interruptibly(fail, _never)


def test_an_interrupt_ends_the_work_first() -> None:
    told, tidied = Event(), Event()

    def work() -> None:
        interrupt_main()
        assert told.wait(30)
        tidied.set()

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work, told.set)
    assert tidied.is_set()


def test_how_interrupted_work_ends_does_not_matter() -> None:
    told = Event()

    def work() -> None:
        interrupt_main()
        assert told.wait(30)
        raise ZeroDivisionError

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work, told.set)


def test_who_interrupts_twice_does_not_wait() -> None:
    unending = Event()

    def abandon() -> None:
        interrupt_main()

    def work() -> None:
        interrupt_main()
        unending.wait(30)

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work, abandon)
    assert not unending.is_set()
    unending.set()
