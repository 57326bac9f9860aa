"""What can be chosen about a node that runs; what its engine decides by is in `zwire.zre.Options`."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from zwire.errors import LocalError
from zwire.zre.endpoints import TRANSPORTS, can_be_dialled, host_and_port
from zwire.zre.options import Options
from zwire_protocols.zre36.beacon import UDP_PORT

HANDSHAKE = 5.0  # seconds for strangers to introduce themselves: half-open connections use us up
MOST_FRAMES = 10_000  # of a message that a mailbox takes
MOST_CONTENT = MOST_FRAMES - 10  # frames of content; the others are the protocol's and the socket's
FIRST_PORT, LAST_PORT = 0xC000, 0xFFFF  # 20/ZRE: "an ephemeral TCP port" in this range


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """Where a node looks for others, and how it treats its sockets."""

    interfaces: tuple[str, ...] = ()
    """Names or addresses, `loopback`, or ADDRESS/PREFIX; none: all that reach neighbours."""
    port: int = UDP_PORT
    """The UDP port of beacons: nodes with different ones never meet by beacon."""
    ipv6: bool = False
    """Send beacons to the IPv6 neighbours too, and take their connections."""
    endpoint: str | None = None
    """Where the mailbox is bound, for a node that others know as a static peer; else a free port."""
    peers: tuple[str, ...] = ()
    """Static peers: endpoints that are sought, and sought again; under CURVE `ENDPOINT|KEY`."""
    gossip_hubs: tuple[str, ...] = ()
    """Endpoints of gossip hubs to be a member of."""
    gossip_bind: str | None = None
    """Be a gossip hub at this endpoint."""
    inproc: bool = True
    """Meet nodes of this same process without the network; never under CURVE."""
    send_queue: int = 10_000
    """Messages that wait for one peer in libzmq; then `options.full_queue` decides."""
    receive_queue: int = 10_000
    max_frame_size: int | None = None
    """Octets in one frame of a message that comes: who sends more is cut off. None: any number."""
    max_events: int = 100_000
    """Events that wait to be read; then the mailbox waits too, or the oldest go if nobody ever read."""
    linger: float = 1.0
    """Seconds that a stopped node still has to get rid of what it said."""
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        if not 0 < self.port < 65536:
            raise LocalError(f"{self.port} is no UDP port: expected 1 to 65535")
        for name in ("send_queue", "receive_queue", "max_events", "max_frame_size"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise LocalError(f"{name} must be at least 1, not {value}")
        if not self.linger >= 0:
            raise LocalError(f"linger must not be negative, got {self.linger}")
        if self.endpoint is not None:
            self._check_own(self.endpoint)
        for hub in self.gossip_hubs:
            if not can_be_dialled(hub):
                raise LocalError(f"{hub!r} is no gossip hub: expected tcp://HOST:PORT")

    def _check_own(self, endpoint: str) -> None:
        if endpoint.startswith("tcp://"):
            if not 0 < host_and_port(endpoint)[1] < 65536:
                raise LocalError(
                    f"{endpoint!r} is no place for a mailbox: expected tcp://HOST:PORT with a port "
                    "from 1 to 65535; without an endpoint any free port is taken"
                )
        elif not endpoint.startswith(TRANSPORTS):
            raise LocalError(f"{endpoint!r} is no place for a mailbox: expected tcp://HOST:PORT")
        elif self.options.beacons:
            raise LocalError(
                f"{endpoint} has no port for beacons to announce: expected tcp://HOST:PORT, or a node "
                "without beacons"
            )


def fresh_uuid() -> UUID:
    """A UUID that nobody had before; 20/ZRE sends it as an identity, which must not begin with zero."""
    while True:
        uuid = uuid4()
        if uuid.bytes[0]:
            return uuid
