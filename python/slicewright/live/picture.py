"""A live result as one HTML page: pictures of live over simulated, and what the text says.

It leaves out drawing: `plots` and `html` do that.
"""

from __future__ import annotations

import math

from slicewright.html import Page, Picture, Section, render
from slicewright.live.formula import late_ms
from slicewright.live.page import HEADINGS, slices_page, throttling_page
from slicewright.live.result import SlicesResult
from slicewright.live.threads import Case
from slicewright.live.throttling import ThrottlingResult
from slicewright.plots import Curve, Panel, Points, curve

STEPS = 120


def slices_report(result: SlicesResult) -> str:
    """The result of `live slices` as a self-contained document.

    >>> from slicewright.live.example import slices_result
    >>> "<title>Slices, live and simulated</title>" in slices_report(slices_result())
    True
    """
    sections = []
    for at, case in enumerate(result.grid.cases):
        line = "Line: the exact formula. " if case == "uniform" else ""
        caption = f"{line}Points: means with their 95 % intervals, live and simulated."
        text = (("As text", slices_page(result)),) if at == 0 else ()
        pictures = [Picture(slices_picture(result, case), caption)]
        warnings = result.environment.warnings() if at == 0 else []
        sections.append(Section(HEADINGS[case], warnings, pictures, [], text))
    facts = [("kernel", result.environment.kernel), ("measured", result.environment.measured)]
    return render(Page("Slices, live and simulated", result.environment.line(), facts, sections))


def slices_picture(result: SlicesResult, case: Case) -> str:
    """How late waits were seen to be over, against how long they were: a panel per slice, as SVG text.

    >>> from slicewright.live.example import slices_result
    >>> slices_picture(slices_result(), "uniform").startswith("<svg")
    True
    """
    panels = []
    longest = max(cell.wait_ms for cell in result.cells)
    for slice_ms in result.grid.slices_ms:
        cells = [cell for cell in result.of(case) if cell.slice_ms == slice_ms and math.isfinite(cell.live.mean)]
        waits = [cell.wait_ms for cell in cells]
        points = [
            Points(waits, [getattr(cell, name).mean for cell in cells], [_finite(getattr(cell, name).half_width)
                   for cell in cells], label=name)
            for name in ("simulated", "live")
        ]  # fmt: skip
        exact = [] if case == "locked" else [_exact(slice_ms, result.grid.period_ms(slice_ms), longest)]
        panels.append(Panel(f"Late, ms; slices of {slice_ms:.6g} ms", exact, points))
    return curve(panels, "Wait, ms")


def throttling_report(result: ThrottlingResult) -> str:
    """The result of `live throttling` as a self-contained document.

    >>> from slicewright.live.example import throttling_result
    >>> "<title>Throttling, live and simulated</title>" in throttling_report(throttling_result())
    True
    """
    caption = "Counts of cpu.stat against the sleep, live and simulated; bars are 95 % intervals of the simulated."
    section = Section(
        "Throttled periods", result.environment.warnings(), [Picture(throttling_picture(result), caption)], [],
        (("As text", throttling_page(result)),),
    )  # fmt: skip
    facts = [("kernel", result.environment.kernel), ("measured", result.environment.measured)]
    return render(Page("Throttling, live and simulated", result.environment.line(), facts, [section]))


def throttling_picture(result: ThrottlingResult) -> str:
    """Throttled periods, and how long the work took, by sleep, as SVG text.

    >>> from slicewright.live.example import throttling_result
    >>> throttling_picture(throttling_result()).startswith("<svg")
    True
    """
    panels = []
    places = list(range(1, len(result.worked) + 1))
    names = [f"{one.sleep_ms:.6g}" for one in result.worked]
    for name, label in (("nr_throttled", "Periods throttled"), ("work_ms", "Work took, ms")):
        simulated = [one.simulated[name] for one in result.worked]
        points = [
            Points(places, [one.mean for one in simulated], [_finite(one.half_width) for one in simulated],
                   label="simulated"),
            Points(places, [one.live[name] for one in result.worked], label="live"),
        ]  # fmt: skip
        panels.append(Panel(label, (), points, names=names))
    return curve(panels, "Sleep, ms")


def _exact(slice_ms: float, period_ms: float, longest_ms: float) -> Curve:
    waits = [1.05 * longest_ms * step / STEPS for step in range(STEPS + 1)]
    return Curve(waits, [late_ms(wait, slice_ms, period_ms) for wait in waits], label="formula")


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
