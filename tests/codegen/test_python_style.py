"""The generated Python is as black has it, as mypy wants it, and tells where it comes from."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

import pytest
from mypy import api as mypy

from support import hand_made
from support.rendered import Package
from zwire_codegen.backends.python import codec, strategies
from zwire_codegen.backends.tidying import as_black_has_it, tidy
from zwire_codegen.bundle import grammars
from zwire_codegen.compiler import load

FILES = codec.render(hand_made.ALL)
SOAK = bool(os.environ.get("ZWIRE_SOAK"))  # then all files, black being slow
CODE = [name for name in FILES if name.endswith(".py")]


@pytest.mark.parametrize("name", CODE)
def test_black_would_change_nothing(name: str) -> None:
    assert as_black_has_it(FILES[name]) == FILES[name]


def test_black_would_change_nothing_in_strategies() -> None:
    for name, text in strategies.render(hand_made.ALL).items():
        if name.endswith(".py"):
            assert as_black_has_it(text) == text, name


def test_black_would_change_nothing_in_what_the_grammars_give() -> None:
    protocols = [one.protocol for one in load([grammars()]) if one.protocol is not None]
    for name, text in codec.render(protocols).items():
        if name.endswith(".py") and (SOAK or name.startswith(("zre36/m", "ppp/", "zrelog/"))):
            assert as_black_has_it(text) == text, name


def test_long_lines_break_where_black_breaks_them() -> None:
    operands = " or ".join(f"condition_number_{number}" for number in range(9))
    arguments = ", ".join(f"argument_number_{number}" for number in range(9))
    text = (
        f"def long_one({arguments}) -> None:\n"
        f"    if {operands}:\n"
        f"        raise ValueError({arguments})\n"
        "    calls = [\n"
        f"        call({arguments}),\n"
        "    ]\n"
    )
    assert tidy(text) == as_black_has_it(text)
    assert max(map(len, tidy(text).splitlines())) <= 100


USE = """
from typing import assert_never
from {package}.tabled import client

def tell(message: client.Message) -> str:
    match message:
        case client.Request(service=service):
            return service
        case client.Final(body=body):
            return repr(body)
        case _:
            assert_never(message)

client.Request("a", b"1", (b"x",)).service = "b"
client.Request("a", 1, (b"x",))
"""


def test_mypy_objects_only_to_what_users_do_wrong(tmp_path: Path) -> None:
    package = Package(tmp_path, FILES)
    use = tmp_path / "use.py"
    use.write_text(USE.format(package=package.name))
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = true\nwarn_unreachable = true\n")
    told, _, _ = mypy.run(
        [
            f"--config-file={settings}",
            f"--cache-dir={tmp_path / 'cache'}",
            str(use),
            str(tmp_path / package.name),
        ]
    )
    complaints = [line for line in told.splitlines() if "error:" in line]
    assert len(complaints) == 2, told
    assert "read-only" in complaints[0]
    assert 'expected "bytes"' in complaints[1]


@pytest.mark.parametrize("name", CODE)
def test_every_file_says_what_makes_it_anew(name: str) -> None:
    told = ast.get_docstring(ast.parse(FILES[name])) or ""
    assert "`zwire generate`" in told


def test_parts_and_classes_name_document_and_line() -> None:
    text = FILES["mesh/messages.py"]
    assert "from models.md, line 1;" in text
    assert "Says JOIN." in text
    assert re.search(r"Sent by sender; models.md, line 1\.", text)


@pytest.mark.parametrize("name", CODE)
def test_only_the_standard_library_and_neighbours_are_imported(name: str) -> None:
    for node in ast.walk(ast.parse(FILES[name])):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom) and not node.level:
            assert (node.module or "").split(".")[0] in sys.stdlib_module_names


def test_the_same_model_gives_the_same_bytes() -> None:
    assert codec.render(hand_made.ALL) == FILES


def test_a_comment_cannot_break_out_of_its_docstring() -> None:
    nasty = 'A "quoted" \\path\\ and """three""" of them, then "'
    message = hand_made.said("ODD", hand_made.CONTENT)
    spoken = type(message)(message.name, message.senders, message.slots, hand_made.origin(nasty))
    files = codec.render([hand_made.protocol("nasty", hand_made.part("messages", spoken))])
    tree = ast.parse(files["nasty/messages.py"])
    (odd,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert "\\path\\" in (ast.get_docstring(odd) or "")
    assert as_black_has_it(files["nasty/messages.py"]) == files["nasty/messages.py"]
