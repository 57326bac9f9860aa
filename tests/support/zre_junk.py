"""What strangers may send to a node, mostly spoiled: messages of both dialects, and beacons; seeded."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from uuid import UUID

from support.mutation import mutated
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36

Frames = list[bytes]
NOWHERE = "tcp://127.0.0.1:1"  # a port at which nobody answers

SPOKEN20: list[Frames] = [
    zre20.encode(one)
    for one in (
        zre20.Hello(1, "127.0.0.1", 1, ("junk", "tea"), 2, ("X-A=b", "X-C")),
        zre20.Whisper(2, b"junk"),
        zre20.Shout(3, "junk", b"junk"),
        zre20.Join(4, "more junk", 3),
        zre20.Leave(5, "junk", 4),
        zre20.Ping(6),
        zre20.PingOk(7),
    )
]
SPOKEN36: list[Frames] = [
    zre36.encode(one)
    for one in (
        zre36.Hello(1, NOWHERE, ("junk", "tea"), 2, "junk", (("X-A", "b"), ("X-ZRELOG", NOWHERE))),
        zre36.Whisper(2, (b"junk", b"")),
        zre36.Shout(3, "junk", (b"junk",)),
        zre36.Join(4, "more junk", 3),
        zre36.Leave(5, "junk", 4),
        zre36.Ping(6),
        zre36.PingOk(7),
        zre36.Elect(8, "junk", "F" * 32),
        zre36.Leader(9, "junk", "F" * 32),
        zre36.Goodbye(10),
    )
]
# Counts of what does not follow: groups, headers, octets of a text.
HUGE: list[Frames] = [
    [b"\xaa\xa1\x00\x01\x01\x09127.0.0.1\x00\x01\xff"],
    [b"\xaa\xa1\x01\x02\x00\x01\x11" + NOWHERE.encode() + b"\xff\xff\xff\xff"],
    [b"\xaa\xa1\x01\x02\x00\x01\x11" + NOWHERE.encode() + bytes(6) + b"\xff\xff\xff\xff"],
    [b"\xaa\xa1\x04\x02\x00\x02\xff"],
    [b"\xaa\xa1\x01\x02\x00\x01\xff" + b"t" * 254],
]


def stranger(random: Random) -> bytes:
    """The identity of somebody new: of 20/ZRE, of 36/ZRE, or of nobody who speaks ZRE."""
    length = random.choice((16, 17, 17, 17, 9, 40))
    start = b"\x01" if length == 17 else b"\x77"
    return (start + random.randbytes(length))[:length]


def conversation(identity: bytes, count: int, random: Random) -> Iterator[Frames]:
    """So many messages of one stranger: half of them greet well before they misbehave."""
    good = SPOKEN20 if len(identity) == 16 else SPOKEN36
    if random.random() < 0.5:
        yield list(good[0])
        count -= 1
    for _ in range(count):
        chance = random.random()
        if chance < 0.2:
            yield list(random.choice(good))  # whose number is most often a wrong one
        elif chance < 0.3:
            yield list(random.choice(HUGE))
        elif chance < 0.4:
            lengths = random.choices((0, 1, 6, 40, 3000), k=random.randint(1, 9))
            yield [random.randbytes(length) for length in lengths]
        else:
            yield mutated(random.choice(good), SPOKEN20 + SPOKEN36, random) or [b""]


def beacons(good: UUID, count: int, random: Random) -> Iterator[bytes]:
    """So many datagrams: strangers, noise, and lies about somebody who is there."""
    head = b"ZRE\x01"
    for _ in range(count):
        port = random.choice((0, 1, random.randrange(65536))).to_bytes(2, "big")
        match random.randrange(6):
            case 0:
                yield random.randbytes(random.choice((0, 1, 21, 22, 23, 54, 200)))
            case 1:
                yield (head + random.randbytes(16) + port)[: random.randrange(22)]
            case 2:
                yield b"ZRE" + bytes([random.choice((0, 2, 3, 255))]) + random.randbytes(18)
            case 3 | 4:
                yield head + good.bytes + port
            case _:
                yield head + random.randbytes(16) + port
