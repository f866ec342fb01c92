"""Parts of a report of pairs: columns of live and simulated numbers, their verdicts, and what went on meanwhile."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from slicewright.errors import visible
from slicewright.live.cells import Verdict
from slicewright.live.environment import Environment
from slicewright.report.figure import Series, dots
from slicewright.report.forms import decimals, estimates, words_right
from slicewright.report.model import Block, Cell, Column, Face, Paragraph, Section, Table, Tone
from slicewright.statistics import Estimate, fixed, plural

TONES: dict[Verdict, Tone] = {"agrees": "good", "differs": "bad", "too noisy": "quiet"}


class Paired(Protocol):
    """A pair of live and simulated estimates by name, with verdicts."""

    @property
    def live(self) -> Mapping[str, Estimate]:
        """Measured."""

    @property
    def simulated(self) -> Mapping[str, Estimate]:
        """Simulated."""

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By name of the number that is judged."""


P = TypeVar("P", bound=Paired)


def estimated(side: str, name: str, header: str) -> Column[P]:
    """A column of estimates with their intervals; `side` is live or simulated.

    >>> estimated("live", "rate", "reads/s").header
    'reads/s'
    """
    return Column(f"{side}_{name}", header, lambda pair: getattr(pair, side)[name], form=estimates)


def meaned(side: str, name: str, header: str, places: int = 0) -> Column[P]:
    """A column of means.

    >>> meaned("simulated", "rate", "simulated").key
    'simulated_rate'
    """

    def read(pair: P) -> float:
        mean: float = getattr(pair, side)[name].mean
        return mean

    return Column(f"{side}_{name}", header, read, form=decimals(places))


def judged(name: str) -> Column[P]:
    """A column of verdicts.

    >>> judged("rate").key
    'rate_verdict'
    """

    def read(pair: P) -> Cell:
        verdict = pair.verdicts[name]
        return Cell(verdict, TONES[verdict])

    return Column(f"{name}_verdict", "verdict", read)


def constants_section(rows: Sequence[tuple[str, str]]) -> Section:
    """The constants of a simulation, as texts.

    >>> constants_section([("a switch", "800 ns")]).title
    'Constants, measured apart'
    """
    columns: list[Column[tuple[str, str]]] = [
        Column("constant", "constant", lambda row: row[0]),
        Column("value", "value", lambda row: row[1], form=words_right),
    ]
    return Section("Constants, measured apart", [Table(columns, rows, "Constants, measured apart and before")])


def both_sides(places: Sequence[float], pairs: Sequence[Paired], name: str) -> list[Series]:
    """Live as points and simulated as crosses, with their intervals.

    >>> both_sides([], [], "rate")[0].label
    'live'
    """
    sides = ([pair.live[name] for pair in pairs], [pair.simulated[name] for pair in pairs])
    live, simulated = (
        ([value.mean for value in side], [_finite(value.half_width) for value in side]) for side in sides
    )
    return [dots(places, *live, "live"), Series(places, *simulated, "simulated", "crosses")]


def meanwhile(environment: Environment, warnings: Sequence[str]) -> Section:
    """The load of the machine, what others took, and the warnings.

    >>> meanwhile(Environment(), []).title
    'Meanwhile'
    """
    load = f"load {environment.load_before:.4g} before, {environment.load_after:.4g} after"
    others = f"others took {fixed(environment.others_percent, 1)} % of the processors"
    stolen = f"{fixed(environment.stolen_percent, 1)} % were stolen"
    line = f"Meanwhile  {load}; {others}, {stolen}; {plural(len(warnings), 'warning')}"
    printed = "\n".join([line, *(visible(f"  warning: {warning}") for warning in warnings)])
    blocks: list[Block] = [Paragraph(printed, flush=True, face=Face.TEXT)]
    blocks += [Paragraph(f"L{load[1:]}; {others}, {stolen}.", face=Face.HTML)]
    blocks += [Paragraph(f"Warning: {warning}", face=Face.HTML) for warning in warnings]
    return Section("Meanwhile", blocks)


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
