"""A live result as lines of text: live and simulated side by side, the formula where it applies, and what disturbed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.errors import visible
from slicewright.live.cells import ABSOLUTE_MS, RELATIVE, Cell, agreement
from slicewright.live.environment import Environment
from slicewright.live.grid import RUNS
from slicewright.live.result import SlicesResult
from slicewright.live.simulated import REPLICATIONS
from slicewright.live.slices_seen import SlicesSeen
from slicewright.live.threads import Case
from slicewright.live.throttling import ThrottlingResult, Worked
from slicewright.statistics import fixed, percent, plural, plus_minus_column
from slicewright.text import aligned

HEADINGS: dict[Case, str] = {
    "uniform": "Starts uniform over the own slice",
    "locked": "Starts after the last wait was seen to be over",
}


def slices_page(result: SlicesResult) -> str:
    """The result of `live slices` as text.

    >>> from slicewright.live.example import slices_result
    >>> print(slices_page(slices_result()).splitlines()[0])
    live slices  Linux 6.18.0 x86_64, cpu controller version 1, processor 1 of 2 (0 to 1), clock tsc, tick 4 ms
    """
    grid = result.grid
    what = "a timer"
    if grid.disk:
        reads = ", ".join(f"{count >> 10} KiB" for count in grid.reads_bytes)
        what = f"reads past the page cache ({reads}; wait ms is how long they take without a limit)"
    lines = [
        visible(f"live slices  {result.environment.line()}"),
        visible(
            f"  measured {result.environment.measured}: quota T of each period T / {percent(grid.share, 0)}, a thread "
            f"that burns the rest of it, waits for {what}"
        ),
    ]
    for case in grid.cases:
        cells = result.of(case)
        lines += [
            "",
            f"{HEADINGS[case]}{_after(result, case)}",
            *_table(case, cells),
            *_summary(cells),
            *_scattered(cells),
        ]
    lines += ["", *_slices(result.slices), *disturbed(result.environment)]
    return "\n".join(lines)


def throttling_page(result: ThrottlingResult) -> str:
    """The result of `live throttling` as text.

    >>> from slicewright.live.example import throttling_result
    >>> print(throttling_page(throttling_result()).splitlines()[1])
      measured 2026-01-01T00:00:00+00:00: 5 ms of work, then a sleep, under a quota of 20 ms per 100 ms; 10 s each
    """
    plan = result.plan
    lines = [
        visible(f"live throttling  {result.environment.line()}"),
        visible(
            f"  measured {result.environment.measured}: {plan.work_ms:.6g} ms of work, then a sleep, under a quota of "
            f"{plan.limit.quota_us / 1000:.6g} ms per {plan.limit.period_us / 1000:.6g} ms; {plan.seconds:.4g} s each"
        ),
        "",
        *_worked_table(result.worked),
        f"  {sum(one.agrees for one in result.worked)} of {len(result.worked)} counts of throttled periods within 10 %",
        f"  live counts are of one run each; simulated ones are means over {REPLICATIONS}, ± 95 %",
        "  done after: from the end of a sleep until the work is done, pauses of the group included",
        "",
        *disturbed(result.environment),
    ]
    return "\n".join(lines)


def _after(result: SlicesResult, case: Case) -> str:
    return f", and {result.grid.work_ms:.4g} ms of work" if case == "locked" else ""


def _table(case: Case, cells: Sequence[Cell]) -> list[str]:
    live = plus_minus_column([(cell.live.mean, cell.live.half_width) for cell in cells])
    simulated = plus_minus_column([(cell.simulated.mean, cell.simulated.half_width) for cell in cells])
    rows = []
    for at, cell in enumerate(cells):
        row = [f"{cell.slice_ms:.6g}", f"{cell.wait_ms:.4g}", f"{cell.waits:,}", live[at], simulated[at]]
        row += [difference(cell), cell.verdict]
        row += [fixed(cell.formula_ms, 2)] * (case == "uniform")
        rows.append(row)
    head = ["slice ms", "wait ms", "waits", "live, late ms", "simulated", "difference", ""]
    return aligned([*head, *(["formula"] * (case == "uniform"))], rows, left=0)


def difference(cell: Cell) -> str:
    """Live less simulated, and what that is of the simulated.

    >>> from slicewright.live.example import slices_result
    >>> difference(slices_result().cells[0])
    '+.10 (+1 %)'
    """
    sign = "+" if cell.difference_ms >= 0 else ""
    share = f" ({sign}{fixed(100 * cell.relative, 0)} %)" if math.isfinite(cell.relative) else ""
    return f"{sign}{fixed(cell.difference_ms, 2)}{share}"


def _summary(cells: Sequence[Cell]) -> list[str]:
    agree, middle = agreement(cells)
    return [
        f"  {agree} of {len(cells)} pairs within {fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_MS:g} ms; median difference "
        f"{percent(middle, 0)}; ± 95 %, live from {RUNS} runs, simulated from {REPLICATIONS}"
    ]


def _scattered(cells: Sequence[Cell]) -> list[str]:
    """Of pairs that do not agree, how far single runs lie apart: each has its own place between two ticks."""
    return [
        f"  {cell.slice_ms:.6g} and {cell.wait_ms:.4g} ms: single runs {_span(cell.runs_ms[0])} ms live,"
        f" {_span(cell.runs_ms[1])} simulated; each draws where its periods begin"
        for cell in cells
        if not cell.agrees and all(cell.runs_ms)
    ]


def _span(values: Sequence[float]) -> str:
    return f"{fixed(min(values), 1)} to {fixed(max(values), 1)}"


def _slices(slices: Sequence[SlicesSeen]) -> list[str]:
    rows = [
        [
            one.case, f"{one.slice_ms:.6g}", fixed(one.on_ms, 1), f"{fixed(one.on_range_ms[0], 1)} to "
            f"{fixed(one.on_range_ms[1], 1)}", fixed(one.off_ms, 1), f"{one.throttled:,} of {one.periods:,}",
        ]
        for one in slices
    ]  # fmt: skip
    head = ["case", "slice ms", "on, ms", "shortest, longest", "off, ms", "periods throttled"]
    return ["Slices as they were", *aligned(head, rows)]


def _worked_table(worked: Sequence[Worked]) -> list[str]:
    columns = [
        plus_minus_column([(one.simulated[name].mean, one.simulated[name].half_width) for one in worked])
        for name in ("nr_periods", "nr_throttled", "throttled_ms", "work_ms")
    ]
    rows = [
        [
            f"{one.sleep_ms:.6g}", f"{one.live['nr_periods']:,.0f}", columns[0][at], f"{one.live['nr_throttled']:,.0f}",
            columns[1][at], "agrees" if one.agrees else "differs", fixed(one.live["throttled_ms"], 0), columns[2][at],
            fixed(one.live["work_ms"], 2), columns[3][at],
        ]
        for at, one in enumerate(worked)
    ]  # fmt: skip
    head = ["sleep ms", "nr_periods", "simulated", "nr_throttled", "simulated", "", "throttled ms", "simulated"]
    return aligned([*head, "done after, ms", "simulated"], rows, left=0)


def disturbed(environment: Environment) -> list[str]:
    """What others did meanwhile, in a line, and what to beware of.

    >>> from slicewright.live.example import place
    >>> disturbed(place())
    ['Meanwhile  load 0.1 before, 0.5 after; others took .0 % of the processor, .0 % were stolen; 0 warnings']
    """
    load = f"load {environment.load_before:.4g} before, {environment.load_after:.4g} after"
    others = f"others took {fixed(environment.others_percent, 1)} % of the processor"
    stolen = f"{fixed(environment.stolen_percent, 1)} % were stolen"
    warnings = environment.warnings()
    told = [visible(f"  warning: {one}") for one in warnings]
    return [f"Meanwhile  {load}; {others}, {stolen}; {plural(len(warnings), 'warning')}", *told]
