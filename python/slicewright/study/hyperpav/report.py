"""The study as one HTML page: published points over simulated curves, every cell, what is input, assumed and not known.

It leaves out how pages and pictures are drawn (`slicewright.html`, `slicewright.figures`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from slicewright import html
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed
from slicewright.study.hyperpav.constants import FORMS, Calibration, Constants, committed
from slicewright.study.hyperpav.page import LOOK, PLACES
from slicewright.study.hyperpav.points import Point, simulate
from slicewright.study.hyperpav.published import Kind, reports
from slicewright.study.hyperpav.reproduce import budget
from slicewright.study.hyperpav.scenario import pool, scenario
from slicewright.study.points import Budget
from slicewright.study.report import beside, cells, facts, near_the_edge
from slicewright.study.reproduction import Reproduction, Wish

MOST_ALIASES = 24
BUDGET = Budget(replications=5, most=5, interval_s=10, warm_up_s=1.0)
"""What one point of a curve costs: enough for a line, not for a verdict."""

_PANELS = {
    "volume_io_per_s": "I/O per s and volume",
    "response_ms": "Response, ms",
    "queue_depth": "Waiting, all 8 volumes",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A simulated curve over the aliases of all eight volumes.

    >>> point = Point(pool(8), "", 0.0, samples={"service_ms": [1.4, 1.6]})
    >>> list(Line("HyperPAV", [point]).curve("service_ms").y)
    [1.5]
    """

    label: str
    points: list[Point]

    def curve(self, row: str) -> Series:
        """One value of it, with its 95 % half-widths."""
        estimates = [point.estimate(row) for point in self.points]
        x = [float(_aliases(point)) for point in self.points]
        scale = [_scale(point, row) for point in self.points]
        y = [own * one.mean for own, one in zip(scale, estimates, strict=True)]
        noise = [own * one.half_width for own, one in zip(scale, estimates, strict=True)]
        return Series(x, y, half_width=noise, label=self.label)


def lines(budget: Budget = BUDGET, progress: Callable[[float], None] = lambda share: None) -> list[Line]:
    """The pool at 0 to 24 aliases, classic PAV at 0 to 3 a volume, and the pool under the other service form.

    `progress` hears the share done.

    >>> [line.label for line in lines(Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5))][:2]
    ['HyperPAV', 'classic PAV']
    """
    own, other = committed().constants, committed("per_concurrent").constants
    every, eighth = range(MOST_ALIASES + 1), range(0, MOST_ALIASES + 1, 8)
    plan: list[tuple[str, Kind, range, Constants]] = [
        ("HyperPAV", "HyperPAV", every, own),
        ("classic PAV", "classic PAV", eighth, own),
        ("HyperPAV, linear form", "HyperPAV", range(0, MOST_ALIASES + 1, 4), other),
    ]
    total, done, drawn = sum(len(xs) for _, _, xs, _ in plan), 0, []
    for label, kind, xs, constants in plan:
        points = []
        for aliases in xs:
            points.append(simulate(pool(aliases, kind), constants, budget))
            done += 1
            progress(done / total)
        drawn.append(Line(label, points))
    return drawn


def page(result: Reproduction[Point], wish: Wish, drawn: list[Line]) -> html.Page:
    """The page of a reproduction; the same reproduction gives the same page.

    >>> wish = Wish(quick=True)
    >>> page(Reproduction("hyperpav", 1, points=[Point(pool(0), "", 0.0)]), wish, []).title
    'HyperPAV and classic PAV: published and simulated'
    """
    place = ("run", "value")
    sections = [
        _curves(result, drawn),
        cells(result.cells, LOOK, place),
        _constants(),
        beside(result, LOOK, "The other service form", place),
        _limits(result),
        _scenarios(),
    ]
    return html.Page(
        "HyperPAV and classic PAV: published and simulated",
        "Six published DEVICE reports of “z/VM HyperPAV Support”, every number beside the simulated one",
        facts(result, budget(wish).interval_s or 600),
        [section for section in sections if section.tables or section.pictures or section.text],
    )


def _curves(result: Reproduction[Point], drawn: list[Line]) -> html.Section:
    panels = [
        Panel(label, [*(line.curve(row) for line in drawn), *_published(result, row)]) for row, label in _PANELS.items()
    ]
    caption = (
        "Points are published, lines simulated; the linear form is the comparison further down. "
        "The bars on predicted points are the bands declared before any run. "
        "Calibrated points were fitted to. A classic run shows one volume of eight and is drawn at eight times its "
        "aliases and its queue; between multiples of eight there is no classic configuration."
    )
    return html.Section("Aliases", pictures=[Figure(panels, "Aliases of the eight volumes", caption)])


def _published(result: Reproduction[Point], row: str) -> list[Series]:
    """Published values in groups: fitted, predicted, classic, and the run that is expected to miss."""
    groups: dict[str, list[tuple[float, float, float]]] = {}
    by_table = {point.report.table: point for point in result.points}
    for cell in (cell for cell in result.cells if cell.place.row == row):
        point = by_table[cell.place.table]
        scale = _scale(point, row)
        classic = "classic, " if point.report.kind == "classic PAV" else ""
        width = cell.ruling.band.width(cell.published) if cell.ruling.scored else 0.0
        found = (float(_aliases(point)), scale * cell.published, scale * width)
        groups.setdefault(f"{classic}{cell.ruling.role}", []).append(found)
    return [
        dots([x for x, _, _ in some], [y for _, y, _ in some], [width for _, _, width in some], label)
        for label, some in groups.items()
    ]


def _constants() -> html.Section:
    tables = []
    for form, meaning in FORMS.items():
        found = committed(form)
        rows: list[list[str | html.Cell]] = [[name, found.constants.quantity(name)] for name in found.constants.named]
        tables.append(html.Table(("constant", "value"), rows, f"{form}: {meaning}"))
        tables.append(_fit(found))
    text = ["Found by least squares on the calibration runs alone; `slicewright calibrate hyperpav` finds them again."]
    return html.Section("Constants", text, tables=tables)


def _fit(found: Calibration) -> html.Table:
    rows: list[list[str | html.Cell]] = []
    for cell in found.cells:
        places = PLACES[cell.row]
        numbers = [fixed(value, places) for value in (cell.published, cell.rounding, cell.simulated)]
        rows.append([cell.table, cell.row, *numbers, fixed(cell.residual, 1), "fitted" if cell.used else "not used"])
    columns = ("run", "value", "published", "rounding", "simulated", "residual", "in the fit")
    return html.Table(columns, rows, "Residual: difference in units of what the rounding of the print leaves open.")


def _limits(result: Reproduction[Point]) -> html.Section:
    off = [cell for cell in committed().cells if abs(cell.residual) > 1]
    return html.Section(
        "What this does not show",
        [
            "The model does not reach every calibration cell within its rounding: "
            + ", ".join(f"{cell.table} {cell.row} is {abs(cell.residual):.1f} times as far off" for cell in off)
            + ".",
            near_the_edge(result.cells),
            "The classic runs were made in May, the pool runs in February: service with three exposures is 5 to 7 % "
            "above any curve through the pool runs. Y040181P is expected to miss: its connect time, 1.45 ms at 1.84 "
            "concurrent I/Os, is above the 1.23 ms of the run with more concurrency.",
            "The shapes of think and connect times are not published: exponential is assumed. What an alias does when "
            "it becomes free is not documented: it returns to the pool. The ratio of base to alias rates was known "
            "when that was chosen.",
            "The constants are those of this disk subsystem under this load. Elsewhere they are borrowed.",
        ],
    )


def _scenarios() -> html.Section:
    constants = committed().constants
    folded = [(f"{report.table}.toml", scenario(report, constants)) for report in reports()]
    return html.Section(
        "Scenarios", ["Each run as `slicewright run` takes it, from scenarios/hyperpav/."], folded=folded
    )


def _aliases(point: Point) -> int:
    """Aliases of all eight volumes."""
    return round(8 * point.report.aliases_per_volume)


def _scale(point: Point, row: str) -> float:
    """What makes the queue of one shown volume that of eight."""
    return 8 / point.report.bases if row == "queue_depth" else 1.0
