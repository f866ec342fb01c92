"""Two runs held side by side as a page: what differed in the scenarios, what changed in the results, what is uncertain.

It leaves out the arithmetic (`slicewright.compare`) and drawing (`slicewright.figures`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.compare.compare import changed, compare
from slicewright.html import Cell, Page, Section, Table
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.run.run import Run
from slicewright.run.tables import ENTITY
from slicewright.statistics import plural, plus_minus, significant
from slicewright.text import aligned

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]

HEADINGS = {
    "io_per_s": "I/O per s", "response_ms": "Response, ms", "service_ms": "Service, ms",
    "queue_depth": "Waiting", "fails_per_try": "Fails per try", "free_mean": "Free aliases, mean",
    "work_percent": "Work, %", "tv_ratio": "T/V", "spinning_percent": "Spinning, %",
    "diagnoses_per_s": "X'44', X'9C' per s", "cycles_per_s": "Cycles per s", "cycle_ms": "Cycle, ms",
    "exchanges_per_s": "Exchanges per s", "exchange_ms": "Exchange, ms",
}  # fmt: skip
"""Counters that are drawn, with their units."""

SHOWN = {
    "system": ("io_per_s", "response_ms", "service_ms", "queue_depth"),
    "volumes": ("io_per_s", "response_ms", "queue_depth"),
    "pools": ("fails_per_try", "free_mean"),
    "control_programs": ("work_percent", "tv_ratio", "spinning_percent", "diagnoses_per_s"),
    "guests": ("cycles_per_s", "cycle_ms", "exchanges_per_s", "exchange_ms"),
}
"""What analysts look at first; the rest of the counters is folded away."""

IO = ("system", "volumes", "pools")
"""Tables that say nothing where neither run has I/O; where one has, guests are what the system and its volumes say."""

DOTS = "A filled point (●) has an interval that leaves out 0, a hollow one (○) an interval that holds it."

WORK = "100 % is one processor; work is what guests did, as if in warm caches and without spinning."

ROUNDING = 1e-12
"""The share of a value below which a difference is what adding in another order makes."""

DRAWN = 30
"""Volumes or pools that are drawn; of more, those whose counter changed most."""

_KINDS = {"interval leaves out 0": Look(1), "interval holds 0": Look(1, filled=False), "no interval": Look(2)}

HEADLINE = 3
"""Numbers that the line below the title holds."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Both runs and every difference between them, as `slicewright.compare` gives them.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> one = slicewright.run(starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> sides(one, one).streams
    ['paired']
    """

    before: Run
    after: Run
    rows: Sequence[Row]

    @property
    def streams(self) -> list[str]:
        """How differences were taken, each way once: paired, unpaired, only before, only after.

        A counter that neither run knows of any entity has no difference.
        """
        return list(dict.fromkeys(row["streams"] for row in self.rows if row["streams"] != "neither"))

    @property
    def shown(self) -> dict[str, tuple[str, ...]]:
        """Of `SHOWN` the tables and counters that say something about these two runs.

        Without I/O in either that is what control programs and guests did, where the other counters are 0 for ever.
        """
        io = any(row["before"] or row["after"] for row in self.of("system", ["io_per_s"]))
        tables = [table for table in SHOWN if (table != "guests" if io else table not in IO)]
        some = {table: self._that_count(table) for table in tables}
        return {table: counters for table, counters in some.items() if counters}

    def _that_count(self, table: str) -> tuple[str, ...]:
        rows = self.of(table, SHOWN[table])
        present = {row["counter"] for row in rows if table in IO or row["before"] or row["after"]}
        return tuple(counter for counter in SHOWN[table] if counter in present)

    def of(self, table: str, counters: Sequence[str] = ()) -> list[Row]:
        """The differences of a table, of some counters or of all; what is but rounding of sums is none."""
        rows = [row for row in self.rows if row["table"] == table and (not counters or row["counter"] in counters)]
        return [{**row, "difference": 0.0, "half_width": 0.0} if _rounding(row) else row for row in rows]


def _rounding(row: Row) -> bool:
    """Whether a difference is smaller than the last digits that sums of this size have."""
    if row["half_width"] is None or row["before"] is None or row["after"] is None:
        return False
    size: float = max(abs(row["before"]), abs(row["after"]))
    return bool(abs(row["difference"]) + row["half_width"] <= ROUNDING * size)


def sides(before: Run, after: Run) -> Sides:
    """Compare two runs.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> one = slicewright.run(starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> sides(one, one).of("system", ["response_ms"])[0]["difference"]
    0.0
    """
    frame: polars.DataFrame = compare(before, after)
    return Sides(before, after, frame.to_dicts())


def compare_page(both: Sides) -> Page:
    """The comparison as a page.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> one = slicewright.run(starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> [section.title for section in compare_page(sides(one, one)).sections][:2]
    ['What differed in the scenarios', 'What changed']
    """
    before, after = both.before, both.after
    facts = [
        ("before", f"{before.name}, {plural(before.replications, 'replication')}, seed {before.seed}"),
        ("after", f"{after.name}, {plural(after.replications, 'replication')}, seed {after.seed}"),
        ("streams", ", ".join(one for one in both.streams if one.endswith("paired")) or "nothing in common"),
        ("version", before.version if before.version == after.version else f"{before.version}, {after.version}"),
    ]
    sections = [_scenarios(both), _system(both), *_entities(both), Section("What is uncertain", uncertain(both))]
    sections.append(_every_counter(both))
    title = f"{before.name} → {after.name}" if before.name != after.name else f"{before.name}: two runs"
    return Page(title, headline(both), facts, sections)


def headline(both: Sides) -> str:
    """One line: how the response and the rate of the whole system changed; without I/O, work, or cycles of guests.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> one = slicewright.run(starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> headline(sides(one, one)).startswith("Response")
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
            said.append(f"{of} {old} → {new}{unit} ({plus_minus(row['difference'], row['half_width'])})")
    text = "; ".join(said[:HEADLINE])
    return text[:1].upper() + text[1:]


def uncertain(both: Sides) -> list[str]:
    """What the intervals are, and what they do not cover, in plain words.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> one = slicewright.run(starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> uncertain(sides(one, one))[0]
    'Paired: ...'
    """
    before, after = both.before, both.after
    said = []
    if "paired" in both.streams:
        common = min(before.replications, after.replications)
        said.append(
            f"Paired: both runs have seed {before.seed}, so replication by replication they draw the same random "
            f"numbers for the same purposes, and a difference is taken between the two of each of {common:,} pairs. "
            "Chance that both share cancels. What draws differently in the two scenarios is not shared."
        )
    if "unpaired" in both.streams:
        why = "the runs have different seeds" if before.seed != after.seed else "fewer than two replications are common"
        said.append(
            f"Unpaired: {why}, so chance does not cancel and intervals (Welch's) are wider than need be. "
            "Runs with one seed and the same replications are compared in pairs."
        )
    intervals = sum(1 for row in both.rows if row["half_width"] is not None)
    said.append(
        "The bars are 95 % intervals (Student's t) of simulation noise alone. They do not cover whether the scenario "
        "is like the machine: service times, populations, undocumented policies and everything else that the "
        "scenario assumes or borrows is taken as it stands, in both runs alike. They do not cover a warm-up cut too "
        "early, or a load that was still growing."
    )
    if intervals > 20:
        said.append(
            f"There are {intervals:,} intervals in all, each at 95 %: were nothing changed, about one in twenty would "
            "leave out 0 by chance."
        )
    if any(row["difference"] is not None and row["half_width"] is None for row in both.rows):
        said.append("Where no interval is shown there is one replication, or a value in one run alone.")
    if before.version != after.version:
        said.append(
            f"The runs were made by versions {before.version} and {after.version}: a difference may be the engine's."
        )
    return said


def _scenarios(both: Sides) -> Section:
    title = "What differed in the scenarios"
    rows = changed(both.before, both.after)
    if rows:
        return Section(title, tables=[Table(("key", "before", "after"), rows)])
    same = both.before.checksum == both.after.checksum
    what = "Nothing: the two scenarios are the same." if same else "No number: they differ in names or in structure."
    return Section(title, [what])


def _system(both: Sides) -> Section:
    if "system" not in both.shown:
        return Section("What changed", ["Neither run has I/O.", *_alone(both)])
    caption = f"The whole system, after less before, with 95 % intervals of simulation noise. {DOTS}"
    picture = _picture(both, "system", SHOWN["system"], caption)
    return Section("What changed", _alone(both), [picture], [_long(both, "system")])


def _alone(both: Sides) -> list[str]:
    """What only one of the runs has, kind by kind."""
    said = []
    for streams in ("only before", "only after"):
        for table in ENTITY:
            names = list(dict.fromkeys(row["entity"] for row in both.of(table) if row["streams"] == streams))
            if names:
                some = ", ".join(names[:8]) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")
                said.append(f"In the run {streams.removeprefix('only ')} alone, among the {table}: {some}.")
    return said


def _entities(both: Sides) -> list[Section]:
    sections = []
    for table, title, note in (
        ("volumes", "Volumes", ""),
        ("pools", "Alias pools", " Fails per try is a share: .1 is 10 %."),
        ("control_programs", "Control programs", f" {WORK}"),
        ("guests", "Guests", ""),
    ):
        if table in both.shown:
            caption = f"After less before, with 95 % intervals. {DOTS}{note}{_left_out(both, table)}"
            picture = _picture(both, table, both.shown[table], caption)
            sections.append(
                Section(title, pictures=[picture], tables=[_wide(both, table) if table in IO else _long(both, table)])
            )
    return sections


def _long(both: Sides, table: str) -> Table:
    """A row per entity and counter."""
    head = (table.removesuffix("s").replace("_", " "), "", "before", "after", "difference")
    named = 0 if ENTITY[table] else 1
    cells: list[list[str | Cell]] = [
        [
            row["entity"],
            HEADINGS[row["counter"]],
            significant(row["before"]),
            significant(row["after"]),
            _difference(row),
        ]
        for row in both.of(table, both.shown[table])
    ]
    return Table(head[named:], [line[named:] for line in cells])


def _wide(both: Sides, table: str) -> Table:
    """A row per entity: of each counter before, after and the difference."""
    counters = both.shown[table]
    rows: dict[str, dict[str, Row]] = {}
    for row in both.of(table, counters):
        rows.setdefault(row["entity"], {})[row["counter"]] = row
    head = [table.removesuffix("s")]
    for counter in counters:
        head += [HEADINGS[counter], "after", "difference"]
    cells: list[list[str | Cell]] = []
    for entity, own in rows.items():
        line: list[str | Cell] = [entity]
        for counter in counters:
            row = own[counter]
            line += [significant(row["before"]), significant(row["after"]), _difference(row)]
        cells.append(line)
    return Table(head, cells)


def _difference(row: Row) -> Cell:
    """A difference with its sign, its interval, and the dot that it has in the picture."""
    half_width = row["half_width"]
    text = plus_minus(row["difference"], half_width)
    sign = "+" if text[:1] in ".123456789" else ""
    if half_width is None:
        return Cell(f"{sign}{text}", "quiet")
    clear = abs(row["difference"]) > half_width
    return Cell(f"{sign}{text} {'●' if clear else '○'}", "" if clear else "quiet")


def _picture(both: Sides, table: str, counters: Sequence[str], caption: str) -> Figure:
    names = _drawn(both, table, counters[min(1, len(counters) - 1)])
    values = {(row["entity"], row["counter"]): row for row in both.of(table)}
    panels = []
    for counter in counters:
        rows = [(at, values[name, counter]) for at, name in enumerate(names) if (name, counter) in values]
        changes = [(at, row["difference"], row["half_width"]) for at, row in rows if row["difference"] is not None]
        panels.append(differences(HEADINGS[counter], changes, [name or "the system" for name in names]))
    return Figure(panels, caption=caption, layout="rows")


def differences(label: str, changes: Sequence[tuple[int, float, float | None]], names: Sequence[str]) -> Panel:
    """A panel of differences: the row of each, its value, and its half-width where there is one.

    Filled points have an interval that leaves out zero, hollow ones one that holds it, crosses none at all.

    >>> [series.label for series in differences("Response, ms", [(0, -0.34, 0.004), (1, 0.2, None)], ["A", "B"]).series]
    ['interval leaves out 0', 'no interval']
    """
    kinds: dict[str, list[tuple[int, float, float | None]]] = {label: [] for label in _KINDS}
    for at, value, half in changes:
        kind = "no interval" if half is None else "interval leaves out 0" if abs(value) > half else "interval holds 0"
        kinds[kind].append((at, value, half))
    series = [
        Series([at for at, _, _ in found], [value for _, value, _ in found], [half for _, _, half in found], kind,
               "crosses" if kind == "no interval" else "points", look=_KINDS[kind])
        for kind, found in kinds.items() if found
    ]  # fmt: skip
    reach = 1.12 * max((abs(value) + (half or 0.0) for _, value, half in changes), default=0.0) or 1.0
    return Panel("after less before", series, origin="both sides", names=names, title=label, limits=(-reach, reach))


def _drawn(both: Sides, table: str, counter: str) -> list[str]:
    names = list(dict.fromkeys(row["entity"] for row in both.of(table)))
    if len(names) <= DRAWN:
        return names
    size = {row["entity"]: abs(row["difference"] or 0.0) for row in both.of(table, [counter])}
    most = set(sorted(names, key=lambda name: -size.get(name, 0.0))[:DRAWN])
    return [name for name in names if name in most]


def _left_out(both: Sides, table: str) -> str:
    count = len({row["entity"] for row in both.of(table)})
    return f" The {DRAWN} of {count:,} that changed most are drawn." if count > DRAWN else ""


def _every_counter(both: Sides) -> Section:
    lines = []
    for table in dict.fromkeys(row["table"] for row in both.rows):
        cells = [
            [
                row["entity"] or "-", row["counter"], significant(row["before"]), significant(row["after"]),
                plus_minus(row["difference"], row["half_width"]), row["streams"],
            ]
            for row in both.of(table)
        ]  # fmt: skip
        head = (table, "counter", "before", "after", "difference", "streams")
        lines += [*aligned(head, cells, left=2, indent=""), ""]
    said = "What is drawn above is what analysts look at first; here is all that both runs counted."
    return Section("Every counter", [said], folded=[("Every counter of every entity", "\n".join(lines))])
