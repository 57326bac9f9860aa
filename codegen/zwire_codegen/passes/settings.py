"""Settings: what a part's `zwire` blocks say, checked and typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import NamedConstant, Origin, Role
from zwire_codegen.notation.document import Settings
from zwire_codegen.passes.names import did_you_mean, in_code, key, serves_as_module
from zwire_codegen.passes.overrides import KINDS, Override
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place

_OCTETS = re.compile(r"%x[0-9A-Fa-f]{2}(?:\.?[0-9A-Fa-f]{2})*\Z")
_NAME_HINT = (
    "use small letters, digits and _, beginning with a letter, and no word that languages keep"
)
PROTOCOL_KEYS = ("name", "title", "version", "summary")
_TABLES = (
    *("protocol", "part", "roles", "senders", "messages", "types", "conversation", "constants"),
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the settings, and where it stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class PartSettings:
    """The settings of a part. Keys of mappings are keys of names (see `names.key`)."""

    name: str = "messages"
    datagram: bool = False
    roles: tuple[Role, ...] = ()
    senders: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)
    sender_names: tuple[Mention, ...] = ()
    received_only: tuple[Mention, ...] = ()
    overrides: Mapping[str, Override] = field(default_factory=dict)
    opens: tuple[Mention, ...] = ()
    closes: tuple[Mention, ...] = ()
    once: tuple[Mention, ...] = ()
    keys: tuple[tuple[Mention, tuple[Mention, ...]], ...] = ()
    constants: tuple[NamedConstant, ...] = ()

    def role(self, named: str) -> Role | None:
        """The role of this letter or name."""
        for role in self.roles:
            if named in (role.letter, role.name):
                return role
        return next((role for role in self.roles if key(role.letter) == key(named)), None)


def read_part(settings: Settings, file: str, document: str) -> tuple[PartSettings, list[Problem]]:
    """The settings of one part, and what is wrong with them."""
    reader = _Reader(settings, file, document)
    return reader.part(), reader.problems


def read_protocol(
    settings: Settings, file: str, document: str
) -> tuple[Mapping[str, str], tuple[NamedConstant, ...], list[Problem]]:
    """Name, title, version and summary as far as they are given, and the constants for all."""
    reader = _Reader(settings, file, document)
    table = reader.table("protocol")
    reader.only(table, ("protocol",), PROTOCOL_KEYS)
    texts = {name: reader.text(table, "protocol", name) for name in PROTOCOL_KEYS if name in table}
    name = texts.get("name", "")
    if "name" in texts and not serves_as_module(name):
        text = f'"{name}" cannot name a package'
        reader.tell(("protocol", "name"), "ZW418", text, _NAME_HINT)
    return texts, reader.constants(), reader.problems


@dataclass(slots=True)
class _Reader:
    settings: Settings
    file: str
    document: str
    problems: list[Problem] = field(default_factory=list)

    def tell(self, path: tuple[str, ...], code: str, text: str, hint: str = "") -> None:
        place = self.settings.place_of(*path)
        self.problems.append(problem(self.file, place, code, text, hint))

    def part(self) -> PartSettings:
        for name in self.settings.values:
            if name not in _TABLES:
                self.tell((name,), "ZW302", f'unknown table "{name}"', did_you_mean(name, _TABLES))
        part = self.table("part")
        self.only(part, ("part",), ("name", "datagram"))
        name = self.text(part, "part", "name") if "name" in part else "messages"
        if not serves_as_module(name):
            text = f'"{name}" cannot name a part'
            self.tell(("part", "name"), "ZW418", text, _NAME_HINT)
        conversation = self.table("conversation")
        self.only(conversation, ("conversation",), ("opens", "closes", "once", "keys"))
        return PartSettings(
            name,
            self.flag(part, ("part", "datagram")),
            self.roles(),
            {key(name): self.mentions(("senders", name)) for name in self.table("senders")},
            self.names_of("senders"),
            self.received_only(),
            self.overrides(),
            self.mentions(("conversation", "opens")),
            self.mentions(("conversation", "closes")),
            self.mentions(("conversation", "once")),
            self.keys(),
            self.constants(),
        )

    # -------------------------------------------------------- single values

    def table(self, *path: str) -> Mapping[str, Any]:
        value: Any = self.settings.values
        for name in path:
            value = value.get(name, {})
            if not isinstance(value, Mapping):
                self.tell(path, "ZW303", f'"{".".join(path)}" is a table', f"write [{path[0]}]")
                return {}
        return dict(value)

    def only(self, table: Mapping[str, Any], path: tuple[str, ...], known: tuple[str, ...]) -> None:
        for name in table:
            if name not in known:
                hint = did_you_mean(name, known) or f"known are {', '.join(known)}"
                self.tell((*path, name), "ZW302", f'unknown setting "{name}"', hint)

    def text(self, table: Mapping[str, Any], *path: str) -> str:
        value = table[path[-1]]
        if not isinstance(value, str):
            self.tell(path, "ZW303", f'"{path[-1]}" is a text', f'{path[-1]} = "…"')
            return "" if path[-1] != "name" else "unnamed"
        if not value.isprintable():
            hint = "keep to one line, without control characters"
            self.tell(path, "ZW303", f'"{path[-1]}" is a text of one line', hint)
        return value

    def flag(self, table: Mapping[str, Any], path: tuple[str, ...]) -> bool:
        value = table.get(path[-1], False)
        if not isinstance(value, bool):
            self.tell(path, "ZW303", f'"{path[-1]}" is true or false')
            return False
        return value

    def number(self, table: Mapping[str, Any], path: tuple[str, ...]) -> int | None:
        value = table.get(path[-1])
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            self.tell(path, "ZW303", f'"{path[-1]}" is a whole number')
            return None
        return value

    def mentions(self, path: tuple[str, ...]) -> tuple[Mention, ...]:
        value = self.table(*path[:-1]).get(path[-1], [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.tell(path, "ZW303", f'"{path[-1]}" is a list of names', f'{path[-1]} = ["…"]')
            return ()
        return tuple(Mention(item, self.settings.place_of(*path)) for item in value)

    def names_of(self, *path: str) -> tuple[Mention, ...]:
        return tuple(
            Mention(name, self.settings.place_of(*path, name)) for name in self.table(*path)
        )

    # -------------------------------------------------------- tables

    def roles(self) -> tuple[Role, ...]:
        roles: list[Role] = []
        taken: set[str] = set()
        for name in self.table("roles"):
            table = self.table("roles", name)
            path = ("roles", name)
            self.only(table, path, ("letter", "socket"))
            letter = self.text(table, *path, "letter") if "letter" in table else name[:1].upper()
            socket = self.text(table, *path, "socket") if "socket" in table else ""
            if not in_code(name) or {in_code(name), letter} & taken:
                text = f'the role "{name}" has no name or letter of its own'
                self.tell(path, "ZW418", text, 'name = { letter = "N", socket = "DEALER" }')
                continue
            taken |= {in_code(name), letter}
            roles.append(Role(name, letter, socket, self.origin(path)))
        return tuple(roles)

    def received_only(self) -> tuple[Mention, ...]:
        found = []
        for name in self.table("messages"):
            table = self.table("messages", name)
            self.only(table, ("messages", name), ("received_only",))
            if self.flag(table, ("messages", name, "received_only")):
                found.append(Mention(name, self.settings.place_of("messages", name)))
        return tuple(found)

    def overrides(self) -> dict[str, Override]:
        found: dict[str, Override] = {}
        for path, value in _flat(self.table("types")):
            place = self.settings.place_of("types", *path)
            table = value if isinstance(value, Mapping) else {"type": value}
            self.only(table, ("types", *path), ("type", "minimum", "maximum"))
            kind = table.get("type", "")
            if kind not in KINDS:
                text = f"{kind!r} is no type" if kind else "the type is missing"
                hint = did_you_mean(str(kind), KINDS) or f"known are {', '.join(KINDS)}"
                self.tell(("types", *path), "ZW414", text, hint)
                continue
            low, high = (
                self.number(table, ("types", *path, bound)) for bound in ("minimum", "maximum")
            )
            found[".".join(key(name) for name in path)] = Override(kind, place, low, high)
        return found

    def keys(self) -> tuple[tuple[Mention, tuple[Mention, ...]], ...]:
        found = []
        for name in self.table("conversation", "keys"):
            path = ("conversation", "keys", name)
            found.append((Mention(name, self.settings.place_of(*path)), self.mentions(path)))
        return tuple(found)

    def constants(self) -> tuple[NamedConstant, ...]:
        found: list[NamedConstant] = []
        taken: set[str] = set()
        for name, value in self.table("constants").items():
            path = ("constants", name)
            if in_code(name) in taken or not in_code(name)[:1].isalpha():
                hint = "begin with a letter, and use each name once"
                self.tell(path, "ZW419", f'"{name}" cannot name a constant', hint)
            elif isinstance(value, str) and value.startswith("%x"):
                if _OCTETS.match(value) is None:
                    hint = "two digits for each octet: %xAA.A1"
                    self.tell(path, "ZW419", f'"{value}" is not octets', hint)
                    continue
                octets = bytes.fromhex(value[2:].replace(".", ""))
                found.append(NamedConstant(name, octets, self.origin(path)))
            elif isinstance(value, str | int) and not isinstance(value, bool):
                found.append(NamedConstant(name, value, self.origin(path)))
            else:
                hint = "a constant is a whole number, a text or octets"
                self.tell(path, "ZW419", f'"{name}" is none of these', hint)
            taken.add(in_code(name))
        return tuple(found)

    def origin(self, path: tuple[str, ...]) -> Origin:
        line = self.settings.place_of(*path).line
        return Origin(self.document, line, self.settings.comments.get(path, ""))


def _flat(table: Mapping[str, Any]) -> list[tuple[tuple[str, ...], Any]]:
    """The overrides of a table: by rule, or by message and field (`HELLO.port`)."""
    found: list[tuple[tuple[str, ...], Any]] = []
    for name, value in table.items():
        if isinstance(value, Mapping) and "type" not in value:
            found.extend(((name, inner), kind) for inner, kind in value.items())
        else:
            found.append((tuple(name.split(".", 1)), value))
    return found
