"""The commands cat, stats and trace, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from support.captures import START, Ticking, waits, write_capture
from zwire.capture import Direction, Kind, Recorder, find_files
from zwire.capture.columns import write_context
from zwire.cli import capturing
from zwire.cli.captured import octets_of, read_since, when
from zwire.cli.main import app

FRONT, BACK = "tcp://127.0.0.1:5555", "tcp://127.0.0.1:5556"
MINTED = b"zwire\0\0\0\0\0\0\0\1"
MILLISECOND = 1_000_000


def zwire(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "150"})


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def commands(result: Result) -> list[str]:
    return [row.get("message") or row.get("event", "") for row in lines(result)]


def record_a_bridged_request(recorder: Recorder) -> None:
    """An MDPX client is served by a PPP worker: between them the request has another id."""
    client, worker = (FRONT, "mdpx.client"), (BACK, "ppp.messages")
    head = [b"MDXC01", b"\1", b"echo"]
    recorder.message(Direction.IN, *worker, "worker", b"bob", [b"\1"])
    recorder.message(Direction.IN, *client, "client", b"alice", [*head, b"other", b"hi"], 6)
    recorder.message(Direction.IN, *client, "client", b"alice", [*head, b"\xaa\xbb", b"hi"], 7)
    recorder.message(Direction.OUT, *worker, "client", b"bob", [MINTED, b"", b"hi"], 7)
    recorder.event("retried", {"request_id": "aabb", "detail": "silence"}, job=7)
    recorder.message(Direction.IN, *worker, "worker", b"bob", [MINTED, b"", b"ho"], 7)
    final = [b"MDXC01", b"\3", b"echo", b"\xaa\xbb", b"ho"]
    recorder.message(Direction.OUT, *client, "broker", b"alice", final, 7)
    recorder.message(Direction.IN, *client, "client", b"eve", [b"MDXC01", b"\x7f\x1b[31m"])


def record_the_worker(recorder: Recorder) -> None:
    """The same request as its worker saw it: it knows no job numbers."""
    place = ("tcp://127.0.0.1:9", "ppp.messages")
    recorder.message(Direction.IN, *place, "client", b"", [MINTED, b"", b"hi"])
    recorder.message(Direction.IN, *place, "client", b"", [MINTED[:-1] + b"\2", b"", b"hi"])
    recorder.message(Direction.OUT, *place, "worker", b"", [MINTED, b"", b"ho"])


@pytest.fixture
def broker(tmp_path: Path) -> Path:
    folder = tmp_path / "broker"
    clock = Ticking(MILLISECOND)
    with Recorder(folder, "broker", hold=None, clock=clock, identity=1) as recorder:
        record_a_bridged_request(recorder)
    return folder


@pytest.fixture
def worker(tmp_path: Path) -> Path:
    folder = tmp_path / "worker"
    clock = Ticking(MILLISECOND)
    clock.now += MILLISECOND // 2
    with Recorder(folder, "worker", hold=None, clock=clock, identity=2) as recorder:
        record_the_worker(recorder)
    return folder


# ------------------------------------------------------------------ cat


def test_cat_prints_decoded_messages_in_lines(broker: Path) -> None:
    result = zwire("cat", broker)
    assert result.exit_code == 0
    told = result.stdout.splitlines()
    assert len(told) == 10
    assert told[3] == (
        "2023-11-14T22:13:20.004000Z ← mdpx.client client alice job 7 "
        "REQUEST service='echo' request_id=aabb body=[2 octets]"
    )
    assert told[5].endswith('· job 7 retried {"request_id": "aabb", "detail": "silence"}')


def test_cat_shows_what_is_malformed_and_why(broker: Path) -> None:
    result = zwire("cat", broker, "--peer", "eve")
    (line,) = result.stdout.splitlines()
    assert "[4d4458433031, 7f1b5b33316d]" in line
    assert line.isprintable()
    (row,) = lines(zwire("cat", broker, "--peer", "eve", "--json"))
    assert row["error"]["code"] == "command"
    assert row["frames"] == ["4d4458433031", "7f1b5b33316d"]


def test_cat_as_json_tells_all_of_a_row(broker: Path) -> None:
    row = lines(zwire("cat", broker, "--json"))[3]
    assert row == {
        "time": "2023-11-14T22:13:20.004000Z",
        "ts_ns": START + 4 * MILLISECOND,
        "sequence": 4,
        "recorder": "0000000000000001",
        "kind": "message",
        "endpoint": FRONT,
        "protocol": "mdpx.client",
        "role": "client",
        "peer": b"alice".hex(),
        "job": 7,
        "direction": "in",
        "frames": ["4d4458433031", "01", b"echo".hex(), "aabb", b"hi".hex()],
        "lengths": [6, 1, 4, 2, 2],
        "message": "REQUEST",
        "fields": {"service": "echo", "request_id": "aabb", "body": [b"hi".hex()]},
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--protocol", "ppp"], ["READY", "REQUEST", "REPLY"]),
        (["--protocol", "mdpx.client", "--peer", "alice"], ["REQUEST", "REQUEST", "FINAL"]),
        (["--peer", b"bob".hex()], ["READY", "REQUEST", "REPLY"]),
        (["--command", "final"], ["FINAL"]),
        (["--command", "retried"], ["retried"]),
        (["--protocol", "mdp"], []),
        (["--since", "2023-11-14T22:13:20.008", "--protocol", "mdpx"], ["FINAL", ""]),
        (["--since", "2023-11-14T23:13:20.008+01:00", "--command", "final"], ["FINAL"]),
        (["--since", "10m"], []),
    ],
)
def test_cat_shows_what_was_asked_for(
    broker: Path, options: list[str], expected: list[str]
) -> None:
    assert commands(zwire("cat", broker, "--json", *options)) == expected


def test_cat_merges_recordings_by_time(broker: Path, worker: Path) -> None:
    rows = lines(zwire("cat", broker, worker, "--json"))
    times = [row["ts_ns"] for row in rows]
    assert times == sorted(times)
    assert {row["recorder"] for row in rows[:2]} == {"0000000000000001", "0000000000000002"}


def test_cat_follows_a_growing_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(tmp_path, hold=None)

    def grow() -> None:
        record_a_bridged_request(recorder)
        recorder.flush()

    monkeypatch.setattr(capturing, "_pause", waits(grow, recorder.close))
    result = zwire("cat", "-f", tmp_path, "--protocol", "mdpx", "--json")
    assert commands(result) == ["REQUEST", "REQUEST", "FINAL", ""]
    assert result.exit_code == 0


def test_an_interrupt_ends_cat_without_a_traceback(
    broker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(capturing, "_pause", interrupt)
    result = zwire("cat", "-f", broker)
    assert result.exit_code == 130
    assert "FINAL" in result.stdout
    assert not result.stderr


def test_cat_says_what_was_cut(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, keep_body=1, body_at=lambda *_: 4) as recorder:
        record_a_bridged_request(recorder)
    told = zwire("cat", tmp_path, "--command", "final").stdout
    assert told.endswith("(14 of 15 octets kept)\n")


def test_cat_tells_what_was_lost_and_says_no(broker: Path) -> None:
    (file,) = find_files([broker])
    file.write_bytes(file.read_bytes()[:-1])
    result = zwire("cat", broker)
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 9
    assert result.stderr.endswith("torn; 1 row lost\n")


@pytest.mark.parametrize("command", ["cat", "stats", "trace"])
def test_what_is_no_capture_is_a_usage_error(tmp_path: Path, command: str) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("nothing of ours")
    request = ["x"] if command == "trace" else []
    for path, told in [
        (tmp_path, "no captures"),
        (foreign, "not a capture"),
        (tmp_path / "nowhere", "No such file"),
    ]:
        result = zwire(command, *request, path)
        assert result.exit_code == 2
        assert told in result.stderr
        assert result.stderr.count("\n") == 1


def test_an_empty_capture_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.zcap").touch()
    for command in ("cat", "stats"):
        assert zwire(command, tmp_path).exit_code == 0


@pytest.mark.parametrize(
    "arguments", [["--since", "yesterday"], ["--since", "2026-13-01"], ["-f", "another"]]
)
def test_arguments_that_mean_nothing_are_usage_errors(broker: Path, arguments: list[str]) -> None:
    result = zwire("cat", broker, *arguments)
    assert result.exit_code == 2
    assert not isinstance(result.exception, ValueError)


# ------------------------------------------------------------------ stats


def test_stats_sums_up_by_command_event_and_recording(broker: Path, worker: Path) -> None:
    sums = json.loads(zwire("stats", broker, worker, "--json").stdout)
    traffic = {(one["protocol"], one["command"], one["direction"]): one for one in sums["traffic"]}
    asked = traffic["mdpx.client", "REQUEST", "in"]
    assert (asked["messages"], asked["octets"], asked["largest"]) == (2, 33, 18)
    assert traffic["mdpx.client", "not decoded", "in"]["messages"] == 1
    assert sums["events"] == {"recording-began": 2, "recording-ended": 2, "retried": 1}
    recordings = {one["name"]: one for one in sums["recordings"]}
    assert (recordings["broker"]["rows"], recordings["worker"]["rows"]) == (10, 5)
    assert recordings["broker"]["missing"] == 0
    assert sums["losses"] == []


def test_stats_are_tables_for_people(broker: Path) -> None:
    told = zwire("stats", broker).stdout
    for words in ("Traffic", "REQUEST", "Events", "retried", "Recordings", "broker"):
        assert words in told


def test_stats_count_the_rows_that_are_missing(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, block=1) as recorder:
        record_a_bridged_request(recorder)
    (file,) = find_files([tmp_path])
    octets = bytearray(file.read_bytes())
    octets[len(octets) // 2] ^= 0xFF
    file.write_bytes(octets)
    result = zwire("stats", tmp_path, "--json")
    assert result.exit_code == 1
    sums = json.loads(result.stdout)
    assert [one["missing"] for one in sums["recordings"]] == [1]
    assert len(sums["losses"]) == 1


# ------------------------------------------------------------------ trace


@pytest.mark.parametrize("wanted", ["aabb", "0xAABB", "job:7"])
def test_trace_follows_a_request_across_dialects(broker: Path, wanted: str) -> None:
    result = zwire("trace", wanted, broker, "--json")
    assert result.exit_code == 0
    assert commands(result) == ["REQUEST", "REQUEST", "retried", "REPLY", "FINAL"]


def test_trace_follows_a_request_into_what_the_worker_recorded(broker: Path, worker: Path) -> None:
    rows = lines(zwire("trace", "aabb", broker, worker, "--json"))
    assert [row["recorder"][-1] for row in rows].count("2") == 2
    assert len(rows) == 7


def test_trace_finds_an_id_that_is_text(broker: Path) -> None:
    (row,) = lines(zwire("trace", "other", broker, "--json"))
    assert row["job"] == 6


def test_trace_tells_how_long_each_hop_took(broker: Path) -> None:
    first, *hops = zwire("trace", "aabb", broker).stdout.splitlines()
    assert first == "2023-11-14T22:13:20.004000Z"
    assert [hop.split(" ms ")[0].strip() for hop in hops] == [
        "+0.000", "+1.000", "+2.000", "+3.000", "+4.000"
    ]  # fmt: skip
    assert FRONT in hops[0]


def test_a_request_tried_again_under_its_own_id_is_followed_through_both_jobs(
    tmp_path: Path,
) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        for job in (3, 4):
            frames = [b"MDXC01", b"\1", b"echo", b"\xaa", b"hi"]
            recorder.message(Direction.IN, FRONT, "mdpx.client", "client", b"alice", frames, job)
    assert [row["job"] for row in lines(zwire("trace", "aa", tmp_path, "--json"))] == [3, 4]


def test_a_minted_id_that_comes_again_does_not_lead_astray(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        for job, name in ((1, b"first"), (2, b"second")):
            frames = [b"MDXC01", b"\1", b"echo", name, b"hi"]
            recorder.message(Direction.IN, FRONT, "mdpx.client", "client", b"a", frames, job)
            recorder.message(Direction.OUT, BACK, "ppp", "client", b"b", [MINTED, b"", b"hi"], job)
    rows = lines(zwire("trace", "first", tmp_path, "--json"))
    assert [row["job"] for row in rows] == [1, 1]


def test_a_request_that_nobody_recorded_is_told(broker: Path) -> None:
    result = zwire("trace", "ffff", broker)
    assert result.exit_code == 1
    assert result.stderr == "nothing was recorded of ffff\n"


# ------------------------------------------------------------------ small things


def test_nothing_in_a_capture_can_steer_a_terminal(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        recorder.event("bell\a", {"k\x1b[2J": "\x9b1m"}, endpoint="tcp://\x1b[31m", job=1)
        recorder.message(Direction.IN, "\x1b]0;x\a", "p\x1b[1m", "r\b", b"\x1b", [b"x"], 1)
    for arguments in (["cat"], ["stats"], ["trace", "job:1"]):
        result = zwire(*arguments, tmp_path)
        assert result.exit_code == 0
        assert all(line.isprintable() for line in result.stdout.splitlines())


def test_facts_that_other_readers_of_json_would_refuse_come_out_as_texts(tmp_path: Path) -> None:
    context = write_context(Kind.EVENT, Direction.NONE, "", "", "")
    facts = b'{"least": -1e999, "none": NaN, "half": 0.5}'
    path = tmp_path / "odd.zcap"
    write_capture(path, [(START, context, 0, b"", (b"odd", facts), None)])
    told = zwire("cat", "--json", path).stdout
    assert json.loads(told, parse_constant=pytest.fail)["facts"] == {
        "least": "-1e999",
        "none": "NaN",
        "half": 0.5,
    }


def test_an_identity_may_be_typed_as_text_or_in_hex() -> None:
    assert octets_of("abcd") == {b"abcd", b"\xab\xcd"}
    assert octets_of("0xAB") == {b"0xAB", b"\xab"}
    assert octets_of("alice") == {b"alice"}
    assert octets_of("12345678-1234-5678-1234-567812345678") >= {
        bytes.fromhex("12345678123456781234567812345678")
    }


def test_times_are_read_as_they_are_printed() -> None:
    for time in (START, START + 123_456_000, 1_000):
        assert read_since(when(time), lambda: 0.0) == time
    assert read_since("90s", lambda: 100.0) == 10_000_000_000
