"""What nodes with threads and nodes in a loop have in common: all but the waiting."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from zwire.errors import Closed, LocalError
from zwire.io.security import CurveServer
from zwire.io.taps import Capture
from zwire.io.zre_driver import NodeDriver
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_opening import open_node, static_peer
from zwire.io.zre_settings import MOST_CONTENT, NodeSettings, fresh_uuid
from zwire.io.zre_taps import Tell
from zwire.zre.effects import Effect
from zwire.zre.peer import KnownPeer


class NodeBase:
    """A node's name, what it says of itself, and what it knows."""

    def __init__(
        self,
        name: str = "",
        *,
        groups: Iterable[str] = (),
        headers: Mapping[str, str] | None = None,
        settings: NodeSettings | None = None,
        uuid: UUID | None = None,
        curve: CurveServer | None = None,
        capture: Capture | None = None,
    ) -> None:
        """`capture` records all traffic: into a folder, or by a recorder that stays its owner's."""
        self._capture = capture
        if uuid is not None and not isinstance(uuid, UUID):
            raise LocalError(f"a node's uuid is a uuid.UUID, got {uuid!r:.100}")
        self.uuid = uuid or fresh_uuid()
        self.name = name or self.uuid.hex[:6].upper()
        self.settings = settings or NodeSettings()
        if isinstance(groups, str):
            raise LocalError(f"groups are a list of names: groups=[{groups!r}]")
        self._first_groups = list(dict.fromkeys(groups))
        self._headers = dict(headers or {})
        self._curve = curve
        self._opened: NodeDriver | None = None
        self._stopped = False
        self._process = os.getpid()

    def _open(self, place: MeetingPlace) -> NodeDriver:
        self._opened = open_node(
            place,
            self.name,
            self._headers,
            self.uuid,
            self._first_groups,
            self.settings,
            self._curve,
            self._capture,
        )
        return self._opened

    def _noted(self, tell: Tell) -> Tell:
        """The same, noted too where the node is recorded."""
        tap = self._driver.tap
        return tell if tap is None else tap.telling(tell)

    @property
    def _forked(self) -> bool:
        return os.getpid() != self._process

    def _check_new(self) -> None:
        if self._stopped:
            raise Closed("the node was stopped; make a new one")
        if self._opened is not None:
            raise LocalError("the node runs already")
        self._process = os.getpid()

    @property
    def _driver(self) -> NodeDriver:
        if self._opened is None:
            raise LocalError("the node has not been started")
        if self._forked:
            # There is no thread of ours here, and a lock that one held may be held for ever.
            raise Closed(
                f"the node belongs to the process {self._process} that started it, not to this one "
                "that was forked: make a new one here"
            )
        return self._opened

    @property
    def _live(self) -> NodeDriver:
        """The driver, of a node that runs."""
        if self._stopped:
            raise Closed("the node was stopped; make a new one")
        return self._driver

    def _sought(self, text: str, now: float) -> Sequence[Effect]:
        endpoint, key = static_peer(text, self._curve is not None)
        return self._driver.engine.discover(b"", endpoint, now, key)

    # ---------------------------------------------------------------- what is known

    @property
    def endpoint(self) -> str:
        """Where our mailbox takes connections."""
        return self._driver.engine.own.endpoint

    @property
    def gossip_endpoint(self) -> str | None:
        """Where this node is a gossip hub."""
        gossip = self._driver.gossip
        return None if gossip is None else gossip.bound

    @property
    def headers(self) -> dict[str, str]:
        """What we say of ourselves in every HELLO."""
        if self._opened is None:
            return dict(self._headers)
        driver = self._driver
        with driver.turns.next():
            return dict(driver.engine.own.headers)

    def set_header(self, name: str, value: str) -> None:
        """Say something more of ourselves to those whom we greet from now on."""
        if self._opened is None:
            self._headers[name] = value
        else:
            driver = self._driver
            with driver.turns.next():
                driver.engine.set_header(name, value)

    def peers(self) -> list[KnownPeer]:
        """The peers that have entered."""
        driver = self._driver
        with driver.turns.next():
            return driver.engine.peers()

    def find_peer(self, peer: UUID) -> KnownPeer | None:
        """One peer that has entered."""
        driver = self._driver
        with driver.turns.next():
            return driver.engine.find_peer(peer)

    def groups(self) -> list[str]:
        """The groups that we are in."""
        if self._opened is None:
            return list(self._first_groups)
        driver = self._driver
        with driver.turns.next():
            return driver.engine.groups()

    def peer_groups(self) -> dict[str, list[UUID]]:
        """The groups that peers are in, and which peers."""
        driver = self._driver
        with driver.turns.next():
            return driver.engine.peer_groups()

    def leader(self, group: str) -> UUID | None:
        """Who was elected to lead a group."""
        driver = self._driver
        with driver.turns.next():
            return driver.engine.leader(group)

    def services(self) -> dict[str, dict[UUID, str]]:
        """What peers offer: for each service, announced by a header, its endpoint at each peer."""
        driver = self._driver
        with driver.turns.next():
            return driver.engine.services()

    def statistics(self) -> dict[str, int]:
        """Counts since the start, by name."""
        driver = self._driver
        with driver.turns.next():
            return {
                **driver.engine.statistics.as_dict(),
                "messages_refused": driver.refused,
                "beacons_unsent": driver.beacons_unsent,
            }


def octets_of(content: Sequence[bytes | str]) -> list[bytes]:
    """The frames of a message; text goes as UTF-8."""
    if not 0 < len(content) <= MOST_CONTENT:
        raise LocalError(
            f"content has at least one frame, even an empty one, and at most {MOST_CONTENT}: "
            f"got {len(content)}"
        )
    return [one if type(one) is bytes else _octets(one) for one in content]


def _octets(frame: object) -> bytes:
    if isinstance(frame, bytes | bytearray | memoryview):
        return bytes(frame)
    if not isinstance(frame, str):
        raise LocalError(f"a frame of content is text or octets, got {frame!r:.100}")
    try:
        return frame.encode()
    except UnicodeEncodeError as error:
        raise LocalError(f"expected characters that UTF-8 has, got {frame!r:.100}") from error


def uuid_of(peer: UUID | KnownPeer) -> UUID:
    """Who is meant."""
    if isinstance(peer, UUID):
        return peer
    if not isinstance(peer, KnownPeer):
        raise LocalError(f"a peer is called by its UUID, or is one of `peers()`, got {peer!r:.100}")
    return peer.uuid
