"""The parts that the reports of all questions share: their order, readings, and the document of a comparison."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from slicewright.advise.constants import OPEN, Constant
from slicewright.advise.notes import demand
from slicewright.experiment.paired import below, beyond
from slicewright.report.json import fields, records, values
from slicewright.report.model import Block, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns
from slicewright.statistics import Estimate, plural, plus_minus, seconds

if TYPE_CHECKING:
    from slicewright.advise.answer import Answer, Explanation, Reading

V = TypeVar("V")

WIDE_TIMES, WIDE_BY = 4, 16
"""ASSUME: a range with more than both of these from its low to its high end is no recommendation."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one question's report; `rejected` are readings that do not fit, a sentence each."""

    title: str
    subject: str
    """The subject of the answer, such as a partition or a pool."""
    heading: str
    facts: Sequence[tuple[str, str]]
    blocks: Sequence[Block]
    readings: Table[Any] | None = None
    constants: Sequence[Constant] = ()
    rejected: Sequence[str] = ()


def advice_report(notes: Explanation, parts: Parts) -> Report:
    """The report of an answer: the answer itself, readings, notes, and the constants that were not measured here."""
    sections = [Section(parts.subject, [Paragraph(parts.heading, flush=True, face=Face.TEXT), *parts.blocks])]
    if parts.readings is not None and len(parts.readings.rows) > 1:
        sections.append(Section("Readings", [parts.readings]))
    sections.append(Section("", _note_blocks(notes, parts.rejected)))
    sections.append(
        Section(
            "Assumed and borrowed constants",
            [_constants(parts.constants)],
        )
    )
    settles = [("what would settle it", needed) for needed in notes.needed[:1]]
    return Report(parts.title, parts.heading, [*parts.facts, *settles], sections)


def unsettled(low: int, high: int, what: str) -> str:
    """Why a range of counts is too wide to act on: over four times its low end, and over 16 wide; "" where it is not.

    >>> unsettled(1, 40, "aliases"), unsettled(12, 40, "aliases"), unsettled(0, 16, "aliases")
    ('the readings range from 1 to 40 aliases, which settles nothing', '', '')
    """
    wide = high > WIDE_TIMES * max(low, 1) and high - low > WIDE_BY
    return f"the readings range from {low} to {high} {what}, which settles nothing" if wide else ""


def between(low: object, high: object, over: str = "", alike: str = "every reading agrees") -> str:
    """The range of what is recommended, its ends as they are printed, or what it says that they are alike."""
    return f"range {low} to {high}{over}" if low != high else alike


def recommendation(
    answer: Answer[Any, V, Any], name: Callable[[V], str], scope: str, gains: Sequence[str]
) -> list[Block]:
    """The first lines: what to choose instead of what, what qualifies that, and what it gains; or why nothing."""
    chosen = answer.recommendation
    if chosen is None:
        return [Paragraph(f"No recommendation: {answer.reason}.")]
    which = "as it is now" if chosen == answer.now else f"instead of {name(answer.now)}"
    return [Lead(f"{name(chosen)}, {which}", scope), *(Paragraph(text) for text in gains)]


def scope(answer: Answer[Any, V, Any], name: Callable[[V], str]) -> str:
    """Whether readings agree on what is recommended."""
    others = sorted({name(variant) for variant in answer.chosen if variant != answer.recommendation})
    if others:
        return f"other readings: {', '.join(others)}"
    return "every reading agrees" if len(answer.readings) > 1 else "nothing in it is assumed"


def holding(said: Mapping[str, object]) -> list[str]:
    """The marks of a row, or the sentences, that hold."""
    return [text for text, holds in said.items() if holds]


def open_notes(answer: Answer[Any, Any, Any], kinds: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """What stays open about a control program: constants by kind (its name, and a pattern of keys), and changes."""
    found = _open_lines(answer.case.constants, kinds)
    return (
        *found,
        *holding(
            {
                "slicewright explain lists their sources; the range is over the readings above": found,
                "changes during the run are ignored: advice is for the machine as defined": (
                    answer.case.scenario.view.changes
                ),
            }
        ),
    )


def plan_notes(answer: Answer[Any, Any, Any]) -> list[str]:
    """Growth, where it is asked for, and what was simulated."""
    growth, plan = answer.request.growth, answer.plan
    grown = f": {', '.join(answer.case.grown)}, with their guests" if answer.case.grown else ""
    runs = f"each of {plural(plan.replications, 'run')} simulates {seconds(plan.interval_s)}"
    return holding(
        {
            f"{demand(growth)}{grown}": growth != 1,
            f"{runs} after {seconds(plan.warm_up_s)} of warm-up": True,
        }
    )


def change(value: Estimate, what: str, beside: str = "") -> str:
    """A difference in percent as more, less, or as much, than with something `beside` it.

    >>> change(Estimate(-8.3, 0.5, 10), "work"), change(Estimate(0.2, 0.5, 10), "work")
    ('8.30 ± .50 % less work', 'as much work (.2 ± .5 %)')
    >>> change(Estimate(12.13, 0.5, 10), "throughput", "X'44'")
    "12.1 ± .5 % more throughput than with X'44'"
    """
    if not (beyond(value, 0.0) or below(value, 0.0)):
        return f"as much {what}{f' as with {beside}' if beside else ''} ({value} %)"
    size = f"{plus_minus(abs(value.mean), value.half_width)} % {'more' if value.mean > 0 else 'less'} {what}"
    return f"{size} than with {beside}" if beside else size


def chosen_mark(answer: Answer[Any, V, Any], variant: V) -> dict[str, bool]:
    """Whether a variant is the recommended one, that of now, or one that was asked for."""
    return {
        "choose": variant == answer.recommendation, "now": variant == answer.now, "asked": variant in answer.case.asked,
    }  # fmt: skip


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def readings_table(
    readings: Sequence[Reading[V]], named: Callable[[V], str], gain: tuple[str, str]
) -> Table[Reading[V]]:
    """The variant chosen under each reading, and its gain; `gain` is the header and the unit of that."""

    values = {
        "choose": lambda reading: f"not simulated: {reading.why}" if reading.chosen is None else named(reading.chosen),
        "gain": lambda reading: None if reading.chosen is None else reading.gain,
    }
    *others, last = columns("what | | reading; choose; gain | ±", values=values)
    return Table([*others, replace(last, header=gain[0], unit=gain[1])], readings)


@dataclass(frozen=True, slots=True)
class Document(Generic[V]):
    """What one question puts into its JSON: objects by key, in the order in which they are written."""

    recommendation: Mapping[str, Any] | None
    situation: Mapping[str, Any]
    """The present situation, and the estimates of it."""
    variant: Callable[[V], Any]
    """A variant as a value."""
    gain: str
    """The key of what a reading gains."""
    asked: Sequence[Mapping[str, Any]]
    """Points that were asked for."""
    target: Mapping[str, Any]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]
    evidence: Mapping[str, Any] = field(default_factory=dict)


def advice_document(question: str, answer: Answer[Any, V, Any], own: Document[V]) -> dict[str, Any]:
    """An answer as an object: recommendation (or null with `reason`), tables, readings, evidence, caveats."""
    case, said, plan = answer.case, answer.explanation, answer.plan
    target = answer.request.target
    return fields(
        question=question, files=[case.file], partition=case.subject.name, recommendation=own.recommendation,
        **({"reason": answer.reason} if own.recommendation is None else {}), **own.situation, needed=list(said.needed),
        **({"at": list(own.asked)} if own.asked else {}),
        **({"target": {"condition": str(target), **own.target}} if target else {}),
        **own.tables, readings=[_reading(reading, own) for reading in answer.readings],
        evidence={
            "facts": list(said.facts), **own.evidence, "growth_factor": answer.request.growth,
            "replications": plan.replications, "warm_up_s": plan.warm_up_s, "interval_s": plan.interval_s,
        },
        constants=records(_constants(case.constants)), caveats=[*said.open, *said.caveats],
        **({"machine": answer.machine.document()} if answer.machine else {}),
    )  # fmt: skip


def _reading(reading: Reading[V], own: Document[V]) -> dict[str, Any]:
    if reading.chosen is None:
        return {"name": reading.name, "what": reading.what, "accepted": False, "why": reading.why}
    found = {"name": reading.name, "what": reading.what, "accepted": True, "choose": own.variant(reading.chosen)}
    return found | values(own.gain, reading.gain)


def _constants(constants: Sequence[Constant]) -> Table[Constant]:
    """A row for each; as text they are among the notes."""
    return Table(columns("key; value; role; why"), constants, face=Face.HTML | Face.JSON)


def _note_blocks(answer: Explanation, rejected: Sequence[str]) -> list[Notes]:
    """The notes as blocks of a report, readings that were rejected among them.

    >>> from slicewright.advise.answer import Explanation
    >>> [block.name for block in _note_blocks(Explanation(facts=("rates agree",), needed=("a second report",)), ())]
    ['Evidence', 'Settles it']
    """
    named: list[tuple[str, Sequence[str]]] = [
        ("Evidence", answer.facts),
        ("Open", answer.open),
        ("Rejected", rejected),
        ("Caveats", answer.caveats),
        ("Settles it", answer.needed),
    ]
    return [Notes(name, lines) for name, lines in named if lines]


def _open_lines(constants: Sequence[Constant], kinds: Iterable[tuple[str, str]]) -> list[str]:
    """Constants by role and kind (its name, and a pattern of keys), each by the last two parts of its key.

    >>> _open_lines([Constant("partition.ZVM.control_program.lock.hold", "1 us", "assumed", "")], [("costs", "lock")])
    ['assumed, costs: lock.hold 1 us']
    """
    lines = []
    for role in OPEN:
        for what, pattern in kinds:
            named = [
                f"{_short(constant.key)} {constant.value}"
                for constant in constants
                if constant.role == role and re.search(pattern, constant.key)
            ]
            if named:
                lines.append(f"{role}, {what}: {', '.join(named)}")
    return lines


def _short(key: str) -> str:
    """The last two parts of a key, which tell it from its neighbours."""
    parts = re.findall(r'"[^"]*"|[^.]+', key.split(".control_program.")[-1])
    return ".".join(parts[-2:])
