"""A small sensitivity for tests: two guesses of the queue M/M/1, simulated for a second each."""

from __future__ import annotations

import functools

from slicewright._core import starter
from slicewright.explore.sensitivity import Sensitivity, sensitivity

QUICK = {"measure.interval": "1 s", "measure.warm_up": "200 ms"}
_SERVICE = ("pend", "disconnect", "connect.exponential", "connect.per_concurrent", "connect.per_kib")
FIXED = ["volume.DISK.gap", "guest.USERS.program.1.io.bytes", *(f"volume.DISK.service.{part}" for part in _SERVICE)]


@functools.cache
def small() -> Sensitivity:
    """Its arrivals, and a guess that moves nothing, with two trajectories."""
    return sensitivity(starter("mm1"), set=QUICK, fix=FIXED, within="20%", trajectories=2, samples=32)
