"""A worker of the package majortomo: a partial reply for every word of the request, then a final one."""

import sys

from majortomo import Worker

ENDPOINT, SERVICE = sys.argv[1:]

with Worker(ENDPOINT, SERVICE, heartbeat_interval=1.0, heartbeat_timeout=60.0) as worker:
    while True:
        client, body = worker.wait_for_request()
        print("got", b" ".join(body).decode())
        for word in body[0].split():
            worker.send_reply_partial(client, [word])
        worker.send_reply_final(client, [b"that is all"])
