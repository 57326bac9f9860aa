"""The sockets as their users see them: messages, options, time-outs, errors and closing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import zmq

from support.raw import PATIENCE, Raw
from support.stage import KINDS, Stage
from zwire.errors import LocalError, RemoteError, ZwireError
from zwire.io import sockets
from zwire.io.errors import (
    BadEndpoint,
    BadIdentity,
    BadOptions,
    Malformed,
    NothingReceived,
    NotSendable,
    SocketClosed,
    UnknownPeer,
    Unprotected,
)
from zwire.io.identities import Owners, fresh_identity
from zwire.io.link import Link
from zwire.io.options import Options, milliseconds
from zwire.io.speech import FRAMES, Speech, heard_from, towards_rep
from zwire_protocols.mdpx import client as mdpx
from zwire_protocols.ppp import messages as ppp

pytestmark = pytest.mark.process

ANY_PORT = "tcp://127.0.0.1:*"


@pytest.fixture(params=KINDS)
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    stage = Stage(request.param)
    yield stage
    stage.close()


@dataclass(frozen=True, slots=True)
class Number:
    value: int


def encode(message: Number) -> list[bytes]:
    if message.value < 0:
        raise ValueError("no number below zero")
    return [b"number", b"%d" % message.value]


def decode(frames: Any) -> Number:
    if len(frames) != 2 or frames[0] != b"number":
        raise ValueError(f"not a number: {frames!r}")
    return Number(int(frames[1]))


NUMBERS = Speech(encode, decode)


class TestMessages:
    def test_a_codec_turns_messages_into_frames_and_back(self) -> None:
        with sockets.Req(codec=NUMBERS) as req, sockets.Rep(codec=NUMBERS) as rep:
            req.connect(rep.bind(ANY_PORT))
            req.send(Number(7), timeout=PATIENCE)
            assert rep.receive(timeout=PATIENCE) == Number(7)
            rep.send(Number(8))
            assert req.receive(timeout=PATIENCE) == Number(8)

    def test_a_router_with_a_codec_names_the_sender_beside_the_message(self) -> None:
        options = Options(identity=b"D")
        with sockets.Dealer(codec=NUMBERS, options=options) as dealer:
            with sockets.Router(codec=NUMBERS) as router:
                dealer.connect(router.bind(ANY_PORT))
                dealer.send(Number(1))
                assert router.receive(timeout=PATIENCE) == (b"D", Number(1))
                router.send(b"D", Number(2))
                assert dealer.receive(timeout=PATIENCE) == Number(2)

    def test_a_dealer_towards_rep_speaks_messages_behind_a_delimiter(self) -> None:
        with sockets.Dealer(codec=towards_rep(NUMBERS)) as dealer:
            with sockets.Rep(codec=NUMBERS) as rep:
                dealer.connect(rep.bind(ANY_PORT))
                dealer.send(Number(1))
                assert rep.receive(timeout=PATIENCE) == Number(1)
                rep.send(Number(2))
                assert dealer.receive(timeout=PATIENCE) == Number(2)

    def test_a_part_with_several_senders_is_heard_by_role(self) -> None:
        class Part:
            DECODERS = {"client": decode, "broker": lambda frames: "from the broker"}

            def encode(self, message: Any) -> list[bytes]:
                return encode(message)

        assert heard_from(Part(), "client").decode([b"number", b"5"]) == Number(5)
        assert heard_from(Part(), "broker").decode([]) == "from the broker"
        with pytest.raises(LocalError, match="broker, client"):
            heard_from(Part(), "worker")

    def test_a_generated_part_is_a_codec_as_it_stands(self) -> None:
        request = mdpx.Request(service="echo", request_id=b"1", body=(b"hello",))
        final = mdpx.Final(service="echo", request_id=b"1", body=(b"hello",))
        with sockets.Dealer(codec=mdpx, options=Options(identity=b"D")) as dealer:
            with sockets.Router(codec=mdpx) as router:
                dealer.connect(router.bind(ANY_PORT))
                dealer.send(request)
                assert router.receive(timeout=PATIENCE) == (b"D", request)
                router.send(b"D", final)
                assert dealer.receive(timeout=PATIENCE) == final

    def test_a_generated_part_whose_messages_look_alike_is_heard_by_role(self) -> None:
        request = ppp.Request(stack=(b"client",), content=(b"hello",))
        reply = ppp.Reply(stack=(b"client",), content=(b"hello",))
        worker_side, queue_side = heard_from(ppp, "client"), heard_from(ppp, "worker")
        with sockets.Dealer(codec=worker_side, options=Options(identity=b"W")) as worker:
            with sockets.Router(codec=queue_side) as queue:
                worker.connect(queue.bind(ANY_PORT))
                worker.send(ppp.Ready())
                assert queue.receive(timeout=PATIENCE) == (b"W", ppp.Ready())
                queue.send(b"W", request)
                assert worker.receive(timeout=PATIENCE) == request
                worker.send(reply)
                assert queue.receive(timeout=PATIENCE) == (b"W", reply)

    def test_what_the_codec_refuses_is_not_sent(self) -> None:
        with sockets.Dealer(codec=NUMBERS) as dealer:
            with pytest.raises(NotSendable, match="no number below zero"):
                dealer.send(Number(-1))

    def test_what_is_no_message_is_told_with_its_frames_and_its_sender(self) -> None:
        with sockets.Router(codec=NUMBERS) as router:
            with sockets.Dealer(options=Options(identity=b"D")) as dealer:
                dealer.connect(router.bind(ANY_PORT))
                dealer.send([b"nonsense"])
                with pytest.raises(Malformed, match="not a number") as caught:
                    router.receive(timeout=PATIENCE)
        assert isinstance(caught.value, RemoteError)
        assert caught.value.frames == (b"nonsense",)
        assert caught.value.peer == b"D"

    def test_frames_that_are_not_octets_are_refused_before_anything_leaves(
        self, stage: Stage
    ) -> None:
        dealer, router = stage.dealer(identity=b"D"), stage.raw(zmq.ROUTER)
        dealer.connect(router.bind(ANY_PORT))
        with pytest.raises(NotSendable, match="frame 1") as caught:
            dealer.send([b"fine", "not fine"])
        assert (caught.value.expected, caught.value.got) == ("bytes", "str")
        dealer.send([b"whole"])
        assert router.receive() == [b"D", b"whole"]

    def test_req_asks_and_returns_the_reply_in_one_call(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        with Raw(zmq.ROUTER, context) as router, sockets.Req(context=context) as req:
            req.connect(router.bind(ANY_PORT))
            req.send([b"first"], timeout=PATIENCE)
            identity, *_ = router.receive()
            router.send(identity, b"", b"reply")
            assert req.receive(timeout=PATIENCE) == [b"reply"]
            with pytest.raises(NothingReceived):
                req.request([b"second"], timeout=0.05)
        context.term()


class TestLimits:
    def test_a_message_with_too_many_frames_is_malformed_and_the_next_is_heard(
        self, stage: Stage
    ) -> None:
        router = stage.router(max_frames=3)
        dealer = stage.raw(zmq.DEALER, identity=b"D")
        dealer.connect(router.bind(ANY_PORT))
        dealer.send(*[b"x"] * 50)
        dealer.send(b"1", b"2", b"3")
        with pytest.raises(Malformed, match="too many frames") as caught:
            router.receive()
        assert caught.value.peer == b"D"
        assert len(caught.value.frames) == 4
        assert router.receive() == (b"D", [b"1", b"2", b"3"])

    def test_a_message_of_thousands_of_frames_is_thrown_away_bit_by_bit(self, stage: Stage) -> None:
        link: Link[list[bytes]] = Link(zmq.ROUTER, FRAMES, Options(max_frames=3), None)
        dealer = stage.raw(zmq.DEALER, identity=b"D")
        dealer.connect(link.bind(ANY_PORT))
        dealer.send(*[b""] * 12_000)
        dealer.send(b"next")
        for _ in range(2):
            assert link.socket.poll(int(PATIENCE * 1000))
            assert link.pull() is None  # others may be heard now
        with pytest.raises(Malformed, match="11997 more"):
            link.pull()
        assert link.pull() == [b"D", b"next"]
        link.close()
        link.end_context()

    def test_a_peer_that_sends_too_large_a_frame_is_cut_off(self, stage: Stage) -> None:
        router = stage.router(max_frame_size=100)
        watch = router.watch()
        endpoint = router.bind(ANY_PORT)
        large = stage.raw(zmq.DEALER, reconnects=False)
        large.connect(endpoint)
        large.send(bytes(101))
        watch.disconnected()
        small = stage.raw(zmq.DEALER, identity=b"S")
        small.connect(endpoint)
        small.send(bytes(100))
        assert router.receive() == (b"S", [bytes(100)])

    def test_a_peer_that_goes_in_the_middle_of_a_message_does_not_spoil_the_next(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Fickle:
            """Behaves as libzmq: after a failure within a message it drops up to the last frame."""

            def __init__(self) -> None:
                self.arrived: list[list[bytes]] = []
                self.partly: list[bytes] = []
                self.failures = 1
                self.dropping = False

            def send(self, frame: bytes, flags: int) -> None:
                more = bool(flags & zmq.SNDMORE)
                if self.dropping:
                    self.dropping = more
                elif self.partly and self.failures:
                    self.failures -= 1
                    self.partly = []
                    self.dropping = more
                    raise zmq.Again
                else:
                    self.partly.append(frame)
                    if not more:
                        self.arrived.append(self.partly)
                        self.partly = []

            def getsockopt(self, option: int) -> int:
                return zmq.POLLOUT

        link = Link(zmq.DEALER, FRAMES, Options(), None)
        real, fickle = link.socket, Fickle()
        link.socket = fickle  # type: ignore[assignment]
        monkeypatch.setattr("zwire.io.link._send", Fickle.send)
        assert list(link.sending([b"1", b"2", b"3", b"4"])) == []
        assert list(link.sending([b"next"])) == []
        link.socket = real
        link.close()
        link.end_context()
        assert fickle.arrived == [[b"1", b"2", b"3", b"4"], [b"next"]]


class TestOptions:
    def test_all_mistakes_are_told_at_once(self) -> None:
        with pytest.raises(BadOptions) as caught:
            Options(send_queue=0, linger=-1.0, reconnect=2.0, reconnect_max=1.0)
        for part in ("send_queue", "linger", "reconnect_max"):
            assert part in str(caught.value)

    @pytest.mark.parametrize("identity", [b"", b"\x00abc", bytes([1]) * 256])
    def test_an_identity_is_neither_empty_nor_too_long_and_never_begins_with_zero(
        self, identity: bytes
    ) -> None:
        with pytest.raises(BadIdentity):
            Options(identity=identity)

    def test_a_router_may_not_name_a_peer_with_a_leading_zero(self, stage: Stage) -> None:
        with pytest.raises(BadIdentity):
            stage.router().connect("tcp://127.0.0.1:1", peer=b"\x00")

    def test_fresh_identities_differ_and_may_be_used(self) -> None:
        made = {fresh_identity() for _ in range(1000)}
        assert len(made) == 1000
        assert all(Options(identity=one).identity == one for one in made)

    def test_options_reach_the_socket(self) -> None:
        options = Options(
            identity=b"me",
            send_queue=3,
            receive_queue=4,
            linger=None,
            max_frame_size=5,
            heartbeat=0.5,
            reconnect=0.2,
            reconnect_max=2.0,
            ipv6=True,
        )
        with sockets.Dealer(options=options) as dealer:
            wanted = {
                zmq.ROUTING_ID: b"me",
                zmq.SNDHWM: 3,
                zmq.RCVHWM: 4,
                zmq.LINGER: -1,
                zmq.MAXMSGSIZE: 5,
                zmq.HEARTBEAT_IVL: 500,
                zmq.RECONNECT_IVL: 200,
                zmq.RECONNECT_IVL_MAX: 2000,
                zmq.IPV6: 1,
            }
            assert {key: dealer.underlying.getsockopt(key) for key in wanted} == wanted

    def test_zmtp_heartbeats_are_off_unless_asked_for(self) -> None:
        with sockets.Router() as router:
            assert router.underlying.getsockopt(zmq.HEARTBEAT_IVL) == 0

    def test_a_connection_is_tried_by_the_system_unless_that_is_not_wanted(
        self, stage: Stage
    ) -> None:
        for keepalive, timer in ((None, "00"), (15.0, "02")):  # 02: a timer runs, of keepalive
            router = stage.router(keepalive=keepalive)
            watch = router.watch()
            port = int(router.bind(ANY_PORT).rpartition(":")[2])
            stage.raw(zmq.DEALER).connect(f"tcp://127.0.0.1:{port}")
            watch.connected()
            table = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
            (timers,) = [
                row[5] for row in table if row[1].endswith(f":{port:04X}") and row[3] == "01"
            ]
            assert timers.startswith(timer)

    def test_times_are_rounded_up_to_milliseconds(self) -> None:
        assert [milliseconds(one) for one in (None, 0.0, 0.0001, 0.001, 1.5)] == [-1, 0, 1, 1, 1500]

    def test_the_time_outs_of_the_options_count_unless_a_call_has_its_own(self) -> None:
        with sockets.Dealer(options=Options(receive_timeout=0.01)) as dealer:
            with pytest.raises(NothingReceived, match=r"0\.01 s"):
                dealer.receive()
            with pytest.raises(NothingReceived, match=r"0\.02 s"):
                dealer.receive(timeout=0.02)

    def test_the_owner_of_an_identity_is_remembered_within_bounds(self) -> None:
        owners = Owners(limit=2)
        assert owners.owns(b"a", "key 1")
        assert not owners.owns(b"a", "key 2")
        assert owners.owns(b"b", "key 2")
        assert owners.owns(b"a", "key 1")
        assert owners.owns(b"c", "key 3")
        assert len(owners) == 2
        assert not owners.owns(b"a", "key 2")
        assert owners.owns(b"b", "key 9")


class TestEndpointsOfSockets:
    def test_binding_beyond_loopback_without_curve_needs_an_explicit_word(
        self, stage: Stage
    ) -> None:
        with pytest.raises(Unprotected, match="CURVE") as caught:
            stage.router().bind("tcp://*:*")
        assert isinstance(caught.value, LocalError)
        assert stage.router(insecure=True).bind("tcp://*:*").startswith("tcp://0.0.0.0:")

    def test_an_endpoint_that_is_taken_is_told(self, stage: Stage) -> None:
        taken = stage.router().bind(ANY_PORT)
        with pytest.raises(BadEndpoint, match="another program"):
            stage.router().bind(taken)

    def test_an_endpoint_that_makes_no_sense_is_told(self, stage: Stage) -> None:
        with pytest.raises(BadEndpoint, match="cannot connect"):
            stage.dealer().connect("nonsense")

    def test_unbinding_and_disconnecting(self) -> None:
        with sockets.Router() as router, sockets.Dealer() as dealer:
            endpoint = router.bind(ANY_PORT)
            dealer.connect(endpoint)
            dealer.disconnect(endpoint)
            router.unbind(endpoint)
            with pytest.raises(BadEndpoint, match="cannot unbind"):
                router.unbind(endpoint)
            with pytest.raises(BadEndpoint, match="cannot disconnect"):
                dealer.disconnect(endpoint)


class TestClosing:
    def test_a_closed_socket_says_so_and_its_own_context_has_ended(self) -> None:
        with sockets.Dealer() as dealer:
            context = dealer.underlying.context
            dealer.bind(ANY_PORT)
        assert dealer.closed
        assert context.closed
        assert "closed" in repr(dealer)
        with pytest.raises(SocketClosed):
            dealer.send([b"x"])
        with pytest.raises(SocketClosed):
            dealer.receive()
        with pytest.raises(SocketClosed):
            dealer.bind(ANY_PORT)
        dealer.close()

    def test_a_context_that_was_given_is_left_open(self, stage: Stage) -> None:
        dealer = stage.dealer()
        dealer.close()
        assert not stage.context.closed

    def test_what_was_sent_leaves_within_the_linger_time(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        with Raw(zmq.ROUTER, context) as router:
            endpoint = router.bind(ANY_PORT)
            with sockets.Dealer(options=Options(linger=PATIENCE)) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"last words"])
            assert router.receive()[1:] == [b"last words"]
        context.term()

    def test_every_error_of_a_socket_is_one_of_ours_and_tells_where(self) -> None:
        with sockets.Router() as router:
            endpoint = router.bind(ANY_PORT)
            with pytest.raises(ZwireError) as caught:
                router.send(b"nobody", [b"x"])
        assert isinstance(caught.value, UnknownPeer)
        assert caught.value.where == f"ROUTER {endpoint}"
        assert caught.value.remedy
        assert str(caught.value).startswith(f"ROUTER {endpoint}: nobody of this identity")
