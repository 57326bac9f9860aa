"""The command `zwire`: collects the commands; each imports what it needs when it runs."""

from __future__ import annotations

import sys
from inspect import cleandoc
from io import TextIOWrapper
from typing import Annotated

import typer

from zwire import __version__
from zwire.cli import (
    analyzing,
    asking,
    between,
    broking,
    capturing,
    codec,
    demo,
    documents,
    generating,
    logging_,
    node,
    peers,
    reporting,
    serving,
)
from zwire.cli.console import Exit, err

app = typer.Typer(
    name="zwire",
    help="Protocol stacks for ZeroMQ, generated from their specifications.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"zwire {__version__}")
        raise typer.Exit(Exit.OK)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Tell the version.")
    ] = False,
) -> None:
    pass


documents.add_to(app)
generating.add_to(app)
codec.add_to(app)
broking.add_to(app)
asking.add_to(app)
serving.add_to(app)
node.add_to(app)
peers.add_to(app)
logging_.add_to(app)
between.add_to(app)
capturing.add_to(app)
analyzing.add_to(app)
reporting.add_to(app)
demo.add_to(app)


def _flow(commands: typer.Typer) -> None:
    """Let the paragraphs of help texts flow: typer would keep the line breaks of our sources."""
    for one in commands.registered_commands:
        paragraphs = cleandoc((one.callback and one.callback.__doc__) or "").split("\n\n")
        one.help = "\n\n".join(" ".join(lines.split()) for lines in paragraphs)
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _flow(group.typer_instance)


_flow(app)


def run() -> None:
    """The entry point: an error of ours is a sentence, never a traceback."""
    from zwire.errors import ZwireError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # not every terminal can write what peers say
    try:
        app()
    except ZwireError as error:
        err().print(str(error), style="red", markup=False, soft_wrap=True)
        sys.exit(Exit.FAILED)
    except BrokenPipeError:
        # Somebody closed the pipe (`zwire … | head`): not a fault of ours.
        sys.stderr.close()
        sys.exit(Exit.OK)
