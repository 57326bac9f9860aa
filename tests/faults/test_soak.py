"""A soak: all dialects under load while workers are killed; nothing is lost and memory stays flat."""

from __future__ import annotations

import time
from concurrent.futures import Future
from random import Random

import pytest

from support.fleet import DIALECTS, LONG, SOAK, Fleet, progress
from zwire import Client, Reply

pytestmark = [pytest.mark.process, pytest.mark.timeout(7200)]

SECONDS = 30 * 60  # of the full soak; the normal run has a number of rounds instead
ROUNDS = 12
BURST = 12  # requests of each client in a round
KILL_EVERY = 300 if SOAK else 6  # rounds
# When memory is first looked at: the broker has then filled what it keeps for a while (clients for a
# minute, ended ids up to a number).
WARM_SECONDS, WARM_ROUNDS = 6 * 60, 4
LARGEST = 4_000  # octets of a body
GROWTH = 32 * 1024 * 1024  # octets; a leak of a hundred octets a request shows in the full soak


def test_a_soak_loses_nothing_and_memory_stays_flat(fleet: Fleet) -> None:
    broker = fleet.broker()
    random = Random(1)
    workers = [fleet.echo(broker.places[name]) for name in DIALECTS]
    clients = {name: fleet.client(broker.places[name]) for name in DIALECTS}
    began = time.monotonic()
    rounds = kills = memory = 0
    while (time.monotonic() < began + SECONDS) if SOAK else (rounds < ROUNDS):
        ask_a_burst(clients, random)
        rounds += 1
        warm = time.monotonic() > began + WARM_SECONDS if SOAK else rounds >= WARM_ROUNDS
        if warm and not memory:
            memory = broker.memory
        if rounds % KILL_EVERY == 0:
            index = kills % len(DIALECTS)
            workers[index].kill()
            workers[index] = fleet.echo(broker.places[DIALECTS[index]])
            kills += 1
            total = rounds * BURST * len(DIALECTS)
            progress(f"{total} answered, {kills} kills, {broker.memory // 1024} KiB")
        if rounds % 5 == 0:
            # Clients come and go as well.
            name = random.choice(DIALECTS)
            clients[name].close()
            clients[name] = fleet.client(broker.places[name])
    grown = broker.memory - memory
    assert grown < GROWTH
    counts = broker.end()
    assert counts["answered"] >= rounds * BURST * len(DIALECTS)
    assert counts["request failed"] == counts["request expired"] == 0


def ask_a_burst(clients: dict[str, Client], random: Random) -> None:
    """Each client asks a number of things at once and gets each of them back."""
    asked: list[tuple[bytes, Future[Reply]]] = []
    for client in clients.values():
        for _ in range(BURST):
            body = random.randbytes(random.randint(1, LARGEST))
            asked.append((body, client.submit("echo", body)))
    for body, future in asked:
        assert future.result(LONG).body == (body,)
