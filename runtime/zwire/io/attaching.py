"""Raw links, made and attached in one step; what cannot be attached is closed again."""

from __future__ import annotations

from collections.abc import Sequence

import zmq

from zwire.io.contexts import Context
from zwire.io.endpoints import Endpoint
from zwire.io.hosting import Raw
from zwire.io.options import Options
from zwire.io.speech import FRAMES


def attach(
    kind: zmq.SocketType,
    endpoints: Sequence[Endpoint],
    options: Options,
    context: Context,
    *,
    watched: bool = False,
) -> tuple[Raw, tuple[str, ...]]:
    """A link that is bound or connected to all of these, and its addresses as they really are.

    One that is watched takes notice when its connection breaks.
    """
    link: Raw = Raw(kind, FRAMES, options, context)
    addresses = []
    try:
        if watched:
            link.watch()
        for endpoint in endpoints:
            if endpoint.connects:
                link.connect(endpoint.address)
                addresses.append(endpoint.address)
            else:
                addresses.append(link.bind(endpoint.address))
    except BaseException:
        link.close()
        raise
    return link, tuple(addresses)
