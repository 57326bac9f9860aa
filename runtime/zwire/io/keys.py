"""CURVE keys in files: pairs that are made once, and a folder of the clients that may come in."""

from __future__ import annotations

import errno
import logging
import os
import stat
import struct
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import zmq
import zmq.auth
from zmq.utils import z85

from zwire.io.errors import BadKeys

PUBLIC_SUFFIX = ".key"
SECRET_SUFFIX = ".key_secret"
KEY_LENGTH = 40
_LARGEST = 65_536  # octets that a key file may have, with all its comments
# A file changed this recently may change again without a new time stamp.
_SETTLED_AFTER = 2.0

_log = logging.getLogger("zwire.keys")


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A public key and its secret half, both as 40 octets of Z85 text."""

    public: bytes
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyFiles:
    """Where a new pair was written."""

    public: Path
    secret: Path


def new_key_pair() -> KeyPair:
    """A pair that nobody had before."""
    public, secret = zmq.curve_keypair()
    return KeyPair(public, secret)


def write_keys(folder: Path, name: str, pair: KeyPair | None = None) -> KeyFiles:
    """Write a (new) pair as NAME.key and NAME.key_secret, the latter for its owner alone.

    Files that are there already are never written over: BadKeys says so.
    """
    if not name or name.startswith(".") or Path(name).name != name:
        raise BadKeys(
            "a name that makes no file", where=repr(name), expected="a plain file name like broker"
        )
    pair = pair or new_key_pair()
    files = KeyFiles(folder / f"{name}{PUBLIC_SUFFIX}", folder / f"{name}{SECRET_SUFFIX}")
    present = [path for path in (files.public, files.secret) if path.exists()]
    if present:
        raise BadKeys(
            "key files are never written over",
            where=str(present[0]),
            got="a file that is there already",
            remedy="choose another name or remove the old pair first",
        )
    public_line = f'    public-key = "{pair.public.decode("ascii")}"\n'
    secret_line = f'    secret-key = "{pair.secret.decode("ascii")}"\n'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(
            files.secret,
            0o600,
            "# CURVE key pair: keep this file to yourself.\nmetadata\ncurve\n"
            + public_line
            + secret_line,
        )
        _write(
            files.public,
            0o644,
            "# CURVE public key: give this file to the other side.\nmetadata\ncurve\n"
            + public_line,
        )
    except OSError as error:
        raise BadKeys(
            "cannot write the key files", where=str(folder), got=str(error.strerror)
        ) from error
    return files


def _write(path: Path, mode: int, text: str) -> None:
    # Created with its final mode: there is no moment at which others could read a secret.
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)


def read_pair(path: Path) -> KeyPair:
    """The pair of a secret key file; BadKeys when others may read it or it holds none."""
    public, secret = _read(path)
    if secret is None:
        raise BadKeys(
            "no secret key in this file",
            where=str(path),
            expected=f"a file that ends in {SECRET_SUFFIX}",
            remedy="name the secret file of the pair",
        )
    if path.stat().st_mode & 0o077:
        raise BadKeys(
            "a secret key that others may read",
            where=str(path),
            expected="mode 0600",
            got=f"mode {path.stat().st_mode & 0o777:04o}",
            remedy=f"chmod 600 {path}, and make a new pair if others had a look",
        )
    return KeyPair(public, secret)


def read_public(path: Path) -> bytes:
    """The public key of a public or secret key file."""
    return _read(path)[0]


def _read(path: Path) -> tuple[bytes, bytes | None]:
    try:
        _check_plain(path)
        public, secret = zmq.auth.load_certificate(path)
    except (OSError, ValueError, IndexError) as error:
        raise BadKeys(
            "not a key file",
            where=str(path),
            expected='a line public-key = "…"',
            got=str(error),
            remedy="make a pair with `zwire keys new`",
        ) from error
    for key in (public, secret):
        if key is not None:
            _check_whole(key, path)
    if secret is not None and zmq.curve_public(secret) != public:
        raise BadKeys(
            "a damaged pair",
            where=str(path),
            expected="a secret key and its own public key",
            got="two that do not belong together",
            remedy="make a new pair with `zwire keys new`",
        )
    return public, secret


def _check_plain(path: Path) -> None:
    """Raises OSError for what is no plain file, or too large: reading it might never end."""
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "it is no plain file")
    if facts.st_size > _LARGEST:
        raise OSError(errno.EFBIG, f"it has {facts.st_size} octets")


def _check_whole(key: bytes, path: Path) -> None:
    problem = f"{len(key)} characters" if len(key) != KEY_LENGTH else ""
    if not problem:
        try:
            z85.decode(key)
        except (KeyError, struct.error):
            problem = "characters that are none of a key"
    if problem:
        raise BadKeys(
            "a damaged key",
            where=str(path),
            expected=f"{KEY_LENGTH} characters of Z85",
            got=problem,
            remedy="get the file again from whoever made it",
        )


class AuthorisedKeys:
    """The public keys in a folder, read again whenever the folder has changed.

    It is asked at each handshake, so a key that was added or taken away counts from the next
    connection on; connections that stand already are not cut.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise BadKeys(
                "no folder of authorised keys",
                where=str(folder),
                expected=f"a folder with the clients' {PUBLIC_SUFFIX} files",
                remedy="make the folder, even an empty one",
            )
        self.folder = folder
        self._keys: frozenset[bytes] = frozenset()
        self._seen: tuple[tuple[str, int, int, int], ...] | None = None
        self._settled = False
        self.refresh()

    def allows(self, key: bytes) -> bool:
        """Whether the holder of this public key may come in."""
        self.refresh()
        return key in self._keys

    def callback(self, domain: str, key: bytes) -> bool:
        """The question as pyzmq's authenticator puts it; an error is a no, never an exception."""
        try:
            return self.allows(key)
        except Exception:
            _log.exception("cannot tell whether a key is authorised in %s", self.folder)
            return False

    def refresh(self) -> bool:
        """Read the folder again if it has changed; whether it was read."""
        now = time.time()
        seen = self._look()
        if self._settled and seen == self._seen:
            return False
        newest = max((stamp for _, stamp, _, _ in seen), default=0)
        self._settled = now - newest / 1e9 > _SETTLED_AFTER
        self._seen = seen
        self._keys = frozenset(self._read_all(name for name, _, _, _ in seen))
        return True

    def _look(self) -> tuple[tuple[str, int, int, int], ...]:
        found = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(PUBLIC_SUFFIX):
                        try:
                            facts = entry.stat()
                        except OSError:
                            continue
                        stamp = max(facts.st_mtime_ns, facts.st_ctime_ns)
                        found.append((entry.name, stamp, facts.st_size, facts.st_ino))
        except OSError as error:
            _log.warning("cannot read the authorised keys in %s: %s", self.folder, error.strerror)
        return tuple(sorted(found))

    def _read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        for name in names:
            try:
                yield read_public(self.folder / name)
            except BadKeys as error:
                _log.warning("passing over an authorised key: %s", error)
