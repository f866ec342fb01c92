"""A live result as one HTML page: pictures of live over simulated, and what the text says."""

from __future__ import annotations

import math

from slicewright.html import Cell as Shown
from slicewright.html import Page, Section, Table, Tone, render
from slicewright.live.cells import ABSOLUTE_MS, RELATIVE, Verdict, agreement
from slicewright.live.environment import Environment
from slicewright.live.formula import late_ms
from slicewright.live.page import HEADINGS, difference, disturbed, slices_page, throttling_page
from slicewright.live.result import SlicesResult
from slicewright.live.threads import Case
from slicewright.live.throttling import ThrottlingResult
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed, percent, plus_minus

STEPS = 120
TONES: dict[Verdict, Tone] = {"agrees": "good", "differs": "bad", "too noisy": "quiet"}


def slices_report(result: SlicesResult) -> str:
    """The result of `live slices` as a self-contained document.

    >>> from slicewright.live.example import slices_result
    >>> "<title>Slices, live and simulated</title>" in slices_report(slices_result())
    True
    """
    sections = []
    for case in result.grid.cases:
        line = "Line: the exact formula. " if case == "uniform" else ""
        caption = f"{line}Points: means with their 95 % intervals, live and simulated."
        pictures = [slices_picture(result, case).captioned(caption)]
        sections.append(Section(HEADINGS[case], [], pictures, [_cells(result, case)]))
    sections.append(_meanwhile(result.environment, slices_page(result)))
    facts = [_agreed(case, result) for case in result.grid.cases]
    facts += [("kernel", result.environment.kernel), ("measured", result.environment.measured)]
    return render(Page("Slices, live and simulated", result.environment.line(), facts, sections, repeats=False))


def _agreed(case: Case, result: SlicesResult) -> tuple[str, str]:
    cells = result.of(case)
    agree, middle = agreement(cells)
    name = {"uniform": "starts uniform", "locked": "starts after ends"}[case]
    return name, f"{agree} of {len(cells)} pairs agree, median difference {percent(middle, 0)}"


def _cells(result: SlicesResult, case: Case) -> Table:
    rows: list[list[str | Shown]] = []
    for cell in result.of(case):
        live, simulated = (plus_minus(one.mean, one.half_width) for one in (cell.live, cell.simulated))
        row: list[str | Shown] = [f"{cell.slice_ms:.6g}", f"{cell.wait_ms:.4g}", f"{cell.waits:,}", live, simulated]
        row += [difference(cell), Shown(cell.verdict, TONES[cell.verdict])]
        rows.append([*row, fixed(cell.formula_ms, 2)] if case == "uniform" else row)
    head = ["slice, ms", "wait, ms", "waits", "live, ms late", "simulated", "difference", "verdict"]
    bands = f"Agrees: within {fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_MS:g} ms. Too noisy: intervals leave it open."
    return Table([*head, *(["formula"] * (case == "uniform"))], rows, bands)


def _meanwhile(where: Environment, text: str) -> Section:
    """What disturbed it, and everything as text."""
    line = disturbed(where)[0].removeprefix("Meanwhile").strip()
    warnings = [f"Warning: {one}" for one in where.warnings()]
    return Section("Meanwhile", [f"{line[0].upper()}{line[1:]}.", *warnings], folded=(("As text", text),))


def slices_picture(result: SlicesResult, case: Case) -> Figure:
    """How late waits were seen to be over, against how long they were: a panel per slice.

    >>> from slicewright.live.example import slices_result
    >>> len(slices_picture(slices_result(), "uniform").panels)
    2
    """
    panels = []
    longest = max(cell.wait_ms for cell in result.cells)
    for slice_ms in result.grid.slices_ms:
        cells = [cell for cell in result.of(case) if cell.slice_ms == slice_ms and math.isfinite(cell.live.mean)]
        waits = [cell.wait_ms for cell in cells]
        points = [
            dots(waits, [getattr(cell, name).mean for cell in cells], [_finite(getattr(cell, name).half_width)
                   for cell in cells], label=name)
            for name in ("simulated", "live")
        ]  # fmt: skip
        exact = [] if case == "locked" else [_exact(slice_ms, result.grid.period_ms(slice_ms), longest)]
        panels.append(Panel(f"Late, ms; slices of {slice_ms:.6g} ms", [*exact, *points]))
    return Figure(panels, "Wait, ms")


def throttling_report(result: ThrottlingResult) -> str:
    """The result of `live throttling` as a self-contained document.

    >>> from slicewright.live.example import throttling_result
    >>> "<title>Throttling, live and simulated</title>" in throttling_report(throttling_result())
    True
    """
    caption = "Counts of cpu.stat against the sleep, live and simulated; bars are 95 % intervals of the simulated."
    sections = [
        Section("Throttled periods", [], [throttling_picture(result).captioned(caption)], [_worked(result)]),
        _meanwhile(result.environment, throttling_page(result)),
    ]
    agree = f"{sum(one.agrees for one in result.worked)} of {len(result.worked)}"
    facts = [("counts of throttled periods that agree", agree), ("kernel", result.environment.kernel)]
    facts.append(("measured", result.environment.measured))
    return render(Page("Throttling, live and simulated", result.environment.line(), facts, sections, repeats=False))


def _worked(result: ThrottlingResult) -> Table:
    rows: list[list[str | Shown]] = []
    for one in result.worked:
        row: list[str | Shown] = [f"{one.sleep_ms:.6g}"]
        for name in ("nr_periods", "nr_throttled", "throttled_ms", "work_ms"):
            simulated = one.simulated[name]
            seen = fixed(one.live[name], 1 if name == "work_ms" else 0)
            row += [seen, plus_minus(simulated.mean, simulated.half_width)]
        rows.append([*row, Shown(*(("agrees", "good") if one.agrees else ("differs", "bad")))])
    head = ["sleep, ms", "nr_periods", "simulated", "nr_throttled", "simulated", "throttled, ms", "simulated"]
    about = "Of throttled periods: agrees within 10 %. Done after: from the end of a sleep until the work is done."
    return Table([*head, "done after, ms", "simulated", "verdict"], rows, about)


def throttling_picture(result: ThrottlingResult) -> Figure:
    """Throttled periods, and how long after a sleep the work is done, by sleep.

    >>> from slicewright.live.example import throttling_result
    >>> len(throttling_picture(throttling_result()).panels)
    2
    """
    panels = []
    places = list(range(1, len(result.worked) + 1))
    names = [f"{one.sleep_ms:.6g}" for one in result.worked]
    for name, label in (("nr_throttled", "Periods throttled"), ("work_ms", "Work done after, ms")):
        simulated = [one.simulated[name] for one in result.worked]
        points = [
            dots(places, [one.mean for one in simulated], [_finite(one.half_width) for one in simulated],
                   label="simulated"),
            dots(places, [one.live[name] for one in result.worked], label="live"),
        ]  # fmt: skip
        panels.append(Panel(label, points, names=names))
    return Figure(panels, "Sleep, ms")


def _exact(slice_ms: float, period_ms: float, longest_ms: float) -> Series:
    waits = [1.05 * longest_ms * step / STEPS for step in range(STEPS + 1)]
    return Series(waits, [late_ms(wait, slice_ms, period_ms) for wait in waits], label="formula")


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
