"""Judges: what they hold against whom, and that one can go on where another stopped."""

from __future__ import annotations

import pytest

from support import brokered, meshed
from zwire.capture import Direction, Kind, Row
from zwire.captured import NoCodec, understand
from zwire_protocols.conversation import Violation
from zwire_protocols.errors import DecodeError
from zwire_spark.judging import Judge, Said, place_of

WORKER = "mdpx.worker"
KEY = (b"alice", b"7")


def worker(command: str, *key: bytes) -> Said:
    return Said(WORKER, "in", "worker", command, key)


def broker(command: str, *key: bytes) -> Said:
    return Said(WORKER, "out", "broker", command, key)


def told(event: str, *ids: bytes) -> Said:
    return Said("", "", "", event, ids)


def verdicts(judge: Judge, *said: Said) -> list[str]:
    """The reasons of all violations, in their order."""
    found = [judge.hear(one) for one in said]
    return [fault.reason for fault in found if fault is not None]


def test_a_worker_that_does_all_as_it_should_is_not_blamed() -> None:
    said = [worker("READY"), worker("PING"), broker("PONG"), broker("REQUEST", *KEY)]
    said += [worker("PARTIAL", *KEY), worker("FINAL", *KEY), worker("DISCONNECT")]
    assert verdicts(Judge(), *said) == []


def test_a_fault_names_the_rule_and_its_place() -> None:
    fault = Judge().hear(worker("PING"))
    assert isinstance(fault, Violation)
    assert (fault.reason, fault.line, fault.legal[0]) == (
        "unopened",
        "mdpx.md:139",
        ("worker", "READY"),
    )
    assert place_of(WORKER) == "mdpx.md:94"


def test_a_worker_that_was_given_up_and_does_not_know_it_is_not_blamed() -> None:
    judge = Judge()
    assert verdicts(judge, worker("READY"), broker("REQUEST", *KEY), told("worker lost")) == []
    assert verdicts(judge, worker("PING"), worker("FINAL", *KEY)) == []
    assert verdicts(judge, worker("READY"), worker("PING")) == []
    assert verdicts(judge, worker("FINAL", *KEY)) == ["unexpected"]


@pytest.mark.parametrize("goodbye", [worker("DISCONNECT"), broker("DISCONNECT")])
def test_who_registers_after_a_goodbye_begins_anew(goodbye: Said) -> None:
    judge = Judge()
    assert verdicts(judge, worker("READY"), goodbye, worker("READY")) == []
    assert verdicts(judge, broker("REQUEST", *KEY), worker("FINAL", *KEY)) == []


def test_a_worker_that_begins_anew_with_another_socket_registers_again() -> None:
    assert verdicts(Judge(), worker("READY"), told("worker"), worker("READY")) == []
    assert verdicts(Judge(), worker("READY"), told("worker"), worker("PING")) == ["unopened"]
    assert verdicts(Judge(), worker("READY"), worker("READY")) == ["unexpected"]


def test_after_its_own_goodbye_a_worker_may_say_nothing_else() -> None:
    assert verdicts(Judge(), worker("READY"), worker("DISCONNECT"), worker("PING")) == ["closed"]


def test_where_the_beginning_is_missing_an_answer_is_not_held_against_anybody() -> None:
    said = [worker("PING"), worker("FINAL", *KEY), broker("REQUEST", *KEY), worker("FINAL", *KEY)]
    assert verdicts(Judge(midway=True), *said) == []
    assert verdicts(Judge(), *said) == ["unopened"] * 4
    assert verdicts(Judge(midway=True), worker("PING"), broker("PING")) == ["unknown"]


@pytest.mark.parametrize("event", ["request expired", "request refused", "no answer"])
@pytest.mark.parametrize(("part", "key"), [("emqp.client", (b"7",)), ("mdp01.client", ())])
def test_a_request_that_ended_without_answer_may_be_asked_again(
    part: str, key: tuple[bytes, ...], event: str
) -> None:
    ask = Said(part, "in", "client", "REQUEST", key)
    assert verdicts(Judge(), ask, told(event, b"7", b"\x07"), ask) == []
    assert verdicts(Judge(), ask, ask) == ["unexpected"]


def test_a_ping_is_answered_over_the_other_link() -> None:
    judge = Judge()

    def say(way: str, command: str) -> Said:
        return Said("zre.messages", way, "sender", command)

    assert verdicts(judge, say("in", "HELLO"), say("out", "HELLO")) == []
    assert verdicts(judge, say("out", "PING"), say("in", "PING-OK")) == []
    assert verdicts(judge, say("out", "PING-OK")) == ["unexpected"]


def test_a_judge_put_away_after_every_row_comes_to_the_same_verdicts() -> None:
    stage = brokered.a_broker(1, seed=3)
    brokered.misbehave(stage)
    node = meshed.a_node(2, seed=4)
    meshed.misbehave(node)
    rows = [*stage.scribe.rows(), *node.rows()]
    staying: dict[object, Judge] = {}
    stored: dict[object, bytes] = {}
    faults = 0
    for place, said in heard(rows):
        expected = staying.setdefault(place, Judge()).hear(said)
        judge = Judge.loads(stored[place]) if place in stored else Judge()
        assert judge.hear(said) == expected
        stored[place] = judge.dumps()
        faults += expected is not None
    assert faults > 5
    assert max(map(len, stored.values())) < 2000


def heard(rows: list[Row]) -> list[tuple[object, Said]]:
    """What judges hear of these rows, with the judge's place."""
    found: list[tuple[object, Said]] = []
    for row in rows:
        way = "in" if row.direction is Direction.IN else "out"
        place = (row.recorder, "" if row.protocol.startswith("zre") else row.endpoint, row.peer)
        if row.kind is Kind.EVENT:
            found.append((place, told(row.name)))
            continue
        try:
            message = understand(row.protocol, row.role, row.frames)
        except (DecodeError, NoCodec):
            continue
        names = ("client_address", "request_id", "msgid")
        key = tuple(getattr(message.message, name, b"") for name in names)
        if "beacon" not in row.protocol and "log" not in row.protocol:
            found.append((place, Said(row.protocol, way, row.role, message.name, key)))
    return found
