"""Constants of costs, caches and the controller that a scenario assumes or borrows, and what else they may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from slicewright._core import Scenario
from slicewright.advise.controlled import Controlled
from slicewright.io.numerals import in_scenario
from slicewright.report import model as report
from slicewright.statistics import Estimate

C = TypeVar("C")

OPEN = ("assumed", "borrowed")
"""Roles of numbers that nobody measured on this system."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the scenario that is assumed or borrowed, by its key.

    >>> Constant("topology.cache.L2.beyond", "1.3", "assumed", "latencies are not published").role
    'assumed'
    """

    key: str
    value: str
    role: str
    why: str


@dataclass(frozen=True, slots=True)
class Variation:
    """Constants of one kind taken to be otherwise: a name, what is different, and the keys as `--set` has them.

    >>> Variation("costs-halved", "costs half as much", ()).changes
    ()
    """

    name: str
    what: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading(Generic[C]):
    """What comes of a variation: what would be chosen with it, and how much more that gains than the other.

    `why` says why it could not be simulated, if so; `text` is the complete scenario.

    >>> from slicewright.advise.yields.example import advice
    >>> advice().readings[0].name
    'given'
    """

    name: str
    what: str
    chosen: C | None
    gain: Estimate
    text: str = field(default="", repr=False)
    why: str = ""


def reading_scenarios(readings: Sequence[Reading[Any]]) -> Iterator[tuple[str, str]]:
    """Names and texts of the scenarios of readings, but for the given one, which stands beside them by another name.

    >>> list(reading_scenarios([Reading("given", "as given", "x9c", Estimate(1.0, 0.1, 4), "text")]))
    []
    """
    for reading in readings:
        if reading.text and reading.name != "given":
            yield f"reading-{reading.name}.toml", reading.text


def constants_table(constants: Sequence[Constant]) -> report.Table[Constant]:
    """The constants, a row each; as text they stand among the notes."""
    return report.Table(
        [
            report.Column("key", "key", lambda constant: constant.key),
            report.Column("value", "value", lambda constant: constant.value),
            report.Column("role", "role", lambda constant: constant.role),
            report.Column("why", "why", lambda constant: constant.why),
        ],
        constants,
        face=report.Face.HTML | report.Face.JSON,
    )


def constants(scenario: Scenario, partition: Controlled) -> tuple[Constant, ...]:
    """Those of a partition's control program and caches, and of what its virtual machines have in them.

    What only spinning costs is left out: `yields.constants` has it.

    >>> from slicewright.advise.controlled import controlled
    >>> from slicewright.scenario.starters import read_starter
    >>> scenario = read_starter("zvm")
    >>> found = constants(scenario, controlled(scenario.view)[0])
    >>> [one.value for one in found if one.key.endswith("lock.hold")]
    ['0.7 us']
    """
    program = rf"partition\.{re.escape(partition.name)}\.control_program\."
    kinds = "|".join(map(re.escape, partition.kinds))
    of_spinning = r"(?!lock\.(spin_|yields)|costs\.(fast_x44|x44|x9c|sense)$)"
    own = r"(lock|costs|controller|slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes).*"
    parts = [program + of_spinning + own]
    if partition.caches:
        parts += [r"topology\..*", rf"virtual_machine\.({kinds})\.(footprint|touched_in)"]
    wanted = re.compile("|".join(f"(?:{one})" for one in parts))
    rows = [one for one in scenario.explain() if one["role"] in OPEN and wanted.fullmatch(one["key"])]
    return tuple(Constant(one["key"], one["value"], one["role"], one["why"]) for one in rows)


def variations(found: Sequence[Constant]) -> tuple[Variation, ...]:
    """What the assumed and borrowed constants of each kind may be as well; none of a kind that is known.

    ASSUME: costs of the control program, and what guests have in caches, half and twice as much; what a miss costs
    beyond a warm cache half and one and a half times as much.

    >>> beyond = Constant("topology.cache.L2.beyond", "1.3", "assumed", "")
    >>> [one.changes for one in variations([beyond])]
    [('topology.cache.L2.beyond=1.15',), ('topology.cache.L2.beyond=1.45',)]
    """
    costs = [one for one in found if re.search(r"\.control_program\.(lock\.(hold|per_waiter)|costs\.)", one.key)]
    misses = [one for one in found if re.fullmatch(r"topology\.cache\..*\.beyond", one.key)]
    storage = [one for one in found if one.key.endswith(".footprint")]
    made = []
    for name, what, rows, factor in (
        ("costs-halved", "its path and lock cost half as much", costs, 0.5),
        ("costs-doubled", "its path and lock cost twice as much", costs, 2.0),
        ("misses-cheaper", "what caches miss costs half as much more", misses, 0.5),
        ("misses-dearer", "what caches miss costs 1.5 times as much more", misses, 1.5),
        ("storage-halved", "guests have half as much in caches", storage, 0.5),
        ("storage-doubled", "guests have twice as much in caches", storage, 2.0),
    ):
        changes = tuple(_scaled(one, factor) for one in rows)
        if changes:
            made.append(Variation(name, what, changes))
    return tuple(made)


def _scaled(one: Constant, factor: float) -> str:
    number = re.match(r"[0-9.]+", one.value)
    assert number is not None, f"{one.key} is a number with a unit"
    value, unit = float(number[0]), one.value[number.end() :].strip()
    if one.key.endswith(".beyond"):
        return f"{one.key}={in_scenario(1 + (value - 1) * factor)}"
    if one.key.endswith(".footprint"):
        sizes = {"B": 1, "kB": 1000, "KiB": 1 << 10, "MB": 1_000_000, "MiB": 1 << 20}
        return f'{one.key}="{max(1, round(value * sizes[unit] * factor / 1024))} KiB"'
    return f'{one.key}="{in_scenario(value * factor)} {unit}"'
