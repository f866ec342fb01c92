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
    "requests may arrive more evenly than at random (behind a queue or one busy client), or be more and smaller"
    " than --requests says",
    "the count of all requests served, including health checks, as --requests",
)
LUMPS = Cause(
    "work may come in larger lumps than requests: a start, a job, garbage collection; or requests are fewer than"
    " --requests says",
    "copies from a time without a start or a job, with the requests served in that time as --requests",
)
SURGES = Cause(
    "the rate may rise and fall from copy to copy by more than any load that was tried: work varies more from"
    " interval to interval than random arrivals would",
    "copies from a time with a steady rate, or closer together than the rate changes, each at least 10 s apart",
)
MORE_STOPPED = Cause(
    "more threads may have been stopped than serve requests: runtime threads, such as garbage collection or"
    " compilation",
    "all threads of the container (Threads in /proc/PID/status) as --threads, without --processors if the node's"
    " number is uncertain",
)
FEWER_STOPPED = Cause(
    "fewer threads may run at once than was tried: threads wait for each other, or for something outside, within"
    " a request",
    "the number of requests in progress at once, as --threads; or the share under one lock, as --assume lock=70%",
)
CHANGED = Cause(
    "the load may have changed: the model allows another rate, but not other batches, CPU times or threads",
    "copies from a time with one kind of load, without a start of the container",
)
BEFORE_FIRST = Cause(
    "the counters until the first copy include the start of the container",
    "a third copy of cpu.stat, so that the time before the first copy is not needed",
)


def causes(lines: Sequence[ReadingLine], first: Observed) -> list[Cause]:
    """Possible causes, where none of the readings explains the counters, or foretells the last interval.

    >>> from dataclasses import replace
    >>> from slicewright.advise.limits.example import first, lines
    >>> seldom = replace(lines()[0].reading, why="throttled less often than measured")
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
            ("varies less", SURGES), ("varies more", STEADIER), ("processors stopped for shorter", MORE_STOPPED),
            ("processors stopped for longer", FEWER_STOPPED),
        )
        if any(why.startswith(words) for why in whys)
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def nearest(lines: Sequence[ReadingLine], first: Observed) -> list[str]:
    """The counters of the first intervals, and the readings nearest to them, on either side.

    >>> from slicewright.advise.limits.example import first, lines
    >>> nearest(lines(), first())[0]
    'measured: 45.1 % of periods throttled, processors stopped for 186 ms in each of them'
    """
    measured = first.stopped_ms
    if measured is None:
        by_share = sorted(lines, key=lambda line: abs(line.reading.throttled_percent - first.throttled_percent))
        said = [f"measured: {fixed(first.throttled_percent, 1)} % of periods throttled"]
        tried = by_share[0].reading
        return [*said, f"tried: {tried.words}: {_words(tried.throttled_percent, tried.stopped_ms)}"]
    ordered = sorted((line.reading for line in lines), key=lambda one: abs(one.stopped_ms - measured))
    shorter = [reading for reading in ordered if reading.stopped_ms <= measured]
    longer = [reading for reading in ordered if reading.stopped_ms > measured]
    said = [f"measured: {_words(first.throttled_percent, measured)} in each of them"]
    for reading in (*shorter[:1], *longer[:1])[:NEAREST]:
        said.append(f"tried: {reading.words}: {_words(reading.throttled_percent, reading.stopped_ms)}")
    return said


def _words(throttled_percent: float, stopped_ms: float) -> str:
    stopped = milliseconds(stopped_ms)
    return f"{fixed(throttled_percent, 1)} % of periods throttled, processors stopped for {stopped} ms"
