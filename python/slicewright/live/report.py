"""A live result as a report: live and simulated side by side, the formula where it applies, and what disturbed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.errors import visible
from slicewright.live.cells import ABSOLUTE_MS, RELATIVE, Cell, Verdict, agreement
from slicewright.live.environment import Environment
from slicewright.live.formula import late_ms
from slicewright.live.grid import RUNS
from slicewright.live.result import SlicesResult
from slicewright.live.simulated import REPLICATIONS
from slicewright.live.slices_seen import SlicesSeen
from slicewright.live.threads import Case
from slicewright.live.throttling import ThrottlingResult, Worked
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import counts, decimals, estimates, words_right
from slicewright.report.model import Block, Column, Face, Paragraph, Report, Section, Table, Tone
from slicewright.report.model import Cell as Marked
from slicewright.statistics import fixed, percent, plural

HEADINGS: dict[Case, str] = {
    "uniform": "Starts uniform over the own slice",
    "locked": "Starts after the end of the last wait was seen",
}
TONES: dict[Verdict, Tone] = {"agrees": "good", "differs": "bad", "too noisy": "quiet"}
STEPS = 120


def live_report(result: SlicesResult | ThrottlingResult) -> Report:
    """The report of a live result.

    >>> from slicewright.live.example import slices_result
    >>> live_report(slices_result()).title
    'Slices, live and simulated'
    """
    return slices_report(result) if isinstance(result, SlicesResult) else throttling_report(result)


def slices_report(result: SlicesResult) -> Report:
    """The report of `live slices`.

    >>> from slicewright.live.example import slices_result
    >>> [section.title for section in slices_report(slices_result()).sections][-2:]
    ['Slices as they were', 'Meanwhile']
    """
    grid, environment = result.grid, result.environment
    waits_for = "a timer"
    if grid.disk:
        reads = ", ".join(f"{count >> 10} KiB" for count in grid.reads_bytes)
        waits_for = f"reads past the page cache ({reads}; wait ms is how long they take without a limit)"
    measured = (
        f"measured {environment.measured}: quota T of each period T / {percent(grid.share, 0)}, a thread that burns "
        f"the rest of it, waits for {waits_for}"
    )
    sections = [_opening("live slices", environment, measured), *(_case(result, case) for case in grid.cases)]
    sections += [Section("Slices as they were", [Table(_SEEN, result.slices, "Slices as they were")])]
    facts = [_agreed(case, result) for case in grid.cases]
    facts += [("kernel", environment.kernel), ("measured", environment.measured)]
    sections.append(_meanwhile(environment))
    return Report("Slices, live and simulated", environment.line(), facts, sections, repeats=False)


def throttling_report(result: ThrottlingResult) -> Report:
    """The report of `live throttling`.

    >>> from slicewright.live.example import throttling_result
    >>> throttling_report(throttling_result()).title
    'Throttling, live and simulated'
    """
    plan, environment = result.plan, result.environment
    measured = (
        f"measured {environment.measured}: {plan.work_ms:.6g} ms of work, then a sleep, under a quota of "
        f"{plan.limit.quota_us / 1000:.6g} ms per {plan.limit.period_us / 1000:.6g} ms; {plan.seconds:.4g} s each"
    )
    agree = f"{sum(worked.agrees for worked in result.worked)} of {len(result.worked)}"
    times = f"{sum(worked.time_agrees for worked in result.worked)} of {len(result.worked)}"
    legend = (
        f"{agree} counts of throttled periods agree within 10 % or one period, {times} times of throttling within 10 % "
        f"or the time of one. Live counts are of one run each; simulated ones are "
        f"means over {REPLICATIONS}, ± 95 %. Too noisy: outside the band, and where a single run may be. Done after: "
        "from the end of a sleep until the work is done, pauses of the group included. Simulated work has "
        f"{fixed(result.overhead_ms, 3)} ms more, the processor time of a cycle beside its work, and sleeps have "
        f"{fixed(result.late_ms, 3)}, the median delay of a wake-up; both measured before, without the limit."
    )
    caption = "Counts of cpu.stat against the sleep, live and simulated; bars are 95 % intervals of the simulated."
    sections = [
        _opening("live throttling", environment, measured),
        Section(
            "Throttled periods",
            [throttling_figure(result).captioned(caption), Table(_worked_columns(), result.worked, legend=legend)],
        ),
        _meanwhile(environment),
    ]
    facts = [("counts of throttled periods that agree", agree), ("kernel", environment.kernel)]
    facts.append(("measured", environment.measured))
    return Report("Throttling, live and simulated", environment.line(), facts, sections, repeats=False)


def _opening(command: str, environment: Environment, measured: str) -> Section:
    lines = f"{command}  {environment.line()}\n  {measured}"
    return Section("", [Paragraph("\n".join(map(visible, lines.split("\n"))), flush=True, face=Face.TEXT)])


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
    table = Table(_cell_columns(case), cells, HEADINGS[case] + work, legend)
    figure = slices_figure(result, case).captioned(caption)
    return Section(HEADINGS[case], [figure, table, *map(Paragraph, _scattered(cells))])


def _cell_columns(case: Case) -> list[Column[Cell]]:
    columns: list[Column[Cell]] = [
        Column("slice_ms", "slice ms", lambda cell: f"{cell.slice_ms:.6g}", form=words_right),
        Column("wait_ms", "wait ms", lambda cell: f"{cell.wait_ms:.4g}", form=words_right),
        Column("waits", "waits", lambda cell: cell.waits, form=counts),
        Column("live", "live, late ms", lambda cell: cell.live, form=estimates),
        Column("simulated", "simulated", lambda cell: cell.simulated, form=estimates),
        Column("difference", "difference", difference, form=words_right),
        Column("verdict", "verdict", lambda cell: Marked(cell.verdict, TONES[cell.verdict])),
    ]
    formula: Column[Cell] = Column("formula", "formula", lambda cell: cell.formula_ms, form=decimals(2))
    return [*columns, formula] if case == "uniform" else columns


def difference(cell: Cell) -> str:
    """Live less simulated, and what that is of the simulated.

    >>> from slicewright.live.example import slices_result
    >>> difference(slices_result().cells[0])
    '+.10 (+1 %)'
    """
    sign = "+" if cell.difference_ms >= 0 else ""
    share = f" ({sign}{fixed(100 * cell.relative, 0)} %)" if math.isfinite(cell.relative) else ""
    return f"{sign}{fixed(cell.difference_ms, 2)}{share}"


def _scattered(cells: Sequence[Cell]) -> list[str]:
    """Of pairs that do not agree, how far single runs lie apart: each has its own place between two ticks."""
    return [
        f"{cell.slice_ms:.6g} and {cell.wait_ms:.4g} ms: single runs {_span(cell.runs_ms[0])} ms live,"
        f" {_span(cell.runs_ms[1])} simulated; each draws where its periods begin"
        for cell in cells
        if not cell.agrees and all(cell.runs_ms)
    ]


def _span(values: Sequence[float]) -> str:
    return f"{fixed(min(values), 1)} to {fixed(max(values), 1)}"


_SEEN: tuple[Column[SlicesSeen], ...] = (
    Column("case", "case", lambda seen: seen.case),
    Column("slice_ms", "slice ms", lambda seen: f"{seen.slice_ms:.6g}", form=words_right),
    Column("on_ms", "on, ms", lambda seen: seen.on_ms, form=decimals(1)),
    Column("on_range_ms", "shortest, longest", lambda seen: _span(seen.on_range_ms), form=words_right),
    Column("off_ms", "off, ms", lambda seen: seen.off_ms, form=decimals(1)),
    Column("throttled", "periods throttled", lambda seen: f"{seen.throttled:,} of {seen.periods:,}", form=words_right),
)


def _worked_columns() -> list[Column[Worked]]:
    def pair(name: str, header: str, places: int) -> list[Column[Worked]]:
        return [
            Column(name, header, lambda worked: f"{worked.live[name]:,.{places}f}", form=words_right),
            Column(f"{name}_simulated", "simulated", lambda worked: worked.simulated[name], form=estimates),
        ]

    good, bad = Marked("agrees", "good"), Marked("differs", "bad")
    return [
        Column("sleep_ms", "sleep ms", lambda worked: f"{worked.sleep_ms:.6g}", form=words_right),
        *pair("nr_periods", "nr_periods", 0),
        *pair("nr_throttled", "nr_throttled", 0),
        Column("verdict", "verdict", lambda worked: Marked(worked.verdict, TONES[worked.verdict])),
        *pair("throttled_ms", "throttled ms", 0),
        Column("throttled_ms_verdict", "verdict", lambda worked: good if worked.time_agrees else bad),
        *pair("work_ms", "done after, ms", 2),
    ]


def _agreed(case: Case, result: SlicesResult) -> tuple[str, str]:
    cells = result.of(case)
    agree, middle = agreement(cells)
    name = {"uniform": "starts uniform", "locked": "starts after ends"}[case]
    return name, f"{agree} of {len(cells)} pairs agree, median difference {percent(middle, 0)}"


def _meanwhile(environment: Environment) -> Section:
    """Other work meanwhile, and warnings."""
    warnings = environment.warnings()
    load = f"load {environment.load_before:.4g} before, {environment.load_after:.4g} after"
    others = f"others took {fixed(environment.others_percent, 1)} % of the processor"
    stolen = f"{fixed(environment.stolen_percent, 1)} % were stolen"
    line = f"Meanwhile  {load}; {others}, {stolen}; {plural(len(warnings), 'warning')}"
    printed = "\n".join([line, *(visible(f"  warning: {warning}") for warning in warnings)])
    blocks: list[Block] = [
        Paragraph(printed, flush=True, face=Face.TEXT),
        Paragraph(f"L{load[1:]}; {others}, {stolen}.", face=Face.HTML),
        *(Paragraph(f"Warning: {warning}", face=Face.HTML) for warning in warnings),
    ]
    return Section("Meanwhile", blocks)


def slices_figure(result: SlicesResult, case: Case) -> Figure:
    """How late waits were seen to be over, against how long they were: a panel per slice.

    >>> from slicewright.live.example import slices_result
    >>> len(slices_figure(slices_result(), "uniform").panels)
    2
    """
    panels = []
    longest = max(cell.wait_ms for cell in result.cells)
    for slice_ms in result.grid.slices_ms:
        cells = [cell for cell in result.of(case) if cell.slice_ms == slice_ms and math.isfinite(cell.live.mean)]
        waits = [cell.wait_ms for cell in cells]
        simulated, live = (
            ([getattr(cell, name).mean for cell in cells], [_finite(getattr(cell, name).half_width) for cell in cells])
            for name in ("simulated", "live")
        )
        points = [dots(waits, *live, "live"), Series(waits, *simulated, "simulated", "crosses")]
        exact = [] if case == "locked" else [_exact(slice_ms, result.grid.period_ms(slice_ms), longest)]
        panels.append(Panel(f"Late, ms; slices of {slice_ms:.6g} ms", [*exact, *points]))
    return Figure(panels, "Wait, ms")


def throttling_figure(result: ThrottlingResult) -> Figure:
    """Throttled periods, and how long after a sleep the work is done, by sleep.

    >>> from slicewright.live.example import throttling_result
    >>> len(throttling_figure(throttling_result()).panels)
    2
    """
    panels = []
    places = list(range(1, len(result.worked) + 1))
    names = [f"{worked.sleep_ms:.6g}" for worked in result.worked]
    for name, label in (("nr_throttled", "Periods throttled"), ("work_ms", "Work done after, ms")):
        simulated = [worked.simulated[name] for worked in result.worked]
        points = [
            dots(places, [worked.live[name] for worked in result.worked], label="live"),
            Series(places, [estimate.mean for estimate in simulated],
                   [_finite(estimate.half_width) for estimate in simulated], "simulated", "crosses"),
        ]  # fmt: skip
        panels.append(Panel(label, points, names=names))
    return Figure(panels, "Sleep, ms")


def _exact(slice_ms: float, period_ms: float, longest_ms: float) -> Series:
    waits = [1.05 * longest_ms * step / STEPS for step in range(STEPS + 1)]
    return Series(waits, [late_ms(wait, slice_ms, period_ms) for wait in waits], label="formula")


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
