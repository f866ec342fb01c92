"""The reports of `live slices` and `live throttling`: live and simulated side by side, and what disturbed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.live.experiment import ABSOLUTE_MS, RELATIVE, Words
from slicewright.live.slices import REPLICATIONS, RUNS, Cell, SlicesResult, SlicesSeen, agreement, late_ms
from slicewright.live.tables import both_sides, crosses, difference, marked, right
from slicewright.live.threads import Case
from slicewright.live.throttling import ThrottlingResult, Worked
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import counts, decimals, estimates
from slicewright.report.model import Column, Paragraph, Section, Table
from slicewright.statistics import fixed, percent

_HEADINGS: dict[Case, str] = {
    "uniform": "Starts uniform over the own slice",
    "locked": "Starts after the end of the last wait was seen",
}
_STEPS = 120


def words(result: SlicesResult) -> Words:
    """The report of `live slices`."""
    grid = result.grid
    waits_for = "a timer"
    if grid.disk:
        reads = ", ".join(f"{count >> 10} KiB" for count in grid.reads_bytes)
        waits_for = f"reads past the page cache ({reads}; wait ms is how long they take without a limit)"
    measured = (
        f"quota T of each period T / {percent(grid.share, 0)}, a thread that burns the rest of it, waits for "
        f"{waits_for}"
    )
    title = "Slices as they were"
    sections = [*(_case(result, case) for case in grid.cases), Section(title, [Table(_SEEN, result.slices, title)])]
    facts = [_agreed(case, result) for case in grid.cases]
    place = result.environment.line()
    return Words("Slices, live and simulated", place, measured, sections, facts, "the processor")


def throttling_words(result: ThrottlingResult) -> Words:
    """The report of `live throttling`."""
    plan = result.plan
    measured = (
        f"{plan.work_ms:.6g} ms of work, then a sleep, under a quota of {plan.limit.quota_us / 1000:.6g} ms per "
        f"{plan.limit.period_us / 1000:.6g} ms; {plan.seconds:.4g} s each"
    )
    agree = f"{result.agree} of {len(result.worked)}"
    times = f"{sum(worked.time_verdict == 'agrees' for worked in result.worked)} of {len(result.worked)}"
    legend = (
        f"{agree} counts of throttled periods agree within 10 % or one period, {times} times of throttling within 10 % "
        f"or the time of one. Live counts are of one run each; simulated ones are "
        f"means over {REPLICATIONS}, ± 95 %. Too noisy: outside the band, and where a single run may be. Done after: "
        "from the end of a sleep until the work is done, pauses of the group included. Simulated work has "
        f"{fixed(result.overhead_ms, 3)} ms more, the processor time of a cycle beside its work, and sleeps have "
        f"{fixed(result.late_ms, 3)}, the median delay of a wake-up; both measured before, without the limit."
    )
    caption = "Counts of cpu.stat against the sleep, live and simulated; bars are 95 % intervals of the simulated."
    figure = throttling_figure(result).captioned(caption)
    sections = [Section("Throttled periods", [figure, Table(_worked_columns(), result.worked, legend=legend)])]
    facts = [("counts of throttled periods that agree", agree)]
    place = result.environment.line()
    return Words("Throttling, live and simulated", place, measured, sections, facts, "the processor")


def _case(result: SlicesResult, case: Case) -> Section:
    """One case of starts: the figure, the table, and of pairs that do not agree how far single runs lie apart."""
    cells = result.of(case)
    agree, middle = agreement(cells)
    band = f"{fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_MS:g} ms"
    legend = (
        f"{agree} of {len(cells)} pairs within {band}; median difference {percent(middle, 0)}; ± 95 %, live from "
        f"{RUNS} runs, simulated from {REPLICATIONS}. Too noisy: outside the band, and intervals leave it open."
    )
    work = f", and {result.grid.work_ms:.4g} ms of work" if case == "locked" else ""
    exact = "Line: the exact formula. " if case == "uniform" else ""
    caption = f"{exact}Points: means with their 95 % intervals, live and simulated."
    table = Table(_cell_columns(case), cells, _HEADINGS[case] + work, legend)
    figure = slices_figure(result, case).captioned(caption)
    return Section(_HEADINGS[case], [figure, table, *map(Paragraph, _scattered(cells))])


def _cell_columns(case: Case) -> list[Column[Cell]]:
    columns: list[Column[Cell]] = [
        right("slice_ms", "slice ms", lambda cell: f"{cell.slice_ms:.6g}"),
        right("wait_ms", "wait ms", lambda cell: f"{cell.wait_ms:.4g}"),
        Column("waits", "waits", lambda cell: cell.waits, form=counts),
        Column("live", "live, late ms", lambda cell: cell.live, form=estimates),
        Column("simulated", "simulated", lambda cell: cell.simulated, form=estimates),
        right("difference", "difference", lambda cell: difference(cell.live_ms, cell.simulated_ms, 2)),
        Column("verdict", "verdict", lambda cell: marked(cell.verdict)),
        Column("formula", "formula", lambda cell: cell.formula_ms, form=decimals(2)),
    ]
    return columns if case == "uniform" else columns[:-1]


def _scattered(cells: Sequence[Cell]) -> list[str]:
    """Of pairs that do not agree, how far single runs lie apart: each has its own place between two ticks."""
    return [
        f"{cell.slice_ms:.6g} and {cell.wait_ms:.4g} ms: single runs {_span(cell.live_runs_ms)} ms live,"
        f" {_span(cell.simulated_runs_ms)} simulated; each draws where its periods begin"
        for cell in cells
        if not cell.agrees and cell.live_runs_ms and cell.simulated_runs_ms
    ]


def _span(values: Sequence[float]) -> str:
    return f"{fixed(min(values), 1)} to {fixed(max(values), 1)}"


_SEEN: tuple[Column[SlicesSeen], ...] = (
    Column("case", "case", lambda seen: seen.case),
    right("slice_ms", "slice ms", lambda seen: f"{seen.slice_ms:.6g}"),
    Column("on_ms", "on, ms", lambda seen: seen.on_ms, form=decimals(1)),
    right("on_range_ms", "shortest, longest", lambda seen: _span(seen.on_range_ms)),
    Column("off_ms", "off, ms", lambda seen: seen.off_ms, form=decimals(1)),
    right("throttled", "periods throttled", lambda seen: f"{seen.throttled:,} of {seen.periods:,}"),
)


def _worked_columns() -> list[Column[Worked]]:
    def pair(name: str, header: str, places: int) -> list[Column[Worked]]:
        return [
            right(name, header, lambda worked: f"{getattr(worked.live, name):,.{places}f}"),
            Column(f"{name}_simulated", "simulated", lambda worked: getattr(worked.simulated, name), form=estimates),
        ]

    return [
        right("sleep_ms", "sleep ms", lambda worked: f"{worked.sleep_ms:.6g}"),
        *pair("nr_periods", "nr_periods", 0), *pair("nr_throttled", "nr_throttled", 0),
        Column("verdict", "verdict", lambda worked: marked(worked.verdict)),
        *pair("throttled_ms", "throttled ms", 0),
        Column(
            "throttled_ms_verdict", "verdict", lambda worked: marked(worked.time_verdict)
        ),
        *pair("work_ms", "done after, ms", 2),
    ]  # fmt: skip


def _agreed(case: Case, result: SlicesResult) -> tuple[str, str]:
    cells = result.of(case)
    agree, middle = agreement(cells)
    name = {"uniform": "starts uniform", "locked": "starts after ends"}[case]
    return name, f"{agree} of {len(cells)} pairs agree, median difference {percent(middle, 0)}"


def slices_figure(result: SlicesResult, case: Case) -> Figure:
    """How late waits were seen to be over, against how long they were: a panel per slice."""
    panels = []
    longest = max(cell.wait_ms for cell in result.cells)
    for slice_ms in result.grid.slices_ms:
        cells = [cell for cell in result.of(case) if cell.slice_ms == slice_ms and math.isfinite(cell.live_ms)]
        waits = [cell.wait_ms for cell in cells]
        points = both_sides(waits, [cell.live for cell in cells], [cell.simulated for cell in cells])
        exact = [] if case == "locked" else [_exact(slice_ms, result.grid.period_ms(slice_ms), longest)]
        panels.append(Panel(f"Late, ms; slices of {slice_ms:.6g} ms", [*exact, *points]))
    return Figure(panels, "Wait, ms")


def throttling_figure(result: ThrottlingResult) -> Figure:
    """Throttled periods, and how long after a sleep the work is done, by sleep."""
    panels = []
    places = list(range(1, len(result.worked) + 1))
    names = [f"{worked.sleep_ms:.6g}" for worked in result.worked]
    for name, label in (("nr_throttled", "Periods throttled"), ("work_ms", "Work done after, ms")):
        live = dots(places, [getattr(worked.live, name) for worked in result.worked], label="live")
        simulated = crosses(places, [getattr(worked.simulated, name) for worked in result.worked])
        panels.append(Panel(label, [live, simulated], names=names))
    return Figure(panels, "Sleep, ms")


def _exact(slice_ms: float, period_ms: float, longest_ms: float) -> Series:
    waits = [1.05 * longest_ms * step / _STEPS for step in range(_STEPS + 1)]
    return Series(waits, [late_ms(wait, slice_ms, period_ms) for wait in waits], label="formula")
