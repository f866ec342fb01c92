"""The result of `live watch` as a report: how much of the waiting is the limit, how much the neighbours."""

from __future__ import annotations

from itertools import pairwise

from slicewright.live.watch import WatchResult
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Lead, Notes, Paragraph, Report, Section
from slicewright.statistics import fixed, percent, plural

RARE = 0.01
"""Of the periods: a limit that throttles in fewer is none to speak of."""


def watch_report(result: WatchResult) -> Report:
    """The report."""
    length = f"{plural(len(result.samples), 'copy', 'copies')} in {fixed(result.length_s, 0)} s"
    limit = "no limit"
    if result.limit_us:
        quota, period = result.limit_us
        limit = f"limit {quota / period:g} processors ({quota / 1000:g} ms of {period / 1000:g} ms)"
    weight = f", weight {result.weight}" if result.weight is not None else ""
    heading = f"{result.group}  {length}; version {result.version} of control groups, {limit}{weight}"
    blocks: list[Block] = [Paragraph(heading, flush=True), Lead(_lead(result)), *map(Paragraph, _lines(result))]
    if len(result.samples) > 2:
        blocks.append(_picture(result))
    sections = [Section("", blocks), Section("", [Notes("Notes", list(_notes(result)))])]
    return Report(f"Watched: {result.group}", heading, [("copies", str(len(result.samples)))], sections, repeats=False)


def _lead(result: WatchResult) -> str:
    share = result.by_limit
    if result.throttled < RARE and not result.late_ms:
        return f"The limit throttled in {percent(result.throttled)} of the periods"
    if share is None:
        return f"The limit throttled in {percent(result.throttled)} of the periods; it never waited"
    if not result.late_ms:
        return f"The limit throttled in {percent(result.throttled)} of the periods; neighbours were not measured"
    return f"Of its waiting, {percent(share, 0)} is the limit and {percent(1 - share, 0)} the neighbours"


def _lines(result: WatchResult) -> list[str]:
    lines = []
    stopped = result.stopped_s
    each = ""
    count = result.grown("nr_throttled") or 0
    if stopped is not None and count:
        each = f", {fixed(1000 * stopped / count, 1)} ms each time"
    periods = result.grown("nr_periods") or 0
    lines.append(f"Limit: throttled in {percent(result.throttled)} of {periods:,} periods{each}.")
    if result.late_ms:
        late = ", ".join(f"{fixed(result.late_percentile(p), 2)} ms at {p} %" for p in (50, 95, 99))
        lines.append(f"Neighbours: a probe of the same weight, without a limit, is dispatched late by {late}.")
    on, waiting, dispatches = result.scheduled()
    if dispatches:
        lines.append(
            f"Its threads (schedstat): {fixed(on, 2)} s on processors, {fixed(waiting, 2)} s waiting for one, "
            f"{dispatches:,} dispatches."
        )
    if result.pressure is not None:
        lines.append(f"Pressure: some thread waited for a processor in {percent(result.pressure)} of the time.")
    return lines


def _notes(result: WatchResult) -> list[str]:
    notes = list(result.notes)
    if result.late_ms:
        notes.append(
            "the shares compare stopped time (processors add up) with dispatches times the probe's mean lateness; the "
            f"probe ran on processor {result.processor} alone"
        )
    if result.limit_us is None:
        notes.append("without a limit there is nothing for advise limits to do")
    if result.grown("usage_usec", "cpuacct.usage") is None:
        notes.append("processor time is not in the copies: version 1 counts it in the cpuacct hierarchy")
    return notes


def _picture(result: WatchResult) -> Figure:
    """The share of periods that were throttled, between copies."""
    first = result.samples[0].at_s
    x, shares = [], []
    for before, after in pairwise(result.samples):
        periods = after.counters["nr_periods"] - before.counters["nr_periods"]
        x.append(after.at_s - first)
        count = after.counters["nr_throttled"] - before.counters["nr_throttled"]
        shares.append(100 * count / periods if periods > 0 else None)
    return Figure([Panel("Throttled periods, %", [Series(x, shares, label="measured", kind="steps")])], "Seconds")
