"""The public names are all there, and cost nothing until they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import zwire
import zwire.aio
import zwire.io


def test_every_public_name_can_be_imported() -> None:
    for module in (zwire, zwire.aio, zwire.io):
        assert [name for name in module.__all__ if getattr(module, name, None) is None] == []
    assert {"Client", "Worker", "Broker"} <= set(dir(zwire))
    assert {"Req", "Rep", "Dealer", "Router"} <= set(dir(zwire.io))
    with pytest.raises(AttributeError, match="no attribute 'Clint'"):
        _ = zwire.Clint  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'Rec'"):
        _ = zwire.io.Rec  # type: ignore[attr-defined]


def test_importing_zwire_alone_loads_no_pyzmq() -> None:
    code = "import sys, zwire, zwire.io; sys.exit('zmq' in sys.modules or 'asyncio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
