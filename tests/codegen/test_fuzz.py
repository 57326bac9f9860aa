"""Generated codecs of all grammars against the reference: the same verdict on whatever comes.

A few thousand mutations in every run, a million with ZWIRE_SOAK=1.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from random import Random

import pytest

from support.duel import Duel
from zwire_codegen.bundle import grammars
from zwire_codegen.compiler import load
from zwire_codegen.model.types import Part

SOAK = bool(os.environ.get("ZWIRE_SOAK"))
TOTAL = 1_000_000 if SOAK else 6_000
CUT = 700 if SOAK else 60  # octets of the longest message that is cut at every place


@cache
def parts() -> dict[str, Part]:
    """Every part of every grammar, as `mdpx.worker`."""
    loaded = [one.protocol for one in load([grammars()])]
    return {f"{p.name}.{part.name}": part for p in loaded if p is not None for part in p.parts}


@cache
def duel_over(name: str) -> Duel:
    module = importlib.import_module(f"zwire_protocols.{name}")
    errors = importlib.import_module("zwire_protocols.errors")
    return Duel(parts()[name], module, errors)


@pytest.fixture(params=parts())
def duel(request: pytest.FixtureRequest) -> Duel:
    return duel_over(request.param)


def test_valid_vectors_go_both_ways(duel: Duel) -> None:
    duel.valid()


def test_invalid_vectors_are_refused_for_the_reason_told(duel: Duel) -> None:
    duel.invalid()


def test_unencodable_vectors_are_refused_and_blame_the_field(duel: Duel) -> None:
    duel.unencodable()


def test_every_cut_and_every_surplus_gets_the_same_verdict(duel: Duel) -> None:
    duel.cuts(CUT)


def test_mutations_get_the_same_verdict(duel: Duel) -> None:
    duel.mutations(TOTAL // len(parts()) + 1, Random(duel.part.name))


def test_values_in_the_wrong_field_get_the_same_verdict(duel: Duel) -> None:
    duel.shuffles(Random(1))
