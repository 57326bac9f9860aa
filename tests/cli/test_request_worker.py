"""Stories of `zwire request` and `zwire worker`: real processes with a broker between them."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.ports import ReservedPort
from support.processes import Program, zwire
from support.raw import eventually
from support.scripted import CLIENTS, Place, real_broker

pytestmark = pytest.mark.process
STEADY = ("--interval", "2", "--liveness", "8")


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, Place]]:
    with real_broker() as running:
        yield running


def worker(*arguments: str) -> Program:
    """A worker that has registered."""
    program = zwire("worker", *arguments, *STEADY, "--json")
    program.wait_for_json(event="ready")
    return program


def request(*arguments: str) -> tuple[int, str, str]:
    with zwire("request", *arguments) as program:
        code = program.wait()
        return code, "".join(program.output), "".join(program.complaints)


def test_an_echo_is_asked_in_every_dialect(places: dict[str, Place]) -> None:
    with worker("echo", "--echo", "--url", places["mdpx"].back) as serving:
        for dialect in CLIENTS:
            found = request("echo", f"hello {dialect}", "--url", places[dialect].front)
            assert found == (0, f"hello {dialect}\n", "")
        assert serving.stop() == 0
        assert json.loads(serving.output[-1])["event"] == "left"


def test_a_command_gets_the_body_and_gives_the_reply(places: dict[str, Place]) -> None:
    command = "cat; echo; echo $ZWIRE_SERVICE"
    with worker("upper", "--exec", f"({command}) | tr a-z A-Z", "--url", places["mdp02"].back):
        code, output, _ = request("upper", "one", "two", "--url", places["mdpx"].front)
        assert (code, output) == (0, "ONE\nTWO\nUPPER\n")


def test_a_failing_command_replies_with_what_went_wrong(places: dict[str, Place]) -> None:
    command = 'read word; [ "$word" = good ] && echo fine || { echo sorry >&2; exit 3; }'
    with worker("fail", "--exec", command, "--url", places["mdpx"].back):
        code, output, _ = request("fail", "bad\n", "--url", places["mdpx"].front)
        assert (code, output) == (0, "error: the command ended with exit code 3: sorry\n")
        assert request("fail", "good\n", "--url", places["mdpx"].front)[1] == "fine\n"


def test_lines_are_streamed_as_they_come(places: dict[str, Place], tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    # The command goes on when somebody has seen its first line.
    command = f"echo first; {_until(gate)}; echo second"
    with worker("lines", "--exec", command, "--stream", "--url", places["mdpx"].back):
        asking = zwire("request", "lines", "--stream", "--json", "--url", places["mdpx"].front)
        with asking:
            assert asking.wait_for_json(final=False)["text"] == ["first"]
            gate.touch()
            assert asking.wait_for_json(final=False)["text"] == ["second"]
            assert asking.wait_for_json(final=True)["text"] == [""]
            assert asking.wait() == 0
        assert request("lines", "--url", places["mdpx"].front)[1] == "first\nsecond\n"


def test_a_reply_for_programs_is_json(places: dict[str, Place]) -> None:
    with worker("mails", "notes", "--echo", "--slots", "2", "--url", places["emqp"].back):
        code, output, _ = request(
            *("notes", "é", "--json", "--request-id", "mine", "--header", "to:ann"),
            *("--url", places["emqp"].front),
        )
    assert code == 0
    assert json.loads(output) == {
        "service": "notes",
        "request_id": b"mine".hex(),
        "partials": [],
        "body": ["c3a9"],
        "text": ["é"],
    }


def test_nobody_answers_in_time(places: dict[str, Place]) -> None:
    code, output, complaint = request("nobody", "--url", places["mdpx"].front, "--timeout", "0.2")
    assert (code, output) == (1, "")
    assert "no answer from the service 'nobody'" in complaint
    assert "check that a broker listens at" in complaint


@pytest.mark.parametrize(
    "arguments",
    [
        ("request", "echo", "--url", "http://127.0.0.1:1"),
        ("request", "echo", "a", "b", "--url", "emqp://127.0.0.1:1"),
        ("request", "echo", "--header", "a:b"),
        ("request", "echo", "--secret", "missing"),
        ("request", "echo", "--direct"),
        ("worker", "echo"),
        ("worker", "echo", "--echo", "--exec", "cat"),
        ("worker", "echo", "--echo", "--stream"),
        ("worker", "a", "b", "--echo"),
        ("worker", "echo", "--echo", "--slots", "0"),
        ("worker", "echo", "--echo", "--interval", "nan"),
        ("request", "echo", "--timeout", "nan"),
        ("worker", "echo", "--echo", "--bind"),
        ("worker", "mmi.service", "--echo"),
        ("worker", "echo", "--echo", "--url", "tcp://127.0.0.1:1"),
        ("worker", "echo", "--echo", "--url", "mdpx://127.0.0.1:1", "--dialect", "emqp"),
    ],
)
def test_what_cannot_be_done_is_told_and_not_tried(arguments: tuple[str, ...]) -> None:
    with zwire(*arguments) as program:
        assert program.wait() == 2
        assert program.complaints
        assert "Traceback" not in "".join(program.complaints)


def test_a_stopped_worker_finishes_its_command_first(
    places: dict[str, Place], tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    command = f"echo begun; {_until(gate)}; echo ended"
    arguments = ("slow", "--exec", command, "--stream", "--drain", "100")
    with worker(*arguments, "--url", places["mdpx"].back) as serving:
        with zwire("request", "slow", "--stream", "--url", places["mdpx"].front) as asking:
            asking.wait_for_line("begun")
            serving.signal(signal.SIGINT)
            serving.wait_for_json(event="draining")
            gate.touch()
            asking.wait_for_line("ended")
            assert asking.wait() == 0
        assert serving.wait() == 0


def test_a_second_signal_stops_at_once_and_ends_the_command(
    places: dict[str, Place], tmp_path: Path
) -> None:
    command = f"echo $$; {_until(tmp_path / 'never')}"
    arguments = ("stuck", "--exec", command, "--stream", "--drain", "1000")
    with worker(*arguments, "--url", places["mdpx"].back) as serving:
        with zwire("request", "stuck", "--stream", "--url", places["mdpx"].front) as asking:
            shell = int(asking.wait_for_line(""))
            serving.signal(signal.SIGTERM)
            serving.wait_for_json(event="draining")
            serving.signal(signal.SIGTERM)
            assert serving.wait() == 0
            eventually(lambda: not _runs(shell), "the command has ended")
            asking.signal(signal.SIGINT)
            assert asking.wait() == 130


def test_a_command_does_not_outlive_a_worker_that_is_killed(
    places: dict[str, Place], tmp_path: Path
) -> None:
    # A pipeline: the shell that we started is not the only one that has to go.
    command = f"echo $$; {_until(tmp_path / 'never')} | cat"
    arguments = ("orphan", "--exec", command, "--stream", "--url", places["mdpx"].back)
    with worker(*arguments) as serving:
        with zwire("request", "orphan", "--stream", "--url", places["mdpx"].front) as asking:
            shell = int(asking.wait_for_line(""))
            serving.kill()
            eventually(lambda: not _runs(shell), "the command has ended")


def _until(gate: Path) -> str:
    """Shell words that wait for a file; not for ever, should the test fail."""
    return f"for i in $(seq 1200); do [ -e {gate} ] && break; sleep 0.05; done"


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True  # not to be seen here, or gone since
    return state != "Z"  # nobody may have taken note of its end yet


def test_a_worker_and_a_request_meet_without_a_queue() -> None:
    with ReservedPort() as port:
        url = f"ppp://127.0.0.1:{port.number}"
        with worker("any", "--exec", "rev", "--url", url):
            found = request("any", "abc", "--direct", "--url", url)
        assert found[:2] == (0, "cba\n")


def test_key_files_that_are_missing_are_named() -> None:
    code, _, complaint = request("echo", "--secret", "nowhere", "--server-key", "nowhere.key")
    assert code == 2
    assert "nowhere" in complaint
