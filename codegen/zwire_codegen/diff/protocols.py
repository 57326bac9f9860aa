"""Compare protocols: their parts, roles, constants and messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zwire_codegen.diff.changes import Change, Impact, Pairing, listed, pair
from zwire_codegen.diff.dialogs import compare_conversations
from zwire_codegen.diff.layouts import compare_slots, renamed_fields, shape
from zwire_codegen.diff.renaming import renamed
from zwire_codegen.diff.wording import compare_wording
from zwire_codegen.model.types import Message, NamedConstant, Part, Protocol, Role
from zwire_codegen.model.words import value_in_words


def compare(old: Protocol, new: Protocol) -> list[Change]:
    """Every change from the old protocol to the new one, the worst first."""
    changes = list(dict.fromkeys(_protocols(old, new)))
    order = list(Impact)
    return sorted(changes, key=lambda change: order.index(change.impact))


def _protocols(old: Protocol, new: Protocol) -> Iterator[Change]:
    if old.name != new.name:
        yield Change(
            Impact.SOURCE,
            "protocol-renamed",
            old.name,
            f"the protocol {old.name} is now {new.name}",
            "the generated package has another name",
        )
    for word, was, now in (
        ("title", old.title, new.title),
        ("version", old.version, new.version),
        ("summary", old.summary, new.summary),
    ):
        if was != now:
            what = f'the {word} was "{was}" and is "{now}"'
            why = "only people read it"
            yield Change(Impact.COMPATIBLE, "description", old.name, what, why)
    yield from _constants(old.name, old.constants, new.constants)
    parts = pair(old.parts, new.parts, lambda part: part.name, _part_likeness)
    for part in parts.gone:
        yield Change(
            Impact.WIRE,
            "part-gone",
            part.name,
            f"the part {part.name} with {len(part.messages)} messages is gone",
            "peers that speak it are understood no more",
        )
    for part in parts.new:
        yield Change(
            Impact.COMPATIBLE,
            "part-new",
            part.name,
            f"the part {part.name} is new",
            "nobody speaks it yet",
        )
    for before, after in parts.renamed:
        yield Change(
            Impact.SOURCE,
            "part-renamed",
            before.name,
            f"the part {before.name} is now {after.name}",
            "the generated module has another name",
        )
    for before, after in parts.same + parts.renamed:
        yield from _parts(before, after)


def _part_likeness(part: Part) -> object:
    return frozenset((message.name, shape(message.slots)) for message in part.messages)


def _parts(old: Part, new: Part) -> Iterator[Change]:
    if old.datagram != new.datagram:
        kinds = {True: "datagrams", False: "ZeroMQ messages"}
        yield Change(
            Impact.WIRE,
            "carrier",
            old.name,
            f"what were {kinds[old.datagram]} are now {kinds[new.datagram]}",
            "peers listen in another place",
        )
    yield from _constants(old.name, old.constants, new.constants)
    roles = pair(old.roles, new.roles, lambda role: role.name, _role_likeness)
    yield from _roles(old.name, roles)
    old = renamed(old, roles=_names(roles))
    messages = pair(
        old.messages,
        new.messages,
        lambda message: message.name,
        lambda message: (shape(message.slots), message.senders),
    )
    for message in messages.gone:
        yield Change(
            Impact.WIRE,
            "message-gone",
            f"{old.name}.{message.name}",
            f"the message {message.name} is gone",
            "peers that send it are refused",
        )
    for message in messages.new:
        yield Change(
            Impact.COMPATIBLE,
            "message-new",
            f"{old.name}.{message.name}",
            f"the message {message.name} is new",
            "all that was said before is said as before; old peers refuse the new message",
        )
    for before, after in messages.renamed:
        yield Change(
            Impact.SOURCE,
            "message-renamed",
            f"{old.name}.{before.name}",
            f"the message {before.name} is now {after.name}",
            "its octets are the same, the generated class has another name",
        )
    for before, after in messages.same + messages.renamed:
        yield from _messages(f"{old.name}.{before.name}", before, after)
    fields: dict[str, str] = {}
    for before, after in messages.same + messages.renamed:
        fields |= renamed_fields(before.slots, after.slots)
    old = renamed(old, messages=_names(messages), fields=fields)
    yield from compare_conversations(old, new)
    yield from compare_wording(old, new)


def _names(pairing: Pairing[Role] | Pairing[Message]) -> dict[str, str]:
    """The old names of what was renamed, with the new ones."""
    return {before.name: after.name for before, after in pairing.renamed}


def _role_likeness(role: Role) -> object:
    return (role.letter, role.socket)


def _messages(where: str, old: Message, new: Message) -> Iterator[Change]:
    lost = [role for role in old.senders if role not in new.senders]
    gained = [role for role in new.senders if role not in old.senders]
    if lost:
        yield Change(
            Impact.WIRE,
            "sender-gone",
            where,
            f"{listed(lost)} may send it no more",
            "a peer of that role that sends it is refused",
        )
    if gained:
        yield Change(
            Impact.COMPATIBLE,
            "sender-new",
            where,
            f"{listed(gained)} may send it too",
            "those who sent it go on as before",
        )
    if old.received_only != new.received_only:
        yield Change(
            Impact.SOURCE if new.received_only else Impact.COMPATIBLE,
            "received-only",
            where,
            "it is now only understood, not sent" if new.received_only else "it may now be sent",
            (
                "programs that send it find no way to do so"
                if new.received_only
                else "it was understood before"
            ),
        )
    yield from compare_slots(where, old.slots, new.slots)


def _constants(
    where: str, old: Iterable[NamedConstant], new: Iterable[NamedConstant]
) -> Iterator[Change]:
    constants = pair(old, new, lambda one: one.name, lambda one: one.value)
    for one in constants.gone:
        yield Change(
            Impact.SOURCE,
            "constant-gone",
            f"{where}.{one.name}",
            f"the constant {one.name} is gone",
            "programs that name it find it no more",
        )
    for one in constants.new:
        yield Change(
            Impact.COMPATIBLE,
            "constant-new",
            f"{where}.{one.name}",
            f"the constant {one.name} is new",
            "nobody uses it yet",
        )
    for before, after in constants.renamed:
        yield Change(
            Impact.SOURCE,
            "constant-renamed",
            f"{where}.{before.name}",
            f"the constant {before.name} is now {after.name}",
            "programs that name it find it no more",
        )
    for before, after in constants.same:
        if before.value != after.value:
            yield Change(
                Impact.WIRE,
                "constant-changed",
                f"{where}.{before.name}",
                f"the constant {before.name} was {value_in_words(before.value)} and is {value_in_words(after.value)}",
                "two peers that must agree on it no longer do",
            )


def _roles(where: str, roles: Pairing[Role]) -> Iterator[Change]:
    for role in roles.gone:
        yield Change(
            Impact.WIRE,
            "role-gone",
            f"{where}.{role.name}",
            f"the role {role.name} is gone",
            "peers of that role have nobody to talk to",
        )
    for role in roles.new:
        yield Change(
            Impact.COMPATIBLE,
            "role-new",
            f"{where}.{role.name}",
            f"the role {role.name} is new",
            "the others go on as before",
        )
    for before, after in roles.renamed:
        yield Change(
            Impact.SOURCE,
            "role-renamed",
            f"{where}.{before.name}",
            f"the role {before.name} is now {after.name}",
            "decoders and dialogs name it",
        )
    for before, after in roles.same:
        if before.socket != after.socket:
            yield Change(
                Impact.WIRE,
                "socket",
                f"{where}.{before.name}",
                f"its socket was {before.socket or 'open'} and is {after.socket or 'open'}",
                "another kind of socket frames and routes differently",
            )
