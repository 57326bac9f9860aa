"""The server of every first example: a REP socket that answers in capitals."""

import zmq

context = zmq.Context()
server = context.socket(zmq.REP)
server.bind("tcp://127.0.0.1:*")
print("serves at", server.getsockopt_string(zmq.LAST_ENDPOINT))
while True:
    server.send(server.recv().upper())
