"""A chat without a server: `python chat.py NAME`, on every machine of a network; lines you type are said.

`python chat.py NAME loopback 5670` keeps it on this machine, with beacons on another UDP port if you like.
"""

import sys
import threading

from zwire import Entered, Left, Node, NodeSettings, Shouted

ROOM = "chat"


def main(name: str, interface: str = "", port: str = "5670") -> None:
    settings = NodeSettings(interfaces=(interface,) if interface else (), port=int(port))
    with Node(name, groups=[ROOM], settings=settings) as node:
        threading.Thread(target=listen, args=(node,), daemon=True).start()
        for line in sys.stdin:
            node.shout(ROOM, line.rstrip("\n"))


def listen(node: Node) -> None:
    for event in node:
        match event:
            case Entered():
                print(f"{event.name} is here", flush=True)
            case Left():
                print(f"{event.name} has gone: {event.why.value}", flush=True)
            case Shouted():
                print(f"{event.name}: {event.content[0].decode()}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
