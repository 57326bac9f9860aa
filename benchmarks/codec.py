"""zwire's generated codecs against those that people use: decoding and encoding, interleaved."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from statistics import median
from time import thread_time

from codec_cases import CASES, Action, Codec, ours
from figures import Figure

PEERS = ("codec_pyre", "codec_kaitai", "codec_construct", "codec_protobuf")
_TURN = 0.004  # seconds that one contender is measured before the next has its turn


def measure(rounds: int) -> list[Figure]:
    """For every message and every peer: microseconds for one decoding, and for one encoding."""
    peers = [peer for name in PEERS for peer in _peers(name)]
    mine = ours()
    return [
        *_figures("decode", mine, peers, rounds),
        *_figures("encode", mine, peers, rounds),
    ]


def _peers(name: str) -> list[Codec]:
    """The contenders of one module; none where its library is not installed."""
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        print(f"{name}: left out, {missing.name} is not installed", file=sys.stderr)
        return []
    found: list[Codec] = module.codecs()
    return found


def _figures(what: str, mine: Codec, peers: Sequence[Codec], rounds: int) -> Iterator[Figure]:
    for case in CASES:
        actions = {
            codec.name: _actions(codec, what)[case]
            for codec in (mine, *peers)
            if case in _actions(codec, what)
        }
        spent = _interleaved(actions, rounds)
        for peer in peers:
            if peer.name in spent:
                goal = peer.goal if what == "decode" else peer.write_goal
                yield Figure(
                    f"{what} {case}", spent[mine.name], peer.name, spent[peer.name], "µs", goal
                )


def _actions(codec: Codec, what: str) -> dict[str, Action]:
    return dict(codec.read if what == "decode" else codec.write)


def _interleaved(actions: dict[str, Action], rounds: int) -> dict[str, float]:
    """Microseconds for each action: the median of turns that all take one after the other."""
    turns = {name: _turn(action) for name, action in actions.items()}
    spent: dict[str, list[float]] = {name: [] for name in actions}
    gc.disable()
    try:
        for _ in range(rounds):
            for name, action in actions.items():
                spent[name].append(_time(action, turns[name]))
    finally:
        gc.enable()
    return {name: median(times) * 1e6 for name, times in spent.items()}


def _turn(action: Action) -> int:
    """How often an action fits into a turn."""
    number = 1
    while (spent := _time(action, number) * number) < _TURN / 2:
        number *= 2
    return max(1, round(number * _TURN / spent))


def _time(action: Action, number: int) -> float:
    """Seconds of this thread's own time for one action: a busy machine does not count."""
    began = thread_time()
    for _ in range(number):
        action()
    return (thread_time() - began) / number
