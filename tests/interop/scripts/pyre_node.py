"""A node of the package zeromq-pyre: does what it is told in JSON lines, and tells its events likewise.

It is given a port for beacons, its name, and perhaps its UUID; `network` has it look for an interface as
pyre does. Whispers that begin with `#` are counted and sent back, those with `=` are counted, and neither is
told, since there are many of them.
"""

import ipaddress
import json
import os
import sys
import uuid
from typing import Any

import zmq
from pyre import Pyre, PyreEvent
from pyre.zbeacon import ZBeacon

PORT, NAME, *REST = sys.argv[1:]


def on_loopback(beacon: Any) -> None:
    """What pyre would find out itself on a network; loopback it takes only with a multicast route."""
    beacon.address = beacon.network_address = ipaddress.ip_address("127.0.0.1")
    beacon.broadcast_address = ipaddress.ip_address("127.255.255.255")
    beacon.interface_name = "lo"


def tell(event: str, **facts: Any) -> None:
    sys.stdout.write(json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


def obey(node: Any, order: dict[str, Any]) -> None:
    match order:
        case {"do": "join", "group": group}:
            node.join(group)
        case {"do": "leave", "group": group}:
            node.leave(group)
        case {"do": "whisper", "peer": peer, "content": content}:
            node.whisper(uuid.UUID(peer), [one.encode() for one in content])
        case {"do": "chatter", "peer": peer, "count": count}:
            for number in range(count):
                node.whisper(uuid.UUID(peer), [b"%d" % number])
        case {"do": "shout", "group": group, "content": content}:
            node.shout(group, [one.encode() for one in content])
        case {"do": "peers"}:
            tell("PEERS", peers=[one.hex for one in node.peers()])
        case {"do": "stop"}:
            node.stop()
            sys.exit(0)
        case _:
            sys.exit(f"what is {order}?")


class Counter:
    """Counts messages that have to come in order."""

    def __init__(self) -> None:
        self.count = 0

    def take(self, node: Any, event: Any) -> None:
        content = event.msg[0]
        number = int(content[1:])
        if number != self.count:
            tell("DISORDER", expected=self.count, got=number)
        self.count += 1
        if content.startswith(b"#"):
            node.whisper(event.peer_uuid, event.msg)
        if self.count % 1000 == 0:
            tell("COUNTED", count=self.count)


def serve(node: Any) -> None:
    waiting, counter = b"", Counter()
    poller = zmq.Poller()
    poller.register(0, zmq.POLLIN)
    poller.register(node.socket(), zmq.POLLIN)
    while True:
        ready = dict(poller.poll())
        if node.socket() in ready:
            event = PyreEvent(node)
            if event.type == "WHISPER" and event.msg[0][:1] in (b"#", b"="):
                counter.take(node, event)
                continue
            tell(
                event.type,
                peer=event.peer_uuid.hex,
                name=event.peer_name,
                headers=event.headers,
                group=event.group,
                content=[one.hex() for one in event.msg or ()],
            )
        if 0 in ready:
            more = os.read(0, 65536)
            if not more:
                return
            *lines, waiting = (waiting + more).split(b"\n")
            for line in lines:
                obey(node, json.loads(line))


if "network" in REST:
    REST.remove("network")
else:
    ZBeacon._prepare_socket = on_loopback
if REST:
    uuid.uuid4 = lambda: uuid.UUID(REST[0])
node = Pyre(NAME)
node.set_port(PORT.encode())
node.set_header("X-KIND", "pyre")
node.start()
tell("started", uuid=node.uuid().hex, endpoint=node.endpoint())
serve(node)
