"""How a Python process of ours is started."""

from __future__ import annotations

import sys


def command(module: str, *words: str) -> list[str]:
    """The command that runs a module of ours in a process of its own.

    `-P` keeps the current folder out of its imports: a `random.py` there is not ours.  `-I` would do so too, and
    ignore PYTHONPATH and the user's site, where this process may have found slicewright.

    >>> command("slicewright.values.parquet", "1")[1:]
    ['-P', '-m', 'slicewright.values.parquet', '1']
    """
    return [sys.executable, "-P", "-m", module, *words]
