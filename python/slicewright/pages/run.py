"""What is shown of a run, as text for a terminal and as the page `report.html`: which tables, in which order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from slicewright.html import Cell, Page, Section, Table, Tone
from slicewright.pages.checks import checks, remarks
from slicewright.pages.run_columns import SHOWN, table_of
from slicewright.pages.run_figures import (
    control_processors_picture,
    decisions_pictures,
    intervals_picture,
    pools_picture,
    volumes_picture,
)
from slicewright.run.headline import headline
from slicewright.run.kinds import by_kind, spin_locks_by_kind
from slicewright.run.run import Run
from slicewright.scenario.numbers import COLUMNS, listed
from slicewright.statistics import plural, seconds
from slicewright.text import aligned
from slicewright.timeline.of_run import timeline_section

if TYPE_CHECKING:
    import polars

_ONE_BY_ONE = ("processors", "logical_processors", "control_processors")
"""Tables that are for the page alone: a terminal has no room for them."""

_LEFT = {"volumes": 2, "minidisks": 2, "locks": 2, "virtual_machines": 2, "spin_locks": 3, "threads": 2}
"""How many columns of a table are names, where it is not one."""

_NOT_INPUT = ("assumed", "borrowed", "calibrated", "default")
"""Roles of numbers that nobody has measured on the machine that is meant."""


def run_text(run: Run) -> str:
    """The run as lines for a terminal, in the style of the reports that analysts know.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> print(run_text(slicewright.run(starter("mm1"), replications=2)))
    M/M/1...
    """
    lines = [f"{run.name}  {_of_the_run(run)}"]
    total = headline(run)
    if total:
        lines += ["", f"  {total}"]
    for table, (title, columns) in SHOWN.items():
        head, rows = table_of(_frame(run, table), columns)
        if rows and table not in _ONE_BY_ONE:
            left = _LEFT.get(table, 1)
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
                *_pages_of_names(run),
            ],
        )
    )
    return Page(run.name, headline(run), facts, sections)


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
    from slicewright._core import device_page

    interval_s = run.view.measure.interval_s
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


def _frame(run: Run, table: str) -> polars.DataFrame:
    """A table as it is shown: virtual machines are too many to be shown one by one, and so are their spin locks."""
    if table == "virtual_machines":
        return by_kind(run)
    if table == "spin_locks":
        return spin_locks_by_kind(run)
    if table == "yields":
        return run.control_programs.head(run.control_programs.height if _spins(run) else 0)
    if table == "partitions" and not run.cgroups.is_empty():
        return run.partitions.head(0)  # groups of threads have a table of their own
    frame: polars.DataFrame = getattr(run, table)
    return frame


def _spins(run: Run) -> bool:
    """Whether any virtual machine has a spin lock."""
    return not run.spin_locks.is_empty()


def _section(run: Run, table: str) -> list[Section]:
    title, columns = SHOWN[table]
    head, rows = table_of(_frame(run, table), columns)
    if not rows:
        return []
    pictures = []
    if table == "volumes":
        pictures = [volumes_picture(run)]
    if table == "pools":
        pictures = [pools_picture(run)]
    if table == "control_programs":
        pictures = decisions_pictures(run)
    if table == "control_processors":
        pictures = [control_processors_picture(run)]
    return [Section(title, pictures=pictures, tables=[Table(head, rows)])]


def _pages_of_domains(run: Run) -> list[tuple[str, str]]:
    from slicewright.pages.rmf import cpu_pages_of, direct_access_page_of, partition_page_of

    if run.partitions.is_empty() or not run.cgroups.is_empty():
        return []
    return [
        ("The volumes, in the style of RMF DIRECT ACCESS DEVICE ACTIVITY", direct_access_page_of(run)),
        ("The logical processors, in the style of RMF CPU ACTIVITY", "\n".join(cpu_pages_of(run).values())),
        ("The partitions, in the style of RMF PARTITION DATA", partition_page_of(run)),
    ]


def _pages_of_names(run: Run) -> list[tuple[str, str]]:
    from slicewright.pages.enqueues import contention_page_of, enqueue_page_of

    if run.enqueues.is_empty():
        return []
    return [
        ("The resources by name, in the style of RMF ENQUEUE ACTIVITY", enqueue_page_of(run)),
        ("Who waited at the end, in the style of DISPLAY GRS", contention_page_of(run)),
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


def _of_the_run(run: Run) -> str:
    warm_up = f"warm-up cut {seconds(run.warm_up_s)}"
    return f"{plural(run.replications, 'replication')}, seed {run.seed}, {warm_up}"
