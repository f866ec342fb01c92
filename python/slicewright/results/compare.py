"""The comparison of two runs: the difference of every counter with its 95 % interval, as a frame, as text, as a page.

Differences are paired where random streams are common.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from slicewright._core import Scenario
from slicewright.measured.loading import load
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.model import Block, Cell, Face, Paragraph, Report, Section, Table, Tone, Verbatim
from slicewright.report.shown import Reported
from slicewright.report.spec import columns
from slicewright.report.text import aligned
from slicewright.results.frame import Framed, Row
from slicewright.results.judge import CHANGES, Certainty
from slicewright.run.kinds import CLASS, pooled_classes
from slicewright.run.results import Results
from slicewright.run.tables import ENTITY, counters, declared
from slicewright.run.tabulated import Tabulated
from slicewright.statistics import Estimate, estimate, fixed, paired, plural, plus_minus, significant, unpaired
from slicewright.values.parameters import check, path_problem

if TYPE_CHECKING:
    import polars

Difference = dict[str, Any]
"""A row of a comparison's frame."""

_Values = dict[str, dict[int, dict[str, float | None]]]
"""By entity, then by replication: the counters."""

_CLASSES = "classes"
"""Guests of a class together, as a table beside those of the engine."""

_COLUMNS = (
    "table", "entity", "counter", "before", "after", "change_percent", "difference", "half_width", "replications",
    "streams",
)  # fmt: skip
"""Of a row: `change_percent` is the difference over before; `streams` is paired, unpaired, only before, only after or
neither."""

_SHOWN = {
    "system": ("io_per_s", "response_ms", "service_ms", "queue_depth"),
    "volumes": ("io_per_s", "response_ms", "queue_depth"),
    "pools": ("fails_per_try", "free_mean"),
    "control_programs": ("work_percent", "tv_ratio", "spinning_percent", "diagnoses_per_s"),
    "guests": ("cycles_per_s", "cycle_ms", "exchanges_per_s", "exchange_ms"),
    _CLASSES: ("cycles_per_s", "transaction_ms", "response_ms"),
}
"""The counters that analysts look at first; the page folds the others away."""

_IO = ("system", "volumes", "pools")
"""Tables that say nothing where neither run has I/O; where one has, guests are what the system and its volumes say."""

_ROUNDING = 1e-12
"""The share of a value below which a difference is what adding in another order makes."""


HEADINGS = {
    "io_per_s": "I/O per s", "response_ms": "Response, ms", "service_ms": "Service, ms",
    "queue_depth": "Waiting", "fails_per_try": "Fails per try", "free_mean": "Free aliases, mean",
    "work_percent": "Work, %", "tv_ratio": "T/V", "spinning_percent": "Spinning, %",
    "diagnoses_per_s": "X'44', X'9C' per s", "cycles_per_s": "Cycles per s", "cycle_ms": "Cycle, ms",
    "transaction_ms": "Transaction, ms",
    "exchanges_per_s": "Exchanges per s", "exchange_ms": "Exchange, ms",
}  # fmt: skip
"""Counters that are drawn, with their units."""

_DOTS = (
    "A filled point (●) has an interval that excludes 0, a hollow one (○) an interval that contains it. At the end of "
    "a row: the difference in % of before."
)

_WORK = "100 % is one processor; work is what guests did, as if in warm caches and without spinning."

_DRAWN = 30
"""Volumes or pools that are drawn; of more, those whose counter changed most."""

_LOOKS: dict[Certainty, Look] = {
    "interval excludes 0": Look(1, shape="circle"), "interval contains 0": Look(1, filled=False, shape="circle"),
    "no interval": Look(2),
}  # fmt: skip

_DOT: dict[Certainty, str] = {"interval excludes 0": "●", "interval contains 0": "○", "no interval": ""}

_MOST_CHANGED = 12
"""Differing numbers of the scenarios that are listed in a terminal; the rest are counted."""

_HEADLINE = 3
"""Numbers that the line below the title holds."""

_SIDE = "a Run, or the name of a directory that run --out or read --out has written"


@dataclass(frozen=True, repr=False)
class Comparison(Reported, Framed):
    """Two runs and their differences, as `compare` returns them.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> slicewright.compare(run, run)
    before  M/M/1 at 50 %  2 replications, seed 1
    ...
    """

    before: Tabulated
    after: Tabulated
    rows: Sequence[Difference]

    @classmethod
    def of_runs(cls, before: Tabulated, after: Tabulated) -> Self:
        """Compare two runs: of each counter after less before, paired where their random streams are common."""
        rows = [row for table in (*ENTITY, _CLASSES) for row in _of_table(table, before, after)]
        return cls(before, after, [dict(zip(_COLUMNS, map(_known, row), strict=True)) for row in rows])

    @functools.cached_property
    def frame(self) -> polars.DataFrame:
        """A row per table, entity and counter: before, after, change_percent, difference, half_width, and how taken."""
        import polars as pl

        numbers = dict.fromkeys(("before", "after", "change_percent", "difference", "half_width"), pl.Float64)
        kinds = {name: numbers.get(name, pl.Int64 if name == "replications" else pl.String) for name in _COLUMNS}
        return pl.DataFrame(self.rows, schema=kinds, orient="row")

    def framed(self) -> Iterator[Row]:
        """Before, after, and the difference with its half-width; a subject is `volumes.VOL001`."""
        for row in self.rows:
            subject = f"{row['table']}.{row['entity']}".removesuffix(".")
            unit = declared("guests" if row["table"] == _CLASSES else row["table"])[row["counter"]]
            half_width = math.nan if row["half_width"] is None else row["half_width"]
            for variant, noise in (("before", math.nan), ("after", math.nan), ("difference", half_width)):
                mean = math.nan if row[variant] is None else row[variant]
                yield Row(subject, row["counter"], Estimate(mean, noise, row["replications"]), variant, unit=unit)

    @property
    def streams(self) -> list[str]:
        """How differences were taken, each way once: paired, unpaired, only before, only after.

        A counter that neither run knows of any entity has no difference.
        """
        return list(dict.fromkeys(row["streams"] for row in self.rows if row["streams"] != "neither"))

    @functools.cached_property
    def shown(self) -> dict[str, tuple[str, ...]]:
        """The tables and counters that analysts look at first and that say something about these two runs.

        Without I/O in either that is what control programs and guests did, where the other counters are 0 for ever.
        """
        io = any(row["before"] or row["after"] for row in self.of("system", ["io_per_s"]))
        found = {}
        for table, known in _SHOWN.items():
            if table == "guests" if io else table in _IO:
                continue
            rows = self.of(table, known)
            present = {row["counter"] for row in rows if table in _IO or row["before"] or row["after"]}
            found[table] = tuple(counter for counter in known if counter in present)
        return {table: counters for table, counters in found.items() if counters}

    @functools.cached_property
    def first(self) -> list[Difference]:
        """The differences of these, with heading and certainty; `text` is as it is printed."""
        found = []
        for row in (row for table, known in self.shown.items() for row in self.of(table, known)):
            apart, noise = (math.nan if row[name] is None else row[name] for name in ("difference", "half_width"))
            certainty = CHANGES.verdict(apart, math.nan, noise)
            found.append({**row, "name": HEADINGS[row["counter"]], "certainty": certainty, "text": _texts(row)})
        return found

    def first_of(self, table: str) -> list[Difference]:
        """Those of one table."""
        return [row for row in self.first if row["table"] == table]

    def of(self, table: str, counters: Sequence[str] = ()) -> list[Difference]:
        """The differences of a table, of some counters or of all; what is but rounding of sums is none."""
        rows = [row for row in self.rows if row["table"] == table and (not counters or row["counter"] in counters)]
        same = {"change_percent": 0.0, "difference": 0.0, "half_width": 0.0}
        return [{**row, **same} if _rounding(row) else row for row in rows]

    def report(self) -> Report:
        """The comparison as a report."""
        before, after = self.before, self.after
        streams = [streams for streams in self.streams if streams.endswith("paired")]
        facts = [
            ("before", f"{before.name}, {_made(before)}"),
            ("after", f"{after.name}, {_made(after)}"),
            ("streams", ", ".join(streams) or "nothing in common"),
            ("version", before.version if before.version == after.version else f"{before.version}, {after.version}"),
        ]
        uncertainty = Section("What is uncertain", [Paragraph(line, face=Face.HTML) for line in _uncertain(self)])
        sections = [
            Section("", _in_text(self)), _scenarios(self), _system(self), *_entities(self), uncertainty,
            _every_counter(self),
        ]  # fmt: skip
        title = f"{before.name} → {after.name}" if before.name != after.name else f"{before.name}: two runs"
        return Report(title, _headline(self), facts, sections)

    def glances(self) -> list[Report]:
        """The figure and the table of what changed."""
        report = self.report()
        return [Report(report.title, report.subtitle, sections=[_system(self)])]


def compare(a: Tabulated | str | os.PathLike[str], b: Tabulated | str | os.PathLike[str]) -> Comparison:
    """Compare two runs, or two run directories: of each counter b less a, with its 95 % half-width.

    `streams` of a row is `paired` when both runs have one seed and at least two replications in common: then the
    differences are taken replication by replication (Law, Simulation Modeling and Analysis, section 10.2.1) over those
    they share.  Otherwise it is `unpaired`, and the interval is Welch's.  An entity that only one run has is
    `only before` or `only after`.  Units are those of the counters; `half_width` is null where it cannot be known.

    Raises InputError when a directory is not a run directory.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "20 s"})
    >>> compare(run, run).frame["difference"].abs().max()
    0.0
    """
    sides = (("a", a), ("b", b))
    check(*(None if isinstance(side, Tabulated) else path_problem(key, side, _SIDE) for key, side in sides))
    before, after = (side if isinstance(side, Tabulated) else load(Path(side)) for side in (a, b))
    return Comparison.of_runs(before, after)


def _known(value: Any) -> Any:
    """None for a number that is not known."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _rounding(row: Difference) -> bool:
    """Whether a difference is smaller than the last digits that sums of this size have."""
    if row["half_width"] is None or row["before"] is None or row["after"] is None:
        return False
    size: float = max(abs(row["before"]), abs(row["after"]))
    return bool(abs(row["difference"]) + row["half_width"] <= _ROUNDING * size)


def _is_one_seed(a: Tabulated, b: Tabulated) -> bool:
    """Whether both were simulated under one seed."""
    return isinstance(a, Results) and isinstance(b, Results) and a.seed == b.seed


def _changed(both: Comparison) -> list[tuple[str, str, str]]:
    """Numbers that the two scenarios do not share: key, before, after; `-` where one has no such number.

    Measured intervals have no scenario, and so no such numbers.
    """
    a, b = both.before, both.after
    if not (isinstance(a, Results) and isinstance(b, Results)):
        return []
    before, after = (
        {row["key"]: row["value"] for row in Scenario.read(run.scenario.encode(), "scenario.toml").explain()}
        for run in (a, b)
    )
    keys = [*before, *(key for key in after if key not in before)]
    pairs = ((key, before.get(key, "-"), after.get(key, "-")) for key in keys)
    return [(key, old, new) for key, old, new in pairs if old != new]


def _of_table(table: str, before: Tabulated, after: Tabulated) -> list[tuple[Any, ...]]:
    first, second = (
        _values(pooled_classes(results) if table == _CLASSES else results.pooled[table], table)
        for results in (before, after)
    )
    kind = "guests" if table == _CLASSES else table
    names = [name for name in counters(before.pooled[kind]) if name in after.pooled[kind].columns]
    names = names or counters(after.pooled[kind])
    same_seed = _is_one_seed(before, after)
    rows: list[tuple[Any, ...]] = []
    for entity in [*first, *(name for name in second if name not in first)]:
        for name in names:
            sides = (_of_counter(first.get(entity, {}), name), _of_counter(second.get(entity, {}), name))
            rows.append((table, entity, name, *_difference(sides, same_seed)))
    return rows


def _difference(sides: tuple[dict[int, float], dict[int, float]], same_seed: bool) -> tuple[Any, ...]:
    before, after = (list(side.values()) for side in sides)
    common = sorted(sides[0].keys() & sides[1].keys()) if same_seed else []
    difference: Estimate | None
    if not before or not after:
        streams = "only before" if before else "only after" if after else "neither"
        difference = Estimate(float("nan"), float("nan"), 0)
    elif len(common) >= 2:
        streams = "paired"
        difference = paired([sides[0][at] for at in common], [sides[1][at] for at in common])
    else:
        streams = "unpaired"
        difference = unpaired(before, after)
    start = estimate(before).mean
    # Of 0 there is no percentage.
    percent = 100 * difference.mean / abs(start) if start else math.nan
    return (
        start, estimate(after).mean, percent, difference.mean, difference.half_width, difference.replications, streams,
    )  # fmt: skip


def _values(frame: polars.DataFrame, table: str) -> _Values:
    values: _Values = {}
    if frame.is_empty():
        return values
    for row in frame.iter_rows(named=True):
        values.setdefault(" ".join(str(row[column]) for column in _entity(table).split()), {})[row["replication"]] = row
    return values


def _entity(table: str) -> str:
    return CLASS if table == _CLASSES else ENTITY[table]


def _of_counter(rows: dict[int, dict[str, float | None]], name: str) -> dict[int, float]:
    return {at: float(value) for at, row in rows.items() if (value := row.get(name)) is not None and value == value}


def _in_text(both: Comparison) -> list[Block]:
    """The comparison in a terminal: the runs, the numbers that differ, the counters that analysts look at first."""
    lines = [
        f"{side.ljust(6)}  {run.name}  {_made(run)}" for side, run in (("before", both.before), ("after", both.after))
    ]
    differing = _changed(both)
    lines += [f"        {key}  {old} -> {new}" for key, old, new in differing[:_MOST_CHANGED]]
    if len(differing) > _MOST_CHANGED:
        lines.append(f"        and {plural(len(differing) - _MOST_CHANGED, 'more number')} that differ")
    shown = [
        {
            **row,
            **row["text"],
            "name": row["entity"] or row["table"],
            "difference": str(row["text"]["difference"])
            + (" *" if row["certainty"] == "interval excludes 0" else "  "),
        }
        for row in both.first
        if row["table"] != "guests" or row["before"] or row["after"]
    ]
    end = (
        "± is the 95 % half-width of the difference, simulation noise only; * marks intervals that exclude 0.\n"
        "Change is the difference in % of before."
    )
    return [
        Paragraph("\n".join(lines), flush=True, face=Face.TEXT),
        Table(columns(_IN_TEXT), shown, face=Face.TEXT),
        Paragraph(end, flush=True, face=Face.TEXT),
    ]


def _made(run: Tabulated) -> str:
    """How a side came about."""
    return f"{plural(run.replications, 'replication')}, seed {run.seed}" if isinstance(run, Results) else run.origin


def _texts(row: Difference) -> dict[str, str]:
    """A difference as it is printed: before, after, the change with its sign (`-` of 0), the mean with its noise."""
    percent = row["change_percent"]
    change = fixed(percent, 1 if percent is not None and abs(percent) < 99.95 else 0)
    return {
        "before": significant(row["before"]), "after": significant(row["after"]),
        "change_percent": f"+{change}" if percent and percent > 0 and change != ".0" else change,
        "difference": plus_minus(row["difference"], row["half_width"]),
    }  # fmt: skip


_IN_TEXT = """
    name           |       | -
    counter
    before         | right
    after          | right
    change_percent | right | change | %
    difference     | right
    streams        | right
"""
_LONG = """
    counter        |       | -
    before         | right
    after          | right
    change_percent | right | change | %
    difference     | right
"""


def _headline(both: Comparison) -> str:
    """One line: how the response and the rate of the whole system changed; without I/O, work, or cycles of guests."""
    said = []
    for table, counter, name, unit in (
        ("system", "response_ms", "response", " ms"), ("system", "io_per_s", "rate", " I/O per s"),
        ("control_programs", "work_percent", "work in", " %"), ("guests", "cycles_per_s", "cycles of", " per s"),
    ):  # fmt: skip
        for row in both.first:
            if (row["table"], row["counter"]) == (table, counter):
                text = row["text"]
                of = f"{name} {row['entity']}".rstrip()
                change = f"{text['change_percent']} %, " if row["change_percent"] is not None else ""
                said.append(f"{of} {text['before']} → {text['after']}{unit} ({change}{text['difference']})")
    line = "; ".join(said[:_HEADLINE])
    return line[:1].upper() + line[1:]


def _uncertain(both: Comparison) -> list[str]:
    """A plain explanation of the intervals: what they are, and what they do not cover."""
    before, after = both.before, both.after
    said = []
    if "paired" in both.streams and isinstance(before, Results):
        common = min(before.replications, after.replications)
        said.append(
            f"Paired: both runs have seed {before.seed}, so replication by replication they draw the same random "
            f"numbers for the same purposes, and a difference is taken between the two of each of {common:,} pairs. "
            "Chance that both share cancels. What draws differently in the two scenarios is not shared."
        )
    if "unpaired" in both.streams:
        simulated = isinstance(before, Results) and isinstance(after, Results)
        why = "the runs have different seeds" if simulated else "measured intervals have no seed"
        if _is_one_seed(before, after):
            why = "fewer than two replications are common"
        said.append(
            f"Unpaired: {why}, so chance does not cancel and intervals (Welch's) are wider than need be. "
            "Runs with one seed and the same replications are compared in pairs."
        )
    intervals = sum(1 for row in both.rows if row["half_width"] is not None)
    said.append(
        "The bars are 95 % intervals (Student's t) of simulation noise alone. They do not cover whether the scenario "
        "is like the machine: service times, populations, undocumented policies and everything else that the "
        "scenario assumes or borrows is taken as given, in both runs alike. They do not cover a warm-up cut too "
        "early, or a load that was still growing."
    )
    if intervals > 20:
        said.append(
            f"There are {intervals:,} intervals in all, each at 95 %: were nothing changed, about one in twenty would "
            "exclude 0 by chance."
        )
    if any(row["difference"] is not None and row["half_width"] is None for row in both.rows):
        said.append("Where no interval is shown there is one replication, or a value in one run alone.")
    if before.version != after.version:
        said.append(
            f"The runs were made by versions {before.version} and {after.version}: a difference may be the engine's."
        )
    return said


def _scenarios(both: Comparison) -> Section:
    title = "What differed in the scenarios"
    rows = _changed(both)
    if rows:
        named = [dict(zip(("key", "before", "after"), row, strict=True)) for row in rows]
        return Section(title, [Table(columns("key; before; after"), named, face=Face.HTML)])
    if not (isinstance(both.before, Results) and isinstance(both.after, Results)):
        return Section(title, [Paragraph("What was measured has no scenario.", face=Face.HTML)])
    same = both.before.checksum == both.after.checksum
    what = "Nothing: the two scenarios are the same." if same else "No number: they differ in names or in structure."
    return Section(title, [Paragraph(what, face=Face.HTML)])


def _system(both: Comparison) -> Section:
    title = "What changed"
    alone = [Paragraph(line, face=Face.HTML) for line in _alone(both)]
    if "system" not in both.shown:
        return Section(title, [Paragraph("Neither run has I/O.", face=Face.HTML), *alone])
    caption = f"The whole system, after less before, with 95 % intervals of simulation noise. {_DOTS}"
    figure = _picture(both, "system", both.shown["system"], caption)
    return Section(title, [*alone, figure, _long(both, "system")])


def _alone(both: Comparison) -> list[str]:
    """Sentences on the streams and entities that only one of the runs has, kind by kind."""
    said = []
    for streams in ("only before", "only after"):
        for table in ENTITY:
            names = list(dict.fromkeys(row["entity"] for row in both.of(table) if row["streams"] == streams))
            if names:
                some = ", ".join(names[:8]) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")
                said.append(f"In the run {streams.removeprefix('only ')} alone, among the {table}: {some}.")
    return said


def _entities(both: Comparison) -> list[Section]:
    sections = []
    for table, title, note in (
        ("volumes", "Volumes", ""),
        ("pools", "Alias pools", " Fails per try is a share: .1 is 10 %."),
        ("control_programs", "Control programs", f" {_WORK}"),
        ("guests", "Guests", ""),
        (_CLASSES, "Classes of business", ""),
    ):
        if table in both.shown:
            caption = f"After less before, with 95 % intervals. {_DOTS}{note}{_left_out(both, table)}"
            figure = _picture(both, table, both.shown[table], caption)
            sections.append(Section(title, [figure, _wide(both, table) if table in _IO else _long(both, table)]))
    return sections


def _long(both: Comparison, table: str) -> Table[Difference]:
    """A row per entity and counter."""
    rows = [{"entity": row["entity"], "counter": row["name"], **_marked(row)} for row in both.first_of(table)]
    noun = CLASS if table == _CLASSES else table.removesuffix("s").replace("_", " ")
    entity = f"entity || {noun}" if _entity(table) else ""
    return Table(columns(entity + _LONG), rows, face=Face.HTML)


def _wide(both: Comparison, table: str) -> Table[Difference]:
    """A row per entity: of each counter before, after, the change in percent and the difference."""
    lines = [f"entity || {table.removesuffix('s')}"]
    rows: dict[str, Difference] = {}
    for row in both.first_of(table):
        own = rows.setdefault(row["entity"], {"entity": row["entity"]})
        own |= {f"{row['counter']}_{key}": value for key, value in _marked(row).items()}
    for counter in both.shown[table]:
        lines += [
            f"{counter}_before | right | {HEADINGS[counter]}", f"{counter}_after | right | after",
            f"{counter}_change_percent | right | change | %", f"{counter}_difference | right | difference",
        ]  # fmt: skip
    return Table(columns("\n".join(lines)), list(rows.values()), face=Face.HTML)


def _marked(row: Difference) -> dict[str, Any]:
    """A difference as it is printed, with its sign and the dot that it has in the figure."""
    text = row["text"]["difference"]
    sign = "+" if text[:1] in ".123456789" else ""
    tone: Tone = "" if row["certainty"] == "interval excludes 0" else "quiet"
    return {**row["text"], "difference": Cell(f"{sign}{text} {_DOT[row['certainty']]}".rstrip(), tone)}


def _picture(both: Comparison, table: str, counters: Sequence[str], caption: str) -> Figure:
    names = _drawn(both, table, counters[min(1, len(counters) - 1)])
    values = {(row["entity"], row["counter"]): row for row in both.of(table)}
    panels = []
    for counter in counters:
        rows = [(at, values[name, counter]) for at, name in enumerate(names) if (name, counter) in values]
        changes = [(at, row["difference"], row["half_width"]) for at, row in rows if row["difference"] is not None]
        percents = {at: _texts(row)["change_percent"] for at, row in rows if row["change_percent"] is not None}
        ends = [f"{percents[at]} %" if at in percents else "" for at in range(len(names))]
        panel = _differences(HEADINGS[counter], changes, [name or "the system" for name in names])
        panels.append(replace(panel, ends=ends))
    return Figure(panels, caption=caption, layout="rows")


def _differences(label: str, changes: Sequence[tuple[int, float, float | None]], names: Sequence[str]) -> Panel:
    """A panel of differences: the row of each, its value, and its half-width where there is one.

    Filled points have an interval without zero, hollow points have one that holds it, crosses have none.

    >>> [each.label for each in _differences("Response, ms", [(0, -0.34, 0.004), (1, 0.2, None)], ["A", "B"]).series]
    ['interval excludes 0', 'no interval']
    """
    kinds: dict[Certainty, list[tuple[int, float, float | None]]] = {label: [] for label in _LOOKS}
    for at, value, half in changes:
        kinds[CHANGES.verdict(value, math.nan, math.nan if half is None else half)].append((at, value, half))
    series = [
        Series([at for at, _, _ in points], [value for _, value, _ in points], [half for _, _, half in points], kind,
               "crosses" if kind == "no interval" else "points", look=_LOOKS[kind])
        for kind, points in kinds.items() if points
    ]  # fmt: skip
    reach = 1.12 * max((abs(value) + (half or 0.0) for _, value, half in changes), default=0.0) or 1.0
    return Panel("after less before", series, origin="both sides", names=names, title=label, limits=(-reach, reach))


def _drawn(both: Comparison, table: str, counter: str) -> list[str]:
    names = list(dict.fromkeys(row["entity"] for row in both.of(table)))
    if len(names) <= _DRAWN:
        return names
    size = {row["entity"]: abs(row["difference"] or 0.0) for row in both.of(table, [counter])}
    most = set(sorted(names, key=lambda name: -size.get(name, 0.0))[:_DRAWN])
    return [name for name in names if name in most]


def _left_out(both: Comparison, table: str) -> str:
    count = len({row["entity"] for row in both.of(table)})
    return f" The {_DRAWN} of {count:,} that changed most are drawn." if count > _DRAWN else ""


def _every_counter(both: Comparison) -> Section:
    lines: list[str] = []
    for table in dict.fromkeys(row["table"] for row in both.rows):
        cells = [
            [row["entity"] or "-", row["counter"], *_texts(row).values(), row["streams"]] for row in both.of(table)
        ]
        head = [table, "counter", "before", "after", "change, %", "difference", "streams"]
        lines += [*aligned([head, *cells], [at < 2 for at in range(len(head))]), ""]
    text = "The tables above show the counters that analysts look at first; this list has every counter of both runs."
    every = Verbatim("Every counter of every entity", "\n".join(lines))
    return Section("Every counter", [Paragraph(text, face=Face.HTML), every])
