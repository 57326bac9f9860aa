"""Headers of eMQP as people use them: `name:value,name:value`, opaque octets to the codec."""

from __future__ import annotations

from collections.abc import Mapping

from zwire.errors import LocalError


def write_headers(headers: Mapping[str, str]) -> bytes:
    """Headers as they go on the wire; LocalError for what would read back as something else."""
    parts = []
    for name, value in headers.items():
        plain = name == name.strip() and value == value.strip() and (name + value).isprintable()
        if not name or ":" in name or "," in name + value or not plain:
            raise LocalError(
                f"a header is printable text without commas or blanks around it, its name without "
                f"a colon; got {name!r}: {value!r}"
            )
        parts.append(f"{name}:{value}" if value else name)
    return ",".join(parts).encode()


def read_headers(octets: bytes) -> dict[str, str]:
    """The headers in these octets: split at commas and the first colon, trimmed.

    A name without a value has an empty one; of a name that comes twice the first counts. What is
    not UTF-8 is shown with replacement characters: headers never make a request fail.
    """
    headers: dict[str, str] = {}
    for part in octets.decode("utf-8", "replace").split(","):
        name, _, value = part.partition(":")
        if name.strip():
            headers.setdefault(name.strip(), value.strip())
    return headers
