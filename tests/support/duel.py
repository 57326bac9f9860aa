"""A generated codec against the reference: both must say the same of whatever they are given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any

import pytest

from support.mutation import mutated
from zwire_codegen.backends.vectors.cases import Cases
from zwire_codegen.model.types import Part
from zwire_codegen.reference import Reference, Refusal

SMALL = 700  # octets of a message that is worth mutating


class Duel:
    """One part: its model, and the module and errors that were generated from it."""

    def __init__(self, part: Part, module: Any, errors: Any) -> None:
        self.part = part
        self.module = module
        self.errors = errors
        self.reference = Reference(part)

    @cached_property
    def cases(self) -> dict[str, list[dict[str, Any]]]:
        made = Cases(self.part)
        return {
            "valid": made.valid(),
            "invalid": made.invalid(),
            "unencodable": made.unencodable(),
        }

    @property
    def roles(self) -> list[str | None]:
        """Who sends anything; None where the specification names nobody."""
        senders = {role for message in self.part.messages for role in message.senders}
        return [role.name for role in self.part.roles if role.name in senders] or [None]

    def compare(self, frames: Sequence[bytes], role: str | None) -> bool:
        """Whether both accept these frames; they must agree on all there is to say."""
        expected = self._verdict_of_reference(frames, role)
        got = self._verdict_of_module(frames, role)
        assert got == expected, (self.part.name, role, [frame.hex() for frame in frames])
        return isinstance(expected, dict)

    def valid(self) -> None:
        """What is good reads as told, writes the same octets, and goes through JSON."""
        for case in self.cases["valid"]:
            frames = octets(case)
            told = {"message": case["message"], "fields": case["fields"]}
            assert self.module.encode(self.module.from_dict(told)) == frames, case["name"]
            for role in case["roles"] or [None]:
                assert self._verdict_of_module(frames, role) == told, case["name"]

    def invalid(self) -> None:
        """What is damaged is refused for the reason told."""
        for case in self.cases["invalid"]:
            told = tuple(case[what] for what in ("code", "message", "field", "frame", "offset"))
            assert self._verdict_of_module(octets(case), case["role"]) == told, case["name"]

    def unencodable(self) -> None:
        """What cannot be written is refused, and the right field blamed."""
        for case in self.cases["unencodable"]:
            told = {"message": case["message"], "fields": case["fields"]}
            with pytest.raises(self.errors.EncodeError) as caught:
                self.module.encode(self.module.from_dict(told))
            blamed = (caught.value.message, caught.value.field)
            assert blamed == (case["message"], case["field"]), case["name"]

    def cuts(self, most: int = SMALL) -> None:
        """Every truncation and extension of good messages of up to `most` octets."""
        decoders = {id(self.module.DECODERS.get(role)): role for role in self.roles}
        for frames in self._good(most):
            for damaged in _cuts(frames):
                for role in decoders.values():  # where one decoder serves all, once will do
                    self.compare(damaged, role)

    def mutations(self, number: int, random: Random) -> None:
        """Good messages changed at random."""
        good, roles = self._good(SMALL), self.roles
        accepted = sum(
            self.compare(mutated(random.choice(good), good, random), random.choice(roles))
            for _ in range(number)
        )
        assert accepted < number

    def shuffles(self, random: Random) -> None:
        """Values of a message's fields swapped among themselves: both encoders agree."""
        for case in self.cases["valid"]:
            values = list(case["fields"].values())
            random.shuffle(values)
            fields = dict(zip(case["fields"], values, strict=True))
            expected = self._frames_of_reference(case["message"], fields)
            assert self._frames_of_module(case["message"], fields) == expected, fields

    def _good(self, most: int) -> list[list[bytes]]:
        found = [octets(case) for case in self.cases["valid"]]
        return [frames for frames in found if sum(map(len, frames)) <= most]

    def _verdict_of_reference(self, frames: Sequence[bytes], role: str | None) -> Any:
        try:
            name, fields = self.reference.decode(frames, role)
        except Refusal as refusal:
            return refusal.verdict
        return {"message": name, "fields": fields}

    def _verdict_of_module(self, frames: Sequence[bytes], role: str | None) -> Any:
        decode = self.module.decode if role is None else self.module.DECODERS[role]
        try:
            message = decode(frames)
        except self.errors.DecodeError as error:
            return (error.code, error.message, error.field, error.frame, error.offset)
        assert self.module.encode(message) == list(frames)
        return self.module.to_dict(message)

    def _frames_of_reference(self, message: str, fields: dict[str, Any]) -> list[bytes] | None:
        try:
            return self.reference.encode(message, fields)
        except Refusal:
            return None

    def _frames_of_module(self, message: str, fields: dict[str, Any]) -> Any:
        try:
            return self.module.encode(self.module.from_dict({"message": message, "fields": fields}))
        except self.errors.EncodeError:
            return None


def octets(case: dict[str, Any]) -> list[bytes]:
    """The frames of a case."""
    return [bytes.fromhex(frame) for frame in case["frames"]]


def _cuts(frames: list[bytes]) -> Iterator[list[bytes]]:
    for at, frame in enumerate(frames):
        for changed in (*(frame[:cut] for cut in range(len(frame))), frame + b"\0"):
            yield [*frames[:at], changed, *frames[at + 1 :]]
    for number in range(len(frames)):
        yield frames[:number]
    yield [*frames, b""]
