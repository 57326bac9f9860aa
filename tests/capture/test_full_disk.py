"""A real limit of the operating system on the size of files: the recorded program lives on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.captures import rows_and_losses
from zwire.capture import find_files

pytestmark = pytest.mark.process

PROGRAM = """
import resource, sys
from zwire.capture import Direction, Recorder

resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
told = []
recorder = Recorder(sys.argv[1], block=1_000, on_event=lambda name, facts: told.append(name))
for number in range(1_000):
    recorder.message(Direction.IN, "", "ppp", "client", b"", [b"%d" % number, b"x" * 100])
recorder.close()
print(*told, recorder.failure, sep=", ")
"""


def test_a_file_that_may_not_grow_any_more_stops_the_recording_alone(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="limits on the size of files are a matter of POSIX")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "recording-stopped, File too large\n")
    (file,) = find_files([tmp_path])
    rows, losses = rows_and_losses(file)
    assert not losses
    numbers = [row.frames[0] for row in rows[1:]]
    assert numbers == [b"%d" % number for number in range(len(numbers))]
    assert len(numbers) > 50
