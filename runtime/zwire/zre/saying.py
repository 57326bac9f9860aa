"""What a node may say of itself, checked before anybody hears it: its name, headers and groups."""

from __future__ import annotations

from zwire.errors import LocalError
from zwire.zre.keys import KEY_HEADER
from zwire.zre.options import Dialect, Options, Own
from zwire.zre.wire import WIRES, WRAP_HEADER
from zwire_protocols.errors import EncodeError

LONGEST_20 = 255  # groups that a HELLO of 20/ZRE can list


def check_uuid(octets: bytes, options: Options) -> None:
    """Refuse a UUID that cannot be an identity."""
    if octets[0] == 0 and Dialect.ZRE20 in options.dialects:
        raise LocalError("the UUID of a node that speaks 20/ZRE must not begin with a zero octet")


def check_header(name: str, options: Options) -> None:
    """Refuse the name of a header that others would read as something else."""
    if name in (KEY_HEADER, WRAP_HEADER):
        raise LocalError(f"{name} is a header that nodes write themselves: choose another name")
    if isinstance(name, str) and "=" in name and Dialect.ZRE20 in options.dialects:
        raise LocalError(
            f"the name of a header ends at the first = in 20/ZRE: expected none, got {name!r}"
        )


def check_greeting(own: Own, options: Options) -> None:
    """Refuse what no HELLO can say."""
    try:
        for dialect in options.dialects:
            WIRES[dialect].hello(own, options.say_wrap, own.endpoint)
    except EncodeError as error:
        raise LocalError(f"no HELLO can say this: {error}") from error


def check_group(group: str, options: Options) -> None:
    """Refuse what is no name for a group."""
    try:
        for dialect in options.dialects:
            WIRES[dialect].join(group, 0)
    except EncodeError as error:
        raise LocalError(f"this is no name for a group: {error}") from error


def check_another(own: Own, options: Options) -> None:
    """Refuse a group more than can be told."""
    if Dialect.ZRE20 in options.dialects and len(own.groups) >= LONGEST_20:
        raise LocalError(f"a node that speaks 20/ZRE is in at most {LONGEST_20} groups")
