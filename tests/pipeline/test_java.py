"""Finding a Java: young enough, wherever it is; or one sentence that says what to do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zwire_spark import java
from zwire_spark.java import MissingJava, find_home, starting_home


def _java(home: Path, version: str) -> Path:
    """A Java that says its version, or the words that it was started with."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = -version ]; then echo \'openjdk version "{version}"\' >&2; '
        'else for word do echo "$word"; done; fi\n'
    )
    program.chmod(0o700)
    return home


def _only(monkeypatch: pytest.MonkeyPatch, *homes: Path) -> None:
    monkeypatch.setattr(java, "_candidates", lambda: iter(homes))


def test_the_first_that_is_young_enough_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, young = _java(tmp_path / "old", "1.8.0_312"), _java(tmp_path / "young", "21.0.2")
    _only(monkeypatch, tmp_path / "absent", old, young)
    assert find_home() == young


def test_without_any_a_sentence_says_what_was_seen_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = _java(tmp_path / "old", "11.0.1")
    _only(monkeypatch, old)
    with pytest.raises(MissingJava) as caught:
        find_home()
    assert str(caught.value) == (
        f"Spark needs Java 17 or later, and none was found ({old} is 11): "
        "install one and set JAVA_HOME, or pip install 'zwire[java]'"
    )


def test_java_home_comes_before_what_is_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = _java(tmp_path / "mine", "17.0.1")
    monkeypatch.setenv("JAVA_HOME", str(mine))
    assert find_home() == mine


def test_spark_starts_it_without_the_module_that_small_runtimes_lack(tmp_path: Path) -> None:
    home = starting_home(_java(tmp_path / "a home with spaces", "17"))
    words = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "a b", "", "$HOME"]
    told = subprocess.run([home / "bin" / "java", *words], capture_output=True, text=True)
    assert told.stdout.splitlines() == ["-Xmx1g", "a b", "", "$HOME"]
