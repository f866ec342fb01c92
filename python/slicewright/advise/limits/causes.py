"""Why readings explain nothing: what was seen, what came nearest, what may be the cause, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.limits.answer import ReadingLine
from slicewright.advise.limits.fit import Observed
from slicewright.statistics import fixed, milliseconds

LONGER = "copies further apart, or more of them, under the same load"
NEAREST = 2
"""Readings that are shown: the nearest with processors stopped for shorter, and for longer."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that may be so, and what to try about it."""

    what: str
    settles: str


STEADIER = Cause(
    "requests may come more evenly than by chance (a queue or one busy client in front), or be more and smaller than"
    " --requests says",
    "every request that was served counted, health checks too, as --requests",
)
LUMPS = Cause(
    "work may come in larger lumps than requests: a start, a job, garbage collection; or requests are fewer than"
    " --requests says",
    "copies of a time without a start or a job, and what was served in that time as --requests",
)
MORE_STOPPED = Cause(
    "more threads may have been stopped than serve requests: those of the runtime, for garbage or for compiling",
    "all threads of the container (Threads in /proc/PID/status) as --threads, and --processors left out if the node's"
    " number is not sure",
)
FEWER_STOPPED = Cause(
    "less may run at once than was tried: threads wait for each other, or for something outside, in the middle of"
    " a request",
    "how many requests are really worked on at once, as --threads; or what is under one lock, as --assume lock=70%",
)
CHANGED = Cause(
    "the load may have changed: another rate is allowed for, other batches, CPU times or threads are not",
    "copies of a time with one kind of load; a start of the container is none",
)
BEFORE_FIRST = Cause(
    "what was counted until the first copy holds the start of the container",
    "a third copy of cpu.stat: then nobody has to trust what was before the first",
)


def causes(lines: Sequence[ReadingLine], first: Observed) -> list[Cause]:
    """Possible causes, where none of the readings explains the counters, or foretells the last interval.

    >>> from dataclasses import replace
    >>> from slicewright.advise.limits.example import first, lines
    >>> seldom = replace(lines()[0].reading, why="throttled less often than it was")
    >>> causes([replace(lines()[0], reading=seldom, check=None)], first()) == [LUMPS]
    True
    """
    if any(line.check is not None for line in lines):
        return [CHANGED, *([BEFORE_FIRST] if first.interval.first == 0 else [])]
    whys = {line.reading.why.split(",")[0].split(":")[0] for line in lines}
    found = [
        cause
        for words, cause in (
            ("steadier", STEADIER), ("throttled less often", LUMPS), ("no batch", LUMPS),
            ("processors stopped for shorter", MORE_STOPPED), ("processors stopped for longer", FEWER_STOPPED),
        )
        if any(why.startswith(words) for why in whys)
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def nearest(lines: Sequence[ReadingLine], first: Observed) -> list[str]:
    """The counters of the first intervals, and the readings nearest to them, on either side.

    >>> from slicewright.advise.limits.example import first, lines
    >>> nearest(lines(), first())[0]
    'to be explained: 45.1 % of periods throttled, processors stopped for 186 ms in each of them'
    """
    ordered = sorted((line.reading for line in lines), key=lambda one: abs(one.stopped_ms - first.stopped_ms))
    shorter = [reading for reading in ordered if reading.stopped_ms <= first.stopped_ms]
    longer = [reading for reading in ordered if reading.stopped_ms > first.stopped_ms]
    said = [f"to be explained: {_words(first.throttled_percent, first.stopped_ms)} in each of them"]
    for reading in (*shorter[:1], *longer[:1])[:NEAREST]:
        said.append(f"tried: {reading.words}: {_words(reading.throttled_percent, reading.stopped_ms)}")
    return said


def _words(throttled_percent: float, stopped_ms: float) -> str:
    stopped = milliseconds(stopped_ms)
    return f"{fixed(throttled_percent, 1)} % of periods throttled, processors stopped for {stopped} ms"
