"""Our links to the peers: greeting, numbering, and what happens when a queue is full.

Each link begins with HELLO, number 1; each further message has the next number. 20/ZRE begins again at
0 after 65535. Programs of 36/ZRE do that either after 65535 or after 65534, and drop a peer that does
it at the other place; so we do as a peer has done itself, and while nobody knows, HELLO is sent again:
numbers then begin anew on the same connection.

A number is used up only by a message that went out. The shell reports what it could not send, and the
numbers go back to where they were.
"""

from __future__ import annotations

from collections.abc import Sequence

from zwire.zre.doors import door_for
from zwire.zre.effects import Connect, Effect, Send, Tell
from zwire.zre.events import Evasive
from zwire.zre.options import Dialect, FullQueue
from zwire.zre.peer import UNGREETED, Alert, Peer
from zwire.zre.state import State
from zwire.zre.wire import HELLO, JOIN, LEAVE, SHOUT, WHISPER, Template, Wire, number

LAST_COMMON = 65534  # up to here every program counts alike
AT_ONCE = 64  # messages of a backlog that are tried at a time, at most


class Links:
    """Everything that is sent to peers goes through here."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._options = state.options
        self._statistics = state.statistics

    def open(self, peer: Peer, wire: Wire, now: float, effects: list[Effect]) -> None:
        """Connect to a peer, in place of any connection before, and greet it."""
        peer.wire = wire
        peer.sent = UNGREETED
        peer.interrupted = False
        self._state.give_up(peer)
        self._state.locate(peer)
        identity = wire.identity(self._state.own.key)
        effects.append(Connect(peer, peer.endpoint, identity, peer.server_key))
        self.greet(peer, now, effects)

    def greet(self, peer: Peer, now: float, effects: list[Effect]) -> None:
        """Say HELLO, and begin the numbers of the link with it."""
        # HELLO lists all groups, so that changes which still wait would be told twice.
        if peer.backlog:
            wire = peer.wire
            kept = [one for one in peer.backlog if wire.command(one[0]) not in (JOIN, LEAVE)]
            peer.backlog.clear()
            peer.backlog.extend(kept)
        peer.sent = 1
        peer.owes_answer = True
        peer.answer_until = now + self._options.settle
        peer.greet_at = now + self._options.greet_again
        self._state.look(peer.greet_at)
        self._statistics.messages_sent += 1
        own = self._state.own
        endpoint = door_for(peer.endpoint, own.doors, own.endpoint)
        effects.append(Send(peer, peer.wire.hello(own, self._options.say_wrap, endpoint)))

    def say(self, peer: Peer, template: Template, now: float, effects: list[Effect]) -> None:
        """Send a message that must not be dropped: the other side's view of us depends on it."""
        before, after = template
        if peer.backlog:
            self._keep(peer, [before + b"\0\0" + after], now)
            return
        greeted = self._greet_if_due(peer, now, effects)
        if greeted and peer.wire.command(before + b"\0\0" + after) in (JOIN, LEAVE):
            return  # the HELLO has told it
        self._send(peer, before, after, (), effects)

    def carry(
        self,
        peer: Peer,
        template: Template,
        content: Sequence[bytes],
        now: float,
        effects: list[Effect],
    ) -> None:
        """Send a message with content, which may have to wait or be dropped."""
        before, after = template
        if peer.backlog:
            if self._options.full_queue is FullQueue.WAIT:
                self._keep(peer, [before + b"\0\0" + after, *content], now)
            else:
                self._statistics.messages_dropped += 1
            return
        sent = peer.sent
        if 0 <= sent < LAST_COMMON:
            # What `_send` would do; nearly all that is sent passes here.
            peer.sent = sent = sent + 1
            self._statistics.messages_sent += 1
            effects.append(Send(peer, [before + number(sent) + after, *content]))
            return
        self._greet_if_due(peer, now, effects)
        self._send(peer, before, after, content, effects)

    def _send(
        self,
        peer: Peer,
        before: bytes,
        after: bytes,
        content: Sequence[bytes],
        effects: list[Effect],
    ) -> None:
        sent = peer.sent
        if sent < LAST_COMMON:
            sent += 1
        elif sent > LAST_COMMON or not self._counts_on(peer):
            sent = 0
        else:
            sent += 1
        peer.sent = sent
        self._statistics.messages_sent += 1
        effects.append(Send(peer, [before + number(sent) + after, *content]))

    def has_room(self, peer: Peer) -> bool:
        """Whether a message with content would be taken now."""
        return len(peer.backlog) < self._options.max_waiting

    def _counts_on(self, peer: Peer) -> bool:
        return peer.wire.dialect is Dialect.ZRE20 or (peer.wrap or self._options.wrap) == 65536

    def _greet_if_due(self, peer: Peer, now: float, effects: list[Effect]) -> bool:
        sent = peer.sent
        if 0 <= sent != LAST_COMMON:
            return False
        if sent == UNGREETED:
            self.greet(peer, now, effects)
            return True
        if peer.wire.dialect is Dialect.ZRE20 or peer.wrap or self._options.wrap:
            return False
        self._statistics.renumbered += 1
        self.greet(peer, now, effects)
        # The answer is a HELLO too, and comes behind all that is still on its way.
        peer.answer_until = now + self._options.expired_after
        return True

    # Full queues

    def unsent(self, peer: Peer, frames: Sequence[list[bytes]], now: float) -> list[Effect]:
        """Take back, in their order, the messages from the first that could not be sent on.

        The caller sees to dropping the peer, where that is the policy.
        """
        wire, options = peer.wire, self._options
        first = frames[0][0]
        sequence = wire.sequence(first)
        self._statistics.queues_full += 1
        self._statistics.messages_sent -= len(frames)
        if wire.command(first) == HELLO:
            peer.sent = UNGREETED
        elif sequence:
            peer.sent = sequence - 1
        else:
            peer.sent = LAST_COMMON + 1 if self._counts_on(peer) else LAST_COMMON
        back: list[list[bytes]] = []
        for one in frames:
            command = wire.command(one[0])
            if command == HELLO:
                continue  # it is made afresh
            if command in (WHISPER, SHOUT) and options.full_queue is not FullQueue.WAIT:
                self._statistics.messages_dropped += 1
            else:
                self._statistics.messages_kept += 1
                back.append(one)
        peer.backlog.extendleft(reversed(back))
        peer.at_once = 1
        if peer.backlog or peer.sent == UNGREETED:
            self._try_again(peer, now)
        effects: list[Effect] = []
        # 20/ZRE: a full send buffer can be "treated as peer not responding".
        if peer.entered and peer.alert is Alert.CALM:
            peer.alert = Alert.EVASIVE
            effects.append(Tell(Evasive(peer.uuid, peer.name)))
        return effects

    def _keep(self, peer: Peer, frames: list[bytes], now: float) -> None:
        self._statistics.messages_kept += 1
        peer.backlog.append(frames)
        if peer not in self._state.congested:
            self._try_again(peer, now)

    def _try_again(self, peer: Peer, now: float) -> None:
        self._state.congested[peer] = now + self._options.flush_every
        self._state.look(now + self._options.flush_every)

    def flush(self, peer: Peer, now: float, effects: list[Effect]) -> None:
        """Try to send what waits for a peer."""
        self._greet_if_due(peer, now, effects)
        backlog, wire = peer.backlog, peer.wire
        at_once, peer.at_once = peer.at_once, min(2 * peer.at_once, AT_ONCE)
        for _ in range(at_once):
            if not backlog:
                break
            if not self._greet_if_due(peer, now, effects):  # which may leave less to be said
                head, *content = backlog.popleft()
                self._send(peer, *wire.cut([head]), content, effects)
        if backlog:
            self._try_again(peer, now)
        else:
            self._state.congested.pop(peer, None)
