"""A process beside ours that ends what we have started, should we be killed before we can."""

from __future__ import annotations

import subprocess
import sys

# It learns of our end, however we end, by the end of its input. It imports nothing of ours.
_SOURCE = """
import os, signal, sys
held = set()
for line in sys.stdin:
    (held.add if line[0] == "+" else held.discard)(int(line[1:]))
for group in held:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class Guardian:
    """Knows the process groups that run for us, and kills those that outlive us."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SOURCE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # away from the terminal's signals
        )

    def watch(self, group: int) -> None:
        """From now on this group ends with us."""
        self._tell(b"+%d\n" % group)

    def release(self, group: int) -> None:
        """The group has ended by itself."""
        self._tell(b"-%d\n" % group)

    def close(self) -> None:
        """End it, and with it all groups that it still watches."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _tell(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
        except OSError:
            return  # somebody killed it: then we have none
