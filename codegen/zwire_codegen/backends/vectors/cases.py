"""The cases of a part: each message good, damaged and misused, as the reference judges it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from zwire_codegen.backends.vectors.damage import damaged
from zwire_codegen.backends.vectors.misuse import misused
from zwire_codegen.backends.vectors.samples import samples, typical
from zwire_codegen.model.types import Frames, Message, Part, Stack
from zwire_codegen.reference import Reference, Refusal
from zwire_codegen.reference.shape import fields


class Cases:
    """Makes the cases of one part."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.reference = Reference(part)

    def valid(self) -> list[dict[str, Any]]:
        """Messages that decode to these fields and encode to these frames."""
        found: list[dict[str, Any]] = []
        for message in self.part.messages:
            seen: list[list[bytes]] = []
            for label, values in _variants(message):
                try:
                    frames = self.reference.encode(message.name, values)
                except Refusal:
                    continue  # legal alone, but not beside the other values
                if frames not in seen:
                    seen.append(frames)
                    found.append(self._good(message, label, values, frames))
        return found

    def invalid(self) -> list[dict[str, Any]]:
        """Frames that no decoder accepts, and why."""
        found: list[dict[str, Any]] = []
        for role in _roles(self.part):
            seen: set[tuple[bytes, ...]] = set()
            for message in self.part.messages:
                if message.senders[:1] not in ((role,), ()):
                    continue
                values = _typical(message)
                frames = self.reference.encode(message.name, values)
                for form in damaged(message, values, frames):
                    key = tuple(form.frames)
                    if key in seen:
                        continue
                    seen.add(key)
                    refusal = self._refusal(form.frames, role)
                    if refusal is not None:
                        label = f"{message.name}: {form.label}"
                        found.append(_bad(label, role, form.frames, refusal))
        return found

    def unencodable(self) -> list[dict[str, Any]]:
        """Values that no encoder accepts, and why."""
        found: list[dict[str, Any]] = []
        for message in self.part.messages:
            if message.received_only:
                continue
            for label, values in _misuses(message):
                try:
                    self.reference.encode(message.name, values)
                except Refusal as refusal:
                    found.append(
                        {
                            "name": f"{message.name}: {label}",
                            "message": message.name,
                            "fields": values,
                            "code": refusal.code,
                            "field": refusal.field,
                        }
                    )
        return found

    def _good(
        self, message: Message, label: str, values: Mapping[str, Any], frames: list[bytes]
    ) -> dict[str, Any]:
        return {
            "name": f"{message.name}: {label}",
            "roles": list(message.senders),
            "frames": [frame.hex() for frame in frames],
            "message": message.name,
            "fields": dict(values),
        }

    def _refusal(self, frames: list[bytes], role: str | None) -> Refusal | None:
        try:
            self.reference.decode(frames, role)
        except Refusal as refusal:
            return refusal
        return None


def _bad(label: str, role: str | None, frames: list[bytes], refusal: Refusal) -> dict[str, Any]:
    return {
        "name": label,
        "role": role,
        "frames": [frame.hex() for frame in frames],
        "code": refusal.code,
        "message": refusal.message,
        "field": refusal.field,
        "frame": refusal.frame,
        "offset": refusal.offset,
    }


def _roles(part: Part) -> list[str | None]:
    """The roles that send anything; None where nobody is said to."""
    senders = {role for message in part.messages for role in message.senders}
    named: list[str | None] = [role.name for role in part.roles if role.name in senders]
    return named or [None]


def _typical(message: Message) -> dict[str, Any]:
    return {name: typical(held) for name, held, _ in fields(message)}


def _variants(message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    """A typical message, then messages that differ from it in one field, then the extremes."""
    base = _typical(message)
    yield "typical", base
    least, most = dict(base), dict(base)
    for name, held, may_miss in fields(message):
        offered = list(samples(held, may_miss))
        for sample in offered:
            yield f"{name}: {sample.label}", base | {name: sample.value}
        if offered:
            least[name], most[name] = offered[0].value, offered[-1].value
    yield "every field at its first extreme", least
    yield "every field at its last extreme", most


def _misuses(message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    base = _typical(message)
    for name, held, may_miss in fields(message):
        for sample in misused(held, may_miss):
            yield f"{name}: {sample.label}", base | {name: sample.value}
        if not may_miss:
            yield f"{name}: left out", {n: value for n, value in base.items() if n != name}
    yield "unknown field", base | {"no_such_field": 1}
    yield from _masquerades(message, base)


def _masquerades(message: Message, base: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A body that would be read as an envelope or as another command, where nothing shields it."""
    stacks = [n for n, held, may_miss in fields(message) if isinstance(held, Stack) and may_miss]
    bodies = [name for name, held, _ in fields(message) if isinstance(held, Frames)]
    for stack in stacks:
        for body in bodies:
            for content in (["01"], ["02"], [""], ["61", "", "62"], ["", "62"]):
                label = f"{body}: {'.'.join(content) or 'one empty frame'} without {stack}"
                yield label, {**base, stack: None, body: content}
