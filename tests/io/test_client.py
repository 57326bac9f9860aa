"""Stories of the client with threads, against brokers that are played by hand."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack

import pytest
import zmq

from support.ports import ReservedPort
from support.raw import PATIENCE, Context
from support.scripted import CLIENTS, PIPELINING, STREAMING, FrontEnd
from zwire import Client, ClientSettings, Closed, LocalError, NoAnswer, Reply
from zwire.dialects.asking import CLIENT_DIALECTS
from zwire.io import asking_driver

pytestmark = pytest.mark.process
every_dialect = pytest.mark.parametrize("dialect", CLIENTS)
pipelining = pytest.mark.parametrize("dialect", PIPELINING)
streaming = pytest.mark.parametrize("dialect", STREAMING)

PATIENT = ClientSettings(timeout=PATIENCE, retry=0)
Play = Callable[..., tuple[FrontEnd, Client]]


@pytest.fixture
def context() -> Iterator[Context]:
    own: Context = zmq.Context()
    yield own
    own.destroy(linger=0)


@pytest.fixture
def play(context: Context) -> Iterator[Play]:
    """A scripted broker of a dialect, and a client of ours that asks it."""
    with ExitStack() as undo:

        def begin(
            dialect: str, settings: ClientSettings = PATIENT, identity: bytes | None = None
        ) -> tuple[FrontEnd, Client]:
            broker = FrontEnd(dialect, context)
            undo.callback(broker.close)
            client = Client(broker.url, settings=settings, identity=identity)
            undo.callback(client.close)
            return broker, client

        yield begin


@every_dialect
def test_a_request_is_asked_once_and_answered(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    future = client.submit("echo", "hello")
    asked = broker.asked()
    assert (asked.service, asked.body) == (b"" if dialect == "ppp" else b"echo", [b"hello"])
    broker.reply(asked, b"world")
    reply = future.result(PATIENCE)
    assert (reply.service, reply.body, reply.partials) == ("echo", (b"world",), ())


@every_dialect
def test_twenty_open_requests_are_answered_in_any_order(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    futures = [client.submit("echo", b"%d" % number) for number in range(20)]
    requests = [broker.asked() for _ in futures]
    # Without ids on the wire each open request has a socket, hence an identity, of its own.
    assert len({asked.identity for asked in requests}) == (1 if dialect in PIPELINING else 20)
    random.Random(1).shuffle(requests)
    for asked in requests:
        broker.reply(asked, b"re " + asked.body[0])
    assert [future.result(PATIENCE).body for future in futures] == [
        (b"re %d" % number,) for number in range(20)
    ]


@streaming
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_partial_replies_come_one_by_one_and_in_order(dialect: str, count: int, play: Play) -> None:
    broker, client = play(dialect)
    pieces = client.stream("count", b"%d" % count)
    asked = broker.asked()
    for number in range(count):
        broker.reply(asked, b"%d" % number, final=False)
        if number == 0:
            first = next(pieces)  # it is here before the next was sent
            assert (first.body, first.final) == ((b"0",), False)
    broker.reply(asked, b"end")
    rest = [(piece.body, piece.final) for piece in pieces]
    expected = [((b"%d" % number,), False) for number in range(min(count, 1), count)]
    assert rest == [*expected, ((b"end",), True)]


@streaming
def test_a_whole_reply_holds_its_partial_ones(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    future = client.submit("count", b"")
    asked = broker.asked()
    broker.reply(asked, b"1", b"one", final=False)
    broker.reply(asked, b"2", final=False)
    broker.reply(asked, b"3")
    reply = future.result(PATIENCE)
    assert reply.partials == ((b"1", b"one"), (b"2",))
    assert reply.body == (b"3",)


@pipelining
def test_a_second_final_reply_and_one_nobody_asked_for_are_dropped(
    dialect: str, play: Play
) -> None:
    broker, client = play(dialect)
    first = client.submit("echo", b"1")
    asked = broker.asked()
    broker.reply(asked, b"good")
    broker.reply(asked, b"again")
    second = client.submit("echo", b"2")
    broker.reply(broker.asked(), b"also good")
    assert first.result(PATIENCE).body == (b"good",)
    assert second.result(PATIENCE).body == (b"also good",)


@every_dialect
def test_nonsense_is_dropped_and_the_reply_behind_it_counts(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    future = client.submit("echo", b"x")
    asked = broker.asked()
    for nonsense in ([b""], [b"what"], [b"", b"", b""], [b"MDXC01", b"\x09", b"a", b"b", b"c"]):
        broker.raw.send(asked.identity, *nonsense)
    broker.reply(asked, b"good")
    assert future.result(PATIENCE).body == (b"good",)


@every_dialect
def test_a_time_out_says_what_was_asked_and_what_to_look_at(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    with pytest.raises(NoAnswer) as caught:
        client.request("echo", b"x", timeout=0.01)
    text = str(caught.value)
    assert "'echo'" in text
    assert "tcp" + broker.url.removeprefix(dialect) in text
    assert "check that" in text
    assert isinstance(caught.value, TimeoutError)
    late = broker.asked()
    future = client.submit("echo", b"y")
    current = broker.asked()
    broker.reply(current, b"in time")
    if dialect in PIPELINING:  # elsewhere its socket is gone
        broker.reply(late, b"too late")
    assert future.result(PATIENCE).body == (b"in time",)


@pipelining
def test_a_silent_broker_is_asked_again_under_the_same_id(dialect: str, play: Play) -> None:
    broker, client = play(dialect, ClientSettings(timeout=600.0, retry=0.01))
    future = client.submit("echo", b"x")
    requests = [broker.asked() for _ in range(4)]
    assert len({(asked.identity, asked.rest) for asked in requests}) == 1
    broker.reply(requests[-1], b"at last")
    assert future.result(PATIENCE).body == (b"at last",)


@pytest.mark.parametrize("dialect", ["mdp01", "mdp02"])
def test_without_ids_a_silent_broker_is_asked_again_on_a_new_socket(
    dialect: str, play: Play
) -> None:
    broker, client = play(dialect, ClientSettings(timeout=600.0, retry=0.01, max_retries=3))
    future = client.submit("echo", b"x")
    requests = [broker.asked() for _ in range(4)]
    assert len({asked.identity for asked in requests}) == 4
    broker.reply(requests[-1], b"at last")
    assert future.result(PATIENCE).body == (b"at last",)


def test_a_request_that_has_begun_to_be_answered_is_not_asked_again(play: Play) -> None:
    broker, client = play("mdpx", ClientSettings(timeout=600.0, retry=0.01, max_retries=1))
    pieces = client.stream("count", b"x")
    asked = broker.asked()
    broker.reply(asked, b"1", final=False)
    assert next(pieces).body == (b"1",)
    other = client.submit("count", b"y")
    while (later := broker.asked()).body != [b"y"]:
        assert later.rest == asked.rest  # its retry crossed the piece on the way
    broker.reply(later, b"2")
    broker.reply(asked, b"3")
    assert other.result(PATIENCE).body == (b"2",)
    assert next(pieces).body == (b"3",)


@every_dialect
def test_a_client_that_was_refused_comes_back_when_it_asks_again(
    dialect: str, context: Context
) -> None:
    # Somebody who wants another mechanism: libzmq does not come back to such a place by itself.
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"PLAIN".ljust(20, b"\0") + bytes(32)
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        endpoint = f"tcp://127.0.0.1:{elsewhere.getsockname()[1]}"
        settings = ClientSettings(timeout=PATIENCE, retry=0.2, retry_longest=0.2)
        client = Client(endpoint, dialect=dialect, settings=settings)
        asked = client.submit("echo", b"hello")
        refused, _ = elsewhere.accept()
        with refused:
            refused.sendall(greeting)
            while refused.recv(1000):
                pass
    broker = FrontEnd(dialect, context, endpoint)
    broker.reply(broker.asked(), b"world")
    assert asked.result(PATIENCE).body == (b"world",)
    client.close()
    broker.close()


@every_dialect
def test_a_broker_that_comes_late_still_gets_the_request(dialect: str, context: Context) -> None:
    with ReservedPort() as port:
        url = f"{dialect}://127.0.0.1:{port.number}"
        with Client(url, settings=ClientSettings(timeout=600.0, retry=0.5)) as client:
            future = client.submit("echo", b"x")
            broker = FrontEnd(dialect, context, port.endpoint)
            asked = broker.asked()
            while not future.done():
                broker.reply(asked, b"welcome")
                if not broker.raw.socket.poll(200):
                    continue
                asked = broker.asked()  # it was asked again meanwhile
            assert future.result(PATIENCE).body == (b"welcome",)
            broker.close()


@every_dialect
def test_closing_fails_what_is_open_and_refuses_what_comes_after(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    future = client.submit("echo", b"x")
    pieces = client.stream("echo", b"y")
    broker.asked()
    broker.asked()
    client.close()
    with pytest.raises(Closed, match="closed before the reply"):
        future.result(PATIENCE)
    with pytest.raises(Closed):
        next(pieces)
    assert list(pieces) == []
    with pytest.raises(Closed):
        client.request("echo", b"z")
    client.close()


def test_a_futures_callback_may_ask_but_not_wait(play: Play) -> None:
    broker, client = play("mdpx")
    told: list[str] = []
    asked_again: Future[Future[Reply]] = Future()

    def go_on(_: Future[Reply]) -> None:
        try:
            client.request("echo", b"waits")
        except LocalError as error:
            told.append(str(error))
        with client.stream("echo", b"waits too") as pieces, pytest.raises(LocalError):
            next(pieces)
        asked_again.set_result(client.submit("echo", b"second"))

    client.submit("echo", b"first").add_done_callback(go_on)
    broker.reply(broker.asked(), b"1")
    future = asked_again.result(PATIENCE)
    assert "wait in another thread" in told[0]
    while (asked := broker.asked()).body != [b"second"]:
        pass
    broker.reply(asked, b"2")
    assert future.result(PATIENCE).body == (b"2",)


def test_a_client_may_be_closed_by_what_its_own_reply_sets_off(play: Play) -> None:
    broker, client = play("mdpx")
    future = client.submit("echo", b"x")
    future.add_done_callback(lambda _: client.close())
    broker.reply(broker.asked(), b"y")
    assert future.result(PATIENCE).body == (b"y",)
    client.close()
    with pytest.raises(Closed):
        client.submit("echo", b"z")


@pipelining
def test_a_cancelled_request_is_forgotten_and_its_id_free(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    future = client.submit("echo", b"x", request_id=b"mine")
    first = broker.asked()
    assert first.rest == (b"mine",)
    assert future.cancel()
    again = client.submit("echo", b"y", request_id=b"mine")
    second = broker.asked()
    assert (second.rest, second.body) == ((b"mine",), [b"y"])
    broker.reply(second, b"z")
    assert again.result(PATIENCE).request_id == b"mine"


@pipelining
def test_a_stream_that_is_left_early_is_forgotten(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    with client.stream("echo", b"x", request_id=b"mine") as pieces:
        broker.asked()
    assert list(pieces) == []
    dropped = client.stream("echo", b"y", request_id=b"mine")
    broker.asked()
    del dropped
    again = client.submit("echo", b"z", request_id=b"mine")
    broker.reply(broker.asked(), b"!")
    assert again.result(PATIENCE).body == (b"!",)


@pipelining
def test_an_id_that_is_open_cannot_be_taken_again(dialect: str, play: Play) -> None:
    broker, client = play(dialect)
    client.submit("echo", b"x", request_id=b"mine")
    with pytest.raises(LocalError, match="open already"):
        client.request("echo", b"y", request_id=b"mine")
    assert broker.asked().body == [b"x"]


def test_emqp_headers_go_beside_the_body(play: Play) -> None:
    broker, client = play("emqp")
    client.submit("mails", b"x", headers={"to": "ann", "urgent": ""})
    assert broker.asked().headers == b"to:ann,urgent"
    client.submit("mails", b"x", headers=b"\x00 as they are")
    assert broker.asked().headers == b"\x00 as they are"
    client.submit("mails", b"x")
    assert broker.asked().headers == b""


@every_dialect
def test_what_the_dialect_cannot_say_is_refused_at_once(dialect: str, play: Play) -> None:
    _, client = play(dialect)
    with pytest.raises(LocalError, match="at least 0"):
        client.submit("echo", b"x", timeout=-1)
    with pytest.raises(LocalError, match="bytes or text"):
        client.submit("echo", 7)  # type: ignore[arg-type]
    with pytest.raises(LocalError, match="name is text, not bytes"):
        client.submit(b"echo", b"x")  # type: ignore[arg-type]
    if dialect != "ppp":
        with pytest.raises(LocalError, match="printable"):
            client.submit("\n", b"x")
    if dialect == "emqp":
        with pytest.raises(LocalError, match="exactly one frame"):
            client.submit("echo", b"one", b"two")
    else:
        with pytest.raises(LocalError, match="no headers"):
            client.submit("echo", b"x", headers={})
    if dialect in PIPELINING:
        with pytest.raises(LocalError, match="not empty"):
            client.submit("echo", b"x", request_id=b"")
        # Noticed here, or it would end the thread that serves everybody else's requests.
        with pytest.raises(LocalError, match="bytes, not str"):
            client.submit("echo", b"x", request_id="mine")  # type: ignore[arg-type]
    else:
        with pytest.raises(LocalError, match="no request ids"):
            client.submit("echo", b"x", request_id=b"mine")


def test_more_requests_than_may_be_open_are_refused(play: Play) -> None:
    broker, client = play("mdpx", ClientSettings(timeout=PATIENCE, retry=0, max_open=2))
    for _ in range(2):
        client.submit("echo", b"x")
    with pytest.raises(LocalError, match="no more are allowed"):
        client.request("echo", b"y")
    broker.reply(broker.asked(), b"z")


def test_without_ids_requests_beyond_the_sockets_wait_for_one(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_driver, "_MOST_LINKS", 2)
    broker, client = play("mdp02")
    futures = [client.submit("echo", b"%d" % number) for number in range(6)]
    futures[5].cancel()
    heard = [broker.asked(), broker.asked()]
    for _ in range(3):
        # The next one comes only when a socket is free.
        assert not broker.raw.waiting()
        broker.reply(heard[-1], b"re " + heard[-1].body[0])
        heard.append(broker.asked())
    for asked in (heard[0], heard[-1]):
        broker.reply(asked, b"re " + asked.body[0])
    answers = [future.result(PATIENCE).body for future in futures[:5]]
    assert answers == [(b"re %d" % number,) for number in range(5)]


def test_a_client_keeps_the_identity_it_is_given(play: Play) -> None:
    broker, client = play("mdpx", PATIENT, identity=b"ann")
    client.submit("echo", b"x")
    assert broker.asked().identity == b"ann"
    with pytest.raises(LocalError, match="cannot keep one identity"):
        Client("mdp02://127.0.0.1:5555", identity=b"ann")


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:5555",
        "tcp://127.0.0.1:5555",
        "http://127.0.0.1:5555",
        "mdpx://127.0.0.1",
        "mdpx://127.0.0.1:*",
        "mdpx+udp://127.0.0.1:1",
    ],
)
def test_a_url_that_says_too_little_is_refused(url: str) -> None:
    with pytest.raises(LocalError):
        Client(url)


def test_a_url_without_a_port_is_shown_as_it_was_written() -> None:
    with pytest.raises(LocalError, match=r"'mdpx://localhost': .* expected mdpx://host:port"):
        Client("mdpx://localhost")


def test_the_dialect_may_stand_beside_the_endpoint(play: Play, context: Context) -> None:
    broker = FrontEnd("mdpx", context)
    endpoint = "tcp" + broker.url.removeprefix("mdpx")
    with Client(endpoint, dialect="mdpx", settings=PATIENT) as client:
        future = client.submit("echo", b"x")
        broker.reply(broker.asked(), b"y")
        assert future.result(PATIENCE).body == (b"y",)
    with pytest.raises(LocalError, match="say it once"):
        Client(broker.url, dialect="emqp")
    broker.close()


def test_settings_tell_all_their_mistakes() -> None:
    with pytest.raises(LocalError) as caught:
        ClientSettings(timeout=-1, retry=-1, max_open=0, interval=0)
    for name in ("timeout", "retry", "max_open", "interval"):
        assert name in str(caught.value)
    for name in ("timeout", "retry", "retry_longest", "interval", "liveness"):
        with pytest.raises(LocalError, match=name):
            ClientSettings(**{name: float("nan")})  # type: ignore[arg-type]


def test_pauses_before_retries_grow_and_are_longer_where_a_repeat_costs_a_second_run() -> None:
    firsts = []
    for retry, name in ((None, "mdpx"), (None, "mdp02"), (1.0, "ppp")):
        pauses = ClientSettings(retry=retry).rules(CLIENT_DIALECTS[name]).retry
        assert pauses is not None
        assert pauses.pause(0) < pauses.pause(1) <= pauses.pause(9) <= 20.0
        firsts.append(pauses.pause(0))
    assert firsts == [2.5, 10.0, 1.0]
