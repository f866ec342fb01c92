"""Data of this folder's examples: three copies of a small container's `cpu.stat`, and the settings of the container.

The copies were simulated: 40 requests per s in batches of 3 on average, 8 ms each, exponential, on four threads.
All are of version 2.
"""

from __future__ import annotations

from functools import cache

from slicewright.advise.limits.answer import Built, Case, Check, LimitAnswer, ReadingLine, build, read
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.intervals import intervals, read_all
from slicewright.advise.limits.request import Aim, check
from slicewright.advise.options import AdviceOptions
from slicewright.reading.cgroup import Group, LimitSimulations, Load, Setting, setting_of
from slicewright.reading.limits import Observed, Reading

COPIES = b"""\
usage_usec 3000000
nr_periods 90
nr_throttled 12
throttled_usec 1500000
usage_usec 40168640
nr_periods 1227
nr_throttled 525
throttled_usec 96984280
usage_usec 75367787
nr_periods 2362
nr_throttled 959
throttled_usec 176628182
"""
OPTIONS = AdviceOptions.of(limit="500m", requests="40/s", threads="4", every="120 s", assume=["scv=1"])
QUESTION = check(OPTIONS)


def group() -> Group:
    """The container as it is limited."""
    return QUESTION.group


def load() -> Load:
    """The load that made the copies."""
    return Load(40.0, 8.0, 1.0, 3.0, 4)


def setting() -> Setting:
    """The settings of now."""
    return setting_of(group(), load())


@cache
def simulations() -> LimitSimulations:
    """Where the examples are simulated."""
    return LimitSimulations()


@cache
def text() -> str:
    """The scenario that made the copies, measured shortly."""
    return simulations().at(load(), setting()).text


@cache
def case() -> Case:
    """The intervals and the question."""
    found = intervals(read_all([("cpu.stat", COPIES)]), group().period_ms, QUESTION.every_s)
    return Case(tuple(found), QUESTION)


def first() -> Observed:
    """The counters that readings are found from."""
    return case().first


@cache
def lines() -> tuple[ReadingLine, ...]:
    """Every reading with its forecast."""
    return tuple(read(simulations(), case()))


def readings() -> list[Reading]:
    """The readings, those that fit first."""
    return [line.reading for line in lines()]


def checks() -> list[Check]:
    """The forecasts of the readings."""
    return [line.check for line in lines() if line.check is not None]


@cache
def built() -> Built:
    """The results of the stages."""
    return build(simulations(), case(), lines(), Aim(None, QUESTION.knee_percent))


@cache
def advice() -> LimitAnswer:
    """The answer."""
    return answer_copies([("cpu.stat", COPIES)], QUESTION)
