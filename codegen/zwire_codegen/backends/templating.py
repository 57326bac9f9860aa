"""The Jinja environment that all back ends share: strict about names, quiet about blanks."""

from __future__ import annotations

from functools import cache

import jinja2


@cache
def environment(target: str, *others: str) -> jinja2.Environment:
    """The environment for the templates of one target (`templates/<target>/`), which may use
    those of others.

    A name that a template misspells is an error, never an empty text.
    """
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.PackageLoader("zwire_codegen", f"templates/{name}")
                for name in (target, *others)
            ]
        ),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )


def render(target: str, template: str, **names: object) -> str:
    """The text of one template of a target with these names."""
    return environment(target).get_template(template).render(**names)
