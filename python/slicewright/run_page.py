"""What is shown of a run, as text for a terminal and as the page `report.html`: which columns, in which order.

It leaves out how numbers, tables and pages are made: `statistics`, `text` and `html` know that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.html import Page, Picture, Section, Table
from slicewright.numbers import COLUMNS, listed
from slicewright.run import Run
from slicewright.statistics import (
    NOTHING,
    count,
    fixed,
    milliseconds,
    plus_minus,
    plus_minus_column,
    seconds,
    significant,
)
from slicewright.text import aligned, plural

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One printed column: its heading and what it prints of all rows.

    >>> Column("resp", lambda rows: [fixed(row["response_ms"], 2) for row in rows]).show([{"response_ms": 1.84}])
    ['1.84']
    """

    head: str
    show: Callable[[Sequence[Row]], list[str]]


def _each(head: str, show: Callable[[Row], str]) -> Column:
    return Column(head, lambda rows: [show(row) for row in rows])


def _name(column: str, head: str = "") -> Column:
    return _each(head or column, lambda row: str(row[column]))


def _ms(column: str, head: str) -> Column:
    return _each(head, lambda row: milliseconds(row[column]))


def _plain(column: str, head: str) -> Column:
    return _each(head, lambda row: significant(row[column]))


def _count(column: str, head: str) -> Column:
    return _each(head, lambda row: count(row[column]))


def _percent(column: str, head: str) -> Column:
    return _each(head, lambda row: fixed(row[column], 1))


def _estimate(column: str, head: str) -> Column:
    return Column(head, lambda rows: plus_minus_column([(row[column], row[f"{column}_half_width"]) for row in rows]))


SHOWN: dict[str, tuple[str, Sequence[Column]]] = {
    "volumes": (
        "Volumes",
        (
            _name("volume"), _name("device"), _estimate("io_per_s", "I/O per s"), _ms("pend_ms", "pend"),
            _ms("disc_ms", "disc"), _ms("conn_ms", "conn"), _ms("service_ms", "serv"),
            _estimate("response_ms", "resp, ms"), _ms("response_p95_ms", "p95"),
            _estimate("queue_depth", "queued"), _plain("queue_depth_sampled", "sampled"),
        ),
    ),
    "pools": (
        "Alias pools",
        (
            _name("pool"), _count("aliases", "aliases"), _count("tries", "tries"), _count("fails", "fails"),
            _each("fails/tries, %", lambda row: fixed(_times(row["fails_per_try"], 100), 1)),
            _count("low_water", "low water"), _count("high_water", "high water"), _plain("free_mean", "free, mean"),
        ),
    ),
    "control_units": (
        "Control units",
        (
            _name("control_unit", "control unit"), _name("paths"), _estimate("io_per_s", "I/O per s"),
            _estimate("connected", "connected"), _plain("slowdown", "slowdown"),
        ),
    ),
    "guests": (
        "Guests",
        (
            _name("guest"), _count("population", "population"), _estimate("cycles_per_s", "cycles per s"),
            _plain("io_per_s", "I/O per s"), _ms("think_ms", "think"), _ms("compute_ms", "compute"),
            _ms("response_ms", "resp"), _estimate("cycle_ms", "cycle, ms"),
        ),
    ),
    "processors": (
        "Virtual processors",
        (
            _name("guest"), _count("virtual_processors", "processors"), _percent("compute_percent", "compute, %"),
            _percent("think_percent", "think, %"), _percent("io_wait_percent", "I/O wait, %"),
        ),
    ),
}  # fmt: skip


def run_text(run: Run) -> str:
    """The run as lines for a terminal, in the style of the reports that analysts know.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> print(run_text(slicewright.run(starter("mm1"), replications=2)))
    M/M/1...
    """
    lines = [f"{run.name}  {_of_the_run(run)}"]
    total = _system_line(run)
    if total:
        lines += ["", f"  {total}"]
    for table, (title, columns) in SHOWN.items():
        rows = _rows(getattr(run, table), columns)
        if rows and table != "processors":
            left = 2 if table == "volumes" else 1
            lines += ["", title, *aligned([column.head for column in columns], rows, left=left)]
    lines += ["", f"± is the 95 % half-width over {plural(run.replications, 'replication')}."]
    if run.replications < 2:
        lines[-1] = "One replication: no half-widths."
    return "\n".join([*lines, *(f"Note: {note}." for note in run.notes)])


def run_page(run: Run) -> Page:
    """The run as a page.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run_page(slicewright.run(starter("mm1"), replications=2)).sections[0].title
    'Volumes'
    """
    sections = [section for table in SHOWN if (section := _section(run, table))]
    facts = [
        ("replications", f"{run.replications:,}"), ("seed", str(run.seed)), ("warm-up cut", seconds(run.warm_up_s)),
        ("version", run.version), ("scenario SHA-256", run.checksum[:16]),
    ]  # fmt: skip
    numbers = listed(run.numbers)
    sections.append(
        Section(
            "Where the numbers come from",
            ["Every quantity of the scenario, with its role and its reason."],
            tables=[Table(COLUMNS, numbers)] if numbers else [],
            folded=[
                ("The resolved scenario, every default written out", run.scenario),
                ("The devices, in the style of FCX108", device_page_of(run)),
            ],
        )
    )
    if run.notes:
        sections.insert(0, Section("Notes", [f"{note}." for note in run.notes]))
    return Page(run.name, _system_line(run), facts, sections)


def device_page_of(run: Run, response: str = "toolkit") -> str:
    """The run as a page in the style of FCX108: one row per device, means over replications.

    `response` is the toolkit's own, or "correct".

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> "DEVICE" in device_page_of(slicewright.run(starter("mm1"), replications=2))
    True
    """
    from slicewright._core import Scenario, device_page

    interval_s = Scenario.read(run.scenario.encode(), "scenario.toml").measure["interval_s"]
    note = f"simulated by slicewright {run.version}, {_of_the_run(run)}"
    title = {"run": run.name, "interval_s": interval_s, "note": note, "response": response}
    return device_page(title, run.devices.to_dict(as_series=False), run.volumes.to_dict(as_series=False))


def _section(run: Run, table: str) -> Section | None:
    from slicewright.plots import volumes_bar

    title, columns = SHOWN[table]
    frame = getattr(run, table)
    rows = _rows(frame, columns)
    if not rows:
        return None
    pictures = []
    if table == "volumes":
        pictures = [Picture(volumes_bar(frame), _bar_caption(frame))]
    return Section(title, pictures=pictures, tables=[Table([column.head for column in columns], rows)])


def _bar_caption(frame: polars.DataFrame) -> str:
    shown = f"The 40 slowest of {frame.height:,} volumes. " if frame.height > 40 else ""
    return f"{shown}Response time by its parts; the whisker is the 95 % half-width of the whole."


def _rows(frame: polars.DataFrame, columns: Sequence[Column]) -> list[list[str]]:
    if frame.is_empty():
        return []
    rows = frame.to_dicts()
    return [list(cells) for cells in zip(*(column.show(rows) for column in columns), strict=True)]


def _of_the_run(run: Run) -> str:
    warm_up = f"warm-up cut {seconds(run.warm_up_s)}"
    return f"{plural(run.replications, 'replication')}, seed {run.seed}, {warm_up}"


def _system_line(run: Run) -> str:
    if run.system.is_empty():
        return ""
    row = run.system.row(0, named=True)
    rate, response, waiting = (
        plus_minus(row[name], row[f"{name}_half_width"]) for name in ("io_per_s", "response_ms", "queue_depth")
    )
    if rate == NOTHING:
        return ""
    return f"{plural(run.volumes.height, 'volume')}: {rate} I/O per s, response {response} ms, {waiting} waiting"


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
