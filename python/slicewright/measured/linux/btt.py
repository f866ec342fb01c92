"""Summaries of `btt` (blktrace): the stages of a request on its way, from queued (Q) over issued (D) to completed (C).

Format: btt's user guide, 4.1 "Data from the I/O path"; seconds.
"""

from __future__ import annotations

import re

from slicewright.measured.linux.disk import Disk, Disks
from slicewright.measured.linux.text import decoded, number
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check

ALLOWED = "the standard output of btt -i FILE, from a trace of one device"
_STAGES = re.compile(rb"^={5,} All Devices ={5,}\s*$", re.MULTILINE)


def is_btt(head: bytes) -> bool:
    """Whether a file begins as a summary of btt does.

    >>> is_btt(b"==================== All Devices ====================\\n"), is_btt(b"Device")
    (True, False)
    """
    return _STAGES.search(head) is not None


def read_btt(data: bytes, file: str) -> Disks:
    """The device of a summary; raises InputError with every problem, and where several devices were traced.

    Q2C is the response, D2C the service; the rate follows from the time between arrivals, Q2Q.

    >>> read_btt(b"===== All Devices =====\\n", "a.txt")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: a.txt: Q2Q: is missing
    """
    lines = decoded(data, file, ALLOWED).splitlines()
    problems: list[Problem] = []
    rows = {stage: _stage(lines, stage, file, problems) for stage in ("Q2Q", "D2C", "Q2C")}
    devices = dict.fromkeys(
        f"{found[1]}:{found[2]}" for line in lines if (found := re.match(r" *\( *([0-9]+), *([0-9]+)\) \|", line))
    )
    if len(devices) > 1:
        why = f"its stages are means over {', '.join(devices)}"
        problems.append(
            problem(f"{len(devices)} devices", file=file, why=why, allowed="one device: blktrace -d DEVICE")
        )
    check(*problems)
    (gap, gaps), (service, _), (response, count) = rows["Q2Q"], rows["D2C"], rows["Q2C"]
    length_s = gap * gaps
    if length_s <= 0 or count <= 0:
        raise refusal(problem("no time passed between requests", file=file, key="Q2Q", allowed="a trace of some time"))
    disk = Disk(
        file=file, device=next(iter(devices), "device"), length_s=length_s, io_per_s=count / length_s, requests=count,
        response_ms=1000 * max(response, service), service_ms=1000 * service,
    )  # fmt: skip
    return Disks((disk,))


def _stage(lines: list[str], stage: str, file: str, problems: list[Problem]) -> tuple[float, float]:
    """The mean of a stage in seconds, and how many there were; the first row of that name."""
    for at, line in enumerate(lines, 1):
        cells = line.split()
        if cells[:1] != [stage]:
            continue
        values = [number(cell) for cell in cells[1:]]
        if len(values) != 4 or any(value is None for value in values):
            problems.append(problem("not its four numbers", file=file, line=at, key=stage, allowed="MIN AVG MAX N"))
            return 0.0, 0.0
        return values[1] or 0.0, values[3] or 0.0
    problems.append(problem("is missing", file=file, key=stage, why="the file is cut, or nothing completed",
                            allowed=ALLOWED))  # fmt: skip
    return 0.0, 0.0
