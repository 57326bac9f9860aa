"""Merge and resolve: one definition for every name, and every name defined."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.tree import Choice, Element, Grammar, Name, Rule
from zwire_codegen.passes.names import did_you_mean, key
from zwire_codegen.passes.walk import alike, leaves, names_in
from zwire_codegen.problems import Problem

# The rules that RFC 5234 builds in, and FRAME: one frame of a ZeroMQ message.
CORE = (
    *("ALPHA", "BIT", "CHAR", "CR", "CRLF", "CTL", "DIGIT", "DQUOTE", "HEXDIG", "HTAB", "LF"),
    *("LWSP", "OCTET", "SP", "VCHAR", "WSP", "FRAME"),
)
_MOST_CIRCLES = 20  # told in full; a grammar with more of them is no grammar
CORE_KEYS = frozenset(key(name) for name in CORE)


def merge(grammars: Iterable[Grammar], file: str) -> tuple[dict[str, Rule], list[Problem]]:
    """The rules of all blocks by key. A second definition that says the same is merged."""
    rules: dict[str, Rule] = {}
    additions: dict[str, list[Rule]] = {}
    problems: list[Problem] = []
    for rule in (rule for grammar in grammars for rule in grammar.rules):
        name, place = rule.name.text, rule.name.place
        first = rules.get(key(name))
        if first is None:
            rules[key(name)] = rule
            if rule.incremental:
                text = f'"{name}" has no definition to add to'
                hint = "write = instead of =/"
                problems.append(problem(file, place, "ZW405", text, hint))
            if key(name) in CORE_KEYS:
                text = f'"{name}" is built in'
                problems.append(problem(file, place, "ZW416", text, "leave the definition out"))
        elif rule.incremental:
            additions.setdefault(key(name), []).append(rule)
        elif alike(first.body, rule.body):
            text = f'"{name}" is defined again, in the same way as in line {first.place.line}'
            problems.append(problem(file, place, "ZW403", text, "leave one of them out"))
        else:
            text = f'"{name}" is defined again, not as in line {first.place.line}'
            hint = "rename one of them, or add alternatives with =/"
            problems.append(problem(file, place, "ZW404", text, hint))
    for name, added in additions.items():
        rules[name] = _with_alternatives(rules[name], added)
    return rules, problems


def _with_alternatives(rule: Rule, added: list[Rule]) -> Rule:
    items: list[Element] = []
    for body in (rule.body, *(one.body for one in added)):
        items.extend(body.items if isinstance(body, Choice) else (body,))
    beside = (*rule.beside, *(text for one in added for text in one.beside))
    return replace(rule, body=Choice(tuple(items), rule.body.place), beside=beside)


def resolve(
    mentions: Iterable[Name], rules: Mapping[str, Rule], file: str
) -> tuple[bool, list[Problem]]:
    """Whether all names without a role are defined, and a problem for each that is not."""
    problems: list[Problem] = []
    known: list[str] | None = None
    complete = True
    for name in mentions:
        rule = rules.get(key(name.text))
        if rule is None and key(name.text) not in CORE_KEYS:
            complete = False
            if known is None:
                known = [*(one.name.text for one in rules.values()), *CORE]
            # A likely name is looked for in a bounded number of cases.
            hint = did_you_mean(name.text, known) if len(problems) < 20 else ""
            text = f'unknown rule "{name.text}"'
            problems.append(problem(file, name.place, "ZW401", text, hint))
            continue
        written = rule.name.text if rule else name.text.upper()
        if name.text.replace("_", "-") != written.replace("_", "-"):
            text = f'"{name.text}" is written "{written}" where it is defined'
            hint = f'write "{written}"'
            problems.append(problem(file, name.place, "ZW420", text, hint))
    return complete, problems


def order(rules: Mapping[str, Rule], file: str) -> tuple[list[str], set[str], list[Problem]]:
    """The keys of all rules, what a rule mentions before the rule itself; then the keys of rules
    that lead back to themselves, with a problem for each way back."""
    done: dict[str, bool] = {}  # False while the rule is being walked through
    ordered: list[str] = []
    circular: set[str] = set()
    problems: list[Problem] = []
    for root in rules:
        if root in done:
            continue
        path: list[str] = [root]
        done[root] = False
        pending = [iter(names_in(rules[root].body))]
        while path:
            name = next(pending[-1], None)
            if name is None:
                pending.pop()
                finished = path.pop()
                done[finished] = True
                ordered.append(finished)
                continue
            target = key(name.text)
            if target not in rules or name.role:
                continue
            if target not in done:
                done[target] = False
                path.append(target)
                pending.append(iter(names_in(rules[target].body)))
            elif not done[target]:
                circular.update((target, path[-1]))
                if len(problems) < _MOST_CIRCLES:
                    cycle = path[path.index(target) :]
                    circular.update(cycle)
                    problems.append(_circle(cycle, name, rules, file))
    return ordered, circular, problems


def _circle(cycle: list[str], name: Name, rules: Mapping[str, Rule], file: str) -> Problem:
    following = [*cycle[1:], cycle[0]]
    left = all(
        _first_name(rules[one].body) == other for one, other in zip(cycle, following, strict=True)
    )
    how = "begins with itself" if left else "contains itself"
    by = [rules[one].name.text for one in cycle[1:4]]
    way = f", by way of {', '.join(by)}{', …' if len(cycle) > 4 else ''}" if by else ""
    hint = "write a repeat: *item" if left else "messages are finite: write out what it holds"
    return problem(file, name.place, "ZW406", f'"{name.text}" {how}{way}', hint)


def _first_name(body: Element) -> str:
    leaf = next(leaves(body))
    return key(leaf.text) if isinstance(leaf, Name) else ""


def unused(
    rules: Mapping[str, Rule], roots: Collection[str], file: str
) -> tuple[set[str], list[Problem]]:
    """The keys that the roots lead to, and a problem for each rule that they do not."""
    reached = {root for root in roots if root in rules}
    waiting = list(reached)
    while waiting:
        for name in names_in(rules[waiting.pop()].body):
            target = key(name.text)
            if target in rules and target not in reached:
                reached.add(target)
                waiting.append(target)
    problems = [
        problem(file, rule.name.place, "ZW402", f'nothing uses "{rule.name.text}"', "leave it out")
        for name, rule in rules.items()
        if name not in reached
    ]
    return reached, problems
