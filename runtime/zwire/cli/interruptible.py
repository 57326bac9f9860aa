"""Long work that Ctrl-C ends in good order: a thread does it, and the main one waits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

_Result = TypeVar("_Result")
_LOOK = 0.2  # seconds between two calls of `abandon`


def run_interruptibly(work: Callable[[], _Result], abandon: Callable[[], None]) -> _Result:
    """What the work returns or raises. KeyboardInterrupt comes when the work has ended.

    Until then `abandon` is called again and again, from the main thread: it tells the work to end.
    A second interrupt is raised at once.
    """
    done: Future[_Result] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    thread = Thread(target=run, name="work", daemon=True)
    try:
        thread.start()
        return done.result()
    except KeyboardInterrupt:
        while thread.is_alive():
            abandon()
            thread.join(_LOOK)
        raise
