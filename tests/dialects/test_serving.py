"""Stories of the worker's words in every dialect: what it says, and what it makes of a broker's."""

from __future__ import annotations

import pytest

from zwire.core.serving import Disconnect, Perform, Phase, ServeEffect, Serving, Task
from zwire.dialects.serving import Origin, WorkerDialect, worker_dialect
from zwire.errors import LocalError, RemoteError

DIALECTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")
every_dialect = pytest.mark.parametrize("name", DIALECTS)

READY = {
    "mdpx": [b"MDXW01", b"\x01", b"echo"],
    "mdp01": [b"", b"MDPW01", b"\x01", b"echo"],
    "mdp02": [b"MDPW02", b"\x01", b"echo"],
    "emqp": [b"", b"eMQP/1.0", b"INFORM", b"1", b"echo"],
    "ppp": [b"\x01"],
}
PULSE = {
    "mdpx": [b"MDXW01", b"PING"],
    "mdp01": [b"", b"MDPW01", b"\x04"],
    "mdp02": [b"MDPW02", b"\x05"],
    "emqp": [b"", b"eMQP/1.0", b"HEARTBEAT", b"1"],
    "ppp": [b"\x02"],
}
BEAT = {**PULSE, "mdpx": [b"MDXW01", b"PONG"]}
GOODBYE = {
    "mdpx": [b"MDXW01", b"\x06"],
    "mdp01": [b"", b"MDPW01", b"\x05"],
    "mdp02": [b"MDPW02", b"\x06"],
    "emqp": [b"", b"eMQP/1.0", b"DISCONNECT", b"1"],
    "ppp": [],
}
REQUEST = {
    "mdpx": [b"MDXW01", b"\x02", b"client", b"", b"id", b"hello"],
    "mdp01": [b"", b"MDPW01", b"\x02", b"client", b"", b"hello"],
    "mdp02": [b"MDPW02", b"\x02", b"client", b"", b"hello"],
    "emqp": [b"", b"eMQP/1.0", b"REQUEST", b"id", b"echo", b"a:b", b"hello"],
    "ppp": [b"job", b"client", b"", b"hello"],
}
FINAL = {
    "mdpx": [b"MDXW01", b"\x04", b"client", b"", b"id", b"bye"],
    "mdp01": [b"", b"MDPW01", b"\x03", b"client", b"", b"bye"],
    "mdp02": [b"MDPW02", b"\x04", b"client", b"", b"bye"],
    "emqp": [b"", b"eMQP/1.0", b"REPLY", b"id", b"bye"],
    "ppp": [b"job", b"client", b"", b"bye"],
}
ORIGIN = {
    "mdpx": Origin("echo", b"id"),
    "mdp01": Origin("echo"),
    "mdp02": Origin("echo"),
    "emqp": Origin("echo", b"id", b"a:b"),
    "ppp": Origin("echo"),
}


def any_id(frames: list[bytes]) -> list[bytes]:
    """The same message with the id 1, where it is one of eMQP."""
    return [*frames[:3], b"1", *frames[4:]] if frames[1:2] == [b"eMQP/1.0"] else frames


def talking(name: str) -> tuple[WorkerDialect, Serving]:
    engine = Serving()
    engine.start(0.0)
    return worker_dialect(name, ["echo"]), engine


def task_in(effects: object) -> Task:
    assert isinstance(effects, list)
    [perform] = effects
    assert isinstance(perform, Perform)
    return perform.task


@every_dialect
def test_a_worker_registers_beats_and_leaves_in_the_words_of_the_dialect(name: str) -> None:
    assert any_id(worker_dialect(name, ["echo"]).register()) == READY[name]
    assert any_id(worker_dialect(name, ["echo"]).pulse()) == PULSE[name]
    assert any_id(worker_dialect(name, ["echo"]).goodbye()) == GOODBYE[name]


def test_no_two_messages_of_emqp_workers_have_the_same_id() -> None:
    workers = [worker_dialect("emqp", ["echo"]) for _ in range(3)]
    said = [frames for one in workers for frames in (one.register(), one.offer(), one.pulse())]
    assert len({frames[3] for frames in said}) == 9


def test_only_emqp_offers_slots() -> None:
    offer = worker_dialect("emqp", ["echo"]).offer()
    assert any_id(offer) == [b"", b"eMQP/1.0", b"READY", b"1"]
    for name in DIALECTS:
        offers = worker_dialect(name, ["echo"]).manners.offers_slots
        assert offers == bool(worker_dialect(name, ["echo"]).offer()) == (name == "emqp")


@every_dialect
def test_a_request_is_performed_and_its_reply_finds_the_way_back(name: str) -> None:
    dialect, engine = talking(name)
    task = task_in(dialect.hear(engine, REQUEST[name], 1.0))
    assert list(task.body) == [b"hello"]
    assert dialect.origin(task) == ORIGIN[name]
    assert dialect.answer(task, [b"bye"], True) == FINAL[name]


@pytest.mark.parametrize("name", ["mdpx", "mdp02"])
def test_a_partial_reply_differs_in_its_command_alone(name: str) -> None:
    dialect, engine = talking(name)
    task = task_in(dialect.hear(engine, REQUEST[name], 1.0))
    partial = dialect.answer(task, [b"bye"], False)
    assert partial == [b"\x03" if frame == b"\x04" else frame for frame in FINAL[name]]


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "emqp"])
def test_a_reply_of_nothing_has_one_empty_frame(name: str) -> None:
    dialect, engine = talking(name)
    task = task_in(dialect.hear(engine, REQUEST[name], 1.0))
    assert dialect.answer(task, [], True) == [*FINAL[name][:-1], b""]


def test_emqp_joins_the_pieces_of_a_reply_into_its_one_frame() -> None:
    dialect, engine = talking("emqp")
    task = task_in(dialect.hear(engine, REQUEST["emqp"], 1.0))
    assert dialect.answer(task, [b"a", b"b", b""], True)[-1] == b"ab"


@every_dialect
def test_a_heartbeat_is_a_sign_of_life(name: str) -> None:
    dialect, engine = talking(name)
    patience = engine.rules.heartbeat.patience
    assert dialect.hear(engine, BEAT[name], 5.0) == ()
    assert not [one for one in engine.tick(patience) if isinstance(one, Disconnect)]
    assert [one for one in engine.tick(5.0 + patience) if isinstance(one, Disconnect)]


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "ppp"])
def test_a_disconnect_ends_the_conversation(name: str) -> None:
    dialect, engine = talking(name)
    effects: list[ServeEffect] = list(dialect.hear(engine, GOODBYE[name], 1.0))
    assert [type(effect) for effect in effects] == [Disconnect]
    assert engine.phase is Phase.PAUSING


def test_mdpx_understands_a_disconnect_under_the_header_of_majordomo_02() -> None:
    dialect, engine = talking("mdpx")
    dialect.hear(engine, [b"MDPW02", b"\x06"], 1.0)
    assert engine.phase is Phase.PAUSING


@every_dialect
def test_what_no_broker_says_is_refused_and_no_sign_of_life(name: str) -> None:
    dialect, engine = talking(name)
    deadline = engine.next_deadline()
    request = REQUEST[name]
    nonsense = [[], [b""], READY[name]]
    if name == "ppp":
        nonsense += [[b"job", b""], [b"\x01"]]
    else:
        command = 1 if name in ("mdpx", "mdp02") else 2
        nonsense += [
            [*request[:command], b"?", *request[command + 1 :]],
            request[:4],
            [*BEAT[name], b"more"],
        ]
    for frames in nonsense:
        with pytest.raises(RemoteError):
            dialect.hear(engine, frames, 9.0)
    assert engine.next_deadline() == deadline


@pytest.mark.parametrize(
    ("name", "empty"), [("mdpx", 2), ("mdpx", 4), ("mdp01", 3), ("mdp02", 2), ("emqp", 3)]
)
def test_a_request_without_an_address_or_id_is_refused(name: str, empty: int) -> None:
    dialect, engine = talking(name)
    frames = list(REQUEST[name])
    frames[empty] = b""
    with pytest.raises(RemoteError):
        dialect.hear(engine, frames, 1.0)


def test_a_ppp_request_without_a_stack_is_answered_behind_an_empty_frame() -> None:
    dialect, engine = talking("ppp")
    task = task_in(dialect.hear(engine, [b"one", b"two"], 1.0))
    assert list(task.body) == [b"one", b"two"]
    assert dialect.answer(task, [b"bye"], True) == [b"", b"bye"]


@pytest.mark.parametrize("name", ["mdpx", "mdp01", "mdp02"])
@pytest.mark.parametrize("services", [[], ["a", "b"], [""], ["a\n"]])
def test_a_majordomo_worker_has_one_service(name: str, services: list[str]) -> None:
    with pytest.raises(LocalError):
        worker_dialect(name, services)


def test_an_emqp_worker_has_queues_whose_names_survive_the_commas_between_them() -> None:
    assert worker_dialect("emqp", ["a", "b c"]).register()[-1] == b"a,b c"
    for queues in ([], [""], ["a,b"], [" a"], ["a", "\t"]):
        with pytest.raises(LocalError):
            worker_dialect("emqp", queues)


@pytest.mark.parametrize("name", ["mdpx", "mdp01", "mdp02", "emqp"])
def test_the_names_of_the_brokers_own_services_are_refused_at_once(name: str) -> None:
    with pytest.raises(LocalError, match="the broker's own"):
        worker_dialect(name, ["mmi.service"])


def test_a_ppp_worker_may_do_without_a_name() -> None:
    assert worker_dialect("ppp", []).register() == [b"\x01"]
    with pytest.raises(LocalError):
        worker_dialect("ppp", ["a", "b"])


def test_there_are_no_other_dialects() -> None:
    with pytest.raises(LocalError, match="there are mdpx"):
        worker_dialect("mdp03", ["echo"])
