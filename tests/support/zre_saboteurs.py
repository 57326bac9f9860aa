"""Ways to break the node engine, each a small wrong that a careless change could bring about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from zwire.zre.departures import Departures
from zwire.zre.discovery import Discovery
from zwire.zre.effects import Connect
from zwire.zre.greetings import Greetings
from zwire.zre.hearing import Hearing
from zwire.zre.links import Links
from zwire.zre.state import State
from zwire.zre.watch import Watch
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36

Saboteur = Callable[[pytest.MonkeyPatch], None]


def never_notice_a_gap(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Hearing, "_wraps", lambda self, peer, sequence: True)


def hear_what_comes_before_a_hello(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "strike", lambda self, peer: self.peers.pop(peer.key, None))


def keep_the_groups_of_those_who_left(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "leave_all", lambda self, peer: None)


def say_that_somebody_left_who_never_came(patch: pytest.MonkeyPatch) -> None:
    honest = Departures.part

    def broken(self: Any, peer: Any, why: Any, now: float, effects: Any) -> None:
        peer.entered = True
        honest(self, peer, why, now, effects)

    patch.setattr(Departures, "part", broken)


def let_a_restarted_peer_go_ungreeted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Greetings, "_is_answer", lambda self, peer, speech, endpoint, now: True)


def answer_every_hello_with_a_hello(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Greetings, "_is_answer", lambda self, peer, speech, endpoint, now: False)


def dial_a_peer_where_it_used_to_be(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Greetings, "_follow", lambda self, peer, endpoint, now, effects: False)
    patch.setattr(Discovery, "_look_where_it_is", lambda self, peer, address, port, now: ())


def use_up_numbers_for_what_was_not_sent(patch: pytest.MonkeyPatch) -> None:
    honest = Links.unsent

    def broken(self: Any, peer: Any, frames: Any, now: float) -> Any:
        sent = peer.sent
        effects = honest(self, peer, frames, now)
        peer.sent = sent
        return effects

    patch.setattr(Links, "unsent", broken)


def lose_what_waits(patch: pytest.MonkeyPatch) -> None:
    honest = Links.unsent

    def broken(self: Any, peer: Any, frames: Any, now: float) -> Any:
        effects = honest(self, peer, frames, now)
        peer.backlog.clear()
        return effects

    patch.setattr(Links, "unsent", broken)


def send_past_what_waits(patch: pytest.MonkeyPatch) -> None:
    honest = Links.carry

    def broken(self: Any, peer: Any, template: Any, content: Any, now: float, effects: Any) -> None:
        waiting = list(peer.backlog)
        peer.backlog.clear()
        honest(self, peer, template, content, now, effects)
        peer.backlog.extend(waiting)

    patch.setattr(Links, "carry", broken)


def wrap_in_the_wrong_place(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Links, "_counts_on", lambda self, peer: False)


def keep_the_old_connection_in_the_other_dialect(patch: pytest.MonkeyPatch) -> None:
    honest = Links.open

    def broken(self: Any, peer: Any, wire: Any, now: float, effects: Any) -> None:
        honest(self, peer, wire, now, effects)
        first = next(one for one in effects if isinstance(one, Connect))
        if peer.identity:
            effects.remove(first)

    patch.setattr(Links, "open", broken)


def never_expire_anybody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Watch, "_judge", lambda self, peer, now, effects: now + 1.0)


def expire_those_who_send_beacons(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Discovery, "beacon", lambda self, octets, address, now: ())


def forget_to_tell_some_that_we_joined(patch: pytest.MonkeyPatch) -> None:
    honest = State.everyone

    def broken(self: Any) -> Any:
        return list(honest(self))[:1]

    patch.setattr(State, "everyone", broken)


def overhear_that_somebody_left_a_group(patch: pytest.MonkeyPatch) -> None:
    honest = Hearing.__init__

    def broken(self: Any, *parts: Any) -> None:
        honest(self, *parts)
        self._deeds[zre20.Leave] = self._deeds[zre36.Leave] = self._nothing

    patch.setattr(Hearing, "__init__", broken)


def say_everything_twice(patch: pytest.MonkeyPatch) -> None:
    honest = Links.carry

    def broken(self: Any, peer: Any, template: Any, content: Any, now: float, effects: Any) -> None:
        honest(self, peer, template, content, now, effects)
        honest(self, peer, template, content, now, effects)

    patch.setattr(Links, "carry", broken)


def swallow_what_would_be_said_first(patch: pytest.MonkeyPatch) -> None:
    honest = Links.carry

    def broken(self: Any, peer: Any, template: Any, content: Any, now: float, effects: Any) -> None:
        if peer.sent > 2:
            honest(self, peer, template, content, now, effects)
        else:
            peer.sent += 1

    patch.setattr(Links, "carry", broken)


SABOTEURS: list[Saboteur] = [
    overhear_that_somebody_left_a_group,
    say_everything_twice,
    swallow_what_would_be_said_first,
    never_notice_a_gap,
    hear_what_comes_before_a_hello,
    keep_the_groups_of_those_who_left,
    say_that_somebody_left_who_never_came,
    let_a_restarted_peer_go_ungreeted,
    answer_every_hello_with_a_hello,
    dial_a_peer_where_it_used_to_be,
    use_up_numbers_for_what_was_not_sent,
    lose_what_waits,
    send_past_what_waits,
    wrap_in_the_wrong_place,
    keep_the_old_connection_in_the_other_dialect,
    never_expire_anybody,
    expire_those_who_send_beacons,
    forget_to_tell_some_that_we_joined,
]
