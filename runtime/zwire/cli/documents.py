"""Commands for those who write a protocol document: lint, model, format, diff, explain, new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.console import Exit, err, fail, out, print_json, require_compiler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zwire_codegen.compiler import Loaded

Paths = Annotated[list[Path], typer.Argument(help="Documents, or folders of them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Errata = Annotated[list[Path], typer.Option("--errata", help="Errata (TOML) to apply; repeatable.")]
NoErrata = Annotated[
    bool, typer.Option("--no-errata", help="Leave the errata that ship with zwire aside.")
]
PANEL = "Write a protocol"
_WIDE = 4096  # columns of a table that no terminal bounds: no path is cut


def add_to(app: typer.Typer) -> None:
    """Give the application these commands."""
    for command in (lint, model, format_, diff, explain, new):
        app.command(name=command.__name__.rstrip("_"), rich_help_panel=PANEL)(command)


def lint(
    paths: Paths,
    as_json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
    errata: Errata = [],  # noqa: B006
    no_errata: NoErrata = False,
) -> None:
    """Check documents, and show every problem at once.

    Exit code 1 when there is an error (with --strict: or a warning).

    Example: [cyan]zwire lint grammars my-protocol.md[/cyan]
    """
    loaded = load_all(paths, errata, no_errata)
    from zwire_codegen.problems import Severity
    from zwire_codegen.report import as_json as as_rows

    problems = list(dict.fromkeys(problem for one in loaded for problem in one.problems))
    if as_json:
        print_json(as_rows(problems))
    else:
        show_problems(loaded, errata=errata)
        _print_overview(loaded)
    bad = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if any(problem.severity in bad for problem in problems):
        raise typer.Exit(Exit.FAILED)


def model(
    path: Annotated[Path, typer.Argument(help="A document.")],
    as_json: AsJson = False,
    errata: Errata = [],  # noqa: B006
    no_errata: NoErrata = False,
) -> None:
    """Show the model that a document gives: parts, messages, frames, fields, dialogs.

    Example: [cyan]zwire model grammars/zre.md --json[/cyan]
    """
    loaded = load_all([path], errata, no_errata)
    show_problems(loaded, only_errors=True)
    if any(one.failed for one in loaded):
        raise typer.Exit(Exit.FAILED)
    protocols = [one.protocol for one in loaded if one.protocol is not None]
    if not protocols:
        fail(f"{path} holds no protocol")
    if as_json:
        from zwire_codegen.model.json import to_json

        rows = [to_json(protocol) for protocol in protocols]
        print_json(rows[0] if len(rows) == 1 else rows)
        return
    from zwire_codegen.explaining import overview

    for protocol in protocols:
        out().print(overview(protocol))


def format_(
    paths: Paths,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when something would change.")
    ] = False,
) -> None:
    """Write ABNF and tables of documents in their canonical form; comments are kept.

    Example: [cyan]zwire format my-protocol.md[/cyan]
    """
    require_compiler()
    from zwire_codegen.formatting import as_it_was, format_document
    from zwire_codegen.notation.files import read_source
    from zwire_codegen.problems import failed
    from zwire_codegen.report import show
    from zwire_codegen.source import Source

    changed = broken = 0
    for path in _documents(paths):
        source = read_source(path)
        if not isinstance(source, Source):
            broken += 1
            err().print(show([source], []), markup=False, soft_wrap=True)
            continue
        text, problems = format_document(source)
        if failed(problems):
            broken += 1
            err().print(show(problems, [source]), markup=False, soft_wrap=True)
        elif text != source.text:
            changed += 1
            out().print(f"{'would change' if check else 'formatted'} {path}", markup=False)
            if not check:
                try:
                    path.write_bytes(as_it_was(text, path.read_bytes()))
                except OSError as error:
                    fail(f"{path} cannot be written: {error.strerror}")
    if broken or (check and changed):
        if check and changed:
            err().print("zwire format mends it", style="red")
        raise typer.Exit(Exit.FAILED)


def diff(
    old: Annotated[Path, typer.Argument(help="The document as it was.")],
    new: Annotated[Path, typer.Argument(help="The document as it is.")],
    as_json: AsJson = False,
) -> None:
    """Tell every change between two documents: wire-breaking, source-breaking or compatible.

    Exit code 1 when a change breaks somebody.

    Example: [cyan]zwire diff old/zre.md grammars/zre.md[/cyan]
    """
    if old.is_dir() or new.is_dir():
        fail("diff compares two documents; a folder is none", Exit.USAGE)
    loaded = load_all([old, new], [], False)
    show_problems(loaded, only_errors=True)
    before, after = (one.protocol for one in loaded)
    if before is None or after is None:
        empty = [one.source.name for one in loaded if one.protocol is None and not one.failed]
        fail("\n".join(f"{name} holds no protocol" for name in empty) or "nothing is compared")
    from zwire_codegen.diff import Impact, compare

    changes = compare(before, after)
    if as_json:
        print_json([change.as_json() for change in changes])
    else:
        from rich.markup import escape
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for column in ("impact", "where", "change", "why"):
            table.add_column(column, overflow="fold")
        colours = {Impact.WIRE: "red", Impact.SOURCE: "yellow", Impact.COMPATIBLE: "green"}
        for change in changes:
            table.add_row(
                f"[{colours[change.impact]}]{change.impact}[/]",
                escape(change.where),
                escape(change.what),
                escape(change.why),
            )
        out().print(table if changes else "no difference")
    if any(change.impact is not Impact.COMPATIBLE for change in changes):
        raise typer.Exit(Exit.FAILED)


def explain(
    protocol: Annotated[str, typer.Argument(help="A protocol's name, or a document.")],
    message: Annotated[str | None, typer.Argument(help="One message of it.")] = None,
) -> None:
    """Show layout and dialogs of a protocol, or of one message, in the terminal.

    Example: [cyan]zwire explain zre HELLO[/cyan]
    """
    require_compiler()
    from zwire_codegen.bundle import find_document
    from zwire_codegen.explaining import explain_message, overview

    document = find_document(protocol)
    if document is None:
        from zwire_codegen.bundle import known_protocols

        fail(
            f"no protocol or document is called {protocol!r}; known: "
            f"{', '.join(known_protocols())}",
            Exit.USAGE,
        )
    loaded = load_all([document], [], False)
    show_problems(loaded, only_errors=True)
    (found,) = (one.protocol for one in loaded)
    if found is None:
        raise typer.Exit(Exit.FAILED)
    if message is None:
        out().print(overview(found))
        return
    pages = explain_message(found, message)
    if not pages:
        names = sorted({m.name for part in found.parts for m in part.messages})
        fail(f"{found.name} has no message {message!r}; it has {', '.join(names)}", Exit.USAGE)
    for page in pages:
        out().print(page)


def new(
    name: Annotated[str, typer.Argument(help="The protocol's name, such as my-protocol.")],
    folder: Annotated[Path, typer.Option("--folder", help="Where to write it.")] = Path(),
) -> None:
    """Write a commented starter document that lints clean and generates.

    Example: [cyan]zwire new my-protocol[/cyan]
    """
    require_compiler()
    from zwire_codegen.starter import BadName, starter

    path = folder / f"{name}.md"
    if path.exists():
        fail(f"{path} is there already; choose another name", Exit.USAGE)
    try:
        text = starter(name)
    except BadName as error:
        fail(str(error), Exit.USAGE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}", Exit.USAGE)
    out().print(f"wrote {path}; next:", markup=False)
    out().print(f"  zwire lint {path}", markup=False)
    out().print(f"  zwire generate {path} --out src/my_package", markup=False)


def load_all(paths: Sequence[Path], errata: Sequence[Path], no_errata: bool) -> list[Loaded]:
    require_compiler()
    from zwire_codegen.compiler import load

    return load(_existing(paths), errata=_existing(errata), known_errata=not no_errata)


def _existing(paths: Sequence[Path]) -> Sequence[Path]:
    """The paths, after a complaint about those that are not there."""
    missing = [path for path in paths if not path.exists()]
    if missing:
        fail("\n".join(f"{path}: no such file or folder" for path in missing), Exit.USAGE)
    return paths


def _documents(paths: Sequence[Path]) -> list[Path]:
    """The documents at these paths; a folder stands for those in it."""
    from zwire_codegen.compiler import SUFFIXES

    return [
        document
        for path in _existing(paths)
        for document in (
            sorted(one for one in path.iterdir() if one.suffix in SUFFIXES and one.is_file())
            if path.is_dir()
            else [path]
        )
    ]


def show_problems(
    loaded: Sequence[Loaded], only_errors: bool = False, errata: Sequence[Path] = ()
) -> None:
    """All problems on standard error, each once, with the lines of documents and errata."""
    from zwire_codegen.notation.files import read_source
    from zwire_codegen.problems import Severity
    from zwire_codegen.report import show
    from zwire_codegen.source import Source

    problems = dict.fromkeys(
        problem
        for one in loaded
        for problem in one.problems
        if not only_errors or problem.severity is Severity.ERROR
    )
    if problems:
        sources = [one.source for one in loaded]
        sources += [one for path in errata if isinstance(one := read_source(path), Source)]
        err().print(show(problems, sources), markup=False, soft_wrap=True)


def _print_overview(loaded: Sequence[Loaded]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("document", "protocol", "parts", "messages", "dialogs", "verdict"):
        table.add_column(column)
    for one in loaded:
        protocol = one.protocol
        counts = ("", "", "", "")
        if protocol is not None:
            counts = (
                escape(protocol.title),
                ", ".join(part.name for part in protocol.parts),
                str(sum(len(part.messages) for part in protocol.parts)),
                str(sum(len(part.conversation.dialogs) for part in protocol.parts)),
            )
        errors = sum(problem.severity == "error" for problem in one.problems)
        warnings = sum(problem.severity == "warning" for problem in one.problems)
        verdict = "[green]clean[/]"
        if errors:
            verdict = f"[red]{errors} error{'s' * (errors > 1)}[/]"
        elif warnings:
            verdict = f"[yellow]{warnings} warning{'s' * (warnings > 1)}[/]"
        table.add_row(escape(one.source.name), *counts, verdict)
    console = out()
    if not console.is_terminal:
        console.width = _WIDE
    console.print(table)
