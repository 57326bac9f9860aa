"""A client of the package majortomo: asks, and prints the parts of each reply."""

import sys

from majortomo import Client

ENDPOINT, SERVICE, *BODIES = sys.argv[1:]

with Client(ENDPOINT) as client:
    for body in BODIES:
        client.send(SERVICE, body.encode(), b"second frame")
        for part in client.recv_all(timeout=60):
            print("part", b" ".join(part).decode())
