"""What a comparison says: the differences of two scenarios and of their results, and what is uncertain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import words_right
from slicewright.report.model import Block, Cell, Column, Face, Paragraph, Report, Section, Table, Verbatim
from slicewright.report.text import aligned
from slicewright.results.differences import IO, Differences, Row, changed, is_one_seed
from slicewright.results.judge import CHANGES, Certainty
from slicewright.run.results import Results
from slicewright.run.tables import ENTITY
from slicewright.run.tabulated import Tabulated
from slicewright.statistics import fixed, plural, plus_minus, significant

HEADINGS = {
    "io_per_s": "I/O per s", "response_ms": "Response, ms", "service_ms": "Service, ms",
    "queue_depth": "Waiting", "fails_per_try": "Fails per try", "free_mean": "Free aliases, mean",
    "work_percent": "Work, %", "tv_ratio": "T/V", "spinning_percent": "Spinning, %",
    "diagnoses_per_s": "X'44', X'9C' per s", "cycles_per_s": "Cycles per s", "cycle_ms": "Cycle, ms",
    "exchanges_per_s": "Exchanges per s", "exchange_ms": "Exchange, ms",
}  # fmt: skip
"""Counters that are drawn, with their units."""

DOTS = (
    "A filled point (●) has an interval that excludes 0, a hollow one (○) an interval that contains it. At the end of "
    "a row: the difference in % of before."
)

WORK = "100 % is one processor; work is what guests did, as if in warm caches and without spinning."

DRAWN = 30
"""Volumes or pools that are drawn; of more, those whose counter changed most."""

_KINDS: dict[Certainty, Look] = {
    "interval excludes 0": Look(1, shape="circle"), "interval contains 0": Look(1, filled=False, shape="circle"),
    "no interval": Look(2),
}  # fmt: skip

_DOTS: dict[Certainty, str] = {"interval excludes 0": "●", "interval contains 0": "○", "no interval": ""}

MOST_CHANGED = 12
"""Differing numbers of the scenarios that are listed in a terminal; the rest are counted."""

HEADLINE = 3
"""Numbers that the line below the title holds."""


def comparison_report(both: Differences) -> Report:
    """The comparison as a report.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> [section.title for section in comparison_report(Differences.of_runs(run, run)).sections][1:3]
    ['What differed in the scenarios', 'What changed']
    """
    before, after = both.before, both.after
    streams = [streams for streams in both.streams if streams.endswith("paired")]
    facts = [
        ("before", f"{before.name}, {_made(before)}"),
        ("after", f"{after.name}, {_made(after)}"),
        ("streams", ", ".join(streams) or "nothing in common"),
        ("version", before.version if before.version == after.version else f"{before.version}, {after.version}"),
    ]
    uncertainty = Section("What is uncertain", [Paragraph(line, face=Face.HTML) for line in uncertain(both)])
    sections = [
        Section("", _in_text(both)), _scenarios(both), _system(both), *_entities(both), uncertainty,
        _every_counter(both),
    ]  # fmt: skip
    title = f"{before.name} → {after.name}" if before.name != after.name else f"{before.name}: two runs"
    return Report(title, headline(both), facts, sections)


def glance(both: Differences) -> Report:
    """The part of the report that a notebook shows: what changed, with its figure.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> [section.title for section in glance(Differences.of_runs(run, run)).sections]
    ['What changed']
    """
    report = comparison_report(both)
    return Report(report.title, report.subtitle, sections=[_system(both)])


def _in_text(both: Differences) -> list[Block]:
    """The comparison in a terminal: the runs, the numbers that differ, the counters that analysts look at first."""
    lines = [
        f"{side.ljust(6)}  {run.name}  {_made(run)}" for side, run in (("before", both.before), ("after", both.after))
    ]
    differing = changed(both.before, both.after)
    lines += [f"        {key}  {old} -> {new}" for key, old, new in differing[:MOST_CHANGED]]
    if len(differing) > MOST_CHANGED:
        lines.append(f"        and {plural(len(differing) - MOST_CHANGED, 'more number')} that differ")
    shown = [row for table, counters in both.shown.items() for row in both.of(table, counters)]
    shown = [row for row in shown if row["table"] != "guests" or row["before"] or row["after"]]
    end = (
        "± is the 95 % half-width of the difference, simulation noise only; * marks intervals that exclude 0.\n"
        "Change is the difference in % of before."
    )
    return [
        Paragraph("\n".join(lines), flush=True, face=Face.TEXT),
        Table(_IN_TEXT, shown, face=Face.TEXT),
        Paragraph(end, flush=True, face=Face.TEXT),
    ]


def _made(run: Tabulated) -> str:
    """How a side came about."""
    return f"{plural(run.replications, 'replication')}, seed {run.seed}" if isinstance(run, Results) else run.origin


def _value(key: str, header: str) -> Column[Row]:
    return Column(key, header, itemgetter(key), form=lambda values: [significant(value) for value in values])


def certainty(row: Row) -> Certainty:
    """The verdict on a difference, by its own interval."""
    difference, half_width = (math.nan if row[name] is None else row[name] for name in ("difference", "half_width"))
    return CHANGES.verdict(difference, math.nan, half_width)


def _starred(row: Row) -> str:
    clear = certainty(row) == "interval excludes 0"
    return plus_minus(row["difference"], row["half_width"]) + (" *" if clear else "  ")


def changed_by(row: Row) -> str:
    """The difference in percent of before, with its sign; `-` where before is 0 or not known.

    >>> [changed_by({"change_percent": percent}) for percent in (12.34, -100.0, 0.0, 1234.5, None)]
    ['+12.3', '-100', '.0', '+1,234', '-']
    """
    percent = row["change_percent"]
    text = fixed(percent, 1 if percent is not None and abs(percent) < 99.95 else 0)
    return f"+{text}" if percent and percent > 0 and text != ".0" else text


_CHANGE: Column[Row] = Column("change_percent", "change", changed_by, "%", words_right)

_IN_TEXT: tuple[Column[Row], ...] = (
    Column("entity", "", lambda row: row["entity"] or row["table"]),
    Column("counter", "counter", itemgetter("counter")),
    _value("before", "before"),
    _value("after", "after"),
    _CHANGE,
    Column("difference", "difference", _starred, form=words_right),
    Column("streams", "streams", itemgetter("streams"), form=words_right),
)


def headline(both: Differences) -> str:
    """One line: how the response and the rate of the whole system changed; without I/O, work, or cycles of guests.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> headline(Differences.of_runs(run, run)).startswith("Response")
    True
    """
    said = []
    for table, counter, name, unit in (
        ("system", "response_ms", "response", " ms"), ("system", "io_per_s", "rate", " I/O per s"),
        ("control_programs", "work_percent", "work in", " %"), ("guests", "cycles_per_s", "cycles of", " per s"),
    ):  # fmt: skip
        for row in both.of(table, [counter]) if counter in both.shown.get(table, ()) else ():
            old, new = significant(row["before"]), significant(row["after"])
            of = f"{name} {row['entity']}".rstrip()
            change = f"{changed_by(row)} %, " if row["change_percent"] is not None else ""
            said.append(f"{of} {old} → {new}{unit} ({change}{plus_minus(row['difference'], row['half_width'])})")
    text = "; ".join(said[:HEADLINE])
    return text[:1].upper() + text[1:]


def uncertain(both: Differences) -> list[str]:
    """A plain explanation of the intervals: what they are, and what they do not cover.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> uncertain(Differences.of_runs(run, run))[0]
    'Paired: ...'
    """
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
        if is_one_seed(before, after):
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


def _scenarios(both: Differences) -> Section:
    title = "What differed in the scenarios"
    rows = changed(both.before, both.after)
    if rows:
        columns = [Column(key, key, itemgetter(at)) for at, key in enumerate(("key", "before", "after"))]
        return Section(title, [Table(columns, rows, face=Face.HTML)])
    if not (isinstance(both.before, Results) and isinstance(both.after, Results)):
        return Section(title, [Paragraph("What was measured has no scenario.", face=Face.HTML)])
    same = both.before.checksum == both.after.checksum
    what = "Nothing: the two scenarios are the same." if same else "No number: they differ in names or in structure."
    return Section(title, [Paragraph(what, face=Face.HTML)])


def _system(both: Differences) -> Section:
    title = "What changed"
    alone = [Paragraph(line, face=Face.HTML) for line in _alone(both)]
    if "system" not in both.shown:
        return Section(title, [Paragraph("Neither run has I/O.", face=Face.HTML), *alone])
    caption = f"The whole system, after less before, with 95 % intervals of simulation noise. {DOTS}"
    figure = _picture(both, "system", both.shown["system"], caption)
    return Section(title, [*alone, figure, _long(both, "system")])


def _alone(both: Differences) -> list[str]:
    """Sentences on the streams and entities that only one of the runs has, kind by kind."""
    said = []
    for streams in ("only before", "only after"):
        for table in ENTITY:
            names = list(dict.fromkeys(row["entity"] for row in both.of(table) if row["streams"] == streams))
            if names:
                some = ", ".join(names[:8]) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")
                said.append(f"In the run {streams.removeprefix('only ')} alone, among the {table}: {some}.")
    return said


def _entities(both: Differences) -> list[Section]:
    sections = []
    for table, title, note in (
        ("volumes", "Volumes", ""),
        ("pools", "Alias pools", " Fails per try is a share: .1 is 10 %."),
        ("control_programs", "Control programs", f" {WORK}"),
        ("guests", "Guests", ""),
    ):
        if table in both.shown:
            caption = f"After less before, with 95 % intervals. {DOTS}{note}{_left_out(both, table)}"
            figure = _picture(both, table, both.shown[table], caption)
            sections.append(Section(title, [figure, _wide(both, table) if table in IO else _long(both, table)]))
    return sections


def _long(both: Differences, table: str) -> Table[Row]:
    """A row per entity and counter."""
    entity: Column[Row] = Column("entity", table.removesuffix("s").replace("_", " "), itemgetter("entity"))
    columns = [
        *([entity] if ENTITY[table] else []),
        Column("counter", "", lambda row: HEADINGS[row["counter"]]),
        _value("before", "before"),
        _value("after", "after"),
        _CHANGE,
        Column("difference", "difference", _difference, form=words_right),
    ]
    return Table(columns, both.of(table, both.shown[table]), face=Face.HTML)


def _wide(both: Differences, table: str) -> Table[dict[str, Row]]:
    """A row per entity: of each counter before, after and the difference."""
    counters = both.shown[table]
    rows: dict[str, dict[str, Row]] = {}
    for row in both.of(table, counters):
        rows.setdefault(row["entity"], {})[row["counter"]] = row
    columns: list[Column[dict[str, Row]]] = [
        Column("entity", table.removesuffix("s"), lambda row: row[counters[0]]["entity"])
    ]
    for counter in counters:
        columns += _three(counter)
    return Table(columns, list(rows.values()), face=Face.HTML)


def _three(counter: str) -> list[Column[dict[str, Row]]]:
    """Before, after, the change in percent and the difference of one counter."""

    def value(side: str, header: str) -> Column[dict[str, Row]]:
        return Column(f"{counter}_{side}", header, lambda row: significant(row[counter][side]), form=words_right)

    difference: Column[dict[str, Row]] = Column(
        f"{counter}_difference", "difference", lambda row: _difference(row[counter]), form=words_right
    )
    change: Column[dict[str, Row]] = Column(
        f"{counter}_change_percent", "change", lambda row: changed_by(row[counter]), "%", words_right
    )
    return [value("before", HEADINGS[counter]), value("after", "after"), change, difference]


def _difference(row: Row) -> Cell:
    """A difference with its sign, its interval, and the dot that it has in the figure."""
    text = plus_minus(row["difference"], row["half_width"])
    sign = "+" if text[:1] in ".123456789" else ""
    verdict = certainty(row)
    return Cell(f"{sign}{text} {_DOTS[verdict]}".rstrip(), "" if verdict == "interval excludes 0" else "quiet")


def _picture(both: Differences, table: str, counters: Sequence[str], caption: str) -> Figure:
    names = _drawn(both, table, counters[min(1, len(counters) - 1)])
    values = {(row["entity"], row["counter"]): row for row in both.of(table)}
    panels = []
    for counter in counters:
        rows = [(at, values[name, counter]) for at, name in enumerate(names) if (name, counter) in values]
        changes = [(at, row["difference"], row["half_width"]) for at, row in rows if row["difference"] is not None]
        percents = {at: changed_by(row) for at, row in rows if row["change_percent"] is not None}
        ends = [f"{percents[at]} %" if at in percents else "" for at in range(len(names))]
        panel = differences(HEADINGS[counter], changes, [name or "the system" for name in names])
        panels.append(replace(panel, ends=ends))
    return Figure(panels, caption=caption, layout="rows")


def differences(label: str, changes: Sequence[tuple[int, float, float | None]], names: Sequence[str]) -> Panel:
    """A panel of differences: the row of each, its value, and its half-width where there is one.

    Filled points have an interval without zero, hollow points have one that holds it, crosses have none.

    >>> [series.label for series in differences("Response, ms", [(0, -0.34, 0.004), (1, 0.2, None)], ["A", "B"]).series]
    ['interval excludes 0', 'no interval']
    """
    kinds: dict[Certainty, list[tuple[int, float, float | None]]] = {label: [] for label in _KINDS}
    for at, value, half in changes:
        kinds[CHANGES.verdict(value, math.nan, math.nan if half is None else half)].append((at, value, half))
    series = [
        Series([at for at, _, _ in points], [value for _, value, _ in points], [half for _, _, half in points], kind,
               "crosses" if kind == "no interval" else "points", look=_KINDS[kind])
        for kind, points in kinds.items() if points
    ]  # fmt: skip
    reach = 1.12 * max((abs(value) + (half or 0.0) for _, value, half in changes), default=0.0) or 1.0
    return Panel("after less before", series, origin="both sides", names=names, title=label, limits=(-reach, reach))


def _drawn(both: Differences, table: str, counter: str) -> list[str]:
    names = list(dict.fromkeys(row["entity"] for row in both.of(table)))
    if len(names) <= DRAWN:
        return names
    size = {row["entity"]: abs(row["difference"] or 0.0) for row in both.of(table, [counter])}
    most = set(sorted(names, key=lambda name: -size.get(name, 0.0))[:DRAWN])
    return [name for name in names if name in most]


def _left_out(both: Differences, table: str) -> str:
    count = len({row["entity"] for row in both.of(table)})
    return f" The {DRAWN} of {count:,} that changed most are drawn." if count > DRAWN else ""


def _every_counter(both: Differences) -> Section:
    lines: list[str] = []
    for table in dict.fromkeys(row["table"] for row in both.rows):
        cells = [
            [
                row["entity"] or "-", row["counter"], significant(row["before"]), significant(row["after"]),
                changed_by(row), plus_minus(row["difference"], row["half_width"]), row["streams"],
            ]
            for row in both.of(table)
        ]  # fmt: skip
        head = [table, "counter", "before", "after", "change, %", "difference", "streams"]
        lines += [*aligned([head, *cells], [at < 2 for at in range(len(head))]), ""]
    text = "The tables above show the counters that analysts look at first; this list has every counter of both runs."
    every = Verbatim("Every counter of every entity", "\n".join(lines))
    return Section("Every counter", [Paragraph(text, face=Face.HTML), every])
