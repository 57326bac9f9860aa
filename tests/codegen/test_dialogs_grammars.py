"""The dialog machines of all grammars: random conversations, and the stories the texts tell."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import pytest

from support.rendered import Package
from zwire_codegen.backends.python import dialogs
from zwire_codegen.backends.tidying import tidy
from zwire_codegen.bundle import grammars
from zwire_codegen.compiler import load
from zwire_codegen.model.talk import scripts
from zwire_codegen.model.types import Part, Protocol

NUMBER = 10_000 if os.environ.get("ZWIRE_SOAK") else 200


@cache
def protocols() -> list[Protocol]:
    return [loaded.protocol for loaded in load([grammars()]) if loaded.protocol is not None]


@cache
def parts() -> dict[str, Part]:
    return {f"{p.name}.{part.name}": part for p in protocols() for part in p.parts}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(tmp_path_factory.mktemp("grammars"), dialogs.render(protocols()))


def play(package: Package, name: str, *lines: str, **limits: int) -> list[Any]:
    """What a conversation of a part answers to lines such as `worker:FINAL a`."""
    conversation = package.module(f"{name}_dialogs").conversation(**limits)
    verdicts = []
    for line in lines:
        said, *key = line.split()
        role, _, command = said.partition(":")
        verdicts.append(conversation.feed(role, command, tuple(key)))
    return verdicts


@pytest.mark.parametrize("name", parts())
def test_machine_and_model_agree_on_random_conversations(package: Package, name: str) -> None:
    module = package.module(f"{name}_dialogs")
    for script in scripts(parts()[name], seed=5, number=NUMBER):
        conversation = module.conversation()
        verdicts = [conversation.feed(line.role, line.message, line.key) for line in script.lines]
        assert verdicts[:-1] == [None] * (len(verdicts) - 1), script
        assert (verdicts[-1] is None) == script.legal, script


@pytest.mark.parametrize("name", parts())
def test_every_dialog_can_be_said_and_names_its_line(package: Package, name: str) -> None:
    module = package.module(f"{name}_dialogs")
    document = parts()[name].origin.document
    assert module.DIALOGS
    for dialog in module.DIALOGS.values():
        assert dialog.line.startswith(f"{document}:")
        assert list(dialog.legal(0))
        assert len(dialog.states) == len(set(dialog.states))


def test_the_files_are_as_black_writes_them() -> None:
    for path, text in dialogs.render(protocols()).items():
        assert tidy(text) == text, path


def test_an_mdpx_worker_is_ready_first_and_answers_only_what_it_was_asked(
    package: Package,
) -> None:
    accepted = play(
        package,
        "mdpx.worker",
        "worker:READY",
        "broker:REQUEST a 1",
        "worker:PING",
        "worker:PARTIAL a 1",
        "broker:PONG",
        "worker:FINAL a 1",
        "broker:REQUEST a 2",
        "broker:DISCONNECT",
    )
    assert accepted == [None] * 8
    for before, wrong in (
        ((), "worker:PING"),
        (("worker:READY",), "worker:READY"),
        (("worker:READY",), "worker:FINAL a 1"),
        (("worker:READY", "broker:REQUEST a 1"), "worker:FINAL a 2"),
        (("worker:DISCONNECT",), "worker:READY"),
    ):
        *fine, violation = play(package, "mdpx.worker", *before, wrong)
        assert fine == [None] * len(before)
        assert type(violation).__name__ == "Violation"
        assert violation.line.startswith("mdpx.md:")


def test_a_strict_worker_holds_one_request_and_one_with_credit_several(package: Package) -> None:
    story = ("worker:READY", "broker:REQUEST a 1", "broker:REQUEST b 2")
    assert play(package, "mdpx.worker", *story, request=1)[-1].reason == "limit"
    assert play(package, "mdpx.worker", *story, request=2)[-1] is None


def test_mdpx_clients_pipeline_by_request_id(package: Package) -> None:
    *fine, violation = play(
        package,
        "mdpx.client",
        "client:REQUEST 1",
        "client:REQUEST 2",
        "broker:PARTIAL 2",
        "broker:FINAL 2",
        "broker:FINAL 1",
        "broker:FINAL 1",
    )
    assert fine == [None] * 5
    assert (violation.reason, violation.legal[0]) == ("unexpected", ("client", "REQUEST"))


def test_a_reply_that_crossed_the_disconnect_is_late(package: Package) -> None:
    story = ("worker:READY", "broker:REQUEST a 1", "broker:DISCONNECT", "worker:FINAL a 1")
    assert type(play(package, "mdpx.worker", *story)[-1]).__name__ == "Late"


def test_zre_traffic_waits_for_hello(package: Package) -> None:
    assert play(package, "zre.messages", "sender:JOIN")[0].reason == "unopened"
    story = ("sender:HELLO", "sender:JOIN", "sender:SHOUT", "sender:PING", "recipient:PING-OK")
    assert play(package, "zre.messages", *story) == [None] * 5


def test_a_ppp_worker_beats_while_it_works(package: Package) -> None:
    story = (
        "worker:READY",
        "client:REQUEST a",
        "worker:HEARTBEAT",
        "client:HEARTBEAT",
        "worker:REPLY a",
    )
    assert play(package, "ppp.messages", *story) == [None] * 5
    assert play(package, "ppp.messages", "worker:READY", "worker:REPLY a")[-1].legal
