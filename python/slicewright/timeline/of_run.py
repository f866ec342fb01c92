"""The beginning of a run as a timeline: replication 0, from the start of its first interval, as `report.html` shows it.

It leaves out other stretches, for which `slicewright trace` is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright._core import InputError, Scenario
from slicewright.timeline.stretch import Timeline, stretch

if TYPE_CHECKING:
    from slicewright.run import Run


def beginning(run: Run) -> Timeline | None:
    """What some forty I/Os did at the start of the first interval; None where more happens than can be drawn.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> made = beginning(slicewright.run(starter("mm1"), replications=2))
    >>> made is not None and made.replication
    0
    """
    world = Scenario.read(run.scenario.encode(), "scenario.toml")
    if not all(replay["supplied"] for replay in world.replays):
        return None
    try:
        return stretch(world, (run.seed, 0), run.warm_up_s, (0.0, None))
    except InputError:
        return None
