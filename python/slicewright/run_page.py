"""What is shown of a run, as text for a terminal and as the page `report.html`: which columns, in which order.

It leaves out how numbers, tables and pages are made (`statistics`, `text` and `html` know that), and which pictures
suit a run (`run_pictures`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.checks import checks, remarks
from slicewright.html import Cell, Page, Section, Table, Tone
from slicewright.numbers import COLUMNS, listed
from slicewright.run import Run
from slicewright.run_pictures import intervals_picture, pools_picture, volumes_picture
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
from slicewright.timeline.of_run import timeline_section

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One printed column: its heading and what it prints of all rows; `only` is what must be there for it to be shown.

    >>> Column("resp", lambda rows: [fixed(row["response_ms"], 2) for row in rows]).show([{"response_ms": 1.84}])
    ['1.84']
    """

    head: str
    show: Callable[[Sequence[Row]], list[str]]
    only: Callable[[Sequence[Row]], bool] = lambda _: True


def _each(head: str, show: Callable[[Row], str]) -> Column:
    return Column(head, lambda rows: [show(row) for row in rows])


def _if_any(column: str, shown: Column) -> Column:
    """A column that is left out where its counter is zero everywhere."""
    return Column(shown.head, shown.show, lambda rows: any(row.get(column) for row in rows))


def _name(column: str, head: str = "") -> Column:
    return _each(head or column, lambda row: str(row[column]))


def _ms(column: str, head: str) -> Column:
    return _each(head, lambda row: milliseconds(row[column]))


def _plain(column: str, head: str) -> Column:
    return _each(head, lambda row: significant(row[column]))


def _count(column: str, head: str) -> Column:
    return _each(head, lambda row: count(row[column]))


def _level(column: str, head: str) -> Column:
    """A mean over time of what is a count most of the time."""
    return _each(head, lambda row: (count if row[column] == round(row[column] or 0) else significant)(row[column]))


_VARIED = Column(
    "online",
    _level("paths_online", "online").show,
    lambda rows: any(row.get("paths_online") not in (None, row["paths"]) for row in rows),
)
"""Paths online, where they are not all of them all the time."""


def _percent(column: str, head: str) -> Column:
    return _each(head, lambda row: fixed(row[column], 1))


def _estimate(column: str, head: str) -> Column:
    return Column(head, lambda rows: plus_minus_column([(row[column], row[f"{column}_half_width"]) for row in rows]))


_NOT_INPUT = ("assumed", "borrowed", "calibrated", "default")
"""Roles of numbers that nobody has measured on the machine that is meant."""

SHOWN: dict[str, tuple[str, Sequence[Column]]] = {
    "volumes": (
        "Volumes",
        (
            _name("volume"), _name("device"), _estimate("io_per_s", "I/O per s"),
            _if_any("avoided_per_s", _plain("avoided_per_s", "avoided")),
            _if_any("writes_per_s", _plain("writes_per_s", "writes")), _ms("pend_ms", "pend"),
            _if_any("held_ms", _ms("held_ms", "held")), _ms("disc_ms", "disc"),
            _ms("conn_ms", "conn"), _ms("service_ms", "serv"),
            _if_any("iosq_rmf_ms", _ms("iosq_ms", "IOSQ")), _if_any("iosq_rmf_ms", _ms("iosq_rmf_ms", "inside")),
            _if_any("hold_ms", _ms("hold_ms", "hold")), _estimate("response_ms", "resp, ms"),
            _ms("response_p95_ms", "p95"), _estimate("queue_depth", "queued"), _plain("queue_depth_sampled", "sampled"),
            _if_any("reserved_percent", _percent("reserved_percent", "reserved, %")),
        ),
    ),
    "pools": (
        "Alias pools",
        (
            _name("pool"), _level("aliases", "aliases"), _count("tries", "tries"), _count("fails", "fails"),
            _each("fails/tries, %", lambda row: fixed(_times(row["fails_per_try"], 100), 1)),
            _count("low_water", "low water"), _count("high_water", "high water"), _plain("free_mean", "free, mean"),
        ),
    ),
    "control_units": (
        "Control units",
        (
            _name("control_unit", "control unit"), _name("paths"), _VARIED,
            _estimate("io_per_s", "I/O per s"),
            _estimate("connected", "connected"), _plain("slowdown", "slowdown"),
        ),
    ),
    "minidisks": (
        "Minidisks",
        (
            _name("minidisk"), _name("volume"), _estimate("io_per_s", "I/O per s"), _plain("avoided_per_s", "avoided"),
            _estimate("queue_depth", "waiting"), _ms("wait_ms", "wait"), _estimate("response_ms", "resp, ms"),
        ),
    ),
    "resources": (
        "Resources",
        (
            _name("resource"), _name("count"), _plain("takes_per_s", "takes per s"), _estimate("in_use", "in use"),
            _plain("queue_depth", "waiting"), _estimate("wait_ms", "wait, ms"), _ms("hold_ms", "held"),
        ),
    ),
    "front_ends": (
        "Front ends",
        (
            _name("front_end", "front end"), _estimate("io_per_s", "I/O per s"),
            _plain("messages_per_io", "messages per I/O"), _plain("in_per_s", "in per s"),
            _plain("out_per_s", "out per s"), _estimate("in_wait_ms", "wait in, ms"),
            _estimate("out_wait_ms", "wait out, ms"), _plain("in_queue", "waiting in"),
            _plain("out_queue", "waiting out"),
        ),
    ),
    "partitions": (
        "Partitions",
        (
            _name("partition"), _name("logical_processors", "processors"),
            _percent("dispatched_percent", "dispatched, %"), _percent("effective_percent", "effective, %"),
            _percent("wait_percent", "wait, %"), _percent("pending_percent", "pending, %"),
            _percent("management_percent", "management, %"), _estimate("cpu_percent", "CPU, %"),
            _plain("interrupts_per_s", "interrupts per s"), _percent("tpi_percent", "TPI, %"),
            _estimate("hold_ms", "hold, ms"),
        ),
    ),
    "logical_processors": (
        "Logical processors",
        (
            _name("partition"), _name("number"), _percent("dispatched_percent", "dispatched, %"),
            _percent("effective_percent", "effective, %"), _percent("wait_percent", "wait, %"),
            _percent("pending_percent", "pending, %"), _percent("busy_percent", "with work, %"),
            _plain("interrupts_per_s", "interrupts per s"), _percent("tpi_percent", "TPI, %"),
        ),
    ),
    "guests": (
        "Guests",
        (
            _name("guest"), _count("population", "population"), _estimate("cycles_per_s", "cycles per s"),
            _plain("io_per_s", "I/O per s"), _ms("think_ms", "think"), _ms("compute_ms", "compute"),
            _ms("response_ms", "resp"), _if_any("resource_wait_ms", _ms("resource_wait_ms", "for resources")),
            _if_any("message_ms", _ms("message_ms", "messages")),
            _if_any("message_ms", _estimate("transaction_ms", "transaction, ms")), _estimate("cycle_ms", "cycle, ms"),
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
        head, rows = _table(getattr(run, table), columns)
        if rows and table not in ("processors", "logical_processors"):
            left = 2 if table in ("volumes", "minidisks") else 1
            lines += ["", title, *aligned(head, rows, left=left)]
    lines += ["", f"± is the 95 % half-width over {plural(run.replications, 'replication')}."]
    if run.replications < 2:
        lines[-1] = "One replication: no half-widths."
    # Of what the study recommends, the notes say already what can be said of a scenario before it runs.
    samples = [one for one in checks(run) if one.rule == "samples"]
    return "\n".join([*lines, *(f"Note: {note}." for note in [*run.notes, *remarks(samples)])])


def run_page(run: Run) -> Page:
    """The run as a page.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> [section.title for section in run_page(slicewright.run(starter("mm1"), replications=2)).sections][:2]
    ['What is uncertain', 'Volumes']
    """
    facts = [
        ("replications", f"{run.replications:,}"), ("seed", str(run.seed)), ("warm-up cut", seconds(run.warm_up_s)),
        ("version", run.version), ("scenario SHA-256", run.checksum[:16]),
    ]  # fmt: skip
    sections = [Section("Notes", [f"{note}." for note in run.notes])] if run.notes else []
    sections.append(Section("What is uncertain", uncertain(run)))
    for table in SHOWN:
        sections += _section(run, table)
        if table == "volumes":
            sections += _over_time(run)
    sections += timeline_section(run)
    sections += _checked(run)
    numbers = listed(run.numbers)
    sections.append(
        Section(
            "Where the numbers come from",
            ["Every quantity of the scenario, with its role and its reason."],
            tables=[Table(COLUMNS, numbers)] if numbers else [],
            folded=[
                ("The resolved scenario, every default written out", run.scenario),
                ("The devices, in the style of FCX108", device_page_of(run)),
                ("Who belongs to which pool, in the style of QUERY PAV", pool_listing_of(run)),
                *_pages_of_domains(run),
            ],
        )
    )
    return Page(run.name, _system_line(run), facts, sections)


def uncertain(run: Run) -> list[str]:
    """What half-widths cover and what they do not, with how many numbers of the scenario are no input.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> uncertain(slicewright.run(starter("mm1"), replications=2))[0]
    '± and bars are 95 % half-widths over 2 replications: simulation noise only...'
    """
    noise = f"± and bars are 95 % half-widths over {plural(run.replications, 'replication')}: simulation noise only."
    if run.replications < 2:
        noise = "One replication: there are no half-widths, and nothing here tells how far chance moved the numbers."
    roles = Counter(number.get("role", "") for number in run.numbers)
    named = [f"{plural(roles[role], 'is', 'are')} {role}" for role in _NOT_INPUT if roles[role]]
    rest = f" Of its {len(run.numbers):,} numbers {', '.join(named)}; all are listed below." if named else ""
    return [
        noise,
        "They say nothing of whether the scenario is like the machine: each of its numbers is taken as it stands."
        + rest,
    ]


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


def pool_listing_of(run: Run) -> str:
    """Which base and which alias is in which pool, in the style of CP QUERY PAV.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> print(pool_listing_of(slicewright.run(starter("mm1"), replications=2)))
    Pool listing in the style of CP QUERY PAV, written by slicewright
    ...
    Device 0100 is a base without aliases
    <BLANKLINE>
    """
    from slicewright._core import pool_listing

    note = f"the devices of {run.name}, as simulated by slicewright {run.version}"
    return pool_listing(note, run.devices.to_dict(as_series=False), run.volumes.to_dict(as_series=False))


def _section(run: Run, table: str) -> list[Section]:
    title, columns = SHOWN[table]
    head, rows = _table(getattr(run, table), columns)
    if not rows:
        return []
    pictures = []
    if table == "volumes":
        pictures = [volumes_picture(run)]
    if table == "pools":
        pictures = [pools_picture(run)]
    return [Section(title, pictures=pictures, tables=[Table(head, rows)])]


def _pages_of_domains(run: Run) -> list[tuple[str, str]]:
    from slicewright.rmf_pages import cpu_pages_of, direct_access_page_of, partition_page_of

    if run.partitions.is_empty():
        return []
    return [
        ("The volumes, in the style of RMF DIRECT ACCESS DEVICE ACTIVITY", direct_access_page_of(run)),
        ("The logical processors, in the style of RMF CPU ACTIVITY", "\n".join(cpu_pages_of(run).values())),
        ("The partitions, in the style of RMF PARTITION DATA", partition_page_of(run)),
    ]


def _checked(run: Run) -> list[Section]:
    """The recommendations of the study, where the run shares processors or breaks one."""
    found = checks(run)
    if run.partitions.is_empty() and all(one.verdict == "ok" for one in found):
        return []
    tones: dict[str, Tone] = {"ok": "good", "suspect": "bad", "warning": "fair", "not told": "quiet"}
    rows: list[list[str | Cell]] = [
        [Cell(one.verdict, tones[one.verdict]), one.subject, one.rule, one.said, one.why] for one in found
    ]
    text = "What the 580/MDF study recommends of measuring and sharing, held against this run."
    return [Section("Checks", [text], tables=[Table(("verdict", "of", "rule", "found", "why"), rows)])]


def _over_time(run: Run) -> list[Section]:
    picture = intervals_picture(run)
    return [Section("Interval by interval", pictures=[picture])] if picture else []


def _table(frame: polars.DataFrame, columns: Sequence[Column]) -> tuple[list[str], list[list[str]]]:
    """The headings and the rows of the columns that have something to show."""
    rows = frame.to_dicts()
    shown = [column for column in columns if rows and column.only(rows)]
    cells = [list(cells) for cells in zip(*(column.show(rows) for column in shown), strict=True)]
    return [column.head for column in shown], cells


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
