"""CURVE: key files, the folder of authorised clients, and who gets in."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from zmq.auth.thread import AuthenticationThread

from support.raw import PATIENCE, Raw, Watch
from zwire.io import sockets
from zwire.io.errors import BadKeys, Impostor
from zwire.io.keys import AuthorisedKeys, KeyPair, new_key_pair, read_pair, read_public, write_keys
from zwire.io.options import Options
from zwire.io.security import CurveClient, CurveServer, secure_client, secure_server

pytestmark = pytest.mark.process

ANY_PORT = "tcp://127.0.0.1:*"
SERVER = new_key_pair()


class TestKeyFiles:
    def test_a_new_pair_can_be_read_back_and_only_its_owner_reads_the_secret(
        self, tmp_path: Path
    ) -> None:
        files = write_keys(tmp_path / "keys", "broker")
        assert (files.public.name, files.secret.name) == ("broker.key", "broker.key_secret")
        assert files.secret.stat().st_mode & 0o777 == 0o600
        pair = read_pair(files.secret)
        assert read_public(files.public) == pair.public
        assert zmq.curve_public(pair.secret) == pair.public
        assert pair.secret.decode() not in files.public.read_text()

    def test_the_secret_is_not_shown_by_accident(self) -> None:
        assert SERVER.secret.decode() not in repr(SERVER)

    def test_files_that_are_there_are_never_written_over(self, tmp_path: Path) -> None:
        files = write_keys(tmp_path, "broker")
        before = files.secret.read_text()
        with pytest.raises(BadKeys, match="never written over"):
            write_keys(tmp_path, "broker")
        assert files.secret.read_text() == before

    @pytest.mark.parametrize("name", ["", ".hidden", "a/b", ".."])
    def test_a_name_stays_within_its_folder(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(BadKeys, match="plain file name"):
            write_keys(tmp_path, name)

    def test_a_secret_that_others_may_read_is_refused(self, tmp_path: Path) -> None:
        files = write_keys(tmp_path, "broker")
        files.secret.chmod(0o640)
        with pytest.raises(BadKeys, match="chmod 600"):
            read_pair(files.secret)

    def test_a_public_file_is_no_pair(self, tmp_path: Path) -> None:
        files = write_keys(tmp_path, "broker")
        with pytest.raises(BadKeys, match="no secret key"):
            read_pair(files.public)

    @pytest.mark.parametrize("text", ["", "public-key\n", 'public-key = "short"\n'])
    def test_a_damaged_file_is_told(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "x.key"
        path.write_text(text)
        with pytest.raises(BadKeys, match=r"x\.key"):
            read_public(path)

    def test_a_key_of_other_characters_is_told(self, tmp_path: Path) -> None:
        for wrong in ("~" * 40, "#" * 40):  # no Z85, and Z85 of no number
            path = tmp_path / "x.key"
            path.write_text(f'curve\n    public-key = "{wrong}"\n')
            with pytest.raises(BadKeys, match="a damaged key"):
                read_public(path)

    def test_a_secret_key_beside_the_public_one_of_another_is_told(self, tmp_path: Path) -> None:
        pair, other = new_key_pair(), new_key_pair()
        files = write_keys(tmp_path, "x", KeyPair(other.public, pair.secret))
        with pytest.raises(BadKeys, match="do not belong together"):
            read_pair(files.secret)


class TestAuthorisedKeys:
    def test_keys_count_from_the_moment_they_are_in_the_folder_until_they_are_taken_out(
        self, tmp_path: Path
    ) -> None:
        authorised = AuthorisedKeys(tmp_path)
        pair = new_key_pair()
        assert not authorised.allows(pair.public)
        files = write_keys(tmp_path, "alice", pair)
        assert authorised.allows(pair.public)
        files.public.unlink()
        assert not authorised.allows(pair.public)

    def test_a_key_that_is_replaced_within_one_tick_of_the_clock_counts_at_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second = new_key_pair(), new_key_pair()
        path = write_keys(tmp_path, "alice", first).public
        authorised = AuthorisedKeys(tmp_path)
        unchanged = authorised._look()
        monkeypatch.setattr(authorised, "_look", lambda: unchanged)
        now = os.stat(path).st_ctime
        monkeypatch.setattr("zwire.io.keys.time.time", lambda: now)
        assert authorised.allows(first.public)
        path.write_text(path.read_text().replace(first.public.decode(), second.public.decode()))
        assert authorised.allows(second.public)
        assert not authorised.allows(first.public)

    def test_a_folder_that_has_long_been_the_same_is_not_read_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_keys(tmp_path, "alice")
        later = os.stat(tmp_path / "alice.key").st_ctime + 3600
        monkeypatch.setattr("zwire.io.keys.time.time", lambda: later)
        authorised = AuthorisedKeys(tmp_path)
        assert not authorised.refresh()
        write_keys(tmp_path, "bob")
        assert authorised.refresh()

    def test_a_damaged_file_keeps_nobody_else_out(self, tmp_path: Path) -> None:
        pair = new_key_pair()
        write_keys(tmp_path, "alice", pair)
        (tmp_path / "broken.key").write_text("nothing of use")
        assert AuthorisedKeys(tmp_path).allows(pair.public)

    def test_what_is_no_plain_file_keeps_nobody_waiting(self, tmp_path: Path) -> None:
        pair = new_key_pair()
        write_keys(tmp_path, "alice", pair)
        os.mkfifo(tmp_path / "pipe.key")
        (tmp_path / "folder.key").mkdir()
        (tmp_path / "nowhere.key").symlink_to(tmp_path / "nothing")
        with (tmp_path / "large.key").open("wb") as large:
            large.truncate(10**12)
        assert AuthorisedKeys(tmp_path).allows(pair.public)

    def test_a_folder_that_vanishes_admits_nobody(self, tmp_path: Path) -> None:
        folder, pair = tmp_path / "clients", new_key_pair()
        files = write_keys(folder, "alice", pair)
        authorised = AuthorisedKeys(folder)
        files.public.unlink()
        files.secret.unlink()
        folder.rmdir()
        assert not authorised.callback("any", pair.public)

    def test_a_folder_must_be_there_to_begin_with(self, tmp_path: Path) -> None:
        with pytest.raises(BadKeys, match="make the folder"):
            AuthorisedKeys(tmp_path / "none")


@pytest.fixture
def context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    yield context
    context.term()


def guards() -> int:
    """How many authenticators are running."""
    return sum(isinstance(one, AuthenticationThread) for one in threading.enumerate())


def server(folder: Path) -> Options:
    return Options(curve=CurveServer(SERVER, folder), linger=0.0)


def client(pair: KeyPair, identity: bytes) -> Options:
    return Options(curve=CurveClient(pair, SERVER.public), identity=identity, linger=0.0)


class TestCurve:
    def test_an_authorised_client_is_served_and_may_bind_beyond_loopback(
        self, tmp_path: Path
    ) -> None:
        pair = new_key_pair()
        write_keys(tmp_path, "alice", pair)
        with sockets.Router(options=server(tmp_path)) as router:
            port = router.bind("tcp://*:*").rpartition(":")[2]
            with sockets.Dealer(options=client(pair, b"alice")) as dealer:
                dealer.connect(f"tcp://127.0.0.1:{port}")
                dealer.send([b"hello"])
                assert router.receive(timeout=PATIENCE) == (b"alice", [b"hello"])
                router.send(b"alice", [b"welcome"])
                assert dealer.receive(timeout=PATIENCE) == [b"welcome"]

    def test_a_pair_and_a_server_key_come_from_files(self, tmp_path: Path) -> None:
        ours = write_keys(tmp_path / "server", "broker")
        theirs = write_keys(tmp_path / "clients", "alice")
        curve = CurveServer.from_files(ours.secret, tmp_path / "clients")
        asks = CurveClient.from_files(theirs.secret, ours.public)
        with sockets.Rep(options=Options(curve=curve)) as rep:
            with sockets.Req(options=Options(curve=asks)) as req:
                req.connect(rep.bind(ANY_PORT))
                req.send([b"?"], timeout=PATIENCE)
                assert rep.receive(timeout=PATIENCE) == [b"?"]

    def test_strangers_and_those_who_speak_plainly_get_nothing(
        self, tmp_path: Path, context: zmq.Context[zmq.Socket[bytes]]
    ) -> None:
        pair = new_key_pair()
        write_keys(tmp_path, "alice", pair)
        with sockets.Router(options=server(tmp_path)) as router:
            endpoint = router.bind(ANY_PORT)
            with Raw(zmq.DEALER, context) as stranger, Raw(zmq.DEALER, context) as plain:
                secure_client(stranger.socket, CurveClient(new_key_pair(), SERVER.public))
                refused, unheard = stranger.watch(), plain.watch()
                stranger.connect(endpoint)
                plain.connect(endpoint)
                stranger.send_if_admitted(b"let me in")
                plain.send_if_admitted(b"let me in")
                refused.wait_for(zmq.Event.HANDSHAKE_FAILED_AUTH)
                unheard.disconnected()
                with sockets.Dealer(options=client(pair, b"alice")) as dealer:
                    dealer.connect(endpoint)
                    dealer.send([b"hello"])
                    assert router.receive(timeout=PATIENCE) == (b"alice", [b"hello"])
                    assert router.underlying.poll(0) == 0

    def test_a_key_that_is_added_is_admitted_and_one_that_is_removed_is_not(
        self, tmp_path: Path, context: zmq.Context[zmq.Socket[bytes]]
    ) -> None:
        early, late = new_key_pair(), new_key_pair()
        files = write_keys(tmp_path, "early", early)
        with sockets.Router(options=server(tmp_path)) as router:
            endpoint = router.bind(ANY_PORT)
            with sockets.Dealer(options=client(early, b"early")) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"hello"])
                assert router.receive(timeout=PATIENCE) == (b"early", [b"hello"])
            files.public.unlink()
            write_keys(tmp_path, "late", late)
            with sockets.Dealer(options=client(late, b"late")) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"hello"])
                assert router.receive(timeout=PATIENCE) == (b"late", [b"hello"])
            with Raw(zmq.DEALER, context) as again:
                secure_client(again.socket, CurveClient(early, SERVER.public))
                watch = again.watch()
                again.connect(endpoint)
                watch.wait_for(zmq.Event.HANDSHAKE_FAILED_AUTH)

    def test_an_identity_belongs_to_the_key_that_used_it_first(self, tmp_path: Path) -> None:
        alice, mallory = new_key_pair(), new_key_pair()
        write_keys(tmp_path, "alice", alice)
        write_keys(tmp_path, "mallory", mallory)
        with sockets.Router(options=server(tmp_path)) as router:
            endpoint = router.bind(ANY_PORT)
            with sockets.Dealer(options=client(alice, b"alice")) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"it is me"])
                assert router.receive(timeout=PATIENCE) == (b"alice", [b"it is me"])
            with sockets.Dealer(options=client(mallory, b"alice")) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"no, me"])
                with pytest.raises(Impostor) as caught:
                    router.receive(timeout=PATIENCE)
                assert caught.value.peer == b"alice"
            with sockets.Dealer(options=client(alice, b"alice")) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"me again"])
                assert router.receive(timeout=PATIENCE) == (b"alice", [b"me again"])

    def test_servers_of_one_context_share_a_guard_and_the_last_one_ends_it(
        self, tmp_path: Path, context: zmq.Context[zmq.Socket[bytes]]
    ) -> None:
        before = guards()
        folders = [tmp_path / "one", tmp_path / "two"]
        pairs = [new_key_pair(), new_key_pair()]
        for folder, pair in zip(folders, pairs, strict=True):
            write_keys(folder, "client", pair)
        routers = [sockets.Router(options=server(one), context=context) for one in folders]
        for router, pair in zip(routers, pairs, strict=True):
            endpoint = router.bind(ANY_PORT)
            with sockets.Dealer(options=client(pair, b"C"), context=context) as dealer:
                dealer.connect(endpoint)
                dealer.send([b"hello"])
                assert router.receive(timeout=PATIENCE) == (b"C", [b"hello"])
        crossed = Raw(zmq.DEALER, context)
        secure_client(crossed.socket, CurveClient(pairs[0], SERVER.public))
        watch: Watch = crossed.watch()
        crossed.connect(endpoint)
        watch.wait_for(zmq.Event.HANDSHAKE_FAILED_AUTH)
        crossed.close()
        for router in routers:
            assert guards() > before
            router.close()
        assert guards() == before

    def test_a_server_whose_guard_is_gone_admits_nobody(
        self, tmp_path: Path, context: zmq.Context[zmq.Socket[bytes]]
    ) -> None:
        pair = new_key_pair()
        write_keys(tmp_path, "alice", pair)
        with Raw(zmq.ROUTER, context) as lonely, Raw(zmq.DEALER, context) as alice:
            secure_server(lonely.socket, CurveServer(SERVER, tmp_path)).release()
            secure_client(alice.socket, CurveClient(pair, SERVER.public))
            # libzmq may still find the guard that is just going, and would wait for its word.
            lonely.socket.setsockopt(zmq.HANDSHAKE_IVL, 1000)
            watch = lonely.watch()
            alice.connect(lonely.bind(ANY_PORT))
            watch.wait_for(zmq.Event.HANDSHAKE_FAILED_NO_DETAIL)

    def test_a_server_without_its_folder_is_refused_and_leaves_nothing_behind(
        self, tmp_path: Path
    ) -> None:
        before = guards()
        with pytest.raises(BadKeys):
            sockets.Router(options=server(tmp_path / "missing"))
        assert guards() == before
