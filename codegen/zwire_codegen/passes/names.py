"""Names: when two are the same, how they look in code, and what somebody may have meant."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Collection

_NOT_IN_CODE = re.compile(r"[^0-9a-z]+")
_MODULE = re.compile(r"[a-z][a-z0-9_]*\Z")
_RULE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
# Words that languages keep for themselves, and modules that stand beside those of protocols.
_KEPT = frozenset({*keyword.kwlist, *keyword.softkwlist, "errors", "conversation"}) - {"_"}
# Looking for a likely name costs time for every name there is; enough is enough.
_MOST_NAMES = 5_000


def key(name: str) -> str:
    """What names have in common that are the same: `key_value`, `Key-Value`, `key-value`."""
    return name.lower().replace("_", "-")


def in_code(name: str) -> str:
    """The name in lower snake case, as code and settings have it."""
    return _NOT_IN_CODE.sub("_", name.lower()).strip("_")


def serves_as_module(name: str) -> bool:
    """Whether the name can be that of a package or module."""
    kept = name in _KEPT or name.endswith("_dialogs")  # where the dialogs of a part stand
    return _MODULE.match(name) is not None and not kept


def serves_as_field(name: str) -> bool:
    """Whether the name can be that of a field: written as ABNF writes the names of rules."""
    return _RULE.match(name) is not None


def did_you_mean(name: str, known: Collection[str]) -> str:
    """A hint that names the most similar of the known names; empty where none is similar."""
    if len(known) > _MOST_NAMES or len(name) > 100:
        return ""
    written = {key(one): one for one in known}
    close = difflib.get_close_matches(key(name), list(written), n=1, cutoff=0.6)
    return f'did you mean "{written[close[0]]}"?' if close else ""
