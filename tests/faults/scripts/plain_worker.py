"""An MDPX worker on a plain socket, which says exactly what it is told and tells all that it hears.

It takes a request and waits for a signal; then it answers, late, and asks twice for a sign of life.
Dismissed, it registers anew, and after its next request it tells what else it heard under its old
name. It does not end by itself.
"""

import signal
import sys

import zmq

HEAD, READY, REQUEST, FINAL, DISCONNECT = b"MDXW01", b"\x01", b"\x02", b"\x04", b"\x06"
Socket = zmq.Socket[bytes]

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
context: zmq.Context[Socket] = zmq.Context()


def say(worker: Socket, *words: bytes) -> None:
    worker.send_multipart([HEAD, *words])


def take() -> tuple[Socket, list[bytes]]:
    """Register and stay alive until a request comes; anew if the broker has missed us."""
    while True:
        worker = context.socket(zmq.DEALER)
        worker.linger = 0
        worker.connect(sys.argv[1])
        say(worker, READY, b"echo")
        command = b""
        while command not in (REQUEST, DISCONNECT):
            if not worker.poll(100):
                say(worker, b"PING")
                continue
            _, command, *rest = worker.recv_multipart()
        if command == REQUEST:
            return worker, rest
        worker.close()


old, (*address, body) = take()
print("took", body.decode())
signal.sigwait({signal.SIGUSR1})
say(old, FINAL, *address, b"late")
say(old, b"PING")
say(old, b"PING")
dismissed = False
while not dismissed:
    dismissed = old.recv_multipart()[1] == DISCONNECT
print("dismissed")
# A broker that missed us again before our answer came has given the request back: once more, then.
while True:
    new, (*address, body) = take()
    say(new, FINAL, *address, b"anew")
    print("heard afterwards:", old.poll(0))
    while new.poll(100) == 0 or new.recv_multipart()[1] != DISCONNECT:
        say(new, b"PING")
    new.close()
