"""A Majordomo 0.1 worker as people write it: READY, heartbeats both ways, a new socket on silence."""

import sys
import time

import zmq

ENDPOINT, SERVICE = sys.argv[1:]
READY, REQUEST, REPLY, HEARTBEAT, DISCONNECT = (bytes([number]) for number in range(1, 6))
INTERVAL = 2.5
LIVENESS = 4

context = zmq.Context()


def connect() -> "zmq.Socket[bytes]":
    worker = context.socket(zmq.DEALER)
    worker.linger = 0
    worker.connect(ENDPOINT)
    worker.send_multipart([b"", b"MDPW01", READY, SERVICE.encode()])
    return worker


worker = connect()
liveness = LIVENESS
heartbeat_at = time.monotonic() + INTERVAL
while True:
    if worker.poll(int(INTERVAL * 1000)):
        liveness = LIVENESS
        empty, header, command, *rest = worker.recv_multipart()
        assert (empty, header) == (b"", b"MDPW01")
        if command == REQUEST:
            client, nothing, body = rest
            print("got", body.decode())
            worker.send_multipart([b"", b"MDPW01", REPLY, client, nothing, body.upper()])
        elif command == DISCONNECT:
            worker.close()
            worker = connect()
        else:
            assert command == HEARTBEAT, command
    else:
        liveness -= 1
        if liveness == 0:
            worker.close()
            worker = connect()
            liveness = LIVENESS
    if time.monotonic() >= heartbeat_at:
        worker.send_multipart([b"", b"MDPW01", HEARTBEAT])
        heartbeat_at = time.monotonic() + INTERVAL
