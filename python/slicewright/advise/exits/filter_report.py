"""The answer about filters of system calls as a report and as an object."""

from __future__ import annotations

from typing import Any

from slicewright.advise.exits.filters import CallLine, FilterAnswer, Structure, words_of
from slicewright.advise.report import Parts, advice_report
from slicewright.io.numerals import in_json
from slicewright.report.forms import decimals, words_right
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import percent


def report(answer: FilterAnswer) -> Report:
    """The answer as a report."""
    blocks: list[Block] = []
    if answer.recommendation is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        best = next(structure for structure in answer.structures if structure.name == answer.recommendation)
        blocks += [Lead(f"The filter costs least as: {best.name}", words_of(best)), Paragraph(f"{best.what}.")]
    blocks += [_structures(answer), _calls(answer)]
    facts = [("structure", answer.recommendation or "none")]
    return advice_report(answer, Parts("System calls and their filter", "System calls", answer.heading, facts, blocks))


def document(answer: FilterAnswer) -> dict[str, Any]:
    """The answer as an object: recommendation (or null with `reason`), structures, calls, evidence, caveats."""
    made: dict[str, Any] = {"question": "exits", "files": list(answer.files), "recommendation": answer.recommendation}
    if answer.recommendation is None:
        made["reason"] = answer.reason
    made["needed"] = list(answer.needed)
    if answer.container is not None:
        major, minor = answer.container.kernel
        made["assumed"] = {"arch": answer.container.arch, "kernel": f"{major}.{minor}",
                           "caps": sorted(answer.container.caps), "given": dict(answer.container.sources)}  # fmt: skip
    made["structures"] = [
        {"structure": each.name, "what": each.what, "cost_s": in_json(each.cost_s),
         "cost_ns_per_call": in_json(each.each_ns), "share_of_time": in_json(each.share)}
        for each in answer.structures
    ]  # fmt: skip
    made["calls"] = [
        {"call": line.call.name, "calls": line.call.calls, "total_s": in_json(line.call.total_s),
         "share_of_calls": in_json(line.of_calls), "share_of_time": in_json(line.of_time),
         "answered": line.answered or None, "cost_ns": in_json(line.cost_ns)}
        for line in answer.lines
    ]  # fmt: skip
    return made | {"evidence": {"facts": list(answer.facts)}, "caveats": [*answer.open, *answer.caveats]}


def _structures(answer: FilterAnswer) -> Table[Structure]:
    columns: list[Column[Structure]] = [
        Column("structure", "structure", lambda each: each.name),
        Column("cost_ns_per_call", "cost a call", lambda each: each.each_ns, "ns", decimals(0)),
        Column("share", "of the calls' time", lambda each: _share(each.share), form=words_right, optional=True),
        Column("what", "", lambda each: each.what, face=Face.HTML),
    ]
    return Table(
        columns, answer.structures, face=Face.PEOPLE,
        marks=lambda each: ["choose"] if each.name == answer.recommendation else [],
    )  # fmt: skip


def _calls(answer: FilterAnswer) -> Table[CallLine]:
    columns: list[Column[CallLine]] = [
        Column("call", "call", lambda line: line.call.name),
        Column("calls", "calls", lambda line: f"{line.call.calls:,}", form=words_right),
        Column("of_calls", "of calls", lambda line: _share(line.of_calls), form=words_right),
        Column("of_time", "of time", lambda line: _share(line.of_time), form=words_right, optional=True),
        Column("answered", "answered", lambda line: line.answered, optional=True),
        Column("cost_ns", "filter", lambda line: line.cost_ns, "ns", decimals(0), optional=True),
    ]
    return Table(columns, answer.lines, face=Face.PEOPLE)


def _share(value: float | None) -> str:
    return "" if value is None else percent(value)
