"""Random conversations: every legal one is accepted, every illegal one refused at its last line."""

from __future__ import annotations

import os
from typing import Any

import pytest

from support import small_models
from support.rendered import Package
from zwire_codegen.backends.python import dialogs
from zwire_codegen.model.talk import Line, Script, Talk, scripts
from zwire_codegen.model.types import Choice, Dialog, Part, Repeat, Sequence

NUMBER = 20_000 if os.environ.get("ZWIRE_SOAK") else 400
HERE = small_models.HERE
say, steps = small_models.say, small_models.steps


def tangled() -> Part:
    """A dialog whose automaton is not obvious, beside a keyed one that runs once for each key."""
    names = ("A", "B", "C", "D")
    messages = [
        small_models.message(name, ("client",), small_models.constant(name.encode()))
        for name in names
    ]
    a, b, c, d = (say(f"client:{name}") for name in names)
    body = Sequence(
        (
            Repeat(Choice((Sequence((a, b)), a, Sequence(()))), 1, 3),
            Repeat(Choice((b, Sequence((a, c)))), 2, None),
            Repeat(c, 0, 1),
        )
    )
    return small_models.part(
        *messages,
        dialogs=(
            Dialog("tangle", body, HERE),
            Dialog("once", Sequence((d, Repeat(d, 1, 2))), HERE, key=("id",), loops=False),
        ),
    )


PARTS = {
    "paranoid": small_models.paranoid(),
    "majordomo": small_models.majordomo(),
    "tangled": tangled(),
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    protocols = [small_models.protocol(part, name=name) for name, part in PARTS.items()]
    package = Package(tmp_path_factory.mktemp("talk"), dialogs.render(protocols))
    return {n: package.module(f"{n}.{part.name}_dialogs") for n, part in PARTS.items()}


def judge(conversation: Any, script: Script) -> None:
    """Every line is accepted, but for the last of an illegal script."""
    *before, last = script.lines
    for line in before:
        assert conversation.feed(line.role, line.message, line.key) is None, (line, script)
    verdict = conversation.feed(last.role, last.message, last.key)
    assert (verdict is None) == script.legal, (last, verdict, script)


@pytest.mark.parametrize("name", PARTS)
def test_machine_and_model_agree_on_random_conversations(
    modules: dict[str, Any], name: str
) -> None:
    told = list(scripts(PARTS[name], seed=1, number=NUMBER))
    assert {script.legal for script in told} == {True, False}
    for script in told:
        judge(modules[name].conversation(), script)


@pytest.mark.parametrize("name", PARTS)
def test_what_the_machine_calls_legal_is_what_the_model_calls_legal(
    modules: dict[str, Any], name: str
) -> None:
    key = ("key-0",)
    for script in scripts(PARTS[name], seed=2, number=60):
        talk, conversation = Talk(PARTS[name]), modules[name].conversation()
        for line in script.lines[:-1]:
            talk.say(line)
            conversation.feed(line.role, line.message, line.key)
            legal = {(said.role, said.message) for said in talk.legal() if said.key in ((), key)}
            assert legal == set(conversation.legal(key))


def test_the_same_seed_tells_the_same_stories() -> None:
    part = small_models.majordomo()
    assert list(scripts(part, 7, 50)) == list(scripts(part, 7, 50))
    assert list(scripts(part, 7, 50)) != list(scripts(part, 8, 50))


def test_an_illegal_story_is_legal_but_for_its_last_line() -> None:
    for script in scripts(tangled(), seed=3, number=200):
        talk = Talk(tangled())
        for line in script.lines[:-1]:
            assert line in talk.legal()
            talk.say(line)
        assert (script.lines[-1] in talk.legal()) == script.legal


def test_a_line_out_of_place_cannot_be_said() -> None:
    with pytest.raises(ValueError, match="not legal"):
        Talk(small_models.majordomo()).say(Line("worker", "FINAL", ("key-0",)))
