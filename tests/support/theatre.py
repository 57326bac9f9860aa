"""A broker without sockets: dialects around the engine, peers that speak plain frames.

Each peer here knows its dialect's words by heart, written out as octets, so that the stories judge
the dialects and do not repeat them.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from zwire.core.broker import Broker
from zwire.core.effects import Assign, Beat, Dismiss, Effect, Reply, Tell, What
from zwire.core.policy import Limits, ServiceRules
from zwire.core.state import Endpoint
from zwire.dialects.opening import open_emqp, open_mdp, open_mdpx, open_ppp
from zwire.dialects.speech import Ear, Voice

INTERVAL, LIVENESS = 1.0, 3.0


@dataclass
class Theatre:
    """One engine with all dialects, its frames out by receiver, and what it told."""

    rules: ServiceRules = field(default_factory=lambda: ServiceRules(max_redeliveries=2))
    limits: Limits = field(default_factory=Limits)
    now: float = 0.0
    told: list[Tell] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.engine = Broker(self.limits, self.rules)
        self.out: dict[bytes, deque[list[bytes]]] = defaultdict(deque)
        self.unreachable: set[bytes] = set()
        self.ears: dict[str, Ear] = {}
        self._voices: dict[Endpoint, Voice] = {}
        pace = (INTERVAL, LIVENESS)
        self._add("mdpx", open_mdpx(self.engine, "mdpx", *pace))
        self._add("ppp", open_ppp(self.engine, "ppp", "echo", *pace))
        self._add("emqp", open_emqp(self.engine, "emqp", *pace, False))
        self._add("emqp2", open_emqp(self.engine, "emqp2", *pace, True))
        self._add("mdp", open_mdp(self.engine, "mdp", *pace, False))
        self._add("mdp2", open_mdp(self.engine, "mdp2", *pace, True))

    def _add(self, name: str, ears: Sequence[Ear]) -> None:
        self.ears[f"{name} front"] = ears[0]
        self.ears[f"{name} back"] = ears[-1]
        for ear in ears:
            self._voices.update(ear.voices)

    def hear(self, ear: str, identity: bytes, *frames: bytes) -> None:
        """A peer says something at an ear."""
        self.carry_out(self.ears[ear].hear([identity, *frames], self.now))

    def carry_out(self, effects: Sequence[Effect]) -> None:
        waiting = deque(effects)
        while waiting:
            effect = waiting.popleft()
            match effect:
                case Assign(worker, job, tag) as order:
                    voice = self._voices[worker.endpoint].workers
                    assert voice is not None
                    if worker.identity in self.unreachable:
                        waiting.extendleft(reversed(self.engine.unsent(order, self.now)))
                    else:
                        self._send(voice.assign(worker, job, tag))
                case Reply(job, body, final):
                    to_clients = self._voices[job.client.endpoint].clients
                    assert to_clients is not None
                    self._send(to_clients.reply(job, body, final))
                case Beat(worker):
                    voice = self._voices[worker.endpoint].workers
                    assert voice is not None
                    self._send(voice.beat(worker))
                case Dismiss(endpoint, identity):
                    voice = self._voices[endpoint].workers
                    if voice is not None and (frames := voice.dismiss(identity)):
                        self._send(frames)
                case Tell():
                    self.told.append(effect)

    def _send(self, frames: list[bytes]) -> None:
        self.out[frames[0]].append(frames[1:])

    def wait(self, seconds: float) -> None:
        """Let time pass, telling the engine whenever it asked for it."""
        end = self.now + seconds
        while (at := self.engine.next_deadline()) is not None and at <= end:
            self.now = max(self.now, at)
            self.carry_out(self.engine.tick(self.now))
        self.now = end

    def happenings(self, what: What) -> list[Tell]:
        return [told for told in self.told if told.what is what]


class Peer:
    """Somebody at an ear."""

    ear = ""

    def __init__(self, theatre: Theatre, identity: bytes) -> None:
        self.theatre = theatre
        self.identity = identity

    def say(self, *frames: bytes) -> None:
        self.theatre.hear(self.ear, self.identity, *frames)

    def next(self) -> list[bytes] | None:
        """The next message that came for this peer."""
        messages = self.theatre.out[self.identity]
        return messages.popleft() if messages else None

    @property
    def nothing(self) -> bool:
        return not self.theatre.out[self.identity]


class Asker(Peer):
    """A client: asks, and reads replies as (id, body, final)."""

    ids = True
    partials = False

    def ask(self, body: bytes, request_id: bytes = b"id") -> None:
        raise AssertionError

    def answer(self) -> tuple[list[bytes], bool]:
        """The body of the next reply, and whether it is the final one."""
        raise AssertionError


class Server(Peer):
    """A worker: registers, reads requests, answers."""

    partials = False
    dismissible = True

    def ready(self) -> None:
        raise AssertionError

    def task(self) -> tuple[object, list[bytes]]:
        """What to answer with, and the body, of the next request."""
        raise AssertionError

    def reply(self, tag: object, *body: bytes, final: bool = True) -> None:
        raise AssertionError

    def beat(self) -> None:
        raise AssertionError

    def is_goodbye(self, frames: list[bytes] | None) -> bool:
        raise AssertionError

    def leave(self) -> None:
        raise AssertionError
