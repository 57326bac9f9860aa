"""A node in a process of its own that echoes what friends whisper, and tells how it fares when asked."""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from zwire import Left, Node, NodeOptions, NodeSettings, Whispered


def main(port: int, descriptors: int) -> None:
    """Run until the input ends; each line of it is answered with a JSON object."""
    if descriptors:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    options = NodeOptions(max_peers=500)
    settings = NodeSettings(interfaces=("loopback",), port=port, options=options)
    told: Counter[str] = Counter()
    lost: list[str] = []  # friends who left
    with Node("target", groups=["tea"], settings=settings) as node:
        answer(started=True, uuid=node.uuid.hex, endpoint=node.endpoint)
        threading.Thread(target=echo, args=(node, told, lost), daemon=True).start()
        for _ in sys.stdin:
            threads = threading.active_count()
            files = len(list(Path("/proc/self/fd").iterdir()))
            answer(
                statistics=node.statistics(),
                told=told,
                lost=lost,
                peers=len(node.peers()),
                memory=memory(),
                threads=threads,
                descriptors=files,
            )


def echo(node: Node, told: Counter[str], lost: list[str]) -> None:
    for event in node:
        told[type(event).__name__] += 1
        if isinstance(event, Whispered) and event.name == "friend":
            node.whisper(event.peer, *event.content)
        elif isinstance(event, Left) and event.name == "friend":
            lost.append(str(event.why))


def memory() -> int:
    """Octets of memory that this process has in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def answer(**facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
