"""A shared queue as people write it: zmq.proxy between a ROUTER for REQ clients and a DEALER."""

import sys

import zmq

BACK = sys.argv[1:]

context = zmq.Context()
front = context.socket(zmq.ROUTER)
front.bind("tcp://127.0.0.1:*")
back = context.socket(zmq.DEALER)
for endpoint in BACK:
    back.connect(endpoint)
print("front", front.getsockopt_string(zmq.LAST_ENDPOINT))
zmq.proxy(front, back)
