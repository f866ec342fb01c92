"""The answer about yields for people and for programs: the yield, contention, where gains are from, what is assumed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from slicewright.advise.answer import Explanation
from slicewright.advise.report import (
    Document,
    Parts,
    advice_document,
    advice_report,
    capital,
    change,
    holding,
    open_notes,
    plan_notes,
    readings_table,
    recommendation,
    scope,
)
from slicewright.advise.yields.comparison import (
    Contention,
    Gains,
    Locked,
    Row,
    Why,
    YieldAnswer,
    YieldPoint,
    here,
    points_of,
)
from slicewright.advise.yields.yielding import NEVER, SENSE, YIELDS, On, Yielding
from slicewright.experiment.paired import beyond
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import estimates
from slicewright.report.json import fields, record
from slicewright.report.model import Block, Column, Face, Paragraph, Report, Table
from slicewright.report.spec import columns, series
from slicewright.run.yield_budget import SAVED, per_yield_us
from slicewright.statistics import NOTHING, Estimate, fixed, plural, significant

_SOURCE = "z/VM 5.3 report, Diagnose X'9C' Support"
_TABLES = ("control_programs", "spin_locks")
_HERE = """
    name                 |      | yields
    work_percent         | ±
    over_base            | ±    | gain          | %
    gain.. ?             | .1   | all readings
    spinning_percent     | ± .1 | spin
    diagnoses_per_s      | ± .0
    fast_x44_percent ?   | ± .1
    x9c_yielded_per_s ?  | ± .0 | at once
    contended_percent ?  | ± .1
    wait_us ?            | ± 3
    held_us ?            | ± 3
"""
_CONTENTION = """
    processors
    virtual_per_processor | .2 | virtual
    work_percent          | 3
    vector_empty_percent  | .0 | empty
    vector_depth          | .1
    fast_x44_percent
    contended_percent
"""
_EVERY = """
    processors
    programs  now
    html      name               |   | yields
    work_percent                 | ±
    gain_percent                 | ± | gain    | %
    programs  programs_per_s total_percent guests_percent
    spinning_percent             | ± | spin
    programs  chargeable_cp_percent nonchargeable_cp_percent dispatches_per_s moved_percent ready unparked
    programs  vector_empty_percent vector_depth x44_per_s fast_x44_per_s fast_x44_percent
    html      fast               | ± | fast    | %
    programs  x9c_per_s x9c_yielded_per_s
    html      at_once            | ±
    programs  x9c_not_ready_per_s x9c_wait_per_s x9c_soft_wait_per_s x9c_dispatched_per_s sensed_per_s
    diagnoses_per_s              | ±
    programs  taken_per_s contended_per_s
    contended_percent            | ±
    wait_us                      | ±
    programs  longest_wait_ms
    held_us                      | ±
    programs  spinning gain.. from_now_percent
"""
_ONLY_WITH = {"fast_x44_percent": "x44_per_s", "x9c_yielded_per_s": "x9c_per_s"}
"""Counters that say something only where these DIAGNOSEs are issued."""
_SAVED_WORDS = {
    "holder_sooner": "holder resumed sooner", "spin": "spin saved", "diagnose": "DIAGNOSE saved",
    "switches": "switches avoided", "caches": "caches kept", "idle": "idle less", "work": "other work",
}  # fmt: skip
"""The sources of a gain, by `yield_budget.SAVED`."""
_SHORT = {"holder_sooner": "holder sooner", "diagnose": "DIAGNOSE", "spin": "spin", "switches": "switches"}
"""Short headers of them; the others have those of the sentences."""
_KINDS = {
    "costs of the control program": r"\.(lock|costs)\.|\.soft_wait$",
    "caches": r"^topology\.|^virtual_machine\..*\.(footprint|touched_in)$",
    "spinning": r"\.spin_(try|retry)$",
    "dispatching": r"\.(slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes)$",
}
"""The kinds of constants, by their keys; of the controller in vertical mode only."""
_CONTROLLER = ("the controller", r"\.controller\.")
_CAPTION = (
    "Contention grows to the right: fewer processors for the same virtual ones. Lines: simulated, with the band"
    " of noise. Never yielding is drawn unless its scale would hide the other gains; the table has it."
)
_MOST_TIMES = 3.0
"""The factor over the other gains beyond which those of never yielding would hide them."""
_MOST_LINES = 4
"""Yields that have a line of their own, as many as a reader can distinguish; never yielding is dropped first."""
_MOST_PARTS = 4
"""Parts of a gain that have a curve, those that come to most."""


def report(answer: YieldAnswer) -> Report:
    """The answer as a report."""
    chosen, none_from, name = answer.recommendation, answer.evidence.none_from, answer.subject.name
    facts = [("recommendation", "none: it makes no difference")]
    if chosen:
        facts = [("yield", chosen.words()), ("over X'44'", f"{answer.point(chosen).differences['gain']} %")]
    facts.append(("virtual processors per logical one", fixed(answer.subject.each, 1)))
    if none_from:
        facts.append(("no gain expected from", f"{plural(none_from.processors, 'processor')} on"))
    blocks = [*_headline(answer), picture(answer).captioned(_CAPTION), _here_table(answer), _contention_table(answer)]
    blocks += [_saved_table(answer), _every_table(answer), _every_saved_table(answer)]
    readings = readings_table(answer.readings, On.words, (f"gain of {answer.evidence.compared.words()}", "%"))
    case = answer.case
    parts = Parts(f"Yields in {name}", name, case.heading, facts, blocks, readings, case.constants)
    return advice_report(answer.explanation, parts)


def document(answer: YieldAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, contention, readings, evidence.

    Gains are in percent of the throughput with X'44' everywhere; `gain_low` and `gain_high` are null where only one
    reading was simulated.
    """
    chosen = answer.recommendation and answer.point(answer.recommendation)
    evidence, now_row, none_from = answer.evidence, here(answer), answer.evidence.none_from
    table = _every_table(answer)
    met = answer.meets[0] if answer.meets else None
    own: Document[On] = Document(
        recommendation=fields(
            **_yields(chosen.variant), as_now=chosen.variant == answer.now, gain_percent=chosen["gain_percent"],
            from_now_percent=chosen["from_now_percent"], alike=[on.words() for on in answer.alike],
        ) if chosen else None,
        situation={
            "estimate": fields(
                virtual_per_processor=answer.subject.each, gain_expected=now_row.contention.expected,
                no_gain_from_processors=none_from.processors if none_from else None,
            ),
            "now": _yields(answer.now),
        },
        variant=_yields,
        gain="gain_percent",
        asked=[_shown(table, point) for asked in evidence.asked if (point := now_row.point(asked))],
        target={"processors": met.processors if met else None, "yields": _yields(met) if met else None},
        tables={
            "curve": [_shown(table, point) for point in answer.points],
            "contention": [
                fields(
                    processors=row.processors, virtual_per_processor=row.each, expected=row.contention.expected,
                    why=[reason.value for reason in row.contention.why], measured=row.contention.gains.value,
                    most_gain_percent=row.contention.most, fast_x44_percent=row.contention.fast_percent,
                    contended_percent=row.contention.contended_percent,
                )
                for row in evidence.rows
            ],
        },
        evidence={
            "compared": _yields(On(evidence.compared, answer.now.processors)),
            "programs_of": answer.subject.starting or None, "least_percent": answer.request.knobs["least"],
        },
    )  # fmt: skip
    return advice_document("yields", answer, own)


def picture(answer: YieldAnswer) -> Figure:
    """Work, gains over X'44' and what one of them is made of, against contention."""
    shown = [point.variant.yielding for point in _ordered(here(answer).points)]
    # Never yielding comes last: a yield has one colour in all panels, whether that line is there or not.
    drawn = sorted(shown, key=lambda each: each.alike == NEVER)[:_MOST_LINES]
    size = {each: max(map(abs, _gains_of(answer, each))) for each in shown if each != answer.evidence.base}
    others = max((value for each, value in size.items() if each.alike != NEVER), default=0.0)
    hidden = [each for each, value in size.items() if each.alike == NEVER and value > _MOST_TIMES * others]
    now = [(here(answer).each, "now")]
    rates = [_line(answer, each, "work_percent", each.words()) for each in drawn]
    gains = [_line(answer, each, "gain_percent", each.words()) for each in drawn if each not in hidden]
    panels = [
        Panel("Work, %", rates, now, residuals=False),
        Panel("Gain over X'44', %", gains, now, "both sides"),
        Panel(f"Gain of {answer.evidence.compared.words()}, from", _parts(answer), now, "both sides"),
    ]
    return Figure(panels, "Virtual processors per logical one")


def heading(file: str, read: Locked, partition: Locked) -> str:
    """The scenario and partition that were read, with growth."""
    return f"{file}  scenario: {partition.controlled.words} ({fixed(partition.each, 1)} each)"


def explain(answer: YieldAnswer) -> Explanation:
    """All lines around an answer."""
    facts = [_expectation(answer, here(answer)), *_saving(answer), *_outcomes(answer), *_locks(answer)]
    kinds = [*_KINDS.items(), *([_CONTROLLER] if answer.subject.controlled.now.vertical else [])]
    return Explanation(
        facts=tuple(facts), open=open_notes(answer, kinds), caveats=tuple(_caveats(answer)),
        needed=tuple(_needed(answer)),
    )  # fmt: skip


def _here_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """A row per yield on the processors of now."""
    legend = (
        "100 % is one processor. Work: what guests did, as if in warm caches and without spinning; throughput is"
        " proportional to it, and gains are of it, over X'44'. Spin: processor time. DIAGs (X'44', fast ones"
        " included, and X'9C') and at once (X'9C' that dispatched their target) are per s; fast: share of X'44'."
        " Contended: share of acquisitions; wait: of these. ± is simulation noise (95 %,"
        f" {answer.plan.replications} runs)."
    )
    base = answer.evidence.base
    values = _seen() | {
        "name": lambda point: point.variant.words(),
        "over_base": lambda point: point["gain_percent"] if point.variant.yielding != base else None,
    }

    def marked(point: YieldPoint) -> list[str]:
        asked = point.variant.yielding in answer.evidence.asked
        chosen, now = (point.variant == variant for variant in (answer.recommendation, answer.now))
        return holding({"choose": chosen, "now": now, "asked": asked})

    lines, points = columns(_HERE, _TABLES, values), _ordered(here(answer).points)
    return Table(lines, points, legend=legend, marks=marked, face=Face.PEOPLE)


def _contention_table(answer: YieldAnswer) -> Table[Row]:
    """A row per number of processors: contention with X'44', and what the other yields gain over it there."""
    seen, now = _seen(), answer.now.processors

    def under_base(key: str, row: Row) -> Any:
        point = row.point(answer.evidence.base)
        assert point is not None, "X'44' is simulated on every number of processors"
        return seen[key](point) if key in seen else point[key]

    def gain(yielding: Yielding, row: Row) -> Estimate | str:
        return point.differences["gain"] if (point := row.point(yielding)) else NOTHING

    keys = ("work_percent", "vector_empty_percent", "vector_depth", "fast_x44_percent", "contended_percent")
    values: dict[str, Callable[[Row], Any]] = {key: partial(under_base, key) for key in keys}
    values["virtual_per_processor"] = lambda row: row.each
    lines = columns(_CONTENTION, _TABLES, values)
    for point in _ordered(here(answer).points):
        if (yielding := point.variant.yielding) != answer.evidence.base:
            lines.append(Column(yielding.slug, yielding.words(), partial(gain, yielding), "%", estimates))
    legend = (
        "Virtual: virtual processors per logical one. Under X'44': work, the share of time with empty vectors and"
        " the number waiting in one, fast X'44', contended acquisitions; then the gain of other yields over it."
    )
    return Table(
        lines, answer.evidence.rows, legend=legend, face=Face.PEOPLE,
        marks=lambda row: holding({
            "now": row.processors == now, "asked": row.processors in answer.evidence.asked_processors,
            "none expected": bool(row.contention.why),
        }),
    )  # fmt: skip


def _saved_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Where the gain that is compared is from, on each number of processors."""
    points = points_of(answer, answer.evidence.compared)
    names = [
        name for name in SAVED if any(abs(point.parts[name].mean) >= 0.05 for point in points if name in point.parts)
    ]
    legend = (
        "Of the gain, in % of the work with X'44'; the parts add up to it. Holder sooner: locks are held for less"
        " time; spin: fewer virtual processors spin; switches: the control program's path without DIAGNOSEs;"
        " caches: the extra time in cold caches."
    )
    lines = columns("processors", values=_VARIANT)
    words = f"gain of {answer.evidence.compared.words()}"
    lines.append(Column("gain_percent", words, lambda point: point["gain_percent"], "%", estimates))
    lines += columns("; ".join(f"{name} | ±2 | {_SHORT.get(name, _SAVED_WORDS[name])}" for name in names))
    return Table(lines, points if names else [], legend=legend, face=Face.PEOPLE)


def _every_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Every yield on every number of processors; JSON has every counter that was compared."""
    title = "Every yield on every number of processors; gains are over X'44'."
    seen = _seen()
    values = _VARIANT | {"fast": seen["fast_x44_percent"], "at_once": seen["x9c_yielded_per_s"]}
    values["now"] = lambda point: point.variant == answer.now
    points = [point for row in answer.evidence.rows for point in _ordered(row.points)]
    return Table(columns(_EVERY, _TABLES, values), points, title, face=Face.HTML | Face.JSON)


def _every_saved_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Where the gain of every yield on every number of processors is from."""
    title = "Causes of gains, in % of the work with X'44'; the parts add up to the gain."
    every = [point for row in answer.evidence.rows for point in _ordered(row.points)]
    points = [point for point in every if point.variant.yielding != answer.evidence.base]
    # Gains are of work, so that nothing else is left of it.
    parts = [f"{name} | ± | {_SAVED_WORDS[name]}" for name in SAVED if name != "work"]
    lines = "\n".join(["processors", "name | | yields", "gain_percent | ± | gain | %", *parts])
    return Table(columns(lines, values=_VARIANT), points, title, face=Face.HTML)


_VARIANT: dict[str, Callable[[YieldPoint], Any]] = {
    "processors": lambda point: point.variant.processors,
    "name": lambda point: point.variant.words(),
}


def _seen() -> dict[str, Callable[[YieldPoint], Any]]:
    """Counters that are a dash where no DIAGNOSE is issued that they are about."""

    def value(key: str, issued: str, point: YieldPoint) -> Any:
        return point[key] if point.columns[issued].mean > 0 else NOTHING

    return {key: partial(value, key, issued) for key, issued in _ONLY_WITH.items()}


def _yields(on: On) -> dict[str, Any]:
    return {"name": on.words(), "yields": dict(on.yielding.pairs)}


def _shown(table: Table[YieldPoint], point: YieldPoint) -> dict[str, Any]:
    parts = {f"{name}_saved_percent": value for name, value in point.parts.items()}
    return _yields(point.variant) | record(table, point) | fields(**parts)


def _gains_of(answer: YieldAnswer, yielding: Yielding) -> list[float]:
    found = [point.differences["gain"].mean for point in points_of(answer, yielding)]
    return [gain for gain in found if math.isfinite(gain)] or [0.0]


def _line(answer: YieldAnswer, yielding: Yielding, key: str, label: str) -> Series:
    points = points_of(answer, yielding)[::-1]
    each = [answer.subject.virtual_processors / point.variant.processors for point in points]
    return series(each, [point[key] for point in points], label)


def _parts(answer: YieldAnswer) -> list[Series]:
    points = points_of(answer, answer.evidence.compared)
    size = {name: max(abs(point.parts[name].mean) for point in points) for name in SAVED if name in points[-1].parts}
    shown = sorted(sorted(size, key=lambda name: -size[name])[:_MOST_PARTS], key=SAVED.index)
    return [_line(answer, answer.evidence.compared, name, _SAVED_WORDS[name]) for name in shown]


def _headline(answer: YieldAnswer) -> list[Block]:
    chosen, row = answer.recommendation, here(answer)
    gains = [_gains(answer, chosen)] if chosen else []
    blocks = recommendation(answer, On.words, scope(answer, On.words), gains)
    said = [_most(answer)]
    if chosen is None or row.contention.why:
        said.append(f"{capital(_expectation(answer, row))}.")
    none = answer.evidence.none_from
    if none is not None and none is not row and none.processors > row.processors:
        said.append(f"{capital(_expectation(answer, none))}.")
    if answer.request.target is not None:
        met = answer.meets[0] if answer.meets else None
        where = f"{plural(met.processors, 'processor')} with {met.words()}" if met else "no setting does"
        said.append(f"{answer.request.target}: {where}.")
    return [*blocks, *(Paragraph(text) for text in said if text)]


def _gains(answer: YieldAnswer, chosen: On) -> str:
    """The gain of the recommended yields over now, or over X'44' where they are those of now, and its parts."""
    base = On(answer.evidence.base, answer.now.processors)
    if chosen == base == answer.now:
        best = answer.point(On(answer.evidence.compared, answer.now.processors))
        gains = change(best.differences["gain"], "throughput", base.words())
        return f"{capital(best.variant.words())}: {gains}, made of {_made_of(best)}."
    point = answer.point(chosen)
    beside = answer.point(answer.now if chosen != answer.now else base)
    value = point.differences["from_now" if chosen != answer.now else "gain"]
    before, after = (significant(compared.columns["work_percent"].mean) for compared in (beside, point))
    *first, last = [on.words() for on in answer.alike] or [""]
    alike = " and ".join([", ".join(first), last] if first else [last])
    same = f" No difference from {alike} beyond noise." if alike else ""
    over = "" if beside.variant == base else f" over {base.words()} ({point.differences['gain']} %)"
    return (
        f"{capital(change(value, 'throughput', beside.variant.words()))}, work {before} -> {after} %."
        f" Causes{over}: {_made_of(point)}.{same}"
    )


def _most(answer: YieldAnswer) -> str:
    """Where the yields that are compared gain most, if that is elsewhere than now and beyond noise."""
    points = points_of(answer, answer.evidence.compared)
    most = max(points, key=lambda point: point.differences["gain"].mean)
    gain, processors = most.differences["gain"], most.variant.processors
    if processors == answer.now.processors or not beyond(gain, answer.request.knobs["least"]):
        return ""
    each = answer.subject.virtual_processors / processors
    return (
        f"{capital(answer.evidence.compared.words())} gains most on {plural(processors, 'processor')} ({fixed(each, 1)}"
        f" virtual for each), {gain} %: {_made_of(most)}."
    )


def _made_of(point: YieldPoint) -> str:
    """The sources of a gain, in percent of throughput, the most first; parts below .05 are omitted."""
    parts = [(name, point.parts[name].mean) for name in SAVED if name in point.parts]
    largest = sorted(parts, key=lambda part: -abs(part[1]))
    shown = [f"{_SAVED_WORDS[name]} {fixed(mean, 1)}" for name, mean in largest if abs(mean) >= 0.05]
    return ", ".join(shown) or "nothing"


def _expectation(answer: YieldAnswer, row: Row) -> str:
    """Whether a gain is to be expected on the row's processors, and the measurements."""
    found = row.contention
    on = f"on {plural(row.processors, 'processor')}"
    if found.expected:
        shares = [f"{_share(found.contended_percent)} % of acquisitions spin"]
        if found.fast_percent.replications:
            shares.append(f"{_share(found.fast_percent)} % of X'44' are fast")
        yet = f"; but {_measured(answer, found)}" if found.gains is Gains.NONE else ""
        return f"a gain may be expected {on}: {', '.join(shares)}{yet}"
    why = "; ".join(_why(answer, row, reason) for reason in found.why)
    return f"no gain is to be expected {on}: {why} ({_measured(answer, found)})"


def _measured(answer: YieldAnswer, found: Contention) -> str:
    """The gains in the runs where none is to be expected."""
    if found.most.mean == 0 == found.most.half_width:
        return "measured: the same throughput to the last digit"
    most, least = f"{found.most} % over X'44'", f"{answer.request.knobs['least']:g} %"
    match found.gains:
        case Gains.NONE:
            return f"measured: none beyond {least}, at most {most}"
        case Gains.OPEN:
            return f"measured: none beyond noise, which allows {most}"
        case Gains.SOME:
            return f"but measured: {most}"


def _why(answer: YieldAnswer, row: Row, why: Why) -> str:
    found = row.contention
    many = plural(answer.subject.virtual_processors, "virtual processor")
    match why:
        case Why.ALONE:
            return "with one virtual processor in each machine no lock is ever contended"
        case Why.ROOM:
            return f"with as many processors as virtual ones ({many}) every lock holder runs"
        case Why.UNCONTENDED:
            return f"no lock is contended: {_share(found.contended_percent)} % of acquisitions spin"
        case Why.FAST:
            fast = f"practically all X'44' are fast, {_share(found.fast_percent)} %"
            return f"{fast}: no virtual processor waits in the vectors"


def _share(value: Estimate) -> str:
    return str(value) if value.replications else "0"


def _saving(answer: YieldAnswer) -> list[str]:
    """The compared gain for each X'44' that is not fast, as the report's numbers give it."""
    base, other = here(answer).point(answer.evidence.base), here(answer).point(answer.evidence.compared)
    if base is None or other is None:
        return []
    ended = base.columns["x44_per_s"].mean - base.columns["fast_x44_per_s"].mean
    worth = per_yield_us(other.differences["gain"].mean, answer.subject.processors, ended)
    gain = other.differences["gain"]
    lines = [f"{other.variant.words()} over {base.variant.words()}, {gain} %: {_made_of(other)}"]
    if math.isfinite(worth) and beyond(gain, 0.0):
        lines.append(
            f"that is {fixed(worth, 0)} us of processor time for each of the {fixed(ended, 0)} X'44' per s that are not"
            " fast"
        )
    return lines


def _outcomes(answer: YieldAnswer) -> list[str]:
    point = here(answer).point(answer.evidence.compared)
    rate = point.columns["x9c_per_s"].mean if point is not None else 0.0
    if point is None or not rate > 0:
        return []
    words = {
        "yielded": "dispatched their target at once", "dispatched": "found it running", "not_ready": "not ready",
        "soft_wait": "in soft wait", "wait": "in wait",
    }  # fmt: skip
    shares = [
        f"{fixed(100 * point.columns[f'x9c_{name}_per_s'].mean / rate, 1)} % {text}" for name, text in words.items()
    ]
    return [f"of {fixed(rate, 0)} X'9C' per s {', '.join(shares)}"]


def _locks(answer: YieldAnswer) -> list[str]:
    """How locks are held and waited for, under X'44' and under what is compared."""
    base, other = here(answer).point(answer.evidence.base), here(answer).point(answer.evidence.compared)
    if base is None or other is None:
        return []

    def both(name: str) -> str:
        before, after = (point.columns[name].mean for point in (base, other))
        return f"{significant(before)} -> {significant(after)}"

    lead = f"locks, {base.variant.words()} -> {other.variant.words()}: held {both('held_us')} us a time"
    tail = f"{both('dispatches_per_s')} dispatches per s"
    if not base.columns["contended_per_s"].mean > 0:
        return [f"{lead}, never contended; {tail}"]
    return [
        f"{lead}, waited for {both('wait_us')} us when contended, {both('contended_percent')} % are; longest"
        f" {both('longest_wait_ms')} ms; {tail}"
    ]


def _caveats(answer: YieldAnswer) -> list[str]:
    partition = answer.subject
    uses = answer.recommendation.yielding if answer.recommendation else answer.evidence.compared
    unordered = all(order == "unordered" for kind in partition.kinds for order in kind.orders)
    said = {
        "SIGP Sense Running Status exists since the z9; z/OS 1.7 uses it, the Linux of that time does not": any(
            name == SENSE for _, name in uses.pairs
        ),
        f"X'9C' needs z/VM 5.3 (5.2 with service), and guests that issue it: SLES 10, z/OS 1.7 ({_SOURCE})": True,
        "throughput is measured as work done: a program needs the same work under any yield, and random variation"
        " of programs is excluded": True,
        "with ticket or queued locks, the next waiter blocks the others while it is not dispatched": not unordered,
        "no guest has anything in caches (cec.machine, footprint, touched_in): switches cost no refill here": (
            not partition.controlled.caches
        ),
        "other partitions share its processors: a lock holder may lose a physical one as well": (
            partition.controlled.shares
        ),
        "contention is varied by logical processors; guests and their programs stay the same": True,
        **{f"not simulated: {skipped}": True for skipped in answer.evidence.skipped},
    }
    return [*holding(said), *plan_notes(answer)]


def _needed(answer: YieldAnswer) -> list[str]:
    widths = [point.differences["gain"].half_width for point in here(answer).points]
    noise = max((width for width in widths if math.isfinite(width)), default=0.0)
    undecided = answer.recommendation is None and noise > answer.request.knobs["least"]
    return holding(
        {
            "the cost of switches and caches: one interval with each yield, X'44' and X'9C' rates (FCX104, FCX102)": (
                len(set(answer.chosen)) > 1
            ),
            f"longer runs (measure.interval, measure.replications): noise is up to {fixed(noise, 1)} %": undecided,
        }
    )


def _ordered(points: Sequence[YieldPoint]) -> list[YieldPoint]:
    """Points in the order in which tables show them: each yield, then mixtures."""

    def place(point: YieldPoint) -> int:
        same = point.variant.yielding.alike
        return YIELDS.index(same) if same else len(YIELDS)

    return sorted(points, key=place)
