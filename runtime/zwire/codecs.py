"""The generated codecs by name: for commands and tools that learn the protocol at run time."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any

import zwire_protocols


@dataclass(frozen=True, slots=True)
class Codec:
    """One part of a protocol, with the decoder of one sender where a role was chosen."""

    protocol: str
    part: str
    module: ModuleType
    role: str | None = None

    @property
    def name(self) -> str:
        return f"{self.protocol}.{self.part}"

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that send messages of this part."""
        return tuple(self.module.DECODERS)

    @property
    def needs_role(self) -> bool:
        """Whether messages of different senders share octets, so that one must be named."""
        return self.role is None and not hasattr(self.module, "decode")

    @property
    def messages(self) -> Mapping[str, type]:
        """The classes of its messages by the specification's names."""
        messages: Mapping[str, type] = self.module.MESSAGES
        return messages

    def spoken_by(self, role: str | None) -> Codec:
        """The same part, decoding what this role sends."""
        return replace(self, role=role)

    def decode(self, frames: Sequence[bytes]) -> Any:
        decoder: Callable[[Sequence[bytes]], Any]
        decoder = self.module.DECODERS[self.role] if self.role else self.module.decode
        return decoder(frames)

    def encode(self, message: Any) -> list[bytes]:
        frames: list[bytes] = self.module.encode(message)
        return frames

    def to_dict(self, message: Any) -> dict[str, Any]:
        value: dict[str, Any] = self.module.to_dict(message)
        return value

    def from_dict(self, value: Mapping[str, Any]) -> Any:
        return self.module.from_dict(value)

    def summary(self, message: Any) -> str:
        return str(self.module.summary(message))

    def dump(self, frames: Sequence[bytes]) -> str:
        """The frames octet by octet; what is malformed is told where it stands."""
        return str(self.module.dump(frames, self.role or ""))


def known_protocols() -> list[str]:
    """The names of all generated protocols."""
    return sorted(
        info.name for info in pkgutil.iter_modules(zwire_protocols.__path__) if info.ispkg
    )


def find_codecs(name: str) -> list[Codec]:
    """The codecs of `protocol` or `protocol.part`; none where there is no such protocol."""
    protocol, _, wanted = name.partition(".")
    if protocol not in known_protocols():
        return []
    package = import_module(f"zwire_protocols.{protocol}")
    parts = [
        info.name
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.endswith("_dialogs") and (not wanted or info.name == wanted)
    ]
    return [
        Codec(protocol, part, import_module(f"zwire_protocols.{protocol}.{part}")) for part in parts
    ]
