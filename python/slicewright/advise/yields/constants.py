"""Constants of costs, caches and spinning that a scenario assumes or borrows, and what else they may be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slicewright._core import Scenario
from slicewright.advise.constants import OPEN, Constant, Variation
from slicewright.advise.constants import constants as of_control_program
from slicewright.advise.constants import variations as of_costs
from slicewright.advise.yields.locked import Locked
from slicewright.io.numerals import in_scenario


def constants(scenario: Scenario, partition: Locked) -> tuple[Constant, ...]:
    """Those of a partition's control program and caches, of DIAGNOSEs, and of how its guests spin.

    >>> from slicewright.advise.yields.example import source, spinners
    >>> found = constants(source().scenario, spinners())
    >>> [one.value for one in found if one.key.endswith("costs.fast_x44")]
    ['1 us']
    """
    kinds = "|".join(map(re.escape, partition.names))
    program = rf"partition\.{re.escape(partition.name)}\.control_program\."
    wanted = re.compile(
        rf"virtual_machine\.(?:{kinds})\.spin_(?:try|retry)|{program}(?:soft_wait|costs\.(?:fast_x44|x44|x9c|sense))"
    )
    rows = [one for one in scenario.explain() if one["role"] in OPEN and wanted.fullmatch(one["key"])]
    spun = tuple(Constant(one["key"], one["value"], one["role"], one["why"]) for one in rows)
    return (*of_control_program(scenario, partition.controlled), *spun)


def variations(found: Sequence[Constant]) -> tuple[Variation, ...]:
    """What they may be as well: as for polarization, and a try that takes half or twice as long.

    >>> one = Constant("virtual_machine.LINUX.spin_try", "8 ns", "assumed", "")
    >>> [(one.name, one.changes) for one in variations([one])]
    [('tries-shorter', ('virtual_machine.LINUX.spin_try="4 ns"',)), ...]
    """
    made = list(of_costs(found))
    tries = [one for one in found if one.key.endswith(".spin_try")]
    for name, what, factor in (
        ("tries-shorter", "a try for a lock takes half as long", 0.5),
        ("tries-longer", "a try for a lock takes twice as long", 2.0),
    ):
        changes = tuple(f'{one.key}="{_times(one.value, factor)}"' for one in tries)
        if changes:
            made.append(Variation(name, what, changes))
    return tuple(made)


def _times(text: str, factor: float) -> str:
    number = re.match(r"[0-9.]+", text)
    assert number is not None, f"{text} is a number with a unit"
    return f"{in_scenario(float(number[0]) * factor)} {text[number.end() :].strip()}"
