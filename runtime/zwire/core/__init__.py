"""Engines: they are told facts and the time, and return decisions.

Three engines serve all dialects. `Broker` switches requests between clients and workers, `Asking` is a
client's side and `Serving` a worker's. None of them owns a socket, a clock, a thread or a log; what
differs between protocols reaches them as values (`policy`).

A dialect turns frames into facts and orders into frames; a shell owns the sockets:

    broker = Broker(Limits(), ServiceRules(credit=4))
    front = broker.open_endpoint(EndpointRules("front", "mdpx", clients=ClientRules(mmi=True)))
    back = broker.open_endpoint(EndpointRules("back", "mdpx", workers=WorkerRules()))
    for effect in broker.receive(Requested(front, b"client", b"echo", b"id", [b"hello"]), now):
        match effect:
            case Assign(worker, job, tag): ...   # a REQUEST to worker.identity at worker.endpoint
            case Reply(job, body, final): ...    # to job.client.identity at job.client.endpoint
            case Beat(worker): ...               # a heartbeat, or the answer to one
            case Dismiss(endpoint, identity): ...
            case Tell(): ...                     # a log line; broker.statistics has counted it
    wake_at = broker.next_deadline()             # then: broker.tick(now)

Each kind of event has a method of the same effect that takes its fields and the time (`request`,
`reply`, `register`, `offer`, `pulse`, `depart`, `stray`, `misspeak`, `vanish`), which spares a busy
shell the making of event objects.

What a shell owes the broker:

* It carries out effects in their order, before it brings the next fact.
* A reply that cannot be sent goes to `undelivered`; so does, untried, every reply for a client whose
  `parked` is not empty.
* A worker that cannot be sent to is reported by `vanish`, and by `unsent` if it should have got a job.
  What that orders follows the effects at hand, of which those for the lost worker are left out.
* While `paused` is true it leaves the sockets unread that carry no workers.
* When it wakes late it empties its sockets before `tick`, or says `drained=False`.

A client that speaks to workers without a broker in between puts a `Broker` of its own behind its
socket and is that broker's one client.
"""

from zwire.core.asking import Asking
from zwire.core.broker import Broker
from zwire.core.policy import (
    Again,
    AskingRules,
    Backoff,
    BeatStyle,
    ClientRules,
    Correlate,
    EndpointRules,
    Heartbeat,
    Limits,
    ServiceRules,
    ServingRules,
    Unexpected,
    WorkerRules,
)
from zwire.core.serving import Serving

__all__ = [
    "Again",
    "Asking",
    "AskingRules",
    "Backoff",
    "BeatStyle",
    "Broker",
    "ClientRules",
    "Correlate",
    "EndpointRules",
    "Heartbeat",
    "Limits",
    "ServiceRules",
    "Serving",
    "ServingRules",
    "Unexpected",
    "WorkerRules",
]
