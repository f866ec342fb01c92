"""What the reports of all questions have alike: the order of their parts, and readings as a table and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from slicewright.advise.constants import Constant, Reading, constants_table
from slicewright.advise.notes import Noted, note_blocks
from slicewright.report.forms import estimates
from slicewright.report.json import values
from slicewright.report.model import Block, Column, Face, Paragraph, Report, Section, Table
from slicewright.statistics import Estimate

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Parts:
    """What one question puts into its report; `rejected` are readings that do not fit, a sentence each."""

    title: str
    subject: str
    """What the answer is about, such as a partition or a pool."""
    heading: str
    facts: Sequence[tuple[str, str]]
    blocks: Sequence[Block]
    readings: Table[Any] | None = None
    constants: Sequence[Constant] = ()
    rejected: Sequence[str] = ()


def advice_report(answer: Noted, parts: Parts) -> Report:
    """The report of an answer: the answer itself, readings, notes, and the constants that nobody measured here."""
    sections = [Section(parts.subject, [Paragraph(parts.heading, flush=True, face=Face.TEXT), *parts.blocks])]
    if parts.readings is not None and len(parts.readings.rows) > 1:
        sections.append(Section("Readings", [parts.readings]))
    sections.append(Section("", note_blocks(answer, parts.rejected)))
    sections.append(Section("Assumed and borrowed constants", [constants_table(parts.constants)]))
    return Report(parts.title, parts.heading, parts.facts, sections)


def readings_table(
    readings: Sequence[Reading[C]], named: Callable[[C], str], gain: tuple[str, str]
) -> Table[Reading[C]]:
    """What would be chosen under each reading, and what it gains; `gain` is the header and the unit of that."""

    def chosen(reading: Reading[C]) -> str:
        return named(reading.chosen) if reading.chosen is not None else f"not simulated: {reading.why}"

    def gained(reading: Reading[C]) -> Estimate | None:
        return reading.gain if reading.chosen is not None else None

    return Table(
        [
            Column("what", "reading", lambda reading: reading.what),
            Column("choose", "choose", chosen),
            Column(
                "gain",
                gain[0],
                lambda reading: reading.gain if reading.chosen is not None else None,
                gain[1],
                estimates,
            ),
        ],
        readings,
    )


def readings_json(readings: Sequence[Reading[C]], shown: Callable[[C], Any], gain: str) -> list[dict[str, Any]]:
    """Readings as objects; `gain` is the key of what the chosen one gains."""
    return [
        {"name": reading.name, "what": reading.what, "accepted": reading.chosen is not None}
        | (
            {"why": reading.why}
            if reading.chosen is None
            else {"choose": shown(reading.chosen), **values(gain, reading.gain)}
        )
        for reading in readings
    ]
