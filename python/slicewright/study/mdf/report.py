"""The study as one HTML page: figures 7 to 10, every cell, what is derived, assumed and fitted, and what is not shown.

It leaves out how pages and pictures are drawn (`slicewright.html`, `slicewright.figures`).
"""

from __future__ import annotations

from slicewright import html
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.scenario.sharing import PARAMETERS
from slicewright.statistics import fixed
from slicewright.study.bands import Role, Ruling
from slicewright.study.mdf.constants import FORMS, PARTS, UNITS, Form, committed, committed_constants
from slicewright.study.mdf.page import LOOK, PLACES, missed
from slicewright.study.mdf.points import Case, Point, Value, simulate
from slicewright.study.mdf.published import COLUMNS, Number, study_folder
from slicewright.study.mdf.reproduce import Judge, budget
from slicewright.study.mdf.scenario import scenario
from slicewright.study.page import in_words
from slicewright.study.points import Budget, Progress
from slicewright.study.report import cells, facts, near_the_edge
from slicewright.study.reproduction import Reproduction, Wish

BUDGET = Budget(replications=6, most=6, interval_s=900, warm_up_s=600)
"""What one point of a curve costs: enough for a line, not for a verdict."""

SHIPPED: dict[Form, str] = {"first": "ims-tso", "adopted": "adopted"}
"""What the shipped scenarios of a form are called."""

Drawn = dict[Form, list[Point]]
"""What the lines are drawn of."""

FIGURES: tuple[tuple[str, str, tuple[tuple[str, Value], ...]], ...] = (
    (
        "Figure 7",
        "I/O response time and IOSQ: mean over the disks of a domain.",
        (
            ("RESP of IMS, ms", ("table1.ims", "response_ms")),
            ("IOSQ of IMS, ms", ("table1.ims", "iosq_ms")),
            ("RESP of TSO, ms", ("table1.tso", "response_ms")),
            ("IOSQ of TSO, ms", ("table1.tso", "iosq_ms")),
        ),
    ),
    (
        "Figure 8",
        "I/Os per second of the IMS domain.",
        (("IMS, I/O per s", ("figure8.ims", "io_per_s")),),
    ),
    (
        "Figure 9",
        "External transaction rate: IMS gains with every shorter slice until the processor is the limit, TSO does not.",
        (
            ("IMS, transactions per s", ("table3.ims", "external_transactions_per_s")),
            ("TSO, commands per s", ("table4.tso", "external_transactions_per_s")),
        ),
    ),
    (
        "Figure 10",
        "Response time of a terminal.",
        (("IMS, s", ("table3.ims", "response_s")), ("TSO, s", ("table4.tso", "response_s"))),
    ),
    (
        "Table 2",
        "IOSQ of the busy devices that the document lists: longer slices cost most where most is going on.",
        (
            ("C23 of IMS, ms", ("table2.IMS-C23", "iosq_ms")),
            ("8C2 of IMS, ms", ("table2.IMS-8C2", "iosq_ms")),
            ("CC1 of TSO, ms", ("table2.TSO-CC1", "iosq_ms")),
            ("CC2 of TSO, ms", ("table2.TSO-CC2", "iosq_ms")),
        ),
    ),
)
"""The pictures: title, caption, and panels with the value in each."""


def lines(own: Budget = BUDGET, progress: Progress = lambda share: None) -> Drawn:
    """Both domains at scheduling parameters 1 to 5 in both forms; `progress` hears the share done.

    >>> short = Budget(replications=2, most=2, interval_s=20, warm_up_s=10)
    >>> [point.parameter for point in lines(short)["adopted"]]
    [1, 2, 3, 4, 5]
    """
    drawn: Drawn = {form: [] for form in FORMS}
    for form, points in drawn.items():
        for parameter in PARAMETERS:
            points.append(simulate(Case(parameter, committed_constants(form)), own))
            progress(sum(map(len, drawn.values())) / (len(FORMS) * len(PARAMETERS)))
    return drawn


def page(result: Reproduction[Point], wish: Wish, drawn: Drawn) -> html.Page:
    """The page of a reproduction; the same reproduction gives the same page.

    >>> page(Reproduction("mdf", 1), Wish(quick=True), {}).title
    '580/MDF: published and simulated'
    """
    place = ("table", "value", "column")
    sections = [
        _figures(drawn),
        cells(result.cells, LOOK, place),
        _adopted(result, place),
        _constants(),
        _limits(result),
        _scenarios(),
    ]
    return html.Page(
        "580/MDF: published and simulated",
        "Tables 1 to 4 and figure 8 of “Partitioning Large Processors”, every number beside the simulated one",
        [*facts(result, budget(wish).interval_s or 3600), ("adopted form", in_words(result.adopted))],
        [section for section in sections if section.tables or section.pictures or section.text],
    )


def _adopted(result: Reproduction[Point], place: tuple[str, ...]) -> html.Section:
    if not result.adopted:
        return html.Section("Cells of the adopted form")
    text = [
        f"The same machine with reload in TSO, surges of the front end, and volumes that programs keep to: "
        f"{in_words(result.adopted)}. What a variant was meant for is informed (decision 0011); the first form is "
        "untouched by it.",
        *(f"Missed: {text}." for text in missed(result.adopted, "adopted")),
    ]
    tables = cells(result.adopted, LOOK, place).tables
    return html.Section("Cells of the adopted form", text, tables=tables)


def _figures(drawn: Drawn) -> html.Section:
    if not drawn:
        return html.Section("Figures 7 to 10")
    pictures = []
    for title, caption, panels in FIGURES:
        shown = [_panel(label, value, drawn) for label, value in panels]
        pictures.append(Figure(shown, "Scheduling parameter", f"{title}. {caption}", title))
    text = [
        "Points are published, lines simulated. Slices last 35 - 5 x scheduling parameter ms. Constants were fitted at "
        "parameter 1 alone; the bars on points to be predicted are the bands declared before any run at 3 or 5. Roles "
        "are those of the first form; the adopted one was chosen by somebody who knew the points."
    ]
    return html.Section("Figures 7 to 10", text, pictures=pictures)


def _panel(label: str, value: Value, drawn: Drawn) -> Panel:
    judge = Judge(study_folder())
    simulated = []
    for form, points in drawn.items():
        found = [point.estimate(value) for point in points]
        x, noise = [float(point.parameter) for point in points], [one.half_width for one in found]
        simulated.append(Series(x, [one.mean for one in found], half_width=noise, label=f"{form} form"))
    groups: dict[Role, list[tuple[Number, Ruling]]] = {}
    for one in judge.published:
        if one.place.key[:2] == value and one.place.column in COLUMNS:
            ruling = judge.ruling(one)
            groups.setdefault(ruling.role, []).append((one, ruling))
    return Panel(label, [*simulated, *(_points(own, role) for role, own in groups.items())])


def _points(own: list[tuple[Number, Ruling]], label: str) -> Series:
    x = [float(COLUMNS[one.place.column]) for one, _ in own]
    width = [ruling.band.width(one.value) if ruling.scored else 0.0 for one, ruling in own]
    return dots(x, [one.value for one, _ in own], width, label)


def _constants() -> html.Section:
    tables = []
    for part, meaning in PARTS.items():
        found = committed(part)
        rows = [[name, f"{value:g} {UNITS[name]}".rstrip()] for name, value in found.constants.items()]
        tables.append(html.Table(("constant", "value"), rows, f"{part}: {meaning}"))
        fit: list[list[str | html.Cell]] = []
        for cell in found.cells:
            numbers = [fixed(value, PLACES[cell.row]) for value in (cell.published, cell.simulated)]
            fit.append([cell.table, cell.row, *numbers, fixed(cell.residual, 2), "fitted" if cell.used else "not used"])
        columns = ("table", "value", "published", "simulated", "residual", "in the fit")
        tables.append(html.Table(columns, fit, "Residual: difference in bands of the row at the other parameters."))
    text = ["Found by least squares at scheduling parameter 1 alone; `slicewright calibrate mdf` finds them again."]
    return html.Section("Constants", text, tables=tables)


def _limits(result: Reproduction[Point]) -> html.Section:
    return html.Section(
        "What this does not show",
        [
            *(f"Missed: {text}." for text in missed(result.cells)),
            near_the_edge(result.cells),
            "BASE is not described in the document: its cells are listed and not simulated.",
            "TPNS and output queue share one total; how they share it drifts for hours of simulated time.",
            "Not published and assumed: the handler's time, I/Os and classes of TSO commands, serial scheduling of "
            "each program, shapes of think times, bursts and front-end service, RMF's cycle.",
            "The constants are those of this machine under these loads. Elsewhere they are borrowed.",
        ],
    )


def _scenarios() -> html.Section:
    folded = [
        (f"{name}-{column}.toml", scenario(parameter, committed_constants(form)))
        for form, name in SHIPPED.items()
        for column, parameter in COLUMNS.items()
    ]
    return html.Section("Scenarios", ["Each as `slicewright run` takes it, from scenarios/mdf/."], folded=folded)
