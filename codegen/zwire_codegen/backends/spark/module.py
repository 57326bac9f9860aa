"""Writes the package: a module for each part, with its stages as texts, and the table of all parts."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.backends.python.names import function_name
from zwire_codegen.backends.python.printing import prepare
from zwire_codegen.backends.spark.columns import columns
from zwire_codegen.backends.spark.stages import stages
from zwire_codegen.backends.templating import environment
from zwire_codegen.model.types import Protocol

SHARED = "part"  # the module beside the packages of the protocols


def render(protocols: Sequence[Protocol]) -> dict[str, str]:
    """The text of every file by its path below the package's folder."""
    jinja = prepare(environment("spark"))
    packages = {package_name(protocol.name): protocol for protocol in protocols}
    modules = {
        (package, function_name(part.name)): (protocol, part)
        for package, protocol in packages.items()
        for part in protocol.parts
    }
    files = {
        "py.typed": "",
        "__init__.py": jinja.get_template("package.py.jinja").render(
            modules=modules, imports=sorted([*modules, (SHARED, "")])
        ),
        f"{SHARED}.py": jinja.get_template("shared.py.jinja").render(),
    }
    for package, protocol in packages.items():
        files[f"{package}/__init__.py"] = jinja.get_template("protocol.py.jinja").render(
            protocol=protocol
        )
    template = jinja.get_template("part.py.jinja")
    for (package, module), (protocol, part) in modules.items():
        types, places = columns(part)
        files[f"{package}/{module}.py"] = template.render(
            protocol=protocol,
            part=part,
            types=types,
            places=places,
            stages=stages(part, types, places),
        )
    return files


def package_name(name: str) -> str:
    """The package of a protocol, which may not hide the module that all share."""
    plain = function_name(name)
    return plain + "_" if plain == SHARED else plain
