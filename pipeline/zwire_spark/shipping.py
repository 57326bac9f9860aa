"""Bringing our code to where Spark's workers run: as one zip, made anew for each session."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from zwire_spark.lasting import lasting_folder
from zwire_spark.session import behind_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PACKAGES = ("zwire", "zwire_protocols", "zwire_spark", "zwire_sql")
_STILL = (1980, 1, 1, 0, 0, 0)  # the same code gives the same zip


def ship(spark: SparkSession) -> None:
    """Make our packages importable on all executors; in this process they already are."""
    if behind_connect(spark):
        spark.addArtifacts(str(write_zip(lasting_folder("code"))), pyfile=True)
    elif not re.fullmatch(r"local(\[[^]]*\])?", spark.sparkContext.master or ""):
        spark.sparkContext.addPyFile(str(write_zip(lasting_folder("code"))))


def write_zip(folder: Path) -> Path:
    """All modules of our packages, as far as they are installed."""
    path = folder / "zwire-code.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in _modules():
            archive.writestr(zipfile.ZipInfo(name, _STILL), file.read_bytes())
    return path


def _modules() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            continue
        root = Path(spec.origin).parent
        for file in sorted(root.rglob("*.py")):
            yield str(Path(package, file.relative_to(root))), file
