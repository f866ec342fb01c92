"""Does a run say when processors wait in a convoy for the scheduler lock, and only then?"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import slicewright as sw

BESIDE = """
name = "A lock above PR/SM"
assume = "an example"

[cec]
processors = 4
dispatcher = "prsm"

[[partition]]
name = "ZVM"
logical_processors = 4
weight = 500
control_program = { polarization = "horizontal", lock = { hold = "2 us" } }

[[virtual_machine]]
name = "V"
partition = "ZVM"
count = 24

[[guest]]
name = "TASKS"
virtual_machine = "V"
count = 24
program = [ { think = { exponential = "100 us" } }, { compute = { exponential = "400 us" } } ]

[[partition]]
name = "BUSY"
logical_processors = 4
weight = 999

[[guest]]
name = "BATCH"
partition = "BUSY"
count = 4
program = [ { compute = { exponential = "20 ms" } } ]

[measure]
interval = "5 s"
warm_up = "1 s"
"""
LOCK = "partition.ZVM.control_program.lock"
FIFO = {f"{LOCK}.handover": "fifo"}


def convoy(settings: Mapping[str, object]) -> tuple[float, list[str]]:
    """The cycles per s of the tasks, and the notes on convoys."""
    run = sw.run(BESIDE, replications=2, set=settings)
    tasks = run.guests.to_dicts()[0]
    return tasks["cycles_per_s"], [note for note in run.notes if "convoy" in note]


def test_first_come_first_served_without_yields_is_a_convoy() -> None:
    cycles, (note,) = convoy(FIFO)
    assert cycles < 500
    assert note.startswith("ZVM is in a lock convoy: its processors spin for SRMSLOCK for 9")


@pytest.mark.parametrize(
    "settings",
    [{f"{LOCK}.handover": "dispatched-first"}, {**FIFO, f"{LOCK}.yields": "x44"}, {**FIFO, f"{LOCK}.yields": "x9c"}],
    ids=["dispatched-first", "x44", "x9c"],
)
def test_a_yield_or_another_hand_over_avoids_it(settings: dict[str, str]) -> None:
    cycles, notes = convoy(settings)
    assert cycles > 3000
    assert notes == []


def test_a_lock_as_it_is_by_default_is_none() -> None:
    cycles, notes = convoy({})
    assert cycles > 3000
    assert notes == []


def test_a_lock_of_dedicated_processors_is_none() -> None:
    dedicated = {**FIFO, "partition.ZVM.control_program.lock.hold": "20 us", "cec.processors": 8}
    assert convoy(dedicated)[1] == []
