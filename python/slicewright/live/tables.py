"""Parts of the reports of experiments: the page around them, tables, constants, what went on meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from slicewright.live.experiment import Paired, Result, Words
from slicewright.report.figure import Series, dots
from slicewright.report.model import Block, Face, Paragraph, Report, Section, Table
from slicewright.report.spec import columns
from slicewright.statistics import Estimate, fixed, plural
from slicewright.values.errors import visible


def report(result: Result, words: Words) -> Report:
    """The page of a result."""
    where = result.environment
    lines = f"{result.KIND}  {words.place}\n  measured {where.measured}: {words.measured}"
    opening = Paragraph("\n".join(map(visible, lines.split("\n"))), flush=True, face=Face.TEXT)
    sections = [Section("", [opening]), *words.sections, _meanwhile(result, words)]
    facts = [*words.facts, ("kernel", where.kernel), ("measured", where.measured)]
    return Report(words.title, words.place, facts, sections, repeats=False)


def _meanwhile(result: Result, words: Words) -> Section:
    """The load of the machine, what others took, and the warnings."""
    where, warnings = result.environment, result.warnings
    load = f"load {where.load_before:.4g} before, {where.load_after:.4g} after"
    others = f"others took {fixed(where.others_percent, 1)} % of {words.of}"
    stolen = f"{fixed(where.stolen_percent, 1)} % were stolen"
    line = f"Meanwhile  {load}; {others}, {stolen}; {plural(len(warnings), 'warning')}"
    after = [words.after] if words.after else []
    said = [*(visible(f"  warning: {warning}") for warning in warnings), *(f"  {text}" for text in after)]
    blocks: list[Block] = [Paragraph("\n".join([line, *said]), flush=True, face=Face.TEXT)]
    seen = [f"L{load[1:]}; {others}, {stolen}.", *(f"Warning: {warning}" for warning in warnings), *after]
    return Section("Meanwhile", [*blocks, *(Paragraph(text, face=Face.HTML) for text in seen)])


def difference(live: float, simulated: float, places: int) -> str:
    """Live less simulated, and what that is of the simulated.

    >>> difference(7.75, 7.65, 2)
    '+.10 (+1 %)'
    """
    apart = live - simulated
    sign = "+" if apart >= 0 else ""
    relative = apart / simulated if simulated else math.inf
    share = f" ({sign}{fixed(100 * relative, 0)} %)" if math.isfinite(relative) else ""
    return f"{sign}{fixed(apart, places)}{share}"


def constants_section(rows: Sequence[tuple[str, str]], legend: str = "") -> Section:
    """The constants of a simulation, as texts."""
    title = "Constants, measured apart"
    named = [{"constant": name, "value": value} for name, value in rows]
    shown = Table(columns("constant; value | right"), named, title if legend else f"{title} and before", legend)
    return Section(title, [shown])


def table_section(
    titled: tuple[str, str],
    lines: str,
    rows: Sequence[Any],
    above: Sequence[Block] = (),
    values: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Section:
    """A table of the lines of a spec with its title and its legend, below a figure."""
    title, legend = titled
    return Section(title, [*above, Table(columns(lines, (), values), rows, title, legend)])


def both_sides(places: Sequence[float], live: Sequence[Estimate], simulated: Sequence[Estimate]) -> list[Series]:
    """Live as points and simulated as crosses, with their intervals."""
    points = dots(places, [value.mean for value in live], [_finite(value.half_width) for value in live], "live")
    return [points, crosses(places, simulated)]


def crosses(places: Sequence[float], simulated: Sequence[Estimate]) -> Series:
    """Simulated estimates as crosses, with their intervals."""
    widths = [_finite(value.half_width) for value in simulated]
    return Series(places, [value.mean for value in simulated], widths, "simulated", "crosses")


def sides(pairs: Sequence[Paired], name: str) -> tuple[list[Estimate], list[Estimate]]:
    """The estimates of a number, live and simulated."""
    return [pair.live[name] for pair in pairs], [pair.simulated[name] for pair in pairs]


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
