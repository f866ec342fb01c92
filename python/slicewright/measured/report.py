"""A measured run as a report: its intervals over time, and its tables as means over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.report.model import Face, Lead, Paragraph, Report, Section
from slicewright.run.headline import headline
from slicewright.run.pages.run import table_section
from slicewright.run.pages.run_columns import SHOWN
from slicewright.run.pages.run_figures import intervals_picture
from slicewright.statistics import plural

if TYPE_CHECKING:
    from slicewright.measured.tables import MeasuredTables

_UNKNOWN = "Counters without a value are not in the records that were read."


def measured_report(measured: MeasuredTables) -> Report:
    """The report: its text is a part of its page."""
    total = headline(measured)
    facts = [
        ("system", measured.name), ("intervals", f"{len(measured.starts_us):,}"),
        ("files", f"{len(measured.sources):,}"), ("version", measured.version),
    ]  # fmt: skip
    lead = [Lead(total, face=Face.TEXT)] if total else []
    sections = [Section("", [Paragraph(f"{measured.name}  {measured.origin}", flush=True, face=Face.TEXT), *lead])]
    if measured.notes:
        sections.append(Section("Notes", [Paragraph(f"{note}.") for note in measured.notes]))
    picture = intervals_picture(measured)
    sections.append(Section("Interval by interval", [picture] if picture else []))
    sections += [table_section(measured, table) for table in SHOWN]
    sections.append(Section("Where the numbers come from", [Paragraph(_origin(measured)), Paragraph(_UNKNOWN)]))
    return Report(measured.name, total, facts, sections)


def glance(measured: MeasuredTables) -> Report:
    """The part that a notebook shows: the headline, the first table and its figure."""
    sections = [table_section(measured, table) for table in SHOWN]
    first = next((section for section in sections if section.blocks), None)
    return Report(measured.name, headline(measured), sections=[first] if first else [])


def _origin(measured: MeasuredTables) -> str:
    files = ", ".join(
        f"{source.file} ({plural(source.bytes, 'byte')}, SHA-256 {source.sha256[:16]})" for source in measured.sources
    )
    return f"Read from {plural(len(measured.sources), 'file')}: {files}."
