"""Brokers, clients and workers that record: what each of them saw of every request."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from support.captures import SmallDisk
from support.ports import ANY_PORT
from support.processes import zwire
from support.raw import eventually
from support.running import Scene, listener
from support.taps import IN, OUT, by_job, events, hop, messages, recorded
from support.wire import Mdpx
from zwire import Client, ClientSettings, LocalError, Worker, aio
from zwire.capture import Recorder, find_files
from zwire.captured import body_at
from zwire.cli.main import app
from zwire.core.effects import What
from zwire.io import taps

pytestmark = pytest.mark.process

LISTENERS = (
    listener("mdpx"),
    listener("ppp", service="echo"),
    listener("emqp", one=True),
    listener("mdp", one=True),
)
# Dialect: its listener's number, what clients and workers say, who answers them, and the words.
MDPX = (0, "mdpx.client", "client", "broker", "FINAL", "mdpx.worker", "broker", "FINAL")
PPP = (1, "reqrep.rep", "dealer", "rep", "REPLY", "ppp.messages", "client", "REPLY")
EMQP = (2, "emqp.client", "client", "broker", "REPLY", "emqp.worker", "broker", "REPLY")
MDP01 = (3, "mdp01.client", "client", "broker", "REPLY", "mdp01.worker", "broker", "REPLY")
MDP02 = (3, "mdp02.client", "client", "broker", "FINAL", "mdp02.worker", "broker", "FINAL")
DIALECTS = {"mdpx": MDPX, "ppp": PPP, "emqp": EMQP, "mdp01": MDP01, "mdp02": MDP02}
PAIRS = [
    ("mdpx", "mdpx"),
    ("ppp", "ppp"),
    ("emqp", "emqp"),
    ("mdp01", "mdp01"),
    ("mdp02", "mdp02"),
    ("mdpx", "ppp"),
    ("ppp", "mdp02"),
    ("mdp01", "emqp"),
]


def url(dialect: str, address: str) -> str:
    return address.replace("tcp", dialect)


def echo(*body: bytes) -> tuple[bytes, ...]:
    return body


def backwards(body: bytes) -> Iterator[bytes]:
    yield from (bytes([octet]) for octet in reversed(body))


@pytest.mark.parametrize(("asking", "serving"), PAIRS)
def test_every_hop_of_every_request_is_recorded_once(
    scene: Scene, tmp_path: Path, asking: str, serving: str
) -> None:
    running = scene.broker(*LISTENERS, capture=tmp_path / "broker")
    place, front, client, replier, answer, *_ = DIALECTS[asking]
    behind, *_, back, broker, final = DIALECTS[serving]
    worker = Worker(url(serving, running.bound[behind].back), "echo", capture=tmp_path / "worker")
    worker.handler(echo)
    with worker:
        running.wait_for(What.WORKER_JOINED)
        asked = Client(url(asking, running.bound[place].front), capture=tmp_path / "client")
        with asked:
            for number in range(3):
                assert asked.request("echo", b"%d" % number).body == (b"%d" % number,)
    running.close()

    ours, theirs, brokers = (recorded(tmp_path / name) for name in ("client", "worker", "broker"))
    assert sorted(by_job(brokers)) == sorted(by_job(ours)) == sorted(by_job(theirs)) == [1, 2, 3]
    for rows in by_job(brokers).values():
        assert [hop(row) for row in rows] == [
            (IN, front, client, "REQUEST"),
            (OUT, back, broker, "REQUEST"),
            (IN, back, "worker", final),
            (OUT, front, replier, answer),
        ]
        asker, server = rows[0].peer, rows[1].peer
        assert asker
        assert server
        assert [row.peer for row in rows] == [asker, server, server, asker]
    for rows in by_job(ours).values():
        assert [hop(row) for row in rows] == [
            (OUT, front, client, "REQUEST"),
            (IN, front, replier, answer),
        ]
    for rows in by_job(theirs).values():
        assert [hop(row) for row in rows] == [
            (IN, back, broker, "REQUEST"),
            (OUT, back, "worker", final),
        ]
    joined = events(brokers, "worker joined")
    assert [row.endpoint for row in joined] == [running.bound[behind].back]
    # What one side says is what the other hears, each message once, with or without a job.
    said = Counter(row.frames for row in messages(ours) if row.direction is OUT)
    heard = Counter(
        row.frames for row in messages(brokers) if row.direction is IN and row.protocol == front
    )
    assert said == heard
    told = Counter(
        row.frames for row in messages(brokers) if row.direction is OUT and row.protocol == back
    )
    assert told >= Counter(row.frames for row in messages(theirs) if row.direction is IN)


def test_partial_replies_belong_to_their_job_also_where_the_client_gets_them_in_one(
    scene: Scene, tmp_path: Path
) -> None:
    running = scene.broker(*LISTENERS, capture=tmp_path)
    worker = Worker(url("mdpx", running.bound[0].back), "echo")
    worker.handler(backwards)
    with worker:
        running.wait_for(What.WORKER_JOINED)
        with Client(url("mdpx", running.bound[0].front)) as client:
            client.request("echo", "ab")
        with Client(url("mdp01", running.bound[3].front)) as client:
            client.request("echo", "ab")
    running.close()
    streamed, gathered = by_job(recorded(tmp_path)).values()
    assert [hop(row)[3] for row in streamed] == [
        *("REQUEST", "REQUEST", "PARTIAL", "PARTIAL", "PARTIAL", "PARTIAL", "FINAL", "FINAL"),
    ]
    assert [hop(row)[3] for row in gathered] == [
        *("REQUEST", "REQUEST", "PARTIAL", "PARTIAL", "FINAL", "REPLY"),
    ]


def test_a_queued_retried_and_redelivered_request_is_one_job(scene: Scene, tmp_path: Path) -> None:
    running = scene.broker(listener("mdpx"), capture=tmp_path)
    client = scene.peer(running.front, b"alice")
    client.send(*Mdpx.ask(b"id", b"hello"))
    client.send(*Mdpx.ask(b"id", b"hello"))
    running.wait_for(What.RETRIED)
    first = scene.worker(running, b"first")
    assert first.receive() == Mdpx.task(b"alice", b"id", b"hello")
    first.send(*Mdpx.DISCONNECT)
    running.wait_for(What.REDELIVERED)
    second = scene.worker(running, b"second")
    assert second.receive() == Mdpx.task(b"alice", b"id", b"hello")
    second.send(*Mdpx.done(b"alice", b"id", b"ho"))
    assert client.receive() == Mdpx.final(b"id", b"ho")
    running.close()

    rows = recorded(tmp_path)
    assert [(row.peer, hop(row)[3]) for row in by_job(rows)[1]] == [
        (b"alice", "REQUEST"),
        (b"alice", "REQUEST"),
        (b"first", "REQUEST"),
        (b"second", "REQUEST"),
        (b"second", "FINAL"),
        (b"alice", "FINAL"),
    ]
    (retried,) = events(rows, "request retried")
    (redelivered,) = events(rows, "request redelivered")
    assert (retried.job, retried.peer) == (1, b"alice")
    assert (redelivered.job, redelivered.peer) == (1, b"first")
    assert redelivered.facts["request_id"] == "id"


def test_what_no_dialect_can_read_is_recorded_too(scene: Scene, tmp_path: Path) -> None:
    running = scene.broker(listener("mdpx"), capture=tmp_path, max_frames=5)
    scene.peer(running.front, b"eve").send(b"MDXC01", b"\x7f")
    scene.peer(running.front, b"eva").send(*[b"x"] * 9)
    running.wait_for(What.INVALID, peer=b"eve")
    running.wait_for(What.INVALID, peer=b"eva")
    running.close()
    found = {row.peer: row for row in messages(recorded(tmp_path))}
    assert (found[b"eve"].frames, found[b"eve"].job) == ((b"MDXC01", b"\x7f"), 0)
    assert found[b"eva"].frames == (b"x",) * 5  # the rest was never kept


def test_bodies_are_cut_or_left_out_and_nothing_else_is(scene: Scene, tmp_path: Path) -> None:
    running = scene.broker(*LISTENERS, capture=tmp_path / "broker", capture_bodies=3)
    worker = Worker(url("emqp", running.bound[2].back), "echo")
    worker.handler(echo)
    keeps_none = Recorder(tmp_path / "client", keep_body=0, body_at=body_at)
    with worker, keeps_none:
        running.wait_for(What.WORKER_JOINED)
        with Client(url("mdpx", running.bound[0].front), capture=keeps_none) as client:
            client.request("echo", "secret")
    running.close()
    for rows, kept in (
        (recorded(tmp_path / "broker"), b"sec"),
        (recorded(tmp_path / "client"), b""),
    ):
        for row in by_job(rows)[1]:
            assert row.frames[-1] == kept
            assert row.lengths == (*map(len, row.frames[:-1]), 6)
        assert not any(b"secret" in frame for row in rows for frame in row.frames)


def test_one_request_is_traced_through_the_recordings_of_all_three(
    scene: Scene, tmp_path: Path
) -> None:
    running = scene.broker(*LISTENERS, capture=tmp_path / "broker")
    worker = Worker(url("ppp", running.bound[1].back), "echo", capture=tmp_path / "worker")
    worker.handler(echo)
    with worker:
        running.wait_for(What.WORKER_JOINED)
        address = url("mdpx", running.bound[0].front)
        with Client(address, capture=tmp_path / "client") as client:
            client.request("echo", "other")
            client.request("echo", "this one", request_id=b"mine")
            client.request("echo", "another")
    running.close()
    folders = [str(tmp_path / name) for name in ("client", "broker", "worker")]
    told = CliRunner().invoke(app, ["trace", "mine", *folders, "--json"])
    assert told.exit_code == 0
    hops = [json.loads(line) for line in told.stdout.splitlines()]
    assert Counter((one["protocol"], one["direction"], one["message"]) for one in hops) == {
        ("mdpx.client", "out", "REQUEST"): 1,
        ("mdpx.client", "in", "REQUEST"): 1,
        ("ppp.messages", "out", "REQUEST"): 1,
        ("ppp.messages", "in", "REQUEST"): 1,
        ("ppp.messages", "out", "REPLY"): 1,
        ("ppp.messages", "in", "REPLY"): 1,
        ("mdpx.client", "out", "FINAL"): 1,
        ("mdpx.client", "in", "FINAL"): 1,
    }
    # Sent is noted with the time before it was sent: no hop is earlier than the one before it.
    directions = [one["direction"] for one in hops]
    assert directions == ["out", "in"] * 4


def test_a_full_disk_ends_the_recording_and_not_the_broker(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SmallDisk(2_000)

    class SmallRecorder(Recorder):
        def __init__(self, folder: Path, name: str, **options: Any) -> None:
            super().__init__(folder, name, **options, block=500, opener=disk)

    monkeypatch.setattr(taps, "Recorder", SmallRecorder)
    running = scene.broker(listener("mdpx"), capture=tmp_path)
    worker = Worker(url("mdpx", running.back), "echo")
    worker.handler(echo)
    with worker, Client(url("mdpx", running.front)) as client:
        asked = 0
        while not running.told(What.RECORDING_STOPPED):
            client.request("echo", b"x" * 100)
            asked += 1
            assert asked < 1_000
        client.request("echo", "still here")
    (told,) = running.told(What.RECORDING_STOPPED)
    assert "No space left on device" in told.why
    assert running.broker.statistics["recording stopped"] == 1
    running.close()
    assert messages(recorded(tmp_path))


def test_a_recorder_that_was_lent_is_left_open(scene: Scene, tmp_path: Path) -> None:
    with Recorder(tmp_path, "shared") as recorder:
        running = scene.broker(listener("mdpx"))
        with Client(url("mdpx", running.front), capture=recorder) as client:
            assert client.request("mmi.service", "echo").body == (b"404",)
        recorder.event("still open", {})
    rows = recorded(tmp_path)
    assert events(rows, "still open")
    assert len(by_job(rows)[1]) == 2


def test_a_request_that_nobody_answers_is_told_in_the_recording(
    scene: Scene, tmp_path: Path
) -> None:
    running = scene.broker(listener("mdpx"))
    settings = ClientSettings(timeout=0.05, retry=0)
    with Client(url("mdpx", running.front), settings=settings, capture=tmp_path) as client:
        with pytest.raises(Exception, match="no answer"):
            client.request("nobody", "?", request_id=b"mine")
    (told,) = events(recorded(tmp_path), "no answer")
    assert (told.job, told.facts["request_id"]) == (1, "mine")


def test_a_client_without_a_queue_and_its_worker_record_each_other(tmp_path: Path) -> None:
    with ExitStack() as stack:
        client = stack.enter_context(Client.direct(ANY_PORT, capture=tmp_path / "client"))
        worker = Worker(url("ppp", client.addresses[0]), capture=tmp_path / "worker")
        worker.handler(echo)
        stack.enter_context(worker)
        assert client.request("", "hi").body == (b"hi",)
    (ours,) = by_job(recorded(tmp_path / "client")).values()
    (theirs,) = by_job(recorded(tmp_path / "worker")).values()
    assert [hop(row) for row in ours] == [
        (OUT, "ppp.messages", "client", "REQUEST"),
        (IN, "ppp.messages", "worker", "REPLY"),
    ]
    assert [row.frames for row in ours] == [row.frames for row in theirs]


def test_clients_and_workers_in_a_loop_record_too(scene: Scene, tmp_path: Path) -> None:
    running = scene.broker(listener("mdpx"))

    async def ask() -> None:
        worker = aio.Worker(url("mdpx", running.back), "echo", capture=tmp_path / "worker")
        worker.handler(echo)
        address = url("mdpx", running.front)
        async with worker, aio.Client(address, capture=tmp_path / "client") as client:
            await client.request("echo", "hi")

    asyncio.run(ask())
    assert len(by_job(recorded(tmp_path / "client"))[1]) == 2
    rows = recorded(tmp_path / "worker")
    assert len(by_job(rows)[1]) == 2
    (worker,) = events(rows, "worker")
    joined = running.wait_for(What.WORKER_JOINED)
    assert worker.facts["identity"] == joined.peer.hex()
    assert events(rows, "left")


def test_where_nothing_can_be_recorded_nothing_is_started(scene: Scene, tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("no folder")
    with pytest.raises(LocalError, match="cannot record"):
        scene.broker(listener("mdpx"), capture=taken)
    with pytest.raises(LocalError, match="cannot record"):
        Client("mdpx://127.0.0.1:1", capture=taken)
    worker = Worker("mdpx://127.0.0.1:1", "echo", capture=taken)
    worker.handler(echo)
    with pytest.raises(LocalError, match="cannot record"):
        worker.start()
    worker.close()
    eventually(lambda: taken.read_text() == "no folder", "it is as it was")


def test_the_commands_record_into_one_folder_together(tmp_path: Path) -> None:
    into = ("--capture", str(tmp_path), "--capture-bodies", "2", "--capture-sync", "block")
    with zwire("broker", "--emqp", ANY_PORT, "--interval", "60", "--json", *into) as broker:
        address = broker.wait_for_json(event="listening")["endpoints"][0]["front"]
        where = ("--url", url("emqp", address), *into)
        with zwire("worker", "echo", "--echo", "--json", *where) as worker:
            broker.wait_for_json(event="worker joined")
            with zwire("request", "echo", "hello", "--json", *where) as request:
                assert request.wait() == 0
            assert worker.stop() == 0
        assert broker.stop() == 0
    rows = recorded(tmp_path)
    names = {row.facts["name"] for row in events(rows, "recording-began")}
    assert names == {"broker", "worker", "client"}
    assert len([row for row in messages(rows) if row.job]) == 8
    assert {row.frames[-1] for row in messages(rows) if row.job} == {b"he"}


def test_cutting_bodies_without_recording_is_a_slip() -> None:
    told = CliRunner().invoke(app, ["request", "echo", "--capture-bodies", "2"])
    assert (told.exit_code, told.stderr) == (2, "--capture-bodies goes with --capture DIR\n")
    told = CliRunner().invoke(app, ["request", "echo", "--capture-sync", "never"])
    assert (told.exit_code, told.stderr) == (2, "--capture-sync goes with --capture DIR\n")


# Every command that records, with all that it has to be told besides.
RECORDING = (
    ("broker", "--emqp", ANY_PORT, "--capture"),
    ("worker", "echo", "--echo", "--capture"),
    ("request", "echo", "--capture"),
    ("node", "ann", "--capture"),
    ("log", "--capture"),
    ("capture", "--between", ANY_PORT, "tcp://127.0.0.1:1", "--into"),
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What recorders are asked for; none is made, so that no command goes on to run."""
    found: list[dict[str, Any]] = []

    def refuse(*_: Any, **options: Any) -> None:
        found.append(options)
        raise LocalError("there is no recorder")

    monkeypatch.setattr("zwire.capture.Recorder", refuse)
    monkeypatch.setattr("zwire.io.taps.Recorder", type("Refusing", (), {"__new__": refuse}))
    return found


@pytest.mark.parametrize("command", RECORDING, ids=lambda command: command[0])
def test_every_command_passes_on_when_the_next_file_begins(
    command: tuple[str, ...], tmp_path: Path, asked: list[dict[str, Any]]
) -> None:
    rotation = ("--capture-rotate-size", "64M", "--capture-rotate-every", "15m")
    told = CliRunner().invoke(app, [*command, str(tmp_path), *rotation])
    assert told.exit_code
    CliRunner().invoke(app, [*command, str(tmp_path)])
    assert [(one["max_size"], one["max_age"]) for one in asked] == [
        (64 * 1024 * 1024, 900.0),
        (256 * 1024 * 1024, 3600.0),
    ]


@pytest.mark.parametrize("command", RECORDING, ids=lambda command: command[0])
def test_no_command_takes_a_rotation_that_it_cannot_read(
    command: tuple[str, ...], tmp_path: Path, asked: list[dict[str, Any]]
) -> None:
    for option, wrong, expected in (
        ("--capture-rotate-size", "64X", "a size such as 64M, 500K or 1G"),
        ("--capture-rotate-size", "0", "a size such as 64M, 500K or 1G"),
        ("--capture-rotate-every", "soon", "a time such as 1h, 15m or 90s, at least 1s"),
    ):
        told = CliRunner().invoke(app, [*command, str(tmp_path), option, wrong])
        assert told.exit_code == 2
        assert told.stderr == f"{option}: expected {expected}, got {wrong!r}\n"
    assert not asked


def test_rotating_without_recording_is_a_slip() -> None:
    for option, value in (("--capture-rotate-size", "1M"), ("--capture-rotate-every", "1h")):
        for command in (["request", "echo"], ["broker", "--emqp", ANY_PORT]):
            told = CliRunner().invoke(app, [*command, option, value])
            assert (told.exit_code, told.stderr) == (2, f"{option} goes with --capture DIR\n")


def test_the_commands_go_on_in_the_next_file_when_one_is_large_enough(tmp_path: Path) -> None:
    into = ("--capture", str(tmp_path), "--capture-rotate-size", "1K")
    with zwire("broker", "--emqp", ANY_PORT, "--interval", "60", "--json", *into) as broker:
        where = ("--url", url("emqp", broker.wait_for_json(event="listening")["endpoints"][0]["front"]))  # fmt: skip
        with zwire("worker", "echo", "--echo", "--json", *where, *into) as worker:
            broker.wait_for_json(event="worker joined")
            for _ in range(2):
                # long enough for a block of its own, on all three sides
                with zwire("request", "echo", "x" * 100_000, *where, *into) as request:
                    assert request.wait() == 0
            assert worker.stop() == 0
        assert broker.stop() == 0
    names = Counter(file.name.split("-")[0] for file in find_files([tmp_path]))
    assert names["broker"] >= 2
    assert names["worker"] >= 2
    assert len([row for row in messages(recorded(tmp_path)) if row.job]) == 16


def test_a_broker_goes_on_in_the_next_file_when_one_is_old_enough(tmp_path: Path) -> None:
    into = ("--capture", str(tmp_path), "--capture-rotate-every", "1s")
    with zwire("broker", "--emqp", ANY_PORT, "--interval", "0.2", "--json", *into) as broker:
        address = broker.wait_for_json(event="listening")["endpoints"][0]["front"]
        with zwire("worker", "echo", "--echo", "--interval", "0.2", "--url", url("emqp", address)):
            eventually(lambda: len(find_files([tmp_path])) > 2, "heartbeats fill a third file")
        assert broker.stop() == 0
