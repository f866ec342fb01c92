"""The picture of what dropped files hold: counters over the intervals, or part by part where there is one interval."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.report.figure import Figure, Number, Panel, Series
from slicewright.run.pages.run_figures import SYSTEM
from slicewright.statistics import plural, seconds
from slicewright.values.numerals import finite

if TYPE_CHECKING:
    import polars

    from slicewright.measured.measured import Measured

_MOST = 4
"""Parts that have a line of their own."""
_MOST_BARS = 24
"""Parts that have a bar of their own."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """Counters of a table that are drawn; `of` is the column that names its parts."""

    table: str
    of: str
    counters: Sequence[tuple[str, str]]


_OVER_TIME = (
    _Shown("system", "", SYSTEM),
    _Shown("partitions", "partition", [("dispatched_percent", "Logical processors dispatched, %")]),
    _Shown("control_programs", "partition", [("total_percent", "Processor time of guests and CP, % of one")]),
    _Shown("channels", "channel", [("busy_percent", "Channel busy, %")]),
)
"""The counters that are drawn over time, in this order."""
_BESIDE = (
    _Shown("volumes", "volume", [("response_ms", "Response, ms"), ("io_per_s", "I/O per s")]),
    _Shown("partitions", "partition", [("dispatched_percent", "Logical processors dispatched, %")]),
    _Shown("channels", "channel", [("busy_percent", "Channel busy, %")]),
)  # fmt: skip
"""The counters that are drawn of one interval."""


def pictures(run: Measured) -> list[Figure]:
    """The figures of one system: over its intervals, or of its parts where it has one interval."""
    if len(run.starts_us) > 1:
        return [figure for figure in [_over_time(run)] if figure is not None]
    found = [figure for shown in _BESIDE if (figure := _beside(run, shown)) is not None]
    return [*found, *_yields(run)]


_OUTCOMES = {
    "x9c_dispatched_per_s": "target dispatched already", "x9c_wait_per_s": "target in wait state",
    "x9c_soft_wait_per_s": "target in soft wait", "x9c_not_ready_per_s": "target not ready",
}  # fmt: skip
"""Yields that ran no target, by the state of the target."""


def _yields(run: Measured) -> Iterator[Figure]:
    """Bars of the directed yields of each control program that counts them."""
    for row in run.raw["control_programs"].to_dicts():
        values = {words: finite(row[counter]) for counter, words in _OUTCOMES.items()}
        if any(values.values()):
            caption = f"Yields{' of ' + row['partition'] if row['partition'] else ''} that ran no target, as counted."
            yield bars([*values], [("X'9C' per s", [*values.values()])], caption)


def hardest(run: Measured) -> tuple[int, str] | None:
    """The interval that asks most of the machine, and why; None where no counter says it."""
    for shown in _OVER_TIME:
        frame = run.raw[shown.table]
        for counter, what in reversed(shown.counters):
            values = _by_interval(frame, counter, len(run.starts_us))
            if any(values):
                at = max(range(len(values)), key=lambda number: values[number] or 0.0)
                return at, what
    return None


def _over_time(run: Measured) -> Figure | None:
    """A panel per counter that has values, with the hardest interval marked; a point opens its interval."""
    count, marked = len(run.starts_us), hardest(run)
    hours = run.measured_s >= 10_800
    unit, size = ("Hours", 3600.0) if hours else ("Minutes", 60.0) if run.measured_s >= 180 else ("Seconds", 1.0)
    x = [(start - run.starts_us[0]) / 1e6 / size for start in run.starts_us]
    panels: list[Panel] = []
    for shown in _OVER_TIME:
        for counter, label in shown.counters:
            lines = [
                Series(x, values, label=name, opens=[str(at) for at in range(count)])
                for name, values in _lines(run.raw[shown.table], shown.of, counter, count)
                if any(value is not None for value in values)
            ]
            if lines:
                panels.append(Panel(label, lines))
    if not panels or marked is None:
        return None
    at, what = marked
    panels[0] = Panel(panels[0].label, panels[0].series, marks=[(x[at], "hardest")])
    named = what.partition(",")[0].lower()
    caption = f"{plural(count, 'interval')} of {seconds(run.interval_s)}, each at its start."
    caption += f" Marked: interval {at}, the highest of “{named}”. Click a point to ask about its interval alone."
    return Figure(panels, f"{unit} from the start of the first interval", caption, run.name, layout="below")


def _lines(frame: polars.DataFrame, of: str, counter: str, count: int) -> Iterator[tuple[str, list[Number]]]:
    """The values of a counter by interval: of the whole, or of the parts that have most."""
    if not of:
        yield "measured", _by_interval(frame, counter, count)
        return
    means = frame.group_by(of, maintain_order=True).mean().sort(counter, descending=True, nulls_last=True)
    for name in means[of].to_list()[:_MOST]:
        yield str(name), _by_interval(frame.filter(frame[of] == name), counter, count)


def _by_interval(frame: polars.DataFrame, counter: str, count: int) -> list[Number]:
    """The highest value of a counter in each interval; of the whole system there is one."""
    values: list[Number] = [None] * count
    if counter in frame.columns:
        for at, value in zip(frame["interval"].to_list(), frame[counter].to_list(), strict=True):
            if finite(value) is not None:
                values[at] = max(values[at] or 0.0, value)
    return values


def _beside(run: Measured, shown: _Shown) -> Figure | None:
    """Bars of the parts, those with most first; None where no part has a value."""
    frame = run.raw[shown.table]
    counters = [(name, label) for name, label in shown.counters if frame[name].null_count() < frame.height]
    if not counters:
        return None
    frame = frame.sort(counters[0][0], descending=True, nulls_last=True).head(_MOST_BARS)
    rows = [{name: frame[name].to_list() for name, _ in counters}]
    more = run.raw[shown.table].height - frame.height
    caption = f"One interval as measured{f'; {more} more are in the tables' if more else ''}."
    return bars(frame[shown.of].to_list(), [(label, rows[0][name]) for name, label in counters], caption)


def bars(names: Sequence[Any], columns: Sequence[tuple[str, Sequence[Number]]], caption: str) -> Figure:
    """A row per part, and a panel of bars per counter."""
    places = [float(at) for at in range(len(names))]
    panels = [
        Panel(label, [Series(places, values, label="measured", kind="bars")], names=[str(name) for name in names])
        for label, values in columns
    ]
    return Figure(panels, caption=caption, layout="rows")


def fleet_picture(rows: Sequence[dict[str, Any]]) -> Figure | None:
    """The workloads that are throttled most, with what they use."""
    shown = [row for row in rows[:_MOST_BARS] if row["throttled_percent"] is not None]
    if not shown:
        return None
    columns = [
        ("Periods throttled, %", [finite(row["throttled_percent"]) for row in shown]),
        ("Used, processors", [finite(row["used"]) for row in shown]),
    ]
    more = len(rows) - len(shown)
    caption = f"Those that are throttled most{f'; {more} more are in the table' if more else ''}."
    return bars([row["workload"] for row in shown], columns, caption)


def copies_picture(files: Sequence[tuple[str, bytes]]) -> Figure | None:
    """The intervals between copies of cpu.stat: periods that were throttled; None where there is one copy alone."""
    from slicewright.advise.limits.intervals import read_all

    copies = read_all(files)
    if len(copies) < 2:
        return None
    pairs = list(itertools.pairwise(copies))
    periods = [after.periods - before.periods for before, after in pairs]
    throttled = [after.throttled - before.throttled for before, after in pairs]
    x = [float(at) for at in range(1, len(pairs) + 1)]
    share: list[Number] = [100 * hit / of if of else None for hit, of in zip(throttled, periods, strict=True)]
    used: list[Number] = [after.used_s - before.used_s for before, after in pairs]
    panels = [
        Panel("Periods throttled, %", [Series(x, share, label="counted", kind="points")]),
        Panel("Processor time, s", [Series(x, used, label="counted", kind="points")]),
    ]
    caption = f"{plural(len(pairs), 'interval')} between {len(copies)} copies of the counters."
    return Figure(panels, "Interval", caption)
