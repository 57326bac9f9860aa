"""A Majordomo 0.1 client that sends many requests at once over one DEALER socket."""

import sys

import zmq

ENDPOINT, SERVICE, COUNT = sys.argv[1:]

context = zmq.Context()
client = context.socket(zmq.DEALER)
client.linger = 0
client.connect(ENDPOINT)
for number in range(int(COUNT)):
    client.send_multipart([b"", b"MDPC01", SERVICE.encode(), b"request %d" % number])
got: list[str] = []
while len(got) < int(COUNT):
    if not client.poll(60_000):
        sys.exit("no reply")
    empty, header, service, body = client.recv_multipart()
    assert (empty, header, service) == (b"", b"MDPC01", SERVICE.encode())
    got.append(body.decode())
print("replies", len(set(got)))
client.close()
context.term()
