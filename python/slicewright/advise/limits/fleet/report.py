"""The answer about a fleet as a report: totals, what throttling costs each workload, nodes, and what is not known."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from typing import Any

from slicewright.advise.limits import report as one_container
from slicewright.advise.limits.fleet.answer import FleetAnswer
from slicewright.advise.limits.fleet.lines import Line, Verdict
from slicewright.advise.limits.fleet.picture import picture
from slicewright.advise.limits.fleet.totals import Total, nodes, whole
from slicewright.advise.limits.fleet.words import caveats, needed, open_questions, readings_words
from slicewright.advise.limits.quantity import limit
from slicewright.report.forms import Span, counts, decimals, digits, spans, times, words_right
from slicewright.report.json import record as as_record
from slicewright.report.json import values
from slicewright.report.model import Block, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.statistics import count, fixed, milliseconds, plural

NODES = 5
"""Nodes that are listed as text."""
ORDER = (Verdict.RAISE, Verdict.LOWER, Verdict.KEEP, Verdict.NO_LIMIT_DOES, Verdict.FULL, Verdict.NEVER, Verdict.RARE,
         Verdict.FEW, Verdict.UNEXPLAINED, Verdict.CONTRADICTED, Verdict.UNCOUNTED, Verdict.UNLIMITED)  # fmt: skip


def report(answer: FleetAnswer) -> Report:
    """The answer as a report.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> report(answer()).title
    'CPU limits of 5 workloads'
    """
    total = whole(answer.lines)
    facts = [
        ("replicas", count(total.replicas)),
        ("limits", f"{_processors(total.limit)} now, {_processors(total.limit_then)} then"),
        ("reserved", f"{_processors(total.reserved)} now, {_processors(total.reserved_then)} then"),
    ]
    blocks: list[Block] = [Paragraph(_heading(answer, total), flush=True, face=Face.TEXT), *_headline(answer, total)]
    if answer.lines and (drawn := picture(answer)) is not None:
        blocks.append(drawn)
    blocks += [lines_table(answer), totals_table(total), nodes_table(answer)]
    notes = [
        Notes("Evidence", [*readings_words(answer), *answer.notes]), Notes("Open", open_questions(answer)),
        Notes("Caveats", caveats(answer)), Notes("Settles it", needed(answer)),
    ]  # fmt: skip
    sections = [Section("Workloads", blocks), Section("", [verdicts_table(answer), *(n for n in notes if n.lines)])]
    if answer.deep is not None:
        deep = one_container.report(answer.deep)
        sections += [Section(section.title or "Notes", section.blocks) for section in deep.sections if section.blocks]
    title = f"CPU limits of {plural(len(answer.lines), 'workload')}"
    return Report(title, _heading(answer, total), facts, sections)


def lines_table(answer: FleetAnswer) -> Table[Line]:
    """A row per workload, the dearest first; text has those that cost most."""
    shown = {line.workload for line in answer.lines[: answer.request.top]}
    columns: list[Column[Line]] = [
        Column("workload", "workload", lambda line: line.workload),
        Column("replicas", "n", lambda line: line.replicas, form=counts),
        Column("verdict", "what to do", lambda line: line.verdict.value),
        Column("limit", "limit", lambda line: _limit(line.limit), form=words_right),
        Column("then", "then", lambda line: _limit(line.then) if line.then is not None else "", form=words_right),
        Column("range", "range", _range, form=words_right),
        Column("busy", "used", lambda line: line.busy, "busy", decimals(2)),
        Column("throttled_percent", "throttled", lambda line: line.throttled_percent, "%", decimals(1)),
        Column("cost_p99_ms", "costs 99 %", lambda line: line.cost_p99_ms, "ms", times),
        Column("cost_mean_ms", "mean", lambda line: line.cost_mean_ms, "ms", times),
        Column("cost_p99_range", "range", lambda line: line.cost_p99_range, "ms", spans(0), face=Face.HTML),
        Column("p99_ms", "99 % now", lambda line: line.p99_ms, "ms", times, face=Face.HTML),
        Column("p99_then_ms", "then", lambda line: line.p99_then_ms, "ms", times, face=Face.HTML),
        Column("measured_p99_ms", "measured", lambda line: line.measured_p99_ms, "ms", times, face=Face.HTML,
               optional=True),
        Column("change", "processors", lambda line: line.change or None, form=_signed, face=Face.HTML),
        Column("rests", "rests on", _rests, face=Face.HTML),
    ]  # fmt: skip
    legend = (
        "Limit, used: processors of one replica; used is the mean of its busy time. Costs: what throttling adds to the"
        " 99th percentile and to the mean of latency in that time, under the most likely reading of the counters. The"
        " range of the limit covers all readings, and what chance and the surrogate may be off by. Throttled: share of"
        " the periods counted."
    )
    return Table(columns, answer.lines, legend=legend, brief=lambda line: line.workload in shown, face=Face.PEOPLE)


def totals_table(total: Total) -> Table[Total]:
    """The whole fleet in processors, now and then."""
    return _totals([total], "replicas of all", lambda total: True)


def nodes_table(answer: FleetAnswer) -> Table[Total]:
    """The load of each node now, and if the advice is followed."""
    found = nodes(answer.lines)
    shown = {total.name for total in found[:NODES]}
    return _totals(found, "node", lambda total: total.name in shown)


def verdicts_table(answer: FleetAnswer) -> Table[Verdict]:
    """How many workloads each verdict has, why, and what would settle it."""
    counted = {verdict: answer.of(verdict) for verdict in ORDER}

    def of(verdict: Verdict, name: str) -> str:
        found: dict[str, int] = {}
        for line in counted[verdict]:
            text = getattr(line, name)
            found[text] = found.get(text, 0) + 1
        return max(found, key=lambda text: found[text])

    def replicas(verdict: Verdict) -> int:
        return sum(line.replicas for line in counted[verdict])

    return Table(
        [
            Column("verdict", "what to do", lambda verdict: verdict.value),
            Column("workloads", "workloads", lambda verdict: len(counted[verdict]), form=counts),
            Column("replicas", "replicas", replicas, form=counts),
            Column("why", "why", lambda verdict: of(verdict, "why")),
        ],
        [verdict for verdict in ORDER if counted[verdict]],
        face=Face.PEOPLE,
    )  # fmt: skip


def document(answer: FleetAnswer) -> dict[str, Any]:
    """The answer as an object: workloads in the order of what throttling costs, totals, nodes.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> document(answer())["workloads"][1]["verdict"]
    'raise'
    """
    made: dict[str, Any] = {
        "question": "limits", "of": "fleet", "asked": answer.request.aim.words,
        "growth": answer.request.growth, **values("hours", answer.hours),
        "total": _total(whole(answer.lines)), "nodes": [_total(each) for each in nodes(answer.lines)],
        "workloads": [record(line) for line in answer.lines],
        "surrogate": {
            "draws": answer.draws,
            "errors_95_percent": {name: each[1] for name, each in answer.errors.items()},
        },
        "notes": list(answer.notes), "caveats": caveats(answer), "needed": needed(answer),
    }  # fmt: skip
    if answer.deep is not None:
        made["workload"] = one_container.document(answer.deep)
    return made


def record(line: Line) -> dict[str, Any]:
    """One workload as a flat object; a limit of null with verdict "no limit" is none, an end of a range of null too."""
    reading = line.reading
    return {
        "workload": line.workload, "replicas": line.replicas, "verdict": line.verdict.value,
        **values("limit", line.limit), **values("then", line.then), **values("low", line.low),
        **values("high", line.high), **values("reserved", line.reserved), **values("used", _short(line.used)),
        **values("busy", _short(line.busy)), **values("requests_per_s", _short(line.requests_per_s)),
        "periods": line.periods, "throttled": line.throttled,
        **values("throttled_percent", _short(line.throttled_percent)),
        **values("cost_p99_ms", _short(line.cost_p99_ms)),
        **values("cost_p99_ms_low", _short(line.cost_p99_range.low)),
        **values("cost_p99_ms_high", _short(line.cost_p99_range.high)),
        **values("cost_mean_ms", _short(line.cost_mean_ms)), **values("p99_ms", _short(line.p99_ms)),
        **values("p99_then_ms", _short(line.p99_then_ms)), **values("measured_p99_ms", _short(line.measured_p99_ms)),
        **values("throttled_then_percent", _short(line.throttled_then_percent)),
        "readings": reading.fits if reading else 0, "reading": reading.words if reading else "",
        "why": line.why, "settles": line.settles,
    }  # fmt: skip


def table_text(answer: FleetAnswer) -> str:
    """The workloads as a table of comma-separated values."""
    import csv

    rows = [record(line) for line in answer.lines]
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


def _totals(rows: Sequence[Total], name: str, brief: Callable[[Total], bool]) -> Table[Total]:
    return Table(
        [
            Column("name", name, lambda total: total.name),
            Column("replicas", "replicas", lambda total: total.replicas, form=counts),
            Column("used", "used", lambda total: total.used, "busy", decimals(1)),
            Column("limit", "limits now", lambda total: total.limit, form=decimals(1)),
            Column("limit_then", "then", lambda total: total.limit_then, form=decimals(1)),
            Column("reserved", "reserved now", lambda total: total.reserved, form=decimals(1)),
            Column("reserved_then", "then", lambda total: total.reserved_then, form=decimals(1)),
            Column("unlimited", "without a limit", lambda total: total.unlimited or None, form=digits, optional=True),
        ],
        rows, legend="Processors. A replica without a request reserves its limit, as Kubernetes does."
        if name == "node" or len(rows) == 1 else "",
        brief=brief, face=Face.PEOPLE,
    )  # fmt: skip


def _total(total: Total) -> dict[str, Any]:
    return {
        "name": total.name, "replicas": total.replicas, **values("used", _short(total.used)),
        **values("limit", _short(total.limit)), **values("limit_then", _short(total.limit_then)),
        **values("reserved", _short(total.reserved)), **values("reserved_then", _short(total.reserved_then)),
        "unlimited": total.unlimited,
    }  # fmt: skip


def _heading(answer: FleetAnswer, total: Total) -> str:
    return (
        f"{plural(len(answer.lines), 'workload')}, {plural(total.replicas, 'replica')}: up to"
        f" {fixed(answer.hours, 1)} h of replicas each"
    )


def _headline(answer: FleetAnswer, total: Total) -> list[Block]:
    up, down = answer.of(Verdict.RAISE), answer.of(Verdict.LOWER)
    costs = [line for line in answer.lines if line.cost_p99_ms is not None]
    change = f"limits {_processors(total.limit)} -> {_processors(total.limit_then)} processors in all"
    lead = f"Raise {len(up)}, lower {len(down)} of {plural(len(answer.lines), 'limit')}"
    said = [f"Asked: {answer.request.aim.words}."]
    if costs:
        first = costs[0]
        said.append(
            f"Throttling costs most in {first.workload}: {milliseconds(first.cost_p99_ms)} ms of the 99th percentile,"
            f" {fixed(first.throttled_percent, 1)} % of its periods."
        )
    if full := answer.of(Verdict.FULL):
        said.append(
            f"{plural(len(full), 'workload')} used up the limit: queues grow there, and no number says how far."
        )
    return [Lead(lead, change), *(Paragraph(text) for text in said)]


def _limit(value: float | None) -> str:
    return "none" if value is None or math.isinf(value) else limit(value)


def _range(line: Line) -> str:
    if line.low is None or line.high is None:
        return ""
    return _limit(line.low) if line.low == line.high else f"{_limit(line.low)} - {_limit(line.high)}"


def _rests(line: Line) -> str:
    return line.reading.words if line.reading is not None else line.why


def _signed(column: Sequence[float | None]) -> list[str]:
    return ["" if value is None else f"{value:+.2f}" for value in column]


def _processors(value: float) -> str:
    return fixed(value, 1)


def _short(value: float | None) -> float | None:
    """Six digits, which every machine gives alike."""
    return None if value is None else float(f"{value:.5g}")


__all__ = ["Span", "as_record", "document", "lines_table", "record", "report", "table_text"]
