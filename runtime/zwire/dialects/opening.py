"""Open endpoints of the engine in a dialect: rules, voices and ears for each of its sockets."""

from __future__ import annotations

from collections.abc import Sequence

from zwire.core.broker import Broker
from zwire.core.effects import Effect
from zwire.core.policy import (
    Again,
    BeatStyle,
    ClientRules,
    Correlate,
    EndpointRules,
    Heartbeat,
    Unexpected,
    WorkerRules,
)
from zwire.core.state import Endpoint
from zwire.dialects import emqp, majordomo, ppp
from zwire.dialects import majordomo_words as words
from zwire.dialects.speech import Ear, Frames, Speech, Voice


def open_mdpx(broker: Broker, name: str, interval: float, liveness: float) -> tuple[Ear, Ear]:
    """MDPX: a front end and a back end, as its text asks."""
    front = broker.open_endpoint(
        EndpointRules(f"{name} front", "mdpx", clients=ClientRules(mmi=True))
    )
    back = broker.open_endpoint(
        EndpointRules(
            f"{name} back",
            "mdpx",
            workers=WorkerRules(Heartbeat(interval, liveness, BeatStyle.ANSWER)),
        )
    )
    clients = majordomo.ClientSpeech(broker, front, words.MDPX_CLIENT)
    workers = majordomo.WorkerSpeech(broker, back, words.MDPX_WORKER)
    return (
        Ear(clients.hear, {front: Voice(clients=clients)}, lambda _: clients),
        Ear(workers.hear, {back: Voice(workers=workers)}, lambda _: workers),
    )


def open_ppp(
    broker: Broker, name: str, service: str, interval: float, liveness: float
) -> tuple[Ear, Ear]:
    """PPP: a front end for 28/REQREP clients, a back end for workers, all of one service."""
    front = broker.open_endpoint(
        EndpointRules(f"{name} front", "ppp", clients=ClientRules(has_ids=False, partials=False))
    )
    clients = ppp.ClientSpeech(broker, front, service.encode())
    return (
        Ear(clients.hear, {front: Voice(clients=clients)}, lambda _: clients),
        open_ppp_workers(broker, f"{name} back", service, interval, liveness),
    )


def open_ppp_workers(
    broker: Broker, name: str, service: str, interval: float, liveness: float
) -> Ear:
    """The workers' side of PPP alone: also what a client without a queue needs."""
    back = broker.open_endpoint(
        EndpointRules(
            name,
            "ppp",
            workers=WorkerRules(
                Heartbeat(interval, liveness, BeatStyle.STEADY),
                correlate=Correlate.MINTED,
                can_dismiss=False,
                strangers=Unexpected.IGNORE,
                unexpected=Unexpected.IGNORE,
                again=Again.RESTART,
            ),
        )
    )
    workers = ppp.WorkerSpeech(broker, back, service.encode())
    return Ear(workers.hear, {back: Voice(workers=workers)}, lambda _: workers)


def open_emqp(
    broker: Broker, name: str, interval: float, liveness: float, two_sockets: bool
) -> tuple[Ear, ...]:
    """eMQP: all of it on one socket, or clients and workers apart."""
    client_rules = ClientRules(partials=False, body_frames=1)
    worker_rules = WorkerRules(
        Heartbeat(interval, liveness, BeatStyle.QUIET),
        correlate=Correlate.ID,
        offers_slots=True,
        body_frames=1,
        strangers=Unexpected.IGNORE,
        again=Again.RESTART,
        deaf_for=0.0,
    )
    if two_sockets:
        front = broker.open_endpoint(EndpointRules(f"{name} front", "emqp", clients=client_rules))
        back = broker.open_endpoint(EndpointRules(f"{name} back", "emqp", workers=worker_rules))
        clients = emqp.ClientSpeech(broker, front)
        workers = emqp.WorkerSpeech(broker, back)
        return (
            Ear(clients.hear, {front: Voice(clients=clients)}, lambda _: clients),
            Ear(workers.hear, {back: Voice(workers=workers)}, lambda _: workers),
        )
    both = broker.open_endpoint(EndpointRules(name, "emqp", client_rules, worker_rules))
    clients, workers = emqp.ClientSpeech(broker, both), emqp.WorkerSpeech(broker, both)

    def speech(frames: Frames) -> Speech:
        return workers if emqp.says_worker(frames) else clients

    def hear(frames: Frames, now: float) -> Sequence[Effect]:
        return speech(frames).hear(frames, now)

    return (Ear(hear, {both: Voice(clients, workers)}, speech),)


def open_mdp(
    broker: Broker, name: str, interval: float, liveness: float, two_sockets: bool
) -> tuple[Ear, ...]:
    """MDP 0.1, 0.2 and majortomo's variant, told apart by what stands before the command."""
    sides = [
        _Majordomo(broker, f"{name} 0.1", "mdp01", words.MDP01_CLIENT, words.MDP01_WORKER),
        _Majordomo(broker, f"{name} 0.2", "mdp02", words.MDP02_CLIENT, words.MDP02_WORKER),
        _Majordomo(broker, f"{name} mt", "mdp02", words.MAJORTOMO_CLIENT, words.MAJORTOMO_WORKER),
    ]
    heartbeat = Heartbeat(interval, liveness, BeatStyle.QUIET)
    if not two_sockets:
        return (_many(sides, heartbeat, clients=True, workers=True),)
    return (
        _many(sides, heartbeat, clients=True, workers=False),
        _many(sides, heartbeat, clients=False, workers=True),
    )


class _Majordomo:
    """One of the dialects that share a socket."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        family: str,
        clients: majordomo.ClientWords,
        workers: majordomo.WorkerWords,
    ) -> None:
        self._broker = broker
        self._name = name
        self._family = family
        self._clients = clients
        self._workers = workers

    def open(
        self, heartbeat: Heartbeat, clients: bool, workers: bool, beside: Endpoint | None
    ) -> tuple[Endpoint, Voice, dict[tuple[bytes, ...], Speech]]:
        """An endpoint with its voice, and the heads by which its messages are known."""
        side = "" if clients and workers else " front" if clients else " back"
        rules = EndpointRules(
            self._name + side,
            self._family,
            (
                ClientRules(has_ids=False, partials=bool(self._clients.partial), mmi=True)
                if clients
                else None
            ),
            WorkerRules(heartbeat, correlate=Correlate.CLIENT) if workers else None,
        )
        endpoint = self._broker.open_endpoint(rules, beside)
        asking = majordomo.ClientSpeech(self._broker, endpoint, self._clients)
        serving = majordomo.WorkerSpeech(self._broker, endpoint, self._workers)
        heads: dict[tuple[bytes, ...], Speech] = {}
        if clients:
            # Without the command: a wrong one is the dialect's to refuse.
            heads[self._clients.request[: len(self._workers.head)]] = asking
        if workers:
            heads[self._workers.head] = serving
        return endpoint, Voice(asking if clients else None, serving if workers else None), heads


def _many(
    sides: Sequence[_Majordomo], heartbeat: Heartbeat, *, clients: bool, workers: bool
) -> Ear:
    """One ear for several dialects at one socket; what none of them knows is nonsense."""
    voices: dict[Endpoint, Voice] = {}
    heads: dict[tuple[bytes, ...], Speech] = {}
    first: Endpoint | None = None
    for side in sides:
        endpoint, voice, known = side.open(heartbeat, clients, workers, first)
        first = first or endpoint
        voices[endpoint] = voice
        heads.update(known)
    stranger = next(iter(heads.values()))

    def speech(frames: Frames) -> Speech:
        head = (b"", frames[2]) if len(frames) > 2 and not frames[1] else tuple(frames[1:2])
        return heads.get(head, stranger)

    def hear(frames: Frames, now: float) -> Sequence[Effect]:
        return speech(frames).hear(frames, now)

    return Ear(hear, voices, speech)
