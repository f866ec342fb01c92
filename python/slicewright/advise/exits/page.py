"""The answer about exits as a page of text: what to choose, a row per structure, what a pair is made of, readings.

It leaves out deciding anything: every number is in the answer.
"""

from __future__ import annotations

import textwrap

from slicewright.advise.exits.answer import ExitAnswer, ExitPoint
from slicewright.advise.exits.structures import BATCH, COMPLETE, SHORT, SINGLE
from slicewright.advise.exits.words import STEP_WORDS, gained, made_of, share
from slicewright.advise.notes import notes
from slicewright.statistics import fixed, plus_minus_column
from slicewright.text import aligned

WIDTH = 118


def page(answer: ExitAnswer) -> str:
    """The answer as text, no line wider than 118 characters but for long names.

    >>> from slicewright.advise.exits.example import advice
    >>> print(page(advice()))
    requests.toml  scenario: MVS, 1 logical processor; ...
    """
    blocks = [answer.heading, _headline(answer), _table(answer), _made_of(answer), _readings(answer), notes(answer)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(answer: ExitAnswer) -> str:
    told = answer.recommendation
    if told is None:
        lines = textwrap.wrap(f"No recommendation: {answer.reason}.", WIDTH - 2)
    else:
        which = "as it is now" if told == answer.now else f"instead of {SHORT[answer.now]}"
        lines = [f"{f'{SHORT[told]}, {which}'.ljust(46)}  {_scope(answer, told)}"]
        lines += _wrapped(_gains(answer, told))
    lines += _wrapped(_filter(answer))
    if answer.target is not None:
        met = ", ".join(SHORT[one] for one in answer.meets) or "no structure does"
        lines.append(f"{answer.target}: {met}.")
    return "\n".join(f"  {line}" for line in lines)


def _gains(answer: ExitAnswer, told: str) -> str:
    point, now = answer.point(told), answer.point(answer.now)
    same = f" {_listed(answer.alike)} cannot be told from it." if answer.alike else ""
    if told == answer.now:
        return f"It takes {_cpu(point)} % of a processor.{same}"
    return (
        f"{_cpu(now)} -> {_cpu(point)} % of a processor for the same pairs, {gained(point.from_now, answer.now)}; "
        f"of a pair, us: {made_of(now, point)}.{same}"
    )


def _filter(answer: ExitAnswer) -> str:
    """What a filter saves over slow exits at every request, whatever is recommended."""
    best = answer.point(SINGLE)
    whole = answer.point(BATCH).columns["cpu_percent"].mean
    part = 100 * best.saved.mean / whole if whole > 0 else 0.0
    wide = share(answer)
    return (
        f"A filter saves {fixed(part, 0)} % of what slow exits at every request take, "
        f"{plus_minus_column([(best.saved.mean, best.saved.half_width)])[0]} % of a processor, with {fixed(wide, 1)} % "
        "of the pairs global."
    )


def _table(answer: ExitAnswer) -> str:
    points = answer.points
    cpu, pair, elapsed, saved = (
        plus_minus_column([(one.mean, one.half_width) for one in values])
        for values in (
            [one.columns["cpu_percent"] for one in points],
            [one.columns["cpu_us_per_pair"] for one in points],
            [one.columns["elapsed_us_per_pair"] for one in points],
            [one.saved for one in points],
        )
    )
    rows = []
    for at, one in enumerate(points):
        between = (
            f"{fixed(one.low, 1)} - {fixed(one.high, 1)}" if one.low is not None and one.structure != BATCH else ""
        )
        held, wait = (one.columns[name].mean for name in ("lock_held_percent", "lock_wait_us"))
        rows.append([
            SHORT[one.structure], cpu[at], saved[at] if one.structure != BATCH else "", between, pair[at], elapsed[at],
            fixed(held, 1), fixed(wait, 1), _mark(answer, one),
        ])  # fmt: skip
    head = ["exits", "CPU %", "saved %", "all readings", "CPU us a pair", "elapsed us", "lock held %", "wait us", ""]
    if not any(row[3] for row in rows):
        head, rows = head[:3] + head[4:], [row[:3] + row[4:] for row in rows]
    width = max(len(row[-1]) for row in rows)
    lines = aligned(head, [[*row[:-1], row[-1].ljust(width)] for row in rows])
    lines += _indented(
        "100 % is one processor; CPU is for as many pairs of ENQ and DEQ as now, saved is less than with slow exits at"
        " every request (batch). Elapsed: until a pair is through, its waits for the lock of ENQ and DEQ and for the"
        f" manager included. ± is simulation noise (95 %, {answer.replications} runs)."
    )
    return "\n".join(lines)


def _made_of(answer: ExitAnswer) -> str:
    rows = [
        [SHORT[one.structure], *(fixed(one.columns[name].mean, 1) for name in (*STEP_WORDS, "cpu_us_per_pair"))]
        for one in answer.points
    ]
    lines = aligned(["us a pair", *STEP_WORDS.values(), "in all"], rows)
    return "\n".join(lines)


def _readings(answer: ExitAnswer) -> str:
    if len(answer.readings) < 2:
        return ""
    saved = plus_minus_column([(one.gain.mean, one.gain.half_width) for one in answer.readings])
    rows = []
    for one, value in zip(answer.readings, saved, strict=True):
        chosen = SHORT[one.chosen] if one.chosen else f"not simulated: {one.why}"
        rows.append([one.what, chosen, f"{value} %" if one.chosen else ""])
    return "\n".join(aligned(["reading", "choose", "saves over batch"], rows, left=2))


def _scope(answer: ExitAnswer, told: str) -> str:
    others = sorted({SHORT[one.chosen] for one in answer.readings if one.chosen is not None and one.chosen != told})
    if others:
        return f"other readings: {', '.join(others)}"
    return "every reading agrees" if len(answer.readings) > 1 else "nothing in it is assumed"


def _mark(answer: ExitAnswer, point: ExitPoint) -> str:
    marks = ["choose"] if point.structure == answer.recommendation else []
    marks += ["now"] if point.structure == answer.now else []
    marks += ["asked"] if point.structure in answer.asked else []
    marks += [] if point.structure in COMPLETE else ["not advised"]
    marks += [] if point.fits else ["completes fewer"]
    return f"<- {'; '.join(marks)}" if marks else ""


def _cpu(point: ExitPoint) -> str:
    value = point.columns["cpu_percent"]
    return plus_minus_column([(value.mean, value.half_width)])[0].strip()


def _listed(names: tuple[str, ...]) -> str:
    shown = " and ".join(SHORT[one] for one in names)
    return shown[:1].upper() + shown[1:]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 2, subsequent_indent="  ")


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
