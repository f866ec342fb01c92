"""Copies of cpu.stat from before and after a limit was changed: outcomes of predictions, and the readings left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from slicewright.advise.limits.answer import Case, Check, Lever, LimitAnswer, ReadingLine, foretell
from slicewright.advise.limits.cpu_stat import date_of, limit_of
from slicewright.advise.limits.from_copies import Searched, bare, contradictions, search, with_curve, without
from slicewright.advise.limits.from_copies import check as request_of
from slicewright.advise.limits.intervals import LIKE, intervals, judged_one_by_one, read_all
from slicewright.advise.limits.quantity import limit
from slicewright.advise.limits.request import LimitRequest
from slicewright.advise.options import AdviceOptions
from slicewright.advise.predictions import Predicted, Range, prediction
from slicewright.advise.question import Files, Pair
from slicewright.advise.second import Checked, Setting, changed
from slicewright.reading.cgroup import Clock, Interval, LimitSimulations, pooled
from slicewright.reading.second import Foretold, Second, second
from slicewright.values.errors import problem, refusal
from slicewright.values.progress import Progress, counting, silent

_SIMULATIONS = 900
"""Replications that an answer takes, about: only a bar needs to know."""
_SAME_LOAD = "copies from a time with the load of the first ones"
_LATER = "two copies of cpu.stat, both made after the limit was changed"
_KEPT = ("throttled_percent", "stopped_percent", "used_percent", "p99_ms")
_OF_TIME = "throttled_of_time_percent"


def check(files: Pair[Files], options: AdviceOptions) -> Pair[LimitRequest]:
    """The requests about both; raises InputError with every problem of options and files.

    The second has the limit of `--then`, or that which `live watch` wrote into its copies.
    """
    then = options.then if options.then is not None else limit_of([data for _, data in files.after])
    if then is None:
        why = "cpu.stat does not contain the limit, and that of before was changed"
        raise refusal(problem("no limit after the change", key="then", why=why, allowed="--then 750m"))
    before = request_of(files.before, options)
    return Pair(before, request_of(files.after, replace(options, own={**options.own, "limit": then})))


def answer_pair(files: Pair[Files], question: Pair[LimitRequest], progress: Progress = silent) -> Checked:
    """The outcome of the predictions of the first copies, and the answer from the readings that both leave."""
    before, after = question.before, question.after
    simulations = LimitSimulations(before.group.processors, before.tick_ms, counting(progress, _SIMULATIONS))
    copies = read_all(files.after)
    if len(copies) < 2:
        why = "its counters began before the limit was changed"
        raise refusal(problem("one copy after the change", file=files.after[-1][0], why=why, allowed=_LATER))
    # Counters until the first copy are of the limit before, too.
    found = [each for each in intervals(copies, after.group.period_ms, after.every_s) if each.first > 0]
    judged = judged_one_by_one(found, after.group)
    answer = bare(files.after, copies, (found, judged), after)
    searched = search(files.before, before, simulations)
    answer = replace(
        answer, files=(*searched.answer.files, *answer.files), heading=f"{searched.answer.heading}\n{answer.heading}"
    )
    said = limit(after.group.limit)
    setting = Setting("limit", after.group.limit, f"a limit of {said}")
    checked = Checked(answer, searched.answer.files[0], setting, date_of(copies))
    why = (
        searched.reason
        or "; ".join(each.what for each in contradictions(found, after))
        or ("" if judged.used else "the copies after it tell nothing about throttling")
    )
    if why or searched.case is None:
        return replace(checked, answer=without(answer, f"nothing was predicted: {why}", searched.settles), why=why)
    return _judged(checked, searched, Case(judged.used, after, tuple(found)))


def _judged(checked: Checked, searched: Searched, case: Case) -> Checked:
    """The outcome of each number, and the answer of what is left, at the rate after the change."""
    came, lines = compared(searched, case)
    rest = [line for line in searched.answer.readings if line.why]
    ordered = sorted(range(len(lines)), key=lambda at: at not in came.left)
    answer = replace(
        checked.answer, first=searched.case and searched.case.first, cpu_ms=case.cpu_ms,
        readings=(*(lines[at] for at in ordered), *rest),
    )  # fmt: skip
    if not came.left:
        return replace(checked, answer=without(answer, changed(came), (_SAME_LOAD,)), came=came, left=False)
    return replace(checked, answer=with_curve(answer, searched.simulations, case), came=came)


def compared(searched: Searched, case: Case) -> tuple[Second, list[ReadingLine]]:
    """The outcome of each number after the change, and the readings of before with their forecast of it."""
    assert searched.case is not None
    last, question = pooled(case.intervals), case.question
    lines = [
        replace(line, check=foretell(
            searched.simulations, line.reading, (searched.case.first, last), question.group, question.margin_percent
        ))
        for line in searched.answer.readings
        if not line.why
    ]  # fmt: skip
    used = _used(searched.case.intervals, last)
    period_s = question.group.period_ms / 1000
    return second([[*_numbers(line.check, last, period_s), *used] for line in lines if line.check]), lines


def _numbers(check: Check, last: Interval, period_s: float) -> list[Foretold]:
    """The forecasts of a reading, all as shares of the periods that were counted.

    Those of a load by a clock are shares of the time.
    """
    of_time = any(each.name == _OF_TIME for each in check.forecasts)
    factor = last.length_s / (last.periods * period_s) if of_time else 1.0
    return [
        Foretold(
            "throttled_percent" if each.name == _OF_TIME else each.name, "", factor * each.measured,
            factor * each.simulated, factor * each.band,
        )
        for each in check.forecasts
    ]  # fmt: skip


def _used(before: Sequence[Interval], last: Interval) -> list[Foretold]:
    """The processor time used, where the length is known: of one load it differs by no more than `LIKE`."""
    first = [interval for interval in before if interval.clock is not Clock.PERIODS]
    if not first or last.clock is Clock.PERIODS:
        return []
    usual = pooled(first)
    expected, measured = 100 * usual.used_s / usual.length_s, 100 * last.used_s / last.length_s
    return [Foretold("used_percent", "", measured, expected, LIKE * expected)]


def predicted(answer: LimitAnswer) -> Iterator[Predicted]:
    """Ranges under the recommended limit; nothing where none is recommended."""
    chosen = answer.recommendation
    points = [point for point in answer.of(Lever.LIMIT) if chosen and point.setting.limit == chosen.limit]
    if chosen is None or not points:
        return
    numbers = [Range(name, points[0].low[name], points[0].high[name]) for name in _KEPT]
    value = None if chosen.limit == float("inf") else chosen.limit
    setting = Setting("limit", value, limit(chosen.limit))
    yield prediction("limits", (answer.files[0], answer.date), setting, numbers)
