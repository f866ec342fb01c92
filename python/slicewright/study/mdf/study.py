"""The 580/MDF study: two domains on one machine, and what their slices do to I/O.

Every choice made here was declared before the runs that it is for: docs/decisions/0010-mdf-study.md, for the adopted
form 0011-mdf-adopted.md, for the growing one 0047-mdf-growing-surges.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from slicewright.report.figure import Figure, Panel
from slicewright.report.model import Block
from slicewright.results.judge import Role
from slicewright.scenario.sharing import PARAMETERS
from slicewright.statistics import fixed
from slicewright.study.calibrate import Constants as Fits
from slicewright.study.mdf.scenario import FIRST_MESSAGES, FRONT_END, IMS, RELOAD_MS, TSO, Case, Constants, scenario
from slicewright.study.pages import Dot, Maker, curve, published, published_dots
from slicewright.study.points import Budget, Columns, Key, Point, Progress, Tables
from slicewright.study.spec import Number
from slicewright.study.study import Runs, Study

COLUMNS = {"sched1": 1, "sched3": 3, "sched5": 5}
"""The columns that can be simulated, with the scheduling parameter of each; BASE is not described."""

Value = tuple[str, str]
"""Table and row."""

Drawn = Mapping[str, Sequence[Point]]
"""What the lines are drawn of: a form's points, one for each scheduling parameter."""


class _Mdf(Study):
    """The study: a case is a scheduling parameter, with work in both domains or in one."""

    name = "mdf"
    reads = ("volumes", "guests", "front_ends", "resources", "partitions")

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """Both domains at the parameter of a column, none for BASE; in a search the part's domain alone."""
        if part:
            return (Case(1, (IMS if part.startswith("ims") else TSO,)),)
        parameter = COLUMNS.get(number.place.column)
        return (Case(parameter),) if parameter else ()

    def scenario(self, case: Case, constants: Fits, budget: Budget) -> str:
        """Both domains as a complete scenario file (TOML).

        >>> text = STUDY.scenario(Case(3), STUDY.constants(), Budget())
        >>> [line for line in text.splitlines() if line.startswith("scheduling_parameter")]
        ['scheduling_parameter = 3']
        """
        return scenario(case, Constants.of_fit(constants))

    def measure(self, case: Case, run: Tables, constants: Fits) -> Mapping[Key, float]:
        """The values of the domains that had work."""
        return values(run)

    def runs(self) -> tuple[Runs, Runs]:
        """Every published parameter in two forms."""
        shipped = [(form, Case(parameter)) for form in ("first", "adopted") for parameter in COLUMNS.values()]
        return shipped, shipped

    def words(self) -> Mapping[str, Maker]:
        """The assumed sizes of two variants, and figures 7 to 10 and table 2, published and simulated."""
        return {
            "reload": lambda context: [fixed(RELOAD_MS, 1)],
            "messages": lambda context: [f"{FIRST_MESSAGES:g}"],
            "figures": lambda context: pictures(lines(progress=context.progress)),
        }


STUDY = _Mdf()
"""The study."""


def lines(own: Budget | None = None, progress: Progress = lambda share: None) -> Drawn:
    """Both domains at scheduling parameters 1 to 5 in all forms; `progress` hears the share done.

    >>> short = Budget(replications=2, most=2, interval_s=20, warm_up_s=10)
    >>> [point.case.parameter for point in lines(short)["adopted"]]
    [1, 2, 3, 4, 5]
    """
    drawn: dict[str, list[Point]] = {form: [] for form in STUDY.spec().forms}
    for form, points in drawn.items():
        for parameter in PARAMETERS:
            case = Case(parameter)
            points.append(STUDY.simulate(case, STUDY.constants(form), own or STUDY.budget(case, "curve")))
            progress(sum(map(len, drawn.values())) / (len(drawn) * len(PARAMETERS)))
    return drawn


def pictures(drawn: Drawn) -> list[Block]:
    """The figures of the document, published and simulated; none where nothing was simulated."""
    made: list[Block] = []
    for figure in STUDY.spec().figure if drawn else ():
        shown = [_panel(panel.label, (panel.table, panel.row), drawn) for panel in figure.panels]
        made.append(Figure(shown, "Scheduling parameter", f"{figure.title}. {figure.caption}", figure.title))
    return made


def _panel(label: str, value: Value, drawn: Drawn) -> Panel:
    simulated = [
        curve(
            [float(point.case.parameter) for point in points],
            [point.estimate(value) for point in points],
            f"{form} form",
        )
        for form, points in drawn.items()
    ]
    groups: dict[Role, list[Dot]] = {}
    for cell in published(STUDY):
        if cell.place.key[:2] == value and cell.place.column in COLUMNS:
            dot = (float(COLUMNS[cell.place.column]), cell.published, cell.width, 1.0)
            groups.setdefault(cell.ruling.role, []).append(dot)
    lines = [series.label for series in simulated]
    return Panel(label, [*simulated, *(published_dots(dots, role, lines) for role, dots in groups.items())])


def values(tables: Tables) -> dict[Key, float]:
    """The study's values from the tables of one replication, of the domains that had work.

    IOSQ is that of RMF: the queue that the program inside the domain sampled, over the rate (Partitioning Large
    Processors, 4.0); RESP = IOSQ + service.  Domain means are rate-weighted over its disks, the front end is none.

    >>> values({"guests": {"guest": []}})
    {}
    """
    found: dict[Key, float] = {}
    guests = tables["guests"]["guest"]
    if "terminals" in guests:
        found |= _ims(tables)
    if "users" in guests:
        found |= _tso(tables)
    return found


def _ims(tables: Tables) -> dict[Key, float]:
    disks = _disks(tables["volumes"], IMS)
    guest, front = _row(tables["guests"], "guest", "terminals"), _row(tables["front_ends"], "front_end", FRONT_END)
    region = _row(tables["resources"], "resource", "MPR")
    found = _domain("table1.ims", disks)
    for name in ("C23", "8C2"):
        found |= _device(f"table2.IMS-{name}", disks[name])
    found["figure8.ims", "io_per_s"] = math.fsum(disk["io_per_s"] for disk in disks.values())
    table3 = {
        "front_end_4705_rate_per_s": front["io_per_s"],
        "tpns_queue_s": front["in_wait_ms"] / 1000,
        "input_queue_s": guest["resource_wait_ms"] / 1000,
        "execution_s": region["hold_ms"] / 1000,
        "output_queue_s": front["out_wait_ms"] / 1000,
        "response_s": guest["transaction_ms"] / 1000,
        "external_transactions_per_s": guest["cycles_per_s"],
        "cpu_percent": _row(tables["partitions"], "partition", IMS)["cpu_percent"],
    }
    return found | {("table3.ims", row): value for row, value in table3.items()}


def _tso(tables: Tables) -> dict[Key, float]:
    disks = _disks(tables["volumes"], TSO)
    guest = _row(tables["guests"], "guest", "users")
    found = _domain("table1.tso", disks)
    for name in ("CC1", "CC2"):
        found |= _device(f"table2.TSO-{name}", disks[name])
    return found | {
        ("table4.tso", "response_s"): guest["transaction_ms"] / 1000,
        ("table4.tso", "external_transactions_per_s"): guest["cycles_per_s"],
    }


def _disks(volumes: Columns, domain: str) -> dict[str, dict[str, float]]:
    """The disks of a domain, by name: IMS has C23, 8C2 and DB.., TSO the others; the front end is none."""
    own = ("C23", "8C2", "DB") if domain == IMS else ("CC1", "CC2", "TS")
    return {name: _row(volumes, "volume", name) for name in volumes["volume"] if name.startswith(own)}


def _domain(table: str, disks: dict[str, dict[str, float]]) -> dict[Key, float]:
    busy = [disk for disk in disks.values() if disk["io_per_s"]]
    rate = math.fsum(disk["io_per_s"] for disk in busy)
    iosq = math.fsum(disk["io_per_s"] * disk["iosq_rmf_ms"] for disk in busy) / rate
    service = math.fsum(disk["io_per_s"] * disk["service_ms"] for disk in busy) / rate
    return {(table, "response_ms"): iosq + service, (table, "iosq_ms"): iosq}


def _device(table: str, disk: dict[str, float]) -> dict[Key, float]:
    return {
        (table, "rate_per_s"): disk["io_per_s"],
        (table, "response_ms"): disk["iosq_rmf_ms"] + disk["service_ms"],
        (table, "iosq_ms"): disk["iosq_rmf_ms"],
    }


def _row(table: Columns, key: str, name: str) -> dict[str, float]:
    at = table[key].index(name)
    return {column: values[at] for column, values in table.items()}
