"""The scenarios that the page offers to begin with, and the folder in which each names other files."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slicewright._core import starter, starters
from slicewright.errors import problem, refusal
from slicewright.serve.drops import Drops
from slicewright.serve.named import named_files
from slicewright.study.data import data_folder


def offered() -> dict[str, Any]:
    """The starters with one line on what each is, and the names of the other scenarios that ship.

    >>> found = offered()
    >>> found["starters"][0]["name"], "teaching/mdf-two-domains" in found["shipped"]
    ('pool', False)
    """
    kinds = [{"name": name, "what": what} for name, what in starters()]
    return {"starters": kinds, "shipped": [name for name in _shipped() if name not in {kind["name"] for kind in kinds}]}


def text_of(name: str) -> str:
    """The text of a starter or of a scenario that ships; raises InputError for another name.

    >>> text_of("mm1").startswith("#")
    True
    """
    known = _shipped()
    if name in dict(starters()):
        return starter(name)
    if name not in known:
        raise refusal(problem(f"there is no scenario {name!r}", key="name", allowed="those that #/experiment lists"))
    return known[name].read_text("utf-8")


def beside(drops: Drops, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The folder of the files that a text names, and those that it may read: of its drop, or of what ships.

    A text of neither reads no file.  Raises InputError for a drop that there is not.
    """
    shipped = _shipped().get(str(arguments.get("shipped")))
    if shipped is not None:
        return {"folder": str(shipped.parent), "reach": [str(path) for path in (shipped.parent, *named_files(shipped))]}
    if not arguments.get("drop"):
        return {"folder": str(drops.folder), "reach": []}
    drop = drops.of(str(arguments["drop"]))
    if not drop.names:
        raise refusal(problem("the drop has no file", key="drop"))
    run = drop.folder / drop.subjects[0]
    return {"folder": str(run if run.is_dir() else drop.folder), "reach": drops.reach(drop)}


@functools.cache
def _shipped() -> Mapping[str, Path]:
    folder = data_folder("scenarios")
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.toml"))}
