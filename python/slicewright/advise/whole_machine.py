"""A recommendation of a scenario beside the whole machine: other partitions, volumes and guests may pay for it."""

from __future__ import annotations

from slicewright._core import Scenario
from slicewright.experiment.simulations import simulate
from slicewright.results.busiest import ALL_IO, Change, Machine, machine_of
from slicewright.scenario.view import View

SLOWER_PERCENT = 5.0
"""ASSUME: a response that is less than this slower is not worse; the knee of a curve of aliases is as much."""


def machine_at(scenario: Scenario) -> Machine:
    """The machine of a scenario, simulated as it says that it is measured; raises InputError, RunError."""
    return machine_of(simulate(scenario), scenario.view, int(scenario.measure["replications"]))


def own_parts(view: View, partition: str) -> list[str]:
    """The times that a question about a partition weighs itself: those of its guests and volumes.

    >>> from slicewright.scenario.starters import read_starter
    >>> own_parts(read_starter("zvm").view, "ZVM")
    ['transaction of TASKS', 'transaction of USERS']
    """
    kinds = {kind.name for kind in view.virtual_machines if kind.partition == partition}
    guests = [guest for guest in view.guests if guest.partition == partition or guest.virtual_machine in kinds]
    volumes = [volume.name for volume in view.volumes if volume.partition == partition]
    return [*volumes, *(f"transaction of {guest.name}" for guest in guests)]


def harm(change: Change, own: list[str]) -> str:
    """Why a change is not recommended: others are slower, or all own guests that change are; "" where neither is.

    An own volume may be slower: its guests waited elsewhere before.  The text continues "the change would ".
    """
    if where := change.where(SLOWER_PERCENT, [*own, ALL_IO]):
        return where
    changed = [part for part in change.changed(SLOWER_PERCENT) if part.kind == "guest"]
    return change.blamed(changed) if changed and all(part.ratio.mean > 1 for part in changed) else ""
