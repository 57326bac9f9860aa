"""What the messages in the mailbox mean, one by one: sequence, groups, content, life and elections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from zwire.zre.departures import Departures
from zwire.zre.effects import Effect, Tell
from zwire.zre.election import Elections
from zwire.zre.events import Shouted, Warning, Whispered, Why
from zwire.zre.greetings import Greetings
from zwire.zre.links import LAST_COMMON, Links
from zwire.zre.peer import NEVER, Alert, Peer
from zwire.zre.state import State
from zwire.zre.wire import BY_IDENTITY_LENGTH, WIRE36
from zwire_protocols.errors import DecodeError
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36

Deed: TypeAlias = Callable[[Peer, Any, float, list[Effect]], None]


class Hearing:
    """The mailbox."""

    def __init__(
        self,
        state: State,
        links: Links,
        greetings: Greetings,
        departures: Departures,
        elections: Elections,
    ) -> None:
        self._state = state
        self._links = links
        self._greetings = greetings
        self._departures = departures
        self._elections = elections
        self._deeds: dict[type[Any], Deed] = {
            zre20.Whisper: self._whisper20,
            zre20.Shout: self._shout20,
            zre20.Join: self._join,
            zre20.Leave: self._leave,
            zre20.Ping: self._ping,
            zre20.PingOk: self._nothing,
            zre36.Whisper: self._whisper,
            zre36.Shout: self._shout,
            zre36.Join: self._join,
            zre36.Leave: self._leave,
            zre36.Ping: self._ping,
            zre36.PingOk: self._nothing,
            zre36.Elect: self._elect,
            zre36.Leader: self._leader,
            zre36.Goodbye: self._goodbye,
        }

    def hear(
        self, identity: bytes, frames: Sequence[bytes], now: float, source: str
    ) -> list[Effect]:
        """A message came under this identity."""
        state = self._state
        peer = state.by_identity.get(identity)
        if peer is None:
            return self._hear_stranger(identity, frames, now, source)
        speech = peer.speech
        assert speech is not None
        effects: list[Effect] = []
        try:
            message = speech.decode(frames)
        except DecodeError:
            state.statistics.messages_malformed += 1
            return effects
        state.statistics.messages_heard += 1
        deed = self._deeds.get(type(message))
        if deed is None:
            self._greetings.hello(identity, speech, message, now, effects, source)
            return effects
        sequence = message.sequence
        if sequence != peer.heard + 1 and not self._wraps(peer, sequence):
            state.statistics.gaps += 1
            what = f"message {sequence} came after {peer.heard}: some were lost"
            effects.append(Tell(Warning(peer.uuid, what)))
            self._departures.drop(peer, Why.MESSAGES_LOST, now, effects)
            return effects
        peer.heard = sequence
        if sequence > LAST_COMMON and speech is WIRE36:
            peer.wrap = 65536  # who counts up to here wraps here
        peer.heard_at = now
        if peer.alert:
            peer.alert = Alert.CALM
            peer.pinged_at = -NEVER
        deed(peer, message, now, effects)
        return effects

    def _wraps(self, peer: Peer, sequence: int) -> bool:
        if sequence != 0:
            return False
        if peer.heard == LAST_COMMON and peer.speech is WIRE36:
            peer.wrap = 65535
            return True
        return peer.heard == LAST_COMMON + 1

    def _hear_stranger(
        self, identity: bytes, frames: Sequence[bytes], now: float, source: str
    ) -> list[Effect]:
        state = self._state
        effects: list[Effect] = []
        speech = BY_IDENTITY_LENGTH.get(len(identity))
        if speech is None or speech.dialect not in state.options.dialects:
            state.statistics.messages_malformed += 1
            return effects
        try:
            message = speech.decode(frames)
        except DecodeError:
            state.statistics.messages_malformed += 1
            return effects
        state.statistics.messages_heard += 1
        if type(message) in self._deeds:
            state.statistics.messages_stray += 1
        else:
            self._greetings.hello(identity, speech, message, now, effects, source)
        return effects

    # What each message means

    def _nothing(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        pass  # to have been heard is all

    def _whisper(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        effects.append(Tell(Whispered(peer.uuid, peer.name, message.content)))

    def _whisper20(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        effects.append(Tell(Whispered(peer.uuid, peer.name, (message.content,))))

    def _shout(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        effects.append(Tell(Shouted(peer.uuid, peer.name, message.group, message.content)))

    def _shout20(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        effects.append(Tell(Shouted(peer.uuid, peer.name, message.group, (message.content,))))

    def _join(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        self._follow(peer, message.status, effects)
        if message.group in peer.groups:
            effects.append(Tell(Warning(peer.uuid, f"joined {message.group!r} a second time")))
        elif len(peer.groups) >= self._state.options.max_groups_of_peer:
            effects.append(Tell(Warning(peer.uuid, "is in too many groups")))
        else:
            self._greetings.join_group(peer, message.group, now, effects)

    def _leave(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        self._follow(peer, message.status, effects)
        if message.group in peer.groups:
            self._greetings.leave_group(peer, message.group, now, effects)
        else:
            effects.append(Tell(Warning(peer.uuid, f"left {message.group!r} without being in it")))

    def _follow(self, peer: Peer, status: int, effects: list[Effect]) -> None:
        expected = (peer.status + 1) % 256
        if status != expected:
            what = (
                f"group status {status} in place of {expected}: our view of its groups may be wrong"
            )
            effects.append(Tell(Warning(peer.uuid, what)))
        peer.status = status

    def _ping(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        self._links.say(peer, peer.wire.ping_ok, now, effects)

    def _elect(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        self._elections.elect(peer, message.group, message.challenger_id, now, effects)

    def _leader(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        self._elections.lead(peer, message.group, message.leader_id, now, effects)

    def _goodbye(self, peer: Peer, message: Any, now: float, effects: list[Effect]) -> None:
        self._departures.drop(peer, Why.GOODBYE, now, effects)
