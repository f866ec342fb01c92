"""Results of fio as JSON (`--output-format=json` or `json+`): rate, latency and depth of each group of jobs.

Format: fio's HOWTO, "Normal output" and `--output-format`; times are ns from fio 3, us before.  Jobs of a group run at
once: their rates and depths are added up, whether `group_reporting` did so already or each clone has an entry.  Clients
of a server (`client_stats`) are systems of their own; their sum, "All clients", is not counted again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from slicewright.measured.linux.disk import Disk, Disks
from slicewright.measured.linux.fio_options import Options, beside, depth_of, kind_of, limits_of, options_of
from slicewright.measured.linux.text import Fields, decoded, jsons_of, number
from slicewright.values.errors import Problem, problem
from slicewright.values.parameters import check

ALLOWED = "the output of fio --output-format=json"
DIRECTIONS = ("read", "write", "trim", "mixed")
"""Mixed is all of them with unified_rw_reporting."""
SHOWN = (50, 90, 95, 99)
"""Percentiles that tables have."""
ALONE = 0.99
"""Share of one direction from which its percentiles are those of the job."""
ALL_CLIENTS = "All clients"
OVERLAP = 0.1
"""Share of the shorter of two groups from which they ran at the same time."""


def is_fio(head: bytes) -> bool:
    """Whether a file begins as fio's JSON does.

    >>> is_fio(b'{\\n  "fio version" : "fio-3.33",'), is_fio(b'{"format": 1}')
    (True, False)
    """
    return re.search(rb'^[ \t]*\{\s*"fio version"\s*:', head, re.MULTILINE) is not None


def read_fio(data: bytes, file: str) -> Disks:
    """A disk for each group of jobs that did I/O on a device; raises InputError with every problem.

    >>> read_fio(b'{"fio version": "fio-3.33", "jobs": []}', "a.json")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: a.json: jobs: no job did I/O
    """
    problems: list[Problem] = []
    results = [
        _result(Fields(members, (file, ""), problems))
        for members in jsons_of(decoded(data, file, ALLOWED), file, "fio")
    ]
    check(*problems)
    found: list[Disk] = []
    notes: list[str] = []
    for disks, more in results:
        found += [replace(disk, interval=len(found) + at) for at, disk in enumerate(disks)]
        notes += more
    return Disks(tuple(found), tuple(dict.fromkeys(notes)))


def _result(root: Fields) -> tuple[list[Disk], list[str]]:
    """The disks of one result, and notes."""
    key = "client_stats" if root.has("client_stats") and not root.has("jobs") else "jobs"
    notes: list[str] = []
    groups: dict[tuple[str, str, str], list[_Job]] = {}
    for job in _jobs(root, key, notes):
        groups.setdefault(job.group, []).append(job)
    if not groups and not root.problems:
        root.problems.append(problem("no job did I/O", file=root.file, key=key, allowed="a job that reads or writes"))
    when_ms = root.maybe("timestamp_ms") or 1000 * (root.maybe("timestamp") or 0.0)
    found = [_together(jobs, at, when_ms) for at, jobs in enumerate(groups.values())]
    at_once = _at_once([jobs[0] for jobs in groups.values()])
    found = [
        replace(disk, limits=(*disk.limits, at_once[at])) if at in at_once else disk for at, disk in enumerate(found)
    ]
    if any(len(jobs) > 1 for jobs in groups.values()):
        notes.append(f"{root.file}: the jobs of a group ran at once; their rates and depths are added up")
    return found, notes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """An entry of a result that did I/O: its load, all directions together, and its options."""

    disk: Disk
    group: tuple[str, str, str]
    """The client, the group and the device."""
    options: Options
    start_ms: float | None
    """When it began; None where fio did not say."""
    bins: Mapping[float, float]


def _jobs(root: Fields, key: str, notes: list[str]) -> list[_Job]:
    """The entries that did I/O; the sum of all clients only where there is no other."""
    entries = list(enumerate(root.objects(key)))
    single = [(at, job) for at, job in entries if ALL_CLIENTS not in (job.text("jobname"), job.text("hostname"))]
    hosts = {job.text("hostname") for _, job in single}
    shared = root.inside("global options").members if root.has("global options") else {}
    utilized = [each.text("name") for each in root.objects("disk_util")] if root.has("disk_util") else []
    found = []
    for at, job in single or entries:
        if error := job.maybe("error"):
            notes.append(f"job {job.text('jobname', str(at))} of {root.file} ended with error {error:.0f}")
        options = options_of(shared, job.inside("job options").members if job.has("job options") else {})
        made = _job(job, options, utilized, at)
        if made is not None:
            host = job.text("hostname") if len(hosts) > 1 else ""
            device = f"{host}:{made.disk.device}" if host else made.disk.device
            found.append(replace(made, disk=replace(made.disk, device=device), group=(host, made.group[1], device)))
    return found


def _job(job: Fields, options: Options, utilized: Sequence[str], at: int) -> _Job | None:
    """The entry with all directions together; None where it did no I/O."""
    sides = {name: job.inside(name) for name in DIRECTIONS if job.has(name)}
    if not sides:
        job.problems.append(problem("has neither read nor write", file=job.file, key=job.path, allowed=ALLOWED))
        return None
    rates = {name: side.number("iops") for name, side in sides.items()}
    total = sum(rates.values())
    if total <= 0:
        return None
    response = sum(rates[name] * _latency_ms(side, "lat") for name, side in sides.items() if rates[name] > 0) / total
    name = job.text("jobname", f"job {at}")
    group = f"{job.number('groupid'):.0f}" if job.has("groupid") else name
    depth = depth_of(options, job, total * response / 1000)
    disk = Disk(
        file=job.file, device=_device(options, utilized, name), job=name,
        length_s=max(max(side.number("runtime") for side in sides.values()) / 1000, 0.001), io_per_s=total,
        reads_per_s=rates.get("read"), writes_per_s=rates.get("write"),
        kib_per_s=sum(rates[name] and side.number("bw") for name, side in sides.items()), response_ms=response,
        percentiles_ms=_percentiles(sides, rates, total), depth=depth,
        limits=limits_of(options, total * response / 1000), kind=kind_of(options),
        requests=_sum([side.maybe("total_ios") for side in sides.values()]),
    )  # fmt: skip
    bins = _merged([_bins(side) for name, side in sides.items() if rates[name] > 0])
    return _Job(disk=disk, group=("", group, disk.device), options=options, start_ms=job.maybe("job_start"), bins=bins)


def _together(jobs: Sequence[_Job], at: int, when_ms: float) -> Disk:
    """The jobs of a group on a device as one disk."""
    disks = [job.disk for job in jobs]
    total = sum(disk.io_per_s for disk in disks)
    length_s = max(disk.length_s for disk in disks)
    bins = _merged([job.bins for job in jobs])
    percentiles = disks[0].percentiles_ms if len(disks) == 1 else _of_bins(bins) if bins else {}
    return replace(
        disks[0], interval=at, start_us=int(1000 * max(0.0, when_ms - 1000 * length_s)) if when_ms else 0,
        length_s=length_s, io_per_s=total, reads_per_s=_sum([disk.reads_per_s for disk in disks]),
        writes_per_s=_sum([disk.writes_per_s for disk in disks]), kib_per_s=_sum([disk.kib_per_s for disk in disks]),
        response_ms=sum(disk.io_per_s * disk.response_ms for disk in disks) / total, percentiles_ms=percentiles,
        depth=sum(disk.depth or 1 for disk in disks),
        limits=tuple(dict.fromkeys(limit for disk in disks for limit in disk.limits)),
        requests=_sum([disk.requests for disk in disks]),
        kind=", ".join(dict.fromkeys(disk.kind for disk in disks if disk.kind)),
    )  # fmt: skip


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _at_once(firsts: Sequence[_Job]) -> dict[int, str]:
    """By place, the groups that ran on a device together with another one, each with a sentence that says so."""
    found: dict[int, str] = {}
    latest: dict[str, int] = {}
    for at in sorted(range(len(firsts)), key=lambda at: (firsts[at].start_ms or 0.0, at)):
        job = firsts[at]
        before = latest.setdefault(job.disk.device, at)
        if before == at:
            continue
        other = firsts[before]
        if _overlap(other, job):
            for place, group in ((at, other.group[1]), (before, job.group[1])):
                why = f"group {group} ran on {job.disk.device} at the same time: give each group `stonewall`"
                found.setdefault(place, why)
        if _end_ms(job) >= _end_ms(other):
            latest[job.disk.device] = at
    return found


def _end_ms(job: _Job) -> float:
    return (job.start_ms or 0.0) + 1000 * job.disk.length_s


def _overlap(before: _Job, after: _Job) -> bool:
    """Whether two groups on a device ran at once: by their times, or where fio has none by their options."""
    if before.start_ms is None or after.start_ms is None:
        return beside(after.options)
    shorter_ms = 1000 * min(before.disk.length_s, after.disk.length_s)
    return min(_end_ms(before), _end_ms(after)) - after.start_ms > OVERLAP * shorter_ms


def _latency_ms(side: Fields, name: str) -> float:
    """The mean of a latency, in ms: ns from fio 3, us before."""
    if side.has(f"{name}_ns"):
        return side.inside(f"{name}_ns").number("mean") / 1e6
    return side.inside(name).number("mean") / 1e3


def _device(options: Options, utilized: Sequence[str], name: str) -> str:
    """The file or device of a job; the disk below it where no name is given."""
    for key in ("filename", "directory"):
        if key in options:
            return options[key][:200]
    return utilized[0] if len(utilized) == 1 and utilized[0] else name


def _percentiles(sides: Mapping[str, Fields], rates: Mapping[str, float], total: float) -> dict[int, float]:
    """Percentiles of completion: of all directions from the bins of json+, else of a direction that did nearly all."""
    merged = _merged([_bins(side) for name, side in sides.items() if rates[name] > 0])
    if merged:
        return _of_bins(merged)
    for name, side in sides.items():
        if rates[name] >= ALONE * total:
            key = "clat_ns" if side.has("clat_ns") else "clat"
            listed = side.inside(key).members.get("percentile", {})
            scale = 1e6 if key == "clat_ns" else 1e3
            values = {number(text): value for text, value in listed.items()} if isinstance(listed, dict) else {}
            return {p: values[p] / scale for p in SHOWN if isinstance(values.get(p), int | float)}
    return {}


def _bins(side: Fields) -> dict[float, float]:
    members = side.members.get("clat_ns")
    bins = members.get("bins") if isinstance(members, dict) else None
    if not isinstance(bins, dict):
        return {}
    pairs = ((number(ns), count) for ns, count in bins.items())
    return {ns: float(count) for ns, count in pairs if ns is not None and isinstance(count, int) and count > 0}


def _merged(bins: Sequence[Mapping[float, float]]) -> dict[float, float]:
    """Histograms together; none where one is missing."""
    found: dict[float, float] = {}
    for each in bins if all(bins) else ():
        for ns, count in each.items():
            found[ns] = found.get(ns, 0.0) + count
    return found


def _of_bins(bins: Mapping[float, float]) -> dict[int, float]:
    """Percentiles of a histogram, in ms.

    >>> _of_bins({1e6: 98, 5e6: 2})
    {50: 1.0, 90: 1.0, 95: 1.0, 99: 5.0}
    """
    ordered = sorted(bins)
    sums = list(accumulate(bins[ns] for ns in ordered))
    return {p: next(ns for ns, so_far in zip(ordered, sums, strict=True) if so_far >= p / 100 * sums[-1]) / 1e6
            for p in SHOWN}  # fmt: skip
