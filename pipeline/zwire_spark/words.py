"""What the commands of each dialect mean in one vocabulary: requests, replies, signs of life.

On either side of a broker there are the same acts, whatever a dialect calls them: a *request*, its
*partial* and *final* reply; and from a worker *ready* (it registers), *offer* (it can take one
more), *heartbeat* and *disconnect*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

CLIENT, WORKER = "client", "worker"  # the sides of a broker

REQUEST, PARTIAL, FINAL = "request", "partial", "final"
READY, OFFER, HEARTBEAT, DISCONNECT = "ready", "offer", "heartbeat", "disconnect"


@dataclass(frozen=True, slots=True)
class Words:
    """One part of a protocol: who says what in which sense, and the fields that tell more."""

    protocol: str
    part: str
    side: str
    acts: Mapping[tuple[str, str], str]
    """Act by role and command. A command said by the wrong role is no act."""
    key: tuple[str, ...] = ()
    """The fields by which a reply is known to belong to its request; without: its place in order."""
    id: str = ""
    """The field that people would look for; of several addresses the first."""
    service: str = ""

    @property
    def name(self) -> str:
        return f"{self.protocol}.{self.part}"


def _client_side(
    asks: str, answers: str, *, streamed: bool, final: str
) -> dict[tuple[str, str], str]:
    acts = {(asks, "REQUEST"): REQUEST, (answers, final): FINAL}
    if streamed:
        acts[answers, "PARTIAL"] = PARTIAL
    return acts


def _worker_side(
    asks: str,
    *,
    streamed: bool,
    final: str,
    registers: str = "READY",
    beats: tuple[str, str] = ("HEARTBEAT", "HEARTBEAT"),
) -> dict[tuple[str, str], str]:
    acts = {
        ("worker", registers): READY,
        (asks, "REQUEST"): REQUEST,
        ("worker", final): FINAL,
        ("worker", beats[0]): HEARTBEAT,
        (asks, beats[1]): HEARTBEAT,
    }
    if streamed:
        acts["worker", "PARTIAL"] = PARTIAL
    return acts


def _goodbyes(*commands: str) -> dict[tuple[str, str], str]:
    return {(role, command): DISCONNECT for role in ("worker", "broker") for command in commands}


WORDS = (
    Words(
        "mdpx",
        "client",
        CLIENT,
        _client_side("client", "broker", streamed=True, final="FINAL"),
        key=("request_id",),
        id="request_id",
        service="service",
    ),
    Words(
        "mdpx",
        "worker",
        WORKER,
        {
            **_worker_side("broker", streamed=True, final="FINAL", beats=("PING", "PONG")),
            **_goodbyes("DISCONNECT", "DISCONNECT-MDPW02"),
        },
        key=("client_address", "request_id"),
        id="request_id",
        service="service",
    ),
    Words(
        "mdp01",
        "client",
        CLIENT,
        _client_side("client", "broker", streamed=False, final="REPLY"),
        service="service",
    ),
    Words(
        "mdp01",
        "worker",
        WORKER,
        {**_worker_side("broker", streamed=False, final="REPLY"), **_goodbyes("DISCONNECT")},
        key=("client_address",),
        service="service",
    ),
    Words(
        "mdp02",
        "client",
        CLIENT,
        _client_side("client", "broker", streamed=True, final="FINAL"),
        service="service",
    ),
    Words(
        "mdp02",
        "worker",
        WORKER,
        {**_worker_side("broker", streamed=True, final="FINAL"), **_goodbyes("DISCONNECT")},
        key=("client_address",),
        service="service",
    ),
    Words(
        "emqp",
        "client",
        CLIENT,
        _client_side("client", "broker", streamed=False, final="REPLY"),
        key=("msgid",),
        id="msgid",
        service="queue_name",
    ),
    Words(
        "emqp",
        "worker",
        WORKER,
        {
            **_worker_side("broker", streamed=False, final="REPLY", registers="INFORM"),
            ("worker", "READY"): OFFER,
            **_goodbyes("DISCONNECT"),
        },
        key=("msgid",),
        id="msgid",
        service="queue_name",
    ),
    # A queue speaks to its workers as their client does.
    Words(
        "ppp",
        "messages",
        WORKER,
        _worker_side("client", streamed=False, final="REPLY"),
        key=("stack",),
        id="stack",
    ),
    Words(
        "reqrep",
        "rep",
        CLIENT,
        {
            **_client_side("req", "rep", streamed=False, final="REPLY"),
            ("dealer", "REQUEST"): REQUEST,
        },
        key=("envelope",),
        id="envelope",
    ),
    Words(
        "reqrep",
        "req",
        CLIENT,
        {
            **_client_side("req", "rep", streamed=False, final="REPLY"),
            ("router", "REPLY"): FINAL,
        },
    ),
)

STACKS = frozenset({"stack", "envelope"})
"""Fields that hold several addresses."""


REQUEST_EVENTS = {
    "request expired": "expired",
    "request failed": "failed",
    "request refused": "refused",
    "client gone": "gone",
    "no answer": "lost",
    "late reply discarded": "late",
    "request redelivered": "redelivered",
    "finished request repeated": "repeated",
}
"""What a broker tells of a request, or a client that gave up waiting."""

WORKER_EVENTS = {"worker left": "left", "worker lost": "lost", "worker dismissed": "dismissed"}
"""How the broker tells that a worker is gone."""

MESH = ("zre", "zre36")
"""The protocols of nodes that greet each other; their messages are in the part `messages`."""

ENTERED, LEFT = "entered", "left"
"""How a node tells that a peer came, and that it is gone."""

CONNECTED = "worker"
"""How a worker tells that it begins anew with another socket."""
