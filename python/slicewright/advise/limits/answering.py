"""How the question about CPU limits is answered from copies of a group's cpu.stat."""

from __future__ import annotations

import functools
from dataclasses import replace

from slicewright.advise.limits.cpu_stat import is_cpu_stat, limit_of
from slicewright.advise.limits.fleet.cluster import FORMS
from slicewright.advise.limits.intervals import read_all
from slicewright.advise.limits.request import LimitRequest
from slicewright.advise.limits.request import check as request_of
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Files
from slicewright.errors import Problem, gathered, problem, refusal


def check(files: Files, options: AdviceOptions) -> LimitRequest:
    """The question; problems of the options and of the files are raised together."""
    problems: list[Problem] = []
    why, allowed = "it has none of the counters of cpu.stat", f"copies of a group's cpu.stat; or {FORMS}"
    others = [name for name, data in files if not is_cpu_stat(data) and data.strip()]
    problems += [problem("no cpu.stat", file=name, why=why, allowed=allowed) for name in others]
    if not others:
        gathered(problems, functools.partial(read_all, files))
    if "limit" not in options.own and (limit := limit_of([data for _, data in files])) is not None:
        options = replace(options, own={**options.own, "limit": limit})
    asked = gathered(problems, functools.partial(request_of, options))
    if problems:
        raise refusal(*problems)
    return asked[0]
