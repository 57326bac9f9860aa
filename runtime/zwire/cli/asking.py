"""The command `zwire request`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from zwire.cli.broker_given import Dialect, Secret, ServerKey, read_keys
from zwire.cli.capture_given import (
    CaptureBodies,
    CaptureInto,
    CaptureRotateEvery,
    CaptureRotateSize,
    CaptureSync,
    recorder_given,
)
from zwire.cli.console import Exit, fail
from zwire.errors import LocalError

PANEL = "Run a stack"


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(request)


def request(
    service: Annotated[str, typer.Argument(help="The service (eMQP: the queue) to ask.")],
    body: Annotated[
        list[str] | None,
        typer.Argument(help="Frames of the body as text; - is standard input. None: one empty."),
    ] = None,
    url: Annotated[
        str,
        typer.Option(
            help="Where the broker is, and in which dialect: mdpx, mdp01, mdp02, emqp, ppp."
        ),
    ] = "mdpx://127.0.0.1:5555",
    dialect: Dialect = None,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for the whole reply.")] = 30.0,
    stream: Annotated[
        bool, typer.Option("--stream", help="Print the pieces of the reply as they come.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print JSON for programs; with --stream one line a piece."),
    ] = False,
    request_id: Annotated[
        str | None, typer.Option("--request-id", help="Our own id for it, as text.")
    ] = None,
    header: Annotated[
        list[str] | None, typer.Option("--header", metavar="NAME:VALUE", help="A header (eMQP).")
    ] = None,
    direct: Annotated[
        bool,
        typer.Option("--direct", help="Listen at the URL for PPP workers ourselves: no queue."),
    ] = False,
    secret: Secret = None,
    server_key: ServerKey = None,
    capture: CaptureInto = None,
    capture_bodies: CaptureBodies = None,
    capture_sync: CaptureSync = None,
    capture_rotate_size: CaptureRotateSize = None,
    capture_rotate_every: CaptureRotateEvery = None,
) -> None:
    """Ask a service and print its reply, each frame on a line of its own.

    Exit code 1 when nobody answers in time.

    Example: [cyan]zwire request echo hello --url mdpx://127.0.0.1:5555[/cyan]

    Example: [cyan]date | zwire request mails - --url emqp://127.0.0.1:5570 --header to:ann[/cyan]

    Example: [cyan]zwire request echo hello --capture captures[/cyan] and then [cyan]zwire cat captures[/cyan]
    """
    from zwire.io.client import Client
    from zwire.io.requests import Headers, Piece
    from zwire.io.urls import read_url

    frames = [sys.stdin.buffer.read() if part == "-" else os.fsencode(part) for part in body or ()]
    headers: Headers = None
    if header is not None:
        pairs = (text.partition(":") for text in header)
        headers = {name: value for name, _, value in pairs}
    own_id = None if request_id is None else os.fsencode(request_id)
    try:
        keys = read_keys(secret, server_key)
        recorder = recorder_given(
            capture,
            capture_bodies,
            capture_sync,
            capture_rotate_size,
            capture_rotate_every,
            "client",
        )
        if direct:
            spoken, address = read_url(url, dialect, binds=True)
            if spoken != "ppp" or keys is not None:
                fail("--direct is for ppp:// URLs without keys", Exit.USAGE)
            client = Client.direct(address, capture=recorder)
        else:
            client = Client(url, dialect=dialect, curve=keys, capture=recorder)
        with recorder or nullcontext(), client:
            asked = client.stream(
                service, *frames, timeout=timeout, request_id=own_id, headers=headers
            )
            pieces: list[Piece] = []
            for piece in asked:
                pieces.append(piece)
                if stream:
                    _print_piece(piece.body, piece.final, as_json)
            if not stream:
                _print_reply(service, asked.request_id, pieces, as_json)
    except LocalError as error:
        fail(str(error), Exit.USAGE)


def _print_piece(body: Sequence[bytes], final: bool, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"final": final, **_frames(body)}, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    # A stream often ends with an empty reply that says no more than that it ends.
    elif not (final and tuple(body) == (b"",)):
        _print_frames(body)


def _print_reply(service: str, request_id: bytes, pieces: Sequence[Any], as_json: bool) -> None:
    if not as_json:
        for piece in pieces:
            _print_piece(piece.body, piece.final and len(pieces) > 1, False)
        return
    whole = {
        "service": service,
        "request_id": request_id.hex(),
        "partials": [_frames(piece.body) for piece in pieces[:-1]],
        **_frames(pieces[-1].body),
    }
    sys.stdout.write(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def _frames(body: Sequence[bytes]) -> dict[str, list[Any]]:
    """A body for programs: octets in hex, and beside it as text where it is text."""
    return {"body": [frame.hex() for frame in body], "text": [_text(frame) for frame in body]}


def _text(frame: bytes) -> str | None:
    try:
        return frame.decode()
    except UnicodeDecodeError:
        return None


def _print_frames(body: Sequence[bytes]) -> None:
    """Octets as they are, so that what is piped on stays what it was."""
    for frame in body:
        sys.stdout.buffer.write(frame if frame.endswith(b"\n") else frame + b"\n")
    sys.stdout.buffer.flush()
