"""A small sweep for tests: two alias counts of the pool, simulated for a second."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from slicewright._core import starter
from slicewright.explore.sweep import Sweep, sweep

QUICK = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}


@functools.cache
def small() -> Sweep:
    """Aliases 0 and 8, in a directory that lasts as long as the process."""
    folder = _folder()
    return sweep(starter("pool"), {"alias_pool.LSS-52.aliases": [0, 8]}, out=Path(folder.name, "store"), set=QUICK)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()
