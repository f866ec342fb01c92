"""The study as one HTML page: published points over simulated curves, every cell, what is input, assumed and not known.

It leaves out how pages and pictures are drawn (`slicewright.html`, `slicewright.plots`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from slicewright import html, plots
from slicewright.statistics import fixed
from slicewright.study.cells import Cell, Tally
from slicewright.study.constants import FORMS, Calibration, Constants, committed
from slicewright.study.hyperpav import pool, scenario
from slicewright.study.page import EDGE, PLACES, difference, margin, simulated
from slicewright.study.points import Budget, Point, simulate
from slicewright.study.published import Kind, reports
from slicewright.study.reproduce import Reproduction, Wish

MOST_ALIASES = 24
BUDGET = Budget(replications=5, most=5, interval_s=10, warm_up_s=1.0)
"""What one point of a curve costs: enough for a line, not for a verdict."""

_PANELS = {
    "volume_io_per_s": "I/O per s and volume",
    "response_ms": "Response, ms",
    "queue_depth": "Waiting, all 8 volumes",
}
_TONES: dict[str, html.Tone] = {"matches": "good", "trend": "fair", "misses": "bad"}


@dataclass(frozen=True, slots=True)
class Line:
    """A simulated curve over the aliases of all eight volumes.

    >>> point = Point(pool(8), "", 0.0, samples={"service_ms": [1.4, 1.6]})
    >>> list(Line("HyperPAV", [point]).curve("service_ms").y)
    [1.5]
    """

    label: str
    points: list[Point]

    def curve(self, row: str) -> plots.Curve:
        """One value of it, with its 95 % half-widths."""
        estimates = [point.estimate(row) for point in self.points]
        x = [float(_aliases(point)) for point in self.points]
        scale = [_scale(point, row) for point in self.points]
        y = [own * one.mean for own, one in zip(scale, estimates, strict=True)]
        noise = [own * one.half_width for own, one in zip(scale, estimates, strict=True)]
        return plots.Curve(x, y, half_width=noise, label=self.label)


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


def render(result: Reproduction, wish: Wish, drawn: list[Line]) -> str:
    """The page of a reproduction; the same reproduction gives the same bytes.

    >>> wish = Wish(quick=True)
    >>> "<svg" in render(Reproduction("hyperpav", 1, points=[Point(pool(0), "", 0.0)]), wish, [])
    True
    """
    own, apart = Tally.of(result.cells), Tally.of(result.cells, independent=True)
    budget = wish.budget
    facts = [
        ("scored cells that match", f"{own.matches} of {own.scored}"),
        ("independent ones", f"{apart.matches} of {apart.scored}"),
        ("seed", str(result.seed)),
        ("replications", f"{result.replications} of {budget.interval_s or 600} s"),
    ]
    sections = [_curves(result, drawn), _cells(result), _constants(), _beside(result), _limits(result), _scenarios()]
    return html.render(
        html.Page(
            "HyperPAV and classic PAV: published and simulated",
            "Six published DEVICE reports of “z/VM HyperPAV Support”, every number beside the simulated one",
            facts,
            [section for section in sections if section.tables or section.pictures or section.text],
        )
    )


def _curves(result: Reproduction, drawn: list[Line]) -> html.Section:
    panels = [
        plots.Panel(label, [line.curve(row) for line in drawn], _published(result, row))
        for row, label in _PANELS.items()
    ]
    caption = (
        "Points are published, lines simulated; the linear form is the comparison further down. "
        "The bars on predicted points are the bands declared before any run. "
        "Calibrated points were fitted to. A classic run shows one volume of eight and is drawn at eight times its "
        "aliases and its queue; between multiples of eight there is no classic configuration."
    )
    return html.Section(
        "Aliases", pictures=[html.Picture(plots.curve(panels, "Aliases of the eight volumes"), caption)]
    )


def _published(result: Reproduction, row: str) -> list[plots.Points]:
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
        plots.Points([x for x, _, _ in some], [y for _, y, _ in some], [width for _, _, width in some], label)
        for label, some in groups.items()
    ]


def _cells(result: Reproduction) -> html.Section:
    rows = [_row(cell) for cell in result.cells]
    columns = ("run", "value", "unit", "published", "simulated", "off", "band", "role", "verdict", "note")
    text = [
        "Predicted: no constant and no variant was chosen on the cell. Informed: no constant, but a variant was "
        "adopted by somebody who knew it. Calibrated cells were fitted to and never count; excluded ones are shown, "
        "not counted."
    ]
    return html.Section("Cells", text, tables=[html.Table(columns, rows)])


def _row(cell: Cell) -> list[str | html.Cell]:
    places = PLACES[cell.place.row]
    numbers = [fixed(cell.published, places), simulated(cell)]
    verdict = html.Cell(cell.verdict, _TONES.get(cell.verdict, "quiet"))
    note = "; ".join(part for part in ("must match" if cell.ruling.must else "", cell.note) if part)
    place = cell.place
    return [
        place.table,
        place.row,
        place.unit,
        *numbers,
        difference(cell),
        margin(cell),
        cell.ruling.role,
        verdict,
        note,
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


def _beside(result: Reproduction) -> html.Section:
    """The other service form, for comparison."""
    if not result.comparison:
        return html.Section("The other service form")
    tally = Tally.of(result.comparison)
    text = [
        "Declared beforehand as the alternative, fitted in the same way to the same cells, and counted nowhere: "
        f"{tally.matches} of {tally.scored} would match."
    ]
    columns = ("run", "value", "unit", "published", "simulated", "off", "band", "verdict")
    rows = [[part for i, part in enumerate(_row(cell)) if i not in (7, 9)] for cell in result.comparison]
    return html.Section("The other service form", text, tables=[html.Table(columns, rows)])


def _limits(result: Reproduction) -> html.Section:
    off = [cell for cell in committed().cells if abs(cell.residual) > 1]
    close = [cell.place for cell in result.cells if cell.verdict == "matches" and cell.share > EDGE]
    return html.Section(
        "What this does not show",
        [
            "The model does not reach every calibration cell within its rounding: "
            + ", ".join(f"{cell.table} {cell.row} is {abs(cell.residual):.1f} times as far off" for cell in off)
            + ".",
            "Matches in the outer tenth of their band: "
            + (", ".join(f"{place.table} {place.row}" for place in close) or "none")
            + ".",
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
