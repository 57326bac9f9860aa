"""Brings pages that live elsewhere in the repository into the site: README and generated/docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
FILE_LINK = re.compile(r"\]\((?!https?:|#|mailto:)(?P<target>[^)#]+)(?P<anchor>#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The README is the front page; the generated pages stand under protocols/."""
    files.append(File.generated(config, "index.md", content=_front_page()))
    for path in sorted((ROOT / "generated" / "docs").rglob("*")):
        if path.is_file():
            name = "protocols/" + path.relative_to(ROOT / "generated" / "docs").as_posix()
            if path.suffix == ".md":
                files.append(File.generated(config, name, content=path.read_text("utf-8")))
            else:
                files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def _front_page() -> str:
    """The README with its links turned to the site's pages; others name their file."""

    def turned(match: re.Match[str]) -> str:
        target, anchor = match["target"], match["anchor"] or ""
        if target.startswith("docs/"):
            return f"]({target.removeprefix('docs/')}{anchor})"
        if target.startswith("generated/docs"):
            rest = target.removeprefix("generated/docs").strip("/") or "index.md"
            return f"](protocols/{rest}{anchor})"
        return "](#zwire)"

    return FILE_LINK.sub(turned, (ROOT / "README.md").read_text("utf-8"))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of docs/ into the repository itself have no page: keep the text, drop the link."""

    def turned(match: re.Match[str]) -> str:
        target = match["target"]
        if not target.startswith("../"):
            return match[0]
        if target.startswith("../generated/docs"):
            rest = target.removeprefix("../generated/docs").strip("/") or "index.md"
            return f"](protocols/{rest}{match['anchor'] or ''})"
        inside = (Path("docs") / Path(page.file.src_uri).parent / target).as_posix()
        resolved = (ROOT / inside).resolve()
        if (ROOT / "docs") in resolved.parents:
            return match[0]
        return "](#)"

    return FILE_LINK.sub(turned, markdown)
