"""The processes of the node benchmark: listeners that answer when asked, one that asks, one that comes.

Usage: zre_process.py LIBRARY PORT ROLE COUNT [LOST]; what a role does is said at its function.
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import sys
import time
from collections.abc import Callable
from statistics import median
from uuid import UUID

from zre_nodes import TALKERS, Ours, Talker, lose_beacons

SIZE = 100
PLAIN, ASK = b"." * SIZE, b"?" + b"." * (SIZE - 1)
BLOCKS = 3  # of messages that are on their way at most: pyre drops a peer behind whom 3000 wait
SETTLE = 5.0  # seconds before anything is measured: beacons come in quick succession at first
_seconds = struct.Struct(">d")


def listen(library: str, port: int, count: int) -> None:
    """So many nodes, each in a process of its own, that answer; until the input ends."""
    children = [_forked(lambda: _answer(library, port)) for _ in range(count)]
    _say("ready")
    sys.stdin.read()
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)


def _forked(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        random.seed()  # else all would lose the same beacons
        try:
            work()
        finally:
            os._exit(1)
    return child


def _answer(library: str, port: int) -> None:
    """Answer who asks with the processor time that this process has used so far."""
    node: Talker = TALKERS[library](port)
    for peer, octets in node.heard():
        if octets[0] == ASK[0]:
            node.whisper(peer, _seconds.pack(time.process_time()))


def talk(library: str, port: int, count: int) -> None:
    """Meet so many listeners; then do what is read, and tell how long that took."""
    asking = Asking(library, port, count)
    _say("ready")
    for line in sys.stdin:
        verb, times, block = line.split()
        if verb == "trips":
            _say({"median": asking.trips(int(times))})
            continue
        used, began = asking.spent(), time.perf_counter()
        match verb:
            case "whisper":
                asking.whisper(int(times), int(block))
            case "shout":
                asking.shout(int(times), int(block))
            case _:
                time.sleep(int(times))
        seconds = time.perf_counter() - began
        _say({"seconds": seconds, "processor": asking.spent() - used})


class Asking:
    """The node that measures: it knows its peers, and how much processor time all have used."""

    def __init__(self, library: str, port: int, count: int) -> None:
        self._node: Talker = TALKERS[library](port)
        self._peers: set[UUID] = set()
        while len(self._peers) < count:
            self._peers.add(self._node.joined())
        self._peer = next(iter(self._peers))
        self._heard = self._node.heard()
        self._used: dict[UUID, float] = {}
        time.sleep(SETTLE)  # until the others have met, too

    def spent(self) -> float:
        """Processor seconds of everybody."""
        for peer in self._peers:
            self._node.whisper(peer, ASK)
        self._answers(len(self._peers))
        return sum(self._used.values()) + time.process_time()

    def _answers(self, count: int) -> None:
        for _ in range(count):
            peer, octets = next(self._heard)
            (self._used[peer],) = _seconds.unpack(octets)

    def whisper(self, count: int, block: int) -> None:
        """So many messages to one peer."""
        whisper, peer = self._node.whisper, self._peer
        self._in_blocks(lambda octets: whisper(peer, octets), count, block, 1)

    def shout(self, count: int, block: int) -> None:
        """So many messages to all."""
        self._in_blocks(self._node.shout, count, block, len(self._peers))

    def _in_blocks(
        self, send: Callable[[bytes], None], count: int, block: int, answers: int
    ) -> None:
        unanswered = 0
        for _ in range(count // block):
            for _ in range(block - 1):
                send(PLAIN)
            send(ASK)
            unanswered += 1
            if unanswered == BLOCKS:
                self._answers(answers)
                unanswered -= 1
        self._answers(answers * unanswered)

    def trips(self, count: int) -> float:
        """The median of so many round trips, in seconds."""
        whisper, heard, peer, clock = self._node.whisper, self._heard, self._peer, time.perf_counter
        times: list[float] = []
        for _ in range(count):
            began = clock()
            whisper(peer, ASK)
            next(heard)
            times.append(clock() - began)
        return median(times)


def come(library: str, port: int, count: int) -> None:
    """For each line make a node, and tell after how many seconds each of so many had entered."""
    _say("ready")
    for _ in sys.stdin:
        began = time.perf_counter()
        node: Talker = TALKERS[library](port)
        times = []
        for _ in range(count):
            node.met()
            times.append(time.perf_counter() - began)
        _say(times)
        node.stop()


def crowd(library: str, port: int, count: int) -> None:
    """So many nodes in this one process; for each line rest, and tell what that took."""
    nodes = [Ours(port, inproc=True) for _ in range(count)]
    for node in nodes:
        met: set[UUID] = set()
        while len(met) < count - 1:
            met.add(node.joined())
    time.sleep(SETTLE)
    _say("ready")
    for line in sys.stdin:
        used, began = time.process_time(), time.perf_counter()
        time.sleep(int(line))
        _say({"seconds": time.perf_counter() - began, "processor": time.process_time() - used})


def _say(what: object) -> None:
    print(json.dumps(what), flush=True)


ROLES = {"listen": listen, "talk": talk, "come": come, "crowd": crowd}

if __name__ == "__main__":
    name, beacons, role, many = sys.argv[1:5]
    if sys.argv[5:]:
        lose_beacons(float(sys.argv[5]))
    ROLES[role](name, int(beacons), int(many))
    os._exit(0)  # the threads of nodes that were not stopped would hold us up
