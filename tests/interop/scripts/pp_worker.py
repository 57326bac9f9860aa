"""A "paranoid pirate" worker: READY and HEARTBEAT in single octets, requests sent back as they came."""

import sys
import time

import zmq

ENDPOINT = sys.argv[1]
READY, HEARTBEAT = b"\x01", b"\x02"
INTERVAL = 0.5
LIVENESS = 6

context = zmq.Context()


def connect() -> "zmq.Socket[bytes]":
    worker = context.socket(zmq.DEALER)
    worker.linger = 0
    worker.connect(ENDPOINT)
    worker.send(READY)
    return worker


worker = connect()
liveness = LIVENESS
heartbeat_at = time.monotonic() + INTERVAL
while True:
    if worker.poll(int(INTERVAL * 1000)):
        frames = worker.recv_multipart()
        liveness = LIVENESS
        if len(frames) == 1 and frames[0] == HEARTBEAT:
            print("heartbeat")
        else:
            print("normal reply", frames[-1].decode())
            worker.send_multipart(frames)
    else:
        liveness -= 1
        if liveness == 0:
            worker.close()
            worker = connect()
            liveness = LIVENESS
    if time.monotonic() > heartbeat_at:
        heartbeat_at = time.monotonic() + INTERVAL
        worker.send(HEARTBEAT)
