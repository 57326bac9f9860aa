"""Dialogs: rules whose names are said by roles become steps, and steps a conversation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import Choice, Dialog, Origin, Repeat, Say, Sequence, Step
from zwire_codegen.notation import tree
from zwire_codegen.notation.tree import Element, Name, Rule
from zwire_codegen.passes.names import did_you_mean, key
from zwire_codegen.passes.settings import PartSettings
from zwire_codegen.passes.walk import fold, leaves, names_in
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place

_MOST_STEPS = 500
_DEEPEST = 40


def spoken(rules: Mapping[str, Rule], known: Collection[str]) -> set[str]:
    """Of the rules of a wire grammar, the keys of those that are dialogs: they mention a role, or
    mention nothing but messages (`known`, or said with a role) and other dialogs."""
    messages = set(known)
    for rule in rules.values():
        if rule.name.role:
            messages.add(key(rule.name.text))
        messages.update(key(name.text) for name in names_in(rule.body) if name.role)
    dialogs: set[str] = set()
    open_names: dict[str, int] = {}  # names of a rule that are not yet known to be spoken
    mentioned_by: dict[str, list[str]] = {}
    waiting: list[str] = []
    for one, rule in rules.items():
        found = list(leaves(rule.body))
        names = [leaf for leaf in found if isinstance(leaf, Name)]
        if any(name.role for name in names):
            waiting.append(one)
        elif one not in messages and len(names) == len(found):
            rest = [key(name.text) for name in names if key(name.text) not in messages]
            open_names[one] = len(rest)
            for name in rest:
                mentioned_by.setdefault(name, []).append(one)
            if not rest:
                waiting.append(one)
    while waiting:
        one = waiting.pop()
        if one in dialogs:
            continue
        dialogs.add(one)
        for other in mentioned_by.get(one, ()):
            open_names[other] -= 1
            if open_names[other] == 0:
                waiting.append(other)
    return dialogs


@dataclass(frozen=True, slots=True)
class _Made:
    """A step with its size; None: nothing is said, or a problem was told."""

    step: Step | None
    steps: int = 0
    depth: int = 0
    broken: bool = False


@dataclass(slots=True)
class Speaking:
    """Makes steps from the rules of dialogs; collects problems and first mentions."""

    file: str
    document: str
    rules: Mapping[str, Rule]
    messages: Mapping[str, str]  # key -> name as the model has it
    settings: PartSettings
    made: dict[str, _Made] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)

    def rule(self, name: str) -> None:
        """Make a rule's step; what it mentions has been made before."""
        made = fold(self.rules[name].body, self._combine)
        if not made.broken and (made.steps > _MOST_STEPS or made.depth > _DEEPEST):
            text = f'"{self.rules[name].name.text}" has too many steps, or is nested too deep'
            self._tell(self.rules[name].name.place, "ZW511", text)
            made = _Made(None, broken=True)
        self.made[name] = made

    def dialogs(self) -> list[Dialog]:
        """The dialogs that no other dialog mentions, in their order. A rule that is nothing but
        `greeting *traffic` tells how they follow each other: `greeting` opens, `traffic` is a
        dialog of its own."""
        whole = [self._whole(rule) for rule in self.rules.values()]
        opening = {name for names in whole if names for name in names[0]}
        apart = opening | {name for names in whole if names for name in names[1]}
        inner = {
            key(name.text)
            for rule, names in zip(self.rules.values(), whole, strict=True)
            if names is None
            for name in names_in(rule.body)
            if not name.role
        }
        found = []
        for (name, rule), names in zip(self.rules.items(), whole, strict=True):
            if names is not None or (name in inner and name not in apart):
                continue
            made = self.made.get(name, _Made(None, broken=True))
            if made.step is not None:
                origin = Origin(self.document, rule.place.line, rule.comment)
                found.append(Dialog(rule.name.text, made.step, origin, opens=name in opening))
            elif not made.broken:
                text = f'nothing is said in "{rule.name.text}"'
                self._tell(rule.name.place, "ZW506", text, "leave it out")
        return found

    def _whole(self, rule: Rule) -> tuple[list[str], list[str]] | None:
        """The dialogs that open and those that follow, where the rule says just that."""
        items = rule.body.items if isinstance(rule.body, tree.Sequence) else (rule.body,)
        opening: list[str] = []
        following: list[str] = []
        for item in items:
            match item:
                case Name(role="") if not following:
                    opening.append(key(item.text))
                case tree.Repeat(item=Name(role="") as name, minimum=0, maximum=None):
                    following.append(key(name.text))
                case _:
                    return None
        known = all(name in self.rules for name in (*opening, *following))
        return (opening, following) if known and following else None

    def _combine(self, element: Element, inner: list[_Made]) -> _Made:
        broken = any(made.broken for made in inner)
        steps = sum(made.steps for made in inner)
        depth = max((made.depth for made in inner), default=0)
        if steps > _MOST_STEPS or depth > _DEEPEST:
            # Kept small here, told once at the rule.
            return _Made(None, _MOST_STEPS + 1, 0, broken)
        parts = [made.step for made in inner if made.step is not None]
        match element:
            case Name():
                return self._name(element)
            case tree.Sequence():
                items = _flat(parts, Sequence)
                if len(items) < 2:
                    return _Made(items[0] if items else None, steps, depth, broken)
                return _Made(Sequence(items), steps, depth + 1, broken)
            case tree.Choice():
                return self._choice(inner, parts, steps, depth + 1, broken)
            case tree.Repeat():
                return self._repeat(element, inner[0], broken)
            case _:
                text = "octets in a dialog"
                hint = "a dialog has messages only: give these octets a rule in capitals"
                self._tell(element.place, "ZW510", text, hint)
                return _Made(None, broken=True)

    def _choice(
        self, inner: list[_Made], parts: list[Step], steps: int, depth: int, broken: bool
    ) -> _Made:
        items = tuple(dict.fromkeys(_flat(parts, Choice)))
        if not items:
            return _Made(None, steps, depth, broken)
        step: Step = items[0] if len(items) == 1 else Choice(items)
        if len(parts) < len(inner):  # one alternative says nothing
            step = Repeat(step, 0, 1)
        return _Made(step, steps, depth, broken)

    def _repeat(self, element: tree.Repeat, made: _Made, broken: bool) -> _Made:
        low, high = element.minimum, element.maximum
        if high == 0:
            self._tell(element.place, "ZW504", "repeated zero times", "leave it out")
            return _Made(None, broken=broken)
        if made.step is None or (low, high) == (1, 1):
            return made
        size = made.steps * max(1, low, high or 0)
        return _Made(Repeat(made.step, low, high), size, made.depth + 1, broken)

    def _name(self, name: Name) -> _Made:
        if not name.role and key(name.text) in self.rules:
            return self.made.get(key(name.text), _Made(None, broken=True))
        message = self.messages.get(key(name.text))
        if message is None:
            known = list(self.messages.values())
            if not name.role:
                known += [rule.name.text for rule in self.rules.values()]
            # A likely name is looked for in a bounded number of cases.
            hint = did_you_mean(name.text, known) if len(self.problems) < 20 else ""
            self._tell(name.place, "ZW502", f'unknown message "{name.text}"', hint)
            return _Made(None, broken=True)
        role = self._role(name)
        if role is None:
            return _Made(None, broken=True)
        self.places.setdefault((role, message), name.place)
        origin = Origin(self.document, name.place.line)
        return _Made(Say(role, message, origin), 1, 1)

    def _role(self, name: Name) -> str | None:
        if name.role:
            role = self.settings.role(name.role)
            if role is None:
                known = [f"{one.letter} ({one.name})" for one in self.settings.roles]
                hint = f"known are {', '.join(known)}" if known else "name the roles in [roles]"
                self._tell(name.place, "ZW501", f'unknown role "{name.role}"', hint)
            return role.name if role else None
        senders = [one.text for one in self.settings.senders.get(key(name.text), ())]
        if not senders:
            senders = [role.name for role in self.settings.roles]
        if len(senders) != 1:
            text = f'nothing tells who says "{name.text}"'
            self._tell(name.place, "ZW510", text, f"write the role in front: C:{name.text}")
            return None
        role = self.settings.role(senders[0])
        return role.name if role else None

    def _tell(self, place: Place, code: str, text: str, hint: str = "") -> None:
        self.problems.append(problem(self.file, place, code, text, hint))


def _flat(parts: list[Step], kind: type[Sequence] | type[Choice]) -> tuple[Step, ...]:
    """The parts, with those of the same kind taken apart."""
    items: list[Step] = []
    for part in parts:
        items.extend(part.items if isinstance(part, kind) else (part,))
    return tuple(items)


def said_in(step: Step) -> list[Say]:
    """Everything said in a step, in the order of the text."""
    found: list[Say] = []
    waiting: list[Step] = [step]
    while waiting:
        current = waiting.pop()
        match current:
            case Say():
                found.append(current)
            case Sequence() | Choice():
                waiting.extend(reversed(current.items))
            case Repeat():
                waiting.append(current.item)
    return found
