"""Overrides: what `[types]` says an element is, where its form leaves that open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zwire_codegen.model.types import (
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Octets,
    Text,
    Type,
    Uuid,
)
from zwire_codegen.passes.idioms import NoIdiom
from zwire_codegen.passes.shapes import (
    INTEGER_WIDTHS,
    Envelope,
    ManyFrames,
    OneFrame,
    Perhaps,
    Shape,
    Value,
    type_of,
)
from zwire_codegen.source import Place

KINDS = (
    *("text", "octets", "uuid", "integer", "enumeration", "list", "dictionary"),
    *("frames", "stack", "frame"),
)


@dataclass(frozen=True, slots=True)
class Override:
    """A type by name, with the least and greatest value or length where they are given."""

    kind: str
    place: Place
    minimum: int | None = None
    maximum: int | None = None


def override(shape: Shape, wanted: Override) -> Shape:
    """The shape as the override wants it; raises NoIdiom where it cannot be that."""
    if isinstance(shape, Perhaps):
        return Perhaps(override(shape.shape, wanted))
    match shape, wanted.kind:
        case (OneFrame() | ManyFrames(), "frames"):
            least = shape.minimum if isinstance(shape, ManyFrames) else int(not shape.optional)
            return ManyFrames(wanted.minimum if wanted.minimum is not None else least)
        case (OneFrame(), "frame") | (Envelope(), "stack"):
            return shape
        case (OneFrame(), "text"):
            return Value(override_type(Text(0), wanted))
        case (OneFrame(), "octets"):
            return Value(override_type(Octets(), wanted))
        case _:
            found = type_of(shape)
            if found is None:
                raise _misfit(wanted)
            return Value(override_type(found, wanted))


def override_type(found: Type, wanted: Override) -> Type:
    """The type as the override wants it; raises NoIdiom where it cannot be that."""
    return _bounded(_converted(found, wanted), wanted)


def _converted(found: Type, wanted: Override) -> Type:
    match found, wanted.kind:
        case (
            (Text(), "text")
            | (Octets(), "octets")
            | (Uuid(), "uuid")
            | (Integer(), "integer")
            | (Enumeration(), "enumeration")
            | (Listing(), "list")
            | (Dictionary(), "dictionary")
        ):
            return found
        case (Octets(length=16) | Text(0, 16, 16), "uuid"):
            return Uuid()
        case (Octets(length=0), "text"):
            return Text(found.count, found.minimum, found.maximum)
        case (Octets(), "text"):
            return Text(0, found.length, found.length)
        case (Text(), "octets"):
            return Octets(0, found.count, found.minimum, found.maximum)
        case (Integer(), "octets"):
            return Octets(length=found.width)
        case (Uuid(), "octets"):
            return Octets(length=16)
        case (Octets(length=size), "integer") if size in INTEGER_WIDTHS:
            return Integer(size)
        case (Listing(item=Text() as item), "dictionary"):
            return Dictionary(found.count, item)
        case (Dictionary(value=None), "list"):
            return Listing(found.count, found.key)
        case _:
            raise _misfit(wanted)


def _bounded(found: Type, wanted: Override) -> Type:
    if wanted.minimum is None and wanted.maximum is None:
        return found
    match found:
        case Integer() if wanted.maximum is None and wanted.minimum is not None:
            if 0 <= wanted.minimum < 256**found.width:
                return replace(found, minimum=wanted.minimum)
        case Text() | Octets(length=0):
            low = found.minimum if wanted.minimum is None else wanted.minimum
            high = found.maximum if wanted.maximum is None else wanted.maximum
            most = int(256**found.count) - 1 if found.count else None
            if 0 <= low <= (low if high is None else high) and (
                most is None or (high or low) <= most
            ):
                return replace(found, minimum=low, maximum=high)
        case _:
            pass
    text = f'these bounds do not fit the type "{wanted.kind}" of this element'
    raise NoIdiom("ZW414", text, "an integer has a minimum, text and octets also a maximum")


def _misfit(wanted: Override) -> NoIdiom:
    text = f'this element cannot be read as "{wanted.kind}"'
    return NoIdiom("ZW414", text, "leave the override out, or change the element")
