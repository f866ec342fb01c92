"""The answer about polarization as a page of text: the setting first, a row per setting, readings, and what is open.

It leaves out deciding anything: every number is in the answer.
"""

from __future__ import annotations

import textwrap

from slicewright.advise.notes import notes
from slicewright.advise.polarization.answer import PolarizationAnswer, Recommended, SettingPoint
from slicewright.advise.polarization.build import default_is
from slicewright.advise.polarization.setting import Setting
from slicewright.advise.polarization.words import change, wait_change
from slicewright.statistics import fixed, plus_minus_column
from slicewright.text import aligned

WIDTH = 118


def page(answer: PolarizationAnswer) -> str:
    """The answer as text, no line wider than 118 characters but for long names.

    >>> from slicewright.advise.polarization.example import advice
    >>> print(page(advice()))
    zvm.toml  scenario: ZVM, 8 logical processors of a zEC12; ...
    <BLANKLINE>
      Vertical reshuffle, as it is now ...
    """
    blocks = [answer.heading, _headline(answer), _curve(answer), _readings(answer), notes(answer)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def short(setting: Setting, chosen: Setting, usual: Setting) -> str:
    """A setting as a row is named: without polarization and method where they are those of the one to choose.

    >>> usual = Setting("vertical", "reshuffle", 100.0, "large", 8)
    >>> short(usual.with_(processors=6), usual, usual), short(usual, usual, usual)
    ('6 processors', 'vertical reshuffle')
    """
    words = setting.words(usual)
    if setting.key == chosen.key:
        return words
    return words.removeprefix(f"{chosen.polarization} {chosen.method}, ").removeprefix(f"{chosen.polarization}, ")


def _headline(answer: PolarizationAnswer) -> str:
    told, now = answer.recommendation, answer.partition.now
    if told is None:
        lines = textwrap.wrap(f"No recommendation: {answer.reason}.", WIDTH - 2)
    else:
        words = told.setting.words(answer.usual)
        which = "as it is now" if told.setting.key == now.key else f"instead of {now.words(answer.usual)}"
        default = "z/VM's default" if default_is(told.setting) else "not z/VM's default"
        lead = f"{words[0].upper()}{words[1:]}, {which}"
        lines = [f"{lead.ljust(46)}  {_scope(answer, told)}; {default}"]
        lines += _besides(answer, told)
    lines.append(_processors(answer, told))
    if answer.target is not None:
        met = answer.target.setting
        what = f"{met.words(answer.usual)} in the least processor time" if met else "no setting that was looked at does"
        lines.append(f"{answer.target.target}: {what}.")
    return "\n".join(f"  {line}" for line in lines if line)


def _scope(answer: PolarizationAnswer, told: Recommended) -> str:
    known = [one for one in answer.readings if one.chosen is not None]
    others = [one for one in known if one.chosen is not None and one.chosen.key != told.setting.key]
    if len(known) < 2:
        return "one reading"
    return f"{len(others)} of {len(known)} readings differ" if others else "every reading agrees"


def _besides(answer: PolarizationAnswer, told: Recommended) -> list[str]:
    """Polarity, method and CPUPAD beside the chosen ones, a line each."""
    chosen, now = told.setting, answer.partition.now
    lines = []
    for one in answer.curve:
        other = one.setting
        same_size = other.processors == chosen.processors
        turned = other.vertical != chosen.vertical and same_size and other.cpupad == now.cpupad
        placed = other.vertical and chosen.vertical and other.method != chosen.method and same_size
        default = default_is(other) and same_size and other.key != chosen.key
        before = other.key == now.key != chosen.key
        if ((turned or placed) and other.unparking == now.unparking) or default or before:
            work, total = (change(value, what) for value, what in
                           ((one.from_chosen.work, "work"), (one.from_chosen.total, "processor time")))  # fmt: skip
            words = other.words(answer.usual)
            name = f"z/VM's default ({words})" if default else f"{words[0].upper()}{words[1:]}"
            name = f"As it is now ({words})" if before else name
            text = f"{name}: {work}, {total}, {wait_change(answer, one)}."
            lines += textwrap.wrap(text, WIDTH - 2, subsequent_indent="  ")
    if chosen.vertical and not answer.parking:
        lines.append("CPUPAD makes no difference: nothing is parked by need.")
    elif chosen.vertical and "cpupad" in told.indifferent:
        lines.append("CPUPAD makes no difference that counts.")
    return lines


def _processors(answer: PolarizationAnswer, told: Recommended | None) -> str:
    now = answer.partition.now
    chosen = told.setting if told else now
    fewer = [one for one in answer.curve if _only_fewer(one.setting, chosen)]
    if chosen.processors < now.processors:
        return f"{chosen.processors} logical processors instead of {now.processors}."
    if not fewer:
        return f"All {now.processors} logical processors are needed."
    most = max(fewer, key=lambda one: one.setting.processors)
    if answer.fewest < chosen.processors:
        point = next(one for one in fewer if one.setting.processors == answer.fewest)
        return (
            f"{answer.fewest} of {now.processors} logical processors would do the same ({wait_change(answer, point)})."
        )
    loss = f"{change(most.from_chosen.work, 'work')}, {wait_change(answer, most)}"
    return f"{most.setting.processors} of {now.processors} logical processors: {loss}."


def _only_fewer(setting: Setting, chosen: Setting) -> bool:
    return setting.processors < chosen.processors and setting.with_(processors=chosen.processors).key == chosen.key


def _curve(answer: PolarizationAnswer) -> str:
    chosen = answer.recommendation.setting if answer.recommendation else answer.partition.now
    points = answer.curve
    work, total = (
        plus_minus_column([(one.columns[name].mean, one.columns[name].half_width) for one in points])
        for name in ("work_percent", "total_percent")
    )
    rows = []
    for at, one in enumerate(points):
        means = {name: value.mean for name, value in one.columns.items()}
        rows.append([
            short(one.setting, chosen, answer.usual), work[at], _between(one, "work_percent"), total[at],
            fixed(means["nonchargeable_cp_percent"], 1), fixed(means["tv_ratio"], 2), fixed(means["unparked"], 1),
            fixed(means["moved_percent"], 1), fixed(means["ready"], 2), _mark(answer, one),
        ])  # fmt: skip
    width = max(len(row[-1]) for row in rows)
    rows = [[*row[:-1], row[-1].ljust(width)] for row in rows]
    head = ["setting", "work %", "all readings", "processor time %", "nc %", "T/V", "unparked", "moved %", "wait", ""]
    lines = aligned(head, rows)
    lines.append(
        "  100 % is one processor. Work: what its guests did, as if in warm caches; throughput is proportional to it.\n"
        "  nc: non-chargeable. Wait: virtual processors that wait for a processor. ± is simulation noise (95 %,"
        f" {answer.replications} runs)."
    )
    return "\n".join(lines)


def _between(point: SettingPoint, name: str) -> str:
    return f"{fixed(point.low[name], 0)} - {fixed(point.high[name], 0)}" if name in point.low else ""


def _mark(answer: PolarizationAnswer, point: SettingPoint) -> str:
    told, key = answer.recommendation, point.setting.key
    marks = ["choose"] if told and key == told.setting.key else []
    if key == answer.partition.now.key:
        marks.append("now")
    if any(key == one.key for one in answer.asked):
        marks.append("asked")
    if answer.target and answer.target.setting and key == answer.target.setting.key:
        marks.append("target")
    return f"<- {'; '.join(marks)}" if marks else ""


def _readings(answer: PolarizationAnswer) -> str:
    if len(answer.readings) < 2:
        return ""
    rows = []
    gains = plus_minus_column([(one.gain.mean, one.gain.half_width) for one in answer.readings])
    for one, gain in zip(answer.readings, gains, strict=True):
        chosen = one.chosen.words(answer.usual) if one.chosen else f"not simulated: {one.why}"
        rows.append([one.what, chosen, f"{gain} %" if one.chosen else ""])
    return "\n".join(aligned(["reading", "choose", "work, vertical over horizontal"], rows, left=2))
