"""`slicewright.sweep`: a scenario simulated at many values of some keys, kept in a store, and the page of it."""

from __future__ import annotations

import functools
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import InputError, Scenario, __version__
from slicewright.explore.axes import Axis, Value, axes_of, axes_with, design_of
from slicewright.explore.places import place
from slicewright.explore.points import DONE, FAILED, HEADLINE, REFUSED, Plan, Terms
from slicewright.explore.store import Facts, Store, parts, read_facts, read_part, refuse_others, run_left, scan
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import estimates, words_right
from slicewright.report.model import (
    Block,
    Cell,
    Column,
    Entry,
    Face,
    Lead,
    Notes,
    Paragraph,
    Report,
    Scenarios,
    Section,
    Table,
)
from slicewright.report.shown import Reported
from slicewright.results.frame import Framed, Row
from slicewright.run.headline import MOST, SUBJECTS
from slicewright.run.laws import refuse_broken
from slicewright.run.pages.run_figures import SYSTEM
from slicewright.run.tables import ENTITY, declared
from slicewright.scenario.changes import changes_of
from slicewright.scenario.left_open import LeftOpen
from slicewright.scenario.replay import Recording, Replayed, facts, replayed
from slicewright.scenario.source import Source, folder_of, read_scenario, scenario_problem
from slicewright.statistics import Estimate, count, plural
from slicewright.values import settings
from slicewright.values.errors import problem, refusal
from slicewright.values.parameters import check, path_problem
from slicewright.values.progress import Progress, silent

if TYPE_CHECKING:
    import polars


class Sweep(Reported, Framed):
    """The points of a sweep as they lie in their store; `points` is a frame of them.

    >>> import tempfile, slicewright
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sweep(slicewright.starter("pool"), ["alias_pool.LSS-52.aliases=0,8"], out=folder, set=quick)
    HyperPAV pool, 8 aliases  alias_pool.LSS-52.aliases: 0, 8
      2 points: 2 done.
    ...
    """

    def __init__(
        self, directory: Path, facts: Facts, ids: frozenset[str] | None = None, opening: Opening | None = None
    ) -> None:
        self.directory = directory
        self.facts = facts
        self.opening = opening
        """How a point is simulated alone, as the sweep was called; None for a store that is read."""
        self._ids = ids
        """The points that were asked for; None for all of the store."""

    @staticmethod
    def read(directory: str | os.PathLike[str]) -> Sweep:
        """All points of a store, of this version or of another; every part is checked.  Raises InputError.

        >>> Sweep.read("no/such/store")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: no/such/store: there is no such directory
        """
        check(path_problem("directory", directory, "the name of a directory that sweep --out has written"))
        folder = Path(directory)
        found = Sweep(folder, read_facts(folder))
        for part in parts(folder):
            read_part(part, found.facts)
        return found

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The keys that vary."""
        return self.facts.axes

    def scan(self) -> polars.LazyFrame:
        """The points with all columns, the tables of entities as lists of structs; nothing is read yet."""
        import polars as pl

        lazy = scan(self.directory)
        return lazy if self._ids is None else lazy.filter(pl.col("id").is_in(sorted(self._ids)))

    @functools.cached_property
    def points(self) -> polars.DataFrame:
        """A row per point in the order of points: what names it, its values, its state, its headline numbers."""
        import polars as pl

        lazy = self.scan()
        kinds = lazy.collect_schema()
        flat = [name for name, kind in kinds.items() if not isinstance(kind, pl.List) or name == "notes"]
        points = lazy.select(flat).collect()
        of_system = [name for name in points.columns if name.startswith(f"{HEADLINE}.")]
        self._refuse_broken(HEADLINE, points.select(pl.col(of_system).name.map(lambda name: name.partition(".")[2])))
        return points

    def table(self, name: str) -> polars.DataFrame:
        """A table of entities, such as volumes: a row per point and entity, with the values of the axes."""
        import polars as pl

        keys = [axis.key for axis in self.axes]
        chosen = self.scan().filter(pl.col(name).list.len() > 0).select("id", *keys, "seed", name)
        table = chosen.collect().explode(name).unnest(name)
        self._refuse_broken(name, table.drop("id", "seed"))
        return table

    def _refuse_broken(self, table: str, frame: polars.DataFrame) -> None:
        """Raise InputError where a number of a table breaks a law."""
        try:
            refuse_broken({table: frame})
        except ValueError as error:
            what, remedy = "is a damaged store", "remove it; the same sweep simulates its points again"
            raise refusal(problem(what, file=str(self.directory), why=str(error), remedy=remedy)) from None

    def report(self) -> Report:
        """The sweep as a report."""
        points = self.points
        states = Counter(points["state"].to_list())
        done = points.filter(points["state"] == DONE)
        shown = _measured(self, done) if done.height else []
        varied = "; ".join(f"{axis.named}: {_span(points[axis.key])}" for axis in self.axes)
        first = Paragraph(f"{self.facts.name}  {varied}", flush=True, face=Face.TEXT)
        blocks: list[Block] = [first, Lead(_lead(states))]
        blocks += surfaces(self.axes, done, shown)
        blocks.append(_table(self.axes, points, shown))
        if points.height > PRINTED:
            blocks.append(Paragraph(f"The store has all {points.height:,} points; text has the first {PRINTED}."))
        if opening := self.opening or Opening.kept(self.facts.scenario, self.axes):
            blocks.append(opening.scenarios(_opened(self.axes, done)))
        lost = points.filter(points["state"] != DONE)
        reasons = (f"{state}: {why}" for state, why in lost.select("state", "reason").rows())
        blocks.append(Notes("Not done", _counted(reasons)))
        blocks.append(Notes("Notes", _counted(note for notes in done["notes"].to_list() for note in notes)))
        if opening and (left := LeftOpen.of(opening.scenario).notice):
            blocks.append(Notes("Readings", [f"every point has the values of the scenario alone; {left}"]))
        if self.facts.version != __version__:
            older = (
                f"slicewright {self.facts.version} wrote this store; {__version__} reads it and may count differently"
            )
            blocks.append(Notes("Version", [older]))
        facts = [
            ("points", f"{points.height:,}"),
            ("scenario", self.facts.checksum[:16]),
            ("slicewright", self.facts.version),
        ]
        return Report(f"Sweep of {self.facts.name}", varied, facts, [Section("Points", blocks)])

    def framed(self) -> Iterator[Row]:
        """The headline numbers of each point."""
        done = self.points.filter(self.points["state"] == DONE)
        named = {row["id"]: name_of(self.axes, [row[axis.key] for axis in self.axes]) for row in done.to_dicts()}
        for shown in _measured(self, done):
            for point, estimate in shown.of.items():
                counter = shown.key.rpartition(".")[2]
                unit = declared(shown.subject.partition(".")[0])[counter]
                yield Row(shown.subject, counter, estimate, named[point], unit=unit)


@settings.documented("sweep")
def sweep(
    scenario: Source,
    axes: Mapping[str, object] | Sequence[str] | None = None,
    *,
    out: str | os.PathLike[str],
    set: Mapping[str, Any] | Sequence[str] | None = None,
    design: str = "grid",
    points: int | None = None,
    seed: int = 1,
    replications: int | None = None,
    precision: str | None = None,
    on: Any = None,
    progress: Progress | None = None,
) -> Sweep:
    """Simulate a scenario at many values of some keys, and keep every point in a store that loses none.

    `axes` maps keys to values: a range with both ends (`"0..24:4"`, `"2..30:4 ms"`) or a list (`"0,8,16"`, or any
    sequence). Keys of the scenario's own `[[sweep]]` vary too, unless they are named here.  `set` changes other
    keys, for all points.  `design="grid"` simulates all combinations; `"sobol"` and `"latin"` fill the space of the
    axes with `points` of them. All points share random numbers (`seed`).  `precision="1%"` adds replications to
    each point, as in `run`.  `out` is the directory of the store. Points that it has are not simulated again.  `on`
    is where points are simulated: `"threads:4"` (default: a thread per processor), `"local:4"` (processes of Dask),
    `"tcp://host:8786"` (a scheduler of Dask), or a `dask.distributed.Client`; it changes nothing but the time.
    `progress` is called with the share done.

    A point that is refused or that fails is a row with its reason.

    Raises InputError where no point can be simulated, or where the directory holds something else.  Raises RunError
    where Dask is gone, OSError where the store cannot be written.

    >>> import tempfile
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    >>> from slicewright._core import starter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = sweep(starter("pool"), {"alias_pool.LSS-52.aliases": [0, 8]}, out=folder, set=quick)
    ...     found.points["alias_pool.LSS-52.aliases"].to_list()
    [0, 8]
    """
    given = {"out": out, "seed": seed, "replications": replications, "progress": progress}
    check(scenario_problem(scenario), *settings.problems("sweep", **given))
    share = None if precision is None else settings.share("sweep", "precision", precision)
    more = [f"measure.replications={replications}"] if replications else []
    (found, changes), ready = _asked(scenario, axes or [], [*changes_of(set), *more])
    chosen = design_of(found, design, points)
    store = Store(Path(out), facts_of(ready, found))
    refuse_others(store.directory, store.facts)
    plan = Plan(Terms(ready.scenario, seed, None if share is None else f"{100 * share:g}%"), chosen)
    if plan.hopeless:
        raise plan.hopeless
    opening = Opening.of(scenario, changes, ready.scenario, store.facts.axes)
    return _swept((plan, opening), store, (on, ready.recordings), progress or silent)


def _asked(
    scenario: Source, axes: Mapping[str, object] | Sequence[str], changes: list[str]
) -> tuple[tuple[list[Axis], list[str]], Replayed]:
    """The axes with those of the scenario, all changes of all points, and the scenario with these."""
    given = axes_of(axes)
    read = read_scenario(scenario, changes + given[1])
    found, single = axes_with(given, read.swept, read.name)
    if alone := single[: len(single) - len(given[1])]:
        read = read.with_(alone)
    return (found, changes + single), replayed(read, folder_of(scenario))


def _swept(
    planned: tuple[Plan, Opening], store: Store, where: tuple[Any, Sequence[Recording]], progress: Progress
) -> Sweep:
    plan, opening = planned
    on, recordings = where
    with store:
        if plan.ids - store.done:
            store.refuse_unwritable()
            with place(on) as simulating:
                run_left(plan, store, (simulating, recordings), progress)
        store.finish()
        result = Sweep(store.directory, store.facts, frozenset(plan.ids), replace(opening, axes=store.facts.axes))
        store.write_report(result.html())
    return result


def facts_of(ready: Replayed, axes: Sequence[Axis]) -> Facts:
    """The facts of a store with these axes."""
    scenario = ready.scenario
    bare = tuple(Axis(axis.key, axis.unit, axis.kind) for axis in axes)
    return Facts(scenario.name, scenario.checksum, scenario.resolved, [*map(facts, ready.recordings)], bare)


_UNNAMED = "scenario.toml"
"""The file of a scenario that came from no file; `manifest.json` of the store has its text."""
_OPENED = 500
"""Points of a page whose scenarios it has; the store has all."""


@dataclass(frozen=True)
class Opening:
    """What all points of a page share: the beginning of the command, the scenario that varies, and the axes."""

    start: tuple[str, ...]
    scenario: Scenario
    axes: Sequence[Axis]

    @staticmethod
    def of(source: Source, changes: Sequence[str], scenario: Scenario, axes: Sequence[Axis]) -> Opening:
        """The opening of a scenario that was given as a path or otherwise, with changes for all points."""
        text = isinstance(source, str) and ("\n" in source or source == "-")
        path = isinstance(source, str | os.PathLike) and not text
        file = str(os.fspath(source)) if path and not isinstance(source, bytes | Scenario) else _UNNAMED
        own = [word for change in changes for word in ("--set", change)] if path else []
        return Opening((file, *own), scenario, axes)

    @staticmethod
    def kept(text: str, axes: Sequence[Axis]) -> Opening | None:
        """The opening of a store that is read; None where this version cannot read its scenario."""
        try:
            return Opening((_UNNAMED,), Scenario.read(text.encode(), _UNNAMED), axes)
        except InputError:
            return None

    def command(self, values: Sequence[Value], *more: str) -> str:
        """The command line that simulates the point with these values."""
        set_values = [word for axis, value in self._given(values) for word in ("--set", axis.changes(value))]
        return shlex.join(["slicewright", "run", *self.start, *set_values, *more])

    def scenarios(self, points: Sequence[tuple[str, Sequence[Value], Sequence[str]]]) -> Scenarios:
        """The block of a page for points by name, each with its values and further options of `run`."""
        entries = []
        for name, values, more in points[:_OPENED]:
            try:
                resolved = self.scenario.with_([axis.changes(value) for axis, value in self._given(values)]).resolved
            except InputError:
                continue
            entries.append(Entry(name, self.command(values, *more), resolved))
        return Scenarios("Scenario of a point", self.scenario.resolved, entries)

    def _given(self, values: Sequence[Value]) -> list[tuple[Axis, Value]]:
        return list(zip(self.axes, values, strict=True))


def name_of(axes: Sequence[Axis], values: Sequence[Any]) -> str:
    """The values of a point in words.

    >>> from slicewright.explore.axes import axis
    >>> name_of([axis("cec.slice", "2 ms,5 ms"), axis("alias_pool.A.aliases", "0..8")], (5, 8))
    'slice 5 ms, aliases 8'
    """
    last = [axis.key.rpartition(".")[2] for axis in axes]
    keys = last if len(set(last)) == len(last) else [axis.key for axis in axes]
    return ", ".join(
        f"{key} {value if isinstance(value, str) else count(value)} {axis.unit}".strip()
        for key, axis, value in zip(keys, axes, values, strict=True)
    )


_LINES = 6
"""Lines of one panel; of more values of the second axis, some that are evenly spaced are drawn."""
_PANELS = 8
"""Small multiples of one figure."""
PRINTED = 40
"""Points as text; the page has all."""
LISTED = 2000
"""Points of the page; the store has all."""

_NOTES = 12
"""Different reasons or notes that are listed."""

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """A headline number: its key, its label, and its estimate of each point by name."""

    key: str
    label: str
    of: Mapping[str, Estimate]
    limit: float | None = None
    """A bound that is drawn as a line."""
    subject: str = HEADLINE
    """The table, and the entity where it has several."""


def _counted(sentences: Iterable[str]) -> list[str]:
    """Each sentence once, with the number of points that it is about; of very many the first."""
    times = Counter(sentences)
    lines = [f"{plural(number, 'point')}: {sentence}" for sentence, number in times.items()]
    return lines[:_NOTES] + [f"and {len(lines) - _NOTES} more"] * (len(lines) > _NOTES)


def _lead(states: Mapping[str, int]) -> str:
    parts = [f"{states[state]:,} {state}" for state in (DONE, REFUSED, FAILED) if states.get(state)]
    return f"{plural(sum(states.values()), 'point')}: {', '.join(parts)}." if parts else "No points."


def _span(values: polars.Series) -> str:
    different = values.drop_nulls().unique().sort().to_list()
    if len(different) <= 4 or isinstance(different[0], str):
        return ", ".join(map(_shown, different[:8])) + (", ..." if len(different) > 8 else "")
    return f"{_shown(different[0])} to {_shown(different[-1])}, {len(different)} values"


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else count(value)


def _measured(sweep: Sweep, done: polars.DataFrame) -> list[Measured]:
    """The headline numbers of the first subject that the points have."""
    if (done[f"{HEADLINE}.io_per_s"].fill_null(0) > 0).any():
        return [
            Measured(counter, label, _estimates(done, f"{HEADLINE}.{counter}", "replications"))
            for counter, label in SYSTEM
        ]
    for subject in SUBJECTS[1:]:
        table = sweep.table(subject.table).join(done.select("id", "replications"), on="id")
        if table.is_empty():
            continue
        names = ENTITY[subject.table].split()
        entities = table.select(names).unique(maintain_order=True).head(MOST).rows()
        return [
            Measured(
                f"{name}.{counter}",
                f"{name}: {counter}",
                _estimates(_of(table, names, entity), counter, "replications"),
                subject=f"{subject.table}.{name}".removesuffix("."),
            )
            for entity in entities
            for name in [" ".join(map(str, entity))]
            for counter in subject.counters
        ]
    return []


def _of(table: polars.DataFrame, names: Sequence[str], entity: Sequence[Any]) -> polars.DataFrame:
    import polars as pl

    return table.filter(*(pl.col(name) == value for name, value in zip(names, entity, strict=True)))


def _estimates(frame: polars.DataFrame, column: str, replications: str) -> dict[str, Estimate]:
    rows = frame.select("id", column, f"{column}_half_width", replications).rows()
    nan = float("nan")
    return {
        name: Estimate(nan if mean is None else mean, nan if half is None else half, int(number))
        for name, mean, half, number in rows
    }


def _table(axes: Sequence[Axis], points: polars.DataFrame, shown: Sequence[Measured]) -> Table[_Row]:
    rows = points.head(LISTED).to_dicts()
    first = {row["id"] for row in rows[:PRINTED]}
    columns = [_axis_column(axis) for axis in axes]
    columns.append(Column("state", "state", _state, only=lambda rows: any(row["state"] != DONE for row in rows)))
    columns.append(
        Column("seed", "seed", lambda row: row["seed"], only=lambda rows: len({row["seed"] for row in rows}) > 1)
    )
    columns.append(Column("replications", "runs", lambda row: str(row["replications"] or ""), form=words_right))
    columns += [_measured_column(each) for each in shown]
    legend = "± is simulation noise (95 %); all points have the same random numbers."
    return Table(columns, rows, legend=legend, brief=lambda row: row["id"] in first)


def _axis_column(axis: Axis) -> Column[_Row]:
    def value(row: _Row) -> Any:
        return row[axis.key]

    if axis.kind == "text":
        return Column(axis.key, axis.key, value)
    return Column(
        axis.key, axis.key, value, axis.unit, lambda values: ["-" if v is None else _shown(v) for v in values]
    )


def _measured_column(measured: Measured) -> Column[_Row]:
    header, _, unit = measured.label.partition(", ")
    return Column(
        measured.key,
        header[0].lower() + header[1:] if header[1] != "/" else header,
        lambda row: measured.of.get(row["id"]),
        unit,
        estimates,
    )


def _state(row: _Row) -> Cell:
    return Cell(row["state"], "bad" if row["state"] != DONE else "", row["reason"] or "")


def _opened(axes: Sequence[Axis], done: polars.DataFrame) -> list[tuple[str, list[Value], list[str]]]:
    """The points by name, each with its values and the further options that simulate it; the first of each name."""
    made: dict[str, tuple[str, list[Value], list[str]]] = {}
    for row in done.head(LISTED).to_dicts():
        values = [row[axis.key] for axis in axes]
        more = ["--seed", str(row["seed"])] if row["seed"] != 1 else []
        more += ["--precision", row["precision"]] if row["precision"] else []
        made.setdefault(name_of(axes, values), (name_of(axes, values), values, more))
    return list(made.values())


def surfaces(axes: Sequence[Axis], done: polars.DataFrame, shown: Sequence[Measured]) -> list[Figure]:
    """Lines over the numeric axis with most values; a line for each value of the next; small multiples for the rest."""
    numbers = [axis for axis in axes if axis.kind != "text" and done[axis.key].n_unique() > 1]
    if not numbers or not shown:
        return []
    across = max(numbers, key=lambda axis: int(done[axis.key].n_unique()))
    others = sorted((axis for axis in axes if axis is not across), key=lambda axis: -int(done[axis.key].n_unique()))
    if done[across.key].n_unique() == done.height and others:
        return [_scattered(axes, done, measured) for measured in shown]
    beside, rest = others[:1], others[1:]
    rows = done.sort(across.key).to_dicts()
    if not rest:
        panels = [Panel(measured.label, _lines(axes, (across, beside), rows, measured)) for measured in shown]
        return [Figure(panels, across.named, _caption(across, beside, rows))]
    groups = [[(axis, value) for axis, value in zip(rest, values, strict=True)] for values in _settings(rest, rows)]
    return [_multiples(axes, (across, beside), groups[:_PANELS], rows, measured) for measured in shown]


def _multiples(
    every: Sequence[Axis],
    drawn: tuple[Axis, Sequence[Axis]],
    groups: Sequence[Sequence[tuple[Axis, Value]]],
    rows: Sequence[_Row],
    measured: Measured,
) -> Figure:
    across, beside = drawn
    panels = []
    for group in groups:
        own = [row for row in rows if all(row[axis.key] == value for axis, value in group)]
        title = ", ".join(f"{_last(axis)} {_shown(value)} {axis.unit}".strip() for axis, value in group)
        panels.append(Panel(measured.label, _lines(every, drawn, own, measured), title=title))
    return Figure(panels, across.named, _caption(across, beside, rows), title=measured.label)


def _lines(
    every: Sequence[Axis], drawn: tuple[Axis, Sequence[Axis]], rows: Sequence[_Row], measured: Measured
) -> list[Series]:
    across, beside = drawn
    if not beside:
        lines = [_line(every, across, rows, (measured, "simulated"))]
    else:
        axis = beside[0]
        lines = [
            _line(
                every,
                across,
                [row for row in rows if row[axis.key] == value],
                (measured, f"{_last(axis)} {_shown(value)} {axis.unit}".strip()),
            )
            for (value,) in _spaced(_settings(beside, rows), _LINES)
        ]
    ends = [float(row[across.key]) for row in rows]
    return lines + (limit_line(min(ends), max(ends), measured.limit) if ends else [])


def limit_line(low: float, high: float, limit: float | None) -> list[Series]:
    """The line of a constraint from one end of a panel to the other; none without a limit.

    >>> limit_line(0, 8, 2.5)[0].label
    'limit 2.50'
    """
    if limit is None:
        return []
    return [Series([low, high], [limit, limit], label=f"limit {count(limit)}", look=Look(0))]


def _line(every: Sequence[Axis], across: Axis, rows: Sequence[_Row], drawn: tuple[Measured, str]) -> Series:
    measured, label = drawn
    known = {row[across.key]: (row, measured.of[row["id"]]) for row in rows if row["id"] in measured.of}
    return Series(
        [float(x) for x in known],
        [value.mean for _, value in known.values()],
        [value.half_width for _, value in known.values()],
        label,
        opens=[name_of(every, [row[axis.key] for axis in every]) for row, _ in known.values()],
    )


def _scattered(every: Sequence[Axis], done: polars.DataFrame, measured: Measured) -> Figure:
    axes = [axis for axis in every if axis.kind != "text" and done[axis.key].n_unique() > 1]
    rows = [row for row in done.to_dicts() if row["id"] in measured.of]
    values = [measured.of[row["id"]] for row in rows]
    means, widths = [value.mean for value in values], [value.half_width for value in values]
    opens = [name_of(every, [row[axis.key] for axis in every]) for row in rows]
    panels = []
    for axis in axes:
        across = [float(row[axis.key]) for row in rows]
        points = Series(across, means, widths, "simulated", "points", opens=opens)
        panels.append(
            Panel(measured.label, [points, *limit_line(min(across), max(across), measured.limit)], title=axis.named)
        )
    return Figure(
        panels, "Value of the key", "Each point once in every panel; the other keys vary too.", title=measured.label
    )


def _caption(across: Axis, beside: Sequence[Axis], rows: Sequence[_Row]) -> str:
    caption = f"Means over replications with 95 % intervals, over {across.named}"
    values = len(_settings(beside, rows)) if beside else 0
    if not beside:
        return f"{caption}."
    some = f", {_LINES} of {values} values drawn" if values > _LINES else ""
    return f"{caption}; a line for each value of {beside[0].named}{some}."


def _settings(axes: Sequence[Axis], rows: Sequence[_Row]) -> list[tuple[Value, ...]]:
    """The different values of axes, in their order."""
    return sorted({tuple(row[axis.key] for axis in axes) for row in rows})


def _spaced(values: Sequence[tuple[Value, ...]], most: int) -> list[tuple[Value, ...]]:
    if len(values) <= most:
        return list(values)
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]


def _last(axis: Axis) -> str:
    """The last part of a key, which says what it is."""
    return axis.key.rpartition(".")[2]
