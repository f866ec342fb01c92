"""`slicewright new`: a commented starter scenario on standard output."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def new(kind: Annotated[str | None, typer.Argument(metavar="[KIND]", help="Kind of the starter.")] = None) -> int:
    """Print a commented starter scenario; without KIND the first of the kinds, which are then listed.

    \b
    Example:
      slicewright new pool > pool.toml
    """
    from slicewright._core import starter, starters

    kinds = starters()
    if kind is None:
        width = max(len(name) for name, _ in kinds)
        for name, what in kinds:
            print(f"slicewright new {name.ljust(width)}  {what}", file=sys.stderr)
    print(starter(kind or kinds[0][0]), end="")
    return 0
