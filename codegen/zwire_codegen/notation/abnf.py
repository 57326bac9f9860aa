"""ABNF in and out: blocks of text become grammars with places, and grammars become text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.abnf_chunks import Chunk, cut
from zwire_codegen.notation.abnf_comments import beside, line_of, paragraphs
from zwire_codegen.notation.abnf_findings import MOST_ERRORS, Findings
from zwire_codegen.notation.abnf_layout import check_lines, check_spacing
from zwire_codegen.notation.abnf_limits import DEEPEST, refuse, too_deep
from zwire_codegen.notation.abnf_mistakes import tell_mistake, tell_text_before
from zwire_codegen.notation.abnf_names import folded, same_name
from zwire_codegen.notation.abnf_parser import Unexpected, assemble, tokens_of
from zwire_codegen.notation.abnf_tokens import check_comment, give_value, head
from zwire_codegen.notation.abnf_writer import bare, without_places, write, write_element
from zwire_codegen.notation.tree import Element, Grammar, Rule
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place

__all__ = [
    "bare",
    "folded",
    "parse",
    "parse_element",
    "refuse",
    "same_name",
    "without_places",
    "write",
    "write_element",
]


def parse(
    lines: Sequence[Line], file: str, *, strict: bool, roles: bool = False
) -> tuple[Grammar, list[Problem]]:
    """The rules of a block, and every problem with it in the order of the text.

    Strict is RFC 5234 with RFC 7405 and nothing else, except for what `roles` allows: names with
    the role that says them. Otherwise newlines mean nothing, and each form that is no ABNF but
    is understood is a warning. A rule with a syntax error is left out; the next one is read.
    """
    text = "\n".join(line.text.replace("\n", " ") for line in lines)
    refused = refuse(text, file)
    if refused is not None:
        line = lines[refused.place.line - 1]
        place = Place(line.line, line.column + refused.place.column - 1)
        return Grammar(()), [replace(refused, place=place)]
    findings = Findings(lines, file, strict=strict, roles=roles)
    chunks = cut(tokens_of(text))
    check_lines(chunks, findings)
    rules: list[Rule] = []
    trailing: tuple[str, ...] = ()
    end = 0
    for chunk in chunks:
        if findings.enough:
            _tell_enough(chunk, findings)
            break
        for comment in (*chunk.above, *chunk.beside):
            check_comment(comment, findings)
        if not chunk.tokens:
            trailing = tuple(line_of(comment) for comment in chunk.above)
        elif chunk.tokens[0].type != "HEAD":
            tell_text_before(chunk.tokens[0], findings)
        else:
            rule = _rule(chunk, end, findings)
            if rule is not None:
                rules.append(replace(rule, spaced=False) if rule.spaced and not rules else rule)
        end = chunk.end
    findings.problems.sort(key=lambda each: each.order)
    return Grammar(tuple(rules), trailing), findings.problems


def parse_element(
    text: str, place: Place, file: str, *, strict: bool, roles: bool = False
) -> tuple[Element | None, list[Problem]]:
    """What one line of elements means, as in a table's cell at this place; None if it has errors."""
    before = "element = "
    line = Line(before + text, place.line, place.column - len(before))
    grammar, found = parse([line], file, strict=strict, roles=roles)
    # What is told at the name of the rule around the elements means that there are none.
    missing = problem(file, place, "ZW101", "expected an element", 'an empty one is written ""')
    problems = [each if each.place.column >= place.column else missing for each in found]
    if len(grammar.rules) != 1 or grammar.rules[0].place.column >= place.column:
        return None, problems
    return grammar.rules[0].body, problems


def _tell_enough(chunk: Chunk, findings: Findings) -> None:
    """Reading ends here: there are too many errors."""
    place = findings.place((chunk.tokens or chunk.above)[0])
    text = f"more than {MOST_ERRORS:,} errors: from here on the block is not read"
    findings.error(place, "ZW107", text, "mend some of them and look again")


def _rule(chunk: Chunk, end: int, findings: Findings) -> Rule | None:
    """The rule of a chunk; `end` is the last line of the chunk before."""
    tokens = chunk.tokens
    name = head(tokens[0], findings)
    depth = 0
    for token in tokens:
        give_value(token, findings)
        if token.type in ("_OPEN", "OPEN_OPTION"):
            depth += 1
            if depth > DEEPEST:
                findings.problems.append(too_deep(findings.place(token), findings.file))
                return None
        elif token.type in ("_CLOSE", "CLOSE_OPTION"):
            depth -= 1
    try:
        body = assemble(tokens)
    except Unexpected as error:
        tell_mistake(tokens, error.token, findings)
        return None
    check_spacing(tokens, findings)
    first = tokens[0].line
    apart, above = paragraphs(chunk.above, first) if chunk.above else ([], ())
    begins = chunk.above[0].line if chunk.above else first
    return Rule(
        name,
        body,
        name.place,
        above,
        beside(chunk, body),
        tokens[1].text == "=/",
        tuple(apart),
        begins > end + 1,
    )
