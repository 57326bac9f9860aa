"""Commands on single messages: decode, encode."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.console import Exit, fail, out, print_json

if TYPE_CHECKING:
    from zwire.codecs import Codec
    from zwire_protocols.errors import DecodeError

Protocol = Annotated[
    str, typer.Argument(help="A protocol's name, with its part where it has several: mdpx.worker.")
]
Role = Annotated[
    str | None, typer.Option("--role", help="Who sent it, where directions share octets.")
]
PANEL = "Read and write messages"


def add_to(app: typer.Typer) -> None:
    """Give the application these commands."""
    app.command(rich_help_panel=PANEL)(decode)
    app.command(rich_help_panel=PANEL)(encode)


def decode(
    protocol: Protocol,
    frames: Annotated[
        list[str] | None, typer.Argument(help="Each frame in hex; '' is an empty one.")
    ] = None,
    role: Role = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="One frame of raw octets from a file; - is stdin.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Decode one message and show it octet by octet.

    Exit code 1 when it is malformed, with message, field, offset, expected and got.

    Example: [cyan]zwire decode zre aaa10002040141 01[/cyan]

    Example: [cyan]zwire decode mdpx --role worker 4d4458573031 50494e47[/cyan]
    """
    if (file is None) == (not frames):
        fail("give the frames in hex, or --file, and not both", Exit.USAGE)
    octets = [_raw(file)] if file is not None else [_unhex(frame) for frame in frames or ()]
    from zwire_protocols.errors import DecodeError

    refusals: list[tuple[Codec, DecodeError]] = []
    for codec in _codecs(protocol, role):
        try:
            message = codec.decode(octets)
        except DecodeError as error:
            refusals.append((codec, error))
            continue
        if as_json:
            print_json(codec.to_dict(message))
        else:
            out().print(codec.dump(octets), markup=False, soft_wrap=True)
        return
    # Of several parts the one that read furthest says best what is wrong.
    codec, refusal = max(refusals, key=lambda pair: (pair[1].frame or 0, pair[1].offset or 0))
    if as_json:
        print_json({"error": _facts(refusal)})
        raise typer.Exit(Exit.FAILED)
    fail(f"{codec.name}: {refusal}")


def encode(
    protocol: Protocol,
    message: Annotated[
        str, typer.Argument(help='The message as JSON: {"message": …, "fields": …}; - is stdin.')
    ],
    role: Role = None,
) -> None:
    """Encode one message and print its frames in hex, one a line.

    Example: [cyan]zwire encode zre '{"message": "PING", "fields": {"sequence": 7}}'[/cyan]
    """
    text = sys.stdin.read() if message == "-" else message
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        fail(f"this is not JSON: {error}", Exit.USAGE)
    from zwire_protocols.errors import EncodeError

    if not isinstance(value, dict):
        fail('expected an object: {"message": "NAME", "fields": {…}}', Exit.USAGE)
    codecs = _codecs(protocol, role, writing=True)
    name = value.get("message")
    fitting = [codec for codec in codecs if isinstance(name, str) and name in codec.messages]
    if not fitting:
        known = ", ".join(name for codec in codecs for name in codec.messages)
        fail(f"{protocol} has no message {name!r}; it has {known}", Exit.USAGE)
    complaints = []
    for codec in fitting:
        try:
            frames = codec.encode(codec.from_dict(value))
        except EncodeError as error:
            complaints.append(f"{codec.name}: {error}")
            continue
        for frame in frames:
            typer.echo(frame.hex())
        return
    fail("\n".join(complaints))


def _codecs(protocol: str, role: str | None, writing: bool = False) -> list[Codec]:
    """The codecs of a protocol's parts that this role may speak in; without a role those that
    need to know none. Writing needs none: a message says what it is."""
    from zwire.codecs import find_codecs, known_protocols

    codecs = find_codecs(protocol)
    if not codecs:
        fail(
            f"no protocol is called {protocol!r}; there are {', '.join(known_protocols())}",
            Exit.USAGE,
        )
    if role is None and writing:
        return codecs
    if role is None:
        open_ended = [codec for codec in codecs if codec.needs_role]
        if len(open_ended) == len(codecs):
            roles = sorted({name for codec in codecs for name in codec.roles})
            fail(f"{protocol} needs to know who sent it: --role {'|'.join(roles)}", Exit.USAGE)
        return [codec for codec in codecs if not codec.needs_role]
    spoken = [codec.spoken_by(role) for codec in codecs if role in codec.roles]
    # Two parts may share a role's name with a part's: mdpx --role worker means the part too.
    named = [
        codec.spoken_by(None) for codec in codecs if codec.part == role and not codec.needs_role
    ]
    if not spoken and not named:
        roles = sorted({name for codec in codecs for name in codec.roles})
        fail(f"{protocol} has no role {role!r}; it has {', '.join(roles)}", Exit.USAGE)
    return spoken + named


def _facts(error: DecodeError) -> dict[str, object]:
    names = ("code", "message", "field", "frame", "offset", "expected", "got")
    return {name: getattr(error, name) for name in names}


def _unhex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        fail(f"this frame is not hex: {text!r}", Exit.USAGE)


def _raw(path: Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        fail(f"{path}: {error.strerror}", Exit.USAGE)
