"""The tables of a run, and their order, in a terminal and on the page `report.html`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from slicewright.report.figure import Figure
from slicewright.report.model import Block, Face, Lead, Paragraph, Report, Section, Table, Verbatim
from slicewright.run.headline import headline
from slicewright.run.kinds import by_class, by_kind, spin_locks_by_kind
from slicewright.run.pages.run_columns import SHOWN
from slicewright.run.pages.run_figures import decisions_pictures, intervals_picture
from slicewright.run.pages.run_rows import control_processors_bar, pools_free, volumes_bar
from slicewright.run.results import Results
from slicewright.run.stored import is_empty
from slicewright.run.tabulated import Tabulated
from slicewright.scenario.numbers import COLUMNS, listed
from slicewright.statistics import plural, seconds

if TYPE_CHECKING:
    import polars

_ONE_BY_ONE = ("processors", "logical_processors", "control_processors")
"""Tables that are for the page alone: a terminal has no room for them."""

_NOT_INPUT = ("assumed", "borrowed", "calibrated", "default")
"""Roles of numbers that were not measured on the machine of the scenario."""


def run_report(run: Results, face: Face = Face.ALL) -> Report:
    """A run as a report: its text is a part of its page.

    For the text alone (`Face.TEXT`), what only the page shows is not made: figures, the timeline and pages in styles.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> report = run_report(slicewright.run(starter("mm1"), replications=2))
    >>> [section.title for section in report.sections][:3]
    ['', 'What is uncertain', 'Volumes']
    """
    facts = [
        ("replications", f"{run.replications:,}"), ("seed", str(run.seed)), ("warm-up cut", seconds(run.warm_up_s)),
        ("version", run.version), ("scenario SHA-256", run.checksum[:16]),
    ]  # fmt: skip
    total = headline(run)
    lead = [Lead(total, face=Face.TEXT)] if total else []
    sections = [Section("", [Paragraph(f"{run.name}  {run.origin}", flush=True, face=Face.TEXT), *lead])]
    if face is Face.TEXT:
        sections += [table_section(run, table, face) for table in SHOWN]
    else:
        sections += _on_page(run)
    return Report(run.name, total, facts, [*sections, Section("", [_end(run)])])


def _on_page(run: Results) -> list[Section]:
    """The sections of the page between the headline and the end."""
    from slicewright.timeline.of_run import timeline_section

    sections: list[Section] = []
    if run.notes:
        sections.append(Section("Notes", [Paragraph(f"{note}.", face=Face.HTML) for note in run.notes]))
    sections.append(Section("What is uncertain", [Paragraph(text, face=Face.HTML) for text in _uncertain(run)]))
    for table in SHOWN:
        sections.append(table_section(run, table))
        if table == "volumes":
            over_time = intervals_picture(run)
            sections.append(Section("Interval by interval", [over_time] if over_time else []))
    return [*sections, *timeline_section(run), *_checked(run), _numbers(run)]


def in_brief(run: Results) -> str:
    """A run in five lines: what was simulated, the headline, the tables, the state of its numbers, its notes.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> len(in_brief(slicewright.run(starter("mm1"), replications=2)).splitlines())
    5
    """
    first, *others = [*run.notes, "no notes"]
    more = f" (and {plural(len(others) - 1, 'more note')})" if len(others) > 1 else ""
    lines = [
        f"{run.name}  {run.origin}",
        f"  {headline(run) or 'nothing was measured'}",
        f"  tables: {', '.join(run.tables)}",
        f"  {_roles(run) or 'numbers: every one is input'}",
        f"  {first}{more}",
    ]
    return "\n".join(lines)


def glance(run: Results) -> Report:
    """The part of a run's report that a notebook shows: its headline, its first table and that table's figure.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> [section.title for section in glance(slicewright.run(starter("mm1"), replications=2)).sections]
    ['', 'Volumes']
    """
    first = next((table for table in SHOWN if not _frame(run, table).is_empty()), None)
    head: list[Block] = [Paragraph(run.origin, flush=True), *([Lead(line)] if (line := headline(run)) else [])]
    sections = [Section("", head), *([table_section(run, first)] if first else [])]
    return Report(run.name, headline(run), sections=sections)


def _numbers(run: Results) -> Section:
    """Where the numbers come from, and the run as pages that other programs read."""
    pages = [
        ("The resolved scenario, every default written out", run.scenario),
        ("The devices, in the style of FCX108", device_page_of(run)),
        ("The members of each pool, in the style of QUERY PAV", pool_listing_of(run)),
        *_pages_of_domains(run),
        *_pages_of_names(run),
    ]
    return Section(
        "Where the numbers come from",
        [
            Paragraph("Every quantity of the scenario, with its role and its reason.", face=Face.HTML),
            Table(COLUMNS, listed(run.numbers), face=Face.HTML),
            *(Verbatim(title, text) for title, text in pages),
        ],
    )


def _end(run: Results) -> Paragraph:
    """What the text ends with: what ± means, and the notes."""
    noise = f"± is the 95 % half-width over {plural(run.replications, 'replication')}."
    if run.replications < 2:
        noise = "One replication: no half-widths."
    notes = [f"Note: {note}." for note in [*run.notes, *_remarks_on_samples(run)]]
    return Paragraph("\n".join([noise, *notes]), flush=True, face=Face.TEXT)


def _remarks_on_samples(run: Results) -> list[str]:
    """Remarks on the samples of partitions; the notes already hold the other checks against the study."""
    if run.raw["partitions"].is_empty():
        return []
    from slicewright.run.pages.checks import checks, remarks

    return remarks([check for check in checks(run) if check.rule == "samples"])


def _uncertain(run: Results) -> list[str]:
    """Sentences on what half-widths cover and what they do not, with how many numbers of the scenario are no input.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> _uncertain(slicewright.run(starter("mm1"), replications=2))[0]
    '± and bars are 95 % half-widths over 2 replications: simulation noise only...'
    """
    noise = f"± and bars are 95 % half-widths over {plural(run.replications, 'replication')}: simulation noise only."
    if run.replications < 2:
        noise = "One replication: without half-widths, the random variation of the numbers is unknown."
    roles = _roles(run)
    rest = f" {roles}; all are listed below." if roles else ""
    return [
        noise,
        "They do not cover the difference between scenario and machine: each number of the scenario is taken as given."
        + rest,
    ]


def _roles(run: Results) -> str:
    """How many of the scenario's numbers are no input, role by role."""
    roles = Counter(number.get("role", "") for number in run.numbers)
    named = [f"{plural(roles[role], 'is', 'are')} {role}" for role in _NOT_INPUT if roles[role]]
    return f"Of its {plural(len(run.numbers), 'number')} {', '.join(named)}" if named else ""


def device_page_of(run: Tabulated, response: str = "toolkit") -> str:
    """The run as a page in the style of FCX108: one row per device, means over replications.

    `response` is the toolkit's own, or "correct".

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> "DEVICE" in device_page_of(slicewright.run(starter("mm1"), replications=2))
    True
    """
    from slicewright._core import device_page

    note = f"{run.made_by}, {run.origin}"
    title = {"run": run.name, "interval_s": run.measured_s, "note": note, "response": response}
    return device_page(title, run.devices.to_dict(as_series=False), run.volumes.to_dict(as_series=False))


def pool_listing_of(run: Tabulated) -> str:
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

    note = f"the devices of {run.name}, as {run.made_by}"
    return pool_listing(note, run.devices.to_dict(as_series=False), run.volumes.to_dict(as_series=False))


def _frame(run: Tabulated, table: str) -> polars.DataFrame:
    """A table as it is shown: virtual machines are too many to be shown one by one, and so are their spin locks."""
    if table == "virtual_machines":
        return by_kind(run)
    if table == "classes":
        return by_class(run)
    if table == "spin_locks":
        return spin_locks_by_kind(run)
    if table == "yields":
        return run.control_programs.head(run.control_programs.height if (not run.spin_locks.is_empty()) else 0)
    if table == "partitions" and not run.cgroups.is_empty():
        return run.partitions.head(0)  # groups of threads have a table of their own
    return run[table]


def table_section(run: Tabulated, table: str, face: Face = Face.ALL) -> Section:
    """A table of a run with its figures; empty where the run or the face has none."""
    title, columns = SHOWN[table]
    own = Face.HTML if table in _ONE_BY_ONE else Face.ALL
    if not own & face or (table in run.raw and is_empty(run.raw, table)):
        return Section(title, [])  # an empty table takes as long to estimate as one of some rows
    frame = _frame(run, table)
    if frame.is_empty():
        return Section(title, [])
    figures = _figures(run, table) if face & Face.HTML else []
    return Section(title, [*figures, Table(columns, frame.to_dicts(), title, face=own)])


def _figures(run: Tabulated, table: str) -> list[Figure]:
    match table:
        case "volumes":
            return [volumes_bar(run.volumes)]
        case "pools":
            return [pools_free(run.pools)]
        case "control_programs":
            return decisions_pictures(run)
        case "control_processors":
            return [control_processors_bar(run.control_processors)]
        case _:
            return []


def _pages_of_domains(run: Results) -> list[tuple[str, str]]:
    from slicewright.run.pages.rmf import cpu_pages_of, direct_access_page_of, partition_page_of

    if run.partitions.is_empty() or not run.cgroups.is_empty():
        return []
    return [
        ("The volumes, in the style of RMF DIRECT ACCESS DEVICE ACTIVITY", direct_access_page_of(run)),
        ("The logical processors, in the style of RMF CPU ACTIVITY", "\n".join(cpu_pages_of(run).values())),
        ("The partitions, in the style of RMF PARTITION DATA", partition_page_of(run)),
    ]


def _pages_of_names(run: Results) -> list[tuple[str, str]]:
    from slicewright.run.pages.enqueues import contention_page_of, enqueue_page_of

    if run.enqueues.is_empty():
        return []
    return [
        ("The resources by name, in the style of RMF ENQUEUE ACTIVITY", enqueue_page_of(run)),
        ("The waiters at the end, in the style of DISPLAY GRS", contention_page_of(run)),
    ]


def _checked(run: Results) -> list[Section]:
    """The recommendations of the study, where the run shares processors or breaks one."""
    from slicewright.run.pages.checks import CHECKED, checks

    rows = checks(run)
    if run.partitions.is_empty() and all(check.verdict == "ok" for check in rows):
        return []
    text = "The recommendations of the 580/MDF study on measuring and sharing, checked for this run."
    return [Section("Checks", [Paragraph(text, face=Face.HTML), Table(CHECKED, rows, face=Face.HTML)])]
