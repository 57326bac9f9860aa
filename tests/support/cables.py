"""Small networks for tests: hosts that are network namespaces, joined by cables."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def cabled(*cables: tuple[str, str]) -> Iterator[dict[str, str]]:
    """Hosts joined by these cables; their namespaces. Skips the test where the machine forbids it.

    Cable n, from 1, is the network 10.99.n.0/24: its first host has address 1, the other 2. The cables of
    a host are its interfaces eth0, eth1 and so on.
    """
    if shutil.which("ip") is None:
        pytest.skip("needs `ip` to make network namespaces")
    names = {host: f"zwire-{host}-{os.getpid()}" for cable in cables for host in cable}
    try:
        for name in names.values():
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        used: Counter[str] = Counter()
        for number, (one, other) in enumerate(cables, 1):
            ends = [(host, f"eth{used[host]}") for host in (one, other)]
            used.update((one, other))
            (first, here), (second, there) = ends
            cable = ["link", "add", here, "type", "veth", "peer", "name", there]
            _ip("-n", names[first], *cable, "netns", names[second])
            for place, (host, interface) in enumerate(ends, 1):
                address = f"10.99.{number}.{place}/24"
                _ip("-n", names[host], "addr", "add", address, "broadcast", "+", "dev", interface)
                _ip("-n", names[host], "link", "set", interface, "up")
        yield names
    finally:
        for name in names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine forbids network namespaces: {done.stderr.strip()}")


def inside(network: str, *command: str) -> tuple[str, ...]:
    """The command that runs another on one of these hosts."""
    return "ip", "netns", "exec", network, *command
