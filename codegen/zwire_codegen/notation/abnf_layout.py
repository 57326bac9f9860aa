"""What white space means in ABNF: rules begin in one column, other lines are indented, elements
stand apart, and a repeat stands directly before what it repeats."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.notation.abnf_chunks import Chunk
from zwire_codegen.notation.abnf_findings import Findings
from zwire_codegen.notation.abnf_scanner import Token, brief
from zwire_codegen.source import Line

_VALUES = {"NAME", "TEXT", "NUMBER", "PROSE", "QUOTED_NUMBER", "BARE_NUMBER", "QUOTED_RANGE"}
_ENDS = _VALUES | {"_CLOSE", "CLOSE_OPTION"}  # tokens that an element may end with
_STARTS = _VALUES | {"_OPEN", "OPEN_OPTION", "REPEAT", "ROLE", "HEAD"}  # … or begin with


def margin(lines: Sequence[Line]) -> int:
    """How many characters all lines of a block are indented by."""
    indents = [
        line.text[: len(line.text) - len(line.text.lstrip(" \t"))]
        for line in lines
        if line.text and not line.text.isspace()
    ]
    if not indents:
        return 0
    shortest = min(map(len, indents))
    least, most = min(indents), max(indents)  # all that these two share, all share
    return next((n for n in range(shortest) if least[n] != most[n]), shortest)


def check_lines(chunks: Sequence[Chunk], findings: Findings) -> None:
    """Find rules that do not begin at the margin and lines that do not seem to continue one."""
    indent = margin(findings.lines)
    last = 0  # the line of the token before
    for chunk in chunks:
        if findings.enough:
            return
        for token in chunk.tokens:
            line = token.line
            if line != last:
                _check_first(token, last, indent, chunk, findings)
                last = line
            elif token.type == "HEAD":
                place = findings.place(token)
                text = f"the rule {token.shown} begins in the middle of a line"
                findings.tolerate(place, "ZW207", text, "begin it on a line of its own")


def _check_first(token: Token, last: int, indent: int, chunk: Chunk, findings: Findings) -> None:
    """Check a token that is the first on its line; `last` is the line of the token before it."""
    at_margin = token.column - 1 == indent
    head = chunk.tokens[0]
    if token.type == "HEAD":
        if not at_margin:
            text = f"the rule {token.shown} is indented more than others"
            findings.tolerate(
                findings.place(token), "ZW207", text, "begin all rules in the same column"
            )
        return
    if head.type != "HEAD":
        return  # text before the first rule is told as such
    if at_margin:
        text = f"this line goes on with the rule {head.shown} but is not indented"
        hint = "indent it, or give it a name and ="
        findings.tolerate(findings.place(token), "ZW207", text, hint)
        return
    between = findings.lines[last : token.line - 1]
    if any(_ends_rule(line.text, indent) for line in between):
        text = f"this line goes on with the rule {head.shown}, which ended above"
        hint = "take out the empty line, or indent the comment, between them"
        findings.tolerate(findings.place(token), "ZW207", text, hint)


def _ends_rule(text: str, indent: int) -> bool:
    """Whether no rule goes on behind this line: it is empty, or a comment at the margin."""
    return len(text) <= indent or text[indent] == ";"


def check_spacing(tokens: Sequence[Token], findings: Findings) -> None:
    """Find elements of a rule that touch, and repeats that do not touch what they repeat."""
    before = tokens[0]
    for token in tokens[1:]:
        kind = before.type
        if kind == "ROLE" and findings.roles and token.type == "REPEAT":
            text = f"the role {before.shown} stands before the repeat {token.shown}"
            hint = f"write the repeat first: {brief(token.text + before.text)}NAME"
            findings.tolerate(findings.place(before), "ZW202", text, hint)
        elif before.end == token.start:
            if kind in _ENDS and token.type in _STARTS:
                text = f"no white space between {before.shown} and {token.shown}"
                findings.tolerate(findings.place(token), "ZW208", text, "put a blank between them")
        elif kind == "REPEAT" and token.type in _STARTS:
            _tell_gap(
                before, token, f"the repeat {before.shown} stands apart from its element", findings
            )
        elif kind == "ROLE" and findings.roles:
            _tell_gap(
                before, token, f"the role {before.shown} stands apart from its name", findings
            )
        before = token


def _tell_gap(before: Token, token: Token, text: str, findings: Findings) -> None:
    place = findings.place(before)
    findings.tolerate(place, "ZW208", text, f"write {brief(before.text + token.text)}")
