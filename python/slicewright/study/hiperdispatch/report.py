"""The study as one HTML page: the four figures, Table 1, every cell, what is assumed and fitted, and what is not shown.

It leaves out how pages and pictures are drawn (`slicewright.html`, `slicewright.figures`).
"""

from __future__ import annotations

from slicewright import html
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed
from slicewright.study.bands import Role, Ruling
from slicewright.study.hiperdispatch.cases import ABLATIONS, MODES, N_WAY, Case, Mode
from slicewright.study.hiperdispatch.constants import MEANINGS, UNITS, committed, committed_constants
from slicewright.study.hiperdispatch.judge import Judge
from slicewright.study.hiperdispatch.page import LOOK, PLACES, TITLES, missed
from slicewright.study.hiperdispatch.points import Point, simulate
from slicewright.study.hiperdispatch.published import FIGURES, Number, study_folder
from slicewright.study.hiperdispatch.reproduce import budget
from slicewright.study.page import in_words
from slicewright.study.points import Budget, Progress
from slicewright.study.report import beside, cells, facts, near_the_edge
from slicewright.study.reproduction import Reproduction, Wish

LOW = Budget(replications=4, most=4, interval_s=5, warm_up_s=5.0)
HIGH = Budget(replications=4, most=4, interval_s=1, warm_up_s=1.0)
PARKED = Budget(replications=2, most=2, interval_s=60, warm_up_s=2.0)
"""What one point of a curve costs: enough for a line, not for a verdict."""

Drawn = dict[str, dict[Mode, list[Point]]]
"""By figure and mode, the points that a line is drawn of."""


def lines(progress: Progress = lambda share: None, own: Budget | None = None) -> Drawn:
    """Every figure in every mode over N; `progress` hears the share done.

    >>> short = Budget(replications=2, most=2, interval_s=1, warm_up_s=0.0)
    >>> [point.case.n for point in lines(own=short)["figure3"]["V B"]]
    [1, 4, 8, 16, 24, 32]
    """
    drawn: Drawn = {figure: {mode: [] for mode in MODES} for figure in FIGURES}
    wanted = [Case(figure, n, mode) for figure in FIGURES for mode in MODES for n in N_WAY]
    for at, case in enumerate(wanted):
        usual = PARKED if case.parks else HIGH if case.high_tv else LOW
        drawn[case.table][case.mode].append(simulate(case, committed_constants(), own or usual))
        progress((at + 1) / len(wanted))
    return drawn


def page(result: Reproduction[Point], wish: Wish, drawn: Drawn) -> html.Page:
    """The page of a reproduction; the same reproduction gives the same page.

    >>> page(Reproduction("hiperdispatch", 1), Wish(quick=True), {}).title
    'HiperDispatch: published and simulated'
    """
    place = ("table", "value", "column")
    sections = [
        _figures(drawn),
        cells(result.cells, LOOK, place),
        _adopted(result, place),
        _taken_away(result),
        _constants(),
        _limits(result),
    ]
    return html.Page(
        "HiperDispatch: published and simulated",
        "Figures 1 to 4 and Table 1 of “z/VM HiperDispatch”, every number beside the simulated one",
        [
            *facts(result, budget(Case("figure2", 16, "H"), wish).interval_s),
            *([("adopted form", in_words(result.adopted))] if result.adopted else []),
        ],
        [section for section in sections if section.tables or section.pictures or section.text],
    )


def _adopted(result: Reproduction[Point], place: tuple[str, ...]) -> html.Section:
    if not result.adopted:
        return html.Section("Cells of the adopted form")
    text = [
        "The same with one rule changed: in horizontal mode the processor that has been idle longest handles a "
        f"wake-up, wherever the virtual processor ran last. {in_words(result.adopted)}. The figures, for which it is "
        "meant, are informed (decision 0014); the first form is untouched by it.",
        *(f"Missed: {text}." for text in missed(result.adopted, "adopted")),
    ]
    tables = cells(result.adopted, LOOK, place).tables
    return html.Section("Cells of the adopted form", text, tables=tables)


def _figures(drawn: Drawn) -> html.Section:
    if not drawn:
        return html.Section("Figures 1 to 4")
    pictures = []
    for figure, modes in drawn.items():
        panels = [_etr(figure, modes), _gain(figure, modes)]
        caption = f"{TITLES[figure]}: ETR in each mode, and what vertical ones gain over horizontal."
        pictures.append(Figure(panels, "N: processors of the partition", caption, TITLES[figure].partition(":")[0]))
    text = [
        "Points are published, lines simulated; the document's own curves are not printed as numbers and are not here. "
        "Horizontal stands for 6.2 and for 6.3 run horizontally, which are the same in this model. Bars on points are "
        "the bands declared before any run; points called calibrated were fitted to. Lines and roles are of "
        "the first form."
    ]
    return html.Section("Figures 1 to 4", text, pictures=pictures)


def _etr(figure: str, modes: dict[Mode, list[Point]]) -> Panel:
    curves = []
    for mode, points in modes.items():
        found = [point.estimate("etr") for point in points]
        x, noise = [float(point.case.n) for point in points], [one.half_width for one in found]
        curves.append(Series(x, [one.mean for one in found], half_width=noise, label=MODES[mode]))
    scaled = figure != "figure4"
    return Panel(
        "ETR, tx per s" if scaled else "ETR, tx per s (scale of figure 3)", [*curves, *_published(figure, "etr")]
    )


def _gain(figure: str, modes: dict[Mode, list[Point]]) -> Panel:
    curves = []
    before = [point.estimate("etr").mean for point in modes["H"]]
    for mode, points in modes.items():
        if mode != "H":
            gains = [100 * (point.estimate("etr").mean / etr - 1) for point, etr in zip(points, before, strict=True)]
            curves.append(Series([float(point.case.n) for point in points], gains, label=MODES[mode]))
    return Panel("gain over horizontal, %", [*curves, *_published(figure, "gain_percent")])


def _published(figure: str, row: str) -> list[Series]:
    judge = Judge(study_folder())
    groups: dict[Role, list[tuple[Number, Ruling]]] = {}
    for one in judge.published:
        if one.place.table == figure and one.place.row == row:
            ruling = judge.ruling(one)
            groups.setdefault(ruling.role, []).append((one, ruling))
    found = []
    for role, own in groups.items():
        width = [ruling.band.width(one.value) if ruling.scored else 0.0 for one, ruling in own]
        label = "not judged" if role == "excluded" else role
        found.append(dots([float(one.n) for one, _ in own], [one.value for one, _ in own], width, label))
    return found


def _taken_away(result: Reproduction[Point]) -> html.Section:
    """What the scored cells are under each ablation; where one ablation was asked for, what they are as a whole."""
    if result.ablation or not result.comparison:
        return beside(result, LOOK, "The whole model", ("table", "value", "column"))
    known = {cell.place.key: cell for cell in result.comparison}
    rows: list[list[str | html.Cell]] = []
    for cell in result.cells:
        if cell.ruling.scored:
            table, *rest = cell.place.key
            found = [known.get((f"{ablation} {table}", *rest)) for ablation in ABLATIONS]
            numbers = [fixed(one.estimate.mean, PLACES[cell.place.row]) if one else "-" for one in found]
            rows.append(
                [*cell.place.key, LOOK.published(cell), fixed(cell.estimate.mean, PLACES[cell.place.row]), *numbers]
            )
    text = [f"{name}: {what}." for name, what in ABLATIONS.items()]
    columns = ("table", "value", "column", "published", "whole", *ABLATIONS)
    return html.Section(
        "Ablations", text, tables=[html.Table(columns, rows, "Constants stay as they are; nothing is judged.")]
    )


def _constants() -> html.Section:
    found = committed()
    rows = [[name, f"{value:g} {UNITS[name]}".rstrip(), MEANINGS[name]] for name, value in found.constants.of.items()]
    scales = [[name, f"{value:g}"] for name, value in found.constants.scales.items()]
    fit: list[list[str | html.Cell]] = []
    for cell in found.cells:
        numbers = [fixed(value, PLACES[cell.row]) for value in (cell.published, cell.simulated)]
        fit.append(
            [
                cell.table,
                cell.row,
                cell.column,
                *numbers,
                fixed(cell.residual, 2),
                "fitted" if cell.used else "not used",
            ]
        )
    columns = ("table", "value", "column", "published", "simulated", "residual", "in the fit")
    tables = [
        html.Table(("constant", "value", "what it is"), rows),
        html.Table(("table or figure", "ETR of one processor's work in warm caches, tx/s"), scales),
        html.Table(columns, fit, "Residual: difference in bands of the row."),
    ]
    text = [
        "Found by least squares on calibration cells alone; `slicewright calibrate hiperdispatch` finds them again."
    ]
    return html.Section("Constants", text, tables=tables)


def _limits(result: Reproduction[Point]) -> html.Section:
    return html.Section(
        "What this does not show",
        [
            *(f"Missed: {text}." for text in missed(result.cells)),
            near_the_edge(result.cells),
            "6.2 and 6.3 run horizontally are one and the same here: that they differ little is put in.",
            "Not published and assumed: how slow storage is, jitter of slices, barriers of stealing, and how the "
            "controller expects the next interval's use.",
            "The constants are those of these machines under these loads. Elsewhere they are borrowed.",
        ],
    )
