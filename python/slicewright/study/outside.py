"""The study of measurements from outside: small programs of other people under limits and locks, each predicted once.

Every choice made here was declared before any run: docs/decisions/0096-outside-study.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import Any

from msgspec import Struct, structs

from slicewright.report.model import Table
from slicewright.report.spec import columns
from slicewright.results.judge import Cell, Place
from slicewright.statistics import Estimate, estimate, fixed
from slicewright.study.calibrate import Constants
from slicewright.study.judge import Unit, aside
from slicewright.study.pages import Context, Maker
from slicewright.study.points import Budget, Key, Point, Tables
from slicewright.study.reproduce import Points
from slicewright.study.spec import Number, Spec, Wanted, written
from slicewright.study.study import Runs, Study
from slicewright.study.templates import rendered

ALONE = 4
"""Threads of the runs that times of an increment are compared with: one for each processor."""

_VARIED = "varied "
"""The beginning of the tables of values with an assumption at an end of its range."""


class _Guest(Struct, frozen=True):
    """Threads of a scenario: pinned one by one from processor `first` on, spawned where they have no count."""

    name: str
    program: str
    count: int = 0
    first: int | None = None
    outside: bool = False


class _Inputs(Struct, frozen=True):
    name: str
    source: str
    amount: str
    processors: int
    limit: str
    guests: tuple[_Guest, ...]
    settings: Mapping[str, str] = {}
    lock: bool = False


class _Vary(Struct, frozen=True):
    """One assumption at an end of its range, in the scenarios whose names match `of`."""

    name: str
    of: str
    processors: int = 0
    settings: Mapping[str, str] = {}
    program: tuple[str, str] = ("", "")

    def applied(self, inputs: _Inputs) -> _Inputs:
        """The inputs with it."""
        old, new = self.program
        guests = tuple(
            structs.replace(guest, program=guest.program.replace(old, new) if old else guest.program)
            for guest in inputs.guests
        )
        processors, settings = self.processors or inputs.processors, {**inputs.settings, **self.settings}
        return structs.replace(inputs, processors=processors, settings=settings, guests=guests)


class _Published(Struct, frozen=True):
    source: tuple[Mapping[str, str | int], ...]
    excluded: tuple[Mapping[str, str], ...]
    total_ms: Mapping[str, Mapping[str, float]]
    """Times of increments by lock and by the number of threads."""
    case: tuple[_Inputs, ...]
    vary: tuple[_Vary, ...]


@cache
def _published() -> _Published:
    return Spec.read("outside").document_as(_Published)


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario by its name, and the assumption in it that is at an end of its range, if any.

    >>> Case("burst-10ms", "tick 1 ms").name, Case("burst-10ms").amount
    ('burst-10ms-tick-1-ms', 'burst')
    """

    key: str
    varied: str = ""

    @property
    def name(self) -> str:
        """The name of the run."""
        return f"{self.key} {self.varied}".strip().replace(" ", "-")

    @property
    def inputs(self) -> _Inputs:
        """Its inputs, with what is varied."""
        own = next(each for each in _published().case if each.name == self.key)
        listed = (vary for vary in _published().vary if vary.name == self.varied and fnmatchcase(self.key, vary.of))
        return next((vary.applied(own) for vary in listed), own)

    @property
    def amount(self) -> str:
        """The kind of run of the budgets."""
        return self.inputs.amount


_COLUMNS = {
    "burst": {"10 ms": "burst-10ms", "100 ms": "burst-100ms", "1 s": "burst-1s"},
    "fibtest": {"1 thread": "fibtest-1", "64 threads": "fibtest-64"},
    "stress": {"1 worker": "stress-1", "2 workers": "stress-2"},
    "yes": {"4 processes": "yes-4"},
    "phases": {"": "phases"},
    "sleeps": {"": "sleeps"},
}
"""The scenario of each published column, by table; those of locks are by their number of threads."""


class _Outside(Study):
    """The study: a case is a scenario that a source describes, as declared or with one assumption varied."""

    name = "outside"
    reads = ("cgroups", "guests", "thread_locks")

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """Times of an increment beside those with a thread for each processor, then the numbers as they are written.

        >>> first = next(iter(STUDY.published(STUDY.spec())))
        >>> first.place.key, round(first.value, 2)
        (('locks.cas', 'relative_time', 'n=6'), 1.28)
        """
        for lock, times in spec.document_as(_Published).total_ms.items():
            for count in (int(threads) for threads in times if int(threads) != ALONE):
                place = Place(f"locks.{lock}", "relative_time", "", f"n={count}")
                if wanted(place):
                    yield Number(place, times[str(count)] / count / (times[str(ALONE)] / ALONE))
        yield from written(spec, wanted)

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """The run of a number; a time of an increment is of two."""
        table, column = number.place.table, number.place.column
        if table.startswith("locks."):
            return (Case(f"locks-{column.removeprefix('n=')}"), Case(f"locks-{ALONE}"))
        return (Case(_COLUMNS[table][column]),)

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """The run as a complete scenario file (TOML).

        >>> text = STUDY.scenario(Case("yes-4", "4 processors"), STUDY.constants(), Budget())
        >>> [line for line in text.splitlines() if line.startswith(("processors", '"cpu.max"'))]
        ['processors = 4', '"cpu.max" = "150 ms 100 ms"']
        """
        own = case.inputs
        source = next(each for each in _published().source if each["name"] == own.source)
        return rendered("outside", case=case, own=own, source=source, budget=self.budget(case, "full"))

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of a run from its group, the guest that is watched, and its lock.

        A burst is one cycle of its guest: its values are means per cycle.

        >>> group = {"usage_usec": [5e5], "nr_throttled": [50.0], "throttled_usec": [4.5e6]}
        >>> found = STUDY.measure(Case("fibtest-1"), {"cgroups": group, "guests": {}, "thread_locks": {}}, None)
        >>> found["usage_ms"], found["throttled"], found["throttled_percent"]
        (500.0, 50.0, 100.0)
        """
        group, guest, lock = ({name: column[0] for name, column in run[table].items()} for table in self.reads)
        if case.amount == "locks":
            return {"relative_time": 1 / float(lock["taken_per_s"])}
        used_us, count, stopped_us = (float(group[row]) for row in ("usage_usec", "nr_throttled", "throttled_usec"))
        if case.amount == "burst":
            length_s = used_us / 1e4 / float(group["cpu_percent"])
            bursts = float(guest["cycles_per_s"]) * length_s
            return {
                "elapsed_ms": float(guest["transaction_ms"]),
                "throttled": count / bursts,
                "throttled_ms": stopped_us / 1e3 / bursts,
            }
        found: dict[Key, float] = {
            "usage_ms": used_us / 1e3, "usage_s": used_us / 1e6, "throttled": count,
            "throttled_s": stopped_us / 1e6, "throttled_percent": 100.0 * (count > 0),
        }  # fmt: skip
        return found | ({"sleep_p50_ms": float(guest["cycle_p50_ms"])} if case.amount == "sleeps" else {})

    def samples(self, number: Number, points: Mapping[Any, Point]) -> Sequence[float]:
        """A number by replication: of increments the ratio of the times in two runs with the same random numbers."""
        first, *others = self.cases(number)
        return self._values(number, [points[case] for case in (first, *others)])

    def _values(self, number: Number, points: Sequence[Point]) -> Sequence[float]:
        values = [point.of(number.place) for point in points]
        return values[0] if len(values) == 1 else [time / alone for time, alone in zip(*values, strict=True)]

    def runs(self) -> tuple[Runs, Runs]:
        """A scenario of each source but one is shipped, and is in the fingerprint of an engine."""
        form = self.spec().first
        shipped = [(form, Case(key)) for key in _SHIPPED]
        return shipped, shipped

    def extra(self, form: str) -> Iterator[Unit]:
        """The runs of every number with each assumption at an end of its range."""
        return (Unit("", cases) for cases in self.varied)

    @cached_property
    def varied(self) -> Mapping[tuple[Case, ...], list[Number]]:
        """The numbers of each run with an assumption varied."""
        found: dict[tuple[Case, ...], list[Number]] = {}
        for number in self.published(self.spec()):
            cases = self.cases(number)
            for vary in _published().vary:
                if fnmatchcase(cases[0].key, vary.of):
                    found.setdefault(tuple(replace(case, varied=vary.name) for case in cases), []).append(number)
        return found

    def beside(self, unit: Unit, points: Points) -> Iterator[Cell]:
        """The values of runs with an assumption varied: judged by nothing."""
        for number in self.varied.get(unit.cases, ()):
            own = self._values(number, [points.of[case][0] for case in unit.cases])
            column = f"{number.place.column}; {unit.cases[0].varied}"
            place = replace(number.place, table=f"{_VARIED}{number.place.table}", column=column)
            yield aside(place, estimate(own))

    def derived(self, numbers: Sequence[Number]) -> dict[str, float]:
        """No constants: nothing is fitted."""
        return {}

    def words(self) -> Mapping[str, Maker]:
        """The sources, finds that are not simulated, and the assumptions at the ends of their ranges."""
        return {
            "sources": lambda context: [Table(columns(_SOURCES, (), {"by": _by}), _published().source)],
            "not_simulated": lambda context: [Table(columns("what; why"), _published().excluded)],
            "varied": _varied_table,
            "range": _range,
        }


_SHIPPED = ("locks-8", "burst-10ms", "fibtest-64", "stress-2", "phases", "sleeps")

_SOURCES = "what || measurement; by || source; inputs || what it says; assumed; excluded"


def _by(source: Mapping[str, str | int]) -> str:
    return "{title}, {author}, {year}: {address}".format_map(source)


Ends = list[tuple[Cell, list[tuple[str, Estimate]]]]
"""The judged cells with their values at the ends of the ranges, by what is varied."""


def _ends(context: Context) -> Ends:
    found: dict[tuple[str, str, str], list[tuple[str, Estimate]]] = {}
    for cell in context.result.comparison:
        column, _, what = cell.place.column.rpartition("; ")
        key = (cell.place.table.removeprefix(_VARIED), cell.place.row, column)
        found.setdefault(key, []).append((what, cell.estimate))
    keyed = ((cell, found.get((cell.place.table, cell.place.row, cell.place.column), [])) for cell in context.cells)
    return [(cell, ends) for cell, ends in keyed if ends]


def _inside(cell: Cell, at: Estimate) -> bool:
    return abs(at.mean - cell.published) <= cell.width


def _varied_table(context: Context) -> Iterator[Table[Any]]:
    """A row per judged cell: the least and the largest of its values, where they are, and how many are in its band."""

    def end(pick: Callable[..., tuple[str, Estimate]]) -> Callable[[tuple[Cell, list[tuple[str, Estimate]]]], str]:
        def value(row: tuple[Cell, list[tuple[str, Estimate]]]) -> str:
            what, at = pick(row[1], key=lambda found: found[1].mean)
            return f"{fixed(at.mean, context.spec.values[row[0].place.row].places)} ({what})"

        return value

    values: dict[str, Callable[[Any], Any]] = {
        "cell": lambda row: row[0].place.name, "published": lambda row: context.look.published(row[0]),
        "simulated": lambda row: context.look.mean(row[0]), "least": end(min), "largest": end(max),
        "inside": lambda row: f"{sum(_inside(row[0], at) for _, at in row[1])} of {len(row[1])}",
    }  # fmt: skip
    lines = "cell; published | right; simulated | right; least | right; largest | right; inside | right | in band"
    rows = _ends(context)
    if rows:
        yield Table(columns(lines, (), values), rows)


def _range(context: Context) -> Iterator[str]:
    """How many cells keep their verdict over all ends of the ranges."""
    rows = _ends(context)
    if rows:
        kept = [cell for cell, ends in rows if all(_inside(cell, at) == _inside(cell, cell.estimate) for _, at in ends)]
        yield f"Range      {len(kept)} of {len(rows)} cells keep their verdict with every assumption at either end"


STUDY = _Outside()
"""The study."""
