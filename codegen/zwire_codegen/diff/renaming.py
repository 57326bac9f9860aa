"""A part under the names that a newer document gives its roles, messages and fields.

What was only renamed is told once; everything that mentions it is compared under its new name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from zwire_codegen.model.types import Choice, Part, Repeat, Say, Sequence, Step

_NONE: Mapping[str, str] = {}


def renamed(
    part: Part,
    *,
    roles: Mapping[str, str] = _NONE,
    messages: Mapping[str, str] = _NONE,
    fields: Mapping[str, str] = _NONE,
) -> Part:
    """The part with these roles, messages and keys of dialogs under their new names."""
    if not (roles or messages or fields):
        return part
    conversation = part.conversation
    return replace(
        part,
        roles=tuple(replace(one, name=roles.get(one.name, one.name)) for one in part.roles),
        messages=tuple(
            replace(
                one,
                name=messages.get(one.name, one.name),
                senders=tuple(roles.get(role, role) for role in one.senders),
            )
            for one in part.messages
        ),
        conversation=replace(
            conversation,
            dialogs=tuple(
                replace(
                    one,
                    body=_step(one.body, roles, messages),
                    key=tuple(fields.get(name, name) for name in one.key),
                )
                for one in conversation.dialogs
            ),
            closes=tuple(messages.get(name, name) for name in conversation.closes),
        ),
    )


def _step(step: Step, roles: Mapping[str, str], messages: Mapping[str, str]) -> Step:
    match step:
        case Say(role, message):
            return replace(step, role=roles.get(role, role), message=messages.get(message, message))
        case Sequence(items) | Choice(items):
            return replace(step, items=tuple(_step(item, roles, messages) for item in items))
        case Repeat(item):
            return replace(step, item=_step(item, roles, messages))
        case _:
            assert_never(step)
