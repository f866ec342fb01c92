"""The answer about yields as a report: what to choose, a row per yield, contention, where gains are from, readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from slicewright.advise.report import (
    Document,
    Parts,
    advice_document,
    advice_report,
    capital,
    counter,
    difference,
    readings_table,
    recommendation,
    scope,
)
from slicewright.advise.report import marks as holding
from slicewright.advise.yields.comparison import SHOWN, Row, YieldAnswer, YieldPoint, here
from slicewright.advise.yields.picture import CAPTION, gains_shown, picture
from slicewright.advise.yields.words import SAVED_WORDS, expectation, gained, made_of, ordered
from slicewright.advise.yields.yielding import On, Yielding
from slicewright.experiment.paired import beyond
from slicewright.report.forms import Form, Span, decimals, digits, estimates, spans
from slicewright.report.json import record, values
from slicewright.report.model import Block, Column, Face, Paragraph, Report, Table
from slicewright.run.yield_budget import SAVED
from slicewright.statistics import NOTHING, Estimate, fixed, plural, significant

COUNTERS: dict[str, tuple[str, str, Form]] = {
    "work_percent": ("work", "%", estimates),
    "spinning_percent": ("spin", "%", decimals(1)),
    "diagnoses_per_s": ("DIAGs", "", decimals(0)),
    "fast_x44_percent": ("fast", "%", decimals(1)),
    "x9c_yielded_per_s": ("at once", "", decimals(0)),
    "contended_percent": ("contended", "%", decimals(1)),
    "wait_us": ("wait", "us", digits),
    "held_us": ("held", "us", digits),
}
"""Header, unit and form as text of the counters that people see; JSON has all that were compared."""
ONLY_WITH = {"fast_x44_percent": "x44_per_s", "x9c_yielded_per_s": "x9c_per_s"}
"""Counters that say something only where these DIAGNOSEs are issued."""
PARTS = {"holder_sooner": "holder sooner", "diagnose": "DIAGNOSE", "spin": "spin", "switches": "switches"}
"""Short headers of the parts of a gain; the others have those of the sentences."""


def report(answer: YieldAnswer) -> Report:
    """The answer as a report.

    >>> from slicewright.advise.yields.example import advice
    >>> report(advice()).facts[-1]
    ('no gain expected from', '8 processors on')
    """
    chosen = answer.recommendation
    facts = [("recommendation", "none: it makes no difference")]
    if chosen:
        facts = [("yield", chosen.words()), ("over X'44'", f"{answer.point(chosen).differences['gain']} %")]
    facts.append(("virtual processors per logical one", fixed(answer.subject.each, 1)))
    none_from = answer.evidence.none_from
    if none_from:
        facts.append(("no gain expected from", f"{none_from.processors} processors on"))
    name = answer.subject.name
    drawn = picture(answer).captioned(CAPTION)
    blocks = [*_headline(answer), drawn, here_table(answer), contention_table(answer), saved_table(answer)]
    blocks += [every_table(answer), every_saved_table(answer)]
    readings = readings_table(answer.readings, On.words, (f"gain of {answer.evidence.compared.words()}", "%"))
    title = f"Yields in {name}"
    parts = Parts(title, name, answer.case.heading, facts, blocks, readings, answer.case.constants)
    return advice_report(answer.explanation, parts)


def here_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """A row per yield on the processors of now."""
    legend = (
        "100 % is one processor. Work: what guests did, as if in warm caches and without spinning; throughput is"
        " proportional to it, and gains are of it, over X'44'. Spin: processor time. DIAGs (X'44', fast ones"
        " included, and X'9C') and at once (X'9C' that dispatched their target) are per s; fast: share of X'44'."
        " Contended: share of acquisitions; wait: of these. ± is simulation noise (95 %,"
        f" {answer.plan.replications} runs)."
    )
    columns: list[Column[YieldPoint]] = [Column("name", "yields", lambda point: point.variant.words())]
    for name, (header, unit, form) in COUNTERS.items():
        columns.append(Column(name, header, _seen(name), unit, estimates, brief=form, optional=True))
        if name == "work_percent":
            columns.append(Column("gain_percent", "gain", _gain(answer), "%", estimates))
            columns.append(Column("gain", "all readings", _between, form=spans(1), optional=True))
    points = ordered(here(answer).points)
    return Table(columns, points, legend=legend, marks=lambda point: _marks(answer, point), face=Face.PEOPLE)


def contention_table(answer: YieldAnswer) -> Table[Row]:
    """A row per number of processors: contention with X'44', and what the other yields gain over it there."""

    def base(name: str) -> Callable[[Row], Estimate | str]:
        return lambda row: _seen(name)(_of(row, answer.evidence.base))

    columns: list[Column[Row]] = [
        Column("processors", "processors", lambda row: row.processors),
        Column("virtual_per_processor", "virtual", lambda row: row.each, form=decimals(2)),
        Column("work_percent", "work", base("work_percent"), "%", digits),
        Column("vector_empty_percent", "empty", base("vector_empty_percent"), "%", decimals(0)),
        Column("vector_depth", "depth", base("vector_depth"), form=decimals(1)),
        Column("fast_x44_percent", "fast", base("fast_x44_percent"), "%", decimals(1)),
        Column("contended_percent", "contended", base("contended_percent"), "%", decimals(1)),
    ]
    for yielding in gains_shown(answer):
        columns.append(Column(yielding.slug, yielding.words(), _row_gain(yielding), "%", estimates))
    legend = (
        "Virtual: virtual processors per logical one. Under X'44': work, the share of time with empty vectors and"
        " the number waiting in one, fast X'44', contended acquisitions; then the gain of other yields over it."
    )
    return Table(
        columns, answer.evidence.rows, legend=legend, marks=lambda row: _row_marks(answer, row), face=Face.PEOPLE
    )


def saved_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Where the gain that is compared is from, on each number of processors."""
    points = [point for row in answer.evidence.rows if (point := row.point(answer.evidence.compared)) is not None]
    names = [name for name in SAVED if any(_counts(point.parts.get(name)) for point in points)]
    columns: list[Column[YieldPoint]] = [
        Column("processors", "processors", lambda point: point.variant.processors),
        Column("gain_percent", f"gain of {answer.evidence.compared.words()}", difference("gain"), "%", estimates),
    ]
    columns += [Column(name, PARTS.get(name, SAVED_WORDS[name]), _saved(name), form=_hundredths) for name in names]
    legend = (
        "Of the gain, in % of the work with X'44'; the parts add up to it. Holder sooner: locks are held for less"
        " time; spin: fewer virtual processors spin; switches: the control program's path without DIAGNOSEs;"
        " caches: the extra time in cold caches."
    )
    return Table(columns, points if names else [], legend=legend, face=Face.PEOPLE)


def every_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Every yield on every number of processors; JSON has every counter that was compared."""
    columns: list[Column[YieldPoint]] = [
        Column("processors", "processors", lambda point: point.variant.processors),
        Column("now", "", lambda point: _is_now(answer, point), face=Face.JSON),
        Column("name", "yields", lambda point: point.variant.words(), face=Face.PEOPLE),
    ]
    for name in SHOWN:
        header, unit, _ = COUNTERS.get(name, ("", "", estimates))
        if name in COUNTERS:
            columns.append(Column(name, header, _seen(name), unit, estimates, face=Face.PEOPLE))
        columns.append(Column(name, "", counter(name), face=Face.JSON))
        if name == "work_percent":
            columns.append(Column("gain_percent", "gain", difference("gain"), "%", estimates))
    columns.append(Column("gain", "", _between, face=Face.JSON))
    columns.append(Column("from_now_percent", "", difference("from_now"), face=Face.JSON))
    title = "Every yield on every number of processors; gains are over X'44'."
    return Table(columns, _every(answer), title, face=Face.HTML | Face.JSON)


def every_saved_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Where the gain of every yield on every number of processors is from."""
    columns: list[Column[YieldPoint]] = [
        Column("processors", "processors", lambda point: point.variant.processors),
        Column("name", "yields", lambda point: point.variant.words()),
        Column("gain_percent", "gain", difference("gain"), "%", estimates),
    ]
    # Gains are of work, so that nothing else is left of it.
    names = [name for name in SAVED if name != "work"]
    columns += [Column(f"{name}_saved_percent", SAVED_WORDS[name], _saved(name), form=estimates) for name in names]
    title = "Causes of gains, in % of the work with X'44'; the parts add up to the gain."
    points = [point for point in _every(answer) if point.variant.yielding != answer.evidence.base]
    return Table(columns, points, title, face=Face.HTML)


def document(answer: YieldAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, contention, readings, evidence.

    Gains are in percent of the throughput with X'44' everywhere; `gain_low` and `gain_high` are null where only one
    reading was simulated.

    >>> from slicewright.advise.yields.example import advice
    >>> made = document(advice())
    >>> made["question"], len(made["curve"]), made["contention"][-1]["expected"]
    ('yields', 20, False)
    """
    chosen = answer.recommendation and answer.point(answer.recommendation)
    evidence, now_row, none_from = answer.evidence, here(answer), answer.evidence.none_from
    table = every_table(answer)
    met = answer.meets[0] if answer.meets else None
    own: Document[On] = Document(
        recommendation={
            **_yields(chosen.variant), "as_now": chosen.variant == answer.now,
            **values("gain_percent", chosen.differences["gain"]),
            **values("from_now_percent", chosen.differences["from_now"]),
            "alike": [on.words() for on in answer.alike],
        } if chosen else None,
        situation={
            "estimate": {
                **values("virtual_per_processor", answer.subject.each), "gain_expected": now_row.contention.expected,
                "no_gain_from_processors": none_from.processors if none_from else None,
            },
            "now": _yields(answer.now),
        },
        variant=_yields,
        gain="gain_percent",
        asked=[_shown(table, point) for asked in evidence.asked if (point := now_row.point(asked))],
        target={"processors": met.processors if met else None, "yields": _yields(met) if met else None},
        tables={
            "curve": [_shown(table, point) for point in answer.points],
            "contention": [_contention(row) for row in evidence.rows],
        },
        evidence={
            "compared": _yields(On(evidence.compared, answer.now.processors)),
            "programs_of": answer.subject.starting or None, "least_percent": answer.request.knobs["least"],
        },
    )  # fmt: skip
    return advice_document("yields", answer, own)


def _yields(on: On) -> dict[str, Any]:
    return {"name": on.words(), "yields": dict(on.yielding.pairs)}


def _shown(table: Table[YieldPoint], point: YieldPoint) -> dict[str, Any]:
    made = {**_yields(point.variant), **record(table, point)}
    for name, value in point.parts.items():
        made |= values(f"{name}_saved_percent", value)
    return made


def _contention(row: Row) -> dict[str, Any]:
    seen = row.contention
    return {
        "processors": row.processors, **values("virtual_per_processor", row.each), "expected": seen.expected,
        "why": [reason.value for reason in seen.why], "measured": seen.gains.value,
        **values("most_gain_percent", seen.most), **values("fast_x44_percent", seen.fast_percent),
        **values("contended_percent", seen.contended_percent),
    }  # fmt: skip


def _headline(answer: YieldAnswer) -> list[Block]:
    chosen, row = answer.recommendation, here(answer)
    gains = [_gains(answer, chosen)] if chosen else []
    blocks = recommendation(answer, On.words, scope(answer, On.words), gains)
    said = [_most(answer)]
    if chosen is None or row.contention.why:
        said.append(f"{capital(expectation(answer, row))}.")
    none = answer.evidence.none_from
    if none is not None and none is not row and none.processors > row.processors:
        said.append(f"{capital(expectation(answer, none))}.")
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
        gains = gained(best.differences["gain"], base.words())
        return f"{capital(best.variant.words())}: {gains}, made of {made_of(best)}."
    point = answer.point(chosen)
    beside = answer.point(answer.now if chosen != answer.now else base)
    value = point.differences["from_now" if chosen != answer.now else "gain"]
    before, after = (significant(compared.columns["work_percent"].mean) for compared in (beside, point))
    alike = _listed([on.words() for on in answer.alike])
    same = f" No difference from {alike} beyond noise." if alike else ""
    over = "" if beside.variant == base else f" over {base.words()} ({point.differences['gain']} %)"
    return (
        f"{capital(gained(value, beside.variant.words()))}, work {before} -> {after} %."
        f" Causes{over}: {made_of(point)}.{same}"
    )


def _most(answer: YieldAnswer) -> str:
    """Where the yields that are compared gain most, if that is elsewhere than now and beyond noise."""
    points = [point for row in answer.evidence.rows if (point := row.point(answer.evidence.compared)) is not None]
    most = max(points, key=lambda point: point.differences["gain"].mean)
    gain, processors = most.differences["gain"], most.variant.processors
    if processors == answer.now.processors or not beyond(gain, answer.request.knobs["least"]):
        return ""
    each = answer.subject.virtual_processors / processors
    return (
        f"{capital(answer.evidence.compared.words())} gains most on {plural(processors, 'processor')} ({fixed(each, 1)}"
        f" virtual for each), {gain} %: {made_of(most)}."
    )


def _of(row: Row, yielding: Yielding) -> YieldPoint:
    point = row.point(yielding)
    assert point is not None, f"{yielding.words()} was simulated on {row.processors} processors"
    return point


def _every(answer: YieldAnswer) -> list[YieldPoint]:
    return [point for row in answer.evidence.rows for point in ordered(row.points)]


def _is_now(answer: YieldAnswer, point: YieldPoint) -> bool:
    return point.variant == answer.now


def _marks(answer: YieldAnswer, point: YieldPoint) -> list[str]:
    said = {
        "choose": point.variant == answer.recommendation,
        "now": point.variant == answer.now,
        "asked": point.variant.yielding in answer.evidence.asked,
    }
    return holding(said)


def _row_marks(answer: YieldAnswer, row: Row) -> list[str]:
    said = {
        "now": row.processors == answer.now.processors,
        "asked": row.processors in answer.evidence.asked_processors,
        "none expected": bool(row.contention.why),
    }
    return holding(said)


def _seen(name: str) -> Callable[[YieldPoint], Estimate | str]:
    """A counter, or a dash where no DIAGNOSE is issued that it is about."""

    def value(point: YieldPoint) -> Estimate | str:
        issued = ONLY_WITH.get(name)
        return NOTHING if issued and not point.columns[issued].mean > 0 else point.columns[name]

    return value


def _gain(answer: YieldAnswer) -> Callable[[YieldPoint], Estimate | None]:
    return lambda point: point.differences["gain"] if point.variant.yielding != answer.evidence.base else None


def _between(point: YieldPoint) -> Span:
    return point.range("gain")


def _row_gain(yielding: Yielding) -> Callable[[Row], Estimate | str]:
    return lambda row: point.differences["gain"] if (point := row.point(yielding)) else NOTHING


def _saved(name: str) -> Callable[[YieldPoint], Estimate]:
    return lambda point: point.parts[name]


def _hundredths(shares: Sequence[Estimate]) -> list[str]:
    return [f"{fixed(share.mean, 2)} ± {fixed(share.half_width, 2)}" for share in shares]


def _counts(value: Estimate | None) -> bool:
    return value is not None and abs(value.mean) >= 0.05


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
