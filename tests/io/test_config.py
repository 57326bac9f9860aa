"""The broker's configuration: read, checked and written, with all mistakes at once."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest

from zwire.capture import Rotation, Sync
from zwire.core.policy import Limits, ServiceRules
from zwire.io.config import (
    BrokerConfig,
    ConfigError,
    Curve,
    Listener,
    parse_config,
    parse_flag,
    read_config,
    to_toml,
)
from zwire.io.endpoints import Endpoint
from zwire.io.keys import write_keys

FRONT, BACK = "tcp://127.0.0.1:5555", "tcp://127.0.0.1:5556"


def parse(text: str) -> BrokerConfig:
    return parse_config(tomllib.loads(text), "test.toml", Path())


def mistakes_in(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        parse(text)
    assert all(line.startswith("test.toml: ") for line in str(caught.value).splitlines())
    return caught.value.mistakes


def test_a_small_file_is_enough() -> None:
    config = parse(f'[[listen]]\ndialect = "mdpx"\nfront = "{FRONT}"\nback = "{BACK}"\n')
    assert config == BrokerConfig((Listener("mdpx", Endpoint(FRONT), Endpoint(BACK)),))


def test_each_dialect_has_its_usual_pace() -> None:
    assert parse_flag("mdpx", f"{FRONT},{BACK}").pace == (2.5, 4.0)
    assert parse_flag("ppp", f"{FRONT},{BACK}=echo").pace == (1.0, 3.0)
    assert replace(parse_flag("ppp", f"{FRONT},{BACK}=echo"), interval=0.5).pace == (0.5, 3.0)


def test_what_is_written_reads_in_again_to_the_same(tmp_path: Path) -> None:
    secret = write_keys(tmp_path, "broker").secret
    config = BrokerConfig(
        (
            Listener("mdpx", Endpoint(FRONT), Endpoint(BACK), "", 0.5, 5.0),
            Listener("ppp", Endpoint("ipc:///a"), Endpoint("ipc:///b"), 'my "echo"\\', 1.0, 3.0),
            Listener("emqp", Endpoint("tcp://10.0.0.1:5570", connects=True), None, "", 2.5, 4.0),
            Listener("emqp", Endpoint("tcp://10.0.0.1:5571", True, plain=True), None, "", 2.5, 4.0),
        ),
        ServiceRules(credit=3, expiry=None),
        {"größer\n\x7f": ServiceRules(credit=32, max_queued=7, expiry=1.5, max_redeliveries=0)},
        Limits(max_open=11, parked_for=0.25),
        drain=3.0,
        curve=Curve(secret, tmp_path),
        insecure=True,
        max_message_size=1000,
        max_frames=17,
        capture=tmp_path / "captures",
        capture_bodies=64,
        capture_sync=Sync.BLOCK,
        capture_rotation=Rotation(1_000_000, 7_261.5),
    )
    path = tmp_path / "broker.toml"
    path.write_text(to_toml(config), encoding="utf-8")
    assert read_config(path) == config


def test_what_is_left_out_is_written_as_what_is_usual() -> None:
    text = to_toml(BrokerConfig((parse_flag("ppp", f"{FRONT},{BACK}=echo"),)))
    assert "interval = 1.0" in text
    assert 'expiry = "never"' not in text
    assert to_toml(parse(text)) == text


def test_never_is_for_what_may_be_without_end() -> None:
    listen = f'[[listen]]\ndialect = "emqp"\nfront = "{FRONT}"\n'
    assert parse(listen + '[services."*"]\nexpiry = "never"\n').rules.expiry is None
    [mistake] = mistakes_in(listen + '[services."*"]\ncredit = "never"\n')
    assert mistake == "services.*.credit: expected a whole number, got 'never'"


def test_paths_count_from_the_folder_of_the_file(tmp_path: Path) -> None:
    write_keys(tmp_path, "broker")
    (tmp_path / "clients").mkdir()
    path = tmp_path / "broker.toml"
    path.write_text(
        f'[curve]\nsecret = "broker.key_secret"\nauthorised = "clients"\n'
        f'[[listen]]\ndialect = "emqp"\nfront = "{FRONT}"\n'
    )
    assert read_config(path).curve == Curve(tmp_path / "broker.key_secret", tmp_path / "clients")


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    found = mistakes_in("""
        colour = "red"
        [broker]
        drain = "long"
        max_frames = -1
        insecure = 1
        [[listen]]
        dialect = "http"
        front = "tcp://127.0.0.1:1"
        [[listen]]
        dialect = "ppp"
        front = "tcp://127.0.0.1:2"
        interval = 0
        [[listen]]
        dialect = "mdp"
        front = "127.0.0.1:3"
        service = "echo"
        liveness = 0.5
        [[listen]]
        dialect = "emqp"
        front = "tcp://*:4"
        port = 4
        [[listen]]
        dialect = "emqp"
        front = "tcp://127.0.0.1:2"
        [limits]
        max_open = 1.5
        max_peers = -2
        [services]
        echo = 3
        [services.other]
        credit = 0
        expiry = true
        [curve]
        secret = "nowhere.key_secret"
        authorised = 5
        """)
    beginnings = [
        "colour: not known",
        "broker.drain: expected a number, got 'long'",
        "broker.max_frames: expected at least 0, got -1",
        "broker.insecure: expected true or false, got 1",
        "dialect: expected one of mdpx, ppp, emqp, mdp, got 'http'",
        "ppp: needs two endpoints",
        "ppp: needs the service",
        "ppp: interval: expected more than 0, got 0",
        "mdp: '127.0.0.1:3': not an endpoint",
        "mdp: names its services on the wire",
        "mdp: liveness: expected at least 1, got 0.5",
        "listen 4.port: not known",
        "emqp: tcp://127.0.0.1:2 is used twice",
        "limits.max_open: expected a whole number, got 1.5",
        "limits.max_peers: expected at least 0, got -2",
        "services.echo: expected a table, got 3",
        "services.other.credit: expected at least 1, got 0",
        "services.other.expiry: expected a number, got True",
        "curve.secret: no file nowhere.key_secret",
        "curve.authorised: expected a text, got 5",
    ]
    for beginning in beginnings:
        told = [mistake for mistake in found if beginning in mistake]
        assert len(told) == 1, f"{beginning}: {found}"


def test_a_key_file_without_a_folder_of_authorised_keys_does_not_take_the_next_best() -> None:
    found = mistakes_in('[curve]\nsecret = "x"')
    assert "curve.authorised: name a folder" in found
    found = mistakes_in('[curve]\nauthorised = "x"')
    assert "curve.secret: name the broker's secret key file" in found


def test_an_endpoint_that_cannot_be_read_is_told_once_and_one_that_nobody_reaches_too() -> None:
    found = mistakes_in("""
        [[listen]]
        dialect = "emqp"
        front = "127.0.0.1:1"
        [[listen]]
        dialect = "emqp"
        front = "inproc://here"
        """)
    assert len([one for one in found if "127.0.0.1:1" in one]) == 1
    assert len([one for one in found if "nobody could reach it" in one]) == 1


def test_a_size_that_libzmq_cannot_be_told_is_a_mistake() -> None:
    found = mistakes_in("[broker]\nmax_message_size = 99999999999999999999")
    assert any("max_message_size: expected at most" in mistake for mistake in found)


@pytest.mark.parametrize("service", ["mmi.service", "two\nlines", "\udcff"])
def test_a_pirates_service_needs_a_name_that_others_can_ask_for(service: str) -> None:
    listener = parse_flag("ppp", f"tcp://127.0.0.1:1,tcp://127.0.0.1:2={service}")
    assert any("printable text" in mistake for mistake in BrokerConfig((listener,)).mistakes())


@pytest.mark.parametrize("text", ["listen = 3", "listen = [3]", "broker = 1\nlisten = []"])
def test_a_table_that_is_none_is_told_and_stops_nothing(text: str) -> None:
    assert any("expected" in mistake for mistake in mistakes_in(text))


def test_a_listener_without_a_front_end_is_told() -> None:
    assert any("not an endpoint" in one for one in mistakes_in('[[listen]]\ndialect = "emqp"\n'))


@pytest.mark.parametrize("content", [None, b"[broken", b"\xff"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "broker.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"broker\.toml: "):
        read_config(path)


def test_an_endpoint_without_curve_beside_others_with_it_is_for_this_machine(
    tmp_path: Path,
) -> None:
    keys = Curve(write_keys(tmp_path, "broker").secret, tmp_path)
    mixed = parse_flag("mdpx", "tcp://0.0.0.0:1, plain:tcp://127.0.0.1:2")
    assert mixed.back == Endpoint("tcp://127.0.0.1:2", plain=True)
    BrokerConfig((mixed,), curve=keys).check()
    wrong = parse_flag("mdpx", "tcp://0.0.0.0:1,plain:tcp://0.0.0.0:2")
    with pytest.raises(ConfigError, match=r"0\.0\.0\.0:2 is open to other machines"):
        BrokerConfig((wrong,), curve=keys).check()


def test_other_machines_are_let_in_only_with_curve_or_when_it_is_said(tmp_path: Path) -> None:
    config = BrokerConfig((parse_flag("emqp", "tcp://0.0.0.0:5570"),))
    with pytest.raises(ConfigError, match="open to other machines without CURVE"):
        config.check()
    replace(config, insecure=True).check()
    secret = write_keys(tmp_path, "broker").secret
    replace(config, curve=Curve(secret, tmp_path)).check()
    # Whom we connect to we have chosen ourselves.
    BrokerConfig((parse_flag("emqp", "connect:tcp://192.0.2.1:5570"),)).check()


def test_flags_are_read_as_they_are_written() -> None:
    assert parse_flag("ppp", f"{FRONT}, connect:{BACK} = echo") == Listener(
        "ppp", Endpoint(FRONT), Endpoint(BACK, connects=True), "echo"
    )
    assert parse_flag("emqp", FRONT) == Listener("emqp", Endpoint(FRONT))


def test_a_broker_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="no endpoints"):
        BrokerConfig(()).check()


LISTEN = f'[[listen]]\ndialect = "emqp"\nfront = "{FRONT}"\n'


def test_how_much_of_bodies_is_recorded_is_a_word_or_a_number() -> None:
    for written, meant in (('"whole"', None), ('"none"', 0), ("64", 64), ('"64"', 64)):
        config = parse(f'{LISTEN}[capture]\nfolder = "here"\nbodies = {written}\n')
        assert (config.capture, config.capture_bodies) == (Path("here"), meant)
    assert parse(LISTEN).capture is None


def test_mistakes_about_recording_are_told_with_the_others() -> None:
    told = 'bodies = "half"\nsize = 1\nsync = "often"\nrotate_size = "64X"\nrotate_every = 0\n'
    assert mistakes_in(f"{LISTEN}[capture]\n{told}") == (
        "capture.size: not known; expected bodies, folder, rotate_every, rotate_size, sync",
        "capture.folder: name the folder to record into",
        "capture.bodies: expected whole, none or a number of octets, got 'half'",
        "capture.sync: expected never, file, block, got 'often'",
        "capture.rotate_size: expected a size such as 64M, 500K or 1G, got '64X'",
        "capture.rotate_every: expected a time such as 1h, 15m or 90s, at least 1s, got '0'",
    )


def test_when_the_next_file_begins_is_a_word_or_a_number() -> None:
    usual = Rotation()
    for written, meant in (
        ('rotate_size = "64M"\nrotate_every = "15m"', Rotation(64 * 1024 * 1024, 900.0)),
        ("rotate_size = 5000\nrotate_every = 90", Rotation(5000, 90.0)),
        ("rotate_every = 1.5", replace(usual, every=1.5)),
        ("", usual),
    ):
        config = parse(f'{LISTEN}[capture]\nfolder = "here"\n{written}\n')
        assert config.capture_rotation == meant
        assert parse(to_toml(config)).capture_rotation == meant
    assert parse(LISTEN).capture_rotation == usual


def test_a_rotation_that_cannot_be_is_refused() -> None:
    config = parse(LISTEN)
    for rotation, told in (
        (Rotation(size=0), "capture.rotate_size: expected a number of at least 1, got 0"),
        (Rotation(every=0.5), "capture.rotate_every: expected a number of at least 1, got 0.5"),
        (Rotation(every=inf), "capture.rotate_every: expected a number of at least 1, got inf"),
        (Rotation(every=nan), "capture.rotate_every: expected a number of at least 1, got nan"),
    ):
        assert list(replace(config, capture_rotation=rotation).mistakes()) == [told]
