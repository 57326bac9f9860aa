"""Which requests the broker accepts: bounds on clients and requests, and the reasons to refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zwire.core.dispatch import NEVER
from zwire.core.effects import NOTHING, Effect, What
from zwire.core.mmi import PREFIX
from zwire.core.policy import Limits, ServiceRules
from zwire.core.roster import Roster
from zwire.core.state import Client, Endpoint, Service


class Admission(Roster):
    """The clients, and the door at which a request is refused before it is accepted."""

    def __init__(
        self, limits: Limits, default: ServiceRules, rules: Mapping[bytes, ServiceRules]
    ) -> None:
        super().__init__(limits, default, rules)
        self._draining = False
        self._sweep_at = NEVER
        self._next_sweep = -NEVER

    # Requests

    def _excess(self, client: Client, line: Service, body: Sequence[bytes]) -> str:
        """Why a request cannot be accepted now, or nothing."""
        limits = self.limits
        if len(client.jobs) >= limits.max_open_per_client:
            return "too many open requests of this client"
        # A socket without workers is paused by the shell; what it has read already is taken.
        mark = limits.max_open if client.endpoint.shared else 2 * limits.max_open
        if self.open >= mark:
            return "too many open requests"
        if line.queue.count >= line.rules.max_queued:
            return "too many requests for this service"
        if line.picky and all(worker.frames not in (None, len(body)) for worker in line.workers):
            return "unbridgeable: no worker's dialect can carry the body"
        return ""

    def _refuse_newcomer(
        self,
        endpoint: Endpoint,
        identity: bytes,
        service: bytes,
        request_id: bytes | None,
        now: float,
    ) -> Sequence[Effect] | None:
        """What meets a request that must not get further; None lets it pass."""
        rules = endpoint.rules.clients
        if rules is None:
            return self.misspeak(endpoint, identity, "a request where no clients are served", now)
        if endpoint.shunned.holds(identity, now):
            self.statistics.ignored += 1
            return NOTHING
        client = endpoint.clients.get(identity)
        if self._draining and not (client is not None and request_id in client.jobs):
            return self._refuse(endpoint, identity, service, request_id, "the broker is stopping")
        if client is None and not self._room_for_client(now):
            return self._refuse(endpoint, identity, service, request_id, "too many clients")
        if service.startswith(PREFIX) and not rules.mmi:
            return self._refuse(endpoint, identity, service, request_id, "a reserved name")
        return None

    def _refuse(
        self,
        endpoint: Endpoint,
        identity: bytes,
        service: bytes,
        request_id: bytes | None,
        why: str,
    ) -> Sequence[Effect]:
        return [
            self._tell(
                What.REFUSED,
                endpoint=endpoint.name,
                peer=identity,
                service=service,
                request_id=request_id or b"",
                why=why,
            )
        ]

    # Clients

    def _room_for_client(self, now: float) -> bool:
        """Whether one more client may be remembered, after forgetting idle ones if need be."""
        if self._client_fits():
            return True
        if now < self._next_sweep:
            return False
        before = self.client_count
        self._sweep(now, NEVER)
        # A sweep that freed little is not repeated at once: a flood must not make it run for ever.
        freed = before - self.client_count
        self._next_sweep = now if freed * 4 >= before else now + 1.0
        return self._client_fits()

    def _client_fits(self) -> bool:
        limits = self.limits
        return (
            self.client_count < limits.max_clients
            and self.client_count + self.worker_count < limits.max_peers
        )

    def _require_client(self, endpoint: Endpoint, identity: bytes, now: float) -> Client:
        rules = endpoint.rules.clients
        assert rules is not None
        client = endpoint.shunned.forgive(identity)
        if client is None or client.endpoint is not endpoint:  # known in another dialect
            client = Client(endpoint, identity, rules, now)
        endpoint.clients[identity] = client
        self.client_count += 1
        self._sweep_at = min(self._sweep_at, now + self.limits.client_memory)
        return client

    def _sweep(self, now: float, seen_before: float) -> None:
        """Forget the clients that have nothing open and were last seen before that time."""
        for endpoint in self.endpoints:
            idle = [
                client.identity
                for client in endpoint.clients.values()
                if not client.jobs and not client.parked and client.seen < seen_before
            ]
            for identity in idle:
                del endpoint.clients[identity]
            self.client_count -= len(idle)
        memory = self.limits.client_memory
        self._sweep_at = now + memory / 2 if self.client_count else NEVER
