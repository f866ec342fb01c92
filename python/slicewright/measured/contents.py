"""The contents of files of monitor data as a report: systems, intervals, records by kind, and what these can answer."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from slicewright.measured.read import MonitorData
from slicewright.measured.tables import when
from slicewright.report.forms import words_right
from slicewright.report.model import Column, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.statistics import plural

ANSWERS = {
    (0, 2): "report --page proclog; T/V ratio, processor time",
    (0, 16): "weights and time of partitions: advise slices",
    (0, 23): "spin time of the scheduler lock: report --page locklog",
    (5, 12): "rates of DIAGNOSE X'44' and X'9C': advise yields",
    (6, 3): "rate, response and queue of devices and volumes: report --page fcx108, advise aliases",
    (6, 28): "tries and fails of alias pools: advise aliases",
}
"""The use of the records of a kind."""

_KINDS: list[Column[Mapping[str, Any]]] = [
    Column("record", "record", lambda kind: f"{kind['domain']}/{kind['record']}"),
    Column("name", "name", itemgetter("name")),
    Column("title", "title", itemgetter("title")),
    Column("samples", "samples", lambda kind: f"{kind['samples']:,}", form=words_right),
    Column("events", "events", lambda kind: f"{kind['events']:,}", form=words_right),
    Column("kib", "KiB", lambda kind: f"{kind['bytes'] / 1024:,.0f}", form=words_right),
    Column("used", "", lambda kind: "used" if kind["used"] else "counted"),
]


def contents_report(data: MonitorData) -> Report:
    """The report of what files hold."""
    size = f"{data.bytes:,} bytes, {data.records:,} records"
    spans = [Paragraph(f"{run.name}: {run.origin.removeprefix('measured, ')}") for run in data.runs.values()]
    if not data.runs:
        spans = [Paragraph("No interval: an interval is the difference of two samples of one system.")]
    present = {(kind["domain"], kind["record"]) for kind in data.kinds}
    answers = [what for code, what in ANSWERS.items() if code in present]
    notes = list(dict.fromkeys(note for run in data.runs.values() for note in run.notes)) or list(data.notes)
    return Report(
        "Monitor data", size, _facts(data),
        [
            Section("", [Lead(f"{plural(len(data.sources), 'file')}: {size}"), *spans]),
            Section("Records", [Table(_KINDS, list(data.kinds))]),
            Section("", [Notes("Answers", answers)] if answers else []),
            Section("", [Notes("Notes", notes)] if notes else []),
        ],
    )  # fmt: skip


def _facts(data: MonitorData) -> list[tuple[str, str]]:
    facts = [("files", f"{len(data.sources):,}"), ("records", f"{data.records:,}")]
    if data.span_us:
        facts += [("first record", f"{when(data.span_us[0])} UTC"), ("last record", f"{when(data.span_us[1])} UTC")]
    return facts
