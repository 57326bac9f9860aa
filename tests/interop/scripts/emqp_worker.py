"""An eMQP worker written from the document's tables alone, with two slots."""

import sys
import time
import uuid

import zmq

ENDPOINT, QUEUES = sys.argv[1:]
INTERVAL = 1.0

context = zmq.Context()
worker = context.socket(zmq.DEALER)
worker.linger = 1000
worker.connect(ENDPOINT)


def say(command: bytes, *rest: bytes) -> None:
    worker.send_multipart([b"", b"eMQP/1.0", command, *rest])


def new_id() -> bytes:
    return str(uuid.uuid4()).encode()


say(b"INFORM", new_id(), QUEUES.encode())
say(b"READY", new_id())
say(b"READY", new_id())
heartbeat_at = time.monotonic() + INTERVAL
while True:
    if worker.poll(int(INTERVAL * 1000)):
        empty, version, command, message_id, *rest = worker.recv_multipart()
        assert (empty, version) == (b"", b"eMQP/1.0")
        if command == b"REQUEST":
            queue, headers, body = rest
            print("got", queue.decode(), headers.decode(), body.decode())
            say(b"REPLY", message_id, body.upper())
            if body == b"the last one":
                say(b"DISCONNECT", new_id())
                break
            say(b"READY", new_id())
        elif command == b"DISCONNECT":
            break
        else:
            assert command == b"HEARTBEAT", command
    if time.monotonic() >= heartbeat_at:
        say(b"HEARTBEAT", new_id())
        heartbeat_at = time.monotonic() + INTERVAL
worker.close()
context.term()
