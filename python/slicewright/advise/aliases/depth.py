"""The queue depth of a disk of Linux: the law, the answer, and its report."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.answer import Advised
from slicewright.advise.report import Parts, advice_report, between
from slicewright.advise.target import Target
from slicewright.measured.linux.disk import Disk
from slicewright.measured.linux.forms import read_disks
from slicewright.measured.linux.lsdasd import Dasds, is_lsdasd, read_lsdasd
from slicewright.measured.linux.text import HEAD
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.json import fields, records
from slicewright.report.model import Block, Face, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns
from slicewright.statistics import fixed, percent, plural
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.numerals import finite

_GRID = 60
"""Growths and ceilings that are tried, each."""
_MOST_PLACES = 100_000
_WITHIN = 1.1
"""ASSUME: a measured rate is within 10 % of the law."""
_GROWTHS = (0.0, *(float(growth) for growth in np.geomspace(1e-3, 1.0, _GRID)))

_Point = tuple[float, float]
"""Requests in flight, and I/O per second."""
_Counted = tuple[float, float, float | None]
"""The same with the number of requests that were counted; None is not known, and many."""


@dataclass(frozen=True, slots=True)
class DepthLaw:
    """A disk that keeps n requests in flight: service grows with each, and no more than a ceiling ends per second.

    rate(n) = min(n / (service (1 + growth (n - 1))), ceiling).  The bounds are those of closed
    queueing networks (Lazowska and others, Quantitative System Performance, 5.2). The growth is that of
    `per_concurrent` in a scenario.

    >>> law = DepthLaw(1.0, 0.0, 4000.0)
    >>> law.rate(2), law.rate(8), law.depth_for(3800.0)
    (2000.0, 4000.0, 4)
    """

    service_ms: float
    growth: float
    ceiling: float

    def rate(self, in_flight: float) -> float:
        """I/O per second."""
        grown = self.service_ms * (1 + self.growth * (in_flight - 1))
        return min(1000 * in_flight / grown, self.ceiling)

    def depth_for(self, rate: float) -> int:
        """The fewest requests in flight that give a rate; a million where none do."""
        room = 1000 / rate - self.service_ms * self.growth
        if rate > self.ceiling or room <= 0:
            return 1_000_000
        return max(1, math.ceil(self.service_ms * (1 - self.growth) / room - 1e-9))

    def words(self) -> str:
        """The law in a sentence."""
        grown = f", {100 * self.growth:.1f} % longer for each more in flight" if self.growth >= 0.0005 else ""
        top = f"; at most {fixed(self.ceiling, 0)} per s" if math.isfinite(self.ceiling) else ""
        return f"one request alone takes {fixed(self.service_ms, 3)} ms{grown}{top}"


def fit_law(points: Sequence[_Point]) -> DepthLaw | None:
    """The law that misses the rates least, in squares of relative misses; None for fewer than three depths.

    >>> law = fit_law([(1, 1000), (2, 2000), (4, 4000), (8, 4000), (16, 4000)])
    >>> round(law.service_ms, 2), round(law.growth, 2), round(law.ceiling)
    (1.0, 0.0, 4000)
    """
    if len({n for n, _ in points}) < 3 or min(min(point) for point in points) <= 0:
        return None
    n, rate = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    least, best = math.inf, None
    ceilings = [*np.linspace(rate.max() * 0.9, rate.max() * 1.2, _GRID // 2 + 1), math.inf]
    for growth, ceiling in itertools.product(_GROWTHS, ceilings):
        shape = n / (1 + growth * (n - 1))
        # Of points below the ceiling, the service that fits the logarithms best; twice, since it says which these are.
        below = np.ones(len(n), dtype=bool)
        for _ in range(2):
            scale = float(np.exp(np.mean(np.log(rate[below] / shape[below])))) if below.any() else rate[0] / shape[0]
            below = scale * shape <= ceiling
        off = float((np.log(np.minimum(scale * shape, ceiling) / rate) ** 2).sum())
        if off < least - 1e-12:
            least, best = off, DepthLaw(1000 / scale, float(growth), float(ceiling))
    return best


def depths_that_fit(points: Sequence[_Counted], knee: float) -> tuple[int, float] | None:
    """The fewest and the most requests in flight that give all but `knee` of the highest rate, over laws that fit.

    Every law that is within 10 % of every point is taken, and within more where few requests were counted: fewer points
    or requests leave more laws, so never a narrower range.  The most are infinite where a law fits whose rate has no
    ceiling; None where no law fits.

    >>> depths_that_fit([(n, min(n, 4) * 1000, None) for n in (1, 2, 4, 8, 16)], 0.05)
    (4, 5)
    >>> depths_that_fit([(n, min(n, 4) * 1000, 40) for n in (1, 2, 4, 8, 16)], 0.05)
    (3, 92)
    >>> depths_that_fit([(n, n * 1000, None) for n in (1, 2, 4)], 0.05)
    (4, inf)
    """
    ordered = sorted(points, key=lambda point: point[:2])
    lows, highs = zip(*((rate / _within(count), rate * _within(count)) for _, rate, count in ordered), strict=True)
    least, most = math.inf, 0.0
    for growth in _GROWTHS:
        shapes = [n / (1 + growth * (n - 1)) for n, _, _ in ordered]
        for below in range(len(ordered) + 1):
            span = _ceilings(shapes, (lows, highs), below)
            if span is not None:
                least = min(least, _depth(span[0], growth, knee))
                most = max(most, _depth(span[1], growth, knee))
    return (int(least), most) if most else None


def _within(requests: float | None) -> float:
    """The factor by which a law may miss a rate: two standard errors of a count, and 10 % at least.

    >>> _within(None), _within(10_000), _within(25)
    (1.1, 1.1, 1.4)
    """
    return _WITHIN if requests is None else max(_WITHIN, 1 + 2 / math.sqrt(max(1.0, requests)))


def _ceilings(
    shapes: Sequence[float], rates: tuple[Sequence[float], Sequence[float]], below: int
) -> tuple[float, float] | None:
    """Ceilings, in units of the rate of one request alone, with which a law is between the rates of every point.

    The first `below` points are on the rising part of the law, the others on its ceiling; None where no law is.
    """
    lows, highs = rates
    alone_low = max((low / shape for low, shape in zip(lows[:below], shapes, strict=False)), default=0.0)
    alone_high = min((high / shape for high, shape in zip(highs[:below], shapes, strict=False)), default=math.inf)
    top_low, top_high = max(lows[below:], default=0.0), min(highs[below:], default=math.inf)
    if alone_low > alone_high or top_low > top_high:
        return None
    low = max(shapes[below - 1] if below else 0.0, top_low / alone_high)
    high = min(shapes[below] if below < len(shapes) else math.inf, top_high / alone_low if alone_low else math.inf)
    return (low, high) if low <= high else None


def _depth(ceiling: float, growth: float, knee: float) -> float:
    """The fewest requests in flight that give all but `knee` of the highest rate, which growth limits as well."""
    top = min(ceiling, 1 / growth if growth else math.inf)
    wanted = (1 - knee) * top
    room = 1 - wanted * growth
    if math.isinf(wanted) or room <= 0:
        return math.inf
    return max(1, math.ceil(wanted * (1 - growth) / room - 1e-9))


def _missed(points: Sequence[_Point]) -> list[float | None]:
    """At each point the rate by the law of the others; None where these are too few, and at both ends.

    The ends are not judged: a law that never saw the ceiling cannot know it.

    >>> _missed([(1, 1000), (2, 2000), (4, 4000), (8, 4000), (16, 4000)])[1]
    2000.0
    """
    found: list[float | None] = []
    for at, (n, _) in enumerate(points):
        others = [point for place, point in enumerate(points) if place != at]
        inner = min(m for m, _ in points) < n < max(m for m, _ in points)
        law = fit_law(others) if inner else None
        found.append(round(law.rate(n), 6) if law else None)
    return found


def response_factor(depth: int, busy: float) -> float:
    """Response with `depth` places over response with unlimited ones, for `busy` requests in service on average.

    Erlang's formula of waiting (M/M/c); infinite where the places are too few.

    >>> round(response_factor(1, 0.5), 6), response_factor(4, 4.0)
    (2.0, inf)
    """
    if busy >= depth:
        return math.inf
    lost = 1.0
    for servers in range(1, depth + 1):
        lost = busy * lost / (servers + busy * lost)
    waits = lost / (1 - busy / depth * (1 - lost))
    return 1 + waits / (depth - busy)


def places(busy: float, knee: float) -> int:
    """The fewest places with which the response is within `knee` of that with unlimited ones.

    >>> places(0.5, 0.05), places(4.0, 0.05)
    (3, 7)
    """
    low, high = 0, max(2, math.ceil(busy))
    while response_factor(high, busy) > 1 + knee and high < _MOST_PLACES:
        low, high = high, min(2 * high, _MOST_PLACES)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if response_factor(middle, busy) <= 1 + knee else (middle, high)
    return high


_FEWEST = 3
"""Depths from which on a bend shows."""
_FEW = 100
"""ASSUME: a mean of fewer requests is within no tenth of the true one."""
_IDLE = 0.05
"""ASSUME: with fewer requests present on average the mean does not tell single requests from bursts."""
_SHORT = 0.1
"""Share by which requests in flight may miss the depth that was asked for."""
_KNOWN = frozenset({"knee_percent", "margin_percent"})
_TARGETS = ("io_per_s", "response_ms")


@dataclass(frozen=True, slots=True)
class _DepthPoint:
    """One depth: as measured, by the law of the disk, or by the law of waiting for a place."""

    depth: int
    io_per_s: float
    response_ms: float
    p99_ms: float | None = None
    in_flight: float | None = None
    law_io_per_s: float | None = None
    """The rate by the law fitted to the other points alone; None where these do not fix one."""


@dataclass(frozen=True, slots=True)
class DepthAnswer(Advised):
    """The answer for one disk; `measured` says whether the points are measured depths or a load at computed ones."""

    device: str
    measured: bool
    points: tuple[_DepthPoint, ...]
    recommendation: Recommendation | None
    knee_percent: float
    law: DepthLaw | None = None
    miss: float | None = None
    """The largest miss of a rate by the law without that point."""
    lines: tuple[str, ...] = ()
    target: tuple[Target, int | None] | None = None
    at: tuple[int, ...] = ()


def answer_depths(files: Sequence[tuple[str, bytes]], question: AliasRequest) -> list[DepthAnswer]:
    """An answer per disk, those with several depths of fio first; raises InputError with every problem.

    >>> row = b"Device tps kB/s await aqu-sz %util\\nvda 1000.0 320.0 4.00 4.00 7.0\\n\\n"
    >>> answer_depths([("a.txt", row + row)], AliasRequest())[0].recommendation
    Recommendation(aliases=7, low=1, high=7)
    >>> answer_depths([("a.txt", row)], AliasRequest())[0].reason
    'a.txt has one report of iostat, of the time since the boot unless iostat had -y: that is no interval of a load'
    """
    problems: list[Problem] = _foreign(question)
    listings = [(name, data) for name, data in files if is_lsdasd(data[:HEAD])]
    outputs = [file for file in files if file not in listings]
    problems += [problem("a second listing", file=name, allowed="one of lsdasd") for name, _ in listings[1:]]
    if not outputs:
        why = "it lists volumes and aliases, but not their load"
        problems.append(
            problem("a listing alone", file=listings[0][0], why=why, allowed="output of dasdstat beside it")
        )
    dasds = [each for name, data in listings for each in gathered(problems, functools.partial(read_lsdasd, data, name))]
    contents = [
        (name, content)
        for name, data in outputs
        for content in gathered(problems, functools.partial(read_disks, data, name))
    ]
    disks = [disk for _, content in contents for disk in content.disks]
    problems += _mixed(disks)
    if problems:
        raise refusal(*problems)
    curves = [disk for disk in disks if disk.depth is not None]
    loads = [disk for disk in disks if disk.depth is None]
    found = [_of_curve([disk for disk in curves if disk.device == name], question) for name in _names(curves)]
    found += [_of_load([disk for disk in loads if disk.device == name], question) for name in _names(loads)]
    notes = [(name, note) for name, content in contents for note in content.notes]
    found = [_noted(answer, notes) for answer in found]
    return [_beside(answer, dasds[0]) for answer in found] if dasds else found


def _noted(answer: DepthAnswer, notes: Sequence[tuple[str, str]]) -> DepthAnswer:
    """The same with what the readers of its files dropped or assumed."""
    own = [note for name, note in notes if name in answer.files and answer.points]
    return replace(answer, caveats=(*answer.caveats, *dict.fromkeys(own)))


def _beside(answer: DepthAnswer, dasds: Dasds) -> DepthAnswer:
    """The same with the bus ID of the volume from a listing of DASDs, and the number of aliases that it may use."""
    bus = dasds.volumes.get(answer.device)
    if bus is None:
        return replace(answer, caveats=(*answer.caveats, f"{dasds.file} does not list {answer.device} as online"))
    facts = [
        f"{dasds.file}: {answer.device} is {bus}; {plural(len(dasds.aliases), 'alias', 'aliases')} and "
        f"{plural(len(dasds.volumes), 'volume')} online"
    ]
    if answer.recommendation is not None:
        facts.append(
            f"the base is one of the {answer.recommendation.aliases} places: the others are aliases in use at once"
        )
    caveat = "aliases are taken to serve every volume of the listing (HyperPAV within one control unit image)"
    return replace(answer, facts=(*answer.facts, *facts), caveats=(*answer.caveats, caveat))


def _names(disks: Sequence[Disk]) -> list[str]:
    return list(dict.fromkeys(disk.device for disk in disks))


def _foreign(question: AliasRequest) -> list[Problem]:
    """A problem for each option that belongs to a mainframe's pools."""
    why = "Linux's tools measure a disk as a whole"
    given = {"pool": question.pools, "pool-listing": question.pool_listing, "aliases": question.aliases}
    problems = [problem("applies to pools of aliases alone", key=key, why=why) for key, value in given.items() if value]
    default = type(question.assumed)()
    for key in type(question.assumed).__dataclass_fields__:
        if key not in _KNOWN and getattr(question.assumed, key) != getattr(default, key):
            problems.append(problem("has no effect on queue depth", key=f"assume {key}", allowed="knee=5%"))
    if question.target is not None and question.target.name not in _TARGETS:
        allowed = ", ".join(_TARGETS)
        problems.append(problem(f"no number of a disk: {question.target.name}", key="target", allowed=allowed))
    return problems


def _mixed(disks: Sequence[Disk]) -> list[Problem]:
    """A problem for each depth that fio measured twice with different loads on one file."""
    seen: dict[tuple[str, int], Disk] = {}
    problems = []
    for disk in disks:
        if disk.depth is None:
            continue
        first = seen.setdefault((disk.device, disk.depth), disk)
        if first is not disk:
            why = f"{first.file} has job {first.job} at this depth"
            what = f"job {disk.job} at depth {disk.depth} of {disk.device} a second time"
            problems.append(problem(what, file=disk.file, why=why, allowed="one job for each depth, all of one kind"))
    return problems


def _of_curve(disks: Sequence[Disk], question: AliasRequest) -> DepthAnswer:
    """The answer from jobs of fio on one file, one for each depth."""
    disks = sorted(disks, key=lambda disk: disk.depth or 0)
    knee = question.assumed.knee_percent / 100
    held = [(disk.in_flight, disk.io_per_s) for disk in disks]
    law, misses = fit_law(held), _missed(held)
    points = tuple(
        _DepthPoint(
            disk.depth or 1, disk.io_per_s, disk.response_ms, disk.percentiles_ms.get(99), disk.in_flight, without
        )
        for disk, without in zip(disks, misses, strict=True)
    )
    off = [abs(without / disk.io_per_s - 1) for disk, without in zip(disks, misses, strict=True) if without is not None]
    miss = max(off) if off else None
    reason, needed = _undecided(disks, knee)
    chosen = None if reason else _bend(disks, law, knee)
    count = f"depth {points[0].depth}" if len(points) == 1 else f"depths {points[0].depth} to {points[-1].depth}"
    facts = [] if law is None else [law.words()]
    if miss is not None:
        facts.append(f"fitted without it, the law misses the rate of a point by at most {percent(miss)}")
    facts += [f"Little's law: {_plural_of(point.in_flight or 0.0)} in flight at depth {point.depth}, as "
              "rate times response" for point in points if _short(point)]  # fmt: skip
    if chosen is not None:
        facts.append(f"every law within {percent(_WITHIN - 1, 0)} of every rate has its bend in the range")
    few = [disk.requests for disk in disks if disk.requests is not None and _within(disk.requests) > _WITHIN]
    if few:
        facts.append(f"as few as {min(few):,.0f} requests at a depth: laws may miss such a rate by more than that")
    caveats = ["fio asks without pause: an application that asks in bursts waits where fio does not"]
    caveats += dict.fromkeys(limit for disk in disks for limit in disk.limits)
    if any(_short(point) for point in points):
        caveats.append("a depth that is not reached is limited above the disk: threads, processor, the engine of fio")
    return DepthAnswer(
        disks[0].device, True, points, chosen, question.assumed.knee_percent, law, miss, tuple(_gain(points, chosen)),
        _target(points, question), tuple(at for at in question.at if any(point.depth == at for point in points)),
        files=tuple(dict.fromkeys(disk.file for disk in disks)), heading=f"{disks[0].device}  fio at {count}",
        reason=reason, facts=tuple(facts), caveats=tuple(caveats), needed=tuple(needed),
    )  # fmt: skip


def _undecided(disks: Sequence[Disk], knee: float) -> tuple[str, list[str]]:
    """Why measured depths do not place a bend, and what would; "" where they do."""
    rates = [disk.io_per_s for disk in disks]
    deepest, most = max(disks, key=lambda disk: disk.depth or 0), max(disk.in_flight for disk in disks)
    limits = list(dict.fromkeys(limit for disk in disks for limit in disk.limits))
    kinds = list(dict.fromkeys(disk.kind for disk in disks if disk.kind))
    twice = 2 * (deepest.depth or 1)
    deeper = f"fio with --iodepth={twice} and deeper; of a synchronous engine with --numjobs={twice}"
    if len(disks) < _FEWEST:
        reason = f"{plural(len(disks), 'depth')} of fio: where the rate bends shows from {_FEWEST} on"
        return reason, ["fio with one --filename and --iodepth=1,2,4,...: one run for each, --output-format=json"]
    if len(kinds) > 1:
        return f"the depths are of different loads: {'; '.join(kinds)}", ["fio with the same rw and bs at each depth"]
    beside = [limit for limit in limits if "at the same time" in limit]
    if beside:
        return beside[0], ["fio with `stonewall` in each section, or one run for each depth"]
    found = depths_that_fit(_counted(disks), knee)
    short = most < (1 - _SHORT) * (deepest.depth or 1)
    if found is not None and found[1] > math.ceil(most) and short:
        why = f" ({'; '.join(limits)})" if limits else ""
        reason = (
            f"fio never had more than {_plural_of(most)} in flight, although depth {deepest.depth} was asked for{why}"
        )
        return reason, ["fio with ioengine=libaio or io_uring, direct=1 and without limits, or with numjobs=1,4,16"]
    if min(rates) >= (1 - knee) * max(rates):
        shallow = min(disk.depth or 1 for disk in disks)
        reason = (
            f"the rate does not depend on depth: at {shallow} it is within {percent(knee, 0)} of the highest, which "
            "may be the rate of the disk, or of a limit in front of it (io.max, a volume's IOPS)"
        )
        return reason, ["fio at the same depths without that limit, and at fewer than the shallowest"]
    if found is None:
        reason = f"no law of a disk is within {percent(_WITHIN - 1, 0)} of every rate: the rates are too uneven"
        return reason, ["longer runs of fio (--runtime=60) on a quiet machine"]
    if found[1] > math.ceil(most):
        return f"the rate may still grow beyond {deepest.depth}, the deepest that was measured", [deeper]
    return "", []


def _plural_of(requests: float) -> str:
    """A number of requests, in words that fit it.

    >>> _plural_of(1.0), _plural_of(0.51), _plural_of(2000.0)
    ('1.0 request', '.5 requests', '2,000.0 requests')
    """
    return f"{fixed(requests, 1)} {'request' if fixed(requests, 1) == '1.0' else 'requests'}"


def _short(point: _DepthPoint) -> bool:
    """Whether fio kept fewer requests in flight than its options ask for."""
    return point.in_flight is not None and point.in_flight < (1 - _SHORT) * point.depth


def _counted(disks: Sequence[Disk]) -> list[_Counted]:
    return [(disk.in_flight, disk.io_per_s, disk.requests) for disk in disks]


def _bend(disks: Sequence[Disk], law: DepthLaw | None, knee: float) -> Recommendation:
    """The depth from which on the rate is enough, by the law that fits best, in the range of all laws that fit."""
    found = depths_that_fit(_counted(disks), knee)
    assert found is not None, "points that decide have a law"
    low, high = found[0], int(found[1])
    wanted = (
        high if law is None else law.depth_for((1 - knee) * max(rate for rate in (disk.io_per_s for disk in disks)))
    )
    return Recommendation(min(high, max(low, wanted)), low, high)


def _gain(points: Sequence[_DepthPoint], chosen: Recommendation | None) -> list[str]:
    if chosen is None:
        return []
    at, deepest = next((point for point in points if point.depth >= chosen.aliases), points[-1]), points[-1]
    line = f"At depth {at.depth}: {fixed(at.io_per_s, 0)} I/O per s at {fixed(at.response_ms, 2)} ms."
    if at is not deepest:
        line += f" At {deepest.depth}: {fixed(deepest.io_per_s, 0)} at {fixed(deepest.response_ms, 2)} ms."
    return [line]


def _target(points: Sequence[_DepthPoint], question: AliasRequest) -> tuple[Target, int | None] | None:
    """The condition and a depth that meets it: of fio's the deepest for a latency; else the shallowest."""
    target = question.target
    if target is None or not points:
        return None
    limited = points[0].in_flight is None  # places in front of a load: the response falls with each
    reached = [point for point in points if not _short(point)]
    met = [point.depth for point in reached
           if target.met({"io_per_s": point.io_per_s, "response_ms": point.response_ms})]  # fmt: skip
    chosen = min if limited or target.name == "io_per_s" or target.sign.startswith(">") else max
    return target, (chosen(met) if met else None)


def _of_load(disks: Sequence[Disk], question: AliasRequest) -> DepthAnswer:
    """The answer from intervals of one disk under its own load."""
    seen = [disk for disk in disks if not disk.since_boot]
    many = [disk for disk in seen if disk.requests is None or disk.requests >= _FEW]
    if seen and not many:
        return _too_few(seen, question)
    seen = many
    files = tuple(dict.fromkeys(disk.file for disk in disks))
    knee_percent = question.assumed.knee_percent
    if not seen:
        one = disks[0]
        reason = (
            f"{one.file} has one report of iostat, of the time since the boot unless iostat had -y: "
            "that is no interval of a load"
        )
        heading = f"{one.device}  time since the boot, of {one.file}"
        return DepthAnswer(
            one.device, False, (), None, knee_percent, files=files, heading=heading, reason=reason, needed=(_IOSTAT,)
        )
    hardest = max(seen, key=lambda disk: disk.in_flight)
    count = plural(len(seen), "interval")
    heading = f"{hardest.device}  {count} of {hardest.file}"
    facts = (
        f"{fixed(hardest.in_flight, 2)} requests present, {fixed(hardest.io_per_s, 0)} I/O per s at "
        f"{fixed(hardest.response_ms, 2)} ms, in the hardest of {count}",
    )
    if hardest.in_flight * question.growth < _IDLE:
        reason = (
            f"the disk is nearly idle: {fixed(hardest.in_flight, 3)} requests present in the hardest of {count}; "
            "so small a mean does not tell requests one by one from bursts"
        )
        return DepthAnswer(
            hardest.device, False, (), None, knee_percent, files=files, heading=heading, reason=reason, facts=facts,
            needed=("intervals of the load that counts: iostat -x -t 10 60 at that time",),
        )  # fmt: skip
    return _of_hardest(hardest, len(seen), (files, heading, facts), question)


def _too_few(disks: Sequence[Disk], question: AliasRequest) -> DepthAnswer:
    """The answer about intervals in which hardly a request was counted."""
    most = max(disk.requests or 0.0 for disk in disks)
    reason = f"at most {most:,.0f} requests were counted in an interval: means need {_FEW} and more"
    return DepthAnswer(
        disks[0].device, False, (), None, question.assumed.knee_percent,
        files=tuple(dict.fromkeys(disk.file for disk in disks)),
        heading=f"{disks[0].device}  {plural(len(disks), 'interval')} of {disks[0].file}", reason=reason,
        needed=("a longer interval of the load",),
    )  # fmt: skip


_IOSTAT = "several intervals of the load: iostat -x -t 10 60"


def _of_hardest(
    hardest: Disk, intervals: int, shown: tuple[tuple[str, ...], str, tuple[str, ...]], question: AliasRequest
) -> DepthAnswer:
    """The answer from the hardest interval: places with which its requests seldom wait, were all of it service.

    How many requests the disk serves at once shows in no mean, so the low end is a disk that serves one.
    """
    files, heading, facts = shown
    knee, service = question.assumed.knee_percent / 100, hardest.service_ms
    asked = hardest.in_flight / hardest.response_ms if service is None else hardest.io_per_s / 1000
    busy = asked * question.growth * (hardest.response_ms if service is None else service)
    chosen = places(busy, knee)
    high = places(busy * (1 + hardest.service_within), knee)
    shown_at = sorted({*range(max(1, math.floor(busy)), high + 3), high * 2, *question.at} - {0})
    points = [
        _DepthPoint(depth, 1000 * asked * question.growth, busy / (asked * question.growth) * factor)
        for depth in shown_at
        if math.isfinite(factor := response_factor(depth, busy))
    ]
    left = [
        "how many requests the disk serves at once: one that serves one at a time wants a depth of 1, the low end",
        f"harder intervals than {'this one' if intervals == 1 else f'these {intervals}'}: of alike intervals the next "
        f"is harder with a chance of 1 in {intervals + 1}",
    ]
    needed = ["fio at several depths on the same disk"]
    if service is None:
        left.insert(
            0, "await holds the wait in the block layer and the service of the disk; all of it is taken for service"
        )
        needed.insert(0, "btt of the same time (Q2C and D2C apart)")
    else:
        facts = (
            *facts,
            f"of {fixed(hardest.response_ms, 3)} ms, {fixed(service, 3)} are the disk's, from its start to its end",
        )
    caveats = (
        "Requests are taken to arrive one by one at random (Poisson); bursts of N want N more places",
        "The service of the disk is taken not to grow with its depth: fio at several depths measures that",
    )
    return DepthAnswer(
        hardest.device, False, tuple(points), Recommendation(chosen, 1, high), question.assumed.knee_percent,
        files=files, heading=heading, facts=facts, open=tuple(left), caveats=caveats, needed=tuple(needed),
        target=_target(points, question), at=question.at,
    )  # fmt: skip


_DEPTHS = """
    depth
    io_per_s                 | .0 | I/O per s
    people    law_io_per_s ? | .0 | without it
    response_ms              | .3 | response  | ms
    people    p99_ms ?       | .2 | 99 %      | ms
    programs  response_p99_ms
    in_flight ?              | .1 | in flight
    programs  io_per_s_without_it
"""
_CAPTION = "Points: fio. Line: the law of the disk that fits all points; marked: the depth that is recommended."


def report(answer: DepthAnswer) -> Report:
    """The answer as a report."""
    chosen = answer.recommendation
    facts = [("queue depth", str(chosen.aliases)), ("range", f"{chosen.low} to {chosen.high}")] if chosen else []
    blocks: list[Block] = [*_headline(answer)]
    if len(answer.points) > 1:
        blocks.append(_picture(answer).captioned(_CAPTION if answer.measured else "Response by Erlang's formula."))
    if answer.points:
        blocks.append(_table(answer))
    parts = Parts(f"Queue depth of {answer.device}", answer.device, answer.heading, facts, blocks)
    return advice_report(answer, parts)


def _picture(answer: DepthAnswer) -> Figure:
    """Rate and response over depth."""
    x = [float(point.depth) for point in answer.points]
    marks = [(float(answer.recommendation.aliases), "choose")] if answer.recommendation else []
    response = [finite(point.response_ms) for point in answer.points]
    if not answer.measured:
        return Figure([Panel("Response, ms", [Series(x, response, label="Erlang")], marks)], "Requests in flight")
    law = answer.law
    line = [Series(x, [law.rate(n) for n in x], label="law")] if law else []
    rates = dots(x, [point.io_per_s for point in answer.points], label="fio")
    latency = [dots(x, response, label="fio")]
    if law:
        latency.insert(0, Series(x, [1000 * n / law.rate(n) for n in x], label="law"))
    return Figure(
        [Panel("I/O per second", [*line, rates], marks), Panel("Response, ms", latency, marks)], "Requests in flight"
    )


def document(answer: DepthAnswer) -> dict[str, Any]:
    """The answer as an object: recommendation (or null with `reason`), curve, law, evidence, caveats."""
    chosen, law = answer.recommendation, answer.law
    of_law = {} if law is None else {"law": fields(
        service_ms=law.service_ms, growth=law.growth, ceiling_per_s=law.ceiling, largest_miss=answer.miss,
    )}  # fmt: skip
    target = {} if answer.target is None else {
        "target": {"condition": str(answer.target[0]), "depth": answer.target[1]},
    }  # fmt: skip
    return {
        "question": "aliases", "files": list(answer.files), "device": answer.device,
        "recommendation": chosen and {"depth": chosen.aliases, "low": chosen.low, "high": chosen.high},
        **({} if chosen else {"reason": answer.reason}), "needed": list(answer.needed), **target,
        "curve": records(_table(answer)), **of_law,
        "evidence": {"facts": list(answer.facts), "measured": answer.measured, "knee_percent": answer.knee_percent},
        "caveats": [*answer.open, *answer.caveats],
    }  # fmt: skip


def _headline(answer: DepthAnswer) -> list[Block]:
    chosen = answer.recommendation
    blocks: list[Block] = []
    if chosen is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        alike = "no other depth fits" if answer.measured else "the fewest there can be"
        scope = between(chosen.low, chosen.high, alike=alike)
        blocks.append(Lead(f"{plural(chosen.aliases, 'request')} in flight", scope))
        if answer.measured:
            blocks.append(Paragraph(f"From there on the rate is within {answer.knee_percent:g} % of the highest."))
        else:
            blocks.append(Paragraph(f"The response is then within {answer.knee_percent:g} % of that without a limit."))
    blocks += [Paragraph(line) for line in answer.lines]
    if answer.target is not None:
        target, depth = answer.target
        met = f"depth {depth}" if depth is not None else "no depth below"
        blocks.append(Paragraph(f"{target}: met by {met}."))
    return blocks


def _table(answer: DepthAnswer) -> Table[_DepthPoint]:
    """The depths."""
    values = {
        "response_p99_ms": lambda point: point.p99_ms, "io_per_s_without_it": lambda point: point.law_io_per_s,
    }  # fmt: skip
    legend = "Rate at the measured load; response with this many places for requests in front of the disk."
    if answer.measured:
        legend = "Measured by fio. Without it: the rate by the law of the other depths alone."
    return Table(
        columns(_DEPTHS, values=values),
        answer.points,
        legend=legend,
        marks=lambda point: _marks(answer, point),
        face=Face.PEOPLE,
    )


def _marks(answer: DepthAnswer, point: _DepthPoint) -> list[str]:
    chosen = answer.recommendation
    marks = ["choose"] if chosen and point.depth == chosen.aliases else []
    return [*marks, *(["asked"] if point.depth in answer.at else [])]
