"""The options by which `zwire request` and `zwire worker` reach a broker: its dialect, and CURVE keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.console import Exit, fail

if TYPE_CHECKING:
    from zwire.io.security import CurveClient

Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect", help="The dialect, where the URL is a plain tcp:// or ipc:// endpoint."
    ),
]
Secret = Annotated[
    Path | None, typer.Option("--secret", help="Our CURVE secret key file; asks for --server-key.")
]
ServerKey = Annotated[
    Path | None, typer.Option("--server-key", help="The broker's public key file.")
]


def read_keys(secret: Path | None, server_key: Path | None) -> CurveClient | None:
    """The keys in these files; None without any."""
    from zwire.io.security import CurveClient

    if (secret is None) != (server_key is None):
        fail("--secret and --server-key go together", Exit.USAGE)
    if secret is None or server_key is None:
        return None
    return CurveClient.from_files(secret, server_key)
