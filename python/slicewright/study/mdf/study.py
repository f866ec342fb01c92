"""The 580/MDF study: two domains on one machine, and what their slices do to I/O.

Every choice made here was declared before the runs that it is for: docs/decisions/0010-mdf-study.md, for the adopted
form 0011-mdf-adopted.md, for the growing one 0047-mdf-growing-surges.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.model import Block
from slicewright.results.judge import Cell, Place, Role, Ruling
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.statistics import fixed
from slicewright.study.calibration import Calibration, Layout, cells, fitted, origin
from slicewright.study.judge import Judge
from slicewright.study.look import Row
from slicewright.study.mdf.derived import SEEN, derived
from slicewright.study.mdf.scenario import FRONT_END, IMS, TSO, Case, Constants, scenario
from slicewright.study.mdf.workload import FIRST_MESSAGES, RELOAD_MS
from slicewright.study.points import Budget, Columns, Key, Point, Progress, Tables
from slicewright.study.published import Number
from slicewright.study.spec import Spec
from slicewright.study.study import Study
from slicewright.study.summary import Context

COLUMNS = {"sched1": 1, "sched3": 3, "sched5": 5}
"""The columns that can be simulated, with the scheduling parameter of each; BASE is not described."""

SHIPPED = {"first": "ims-tso", "adopted": "adopted"}
"""Names of the shipped scenarios of each form."""

Value = tuple[str, str]
"""Table and row."""

Drawn = Mapping[str, Sequence[Point]]
"""What the lines are drawn of: a form's points, one for each scheduling parameter."""

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


class PartsOfDomains(Layout):
    """The file of constants, whose cells are all of scheduling parameter 1 and do not say so."""

    def lines(self, spec: Spec, found: Calibration) -> list[str]:
        """The lines of one domain: constants on one line, with their units above it, and every cell seen."""
        part = spec.part(found.part)
        units = ", ".join(f"{each.name} in {each.unit}" for each in part.constants.values() if each.unit)
        constants = ", ".join(f"{name} = {value!r}" for name, value in found.constants.items())
        lines = ["", f"# {part.meaning}", f"# {units}; residuals in bands of the row", f"[{part.name}]"]
        return [*lines, f"constants = {{ {constants} }}", *cells(found.cells, spec.data["calibrated"]["fields"])]

    def parse(self, spec: Spec, document: Mapping[str, Any], name: str) -> Calibration:
        """One domain of a file that was read."""
        own = document[name]
        return Calibration(name, own["constants"], fitted(own["cell"], SEEN), origin(document))


class Mdf(Study):
    """The study: a case is a scheduling parameter, with work in both domains or in one."""

    name = "mdf"
    has_curves = True
    reads = ("volumes", "guests", "front_ends", "resources", "partitions")
    layout = PartsOfDomains()

    def cases(self, number: Number) -> tuple[Case, ...]:
        """Both domains at the parameter of a column; none for BASE."""
        parameter = COLUMNS.get(number.place.column)
        return (Case(parameter),) if parameter else ()

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """Both domains as a complete scenario file (TOML).

        >>> text = STUDY.scenario(Case(3), STUDY.constants(), Budget())
        >>> [line for line in text.splitlines() if line.startswith("scheduling_parameter")]
        ['scheduling_parameter = 3']
        """
        return scenario(case, constants)

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of the domains that had work."""
        return values(run)

    def unit_of(self, number: Number) -> tuple[str, str]:
        """Numbers of a column are of one run."""
        return number.place.column, ""

    def kind(self, case: Case) -> str:
        """A trial of TSO alone is longer."""
        return "tso" if case.domains == (TSO,) else "points"

    def made(self, form: str, fits: Mapping[str, Calibration], folder: Path | None) -> Constants:
        """The constants of both domains, or of the one that is fitted; what follows from the setup is of `folder`."""
        ims, tso = self.spec().forms[form].parts
        own = {part: fits[part].constants if part in fits else {} for part in (ims, tso)}
        return Constants(own[ims], own[tso], form, None if folder is None else derived(folder))

    def belongs(self, part: str, place: Place) -> bool:
        """A cell is of the domain that its table names."""
        return part.partition("_")[0] in place.table.lower()

    def trial_cases(self, part: str, number: Number) -> tuple[Case, ...]:
        """The part's domain at scheduling parameter 1, the other one idle."""
        return (Case(1, (IMS if part.startswith("ims") else TSO,)),)

    def shipping(self) -> Mapping[str, tuple[Case, Constants]]:
        """Every published parameter in both forms."""
        return {
            f"{name}-{column}.toml": (Case(parameter), self.constants(form))
            for form, name in SHIPPED.items()
            for column, parameter in COLUMNS.items()
        }

    def fields(self, context: Context) -> Mapping[str, Any]:
        """The assumed sizes of two variants."""
        return {"reload": fixed(RELOAD_MS, 1), "messages": f"{FIRST_MESSAGES:g}"}

    def run_title(self, run: str) -> str:
        """A published column, in the first form unless it says another.

        >>> STUDY.run_title("sched5"), STUDY.run_title("adopted sched5")
        ('Scheduling parameter 5: slices of 10 ms', 'Adopted form, scheduling parameter 5: slices of 10 ms')
        """
        form, _, column = run.rpartition(" ")
        said = f"Scheduling parameter {COLUMNS[column]}: slices of {parameter_slice_ms(COLUMNS[column]):g} ms"
        return f"{form.capitalize()} form, s{said[1:]}" if form else said

    def within(self, run: str, cells: Sequence[Cell]) -> list[Row]:
        """Cells under the name of their table."""
        rows: list[Row] = []
        for table in dict.fromkeys(cell.place.table for cell in cells):
            rows += [table, *(cell for cell in cells if cell.place.table == table)]
        return rows

    def in_run(self, cell: Cell) -> str:
        """The run is the column."""
        return cell.place.row

    def below(self, run: str, cells: Sequence[Cell]) -> str:
        """Empty: this study prints no line below a column."""
        return ""

    def in_validation(self, cell: Cell) -> str:
        """A value ends with its scheduling parameter."""
        column = cell.place.column
        return f"`{cell.place.row} {COLUMNS.get(column, column.upper())}`"

    def figures(self, context: Context) -> Iterable[Block]:
        """Figures 7 to 10 and table 2, published and simulated."""
        return pictures(lines(progress=context.progress))


STUDY = Mdf()
"""The study."""


def lines(own: Budget | None = None, progress: Progress = lambda share: None) -> Drawn:
    """Both domains at scheduling parameters 1 to 5 in both forms; `progress` hears the share done.

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
    """The figures of the document, published and simulated; none where nothing was simulated.

    >>> pictures({})
    []
    """
    made: list[Block] = []
    for title, caption, panels in FIGURES if drawn else ():
        shown = [_panel(label, value, drawn) for label, value in panels]
        made.append(Figure(shown, "Scheduling parameter", f"{title}. {caption}", title))
    return made


def _panel(label: str, value: Value, drawn: Drawn) -> Panel:
    judge = Judge(STUDY)
    simulated = []
    for form, points in drawn.items():
        found = [point.estimate(value) for point in points]
        x, noise = [float(point.case.parameter) for point in points], [estimate.half_width for estimate in found]
        simulated.append(Series(x, [estimate.mean for estimate in found], half_width=noise, label=f"{form} form"))
    groups: dict[Role, list[tuple[Number, Ruling]]] = {}
    for number in judge.published:
        if number.place.key[:2] == value and number.place.column in COLUMNS:
            ruling = judge.ruling(number)
            groups.setdefault(ruling.role, []).append((number, ruling))
    lines = [series.label for series in simulated]
    return Panel(label, [*simulated, *(_points(numbers, role, lines) for role, numbers in groups.items())])


def _points(own: Sequence[tuple[Number, Ruling]], label: str, lines: Sequence[str]) -> Series:
    x = [float(COLUMNS[number.place.column]) for number, _ in own]
    width = [ruling.band.width(number.value) if ruling.scored else 0.0 for number, ruling in own]
    return dots(x, [number.value for number, _ in own], width, label, lines)


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
