"""Messages of every protocol, made by the generated strategies, survive the wire and JSON."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zwire_protocols import PROTOCOLS
from zwire_protocols.errors import DecodeError

PARTS = [f"{protocol}.{part}" for protocol, parts in PROTOCOLS.items() for part in parts]


class Spoken:
    """A part's codec with the strategies beside it."""

    def __init__(self, name: str) -> None:
        self.codec: Any = importlib.import_module(f"zwire_protocols.{name}")
        self.strategies: Any = importlib.import_module(f"zwire_strategies.{name}")
        self.decoders = list(dict.fromkeys(self.codec.DECODERS.values()))

    def readings(self, frames: list[bytes]) -> list[Any]:
        """What each decoder makes of frames; those that refuse them make nothing."""
        found = []
        for decode in self.decoders:
            try:
                found.append(decode(frames))
            except DecodeError as refused:
                check_refusal(refused, frames)
        return found


def check_refusal(error: DecodeError, frames: list[bytes]) -> None:
    """Every refusal has a reason, and a place in the frames or right behind them."""
    assert error.code
    assert error.expected
    assert 0 <= error.frame <= len(frames)


@pytest.fixture(params=PARTS)
def spoken(request: pytest.FixtureRequest) -> Spoken:
    return Spoken(request.param)


def test_what_is_encoded_decodes_to_the_same(spoken: Spoken) -> None:
    @settings(max_examples=60)
    @given(spoken.strategies.messages())
    def check(message: Any) -> None:
        frames = spoken.codec.encode(message)
        assert all(type(frame) is bytes for frame in frames)
        assert message in spoken.readings(frames)
        told = json.loads(json.dumps(spoken.codec.to_dict(message)))
        assert spoken.codec.from_dict(told) == message
        assert "\n" not in spoken.codec.summary(message)

    check()


def test_any_frames_are_refused_or_come_back_the_same(spoken: Spoken) -> None:
    @settings(max_examples=40)
    @given(st.lists(st.binary(max_size=24), max_size=7))
    def check(frames: list[bytes]) -> None:
        for message in spoken.readings(frames):
            assert spoken.codec.encode(message) == frames
        assert spoken.codec.dump(frames)

    check()


def test_every_cut_and_surplus_is_refused_or_comes_back_the_same(spoken: Spoken) -> None:
    for example in spoken.strategies.EXAMPLES:
        frames = spoken.codec.encode(example)
        for changed in damaged(frames):
            for message in spoken.readings(changed):
                assert message != example
                assert spoken.codec.encode(message) == changed


def damaged(frames: list[bytes]) -> list[list[bytes]]:
    """Frames with one cut somewhere, or with something more."""
    found = [frames[:count] for count in range(len(frames))] + [[*frames, b"more"]]
    for number, frame in enumerate(frames):
        cuts = [frame[:length] for length in range(len(frame))] + [frame + b"\x00"]
        found += [[*frames[:number], cut, *frames[number + 1 :]] for cut in cuts]
    return found


def test_every_message_has_an_example(spoken: Spoken) -> None:
    kinds = [type(example) for example in spoken.strategies.EXAMPLES]
    assert kinds == list(spoken.codec.MESSAGES.values())
