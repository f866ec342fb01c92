"""The file of fitted constants that `calibrate` writes, as far as studies have it alike: its origin and the cells seen.

It leaves out the constants themselves and their units: each study has its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

ORIGIN = ("study", "version", "seed", "simulated")
"""What the head of the file says of the fit: which study, which slicewright, from which random numbers, how much."""


def origin(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a file that was read says of its origin; raises KeyError when it does not.

    >>> origin({"study": "mdf", "version": "1", "seed": 1, "simulated": "", "ims": {}})["seed"]
    1
    """
    return {key: document[key] for key in ORIGIN}


def head(said: Sequence[str], provenance: Mapping[str, Any]) -> list[str]:
    """The first lines of a file: what it says of itself, as comments, and its origin.

    >>> head(["Not edited by hand."], dict.fromkeys(ORIGIN, 1))[:3]
    ['# Not edited by hand.', '', 'study = 1']
    """
    return [*(f"# {line}" for line in said), "", *(f"{key} = {_toml(provenance[key])}" for key in ORIGIN)]


def cells(seen: Iterable[object], fields: Sequence[str]) -> list[str]:
    """The lines of the array `cell`: the named fields of each cell that the fit saw.

    >>> from slicewright.study.bands import Band
    >>> cells([Band(rel=0.2)], ["rel"])
    ['cell = [', '  { rel = 0.2 },', ']']
    """
    rows = ({key: getattr(cell, key) for key in fields} for cell in seen)
    shown = (", ".join(f"{key} = {_toml(value)}" for key, value in row.items()) for row in rows)
    return ["cell = [", *(f"  {{ {row} }}," for row in shown), "]"]


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.7g}"
    return str(value)
