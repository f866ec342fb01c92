"""Does `plan` find the best purchases of machines whose bottleneck was planted, and is the truth of them right?"""

from __future__ import annotations

import pytest

from benches.coverage import judged
from benches.plan_sites import KINDS, Judged, Machine, judge, table

MACHINES = range(400, 406)
"""Machines that the method was never changed for, one of each kind."""


@pytest.mark.slow
def test_a_plan_holds_costs_least_and_names_the_planted_bottleneck() -> None:
    found = [each for each in judged(judge, MACHINES) if isinstance(each, Judged)]
    assert len(found) >= len(KINDS) - 1
    for measure in ("holds", "cost", "names"):
        assert sum(all(each.held.get(measure, (False,))) for each in found) >= len(found) - 1, table(found)


@pytest.mark.parametrize("number", range(6))
def test_a_machine_has_its_planted_bottleneck_among_the_purchases(number: int) -> None:
    machine = Machine.numbered(number)
    assert machine.kind == KINDS[number]
    assert bool(sum(machine.relief)) == (machine.kind != "none")
    assert machine.cost(machine.relief) == sum(
        machine.price(key, at) for key, at in zip(machine.levels, machine.relief, strict=True)
    )
    assert len(machine.sets) == len(set(machine.sets)) == 72


def test_the_relief_of_a_planted_bottleneck_makes_orders_much_faster() -> None:
    machine = Machine.numbered(0)
    without, relieved = machine.truth((0, 0, 0, 0))[0], machine.truth(machine.relief)[0]
    assert without > 1.4 * relieved
    assert machine.bound is not None
    assert relieved < machine.bound < without
