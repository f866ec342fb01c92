"""The answer about yields as a page of text: what to choose, a row per yield, contention, where gains are from.

It leaves out deciding anything: every number is in the answer.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from slicewright.advise.noise import beyond
from slicewright.advise.notes import notes
from slicewright.advise.yields.answer import YieldAnswer, YieldPoint
from slicewright.advise.yields.words import SAVED_WORDS, expectation, gained, made_of, ordered
from slicewright.advise.yields.yielding import Yielding
from slicewright.statistics import NOTHING, Estimate, fixed, plus_minus, plus_minus_column, significant
from slicewright.text import aligned, plural
from slicewright.yield_budget import SAVED

WIDTH = 118


def page(answer: YieldAnswer) -> str:
    """The answer as text, no line wider than 118 characters but for long names.

    >>> from slicewright.advise.yields.example import advice
    >>> print(page(advice()))
    spinners.toml  scenario: ZVM, 2 logical processors; ...
    """
    blocks = [
        answer.heading, _headline(answer), _curve(answer), _contention(answer), _saved(answer), _readings(answer),
        notes(answer),
    ]  # fmt: skip
    return "\n\n".join(block for block in blocks if block) + "\n"


def gains_shown(answer: YieldAnswer) -> list[Yielding]:
    """The yields whose gains over contention are shown: all but X'44', over which they are.

    >>> from slicewright.advise.yields.example import advice
    >>> [one.words() for one in gains_shown(advice())]
    ['never', "X'9C'", 'sense-running']
    """
    return [one.yielding for one in ordered(answer.here.points) if one.yielding != answer.base]


def _headline(answer: YieldAnswer) -> str:
    told, now = answer.recommendation, answer.partition.now
    here = answer.here
    if told is None:
        lines = textwrap.wrap(f"No recommendation: {answer.reason}.", WIDTH - 2)
    else:
        which = "as it is now" if told == now else f"instead of {now.words()}"
        lines = [f"{f'{told.words()}, {which}'.ljust(46)}  {_scope(answer, told)}"]
        lines += _wrapped(_gains(answer, told))
    lines += _wrapped(_most(answer))
    if told is None or here.contention.why:
        lines += _wrapped(f"{_capital(expectation(answer, here))}.")
    none = answer.none_from
    if none is not None and none is not here and none.processors > here.processors:
        lines += _wrapped(f"{_capital(expectation(answer, none))}.")
    if answer.target is not None:
        met = answer.target.yielding
        where = f"{plural(answer.target.processors or 0, 'processor')} with {met.words()}" if met else "nothing does"
        lines.append(f"{answer.target.target}: {where}.")
    return "\n".join(f"  {line}" for line in lines)


def _gains(answer: YieldAnswer, told: Yielding) -> str:
    """What the recommended yields gain over now, or over X'44' where they are those of now, and from where."""
    now, here = answer.partition.now, answer.here
    point, base = here.point(told), here.point(answer.base)
    assert point is not None
    assert base is not None
    beside = here.point(now) if told != now else base
    assert beside is not None
    if told == answer.base == now:
        best = here.point(answer.compared)
        assert best is not None
        return f"{_capital(best.yielding.words())}: {gained(best.gain, answer.base.words())}, made of {made_of(best)}."
    value = point.from_now if told != now else point.gain
    before, after = (significant(one.columns["work_percent"].mean) for one in (beside, point))
    same = (
        f" {_capital(_listed([one.words() for one in answer.alike]))} cannot be told from it." if answer.alike else ""
    )
    over = (
        ""
        if beside is base
        else f" over {answer.base.words()} ({plus_minus(point.gain.mean, point.gain.half_width)} %)"
    )
    return (
        f"{_capital(gained(value, beside.yielding.words()))}, work {before} -> {after} %."
        f" Where from{over}: {made_of(point)}.{same}"
    )


def _most(answer: YieldAnswer) -> str:
    """Where the yields that are compared gain most, if that is elsewhere than now and beyond noise."""
    points = [point for row in answer.rows if (point := row.point(answer.compared)) is not None]
    most = max(points, key=lambda one: one.gain.mean)
    if most.processors == answer.partition.processors or not beyond(most.gain, answer.least_percent):
        return ""
    each = answer.partition.virtual_processors / most.processors
    return (
        f"{_capital(answer.compared.words())} gains most on {plural(most.processors, 'processor')} ({fixed(each, 1)}"
        f" virtual for each), {plus_minus(*_pair(most.gain))} %: {made_of(most)}."
    )


def _scope(answer: YieldAnswer, told: Yielding) -> str:
    others = sorted({one.chosen.words() for one in answer.readings if one.chosen is not None and one.chosen != told})
    if others:
        return f"other readings: {', '.join(others)}"
    return "every reading agrees" if len(answer.readings) > 1 else "nothing in it is assumed"


def _curve(answer: YieldAnswer) -> str:
    points = ordered(answer.here.points)
    rates, gains = (
        plus_minus_column([(one.mean, one.half_width) for one in values])
        for values in ([one.columns["work_percent"] for one in points], [one.gain for one in points])
    )
    rows = []
    for at, one in enumerate(points):
        mean = {name: value.mean for name, value in one.columns.items()}
        between = f"{fixed(one.low, 1)} - {fixed(one.high, 1)}" if one.low is not None else ""
        gain = gains[at] if one.yielding != answer.base else ""
        rows.append([
            one.yielding.words(), rates[at], gain, between, fixed(mean["spinning_percent"], 1),
            fixed(mean["diagnoses_per_s"], 0),
            fixed(mean["fast_x44_percent"], 1) if mean["x44_per_s"] > 0 else NOTHING,
            fixed(mean["x9c_yielded_per_s"], 0) if mean["x9c_per_s"] > 0 else NOTHING,
            fixed(mean["contended_percent"], 1), significant(mean["wait_us"]), significant(mean["held_us"]),
            _mark(answer, one),
        ])  # fmt: skip
    head = [
        "yields", "work %", "gain %", "all readings", "spin %", "DIAGs", "fast %", "at once", "contended %", "wait us",
        "held us", "",
    ]  # fmt: skip
    lines = aligned(head, _kept(_marked(rows), head))
    lines += _indented(
        "100 % is one processor. Work: what guests did, as if in warm caches and without spinning; throughput is"
        " proportional to it, and gains, over X'44', are of it. Spin: processor time. DIAGs (X'44', fast ones too, and"
        " X'9C') and at once (X'9C' that had their target run) are per s; fast: of X'44'. Contended: of takings; wait:"
        f" of these. ± is simulation noise (95 %, {answer.replications} runs)."
    )
    return "\n".join(lines)


def _contention(answer: YieldAnswer) -> str:
    shown = gains_shown(answer)
    columns = [plus_minus_column([_gain(row.point(one)) for row in answer.rows]) for one in shown]
    rows = []
    for at, row in enumerate(answer.rows):
        base = row.point(answer.base)
        assert base is not None
        value = {name: found.mean for name, found in base.columns.items()}
        marks = ["now"] if row is answer.here else []
        marks += ["asked"] if row.processors in answer.asked_processors else []
        marks += ["none expected"] if row.contention.why else []
        rows.append([
            str(row.processors), fixed(row.each, 2), significant(value["work_percent"]),
            fixed(value["vector_empty_percent"], 0), fixed(value["vector_depth"], 1),
            fixed(value["fast_x44_percent"], 1) if value["x44_per_s"] > 0 else NOTHING,
            fixed(value["contended_percent"], 1),
            *(column[at] for column in columns),
            f"<- {'; '.join(marks)}" if marks else "",
        ])  # fmt: skip
    head = ["processors", "virtual", "work %", "empty %", "depth", "fast %", "contended %"]
    head += [f"{one.words()} %" for one in shown] + [""]
    lines = aligned(head, _marked(rows))
    lines += _indented(
        "Virtual: virtual processors per logical one. Under X'44': work, how much of the time vectors are empty"
        " and how many wait in one, fast X'44', contended takings; then what the other yields gain over it."
    )
    return "\n".join(lines)


def _saved(answer: YieldAnswer) -> str:
    """Where the gain that is compared is from, on each number of processors."""
    found = [(row, point) for row in answer.rows if (point := row.point(answer.compared)) is not None]
    names = [name for name in SAVED if any(_counts(point.saved.get(name)) for _, point in found)]
    if not names:
        return ""
    gains = plus_minus_column([_pair(point.gain) for _, point in found])
    rows = [
        [str(row.processors), gain, *(_hundredths(point.saved[name]) for name in names)]
        for gain, (row, point) in zip(gains, found, strict=True)
    ]
    heads = {"holder_sooner": "holder sooner", "switches": "switches", "diagnose": "DIAGNOSE", "spin": "spin"}
    head = ["processors", f"gain of {answer.compared.words()} %", *(heads.get(one, SAVED_WORDS[one]) for one in names)]
    lines = aligned(head, rows)
    lines += _indented(
        "Of the gain, in % of the work with X'44'; the parts add up to it. Holder sooner: locks are held"
        " for less time; spin: fewer spin while one is held; switches: the control program's path but for DIAGNOSEs;"
        " caches: what guests take longer in cold ones."
    )
    return "\n".join(lines)


def _readings(answer: YieldAnswer) -> str:
    if len(answer.readings) < 2:
        return ""
    rows = []
    gains = plus_minus_column([_pair(one.gain) for one in answer.readings])
    for one, gain in zip(answer.readings, gains, strict=True):
        chosen = one.chosen.words() if one.chosen else f"not simulated: {one.why}"
        rows.append([one.what, chosen, f"{gain} %" if one.chosen else ""])
    return "\n".join(aligned(["reading", "choose", f"gain of {answer.compared.words()}"], rows, left=2))


def _mark(answer: YieldAnswer, point: YieldPoint) -> str:
    marks = ["choose"] if point.yielding == answer.recommendation else []
    marks += ["now"] if point.yielding == answer.partition.now else []
    marks += ["asked"] if point.yielding in answer.asked else []
    return f"<- {'; '.join(marks)}" if marks else ""


def _marked(rows: list[list[str]]) -> list[list[str]]:
    """The rows with their last cells of one width, so that marks begin under each other."""
    width = max(len(row[-1]) for row in rows)
    return [[*row[:-1], row[-1].ljust(width)] for row in rows]


def _kept(rows: list[list[str]], head: list[str]) -> list[list[str]]:
    """The rows without columns that are empty, whose heads go too; marks stay."""
    empty = [at for at, name in enumerate(head) if name and all(row[at].strip() in ("", NOTHING) for row in rows)]
    for at in reversed(empty):
        del head[at]
    return [[cell for at, cell in enumerate(row) if at not in empty] for row in rows]


def _gain(point: YieldPoint | None) -> tuple[float | None, float | None]:
    return _pair(point.gain) if point is not None else (None, None)


def _pair(value: Estimate) -> tuple[float, float]:
    return value.mean, value.half_width


def _hundredths(value: Estimate) -> str:
    return f"{fixed(value.mean, 2)} ± {fixed(value.half_width, 2)}"


def _counts(value: Estimate | None) -> bool:
    return value is not None and abs(value.mean) >= 0.05


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 2, subsequent_indent="  ")


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
