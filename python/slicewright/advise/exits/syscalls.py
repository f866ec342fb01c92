"""System calls that Linux's tools counted: text of strace -c and perf trace -s.

Formats: strace(1), -c, columns by name (-U changes them). perf-trace(1), -s, a table per thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from slicewright.advise.exits.profile import is_profile
from slicewright.live.kept import is_kept_hooks
from slicewright.measured.linux.text import decoded, number
from slicewright.values.errors import Problem, problem, refusal

ALLOWED = "the output of strace -c, or of perf trace -s"
_STRACE = re.compile(rb"^(?=.*\bcalls\b)(?=.*\bsyscall\b)(?=.*(?:% time|usecs/call|\bseconds\b|\berrors\b)).*$", re.M)
_PERF = re.compile(rb"^ *syscall +calls +(?:errors +)?total\b", re.M)
_HEADS = {
    "% time": "percent", "usecs/call": "each", "seconds": "s", "total": "s", "calls": "calls", "errors": "errors",
    "syscall": "name", "shortest": "", "longest": "", "avg-time": "", "min-time": "", "max-time": "",
}  # fmt: skip
_TOTAL = ("total",)


@dataclass(frozen=True, slots=True)
class Call:
    """One system call: how often, and seconds in all; None where the tool was not asked for them."""

    name: str
    calls: int
    total_s: float | None
    errors: int | None = field(default=None, repr=False)
    """How many of them failed; None where the tool does not say."""


def is_filtering(files: Sequence[tuple[str, bytes]]) -> bool:
    """Whether files ask about filters of system calls.

    >>> is_filtering([("a.json", b'{"defaultAction": "SCMP_ACT_ERRNO"}')]), is_filtering([("a.txt", b"FCX108")])
    (True, False)
    """
    return any(is_syscalls(data) or is_profile(data) or is_kept_hooks(data) for _, data in files)


def is_syscalls(data: bytes) -> bool:
    """Whether a file is a table of strace -c or perf trace -s.

    >>> is_syscalls(b"% time     seconds  usecs/call     calls    errors syscall\\n"), is_syscalls(b"FCX108")
    (True, False)
    """
    head = data[: 1 << 16]
    return b"\0" not in head and (_STRACE.search(head) is not None or _PERF.search(head) is not None)


def read_syscalls(data: bytes, file: str) -> list[Call]:
    """The calls of a file, of all threads together, most time or most calls first; raises InputError with each problem.

    >>> head = b"% time seconds usecs/call calls errors syscall\\n------ --- --- --- --- ---\\n"
    >>> read_syscalls(head + b" 99.00 0,002000 20 100 read\\n100.00 0,002000 20 100 total\\n", "a.txt")
    [Call(name='read', calls=100, total_s=0.002)]
    """
    lines = decoded(data, file, ALLOWED).splitlines()
    problems: list[Problem] = []
    perf = _PERF.search(data) is not None
    rows = _of_perf(lines, file, problems) if perf else _of_strace(lines, file, problems)
    if problems:
        raise refusal(*problems)
    found: dict[str, Call] = {}
    for row in rows:
        before = found.get(row.name)
        if before is None:
            found[row.name] = row
            continue
        known = before.total_s is not None and row.total_s is not None
        total = (before.total_s or 0.0) + (row.total_s or 0.0) if known else None
        failed = None if before.errors is None or row.errors is None else before.errors + row.errors
        found[row.name] = replace(before, calls=before.calls + row.calls, total_s=total, errors=failed)
    if not sum(call.calls for call in found.values()):
        raise refusal(problem("no system call was counted", file=file, allowed=ALLOWED))
    return sorted(found.values(), key=lambda call: (-(call.total_s or 0.0), -call.calls))


def _of_strace(lines: Sequence[str], file: str, problems: list[Problem]) -> list[Call]:
    """The rows; cells are found by the columns of dashes below the header, since errors may be empty."""
    heads: list[str] = []
    columns: list[tuple[int, int]] = []
    found: list[Call] = []
    for at, line in enumerate(lines, 1):
        if not heads or not columns:
            if _STRACE.match(line.encode()):
                heads = re.findall(r"% time|\S+", line)
                if unknown := [head for head in heads if head not in _HEADS]:
                    allowed = ", ".join(_HEADS)
                    what = f"no such column: {unknown[0]}"
                    raise refusal(problem(what, file=file, line=at, column=line.index(unknown[0]) + 1, allowed=allowed))
                columns = [(0, 0)]
            continue
        if re.fullmatch(r"[- ]*-[- ]*", line):
            if columns != [(0, 0)]:  # the sum follows
                heads = []
            else:
                columns = [match.span() for match in re.finditer(r"-+", line)]
            continue
        if not line.strip():
            continue
        row = _cells(line, heads)
        if row.get("name") in _TOTAL:
            heads = []
            continue
        calls, total = number(row.get("calls", "")), number(row["s"]) if "s" in row else None
        if calls is None or calls != int(calls) or not row.get("name") or ("s" in row and total is None):
            problems.append(problem(f"not a row of calls: {line.strip()[:60]}", file=file, line=at, allowed=ALLOWED))
            continue
        failed = number(row.get("errors", "0")) if "errors" in heads else None
        found.append(Call(row["name"], int(calls), total, None if failed is None else int(failed)))
    if len(lines) and heads and not problems:
        problems.append(problem("has no line of the total", file=file, line=len(lines), why="the file is cut",
                                allowed=ALLOWED))  # fmt: skip
    return found


def _cells(line: str, heads: Sequence[str]) -> dict[str, str]:
    """A row by its columns: `errors` is empty where there were none, and every other cell is there."""
    cells = line.split()
    named = [_HEADS[head] for head in heads]
    if len(cells) == len(named) - 1 and "errors" in named:
        named.remove("errors")
    return dict(zip(named, cells, strict=True)) if len(cells) == len(named) else {}


def _of_perf(lines: Sequence[str], file: str, problems: list[Problem]) -> list[Call]:
    """The rows of the tables of all threads; times in ms."""
    heads: list[str] = []
    found = []
    for at, line in enumerate(lines, 1):
        cells = line.split()
        if cells[:2] == ["syscall", "calls"]:
            heads = cells
        elif not cells:
            heads = heads if at < len(lines) and lines[at : at + 1] and lines[at].strip()[:1] in ("(", "-") else []
        elif heads and cells[0][0] not in "(-":
            count, total = (number(cells[heads.index(head)]) if len(cells) > heads.index(head) else None
                            for head in ("calls", "total"))  # fmt: skip
            if count is None or total is None:
                what = f"not a row of calls: {line.strip()[:60]}"
                problems.append(problem(what, file=file, line=at, allowed=ALLOWED))
            else:
                failed = number(cells[heads.index("errors")]) if "errors" in heads else None
                found.append(Call(cells[0], int(count), total / 1000, None if failed is None else int(failed)))
    return found
