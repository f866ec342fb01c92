"""The contents of files of monitor data as a report: systems, intervals, records by kind, and what these can answer."""

from __future__ import annotations

from slicewright.measured.measured import Measured
from slicewright.measured.read import MonitorData
from slicewright.report.model import Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns
from slicewright.statistics import plural

HOLDS = {
    "0/2": "processor time and T/V ratio of a control program",
    "0/16": "processor time of partitions",
    "0/23": "spin time of the scheduler lock",
    "5/12": "rates of DIAGNOSE X'44' and X'9C'",
    "6/3": "rate, response and queue of devices and volumes: report --page fcx108",
    "6/28": "tries and fails of alias pools",
    "70-1": "processor time of partitions",
    "72-5": "ENQ and DEQ, rates and delays",
    "73-1": "utilization of channel paths",
    "74-1": "rate, response and queue of volumes",
    "77-1": "contention by name",
    "78-3": "tries and fails of alias pools",
    "87-2": "each ENQ and DEQ that GRS monitors: rates by name and scope, and how long tasks held names",
    "page": "rows as they are printed: report --page prints a page of what --out wrote",
    "btt": "rate, response and service of a device",
    "dasdstat": "rate, response and service of DASD volumes",
    "fio": "rate and response at a queue depth",
    "iostat": "rate, response and queue of disks",
}
"""The contents of each kind of record; all kinds together decide which questions they answer."""

_KINDS = columns(
    "record; name ?; title; records | right; kib | right | KiB; used | | -",
    values={
        "records": lambda kind: f"{kind.records:,}",
        "kib": lambda kind: f"{kind.bytes / 1024:,.0f}",
        "used": lambda kind: "used" if kind.used else "counted",
    },
)


def contents_report(data: MonitorData) -> Report:
    """The report of what files hold."""
    size = f"{plural(data.bytes, 'byte')}, {plural(data.records, 'record')}"
    spans = [Paragraph(f"{run.name}: {run.origin.removeprefix('measured, ')}") for run in data.runs.values()]
    if not data.runs:
        spans = [Paragraph("No interval: an interval is the difference of two samples of one system.")]
    holds = list(dict.fromkeys(HOLDS[kind.record] for kind in data.kinds if kind.record in HOLDS))
    return Report(
        "Monitor data", size, [("files", f"{len(data.sources):,}"), ("records", f"{data.records:,}")],
        [
            Section("", [Lead(f"{plural(len(data.sources), 'file')}: {size}"), *spans]),
            Section("Records", [Table(_KINDS, list(data.kinds))]),
            *(section for run in data.runs.values() if data.pages for section in _printed(run)),
            Section("", [Notes("Holds", holds)] if holds else []),
            Section("", [Notes("Not read", counted)] if (counted := _counted(data)) else []),
            Section("", [Notes("Answers", _answers(data))] if data.runs else []),
            Section("", [Notes("Needs", needs)] if (needs := _needs(data)) else []),
            Section("", [Notes("Notes", list(data.notes))] if data.notes else []),
        ],
    )  # fmt: skip


def _counted(data: MonitorData) -> list[str]:
    """Records of SMF that have a name and are counted alone."""
    smf = [kind for kind in data.kinds if "-" in kind.record and not kind.name]
    return [f"{kind.record}, {kind.title}: counted alone" for kind in smf if kind.title and not kind.used]


def _printed(run: Measured) -> list[Section]:
    """The rows of pages, table by table."""
    from slicewright.run.pages.run_columns import SHOWN
    from slicewright.run.tables import counters

    sections = []
    for name in ("volumes", "channels", "partitions", "logical_processors", "control_programs"):
        # Of a control program a page has the yields alone.
        title, shown = SHOWN["yields" if name == "control_programs" else name]
        frame = run[name]
        if any(frame[counter].count() for counter in counters(frame)):
            sections.append(Section(title, [Table(shown, frame.to_dicts(), title)]))
    return sections


def _needs(data: MonitorData) -> list[str]:
    """The facts that pages lack for each question that they ask and do not answer by themselves."""
    from slicewright.advise.questions import QUESTIONS
    from slicewright.values.errors import sentence

    asked = [question for question in QUESTIONS.values() if data.pages and question.reads(data.pages)]
    return [f"advise {question.name}: {sentence(lack)}" for question in asked for lack in question.lacks(data.pages)]


def _answers(data: MonitorData) -> list[str]:
    """The questions that the data answer, as `advise` itself decides it."""
    from slicewright.advise.questions import answered_by_data

    systems = answered_by_data(data)
    lines = []
    for name, asked in systems:
        first = f" ({name}: read --system {name} --out DIR first)" if len(systems) > 1 else ""
        for question in asked:
            given = f" ({question.day.given})" if question.day is not None and question.day.given else ""
            lines.append(f"advise {question.name}: {question.asks}{given}{first}")
    return lines or ["no question of advise: advise QUESTION FILE names the records that it lacks"]
