"""A "lazy pirate": a REQ client that gives up on a silent queue and asks again on a new socket."""

import sys

import zmq

ENDPOINT, COUNT = sys.argv[1:]
TRIES = 4

context = zmq.Context()


def connect() -> "zmq.Socket[bytes]":
    client = context.socket(zmq.REQ)
    client.linger = 0
    client.connect(ENDPOINT)
    return client


client = connect()
for number in range(1, int(COUNT) + 1):
    request = str(number).encode()
    for _ in range(TRIES):
        client.send(request)
        if client.poll(20_000):
            reply = client.recv()
            assert int(reply) == number, reply
            print("server replied OK", number)
            break
        client.close()
        client = connect()
    else:
        sys.exit("server seems to be offline")
client.close()
context.term()
