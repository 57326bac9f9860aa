"""A headless Chromium for tests, spoken to over a pipe: no port, no library, nothing left behind."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 90.0  # seconds; a busy machine takes long to start a browser
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip

# The browser is told at descriptor 3 and answers at 4; ours may have each other's numbers.
_AS_IT_WANTS = """
import fcntl, os, sys
reading, writing = (fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3])
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser() -> str | None:
    """Chromium or one of its kin, as far as the path has one."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of a browser."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._number = 0
        self._heard = b""
        self.complaints: list[str] = []
        """Errors and warnings that the page caused since it was opened."""
        target = self._say("Target.createTarget", url="about:blank")["targetId"]
        attached = self._say("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def open(self, page: Path, width: int, scheme: str, height: int = 900) -> None:
        """Load a file in a window so wide, in the `light` or `dark` scheme."""
        self.complaints.clear()
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._ask("Emulation.setEmulatedMedia", features=features)
        self._ask("Page.navigate", url=page.resolve().as_uri())
        deadline = time.monotonic() + PATIENCE
        while self.run("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < deadline, "the page was not loaded"

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        told = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def point_at(self, x: float, y: float) -> None:
        """Move the mouse there."""
        self._ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self) -> bytes:
        """The whole page as PNG."""
        told = self._ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(told["data"])

    def _ask(self, method: str, **given: Any) -> dict[str, Any]:
        return self._say(method, self._session, **given)

    def _say(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        self._number += 1
        said: dict[str, Any] = {"id": self._number, "method": method, "params": given}
        if session is not None:
            said["sessionId"] = session
        os.write(self._writing, json.dumps(said).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            told = self._hear(deadline)
            if told.get("id") == self._number:
                assert "error" not in told, told
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _hear(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._heard:
            ready, _, _ = select.select([self._reading], [], [], deadline - time.monotonic())
            assert ready, "the browser said nothing in time"
            octets = os.read(self._reading, 1 << 16)
            assert octets, "the browser ended"
            self._heard += octets
        line, _, self._heard = self._heard.partition(b"\0")
        told: dict[str, Any] = json.loads(line)
        return told

    def _note(self, told: dict[str, Any]) -> None:
        method, given = told.get("method"), told.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(str(given["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning"):
            self.complaints.append(str(given["args"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.complaints.append(given["entry"]["text"])


@contextmanager
def browser() -> Iterator[Browser]:
    """Start one; it is gone at the end, with its folder."""
    program = find_browser()
    assert program is not None, "no browser: apt-get install chromium"
    to_it, our_end = os.pipe()
    from_it, its_end = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        started = subprocess.Popen(
            [sys.executable, "-c", _AS_IT_WANTS, str(to_it), str(its_end),
             program, *_QUIET, f"--user-data-dir={profile}"],
            pass_fds=(to_it, its_end), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        os.close(to_it)
        os.close(its_end)
        try:
            found = Browser(from_it, our_end)
            yield found
            found._say("Browser.close")
            started.wait(timeout=PATIENCE)
        finally:
            if started.poll() is None:
                os.killpg(started.pid, 9)
                started.wait()
            os.close(our_end)
            os.close(from_it)
