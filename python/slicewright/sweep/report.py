"""The page of a sweep: its headline numbers over the axes as lines with half-widths, and a table of its points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright._core import __version__
from slicewright.pages.run_figures import SYSTEM
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import estimates, words_right
from slicewright.report.model import Block, Cell, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.run.headline import MOST, SUBJECTS
from slicewright.run.tables import ENTITY
from slicewright.statistics import Estimate, count, plural
from slicewright.sweep.axes import Axis, Value
from slicewright.sweep.row import DONE, FAILED, HEADLINE, REFUSED
from slicewright.sweep.scenarios import Opening, name_of

if TYPE_CHECKING:
    import polars

    from slicewright.sweep.sweep import Sweep

LINES = 6
"""Lines of one panel; of more values of the second axis, some that are evenly spaced are drawn."""
PANELS = 8
"""Small multiples of one figure."""
PRINTED = 40
"""Points as text; the page has all."""
LISTED = 2000
"""Points of the page; the store has all."""

NOTES = 12
"""Different reasons or notes that are listed."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """A headline number: its key, its label, and its estimate of each point by name.

    >>> Measured("response_ms", "Response, ms", {}).key
    'response_ms'
    """

    key: str
    label: str
    of: Mapping[str, Estimate]
    limit: float | None = None
    """A bound that is drawn as a line."""


def sweep_report(sweep: Sweep) -> Report:
    """A sweep as a report.

    >>> from slicewright.sweep.example import small
    >>> sweep_report(small()).title
    'Sweep of HyperPAV pool, 8 aliases'
    """
    points = sweep.points
    states = Counter(points["state"].to_list())
    done = points.filter(points["state"] == DONE)
    shown = _measured(sweep, done) if done.height else []
    varied = _varied(sweep.axes, points)
    first = Paragraph(f"{sweep.facts.name}  {varied}", flush=True, face=Face.TEXT)
    blocks: list[Block] = [first, Lead(_lead(states))]
    blocks += surfaces(sweep.axes, done, shown)
    blocks.append(_table(sweep.axes, points, shown))
    if points.height > PRINTED:
        blocks.append(Paragraph(f"The store has all {points.height:,} points; text has the first {PRINTED}."))
    if opening := sweep.opening or Opening.kept(sweep.facts.scenario, sweep.axes):
        blocks.append(opening.scenarios(_opened(sweep.axes, done)))
    lost = points.filter(points["state"] != DONE)
    reasons = (f"{state}: {why}" for state, why in lost.select("state", "reason").rows())
    blocks.append(Notes("Not done", _counted(reasons)))
    blocks.append(Notes("Notes", _counted(note for notes in done["notes"].to_list() for note in notes)))
    if sweep.facts.version != __version__:
        older = f"slicewright {sweep.facts.version} wrote this store; {__version__} reads it and may count differently"
        blocks.append(Notes("Version", [older]))
    facts = [
        ("points", f"{points.height:,}"),
        ("scenario", sweep.facts.checksum[:16]),
        ("slicewright", sweep.facts.version),
    ]
    return Report(f"Sweep of {sweep.facts.name}", varied, facts, [Section("Points", blocks)])


def _counted(sentences: Iterable[str]) -> list[str]:
    """Each sentence once, with the number of points that it is about; of very many the first."""
    times = Counter(sentences)
    lines = [f"{plural(number, 'point')}: {sentence}" for sentence, number in times.items()]
    return lines[:NOTES] + [f"and {len(lines) - NOTES} more"] * (len(lines) > NOTES)


def _lead(states: Mapping[str, int]) -> str:
    parts = [f"{states[state]:,} {state}" for state in (DONE, REFUSED, FAILED) if states.get(state)]
    return f"{plural(sum(states.values()), 'point')}: {', '.join(parts)}." if parts else "No points."


def _varied(axes: Sequence[Axis], points: polars.DataFrame) -> str:
    return "; ".join(f"{axis.named}: {_span(points[axis.key])}" for axis in axes)


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


def _table(axes: Sequence[Axis], points: polars.DataFrame, shown: Sequence[Measured]) -> Table[Row]:
    rows = points.head(LISTED).to_dicts()
    first = {row["id"] for row in rows[:PRINTED]}
    columns = [_axis_column(axis) for axis in axes]
    columns.append(Column("state", "state", _state, only=lambda rows: any(row["state"] != DONE for row in rows)))
    columns.append(
        Column("seed", "seed", lambda row: row["seed"], only=lambda rows: len({row["seed"] for row in rows}) > 1)
    )
    columns.append(Column("replications", "runs", lambda row: _text(row["replications"]), form=words_right))
    columns += [_measured_column(each) for each in shown]
    legend = "± is simulation noise (95 %); all points have the same random numbers."
    return Table(columns, rows, legend=legend, brief=lambda row: row["id"] in first)


def _axis_column(axis: Axis) -> Column[Row]:
    def value(row: Row) -> Any:
        return row[axis.key]

    if axis.kind == "text":
        return Column(axis.key, axis.key, value)
    return Column(
        axis.key, axis.key, value, axis.unit, lambda values: ["-" if v is None else _shown(v) for v in values]
    )


def _measured_column(measured: Measured) -> Column[Row]:
    header, _, unit = measured.label.partition(", ")
    return Column(
        measured.key,
        header[0].lower() + header[1:] if header[1] != "/" else header,
        lambda row: measured.of.get(row["id"]),
        unit,
        estimates,
    )


def _state(row: Row) -> Cell:
    return Cell(row["state"], "bad" if row["state"] != DONE else "", row["reason"] or "")


def _text(value: Any) -> str:
    return "" if value is None else str(value)


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
    return [_multiples(axes, (across, beside), groups[:PANELS], rows, measured) for measured in shown]


def _multiples(
    every: Sequence[Axis],
    drawn: tuple[Axis, Sequence[Axis]],
    groups: Sequence[Sequence[tuple[Axis, Value]]],
    rows: Sequence[Row],
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
    every: Sequence[Axis], drawn: tuple[Axis, Sequence[Axis]], rows: Sequence[Row], measured: Measured
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
            for (value,) in _spaced(_settings(beside, rows), LINES)
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


def _line(every: Sequence[Axis], across: Axis, rows: Sequence[Row], drawn: tuple[Measured, str]) -> Series:
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


def _caption(across: Axis, beside: Sequence[Axis], rows: Sequence[Row]) -> str:
    caption = f"Means over replications with 95 % intervals, over {across.named}"
    values = len(_settings(beside, rows)) if beside else 0
    if not beside:
        return f"{caption}."
    some = f", {LINES} of {values} values drawn" if values > LINES else ""
    return f"{caption}; a line for each value of {beside[0].named}{some}."


def _settings(axes: Sequence[Axis], rows: Sequence[Row]) -> list[tuple[Value, ...]]:
    """The different values of axes, in their order."""
    return sorted({tuple(row[axis.key] for axis in axes) for row in rows})


def _spaced(values: Sequence[tuple[Value, ...]], most: int) -> list[tuple[Value, ...]]:
    if len(values) <= most:
        return list(values)
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]


def _last(axis: Axis) -> str:
    """The last part of a key, which says what it is."""
    return axis.key.rpartition(".")[2]
