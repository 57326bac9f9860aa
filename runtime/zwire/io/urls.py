"""Where a client or worker connects, and in which dialect: `mdpx://127.0.0.1:5555`."""

from __future__ import annotations

from zwire.errors import LocalError
from zwire.io.endpoints import CONNECT_PREFIX, read_endpoint
from zwire.io.errors import BadEndpoint

DIALECTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")
_ALIASES = {"mdp": "mdp02"}
_TRANSPORTS = ("tcp", "ipc")  # inproc ends at a context, and each client has its own


def read_url(url: str, dialect: str | None = None, *, binds: bool = False) -> tuple[str, str]:
    """The dialect and the ZeroMQ endpoint of a URL, which may have `*` as port where it binds.

    The scheme is a dialect (`mdpx://host:port`), a dialect with a transport
    (`ppp+ipc:///path`), or a transport alone, with the dialect given beside it.
    """
    scheme, separator, rest = url.partition("://")
    named, plus, transport = scheme.partition("+")
    if scheme in _TRANSPORTS:
        named, transport = dialect or "", scheme
    elif not plus:
        transport = "tcp"
    if dialect and named and _ALIASES.get(dialect, dialect) != _ALIASES.get(named, named):
        raise LocalError(f"{url!r} says {named}, the option says {dialect}: say it once")
    named = _ALIASES.get(named, named)
    if not separator or named not in DIALECTS or transport not in _TRANSPORTS:
        raise LocalError(
            f"{url!r} does not say which dialect to speak: expected mdpx://host:port (or "
            f"{', '.join(DIALECTS[1:])}), or tcp://host:port with the dialect beside it"
        )
    prefix = "" if binds else CONNECT_PREFIX
    try:
        return named, read_endpoint(f"{prefix}{transport}://{rest}").address
    except BadEndpoint as error:
        raise BadEndpoint(
            "no host and port to go to",
            where=repr(url),
            expected=f"{scheme}://host:port, as in {scheme}://127.0.0.1:5555",
            got=repr(rest),
            remedy=error.remedy,
        ) from error
