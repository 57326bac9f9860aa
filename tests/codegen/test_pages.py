"""The pages for people: every message and dialog with its picture, well-formed, the same each time."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.grammars import NAMES
from zwire_codegen.backends.pages.page import render
from zwire_codegen.compiler import load
from zwire_codegen.model.types import Protocol

GRAMMARS = Path(__file__).parents[2] / "grammars"


@pytest.fixture(scope="module")
def protocols() -> list[Protocol]:
    found = [loaded.protocol for loaded in load([GRAMMARS])]
    return [protocol for protocol in found if protocol is not None]


@pytest.fixture(scope="module")
def files(protocols: list[Protocol]) -> dict[str, str]:
    return render(protocols)


def test_every_protocol_has_its_page_and_every_message_its_picture(
    protocols: list[Protocol], files: dict[str, str]
) -> None:
    assert len(protocols) == len(NAMES)
    for protocol in protocols:
        page = files[f"{protocol.name}.md"]
        assert f"({protocol.name}.md)" in files["index.md"]
        for part in protocol.parts:
            for message in part.messages:
                assert f"### {message.name}\n" in page
                assert f"{protocol.name}/{part.name}-{message.name.lower()}.svg" in files
            for dialog in part.conversation.dialogs:
                assert f"{protocol.name}/{part.name}-dialog-{dialog.name.lower()}.svg" in files


def test_every_picture_that_a_page_shows_is_there(files: dict[str, str]) -> None:
    shown = {
        name
        for path, text in files.items()
        if path.endswith(".md")
        for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    }
    assert shown == {path for path in files if path.endswith(".svg")}


def test_pictures_are_well_formed_and_nothing_leaves_their_frame(files: dict[str, str]) -> None:
    for path, text in files.items():
        if not path.endswith(".svg"):
            continue
        root = ElementTree.fromstring(text)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for element in root.iter():
            x = float(element.attrib.get("x", element.attrib.get("cx", 0)))
            y = float(element.attrib.get("y", element.attrib.get("cy", 0)))
            right = x + float(element.attrib.get("width", 0)) * element.tag.endswith("rect")
            assert 0 <= x <= right <= width, path
            assert 0 <= y <= height, path


def test_the_same_model_gives_the_same_octets(
    protocols: list[Protocol], files: dict[str, str]
) -> None:
    assert render(protocols) == files


def test_examples_are_the_frames_of_the_message(files: dict[str, str]) -> None:
    assert "```text\n0: 4d 44 58 57 30 31\n1: 50 49 4e 47\n```" in files["mdpx.md"]
