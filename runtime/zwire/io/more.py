"""Whether more frames of a message follow, or more messages: asked of libzmq itself.

pyzmq tells of frames with an object for every one, or by a general question about options, and of a
socket that has nothing more by an exception. All that costs several times what receiving the octets
costs, and a broker does little else than receive.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias

import zmq
import zmq.backend

# A function with its four arguments, and where it leaves the answer. They are kept apart because the
# one call `ask(*arguments)` is what the hot path can afford.
Ask: TypeAlias = Callable[[Any, Any, Any, Any], object]
Question: TypeAlias = tuple[Ask, Any, Any, Any, Any, ctypes.c_int]

MORE_FRAMES = int(zmq.RCVMORE)  # 1 or 0
EVENTS = int(zmq.EVENTS)  # a sum, zmq.POLLIN in it where a message waits


def question(socket: zmq.Socket[bytes], option: int) -> Question:
    """How to ask an open socket for an option, and where the answer then stands."""
    answer = ctypes.c_int(0)
    try:
        from zmq.backend.cython import _zmq

        # Names are looked up in the libraries that this one needs, too: libzmq is one of them.
        ask = ctypes.PyDLL(_zmq.__file__).zmq_getsockopt
    except (ImportError, OSError, AttributeError):
        return _by_pyzmq(socket, option, answer)
    ask.restype = None
    return (
        ask,
        # Arguments that need no conversion at each call: a reference to what lies at the address of
        # the socket, and a plain number.
        ctypes.byref(ctypes.c_char.from_address(socket.underlying)),
        option,
        ctypes.byref(answer),
        ctypes.byref(ctypes.c_size_t(ctypes.sizeof(answer))),
        answer,
    )


def _by_pyzmq(socket: zmq.Socket[bytes], option: int, answer: ctypes.c_int) -> Question:
    """The same in pyzmq's own words, where its backend is another one."""

    def ask(socket: zmq.Socket[bytes], option: int, *_: object) -> None:
        answer.value = int(socket.getsockopt(option))

    return ask, socket, option, None, None, answer
