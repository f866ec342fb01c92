"""The build backend of `pip install .`: maturin, with published numbers, kept results and scenarios in the wheel."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import maturin
from maturin import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "python" / "slicewright" / "data"


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the wheel in `wheel_directory` and say its name; raises what maturin raises."""
    with _data_in_package():
        name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return name


@contextmanager
def _data_in_package() -> Iterator[None]:
    shutil.rmtree(DATA, ignore_errors=True)
    try:
        for folder in ("published", "scenarios", "docs/validation"):
            shutil.copytree(ROOT / folder, DATA / folder, ignore=shutil.ignore_patterns("*.md"))
        yield
    finally:
        shutil.rmtree(DATA, ignore_errors=True)
