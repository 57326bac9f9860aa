"""Writes Hypothesis strategies beside the codecs: one module per part, and what all share."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.backends.python.names import package_name
from zwire_codegen.backends.python.plan import PartPlan, plan_parts
from zwire_codegen.backends.python.printing import docstring, prepare
from zwire_codegen.backends.templating import environment
from zwire_codegen.backends.tidying import tidy
from zwire_codegen.model.types import (
    Dictionary,
    Frames,
    Integer,
    Listing,
    Octets,
    Protocol,
    Stack,
    Text,
)

# Which function of the shared module makes values of which kind.
_MAKERS: dict[type, str] = {
    Integer: "numbers",
    Text: "texts",
    Octets: "octets",
    Listing: "tuples_of",
    Dictionary: "tuples_of",
    Stack: "stacks",
    Frames: "frames",
}


def render(protocols: Sequence[Protocol]) -> dict[str, str]:
    """The text of every file by its path below the package's folder."""
    jinja = prepare(environment("strategies", "python"))
    files = {
        "__init__.py": '"""Hypothesis strategies for all messages; made by `zwire generate`."""\n',
        "py.typed": "",
        "values.py": tidy(jinja.get_template("values.py.jinja").render()),
    }
    template = jinja.get_template("part.py.jinja")
    for protocol in protocols:
        package = package_name(protocol.name)
        title = f"Hypothesis strategies for {protocol.title}; made by `zwire generate`."
        files[f"{package}/__init__.py"] = f'"""{docstring(title)}"""\n'
        for plan in plan_parts(protocol):
            text = template.render(plan=plan, package=package, used=_used(plan))
            files[f"{package}/{plan.module}.py"] = tidy(text)
    return files


def _used(plan: PartPlan) -> list[str]:
    """What a module needs of the shared one."""
    names = {_MAKERS[kind] for kind in plan.types if kind in _MAKERS}
    filtered = any(not message.plain for message in plan.messages if message.fields)
    return sorted(names | ({"sendable"} if filtered else set()))
