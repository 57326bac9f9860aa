"""The model of a protocol: what every back end sees. Nothing in it belongs to one language.

A protocol has parts (name spaces); a part has messages; a message is laid out in frames; a
frame holds fields; a field has one of a few types. All of it is immutable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something was said: the document's file name, the line, and its comment."""

    document: str
    line: int
    comment: str = ""


# ---------------------------------------------------------------- types of fields


@dataclass(frozen=True, slots=True)
class Constant:
    """Octets that are always the same: a signature, a command id, an empty delimiter."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class Integer:
    """An unsigned number in network order, of 1, 2, 4 or 8 octets."""

    width: int
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8 text without control characters, counted in octets.

    `count` is the width of the size in front of it (1, 2 or 4); 0: it fills its frame.
    """

    count: int
    minimum: int = 0
    maximum: int | None = None  # in octets; None: what the count can say

    @property
    def most(self) -> int | None:
        """The greatest length in octets; None where nothing bounds it."""
        if self.maximum is not None or self.count == 0:
            return self.maximum
        return int(256**self.count) - 1


@dataclass(frozen=True, slots=True)
class Octets:
    """Opaque octets: of a fixed `length`, or behind a size of `count` octets, or (both 0) the
    rest of the frame."""

    length: int = 0
    count: int = 0
    minimum: int = 0
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Uuid:
    """Sixteen octets that identify."""


@dataclass(frozen=True, slots=True)
class Member:
    """One value of an enumeration."""

    name: str
    octets: bytes
    origin: Origin


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One of several constants. With `width` 1, 2, 4 or 8 all have that length and the value is
    a number; with 0 it fills its frame and the value is the octets' text."""

    name: str
    width: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A count of `count` octets, then that many items."""

    count: int
    item: Text | Octets | Integer


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A count of `count` octets, then that many entries, kept in order as they came.

    With a `value` type an entry is key and value; without, it is one text `name=value`.
    """

    count: int
    key: Text
    value: Text | None = None


Type: TypeAlias = Constant | Integer | Text | Octets | Uuid | Enumeration | Listing | Dictionary


# ---------------------------------------------------------------- layout of messages


@dataclass(frozen=True, slots=True)
class Field:
    """A named value inside a frame. A field of type Constant is not part of the API."""

    name: str
    type: Type
    origin: Origin


@dataclass(frozen=True, slots=True)
class Frame:
    """Exactly one frame: its fields fill it, end to end. An optional frame may be missing, with
    all that follow it; its one field is then None."""

    fields: tuple[Field, ...]
    origin: Origin
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """An address envelope: zero or more frames that are not empty, then one empty frame.

    Not `required`: the whole stack with its empty frame may be absent (the value is None),
    which is so when the message has no empty frame at all.
    """

    name: str
    required: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class Frames:
    """All further frames, opaque, at least `minimum` of them. Always last."""

    name: str
    minimum: int
    origin: Origin


Slot: TypeAlias = Frame | Stack | Frames


@dataclass(frozen=True, slots=True)
class Message:
    """A command: who may send it (role names) and its layout.

    `name` is as the specification writes it (`PING-OK`). `received_only`: understood when it
    comes, never sent by us (MDPX's DISCONNECT under the old header).
    """

    name: str
    senders: tuple[str, ...]
    slots: tuple[Slot, ...]
    origin: Origin
    received_only: bool = False


# ---------------------------------------------------------------- dialogs


@dataclass(frozen=True, slots=True)
class Say:
    """A role says a message."""

    role: str
    message: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Sequence:
    """Steps one after the other."""

    items: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several steps."""

    items: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A step again and again: at least `minimum`, at most `maximum` times (None: no bound)."""

    item: Step
    minimum: int
    maximum: int | None


Step: TypeAlias = Say | Sequence | Choice | Repeat


@dataclass(frozen=True, slots=True)
class Dialog:
    """One dialog. `key` names the fields that tell its instances apart (empty: one instance).

    `opens`: it must be complete before any other dialog. A dialog with `loops` may begin again
    when it is complete.
    """

    name: str
    body: Step
    origin: Origin
    key: tuple[str, ...] = ()
    opens: bool = False
    loops: bool = True


@dataclass(frozen=True, slots=True)
class Conversation:
    """The dialogs of a part: an opening, then dialogs interleaved, then a closing that ends all.

    `closes` are the messages, said by anyone at any time (also before the opening), that end it.
    """

    dialogs: tuple[Dialog, ...]
    closes: tuple[str, ...] = ()


# ---------------------------------------------------------------- protocols


@dataclass(frozen=True, slots=True)
class Role:
    """One side of a conversation; `letter` is its short name in dialogs, `socket` its kind."""

    name: str
    letter: str
    socket: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class NamedConstant:
    """A constant of the protocol: a number, a text, or octets."""

    name: str
    value: int | str | bytes
    origin: Origin


@dataclass(frozen=True, slots=True)
class Part:
    """One name space of a protocol. `datagram`: its messages are single UDP datagrams."""

    name: str
    roles: tuple[Role, ...]
    messages: tuple[Message, ...]
    conversation: Conversation
    constants: tuple[NamedConstant, ...]
    origin: Origin
    datagram: bool = False


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol: `name` is the package's name (`zre36`), `title` what people call it."""

    name: str
    title: str
    version: str
    summary: str
    parts: tuple[Part, ...]
    constants: tuple[NamedConstant, ...]
    origin: Origin
