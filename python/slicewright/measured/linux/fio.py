"""Results of fio as JSON (`--output-format=json` or `json+`): rate, latency and depth of each job.

Format: fio's HOWTO, "Normal output" and `--output-format`; times are ns from fio 3, us before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate

from slicewright.errors import Problem, problem, refusal
from slicewright.measured.linux.disk import Disk, Disks
from slicewright.measured.linux.text import Fields, decoded, json_of, number

ALLOWED = "the output of fio --output-format=json"
DIRECTIONS = ("read", "write", "trim")
SHOWN = (50, 90, 95, 99)
"""Percentiles that tables have."""
ALONE = 0.99
"""Share of one direction from which its percentiles are those of the job."""
MOST_DEPTH = 1_000_000


def is_fio(head: bytes) -> bool:
    """Whether a file begins as fio's JSON does.

    >>> is_fio(b'{\\n  "fio version" : "fio-3.33",'), is_fio(b'{"format": 1}')
    (True, False)
    """
    return re.search(rb'^\s*\{\s*"fio version"\s*:', head, re.MULTILINE) is not None


def read_fio(data: bytes, file: str) -> Disks:
    """A disk for each job that did I/O; raises InputError with every problem.

    >>> read_fio(b'{"fio version": "fio-3.33", "jobs": []}', "a.json")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: a.json: jobs: no job did I/O
    """
    members, _ = json_of(decoded(data, file, ALLOWED), file, "fio")
    problems: list[Problem] = []
    root = Fields(members, (file, ""), problems)
    key = "client_stats" if root.has("client_stats") and not root.has("jobs") else "jobs"
    shared = root.inside("global options").members if root.has("global options") else {}
    when_ms = root.maybe("timestamp_ms") or 1000 * (root.maybe("timestamp") or 0.0)
    utilized = [each.text("name") for each in root.objects("disk_util")] if root.has("disk_util") else []
    found, notes = [], []
    for at, job in enumerate(root.objects(key)):
        if job.text("jobname") == "All clients":  # the sum of the others
            continue
        if job.maybe("error"):
            notes.append(f"job {job.text('jobname', str(at))} of {file} ended with error {job.number('error'):.0f}")
        disk = _job(job, shared, utilized, (at, when_ms))
        if disk is not None:
            found.append(disk)
    if not found and not problems:
        problems.append(problem("no job did I/O", file=file, key=key, allowed="a job that reads or writes"))
    if problems:
        raise refusal(*problems)
    return Disks(tuple(found), tuple(notes))


def _job(job: Fields, shared: Mapping[str, object], utilized: list[str], place: tuple[int, float]) -> Disk | None:
    """The job as a disk, all directions together; None where it did no I/O."""
    at, when_ms = place
    options = {**shared, **(job.inside("job options").members if job.has("job options") else {})}
    sides = {name: job.inside(name) for name in DIRECTIONS if job.has(name)}
    if not sides:
        job.problems.append(problem("has neither read nor write", file=job.file, key=job.path, allowed=ALLOWED))
        return None
    rates = {name: side.number("iops") for name, side in sides.items()}
    total = sum(rates.values())
    if total <= 0:
        return None
    response = sum(rates[name] * _latency_ms(side, "lat") for name, side in sides.items() if rates[name] > 0) / total
    kib = sum(rates[name] and side.number("bw") for name, side in sides.items())
    length_ms = max(side.number("runtime") for side in sides.values())
    name = job.text("jobname", f"job {at}")
    start_us = int(1000 * max(0.0, when_ms - length_ms)) if when_ms else 0
    return Disk(
        file=job.file, device=_device(options, utilized, name), job=name, interval=at, start_us=start_us,
        length_s=max(length_ms / 1000, 0.001), io_per_s=total, reads_per_s=rates.get("read"),
        writes_per_s=rates.get("write"), kib_per_s=kib, response_ms=response,
        percentiles_ms=_percentiles(sides, rates, total), depth=_depth(options, job),
    )  # fmt: skip


def _latency_ms(side: Fields, name: str) -> float:
    """The mean of a latency, in ms: ns from fio 3, us before."""
    if side.has(f"{name}_ns"):
        return side.inside(f"{name}_ns").number("mean") / 1e6
    return side.inside(name).number("mean") / 1e3


def _device(options: Mapping[str, object], utilized: list[str], name: str) -> str:
    """The file or device of a job; the disk below it where no name is given."""
    for key in ("filename", "directory"):
        if isinstance(options.get(key), str):
            return str(options[key])[:200]
    return utilized[0] if len(utilized) == 1 and utilized[0] else name


def _depth(options: Mapping[str, object], job: Fields) -> int:
    """Most requests in flight: iodepth of each process, 1 where it is not given, times the processes of a group."""
    counts = []
    for key in ("iodepth", "numjobs"):
        text = str(options.get(key, "1"))
        if not re.fullmatch(r"[0-9]{1,7}", text) or not 1 <= int(text) <= MOST_DEPTH:
            allowed = f"1 to {MOST_DEPTH:,}"
            key_of = f"{job.path}.job options.{key}"
            job.problems.append(problem(f"not a number: {text[:40]}", file=job.file, key=key_of, allowed=allowed))
            text = "1"
        counts.append(int(text))
    grouped = "group_reporting" in options
    return counts[0] * (counts[1] if grouped else 1)


def _percentiles(sides: Mapping[str, Fields], rates: Mapping[str, float], total: float) -> dict[int, float]:
    """Percentiles of completion: of all directions from the bins of json+, else of a direction that did nearly all."""
    if all(_bins(side) for name, side in sides.items() if rates[name] > 0):
        merged: dict[float, float] = {}
        for name, side in sides.items():
            for ns, count in _bins(side).items() if rates[name] > 0 else ():
                merged[ns] = merged.get(ns, 0.0) + count
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


def _of_bins(bins: Mapping[float, float]) -> dict[int, float]:
    """Percentiles of a histogram, in ms.

    >>> _of_bins({1e6: 98, 5e6: 2})
    {50: 1.0, 90: 1.0, 95: 1.0, 99: 5.0}
    """
    ordered = sorted(bins)
    sums = list(accumulate(bins[ns] for ns in ordered))
    return {p: next(ns for ns, so_far in zip(ordered, sums, strict=True) if so_far >= p / 100 * sums[-1]) / 1e6
            for p in SHOWN}  # fmt: skip
