"""What changed between two models of a protocol, and whom it breaks."""

from zwire_codegen.diff.changes import Change, Impact
from zwire_codegen.diff.protocols import compare

__all__ = ["Change", "Impact", "compare"]
