"""The protocols of grammars/, loaded once, for tests that speak about them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from zwire_codegen.compiler import load
from zwire_codegen.model.types import Part, Protocol

ROOT = Path(__file__).parents[2]
GRAMMARS = ROOT / "grammars"
NAMES = (
    *("emqp", "mdp01", "mdp02", "mdpx", "ppp", "reqrep"),
    *("zgossip", "zre", "zre36", "zrelog"),
)


@cache
def protocol(name: str) -> Protocol:
    """The protocol of this name."""
    (loaded,) = load([GRAMMARS / f"{name}.md"])
    assert loaded.protocol is not None
    return loaded.protocol


def part(path: str) -> Part:
    """The part with a path like `mdpx.client`."""
    protocol_name, part_name = path.split(".")
    return next(part for part in protocol(protocol_name).parts if part.name == part_name)
