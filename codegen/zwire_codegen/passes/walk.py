"""Walks over ABNF trees without recursion, so that no depth of nesting can exhaust the stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from zwire_codegen.notation.tree import (
    Choice,
    Element,
    Name,
    Prose,
    Range,
    Repeat,
    Sequence,
    Terminal,
)
from zwire_codegen.passes.names import key

T = TypeVar("T")


def children(element: Element) -> tuple[Element, ...]:
    """The elements directly inside this one."""
    match element:
        case Sequence() | Choice():
            return element.items
        case Repeat():
            return (element.item,)
        case _:
            return ()


def fold(element: Element, combine: Callable[[Element, list[T]], T]) -> T:
    """The value of an element, made from those of its children, leaves first."""
    results: list[T] = []
    waiting: list[tuple[Element, bool]] = [(element, False)]
    while waiting:
        current, ready = waiting.pop()
        inner = children(current)
        if inner and not ready:
            waiting.append((current, True))
            waiting.extend((child, False) for child in reversed(inner))
            continue
        split = len(results) - len(inner)
        found = results[split:]
        del results[split:]
        results.append(combine(current, found))
    return results[0]


def leaves(element: Element) -> Iterator[Element]:
    """The elements that hold no others, from left to right."""
    waiting = [element]
    while waiting:
        current = waiting.pop()
        inner = children(current)
        if inner:
            waiting.extend(reversed(inner))
        else:
            yield current


def names_in(element: Element) -> list[Name]:
    """The names mentioned in an element, from left to right."""
    return [leaf for leaf in leaves(element) if isinstance(leaf, Name)]


def alike(one: Element, other: Element) -> bool:
    """Whether two elements say the same, wherever they stand."""
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if not _alike_outside(a, b):
            return False
        waiting.extend(zip(children(a), children(b), strict=True))
    return True


def _alike_outside(one: Element, other: Element) -> bool:
    match one, other:
        case Name(), Name():
            return (key(one.text), one.role) == (key(other.text), other.role)
        case Terminal(), Terminal():
            return (one.octets, one.caseless) == (other.octets, other.caseless)
        case Range(), Range():
            return (one.low, one.high) == (other.low, other.high)
        case Prose(), Prose():
            return one.text == other.text
        case Repeat(), Repeat():
            return (one.minimum, one.maximum) == (other.minimum, other.maximum)
        case (Sequence(), Sequence()) | (Choice(), Choice()):
            return len(children(one)) == len(children(other))
        case _:
            return False
