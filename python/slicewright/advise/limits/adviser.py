"""Who answers about limits: copies of a group's cpu.stat."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.limits.answer import Lever, LimitAnswer
from slicewright.advise.limits.cpu_stat import is_cpu_stat
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.intervals import read_all
from slicewright.advise.limits.question import LimitQuestion, check
from slicewright.advise.limits.report import document, report
from slicewright.advise.limits.words import setting_words
from slicewright.advise.options import AdviceOptions
from slicewright.advise.printed import slug
from slicewright.errors import Problem, gathered, problem, refusal


def _check(named: Named, options: AdviceOptions) -> LimitQuestion:
    """The question; what is wrong with the options and with the files is told together."""
    problems: list[Problem] = []
    why, allowed = "it has none of its counters", "copies of a group's cpu.stat"
    others = [name for name, data in named if not is_cpu_stat(data) and data.strip()]
    problems += [problem("no cpu.stat", file=name, why=why, allowed=allowed) for name in others]
    if not others:
        gathered(problems, functools.partial(read_all, named))
    asked = gathered(problems, functools.partial(check, options))
    if problems:
        raise refusal(*problems)
    return asked[0]


def _scenarios(one: LimitAnswer) -> Iterator[tuple[str, str]]:
    """Each setting and each reading."""
    for point in one.points:
        words = setting_words(point.lever, point.setting)
        yield f"{slug(f'limit {words}' if point.lever is Lever.LIMIT else words)}.toml", point.text
    for at, line in enumerate((line for line in one.readings if line.text), 1):
        yield f"reading-{at:02}.toml", line.text


ADVISER = Adviser(_check, lambda *asked: [answer_copies(*asked)], document, report, _scenarios)
"""The question about limits."""
