"""Generated codecs of small models against the reference: every kind of field and frame."""

from __future__ import annotations

import os
from random import Random

import pytest

from support import small_models
from support.duel import Duel
from support.rendered import Package
from zwire_codegen.backends.python import codec

SOAK = bool(os.environ.get("ZWIRE_SOAK"))
NUMBER = 100_000 if SOAK else 1_000
CUT = 700 if SOAK else 128  # octets of the longest message that is cut at every place
PARTS = {
    "everything": small_models.every_kind(),
    "paranoid": small_models.paranoid(),
    "majordomo": small_models.majordomo(),
    "enveloped": small_models.enveloped(),
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    protocols = [small_models.protocol(part, name=name) for name, part in PARTS.items()]
    return Package(tmp_path_factory.mktemp("kinds"), codec.render(protocols))


@pytest.fixture(params=PARTS)
def duel(request: pytest.FixtureRequest, package: Package) -> Duel:
    part = PARTS[request.param]
    module = package.module(f"{request.param}.{part.name}")
    return Duel(part, module, package.module("errors"))


def test_vectors_are_judged_alike(duel: Duel) -> None:
    duel.valid()
    duel.invalid()
    duel.unencodable()


def test_every_cut_and_every_surplus_gets_the_same_verdict(duel: Duel) -> None:
    duel.cuts(CUT)


def test_mutations_get_the_same_verdict(duel: Duel) -> None:
    duel.mutations(NUMBER, Random(1))


def test_values_in_the_wrong_field_get_the_same_verdict(duel: Duel) -> None:
    duel.shuffles(Random(1))
