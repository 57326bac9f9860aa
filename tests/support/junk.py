"""Messages of every kind for every endpoint of a broker, mostly spoiled: seeded, so that a run can be repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from support.mutation import mutated
from support.wire import Emqp, Mdpx, Ppp

Frames = list[bytes]

_ID, _CLIENT, _BODY, _SERVICE = b"0123456789abcdef", b"client", b"body", b"junk"


def _majordomo(client: Frames, worker: Frames, commands: range) -> list[Frames]:
    """Everything that MDP 0.1, 0.2 and majortomo's variant can say under these heads."""
    said = [[*client, _SERVICE, _BODY], [*client, b"mmi.service", _SERVICE]]
    for command in commands:
        octet = bytes([command])
        said += [
            [*client, octet, _SERVICE, _BODY],
            [*worker, octet],
            [*worker, octet, _SERVICE],
            [*worker, octet, _CLIENT, b"", _BODY],
        ]
    return said


MDPX_FRONT: list[Frames] = [
    Mdpx.ask(_ID, _BODY, service=_SERVICE),
    Mdpx.ask(_ID, _SERVICE, service=b"mmi.service"),
    Mdpx.partial(_ID, _BODY),
    Mdpx.final(_ID, _BODY),
    Mdpx.PING,
]
MDPX_BACK: list[Frames] = [
    Mdpx.ready(_SERVICE),
    Mdpx.PING,
    Mdpx.PONG,
    Mdpx.DISCONNECT,
    [b"MDPW02", b"\x06"],
    Mdpx.task(_CLIENT, _ID, _BODY),
    Mdpx.part(_CLIENT, _ID, _BODY),
    Mdpx.done(_CLIENT, _ID, _BODY),
]
EMQP: list[Frames] = [
    Emqp.request(_ID, _BODY, queue=_SERVICE, headers=b"to:ann"),
    Emqp.inform(_ID, b"junk,rubbish"),
    Emqp.ready(_ID),
    Emqp.reply(_ID, _BODY),
    Emqp.heartbeat(_ID),
    Emqp.disconnect(_ID),
]
MDP: list[Frames] = [
    *_majordomo([b"", b"MDPC01"], [b"", b"MDPW01"], range(1, 6)),
    *_majordomo([b"MDPC02"], [b"MDPW02"], range(1, 7)),
    *_majordomo([b"", b"MDPC02"], [b"", b"MDPW02"], range(1, 7)),
]
PPP_FRONT: list[Frames] = [[b"", _BODY], [_ID, _CLIENT, b"", _BODY], [_ID, b"", b"", _BODY]]
PPP_BACK: list[Frames] = [Ppp.READY, Ppp.HEARTBEAT, [_ID, b"", _BODY], [_BODY]]


def junk(good: Sequence[Frames], count: int, random: Random) -> Iterator[Frames]:
    """So many messages: most of them spoiled, some of them noise, some as they should be."""
    for _ in range(count):
        chance = random.random()
        if chance < 0.1:
            yield list(random.choice(good))
        elif chance < 0.2:
            yield [
                random.randbytes(random.choice((0, 1, 6, 40))) for _ in range(random.randint(1, 9))
            ]
        else:
            # A message of no frames cannot be sent.
            yield mutated(random.choice(good), good, random) or [b""]
