"""Writes the codecs: one package per protocol, one module per part, and what all of them share."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.backends.python.names import (
    SHARED,
    constant_name,
    function_name,
    package_name,
)
from zwire_codegen.backends.python.plan import PartPlan, plan_parts
from zwire_codegen.backends.python.printing import prepare
from zwire_codegen.backends.templating import environment
from zwire_codegen.backends.tidying import tidy
from zwire_codegen.model.types import Protocol


def render(protocols: Sequence[Protocol]) -> dict[str, str]:
    """The text of every file by its path below the package's folder."""
    jinja = prepare(environment("python"))
    files = {"py.typed": ""}
    packages = {package_name(protocol.name): protocol for protocol in protocols}
    files["__init__.py"] = tidy(
        jinja.get_template("package.py.jinja").render(packages=packages, parts=_modules)
    )
    for name in SHARED:
        files[f"{name}.py"] = tidy(jinja.get_template(f"{name}.py.jinja").render())
    for package, protocol in packages.items():
        plans = plan_parts(protocol)
        for plan in plans:
            text = jinja.get_template("part.py.jinja").render(plan=plan)
            files[f"{package}/{plan.module}.py"] = tidy(text)
        names = _public_names(plans[0]) if len(plans) == 1 else []
        known = {constant_name(constant.name): constant for constant in protocol.constants}
        constants = {name + "_" * (name in names): known[name] for name in known}
        public = [*constants, *(names or [plan.module for plan in plans])]
        files[f"{package}/__init__.py"] = tidy(
            jinja.get_template("protocol.py.jinja").render(
                protocol=protocol,
                plans=plans,
                names=names,
                constants=constants,
                public=sorted(public, key=_by_kind),
            )
        )
    return files


def _modules(protocol: Protocol) -> tuple[str, ...]:
    return tuple(function_name(part.name) for part in protocol.parts)


def _public_names(plan: PartPlan) -> list[str]:
    """What a package with one part offers of it."""
    names = list(plan.constants)
    names += [enum.enum for enum in plan.enums]
    names += [message.class_name for message in plan.messages]
    names += ["DECODERS", "MESSAGES", "Message", "encode", "to_dict", "from_dict"]
    names += ["summary", "dump", *(decoder.function for decoder in plan.decoders)]
    names += ["encode_datagram", "decode_datagram"] * plan.part.datagram
    names += ["split", "join"] * (plan.stacked is not None)
    return sorted(set(names), key=_by_kind)


def _by_kind(name: str) -> tuple[bool, bool, str]:
    """Constants first, then classes, then functions: how import sorters have it."""
    return (not name.isupper(), not name[0].isupper(), name)
