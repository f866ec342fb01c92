"""The DIAGNOSE X'9C' study: the gain of guests that spin for locks when they name the holder of the lock.

Every choice made here was declared before the runs that it is for: docs/decisions/0015-diag9c-study.md, for the variant
0019-diag9c-intercepts.md, for the adopted form 0046-diag9c-cycles-caches-network.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Notes, Paragraph, Table
from slicewright.report.spec import columns
from slicewright.results.judge import Cell, Place
from slicewright.run.yield_budget import SAVED, DiagnoseCosts, budget, held, saved
from slicewright.run.yield_budget import Budget as Spent
from slicewright.statistics import fixed, signed
from slicewright.study.calibrate import Constants
from slicewright.study.judge import Unit, of_set
from slicewright.study.pages import Context, Direction, Key, Maker, Rule, Values, growing, published_dots
from slicewright.study.pages import directions as directions_of
from slicewright.study.points import Budget, Point, Tables
from slicewright.study.points import Key as Value
from slicewright.study.reproduce import BySet, Points, shown
from slicewright.study.spec import Number, Spec, Wanted
from slicewright.study.study import Runs, Study
from slicewright.study.templates import rendered

Yields = Literal["x44", "x9c"]
"""How SLES 10 yields: DIAGNOSE X'44', or X'9C'."""

CYCLE_NS = {"z990": 0.83, "z9": 0.58}
"""Published cycle times (IBM eServer zSeries 990 Technical Guide; IBM System z9 EC Technical Guide)."""

ROOMY = "N"
"""Run A with a processor for each virtual one: no contention."""

RUNS = ("A", "B", "C", "E", "H", "X")
"""The pairs of runs, in the order of the tables."""


class _Run(Struct, frozen=True):
    id: str
    machine: Literal["z990", "z9"]
    servers_run: str
    client_processors: int
    servers: int
    server_processors: int
    connections: int
    spin_retry: int


class _Published(Struct, frozen=True):
    setup: Mapping[str, int]
    run: tuple[_Run, ...]
    ratios: Mapping[str, float]


@cache
def _published() -> _Published:
    return Spec.read("diag9c").document_as(_Published)


@dataclass(frozen=True, slots=True)
class Case:
    """One simulated run: which pair it is of, how SLES 10 yields, the release of z/VM, and an ablation, if any.

    >>> Case("E", "x9c").virtual_processors, Case("E", "x9c").processors
    (210, 9)
    """

    run: str
    yields: Yields
    zvm: str = "5.3"
    ablation: str = ""

    @property
    def own(self) -> _Run:
        """How the run was set up, as published; the roomy one as run A."""
        name = "A" if self.run == ROOMY else self.run
        return next(run for run in _published().run if run.id == name)

    @property
    def connections(self) -> int:
        """Connections of all clients to all servers.

        >>> [Case(run, "x44").connections for run in "ABCE"]
        [16, 32, 64, 192]
        """
        return _published().setup["clients"] * self.own.servers * self.own.connections

    @property
    def virtual_processors(self) -> int:
        """Virtual processors of all guests."""
        own = self.own
        return _published().setup["clients"] * own.client_processors + own.servers * own.server_processors

    @property
    def processors(self) -> int:
        """Processors of the partition."""
        return self.virtual_processors if self.run == ROOMY else _published().setup["processors"]

    @property
    def speed(self) -> float:
        """How many times as fast as a z990 the machine is: the published ratio of throughputs.

        >>> Case("X", "x44").speed, Case("E", "x44").speed
        (1.61, 1.0)
        """
        return _published().ratios["z9_throughput"] if self.own.machine == "z9" else 1.0

    @property
    def clock(self) -> float:
        """How many times as fast as on a z990 a loop is that stays within the core: the ratio of cycle times.

        >>> round(Case("X", "x44").clock, 2), Case("E", "x44").clock
        (1.43, 1.0)
        """
        return CYCLE_NS["z990"] / CYCLE_NS[self.own.machine]

    @property
    def name(self) -> str:
        """The name of its scenario file, without the suffix.

        >>> Case("H", "x44").name, Case("E", "x9c", "5.2").name
        ('H-x44', 'E-x9c-5.2')
        """
        return f"{self.run}-{self.yields}" + (f"-{self.zvm}" if self.zvm != "5.3" else "")

    def without(self, ablation: str) -> Case:
        """The same run with something taken away; nothing where that is empty."""
        return replace(self, ablation=ablation)


def pair(run: str) -> tuple[Case, Case]:
    """The two runs of a pair: with X'44' and with X'9C'.

    >>> [case.name for case in pair("A")]
    ['A-x44', 'A-x9c']
    """
    return Case(run, "x44"), Case(run, "x9c")


RELEASES = (Case("E", "x9c", "5.2"), Case("E", "x9c"))
"""The two runs of table 3: z/VM 5.2 and 5.3."""


def _gain_of(table: str) -> tuple[Case, Case]:
    """The two runs that the gain of a published table is of.

    >>> [case.name for case in _gain_of("run.A")], [case.zvm for case in _gain_of("table3")]
    (['A-x44', 'A-x9c'], ['5.2', '5.3'])
    """
    return RELEASES if table == "table3" else pair(table.removeprefix("run."))


# The text.

LOCK_US = (1.0, 0.4)
"""ASSUME how long a list operation holds the scheduler lock, and how much longer for each that waits."""

COSTS_US = {"wake": 2.0, "dispatch": 4.0, "wait": 2.0, "simulate": 4.0, "look": 0.1, "entry": 1.0}
"""ASSUME what the paths of the control program take on a z990."""

DIAGNOSES_US = {"fast_x44": 1.0, "x44": 2.0, "x9c": 2.0, "sense": 0.2}
"""ASSUME what simulating a DIAGNOSE takes on a z990, whatever becomes of it."""

CACHES = (("L1", 2.0), ("L2", 4.0))
"""ASSUME how many times as long work takes beyond each level: the numbers of decision 0012."""

FOOTPRINT = "512 KiB"
"""ASSUME what a virtual processor has in the caches: as much as level one holds, for instructions and data."""

INTERCEPT_US = 2.0
"""ASSUME what simulating an intercepted instruction takes on a z990: as long as a DIAGNOSE; in the variant alone."""

PIECES, PIECE_KIB = 16, 64
"""ASSUME in how many pieces a file of 1 MiB is asked for, and how large one is."""

SPREAD = 0.5
"""ASSUME how far a section strays from its mean, as a part of it."""

FITTED = "fitted to calibration cells (published/diag9c/calibrated.toml)"

INTERCEPTED = "intercepted"
"""The constant that the other forms have beside those of the first."""

OUTPUT = "output"
"""The constant that the adopted form has besides: what simulating network output takes; a try costs cycles there."""


@dataclass(frozen=True, slots=True)
class _Side:
    """Computing of clients or servers for a piece: between sections each, how many of these, and how long one is.

    >>> _Side.of(100.0, 20.0, 5.0)
    _Side(between_us=16.0, sections=4.0, hold_us=5.0)
    """

    between_us: float
    sections: float
    hold_us: float

    @staticmethod
    def of(computing_us: float, held_percent: float, hold_us: float) -> _Side:
        """A part of the computing in sections: with n of them there are n + 1 gaps."""
        held = computing_us * held_percent / 100
        sections = held / hold_us
        return _Side((computing_us - held) / (sections + 1), sections, hold_us)


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    count: int
    processors: int
    guest_type: str
    spin_retry: int
    yields: str


def sides(case: Case, own: Mapping[str, float]) -> tuple[_Side, _Side]:
    """The computing of client and server for a piece in a run, at the speed of its machine.

    >>> constants = STUDY.constants().of
    >>> client, server = sides(Case("E", "x44"), constants)
    >>> client.hold_us == server.hold_us == constants["hold"]
    True
    """
    piece, hold = own["piece"] / case.speed, own["hold"] / case.speed
    share = own["client_share"] / 100
    server = _Side.of(piece * (1 - share), own["server_held"], hold)
    return _Side.of(piece * share, own["client_held"], hold), server


# Measured values.

THROUGHPUT = "throughput"
"""Pieces of 64 KiB a second: of an unknown scale."""

BUDGETED = (
    "total_percent",
    "guests_percent",
    "chargeable_cp_percent",
    "nonchargeable_cp_percent",
    "work_percent",
    "spinning_percent",
    "x44_per_s",
    "fast_x44_per_s",
    "x9c_per_s",
    "sensed_per_s",
)
"""Counters of the control program that a breakdown is computed from; with `held`, the spin locks that are held."""


def _values(counters: Mapping[str, float], exchanges_per_s: float) -> dict[Value, float]:
    """The study's values from the counters of one replication, those of table 3 under its names, too.

    Fast-path X'44' are part of all X'44'; total DIAGs are X'44' and X'9C' (Diagnose X'9C' Support, notes to table 1).
    PLDV queue is the mean while a vector is not empty; `pldv_mean` is that over all time.

    >>> counters = dict.fromkeys((*BUDGETED, "held"), 8.0)
    >>> counters |= {"vector_empty_percent": 60.0, "vector_depth": 0.8, "fast_x44_per_s": 2.0}
    >>> found = _values(counters, 100.0)
    >>> [found[row] for row in ("diag44.fast_path_percent", "diag44.pldv_queue", "diag9c.diag9c_percent")]
    [25.0, 2.0, 50.0]
    """
    x44, x9c = counters["x44_per_s"], counters["x9c_per_s"]
    waiting = 1 - counters["vector_empty_percent"] / 100
    found: dict[Value, float] = {
        THROUGHPUT: exchanges_per_s,
        "diag44.rate_per_s": x44,
        "diag44.fast_path_percent": _share(counters["fast_x44_per_s"], x44),
        "diag44.pldv_empty_percent": counters["vector_empty_percent"],
        "diag44.pldv_queue": counters["vector_depth"] / waiting if waiting > 0 else 0.0,
        "pldv_mean": counters["vector_depth"],
        "diag9c.total_diags_per_s": x44 + x9c,
        "diag9c.diag9c_percent": _share(x9c, x44 + x9c),
        "zvm52_total_diags_per_s": x44 + x9c,
        "zvm52_diag9c_percent": _share(x9c, x44 + x9c),
    }
    return found | {name: counters[name] for name in (*BUDGETED, "held")}


def _share(part: float, whole: float) -> float:
    return 100 * part / whole if whole > 0 else 0.0


SHIPPED = (*(case for run in (*RUNS, ROOMY) for case in pair(run)), RELEASES[0])
"""Whose scenarios are shipped: both runs of every pair, without contention too, and z/VM 5.2."""

SEEN = (
    *(("first", case) for case in (Case("A", "x44"), *pair("C"), Case("X", "x44"), RELEASES[0])),
    *(("adopted", case) for case in (*pair("C"), Case("X", "x44"))),
    *(("intercepts", case) for case in pair("C")),
)
"""A run of every kind of guest, machine, yield, release and form, with the best set."""

GAIN = "throughput_gain_percent"

BREAKDOWN = "breakdown"
"""The column in which parts of a gain stand."""

MEANINGS: Mapping[str, str] = Spec.read("diag9c").gain
"""The meaning of each part of a gain; together they are the gain."""


class _Diag9c(Study):
    """The study: a case is one run of a pair; constants are an ensemble of sets, with each of which it is simulated."""

    name = "diag9c"
    reads = ("control_programs", "guests", "spin_locks")

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """Every number, run by run, then table 3; what table 3 repeats of run E is not listed twice."""
        found = spec.document
        listed = [number for entry in found["run"] for number in _run(spec, entry)]
        return listed + _numbers(spec, "table3", found.get("table3", {}))

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """The runs of a number; of a gain the one that is compared with comes first.

        >>> [case.name for case in STUDY.cases(Number(Place("run.A", "diag44.rate_per_s", "1/s"), 119868))]
        ['A-x44']
        """
        table, row = number.place.table, number.place.row
        own = _gain_of(table)
        if row in (GAIN, "gain_percent"):
            return own
        return own[:1] if table == "table3" or row.startswith("diag44.") else own[1:]

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """A run with one set of constants as a complete scenario file (TOML), measured as the budget says.

        >>> text = STUDY.scenario(Case("E", "x9c"), STUDY.constants(), Budget(interval_s=2, warm_up_s=1.0))
        >>> [line for line in text.splitlines() if line.startswith("yields")]
        ['yields = "x9c"', 'yields = "x9c"']
        """
        own, without, speed = constants.of, case.ablation, case.speed
        caches, switches = without != "no-reload", 0.0 if without == "no-switch-cost" else 1.0
        costs = {name: cost * switches for name, cost in COSTS_US.items()}
        costs |= {"entry": COSTS_US["entry"] if caches else 0.0} | DIAGNOSES_US
        client, server = sides(case, own)
        run, sles_10 = case.own, ("SLES 10", case.own.spin_retry, case.yields)
        servers = ("SLES 9 SP2", 0, "x44") if run.servers_run == "SLES 9" else sles_10
        kinds = [
            _Kind("CLIENT", _published().setup["clients"], run.client_processors, *sles_10),
            _Kind("SERVER", run.servers, run.server_processors, *servers),
        ]
        section = {"E": "Tables 2 and 4", "H": "Table 2", "X": "Table 4"}.get(case.run, "Table 1")
        return rendered(
            "diag9c", case=case, budget=budget, fitted=FITTED, kinds=kinds, client=client, server=server,
            spinning="X'44'" if case.yields == "x44" else "X'9C'",
            without=Spec.read("diag9c").ablations.get(without, ""),
            section=section if case.zvm == "5.3" else "Table 3", caches=CACHES if caches else (),
            lock=[cost * switches / speed for cost in LOCK_US],
            costs={name: cost / speed for name, cost in costs.items()},
            spin_try=own["one_try"] / (case.clock if OUTPUT in own else speed), footprint=FOOTPRINT,
            touched_in=own["touched_in"] / speed, latency=0.0 if without == "no-network-delay" else own["latency"],
            intercepted=own.get(INTERCEPTED), intercept_us=own.get(OUTPUT, INTERCEPT_US) / speed,
            spread=SPREAD, pieces=PIECES, piece_kib=PIECE_KIB,
        )  # fmt: skip

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Value, float]:
        """The values of one replication."""
        counters = {name: column[0] for name, column in run["control_programs"].items()}
        locks = run["spin_locks"]
        taken, spans = np.array(locks["taken_per_s"], dtype=float), np.array(locks["held_us"], dtype=float)
        counters["held"] = float(held(taken, spans).sum())
        exchanges = math.fsum(exchange for exchange in run["guests"]["exchanges_per_s"] if math.isfinite(exchange))
        return _values(counters, exchanges)

    def samples(self, number: Number, points: Mapping[Any, Point]) -> list[float]:
        """A gain in throughput, or a value of the only run."""
        own = [points[case].samples for case in self.cases(number)]
        return _gained(own) if len(own) == 2 else own[0][number.place.row]

    def runs(self) -> tuple[Runs, Runs]:
        """Every run, and a run of every kind."""
        return [("first", case) for case in SHIPPED], list(SEEN)

    def extra(self, form: str) -> Iterator[Unit]:
        """The pair of runs without contention."""
        yield Unit("", pair(ROOMY))

    def beside(self, unit: Unit, points: Points) -> Iterator[Cell]:
        """Unpublished values of the runs, and where their gain is from; of the run without contention its gain."""
        if unit.cases == pair(ROOMY):
            yield from _roomy_cells(points)
            return
        if not points.ablation:
            for case in unit.cases:
                if (case.zvm == "5.2") == (unit.run == "table3"):
                    yield from _uncounted(case, points)
        before, after = (points.of[case] for case in _gain_of(unit.run))
        column = f"{points.ablation} {BREAKDOWN}".strip()
        for part, by_set in _gain_parts(before, after).items():
            yield shown(Place(unit.run, part, "%", column), by_set)

    def words(self) -> Mapping[str, Maker]:
        """Directions, where gains are from, the cost of a slow X'44', and the picture."""
        return {
            "directions": lambda context: (each.said for each in directions([*context.cells, *context.beside])),
            "roomy": _roomy, "parts": _parts, "gains": _gains, "below": _below,
            "gains_of_runs": lambda context: [_gain_table(_gain_rows(context), "")],
            "meant": lambda context: [Notes("", [f"*{_words(part)}*: {sense}" for part, sense in MEANINGS.items()])],
            "slow": _slow_table, "figures": _picture,
        }  # fmt: skip


STUDY = _Diag9c()
"""The study."""


def _run(spec: Spec, own: Mapping[str, Any]) -> list[Number]:
    flat = {f"{part}.{row}": value for part in ("diag44", "diag9c") for row, value in own.get(part, {}).items()}
    return _numbers(spec, f"run.{own['id']}", flat | dict(own))


def _numbers(spec: Spec, table: str, own: Mapping[str, Any]) -> list[Number]:
    rows = (row for row in own if row in spec.values)
    return [Number(Place(table, row, spec.values[row].unit), float(own[row])) for row in rows]


def _gained(samples: Sequence[Mapping[Value, list[float]]]) -> list[float]:
    """By what throughput of one run is above that of another, in percent, replication by replication."""
    before, after = (run[THROUGHPUT] for run in samples)
    return [100 * (new / old - 1) for old, new in zip(before, after, strict=True)]


# Values beside the cells.


def _samples(points: Points, case: Case, row: str) -> BySet:
    return [point.samples[row] for point in points.of[case]]


def _roomy_cells(points: Points) -> Iterator[Cell]:
    """The gain with a processor for each virtual one, and the DIAGNOSEs issued there."""
    before, after = pair(ROOMY)
    gains = [_gained([by_case[before].samples, by_case[after].samples]) for by_case in points.sets]
    yield shown(Place(f"run.{ROOMY}", GAIN, ""), gains)
    rows = ((before, "diag44.rate_per_s"), (before, "diag44.fast_path_percent"), (after, "diag9c.total_diags_per_s"))
    for case, row in rows:
        yield shown(Place(f"run.{ROOMY}", row, ""), _samples(points, case, row))


def _uncounted(case: Case, points: Points) -> Iterator[Cell]:
    """What is not published of a run: throughput of each set, and the mean of vectors over all time."""
    part = "diag44" if case.yields == "x44" else "diag9c"
    table = f"run.{case.run}" if case.zvm == "5.3" else "table3"
    for at, values in enumerate(_samples(points, case, THROUGHPUT)):
        yield shown(Place(table, f"{part}.{THROUGHPUT}", "1/s", of_set("", at + 1)), [values])
    if part == "diag44":
        yield shown(Place(table, "diag44.pldv_mean", "", "over all time"), _samples(points, case, "pldv_mean"))


def _gain_parts(before: Sequence[Point], after: Sequence[Point]) -> dict[str, list[list[float]]]:
    """For each part of the gain, in percent of throughput: for each set, one value per replication.

    It is what the processors went into per piece before, less that after.
    """
    found: dict[str, list[list[float]]] = {name: [] for name in SAVED}
    for earlier, other in zip(before, after, strict=True):
        made = [saved(_spent(earlier, at), _spent(other, at)) for at in range(earlier.replications)]
        for name in SAVED:
            found[name].append([saving[name].mean for saving in made])
    return found


def _spent(point: Point, replication: int) -> Spent:
    """The uses of the processors' time at a point, in one of its replications."""
    columns = {name: np.array([point.samples[name][replication]]) for name in (*BUDGETED, "held")}
    costs = (DIAGNOSES_US[name] / point.case.speed for name in ("fast_x44", "x44", "x9c"))
    throughput = np.array([point.samples[THROUGHPUT][replication]])
    return budget(columns, throughput, DiagnoseCosts(*costs), point.case.processors)


# Directions that the document states.

FAR_LOWER = 0.8
"""Throughput with spin_retry 0 over that with 1000 below which it is “much lower”."""

NO_GAIN = 1.0
"""Gain in percent below which none is had."""


def _of_gains(runs: str) -> list[Key]:
    return [(f"run.{run}", GAIN, "") for run in runs]


_RULES: tuple[Rule, ...] = (
    (
        "gains grow with contention, A < B < C <= E",
        _of_gains("ABCE"),
        lambda values: growing(values[:-1]) and values[-2] <= values[-1],
    ),
    ("E gains less than H, with spin_retry 0", _of_gains("EH"), growing),
    (
        f"throughput of both runs with spin_retry 0 is below {FAR_LOWER:g} of E's (H and E with X'44', then X'9C')",
        [(f"run.{run}", f"{part}.throughput", "") for part in ("diag44", "diag9c") for run in "HE"],
        lambda values: values[0] < FAR_LOWER * values[1] and values[2] < FAR_LOWER * values[3],
    ),
    ("X gains less than E, on the faster machine", _of_gains("XE"), growing),
    (
        "the share of fast-path X'44' is above the share of empty vectors in every run",
        [(f"run.{run}", f"diag44.{row}_percent", "") for row in ("fast_path", "pldv_empty") for run in RUNS],
        lambda values: all(value > other for value, other in zip(values[:6], values[6:], strict=True)),
    ),
)


def directions(cells: Sequence[Cell]) -> Iterator[Direction]:
    """The directions of the document; the last of no gain without contention: under one percent, or within noise."""
    yield from directions_of(_RULES, cells)
    for cell in cells:
        if cell.place.key == (f"run.{ROOMY}", GAIN):
            own = cell.estimate
            holds = abs(own.mean) < NO_GAIN or abs(own.mean) <= own.half_width
            what = "nothing is gained without contention (A with a processor for each virtual one)"
            yield Direction(what, holds, f"{own.mean:.2f} ± {own.half_width:.2f} %")


def _roomy(context: Context) -> Iterator[str]:
    """The DIAGNOSEs that are issued without contention."""
    own = {cell.place.row: cell.estimate.mean for cell in context.beside if cell.place.table == f"run.{ROOMY}"}
    if own:
        rates = [fixed(own[row], 0) for row in ("diag44.rate_per_s", "diag9c.total_diags_per_s")]
        yield (
            f"No contest run A with 16 processors: {rates[0]} X'44' a second, "
            f"{fixed(own['diag44.fast_path_percent'], 1)} % of them fast; {rates[1]} X'9C'"
        )


# Where gains are from.


def _words(part: str) -> str:
    return part.replace("_", " ")


def _below(context: Context) -> Iterator[str]:
    """The line below a run: where the gain is from, in percent of throughput, whole and under an ablation."""
    for ablation in ("", *context.spec.ablations):
        column = f"{ablation} {BREAKDOWN}".strip()
        own = {cell.place.row: cell.estimate.mean for cell in context.cells if cell.place.column == column}
        found = ", ".join(f"{_words(name)} {signed(own[name], 1)}" for name in MEANINGS if name in own)
        if found:
            yield f"gain from: {found}"


def _parts(context: Context) -> Iterator[Block]:
    """The meaning of the parts of a gain, where there are gains."""
    if _gain_rows(context):
        yield from (Paragraph(f"{_words(part)}: {meaning}.") for part, meaning in MEANINGS.items())


Gain = tuple[str, str, list[float]]
"""A pair of runs, what was taken away, and the parts of its gain."""


def _gains(context: Context) -> Iterator[Block]:
    """Where each gain is from, whole and under each ablation, by what the runs are."""
    titles = context.spec.titles
    rows = [(titles[table].partition(":")[0], what, by_part) for table, what, by_part in _gain_rows(context)]
    if rows:
        yield _gain_table(rows, "Percent of throughput, exact: processor time per piece before less that after.")


def _gain_rows(context: Context) -> list[Gain]:
    """Of a form: a row per pair of runs, and per ablation where there are."""
    found = {cell.place.key: cell.estimate.mean for cell in [*context.cells, *context.beside]}
    rows = []
    for table in context.spec.titles:
        for ablation in ("", *context.spec.ablations):
            keys = [(table, part, f"{ablation} {BREAKDOWN}".strip()) for part in MEANINGS]
            means = [found[key] for key in keys if key in found]
            if means:
                rows.append((table, ablation or "whole", [*means, sum(means)]))
    return rows


def _gain_table(rows: list[Gain], legend: str) -> Table[Gain]:
    def part(at: int) -> Callable[[Gain], float]:
        return lambda row: row[2][at]

    names = (*MEANINGS, "gain")
    values: dict[str, Callable[[Gain], Any]] = {name: part(at) for at, name in enumerate(names)}
    values |= {"runs": lambda row: row[0], "ablation": lambda row: row[1]}
    lines = "; ".join(["runs", "ablation", *(f"{name} | .1" for name in names)])
    return Table(columns(lines, (), values), rows, legend=legend)


# The cost of a slow X'44': the capacity that X'9C' sets free, over the rate of the X'44' that are not fast.  The
# published numbers pin this one best: it is nearly the same in C, E, H and X, whose gains are 10 to 32 %.


@dataclass(frozen=True, slots=True)
class _Slow:
    """Of a pair of runs, in us of a z990: from the published numbers, from the means over sets, and of each set."""

    run: str
    published: float
    simulated: float
    sets: tuple[float, ...]


_SLOW_ROWS = (GAIN, "diag44.rate_per_s", "diag44.fast_path_percent")


def _saved_us(run: str, gain: float, rate: float, fast: float) -> float:
    """Processor time that is set free for each X'44' that is not fast, in us of a z990.

    With a gain g the same work needs 1 / (1 + g) of the processors' time; what is left has been set free.  A gain of a
    set may be below zero, and so is this then.

    >>> document = {"A": (2.1, 119868, 87), "E": (12.1, 48306, 58), "X": (9.9, 61115, 55)}
    >>> [round(_saved_us(run, *values)) for run, values in document.items()]
    [12, 48, 47]
    """
    case = Case(run, "x44")
    slow = rate * (1 - fast / 100)
    return 1e6 * case.processors * gain / (100 + gain) / slow * case.speed if slow > 0 else 0.0


def slow(cells: Iterable[Cell], beside: Iterable[Cell]) -> Iterator[_Slow]:
    """Of each pair of runs of a form: its cells, and the values of its sets beside them."""
    own = {cell.place.key: cell for cell in cells}
    sets = {cell.place.key: cell.estimate.mean for cell in beside if cell.place.column.startswith("set ")}
    for run in RUNS:
        if not all((f"run.{run}", row) in own for row in _SLOW_ROWS):
            continue
        found = [own[f"run.{run}", row] for row in _SLOW_ROWS]
        each: list[float] = []
        while all((f"run.{run}", row, of_set("", len(each) + 1)) in sets for row in _SLOW_ROWS):
            at = of_set("", len(each) + 1)
            each.append(_saved_us(run, *(sets[f"run.{run}", row, at] for row in _SLOW_ROWS)))
        yield _Slow(
            run, _saved_us(run, *(cell.published for cell in found)),
            _saved_us(run, *(cell.estimate.mean for cell in found)), tuple(each),
        )  # fmt: skip


def _slow_table(context: Context) -> Iterator[Block]:
    """Published and simulated, run by run; nothing where a pair of runs has no gain."""

    def number(value: Callable[[_Slow], float]) -> Callable[[_Slow], str]:
        return lambda row: fixed(value(row), 0) if row.sets else ""

    values: Values = {
        "published": lambda row: fixed(row.published, 0), "simulated": lambda row: fixed(row.simulated, 0),
        "sets_mean": number(lambda row: fmean(row.sets)),
        "sets": lambda row: f"{fixed(min(row.sets), 0)} to {fixed(max(row.sets), 0)}" if row.sets else "",
    }  # fmt: skip
    lines = "run; published | right | published, us; simulated | right | simulated, us"
    lines += "; sets_mean | right | mean of the sets; sets"
    rows = list(slow(context.cells, context.beside))
    if rows:
        legend = "Processor time set free per X'44' that is not fast, us of a z990."
        yield Table(columns(lines, (), values), rows, legend=legend)


def _picture(context: Context) -> Iterator[Block]:
    """Gains and DIAGNOSEs of each pair of runs, published and simulated."""
    found = {cell.place.key: cell for cell in context.result.cells}
    panels = []
    for row, label in context.spec.drawn.items():
        own = [(at + 1.0, found[f"run.{run}", row]) for at, run in enumerate(RUNS) if (f"run.{run}", row) in found]
        if len(own) == len(RUNS):
            x, cells = [at for at, _ in own], [cell for _, cell in own]
            means, ends = [cell.estimate.mean for cell in cells], [cell.result for cell in cells]
            low, high = ([getattr(row, end) for row in ends] for end in ("low", "high"))
            if any(cell.spread is None for cell in cells):
                low = high = means
            dots = published_dots(
                [(at, cell.published, cell.width, 1.0) for at, cell in own], "published", ["simulated"]
            )
            panels.append(Panel(label, [Series(x, means, low=low, high=high), dots]))
    if panels and not context.result.ablation:
        runs = f"Runs: {', '.join(f'{at + 1} {run}' for at, run in enumerate(RUNS))}"
        yield Figure(panels, runs, "Each pair of runs.", "Tables 1 to 4")
