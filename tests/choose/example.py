"""A small choice for tests: the fewest aliases of the pool that keep a response, on short runs."""

from __future__ import annotations

import functools

from slicewright._core import starter
from slicewright.explore.choose import Choice, choose

from tests.sweep.example import QUICK


@functools.cache
def cheapest() -> Choice:
    """Of 0, 4 and 8 aliases, 4 are the fewest that keep 4 ms."""
    aliases = {"alias_pool.LSS-52.aliases": [0, 4, 8]}
    return choose(starter("pool"), aliases, "aliases", "response_ms <= 3", set=QUICK)
