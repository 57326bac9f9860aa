"""A Majordomo 0.1 client as people write it: a REQ socket, closed and opened again on silence."""

import sys

import zmq

ENDPOINT, SERVICE, *BODIES = sys.argv[1:]
TIMEOUT = 20_000
TRIES = 4

context = zmq.Context()


def connect() -> "zmq.Socket[bytes]":
    client = context.socket(zmq.REQ)
    client.linger = 0
    client.connect(ENDPOINT)
    return client


client = connect()
for body in BODIES:
    for _ in range(TRIES):
        client.send_multipart([b"MDPC01", SERVICE.encode(), body.encode()])
        if client.poll(TIMEOUT):
            header, service, *reply = client.recv_multipart()
            assert header == b"MDPC01", header
            assert service == SERVICE.encode(), service
            print("reply", b" ".join(reply).decode())
            break
        client.close()
        client = connect()
    else:
        sys.exit("no reply")
client.close()
context.term()
