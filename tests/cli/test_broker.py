"""Stories of `zwire broker` and `zwire keys`: real processes, told to stop by signals."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.ports import ANY_PORT, ReservedPort
from support.processes import Program, zwire
from support.running import Peer, Scene
from support.wire import Mdpx
from zwire.cli.console import stop_signals

pytestmark = pytest.mark.process

# Nobody is lost where silence is not the matter.
PATIENT = ("--mdpx", f"{ANY_PORT},{ANY_PORT}", "--interval", "1000", "--json")


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    yield scene
    scene.close()


def ended(*arguments: str | Path) -> tuple[int, str, str]:
    """Run it to its end: exit code, output and complaints, the last without line breaks."""
    with zwire(*map(str, arguments)) as program:
        code = program.wait()
        return code, "".join(program.output), " ".join("".join(program.complaints).split())


def listening(program: Program) -> dict[str, Any]:
    """Where its first listener is."""
    endpoint: dict[str, Any] = program.wait_for_json(event="listening")["endpoints"][0]
    return endpoint


def at_work(scene: Scene, program: Program) -> tuple[Peer, Peer]:
    """A client and the worker that holds its request."""
    place = listening(program)
    worker, client = scene.peer(place["back"], b"W"), scene.peer(place["front"], b"C")
    worker.send(*Mdpx.ready())
    program.wait_for_json(event="worker joined", peer="W", service="echo")
    client.send(*Mdpx.ask(b"1", b"?"))
    assert worker.receive() == Mdpx.task(b"C", b"1", b"?")
    return client, worker


@pytest.mark.parametrize("number", stop_signals(), ids=lambda number: number.name)
def test_a_signal_lets_it_finish_what_is_open_and_dismiss_its_workers(
    scene: Scene, number: signal.Signals
) -> None:
    with zwire("broker", *PATIENT, "--drain", "1000") as program:
        client, worker = at_work(scene, program)
        program.signal(number)
        program.wait_for_json(event="draining")
        client.send(*Mdpx.ask(b"2", b"?"))
        refused = program.wait_for_json(event="request refused")
        assert (refused["request_id"], refused["service"]) == ("2", "echo")
        worker.send(*Mdpx.done(b"C", b"1", b"!"))
        assert client.receive() == Mdpx.final(b"1", b"!")
        assert worker.receive() == Mdpx.DISCONNECT
        counts = program.wait_for_json(event="ended")["statistics"]
        assert (counts["accepted"], counts["answered"], counts["open"]) == (1, 1, 0)
        assert program.wait() == 0
        assert program.complaints == []


def test_a_second_signal_ends_it_whatever_is_open(scene: Scene) -> None:
    with zwire("broker", *PATIENT, "--drain", "1000") as program:
        _, worker = at_work(scene, program)
        program.signal(signal.SIGTERM)
        program.wait_for_json(event="draining")
        program.signal(signal.SIGTERM)
        failed = program.wait_for_json(event="request failed")
        assert (failed["request_id"], failed["detail"]) == ("1", "the broker stopped")
        program.wait_for_json(event="stopped")
        assert program.wait() == 0
        # The process waits until this has left it.
        assert worker.rest() == [Mdpx.DISCONNECT]


def test_a_signal_that_comes_with_the_first_line_is_heeded() -> None:
    with zwire("broker", *PATIENT) as program:
        program.wait_for_json(event="listening")
        assert program.stop() == 0
        assert json.loads(program.output[-1])["event"] == "ended"


def test_it_goes_on_when_nobody_reads_its_events_any_more(scene: Scene) -> None:
    command = [str(Path(sys.executable).with_name("zwire")), "broker", *PATIENT]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            place = json.loads(process.stdout.readline())["endpoints"][0]
            process.stdout.close()
            first, second = scene.peer(place["front"], b"A"), scene.peer(place["front"], b"B")
            first.send(b"nonsense")
            assert "nobody reads the events any more" in process.stderr.readline()
            second.send(b"more nonsense")
            other = scene.peer(place["front"], b"C")
            other.send(*Mdpx.ask(b"1", b"echo", service=b"mmi.service"))
            assert other.receive()[-1] == b"404"
        finally:
            process.kill()


def test_it_tells_people_where_it_listens_and_what_happened() -> None:
    flags = ("--ppp", f"{ANY_PORT},{ANY_PORT}=echo", "--emqp", ANY_PORT)
    with zwire("broker", *flags) as program:
        assert "for the service echo" in program.wait_for_line("ppp at tcp://127.0.0.1:")
        assert "workers at" not in program.wait_for_line("emqp at tcp://127.0.0.1:")
        assert program.stop() == 0
        assert "stopped; " in "".join(program.complaints)


def test_the_printed_configuration_is_one_that_it_reads(tmp_path: Path) -> None:
    flags = ["--mdpx", "tcp://127.0.0.1:5555,tcp://127.0.0.1:5556", "--credit", "4"]
    flags += ["--ppp", "tcp://127.0.0.1:5560,connect:tcp://127.0.0.1:5561=echo", "--drain", "2"]
    code, text, complaints = ended("broker", *flags, "--print-config")
    assert (code, complaints) == (0, "")
    values = tomllib.loads(text)
    assert values["services"]["*"]["credit"] == 4
    assert [one["dialect"] for one in values["listen"]] == ["mdpx", "ppp"]
    path = tmp_path / "broker.toml"
    path.write_text(text)
    assert ended("broker", "--config", path, "--print-config") == (0, text, "")
    # Flags add to the file and change it.
    more = ("--emqp", "tcp://127.0.0.1:5570", "--interval", "9")
    values = tomllib.loads(ended("broker", "--config", path, *more, "--print-config")[1])
    assert [one["interval"] for one in values["listen"]] == [9.0] * 3


def test_the_printed_configuration_tells_when_the_next_file_begins(tmp_path: Path) -> None:
    flags = ("--emqp", "tcp://127.0.0.1:5570", "--capture", tmp_path / "captures")
    text = ended("broker", *flags, "--capture-rotate-size", "64M", "--print-config")[1]
    told = {"folder": str(tmp_path / "captures"), "bodies": "whole", "sync": "file"}
    assert tomllib.loads(text)["capture"] == {**told, "rotate_size": "64M", "rotate_every": "1h"}
    path = tmp_path / "broker.toml"
    path.write_text(text)
    # A flag changes its own setting, and needs no folder where the file names one.
    text = ended("broker", "--config", path, "--capture-rotate-every", "900", "--print-config")[1]
    assert tomllib.loads(text)["capture"] == {**told, "rotate_size": "64M", "rotate_every": "15m"}


def test_it_runs_from_a_file(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "broker.toml"
    path.write_text(f'[[listen]]\ndialect = "mdpx"\nfront = "{ANY_PORT}"\nback = "{ANY_PORT}"\n')
    with zwire("broker", "--config", str(path), "--json") as program:
        client = scene.peer(listening(program)["front"], b"C")
        client.send(*Mdpx.ask(b"1", b"echo", service=b"mmi.service"))
        assert client.receive() == Mdpx.final(b"1", b"404", service=b"mmi.service")
        assert program.stop() == 0


def test_all_mistakes_of_a_file_are_shown_and_nothing_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "broker.toml"
    path.write_text(
        '[[listen]]\ndialect = "http"\nfront = "tcp://127.0.0.1:1"\n[broker]\ndrain = "x"'
    )
    code, output, complaints = ended("broker", "--config", path)
    assert (code, output) == (2, "")
    assert "broker.drain: expected a number, got 'x'" in complaints
    assert "expected one of mdpx, ppp, emqp, mdp, got 'http'" in complaints


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "say where to listen"),
        (["--mdpx", "tcp://127.0.0.1:5555"], "needs two endpoints"),
        (["--emqp", "tcp://127.0.0.1:5555", "--credit", "0"], "expected at least 1, got 0"),
        (["--emqp", "tcp://127.0.0.1:5555", "--secret", "x"], "go together"),
        (["--emqp", "tcp://0.0.0.0:5555"], "--insecure"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
        (["--emqp", "inproc://here"], "nobody could reach it"),
    ],
)
def test_a_wrong_command_line_is_a_sentence_and_code_2(flags: list[str], words: str) -> None:
    code, output, complaints = ended("broker", *flags)
    assert (code, output) == (2, "")
    assert words in complaints
    assert "Traceback" not in complaints


def test_beyond_loopback_it_listens_when_that_is_meant() -> None:
    with zwire("broker", "--emqp", "tcp://0.0.0.0:*", "--insecure", "--json") as program:
        assert listening(program)["front"].startswith("tcp://0.0.0.0:")
        assert program.stop() == 0


def test_an_endpoint_that_is_taken_is_a_sentence_and_code_1() -> None:
    with ReservedPort() as port, zwire("broker", "--emqp", port.endpoint, "--json") as first:
        listening(first)
        code, _, complaints = ended("broker", "--emqp", port.endpoint)
        assert code == 1
        assert "another program may have it" in complaints
        assert "Traceback" not in complaints
        assert first.stop() == 0


def test_new_keys_are_written_once_and_make_a_broker_that_plain_peers_cannot_reach(
    scene: Scene, tmp_path: Path
) -> None:
    code, output, _ = ended("keys", "new", "broker", "--folder", tmp_path)
    assert code == 0
    assert "broker.key_secret" in "".join(output.split())
    assert ended("keys", "new", "broker", "--folder", tmp_path)[0] == 1
    authorised = tmp_path / "authorised"
    authorised.mkdir()
    curve = ("--secret", str(tmp_path / "broker.key_secret"), "--authorised", str(authorised))
    with zwire("broker", *PATIENT, *curve) as program:
        plain = scene.peer(listening(program)["front"], b"plain")
        plain.send_if_admitted(*Mdpx.ask(b"1", b"?"))
        assert program.stop() == 0
        counts = json.loads(program.output[-1])["statistics"]
        assert not any(counts[name] for name in ("accepted", "invalid message", "ignored"))
        assert not plain.waiting()
