"""The command `zwire generate`: write or check what comes from documents."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from zwire.cli.console import Exit, err, fail, out, require_compiler

HERE = Path("grammars")
THERE = Path("generated")


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel="Write a protocol")(generate)


def generate(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Documents; without any: all of grammars/.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where to write; needed for own documents.")
    ] = None,
    targets: Annotated[
        list[str] | None, typer.Option("--target", help="What to write; repeatable.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; show the difference and exit 1.")
    ] = False,
) -> None:
    """Generate code, vectors and pages from documents.

    Example, in a checkout of zwire: [cyan]zwire generate[/cyan]

    Example, for your own protocol:
    [cyan]zwire generate my-protocol.md --out src/my_package --target python[/cyan]
    """
    require_compiler()
    from zwire_codegen.backends.all import TARGETS, layout
    from zwire_codegen.backends.writing import differences, write

    if not paths and not (HERE.is_dir() and THERE.is_dir()):
        fail(
            "there is no grammars/ with generated/ here; name your documents and --out, as in\n"
            "  zwire generate my-protocol.md --out src/my_package --target python",
            Exit.USAGE,
        )
    if paths and folder is None:
        fail("say where to write: --out FOLDER", Exit.USAGE)
    if folder is not None and folder.exists() and not folder.is_dir():
        fail(f"{folder} is no folder; say where to write: --out FOLDER", Exit.USAGE)
    unknown = [name for name in targets or () if name not in TARGETS]
    if unknown:
        fail(f"no target {unknown[0]!r}; there are {', '.join(TARGETS)}", Exit.USAGE)

    from zwire.cli.documents import load_all, show_problems

    loaded = load_all(paths or [HERE], [], False)
    show_problems(loaded, only_errors=True)
    if any(one.failed for one in loaded):
        raise typer.Exit(Exit.FAILED)
    protocols = [one.protocol for one in loaded if one.protocol is not None]
    if not protocols:
        fail("these documents hold no protocol: nothing to generate", Exit.FAILED)
    names = [protocol.name for protocol in protocols]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        fail(f"two documents describe a protocol named {twice!r}; rename one of them", Exit.FAILED)
    wanted = targets or (list(TARGETS) if not paths else ["python"])
    files = layout(protocols, wanted, own=bool(paths))
    root = folder or THERE
    owned = None if paths else [TARGETS[name].folder for name in wanted]
    if check:
        found = differences(files, root, owned)
        if found:
            out().print("\n".join(found), markup=False, soft_wrap=True)
            options = ["--out", str(folder)] if folder else []
            for name in targets or ():
                options += ["--target", name]
            again = shlex.join(["zwire", "generate", *(str(p) for p in paths or ()), *options])
            err().print(f"what is generated is not up to date: {again}", style="red", markup=False)
            raise typer.Exit(Exit.FAILED)
        out().print(f"{len(files)} files are up to date")
        return
    try:
        written, removed = write(files, root, owned)
    except OSError as error:
        fail(f"{error.filename or root} cannot be written: {error.strerror}", Exit.FAILED)
    out().print(
        f"{len(files)} files in {root}: {written} written, {removed} removed, "
        f"{len(files) - written} as they were",
        markup=False,
    )
