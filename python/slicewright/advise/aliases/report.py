"""The answer about aliases as a report: the recommendation, the curve, readings, evidence, and what stays open."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from slicewright.advise.aliases.answer import Answer, Now, ReadingLine
from slicewright.advise.aliases.curve import Point, volumes_picture, volumes_table
from slicewright.advise.report import Parts, advice_report, between, unsettled
from slicewright.reading.accept import VALIDATED
from slicewright.report.figure import Figure, Panel, dots
from slicewright.report.forms import Span
from slicewright.report.json import fields, record
from slicewright.report.model import Block, Face, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns, series
from slicewright.statistics import Estimate, fixed, percent, plural
from slicewright.values.numerals import finite

CAPTION = (
    "The narrow band is simulation noise. The wide band is the range over all readings and the error of the model."
)
_VOLUMES = "Volumes that wait longest, simulated under the main reading; a bar is the 95 % interval."
_DRAWN = {"io_per_s": "I/O per second", "response_ms": "Response, ms", "queue_depth": "Waiting requests"}


_CURVE = """
    aliases
    io_per_s            | ±each    | I/O per s
    io_range ?          | right    | all readings
    response_ms         | ±each    | Resp | ms
    response_ms.. ?     | .2       | all readings
    queue_depth         | ±each .1 | waiting
    fails_per_try ?     | .2       | fails/try
"""
_PRINTED = {"io_per_s": 0, "response_ms": 2, "queue_depth": 1}
"""Decimals of numbers that were read."""
_READINGS = """
    population          |       | load
    think_ms            | .2    | think | ms
    growth; redispatch
    knee                | .0
    fits
"""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the curve: a number of aliases as a report has it, or as it was simulated."""

    aliases: int
    ranged: bool
    read: Now | None = None
    point: Point | None = None

    def __getitem__(self, key: str) -> Estimate | Span | str | None:
        """What the spec names: a column, as read or as simulated, and its range over the readings."""
        if self.point is None:
            return fixed(getattr(self.read, key), _PRINTED[key]) if key in _PRINTED else None
        name = "io_per_s" if key == "io_range" else key.removesuffix("..")
        if name == key:
            found = self.point.estimates[key]
            return None if key == "fails_per_try" and math.isnan(found.mean) else found
        low, high = self.point.low[name], self.point.high[name]
        if not self.ranged:
            return None
        return Span(low, high) if key != "io_range" else _thousands(low, high)


def _thousands(low: float, high: float) -> str:
    """A range of rates; from 1,000 a second in thousands."""
    if high >= 1000:
        return f"{fixed(low / 1000, 1)}k - {fixed(high / 1000, 1)}k"
    return f"{fixed(low, 0)} - {fixed(high, 0)}"


def report(answer: Answer) -> Report:
    """The answer as a report."""
    chosen = answer.recommendation
    facts = [("rule of thumb", str(answer.estimate.aliases))]
    if chosen and not reason_of(answer):
        facts = [
            ("aliases", str(chosen.aliases)),
            ("range over all readings", f"{chosen.low} to {chosen.high}"),
            *facts,
        ]
    blocks = _headline(answer)
    if answer.curve:
        blocks += [picture(answer).captioned(CAPTION), curve_table(answer)]
    if answer.knee and len(answer.volumes) > 1:
        aliases = answer.knee.aliases
        blocks += [volumes_picture(answer.volumes, aliases).captioned(_VOLUMES), volumes_table(answer.volumes, aliases)]
    readings = readings_table(answer)
    title, subject = f"Aliases for {answer.pool}", f"Pool {answer.pool}"
    parts = Parts(title, subject, answer.heading, facts, blocks, readings, rejected=rejected(answer))
    return advice_report(answer, parts)


def curve_table(answer: Answer) -> Table[_Line]:
    """The values read and the values simulated, by aliases; text shows the counts around the recommendation."""
    tail = "The load is as given."
    if answer.ranged:
        beyond = percent(VALIDATED, 0)
        tail = f"The range covers all readings, and {beyond} beyond them: the largest published miss of the model."
        tail += f" {percent(answer.chance, 1)} more are chance of the fitted intervals." if answer.chance else ""
    replications = next(iter(answer.curve[0].estimates.values())).replications
    legend = f"± is simulation noise (95 %, {replications} runs). {tail}"
    shown = _shown(answer)
    lines = [_Line(now.aliases, answer.ranged, read=now) for now in answer.observed]
    lines += [_Line(point.aliases, answer.ranged, point=point) for point in answer.curve]
    lines.sort(key=lambda line: line.aliases)
    values = {"aliases": lambda line: f"{line.aliases} (read)" if line.read else str(line.aliases)}
    return Table(
        columns(_CURVE, values=values), lines, legend=legend, marks=lambda line: _marks(answer, line), face=Face.PEOPLE,
        brief=lambda line: line.read is not None or line.aliases in shown,
    )  # fmt: skip


def readings_table(answer: Answer) -> Table[ReadingLine]:
    """Every load that was tried, whether it fits, and its knee."""
    values: dict[str, Callable[[ReadingLine], Any]] = {
        "growth": _growth,
        "redispatch": lambda reading: reading.load.redispatch if reading.load else "",
        "fits": lambda reading: reading.why or "fits",
    }
    return Table(columns(_READINGS, values=values), answer.readings, face=Face.HTML)


def picture(answer: Answer) -> Figure:
    """Rate, response and queue over aliases: noise within the range over readings, the knee marked."""
    x = [point.aliases for point in answer.curve]
    chosen = answer.knee
    marks = [(float(chosen.aliases), "knee")] if chosen else []
    drawn_as = "if saturated" if answer.observed else "as fitted" if answer.ranged else "simulated"
    panels = []
    for name, label in _DRAWN.items():
        line = replace(
            series(x, [point.estimates[name] for point in answer.curve], drawn_as),
            low=[finite(point.low[name]) for point in answer.curve],
            high=[finite(point.high[name]) for point in answer.curve],
        )
        read = dots(
            [now.aliases for now in answer.observed], [getattr(now, name) for now in answer.observed], label="read"
        )
        panels.append(Panel(label, [line, *([read] if answer.observed else [])], marks))
    return Figure(panels, "Aliases in the pool")


def document(answer: Answer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, readings, evidence, caveats.

    `estimate` is the total of the rule of thumb.  `at` and `target` are there when they were asked for.
    """
    reason, met, volumes = reason_of(answer), answer.target, volumes_table(answer.volumes, 0)
    target = met and {"condition": str(met.target), "aliases": met.aliases, "low": met.low, "high": met.high}
    points = [point.as_json() for count in answer.at if (point := answer.point(count))]
    return {
        "question": "aliases", "files": list(answer.files), "pool": answer.pool,
        "recommendation": None if reason or not answer.recommendation else asdict(answer.recommendation),
        "estimate": answer.estimate.aliases,
        **({"reason": reason} if reason or not answer.recommendation else {}), "needed": list(answer.needed),
        **({"at": points} if answer.at else {}), **({"target": target} if target else {}),
        "curve": [point.as_json() for point in answer.curve],
        "volumes": [record(volumes, line) for line in answer.volumes],
        "readings": [_reading(reading) for reading in answer.readings],
        "evidence": {
            "aliases_present": answer.estimate.present, "reports": [fields(**asdict(now)) for now in answer.observed],
            "laws": [dict(law) for law in answer.laws], "facts": list(answer.facts), "growth_factor": answer.growth,
            "knee_percent": answer.knee_percent, "margin_percent": answer.margin_percent,
        },
        "caveats": [*answer.open, *answer.caveats],
        **({"machine": answer.machine.document()} if answer.machine else {}),
    }  # fmt: skip


def _reading(reading: ReadingLine) -> dict[str, Any]:
    load = reading.load
    of_load = {} if load is None else fields(
        growth=load.growth, sharing_percent=load.sharing_percent, serial_ms=load.serial_ms,
        ceiling_io_per_s=load.ceiling, gap_ms=load.gap_ms, redispatch=load.redispatch, requests=load.population,
    )  # fmt: skip
    return fields(
        name=reading.name, accepted=reading.accepted, saturated=reading.saturated, population=reading.population,
        arrivals=reading.arrivals, think_ms=reading.think_ms, **of_load, miss=reading.miss,
        found=[fields(io_per_s=io, service_ms=service, queue_depth=queue) for io, service, queue in reading.found],
        **({"knee": reading.knee} if reading.accepted else {"why": reading.why}),
    )  # fmt: skip


def _headline(answer: Answer) -> list[Block]:
    rule = answer.estimate
    queue = fixed(rule.queue_depth, 2).rstrip("0").rstrip(".") or "0"
    thumb = f"rule of thumb {rule.present} + {queue} -> {rule.aliases}"
    where = f"volume {answer.pool}" if answer.single else f"the pool of {answer.pool}"
    chosen = answer.recommendation
    reason = reason_of(answer)
    if chosen is None or reason:
        said = [_target(answer)] if answer.target else []
        words = [f"No recommendation for {where}: {reason}.", answer.warning, thumb.capitalize(), *said]
        words = [text for text in words if text]
        return [Paragraph(text) for text in words]
    scope = between(chosen.low, chosen.high) if answer.ranged else f"knee, {percent(answer.knee_percent / 100, 0)}"
    more = chosen.aliases - rule.present
    change = f" ({abs(more)} {'more' if more > 0 else 'fewer'} than now)" if rule.present and more else ""
    lead = Lead(f"{plural(chosen.aliases, 'alias', 'aliases')} for {where}{change}", f"{scope}; {thumb}")
    return [lead, *(Paragraph(text) for text in [answer.warning, *_outcome(answer)] if text)]


def reason_of(answer: Answer) -> str:
    """Why there is no recommendation; "" where there is one."""
    chosen = answer.recommendation
    return answer.reason if chosen is None else unsettled(chosen.low, chosen.high, "aliases")


def _outcome(answer: Answer) -> list[str]:
    chosen, now = answer.recommendation, answer.now
    point = answer.point(chosen.aliases) if chosen else None
    if chosen is None or point is None:
        return []
    if now.queue_depth == 0 and chosen.aliases == 0:
        return ["No volume queues, so aliases would not help (first principle of z/VM HyperPAV Support)."]
    after = fixed(point.estimates["response_ms"].mean, 2)
    low, high = fixed(point.low["response_ms"], 2), fixed(point.high["response_ms"], 2)
    kept = " (as now)" if chosen.aliases == answer.estimate.present else ""
    change = f"Response {fixed(now.response_ms, 2)} -> {after} ms{kept}"
    loads = "if the guests are saturated" if answer.observed else "as fitted"
    said = [f"{change} {loads}; {low} to {high} ms over all readings."]
    if not answer.ranged:
        said = [f"{change}."]
    return [*said, _target(answer)] if answer.target else said


def _target(answer: Answer) -> str:
    met = answer.target
    assert met is not None
    if met.aliases is None and met.low is None:
        return f"{met.target}: not met with any number of aliases, under any reading."
    main = plural(met.aliases, "alias", "aliases") if met.aliases is not None else "not met if the guests are saturated"
    if met.high is None:
        return f"{met.target}: {main}; from {met.low} over all readings, and under some no number meets it."
    return f"{met.target}: {main}; {met.low} to {met.high} over all readings."


def _shown(answer: Answer) -> set[int]:
    """The counts that text shows: around the recommendation, and all that were asked for."""
    chosen = answer.knee
    assert chosen is not None
    present, best = answer.estimate.present, chosen.aliases
    shown = {present, (present + best) // 2, max(0, best - 2), best, chosen.low, chosen.high, answer.estimate.aliases}
    shown |= {*answer.at, answer.curve[-1].aliases}
    if answer.target and answer.target.aliases is not None:
        shown.add(answer.target.aliases)
    if answer.observed and answer.growth == 1 and answer.now.aliases not in answer.at:
        shown.discard(answer.now.aliases)
    return shown


def _marks(answer: Answer, line: _Line) -> list[str]:
    if line.read is not None:
        return []
    chosen, now = answer.knee, bool(answer.observed) and line.aliases == answer.now.aliases
    knee = chosen is not None and line.aliases == chosen.aliases
    said = {
        f"knee, {percent(answer.knee_percent / 100, 0)}": knee,
        "two fewer": chosen is not None and line.aliases == chosen.aliases - 2,
        "asked": line.aliases in answer.at,
        "target": answer.target is not None and line.aliases == answer.target.aliases,
        "as read, simulated": now and answer.growth == 1,
        "grown": now and answer.growth != 1,
    }
    return [mark for mark, holds in said.items() if holds]


def rejected(answer: Answer) -> list[str]:
    """One sentence for each kind of reading that does not fit: of the populations the nearest."""
    seen: dict[str, str] = {}
    for reading in answer.readings:
        if reading.accepted:
            continue
        policy = reading.load.redispatch if reading.load and answer.estimate.present else "none"
        with_policy = "" if policy == "none" else f", redispatch {policy}"
        seen.setdefault(f"{reading.arrivals} {policy}", f"{reading.population}{with_policy}: {reading.why}")
    return list(seen.values())


def _growth(reading: ReadingLine) -> str:
    load = reading.load
    if load is None:
        return ""
    if load.serial_ms:
        return f"channel, {fixed(load.serial_ms, 2)} ms serial"
    return f"{load.growth}, {fixed(load.sharing_percent, 2)} %"
