"""Dialog machines as they are generated: openings, instances by key, closings, limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support import small_models
from support.rendered import Package
from zwire_codegen.backends.python import dialogs
from zwire_codegen.backends.tidying import tidy
from zwire_codegen.model.types import Choice, Dialog, Origin, Part, Repeat

HERE = small_models.HERE
steps = small_models.steps


@pytest.fixture(scope="module")
def open_part(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Part], Any]:
    def opened(part: Part) -> Any:
        files = dialogs.render([small_models.protocol(part)])
        package = Package(tmp_path_factory.mktemp("dialogs"), files)
        return package.module(f"small.{part.name}_dialogs")

    return opened


@pytest.fixture(scope="module")
def worker(open_part: Callable[[Part], Any]) -> Any:
    return open_part(small_models.majordomo())


def ready(worker: Any, **limits: Any) -> Any:
    conversation = worker.conversation(**limits)
    assert conversation.feed("worker", "READY") is None
    return conversation


def test_a_request_is_answered_in_pieces(worker: Any) -> None:
    conversation = ready(worker)
    for role, command in (
        ("client", "REQUEST"),
        ("worker", "PARTIAL"),
        ("worker", "PARTIAL"),
        ("worker", "FINAL"),
        ("client", "REQUEST"),
    ):
        assert conversation.feed(role, command, ("a",)) is None


def test_nothing_goes_before_the_opening(worker: Any) -> None:
    conversation = worker.conversation()
    assert not conversation.opened
    violation = conversation.feed("worker", "PING")
    assert (violation.reason, violation.dialog) == ("unopened", "registration")
    assert ("worker", "READY") in violation.legal
    assert ("worker", "PING") not in violation.legal
    assert conversation.feed("worker", "READY") is None
    assert conversation.opened
    assert conversation.feed("worker", "PING") is None


def test_the_opening_does_not_come_twice(worker: Any) -> None:
    violation = ready(worker).feed("worker", "READY")
    assert (violation.reason, violation.state) == ("unexpected", "after READY")


def test_a_violation_tells_the_state_what_was_legal_and_the_line(worker: Any) -> None:
    conversation = ready(worker)
    violation = conversation.feed("worker", "FINAL", ("a",))
    assert (violation.dialog, violation.state, violation.line) == (
        "request",
        "start",
        "small.md:41",
    )
    assert violation.legal == (
        ("client", "REQUEST"),
        ("worker", "PING"),
        ("client", "DISCONNECT"),
        ("worker", "DISCONNECT"),
    )
    assert str(violation) == (
        "worker may not say FINAL here (unexpected; request: start); legal: client REQUEST, "
        "worker PING, client DISCONNECT, worker DISCONNECT; see small.md:41"
    )


def test_after_a_violation_all_is_as_before(worker: Any) -> None:
    conversation = ready(worker)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    before = conversation.legal(("a",))
    assert conversation.feed("client", "REQUEST", ("a",)).reason == "unexpected"
    assert conversation.legal(("a",)) == before
    assert conversation.feed("worker", "FINAL", ("a",)) is None


def test_each_key_has_its_own_instance(worker: Any) -> None:
    conversation = ready(worker)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    assert conversation.feed("client", "REQUEST", ("b",)) is None
    assert conversation.feed("worker", "FINAL", ("b",)) is None
    assert conversation.feed("worker", "PARTIAL", ("b",)).state == "start"
    assert conversation.feed("worker", "FINAL", ("a",)) is None
    assert conversation.open("request") == 0


def test_dialogs_interleave_and_ignore_the_key_of_others(worker: Any) -> None:
    conversation = ready(worker)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    assert conversation.feed("worker", "PING", ("whatever",)) is None
    assert conversation.feed("worker", "PARTIAL", ("a",)) is None
    assert conversation.feed("client", "PONG") is None
    assert conversation.feed("client", "PONG").reason == "unexpected"


def test_a_command_of_the_wrong_side_is_unknown(worker: Any) -> None:
    conversation = ready(worker)
    for role, command in (("client", "READY"), ("worker", "NONSENSE"), ("nobody", "PING")):
        violation = conversation.feed(role, command)
        assert (violation.reason, violation.dialog) == ("unknown", "")
        assert violation.line == "small.md:7"


def test_one_too_many_is_refused_and_a_free_place_is_used_again(worker: Any) -> None:
    conversation = ready(worker, request=2)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    assert conversation.feed("client", "REQUEST", ("b",)) is None
    violation = conversation.feed("client", "REQUEST", ("c",))
    assert (violation.reason, violation.dialog) == ("limit", "request")
    assert conversation.feed("worker", "FINAL", ("a",)) is None
    assert conversation.feed("client", "REQUEST", ("c",)) is None


def test_the_oldest_is_forgotten_where_that_is_asked_for(worker: Any) -> None:
    conversation = ready(worker, limit=2, evict=True)
    for key in ("a", "b", "c"):
        assert conversation.feed("client", "REQUEST", (key,)) is None
    assert (conversation.evicted, conversation.open("request")) == (1, 2)
    assert conversation.feed("worker", "FINAL", ("a",)).reason == "unexpected"
    assert conversation.feed("worker", "FINAL", ("b",)) is None


def test_memory_stays_bounded_however_many_keys_come(worker: Any) -> None:
    conversation = ready(worker, limit=8, evict=True)
    for number in range(1000):
        assert conversation.feed("client", "REQUEST", (number,)) is None
        assert conversation.open("request") <= 8


def test_an_instance_can_be_given_up(worker: Any) -> None:
    conversation = ready(worker, request=1)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    assert conversation.forget("request", ("a",))
    assert not conversation.forget("request", ("a",))
    assert conversation.feed("client", "REQUEST", ("b",)) is None


def test_limits_are_for_dialogs_that_exist_and_have_keys(worker: Any) -> None:
    with pytest.raises(TypeError, match="nonsense"):
        worker.conversation(nonsense=1)
    with pytest.raises(TypeError, match="heartbeat"):
        worker.conversation(heartbeat=2)
    with pytest.raises(ValueError, match="at least 1"):
        worker.conversation(request=0)


def test_a_message_that_crossed_the_close_is_late_and_no_violation(worker: Any) -> None:
    conversation = ready(worker)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    assert conversation.feed("client", "DISCONNECT") is None
    assert conversation.closed
    late = conversation.feed("worker", "FINAL", ("a",))
    assert type(late).__name__ == "Late"
    assert (late.role, late.command, late.key) == ("worker", "FINAL", ("a",))
    assert type(conversation.feed("worker", "DISCONNECT")).__name__ == "Late"


def test_who_has_closed_says_nothing_more(worker: Any) -> None:
    conversation = ready(worker)
    assert conversation.feed("worker", "DISCONNECT") is None
    violation = conversation.feed("worker", "PING")
    assert (violation.reason, violation.state, violation.legal) == ("closed", "closed", ())
    assert type(conversation.feed("client", "PONG")).__name__ == "Late"


def test_a_close_lets_go_of_all_that_was_under_way(worker: Any) -> None:
    conversation = ready(worker)
    assert conversation.feed("client", "REQUEST", ("a",)) is None
    assert conversation.feed("worker", "DISCONNECT") is None
    assert conversation.open("request") == 0


def test_a_closing_that_is_also_a_line_of_a_dialog_closes(
    open_part: Callable[[Part], Any],
) -> None:
    part = small_models.part(
        small_models.message("TALK", ("client",), small_models.constant(b"1")),
        small_models.message("BYE", ("client",), small_models.constant(b"2")),
        dialogs=(Dialog("talk", steps("client:TALK", "client:BYE"), HERE),),
        closes=("BYE",),
    )
    conversation = open_part(part).conversation()
    assert conversation.feed("client", "TALK") is None
    assert conversation.feed("client", "BYE") is None
    assert conversation.closed
    assert conversation.feed("client", "TALK").reason == "closed"


def test_a_close_may_come_before_the_opening(worker: Any) -> None:
    conversation = worker.conversation()
    assert conversation.feed("worker", "DISCONNECT") is None
    assert conversation.closed


def test_the_tables_name_who_says_what_and_its_key(worker: Any) -> None:
    assert list(worker.DIALOGS) == ["registration", "request", "heartbeat"]
    assert worker.COMMANDS[("worker", "FINAL")] == ("request_id",)
    assert worker.COMMANDS[("worker", "PING")] == ()
    assert ("client", "DISCONNECT") in worker.COMMANDS
    request = worker.DIALOGS["request"]
    assert request.moves["worker"] == {"PARTIAL": {1: 1}, "FINAL": {1: 0}}


def test_a_command_of_two_dialogs_goes_to_the_first_that_can_take_it(
    open_part: Callable[[Part], Any],
) -> None:
    ask = small_models.message("ASK", ("client",), small_models.constant(b"1"))
    tell = small_models.message("TELL", ("worker",), small_models.constant(b"2"))
    part = small_models.part(
        ask,
        tell,
        dialogs=(
            Dialog("first", small_models.steps("client:ASK", "worker:TELL"), HERE),
            Dialog("second", small_models.steps("client:ASK", "client:ASK"), HERE),
        ),
    )
    conversation = open_part(part).conversation()
    for role, command in (("client", "ASK"), ("client", "ASK"), ("client", "ASK")):
        assert conversation.feed(role, command) is None
    assert conversation.feed("worker", "TELL") is None
    assert conversation.feed("worker", "TELL").reason == "unexpected"


def test_an_opening_that_may_be_left_out_opens_nothing(open_part: Callable[[Part], Any]) -> None:
    hello = small_models.message("HELLO", ("client",), small_models.constant(b"1"))
    talk = small_models.message("TALK", ("client",), small_models.constant(b"2"))
    part = small_models.part(
        hello,
        talk,
        dialogs=(
            Dialog("hello", Repeat(small_models.say("client:HELLO"), 0, 1), HERE, opens=True),
            Dialog("talk", small_models.say("client:TALK"), HERE),
        ),
    )
    assert open_part(part).conversation().feed("client", "TALK") is None


def test_an_opening_that_may_begin_again_still_has_to_come_first(
    open_part: Callable[[Part], Any],
) -> None:
    part = small_models.part(
        small_models.message("HELLO", ("client",), small_models.constant(b"1")),
        small_models.message("TALK", ("client",), small_models.constant(b"2")),
        dialogs=(
            Dialog("hello", small_models.say("client:HELLO"), HERE, opens=True),
            Dialog("talk", small_models.say("client:TALK"), HERE),
        ),
    )
    conversation = open_part(part).conversation()
    assert conversation.feed("client", "TALK").reason == "unopened"
    assert conversation.feed("client", "HELLO") is None
    assert conversation.feed("client", "TALK") is None
    assert conversation.feed("client", "HELLO") is None


def test_a_dialog_with_a_tail_may_begin_again_at_any_of_its_ends() -> None:
    body = small_models.steps("client:ASK", "*worker:TELL")
    table = dialogs.table(Dialog("ask", body, Origin("small.md", 3, "Ask.")))
    assert table.complete == (0, 1)
    moves = {move.command: dict(move.states) for _, found in table.moves for move in found}
    assert moves == {"ASK": {0: 1, 1: 1}, "TELL": {1: 1}}


def test_the_same_dialogs_give_the_same_text() -> None:
    again = [dialogs.render([small_models.protocol(small_models.majordomo())]) for _ in range(2)]
    assert again[0] == again[1]
    assert "small.md:7" in again[0]["small/worker_dialogs.py"]


def test_the_text_is_as_black_writes_it() -> None:
    long = small_models.part(
        *(
            small_models.message(f"A-RATHER-LONG-NAME-{n}", ("client",), small_models.constant(b""))
            for n in range(5)
        ),
        dialogs=(
            Dialog(
                "long",
                Choice(
                    tuple(
                        steps(f"client:A-RATHER-LONG-NAME-{n}", "client:A-RATHER-LONG-NAME-0")
                        for n in range(5)
                    )
                ),
                HERE,
                key=tuple(f"a_rather_long_field_{n}" for n in range(4)),
            ),
        ),
        closes=("A-RATHER-LONG-NAME-3", "A-RATHER-LONG-NAME-4"),
        name="long",
    )
    parts = (small_models.majordomo(), small_models.every_kind(), small_models.paranoid(), long)
    for part in parts:
        for path, text in dialogs.render([small_models.protocol(part)]).items():
            assert tidy(text) == text, path
