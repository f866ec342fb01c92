"""The answer about yields as a report: what to choose, a row per yield, contention, where gains are from, readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from slicewright.advise.constants import constants_table
from slicewright.advise.noise import beyond
from slicewright.advise.report import Parts, advice_report, readings_json, readings_table
from slicewright.advise.yields.answer import SHOWN, Row, YieldAnswer, YieldPoint
from slicewright.advise.yields.picture import CAPTION, gains_shown, picture
from slicewright.advise.yields.words import SAVED_WORDS, expectation, gained, made_of, ordered
from slicewright.advise.yields.yielding import Yielding
from slicewright.report.forms import Form, Span, decimals, digits, estimates, spans
from slicewright.report.json import record, records, values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
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
    ('none to be expected from', '8 processors on')
    """
    chosen = answer.recommendation
    facts = [("recommendation", "none: it makes no difference")]
    if chosen:
        facts = [("yield", chosen.words()), ("over X'44'", f"{_point(answer, chosen).gain} %")]
    facts.append(("virtual processors per logical one", fixed(answer.partition.each, 1)))
    if answer.none_from:
        facts.append(("none to be expected from", f"{answer.none_from.processors} processors on"))
    name = answer.partition.name
    drawn = picture(answer).captioned(CAPTION)
    blocks = [*_headline(answer), drawn, here_table(answer), contention_table(answer), saved_table(answer)]
    blocks += [every_table(answer), every_saved_table(answer)]
    readings = readings_table(answer.readings, Yielding.words, (f"gain of {answer.compared.words()}", "%"))
    title = f"Yields in {name}"
    return advice_report(answer, Parts(title, name, answer.heading, facts, blocks, readings, answer.constants))


def here_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """A row per yield on the processors of now."""
    legend = (
        "100 % is one processor. Work: what guests did, as if in warm caches and without spinning; throughput is"
        " proportional to it, and gains, over X'44', are of it. Spin: processor time. DIAGs (X'44', fast ones too, and"
        " X'9C') and at once (X'9C' that had their target run) are per s; fast: of X'44'. Contended: of takings; wait:"
        f" of these. ± is simulation noise (95 %, {answer.replications} runs)."
    )
    columns: list[Column[YieldPoint]] = [Column("name", "yields", lambda point: point.yielding.words())]
    for name, (header, unit, form) in COUNTERS.items():
        columns.append(Column(name, header, _seen(name), unit, estimates, brief=form, optional=True))
        if name == "work_percent":
            columns.append(Column("gain_percent", "gain", _gain(answer), "%", estimates))
            columns.append(Column("gain", "all readings", _between, form=spans(1), optional=True))
    points = ordered(answer.here.points)
    return Table(columns, points, legend=legend, marks=lambda point: _marks(answer, point), face=Face.PEOPLE)


def contention_table(answer: YieldAnswer) -> Table[Row]:
    """A row per number of processors: contention with X'44', and what the other yields gain over it there."""

    def base(name: str) -> Callable[[Row], Estimate | str]:
        return lambda row: _seen(name)(_of(row, answer.base))

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
        "Virtual: virtual processors per logical one. Under X'44': work, how much of the time vectors are empty"
        " and how many wait in one, fast X'44', contended takings; then what the other yields gain over it."
    )
    return Table(columns, answer.rows, legend=legend, marks=lambda row: _row_marks(answer, row), face=Face.PEOPLE)


def saved_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Where the gain that is compared is from, on each number of processors."""
    points = [point for row in answer.rows if (point := row.point(answer.compared)) is not None]
    names = [name for name in SAVED if any(_counts(point.saved.get(name)) for point in points)]
    columns: list[Column[YieldPoint]] = [
        Column("processors", "processors", lambda point: point.processors),
        Column("gain_percent", f"gain of {answer.compared.words()}", lambda point: point.gain, "%", estimates),
    ]
    columns += [Column(name, PARTS.get(name, SAVED_WORDS[name]), _saved(name), form=_hundredths) for name in names]
    legend = (
        "Of the gain, in % of the work with X'44'; the parts add up to it. Holder sooner: locks are held"
        " for less time; spin: fewer spin while one is held; switches: the control program's path but for DIAGNOSEs;"
        " caches: what guests take longer in cold ones."
    )
    return Table(columns, points if names else [], legend=legend, face=Face.PEOPLE)


def every_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Every yield on every number of processors; JSON has every counter that was compared."""
    columns: list[Column[YieldPoint]] = [
        Column("processors", "processors", lambda point: point.processors),
        Column("now", "", lambda point: _is_now(answer, point), face=Face.JSON),
        Column("name", "yields", lambda point: point.yielding.words(), face=Face.PEOPLE),
    ]
    for name in SHOWN:
        header, unit, _ = COUNTERS.get(name, ("", "", estimates))
        if name in COUNTERS:
            columns.append(Column(name, header, _seen(name), unit, estimates, face=Face.PEOPLE))
        columns.append(Column(name, "", _counter(name), face=Face.JSON))
        if name == "work_percent":
            columns.append(Column("gain_percent", "gain", lambda point: point.gain, "%", estimates))
    columns.append(Column("gain", "", lambda point: Span(point.low, point.high), face=Face.JSON))
    columns.append(Column("from_now_percent", "", lambda point: point.from_now, face=Face.JSON))
    title = "Every yield on every number of processors; gains are over X'44'."
    return Table(columns, _every(answer), title, face=Face.HTML | Face.JSON)


def every_saved_table(answer: YieldAnswer) -> Table[YieldPoint]:
    """Where the gain of every yield on every number of processors is from."""
    columns: list[Column[YieldPoint]] = [
        Column("processors", "processors", lambda point: point.processors),
        Column("name", "yields", lambda point: point.yielding.words()),
        Column("gain_percent", "gain", lambda point: point.gain, "%", estimates),
    ]
    # Gains are of work, so that nothing else is left of it.
    names = [name for name in SAVED if name != "work"]
    columns += [Column(f"{name}_saved_percent", SAVED_WORDS[name], _saved(name), form=estimates) for name in names]
    title = "Where gains are from, in % of the work with X'44'; the parts add up to the gain."
    points = [point for point in _every(answer) if point.yielding != answer.base]
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
    chosen, partition = answer.recommendation, answer.partition
    made: dict[str, Any] = {"question": "yields", "files": [answer.file], "partition": partition.name}
    made["recommendation"] = None
    if chosen:
        point = _point(answer, chosen)
        made["recommendation"] = {
            **_yields(chosen), "as_now": chosen == partition.now, **values("gain_percent", point.gain),
            **values("from_now_percent", point.from_now), "alike": [yielding.words() for yielding in answer.alike],
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    here, none_from = answer.here.contention, answer.none_from
    made["estimate"] = {
        **values("virtual_per_processor", partition.each), "gain_expected": here.expected,
        "no_gain_from_processors": none_from.processors if none_from else None,
    }  # fmt: skip
    made |= {"now": _yields(partition.now), "needed": list(answer.needed)}
    table = every_table(answer)
    if answer.asked:
        points = (answer.here.point(yielding) for yielding in answer.asked)
        made["at"] = [_shown(table, point) for point in points if point]
    if answer.target:
        target = answer.target
        made["target"] = {
            "condition": str(target.target), "processors": target.processors,
            "yields": _yields(target.yielding) if target.yielding else None,
        }  # fmt: skip
    made["curve"] = [_shown(table, point) for row in answer.rows for point in row.points]
    made["contention"] = [_contention(row) for row in answer.rows]
    made["readings"] = readings_json(answer.readings, _yields, "gain_percent")
    made["evidence"] = {
        "facts": list(answer.facts), "compared": _yields(answer.compared),
        "programs_of": partition.starting or None, "least_percent": answer.least_percent,
        "growth_factor": answer.growth, "replications": answer.replications,
        "warm_up_s": answer.warm_up_s, "interval_s": answer.interval_s,
    }  # fmt: skip
    made["constants"] = records(constants_table(answer.constants))
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _yields(yielding: Yielding) -> dict[str, Any]:
    return {"name": yielding.words(), "yields": dict(yielding.pairs)}


def _shown(table: Table[YieldPoint], point: YieldPoint) -> dict[str, Any]:
    made = {**_yields(point.yielding), **record(table, point)}
    for name, value in point.saved.items():
        made |= values(f"{name}_saved_percent", value)
    return made


def _contention(row: Row) -> dict[str, Any]:
    seen = row.contention
    return {
        "processors": row.processors, **values("virtual_per_processor", row.each), "expected": seen.expected,
        "why": [reason.value for reason in seen.why], "measured": seen.measured.value,
        **values("most_gain_percent", seen.most), **values("fast_x44_percent", seen.fast_percent),
        **values("contended_percent", seen.contended_percent),
    }  # fmt: skip


def _headline(answer: YieldAnswer) -> list[Block]:
    chosen, now, here = answer.recommendation, answer.partition.now, answer.here
    blocks: list[Block] = []
    if chosen is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        which = "as it is now" if chosen == now else f"instead of {now.words()}"
        blocks += [Lead(f"{chosen.words()}, {which}", _scope(answer, chosen)), Paragraph(_gains(answer, chosen))]
    said = [_most(answer)]
    if chosen is None or here.contention.why:
        said.append(f"{_capital(expectation(answer, here))}.")
    none = answer.none_from
    if none is not None and none is not here and none.processors > here.processors:
        said.append(f"{_capital(expectation(answer, none))}.")
    if answer.target is not None:
        met = answer.target.yielding
        where = f"{plural(answer.target.processors or 0, 'processor')} with {met.words()}" if met else "nothing does"
        said.append(f"{answer.target.target}: {where}.")
    return [*blocks, *(Paragraph(text) for text in said if text)]


def _gains(answer: YieldAnswer, chosen: Yielding) -> str:
    """What the recommended yields gain over now, or over X'44' where they are those of now, and from where."""
    now = answer.partition.now
    if chosen == answer.base == now:
        best = _point(answer, answer.compared)
        return f"{_capital(best.yielding.words())}: {gained(best.gain, answer.base.words())}, made of {made_of(best)}."
    point = _point(answer, chosen)
    beside = _point(answer, now if chosen != now else answer.base)
    value = point.from_now if chosen != now else point.gain
    before, after = (significant(compared.columns["work_percent"].mean) for compared in (beside, point))
    alike = _listed([yielding.words() for yielding in answer.alike])
    same = f" {_capital(alike)} cannot be told from it." if alike else ""
    over = "" if beside.yielding == answer.base else f" over {answer.base.words()} ({point.gain} %)"
    return (
        f"{_capital(gained(value, beside.yielding.words()))}, work {before} -> {after} %."
        f" Where from{over}: {made_of(point)}.{same}"
    )


def _most(answer: YieldAnswer) -> str:
    """Where the yields that are compared gain most, if that is elsewhere than now and beyond noise."""
    points = [point for row in answer.rows if (point := row.point(answer.compared)) is not None]
    most = max(points, key=lambda point: point.gain.mean)
    if most.processors == answer.partition.processors or not beyond(most.gain, answer.least_percent):
        return ""
    each = answer.partition.virtual_processors / most.processors
    return (
        f"{_capital(answer.compared.words())} gains most on {plural(most.processors, 'processor')} ({fixed(each, 1)}"
        f" virtual for each), {most.gain} %: {made_of(most)}."
    )


def _scope(answer: YieldAnswer, chosen: Yielding) -> str:
    known = (reading.chosen for reading in answer.readings if reading.chosen is not None)
    others = sorted({yielding.words() for yielding in known if yielding != chosen})
    if others:
        return f"other readings: {', '.join(others)}"
    return "every reading agrees" if len(answer.readings) > 1 else "nothing in it is assumed"


def _point(answer: YieldAnswer, yielding: Yielding) -> YieldPoint:
    return _of(answer.here, yielding)


def _of(row: Row, yielding: Yielding) -> YieldPoint:
    point = row.point(yielding)
    assert point is not None, f"{yielding.words()} was simulated on {row.processors} processors"
    return point


def _every(answer: YieldAnswer) -> list[YieldPoint]:
    return [point for row in answer.rows for point in ordered(row.points)]


def _is_now(answer: YieldAnswer, point: YieldPoint) -> bool:
    return point.yielding == answer.partition.now and point.processors == answer.partition.processors


def _marks(answer: YieldAnswer, point: YieldPoint) -> list[str]:
    said = {
        "choose": point.yielding == answer.recommendation,
        "now": point.yielding == answer.partition.now,
        "asked": point.yielding in answer.asked,
    }
    return [mark for mark, holds in said.items() if holds]


def _row_marks(answer: YieldAnswer, row: Row) -> list[str]:
    said = {
        "now": row is answer.here,
        "asked": row.processors in answer.asked_processors,
        "none expected": bool(row.contention.why),
    }
    return [mark for mark, holds in said.items() if holds]


def _counter(name: str) -> Callable[[YieldPoint], Estimate]:
    return lambda point: point.columns[name]


def _seen(name: str) -> Callable[[YieldPoint], Estimate | str]:
    """A counter, or a dash where no DIAGNOSE is issued that it is about."""

    def value(point: YieldPoint) -> Estimate | str:
        issued = ONLY_WITH.get(name)
        return NOTHING if issued and not point.columns[issued].mean > 0 else point.columns[name]

    return value


def _gain(answer: YieldAnswer) -> Callable[[YieldPoint], Estimate | None]:
    return lambda point: point.gain if point.yielding != answer.base else None


def _between(point: YieldPoint) -> Span:
    return Span(point.low, point.high)


def _row_gain(yielding: Yielding) -> Callable[[Row], Estimate | str]:
    return lambda row: point.gain if (point := row.point(yielding)) else NOTHING


def _saved(name: str) -> Callable[[YieldPoint], Estimate]:
    return lambda point: point.saved[name]


def _hundredths(shares: Sequence[Estimate]) -> list[str]:
    return [f"{fixed(share.mean, 2)} ± {fixed(share.half_width, 2)}" for share in shares]


def _counts(value: Estimate | None) -> bool:
    return value is not None and abs(value.mean) >= 0.05


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
