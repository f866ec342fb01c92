"""Where published numbers, shipped scenarios and kept results lie: in a checkout, or inside the package."""

from __future__ import annotations

from pathlib import Path


def data_folder(name: str) -> Path:
    """The folder "published", "scenarios" or "docs/validation" of this slicewright.

    In a checkout it is at the root; an installed package carries a copy in `slicewright/data`.
    Raises FileNotFoundError when neither is there: the installation is broken.

    >>> (data_folder("published") / "hyperpav" / "study.toml").exists()
    True
    """
    package = Path(__file__).resolve().parents[1]
    places = [package.parents[1] / name, package / "data" / name]
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"neither {places[0]} nor {places[1]} is there: slicewright is not installed whole")


def study_folder(study: str) -> Path:
    """Where a study's published numbers, its `study.toml` and its constants lie.

    >>> (study_folder("hyperpav") / "calibrated.toml").exists()
    True
    """
    return data_folder("published") / study
