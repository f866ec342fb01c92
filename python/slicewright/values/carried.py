"""Where published numbers, shipped scenarios and kept results lie: in a checkout, or inside the package."""

from __future__ import annotations

from pathlib import Path

from slicewright.values.errors import problem, refusal

_PACKAGE = Path(__file__).resolve().parents[1]
_NAMED = ("published", "scenarios")
"""The folders whose files README, tutorials and how-tos name as they lie in a checkout."""


def data_folder(name: str) -> Path:
    """The folder "published", "scenarios" or "docs/validation" of this slicewright.

    In a checkout it is at the root; an installed package carries a copy in `slicewright/data`.
    Raises InputError when neither is there: the package was built without its data.
    """
    places = [_PACKAGE.parents[1] / name, _PACKAGE / "data" / name]
    for place in places:
        if place.is_dir():
            return place
    what = "is not here: slicewright is not installed whole"
    raise refusal(
        problem(what, file=str(places[1]), why="the wheel was built without it", allowed="a wheel of make dist")
    )


def study_folder(study: str) -> Path:
    """Where a study's published numbers, its `study.toml` and its constants lie."""
    return data_folder("published") / study


def carried(name: str) -> str:
    """The copy in the package of a file that the documentation names and that is not here; else the name itself.

    >>> carried("scenarios/no-such-file.toml")
    'scenarios/no-such-file.toml'
    """
    path = Path(name)
    if path.parts[:1] and path.parts[0] in _NAMED and ".." not in path.parts and not path.exists():
        copy = _PACKAGE / "data" / path
        return str(copy) if copy.is_file() else name
    return name
