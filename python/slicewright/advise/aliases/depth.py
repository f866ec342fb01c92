"""How many requests in flight a disk of Linux wants: its queue depth, which aliases are on a mainframe.

Output of fio at several depths is a measured curve.  The depth where it bends is the answer, over every law of a disk
that fits the curve.  Reports of iostat or btt are of a load: the answer is the depth at which its requests
seldom wait for a place in front of the disk.  Less evidence gives a wider range, or no recommendation.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.depth_law import (
    WITHIN,
    Counted,
    DepthLaw,
    depths_that_fit,
    fit_law,
    missed,
    places,
    response_factor,
    within,
)
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.target import Target
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.measured.linux.disk import Disk
from slicewright.measured.linux.forms import read_disks
from slicewright.measured.linux.lsdasd import Dasds, is_lsdasd, read_lsdasd
from slicewright.measured.linux.text import HEAD
from slicewright.statistics import fixed, percent, plural

FEWEST = 3
"""Depths from which on a bend shows."""
FEW = 100
"""ASSUME: a mean of fewer requests is within no tenth of the true one."""
IDLE = 0.05
"""ASSUME: with fewer requests present on average the mean does not tell single requests from bursts."""
SHORT = 0.1
"""Share by which requests in flight may miss the depth that was asked for."""
KNOWN = frozenset({"knee_percent", "margin_percent"})
TARGETS = ("io_per_s", "response_ms")


@dataclass(frozen=True, slots=True)
class DepthPoint:
    """One depth: as measured, by the law of the disk, or by the law of waiting for a place."""

    depth: int
    io_per_s: float
    response_ms: float
    p99_ms: float | None = None
    in_flight: float | None = None
    law_io_per_s: float | None = None
    """The rate by the law fitted to the other points alone; None where these do not fix one."""


@dataclass(frozen=True, slots=True)
class DepthAnswer:
    """The answer for one disk; `measured` says whether the points are measured depths or a load at computed ones."""

    files: tuple[str, ...]
    device: str
    heading: str
    measured: bool
    points: tuple[DepthPoint, ...]
    recommendation: Recommendation | None
    knee_percent: float
    reason: str = ""
    law: DepthLaw | None = None
    miss: float | None = None
    """The largest miss of a rate by the law without that point."""
    lines: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
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
        f"{dasds.file}: {answer.device} is {bus}; {len(dasds.aliases)} aliases and {len(dasds.volumes)} volumes online"
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
        if key not in KNOWN and getattr(question.assumed, key) != getattr(default, key):
            problems.append(problem("has no effect on queue depth", key=f"assume {key}", allowed="knee=5%"))
    if question.target is not None and question.target.name not in TARGETS:
        allowed = ", ".join(TARGETS)
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
    law, misses = fit_law(held), missed(held)
    points = tuple(
        DepthPoint(
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
    facts += [f"Little's law: {plural_of(point.in_flight or 0.0)} in flight at depth {point.depth}, as "
              "rate times response" for point in points if _short(point)]  # fmt: skip
    if chosen is not None:
        facts.append(f"every law within {percent(WITHIN - 1, 0)} of every rate has its bend in the range")
    few = [disk.requests for disk in disks if disk.requests is not None and within(disk.requests) > WITHIN]
    if few:
        facts.append(f"as few as {min(few):,.0f} requests at a depth: laws may miss such a rate by more than that")
    caveats = ["fio asks without pause: an application that asks in bursts waits where fio does not"]
    caveats += dict.fromkeys(limit for disk in disks for limit in disk.limits)
    if any(_short(point) for point in points):
        caveats.append("a depth that is not reached is limited above the disk: threads, processor, the engine of fio")
    return DepthAnswer(
        tuple(dict.fromkeys(disk.file for disk in disks)), disks[0].device, f"{disks[0].device}  fio at {count}", True,
        points, chosen, question.assumed.knee_percent, reason, law, miss, tuple(_gain(points, chosen)), tuple(facts),
        (), tuple(caveats), tuple(needed), _target(points, question),
        tuple(at for at in question.at if any(point.depth == at for point in points)),
    )  # fmt: skip


def _undecided(disks: Sequence[Disk], knee: float) -> tuple[str, list[str]]:
    """Why measured depths do not place a bend, and what would; "" where they do."""
    rates = [disk.io_per_s for disk in disks]
    deepest, most = max(disks, key=lambda disk: disk.depth or 0), max(disk.in_flight for disk in disks)
    limits = list(dict.fromkeys(limit for disk in disks for limit in disk.limits))
    kinds = list(dict.fromkeys(disk.kind for disk in disks if disk.kind))
    twice = 2 * (deepest.depth or 1)
    deeper = f"fio with --iodepth={twice} and deeper; of a synchronous engine with --numjobs={twice}"
    if len(disks) < FEWEST:
        reason = f"{plural(len(disks), 'depth')} of fio: where the rate bends shows from {FEWEST} on"
        return reason, ["fio with one --filename and --iodepth=1,2,4,...: one run for each, --output-format=json"]
    if len(kinds) > 1:
        return f"the depths are of different loads: {'; '.join(kinds)}", ["fio with the same rw and bs at each depth"]
    beside = [limit for limit in limits if "at the same time" in limit]
    if beside:
        return beside[0], ["fio with `stonewall` in each section, or one run for each depth"]
    found = depths_that_fit(_counted(disks), knee)
    short = most < (1 - SHORT) * (deepest.depth or 1)
    if found is not None and found[1] > math.ceil(most) and short:
        why = f" ({'; '.join(limits)})" if limits else ""
        reason = (
            f"fio never had more than {plural_of(most)} in flight, although depth {deepest.depth} was asked for{why}"
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
        reason = f"no law of a disk is within {percent(WITHIN - 1, 0)} of every rate: the rates are too uneven"
        return reason, ["longer runs of fio (--runtime=60) on a quiet machine"]
    if found[1] > math.ceil(most):
        return f"the rate may still grow beyond {deepest.depth}, the deepest that was measured", [deeper]
    return "", []


def plural_of(requests: float) -> str:
    """A number of requests, in words that fit it.

    >>> plural_of(1.0), plural_of(0.51), plural_of(2000.0)
    ('1.0 request', '.5 requests', '2,000.0 requests')
    """
    return f"{fixed(requests, 1)} {'request' if fixed(requests, 1) == '1.0' else 'requests'}"


def _short(point: DepthPoint) -> bool:
    """Whether fio kept fewer requests in flight than its options ask for."""
    return point.in_flight is not None and point.in_flight < (1 - SHORT) * point.depth


def _counted(disks: Sequence[Disk]) -> list[Counted]:
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


def _gain(points: Sequence[DepthPoint], chosen: Recommendation | None) -> list[str]:
    if chosen is None:
        return []
    at, deepest = next((point for point in points if point.depth >= chosen.aliases), points[-1]), points[-1]
    line = f"At depth {at.depth}: {fixed(at.io_per_s, 0)} I/O per s at {fixed(at.response_ms, 2)} ms."
    if at is not deepest:
        line += f" At {deepest.depth}: {fixed(deepest.io_per_s, 0)} at {fixed(deepest.response_ms, 2)} ms."
    return [line]


def _target(points: Sequence[DepthPoint], question: AliasRequest) -> tuple[Target, int | None] | None:
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
    many = [disk for disk in seen if disk.requests is None or disk.requests >= FEW]
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
        return DepthAnswer(files, one.device, heading, False, (), None, knee_percent, reason, needed=(_IOSTAT,))
    hardest = max(seen, key=lambda disk: disk.in_flight)
    count = plural(len(seen), "interval")
    heading = f"{hardest.device}  {count} of {hardest.file}"
    facts = (
        f"{fixed(hardest.in_flight, 2)} requests present, {fixed(hardest.io_per_s, 0)} I/O per s at "
        f"{fixed(hardest.response_ms, 2)} ms, in the hardest of {count}",
    )
    if hardest.in_flight * question.growth < IDLE:
        reason = (
            f"the disk is nearly idle: {fixed(hardest.in_flight, 3)} requests present in the hardest of {count}; "
            "so small a mean does not tell requests one by one from bursts"
        )
        return DepthAnswer(
            files, hardest.device, heading, False, (), None, knee_percent, reason, facts=facts,
            needed=("intervals of the load that counts: iostat -x -t 10 60 at that time",),
        )  # fmt: skip
    return _of_hardest(hardest, len(seen), (files, heading, facts), question)


def _too_few(disks: Sequence[Disk], question: AliasRequest) -> DepthAnswer:
    """The answer about intervals in which hardly a request was counted."""
    most = max(disk.requests or 0.0 for disk in disks)
    reason = f"at most {most:,.0f} requests were counted in an interval: means need {FEW} and more"
    return DepthAnswer(
        tuple(dict.fromkeys(disk.file for disk in disks)), disks[0].device,
        f"{disks[0].device}  {plural(len(disks), 'interval')} of {disks[0].file}", False, (), None,
        question.assumed.knee_percent, reason, needed=("a longer interval of the load",),
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
        DepthPoint(depth, 1000 * asked * question.growth, busy / (asked * question.growth) * factor)
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
        files, hardest.device, heading, False, tuple(points), Recommendation(chosen, 1, high),
        question.assumed.knee_percent, facts=facts, open=tuple(left), caveats=caveats, needed=tuple(needed),
        target=_target(points, question), at=question.at,
    )  # fmt: skip
