"""Reading grammars: the texts that the package `abnf` ships, parsed by it and by zwire."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from statistics import median
from time import perf_counter

from figures import Figure

from zwire_codegen.notation.abnf import parse
from zwire_codegen.source import Line

GOAL = 20.0
_GRAMMARS = {
    "rfc3339": "dates (RFC 3339)",
    "rfc3986": "URIs (RFC 3986)",
    "rfc5234": "ABNF itself (RFC 5234)",
    "rfc7230": "HTTP/1.1 (RFC 7230)",
    "rfc9116": "security.txt (RFC 9116)",
}


def measure(rounds: int) -> list[Figure]:
    """The medians of so many interleaved rounds, for each grammar."""
    return [_figure(title, text, rounds) for title, text in _texts()]


def _texts() -> Iterator[tuple[str, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, title in _GRAMMARS.items():
            grammar = import_module(f"abnf.grammars.{module}").Rule.grammar
            text = grammar if isinstance(grammar, str) else "\n".join(grammar)
            yield title, text.strip("\n").rstrip()


def _figure(title: str, text: str, rounds: int) -> Figure:
    from abnf.parser import ABNFGrammarRule

    their_text = text.replace("\n", "\r\n") + "\r\n"
    our_lines = [Line(line, number) for number, line in enumerate(text.split("\n"), start=1)]

    def theirs() -> None:
        ABNFGrammarRule("rulelist").parse_all(their_text)

    def ours() -> None:
        _, problems = parse(our_lines, title, strict=True)
        if problems:
            raise ValueError(f"{title}: {problems[0].text}")

    ours()  # builds the parser, which a program does once
    pairs = [(_time(ours), _time(theirs)) for _ in range(rounds)]
    mine, peers = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    return Figure(title, mine * 1000, "abnf", peers * 1000, "ms", GOAL)


def _time(work: Callable[[], None]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
