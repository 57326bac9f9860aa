"""The broker's engine among its sockets: what they receive goes in, what it orders goes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

import zmq

from zwire.core.broker import Broker as Engine
from zwire.core.effects import Assign, Beat, Dismiss, Effect, Reply, Tell
from zwire.core.state import Endpoint, Job
from zwire.dialects.speech import Ear, Spoken, ToClients, ToWorkers
from zwire.io.errors import Impostor, Malformed, UnknownPeer
from zwire.io.link import Link

Raw = Link[list[bytes]]
# Sends frames that may belong to a job, now: None when they went out, False when the peer's queue is
# full, True if it is gone.
Outlet: TypeAlias = Callable[[list[bytes], Job | None], bool | None]

BATCH = 200  # messages taken from one socket before the others have their turn
PROMPT = 16  # of them that are answered at once; what goes out after more is put together by peer


class Switch:
    """Carries messages between the sockets and the engine; it owns neither clock nor thread."""

    def __init__(self, engine: Engine, told: Callable[[Tell], None]) -> None:
        self.engine = engine
        self._told = told
        self._ears: dict[Raw, Ear] = {}
        self._to_clients: dict[Endpoint, tuple[Outlet, ToClients]] = {}
        self._to_workers: dict[Endpoint, tuple[Outlet, ToWorkers]] = {}

    def add(self, link: Raw, ear: Ear, address: str = "") -> None:
        """Let a socket speak through this ear's voices."""
        self._ears[link] = ear
        for endpoint, voice in ear.voices.items():
            if voice.clients is not None:
                outlet = self._outlet(link, address, voice.clients.said)
                self._to_clients[endpoint] = (outlet, voice.clients)
            if voice.workers is not None:
                outlet = self._outlet(link, address, voice.workers.said)
                self._to_workers[endpoint] = (outlet, voice.workers)

    def _outlet(self, link: Raw, address: str, said: Spoken) -> Outlet:
        push = link.push

        def send(frames: list[bytes], job: Job | None) -> bool | None:
            try:
                return None if push(frames) else False
            except (UnknownPeer, zmq.ZMQError):
                return True

        return send

    def drain(self, link: Raw, now: float) -> None:
        """Take what a socket has received, at most a batch."""
        ear = self._ears[link]
        hear, pull = ear.hear, link.pull
        ordered: list[Effect] = []
        # Where only clients speak, no more is taken than may be open: the rest waits in the socket.
        engine = self.engine
        room = BATCH if ear.shared else engine.limits.max_open - engine.open
        for turn in range(min(BATCH, room)):
            if turn == 1 and not link.has_next():
                break  # often one message comes alone
            try:
                frames = pull()
            except Malformed as error:
                self._refuse(ear, error, now)
                continue
            if frames is None:
                break
            effects = hear(frames, now)
            if turn < PROMPT:
                self.carry_out(effects, now)
            else:
                ordered += effects
        if ordered:
            self.carry_out(_by_peer(ordered), now)

    def _refuse(self, ear: Ear, error: Malformed, now: float) -> None:
        """A message that the socket itself refused: too many frames, somebody else's identity."""
        endpoint = next(iter(ear.voices))
        identity = error.peer or b""
        react = self.engine.usurp if isinstance(error, Impostor) else self.engine.misspeak
        self.carry_out(react(endpoint, identity, str(error), now), now)

    def carry_out(self, effects: Iterable[Effect], now: float) -> None:
        """Do what the engine ordered, and what it orders where something cannot be done."""
        turn = iter(effects)
        later: list[Iterator[Effect]] = (
            []
        )  # those put off until what arose from one of them is done
        while True:
            for effect in turn:
                kind = type(effect)
                if kind is Assign:
                    further = self._assign(effect, now)  # type: ignore[arg-type]
                elif kind is Reply:
                    further = self._reply(effect, now)  # type: ignore[arg-type]
                else:
                    further = self._rare(effect, now)
                if further:
                    later.append(turn)
                    turn = iter(further)
                    break
            else:
                if not later:
                    return
                turn = later.pop()

    def _assign(self, effect: Assign, now: float) -> Sequence[Effect]:
        worker = effect.worker
        if effect.job.worker is not worker:
            return ()  # taken back while this order waited: the worker turned out to be gone
        send, voice = self._to_workers[worker.endpoint]
        if send(voice.assign(worker, effect.job, effect.tag), effect.job) is None:
            return ()
        return self.engine.unsent(effect, now)

    def _reply(self, effect: Reply, now: float) -> Sequence[Effect]:
        client = effect.job.client
        if client.parked:
            return self.engine.undelivered(effect, False, now)
        send, voice = self._to_clients[client.endpoint]
        gone = send(voice.reply(effect.job, effect.body, effect.final), effect.job)
        if gone is None:
            return ()
        return self.engine.undelivered(effect, gone, now)

    def _rare(self, effect: Effect, now: float) -> Sequence[Effect]:
        if isinstance(effect, Tell):
            self._told(effect)
        elif isinstance(effect, Beat):
            worker = effect.worker
            send, voice = self._to_workers[worker.endpoint]
            if send(voice.beat(worker), None) is not None:
                return self.engine.vanish(worker.endpoint, worker.identity, now)
        elif isinstance(effect, Dismiss) and effect.endpoint in self._to_workers:
            send, voice = self._to_workers[effect.endpoint]
            frames = voice.dismiss(effect.identity)
            if frames:
                send(frames, None)  # who cannot be told is gone anyway
        return ()


def _by_peer(effects: Sequence[Effect]) -> Iterable[Effect]:
    """The same orders, those for one peer next to each other and in their order.

    libzmq's own thread is woken for a peer that has nothing to send; the rest of what goes to that
    peer then costs no further waking.
    """
    groups: dict[object, list[Effect]] = {}
    for effect in effects:
        kind = type(effect)
        if kind is Assign or kind is Beat:
            peer: object = effect.worker  # type: ignore[union-attr]
        elif kind is Reply:
            peer = effect.job.client  # type: ignore[union-attr]
        else:
            peer = id(effect)
        group = groups.get(peer)
        if group is None:
            groups[peer] = [effect]
        else:
            group.append(effect)
    return chain.from_iterable(groups.values())
