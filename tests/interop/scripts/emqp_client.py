"""An eMQP client written from the document's tables alone."""

import sys
import uuid

import zmq

ENDPOINT, QUEUE, *BODIES = sys.argv[1:]

context = zmq.Context()
client = context.socket(zmq.DEALER)
client.linger = 0
client.connect(ENDPOINT)
waiting = {}
for body in BODIES:
    message_id = str(uuid.uuid4()).encode()
    waiting[message_id] = body
    client.send_multipart(
        [b"", b"eMQP/1.0", b"REQUEST", message_id, QUEUE.encode(), b"guarantee", body.encode()]
    )
while waiting:
    if not client.poll(60_000):
        sys.exit("no reply")
    empty, version, command, message_id, reply = client.recv_multipart()
    assert (empty, version, command) == (b"", b"eMQP/1.0", b"REPLY")
    print("reply to", waiting.pop(message_id), "is", reply.decode())
client.close()
context.term()
