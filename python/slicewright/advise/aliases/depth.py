"""How many requests in flight a disk of Linux wants: its queue depth, which aliases are on a mainframe.

Output of fio at several depths is a curve that was measured; the depth where it bends is the answer.  Reports of iostat
or btt are of a load: the answer is the depth at which its requests seldom wait for a place in front of the disk.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.depth_law import DepthLaw, fit_law, missed, places, response_factor
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.target import Target
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.measured.linux.disk import Disk
from slicewright.measured.linux.forms import read_disks
from slicewright.measured.linux.lsdasd import Dasds, is_lsdasd, read_lsdasd
from slicewright.measured.linux.text import HEAD
from slicewright.statistics import fixed, percent

MOST_MISS = 0.2
"""ASSUME: a law that misses a rate by more, fitted without that point, does not place the bend."""
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

    >>> row = b"Device tps kB/s await aqu-sz %util\\nvda 1000.0 320.0 4.00 4.00 7.0\\n"
    >>> answer_depths([("a.txt", row)], AliasRequest())[0].recommendation.aliases
    7
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
    disks = [
        disk
        for name, data in outputs
        for content in gathered(problems, functools.partial(read_disks, data, name))
        for disk in content.disks
    ]
    problems += _mixed(disks)
    if problems:
        raise refusal(*problems)
    curves = [disk for disk in disks if disk.depth is not None]
    loads = [disk for disk in disks if disk.depth is None]
    found = [_of_curve([disk for disk in curves if disk.device == name], question) for name in _names(curves)]
    found += [_of_load([disk for disk in loads if disk.device == name], question) for name in _names(loads)]
    return [_beside(answer, dasds[0]) for answer in found] if dasds else found


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
    files = tuple(dict.fromkeys(disk.file for disk in disks))
    count = f"depth {points[0].depth}" if len(points) == 1 else f"depths {points[0].depth} to {points[-1].depth}"
    heading = f"{disks[0].device}  fio at {count}"
    most = max(points, key=lambda point: point.io_per_s)
    enough = [point for point in points if point.io_per_s >= (1 - knee) * most.io_per_s]
    chosen, facts, needed = None, [], []
    reason = ""
    if len(points) < 3:
        reason = f"{len(points)} depth{'s' * (len(points) > 1)} of fio: where the rate bends shows from 3 on"
        needed.append("fio with --iodepth=1,2,4,...: one run for each, --output-format=json")
    elif enough[0] is points[-1]:
        reason = f"the rate still grows at {points[-1].depth}, the deepest that was measured"
        needed.append(f"fio with --iodepth={2 * points[-1].depth} and deeper")
    else:
        chosen = _bend(points, enough[0], (law, miss), (1 - knee) * most.io_per_s)
    if law is not None:
        facts.append(law.words())
    if miss is not None:
        trust = "" if miss <= MOST_MISS else ": it does not place the bend; the range is that of the measured depths"
        facts.append(f"fitted without it, the law misses the rate of a point by at most {percent(miss)}{trust}")
    facts += [f"Little's law: {fixed(point.in_flight, 1)} requests in flight at depth {point.depth}, as "
              "rate times response" for point in points if _short(point)]  # fmt: skip
    caveats = ["fio asks without pause: an application that asks in bursts waits where fio does not"]
    if any(_short(point) for point in points):
        caveats.append("a depth that is not reached is limited above the disk: threads, processor, the engine of fio")
    return DepthAnswer(
        files, disks[0].device, heading, True, points, chosen, question.assumed.knee_percent, reason, law, miss,
        tuple(_gain(points, chosen)), tuple(facts), (), tuple(caveats), tuple(needed), _target(points, question),
        tuple(at for at in question.at if any(point.depth == at for point in points)),
    )  # fmt: skip


def _short(point: DepthPoint) -> bool:
    """Whether fio kept fewer requests in flight than its options ask for."""
    return point.in_flight is not None and point.in_flight < 0.9 * point.depth


def _bend(
    points: Sequence[DepthPoint], first: DepthPoint, fitted: tuple[DepthLaw | None, float | None], rate: float
) -> Recommendation:
    """The depth from which on the rate is enough: between two measured depths, by the law where that holds."""
    before = [point.depth for point in points if point.depth < first.depth]
    low, high = (before[-1] + 1 if before else 1), first.depth
    law, miss = fitted
    depth = high
    if law is not None and miss is not None and miss <= MOST_MISS:
        depth = min(high, max(low, law.depth_for(rate)))
    return Recommendation(depth, low, high)


def _gain(points: Sequence[DepthPoint], chosen: Recommendation | None) -> list[str]:
    if chosen is None:
        return []
    at, deepest = next(point for point in points if point.depth >= chosen.aliases), points[-1]
    return [
        f"At depth {at.depth}: {fixed(at.io_per_s, 0)} I/O per s at {fixed(at.response_ms, 2)} ms. "
        f"At {deepest.depth}: {fixed(deepest.io_per_s, 0)} at {fixed(deepest.response_ms, 2)} ms."
    ]


def _target(points: Sequence[DepthPoint], question: AliasRequest) -> tuple[Target, int | None] | None:
    """The condition and a depth that meets it: of fio's the deepest for a latency; else the shallowest."""
    target = question.target
    if target is None:
        return None
    limited = points[0].in_flight is None  # places in front of a load: the response falls with each
    met = [point.depth for point in points
           if target.met({"io_per_s": point.io_per_s, "response_ms": point.response_ms})]  # fmt: skip
    chosen = min if limited or target.name == "io_per_s" or target.sign.startswith(">") else max
    return target, (chosen(met) if met else None)


def _of_load(disks: Sequence[Disk], question: AliasRequest) -> DepthAnswer:
    """The answer from intervals of one disk under its own load."""
    hardest = max(disks, key=lambda disk: disk.in_flight)
    knee, growth = question.assumed.knee_percent / 100, question.growth
    service = hardest.service_ms
    shortest = min(disk.response_ms for disk in disks) if service is None else service
    longest = hardest.response_ms if service is None else service
    asked = hardest.in_flight / hardest.response_ms * growth if service is None else hardest.io_per_s / 1000 * growth
    low, high = places(asked * shortest, knee), places(asked * longest, knee)
    chosen = Recommendation(high, low, high)
    shown = sorted({*range(max(1, math.floor(asked * longest)), high + 3), high * 2, *question.at} - {0})
    points = [
        DepthPoint(depth, asked * 1000, longest * factor)
        for depth in shown
        if math.isfinite(factor := response_factor(depth, asked * longest))
    ]
    count = f"{len(disks)} interval{'s' * (len(disks) > 1)}"
    facts = [
        f"{fixed(hardest.in_flight, 2)} requests present, {fixed(hardest.io_per_s, 0)} I/O per s at "
        f"{fixed(hardest.response_ms, 2)} ms, in the hardest of {count}"
    ]
    left, needed = [], []
    if service is None:
        facts.append(f"the shortest await of an interval: {fixed(shortest, 2)} ms")
        left.append(
            "await holds the wait in the block layer and the service of the disk; the low end of the range takes the "
            "shortest await for the service, the recommendation all of it"
        )
        needed.append("btt of the same time (Q2C and D2C apart), or fio at several depths on the same disk")
    else:
        facts.append(
            f"of {fixed(hardest.response_ms, 3)} ms, {fixed(service, 3)} are the disk's, from its start to its end"
        )
    caveats = [
        "Requests are taken to arrive one by one at random (Poisson); bursts of N want N more places",
        "The service of the disk is taken not to grow with its depth: fio at several depths measures that",
    ]
    files = tuple(dict.fromkeys(disk.file for disk in disks))
    return DepthAnswer(
        files, hardest.device, f"{hardest.device}  {count} of {hardest.file}", False, tuple(points), chosen,
        question.assumed.knee_percent, facts=tuple(facts), open=tuple(left), caveats=tuple(caveats),
        needed=tuple(needed), target=_target(points, question), at=question.at,
    )  # fmt: skip
