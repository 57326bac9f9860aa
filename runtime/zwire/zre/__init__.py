"""Engines of ZRE: a node, a log collector, gossip; none of them owns a socket, a clock or a log.

    node = Node(uuid, "tcp://192.168.0.7:50001", Options(), name="ann")
    for effect in node.start(now): ...           # then node.hear, node.beacon, node.tick, ...
        match effect:
            case Connect(peer, endpoint, identity): ...  # a DEALER, in place of any before
            case Disconnect(peer, linger): ...
            case Send(peer, frames): ...         # without waiting; failures go to node.unsent
            case SendBeacon(octets): ...         # UDP broadcast
            case Tell(event): ...                # to the user
            case OpenLog() | SendLog() | CloseLog(): ...  # ZRE/LOG
    wake_at = node.next_deadline()               # then: node.tick(now)

A shell carries out effects in their order before it brings the next fact. When a Send fails, that one
and all later ones for the same peer in the batch go, untried and in order, to `unsent`. A DEALER belongs
to a `Peer` object: `Connect` for one that has a DEALER replaces it.
"""

from zwire.zre.gossip import Gossip, GossipOptions
from zwire.zre.logs import Collector
from zwire.zre.node import Busy, Node
from zwire.zre.options import Dialect, FullQueue, Options
from zwire.zre.peer import Alert, KnownPeer

__all__ = [
    "Alert",
    "Busy",
    "Collector",
    "Dialect",
    "FullQueue",
    "Gossip",
    "GossipOptions",
    "KnownPeer",
    "Node",
    "Options",
]
