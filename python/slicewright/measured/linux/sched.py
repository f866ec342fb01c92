"""Waits for a processor as Linux counts them: `perf sched latency`, copies of /proc/PID/schedstat or /proc/schedstat.

Formats: perf-sched(1), whose heading "Switches" is "Count" from Linux 6.4 on; Documentation/scheduler/sched-stats.rst
of Linux, versions 15 to 17.  Fields 7 to 9 of a line `cpuN`, and the three of a process, are ns on a processor, ns
waiting for one, and dispatches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slicewright.measured.linux.text import LARGEST, decoded
from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check

ALLOWED = (
    "the output of perf sched latency; or, twice or more often, `date +'time %s.%N'` and then "
    "`grep -sH . /proc/[0-9]*/task/[0-9]*/schedstat` or `cat /proc/schedstat`"
)
VERSIONS = (15, 16, 17)
MOST_ROWS = 1_000_000
_PERF = re.compile(rb"^ *Task +\| +Runtime ms +\| +(?:Switches|Count) +\| +(?:Avg|Average) delay ms", re.MULTILINE)
_COPIES = re.compile(
    rb"^(?:version [0-9]+[ \t\r]*\ntimestamp [0-9]+|/proc/[0-9]+/(?:task/[0-9]+/)?schedstat:[0-9]+ )", re.MULTILINE
)
_ROW = re.compile(
    r" *(?P<name>\S.*?):(?P<task>[0-9]+|\([0-9]+\)) *\| *(?P<on>[0-9.]+) ms \| *(?P<runs>[0-9]+) \| "
    r"avg: *(?P<mean>[0-9.]+) ms \| max: *(?P<longest>[0-9.]+) ms \|.*"
)
_PROCESS = re.compile(r"/proc/(?P<name>[0-9]+(?:/task/[0-9]+)?)/schedstat:(?P<values>[0-9]+ [0-9]+ [0-9]+)")
_TIME = re.compile(r"time ([0-9]{1,12}(?:\.[0-9]{1,9})?)")
_TIMESTAMP = re.compile(r"timestamp ([0-9]{1,20})")


@dataclass(frozen=True, slots=True)
class Task:
    """A task, a process or a processor: dispatches, seconds on a processor and waiting for one, the longest wait."""

    name: str
    runs: int
    on_s: float
    waiting_s: float
    longest_ms: float | None = None

    @property
    def mean_wait_ms(self) -> float:
        """Of each dispatch."""
        return 1000 * self.waiting_s / self.runs if self.runs else 0.0

    @property
    def mean_run_ms(self) -> float:
        """Time on a processor for each dispatch."""
        return 1000 * self.on_s / self.runs if self.runs else 0.0


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of one file, most waiting first; `length_s` and `processors` are None where the tool does not say.

    `jiffies` is the length where the file has it in these alone: timestamps of /proc/schedstat.
    """

    file: str
    kind: str
    tasks: tuple[Task, ...]
    length_s: float | None = None
    jiffies: int | None = None
    processors: int | None = None
    notes: tuple[str, ...] = ()


def is_sched(data: bytes) -> bool:
    """Whether a file counts waits for a processor.

    >>> is_sched(b"time 1.0\\n/proc/1/schedstat:1 2 3\\n"), is_sched(b"FCX108")
    (True, False)
    """
    head = data[: 1 << 16]
    return b"\0" not in head and (_PERF.search(head) is not None or _COPIES.search(head) is not None)


def read_sched(data: bytes, file: str) -> Tasks:
    """The tasks of a file; raises InputError with every problem.

    >>> text = b"time 10\\n/proc/1/schedstat:0 0 0\\ntime 12\\n/proc/1/schedstat:1000000000 500000000 10\\n"
    >>> read_sched(text, "a.txt").tasks
    (Task(name='1', runs=10, on_s=1.0, waiting_s=0.5, longest_ms=None),)
    """
    lines = decoded(data, file, ALLOWED).splitlines()
    if len(lines) > MOST_ROWS:
        raise refusal(problem(f"{len(lines):,} lines", file=file, allowed=f"at most {MOST_ROWS:,}"))
    problems: list[Problem] = []
    found = _of_perf(lines, file, problems) if _PERF.search(data) else _of_copies(lines, file, problems)
    check(*problems)
    if not any(task.runs for task in found.tasks):
        raise refusal(problem("nothing was dispatched", file=file, allowed=ALLOWED))
    return found


def _of_perf(lines: Sequence[str], file: str, problems: list[Problem]) -> Tasks:
    found: list[Task] = []
    bad: list[str] = []
    begun = ended = False
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("TOTAL:"):
            ended = True
        elif text.startswith("INFO: "):
            bad.append(f"{file}: perf reports {text.removeprefix('INFO: ')[:120]}")
        elif text.startswith("Task "):
            begun = True
        elif not begun or ended or not text or set(text) <= {"-", "|"}:
            continue
        elif match := _ROW.fullmatch(line):
            values = [_value(match[name]) for name in ("on", "runs", "mean", "longest")]
            if any(value is None for value in values):
                problems.append(problem(f"not a number in: {text[:60]}", file=file, line=at, allowed=ALLOWED))
                continue
            on, runs, mean, longest = (value or 0.0 for value in values)
            name = f"{match['name']}:{match['task']}"[:80]
            found.append(Task(name, int(runs), on / 1000, mean * runs / 1000, longest))
        else:
            problems.append(problem(f"not a row of a task: {text[:60]}", file=file, line=at, allowed=ALLOWED))
    if not ended and not problems:
        problems.append(
            problem("has no line of the total", file=file, line=len(lines), why="the file is cut", allowed=ALLOWED)
        )
    notes = (f"{file}: means are printed in us, so short waits that are many are rounded", *bad)
    return Tasks(file, "perf sched latency", _sorted(found), notes=notes)


def _value(text: str) -> float | None:
    """A number of a row; None where it is none, or beyond every time."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= LARGEST else None


_Copy = Mapping[str, tuple[int, int, int]]


def _of_copies(lines: Sequence[str], file: str, problems: list[Problem]) -> Tasks:
    copies: list[tuple[float, dict[str, tuple[int, int, int]]]] = []
    timed = any(_TIME.fullmatch(line.strip()) for line in lines)
    begins = _TIME if timed else _TIMESTAMP
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if match := begins.fullmatch(text):
            copies.append((float(match[1]), {}))
            continue
        row = _counted(text, (file, at, problems))
        if row is None:
            continue
        if not copies:
            why = "the time between two copies is not known"
            problems.append(problem("no `time` before the first copy", file=file, line=at, why=why, allowed=ALLOWED))
            break
        copies[-1][1][row[0]] = row[1]
    copies = [(at_s, _each_once(copy)) for at_s, copy in copies if copy]
    if len(copies) < 2:
        if not problems:
            why = "counters begin with each task; what happened is the difference of two copies"
            problems.append(problem("fewer than two copies", file=file, why=why, allowed=ALLOWED))
        return Tasks(file, "schedstat", ())
    times = [at_s for at_s, _ in copies]
    if times != sorted(set(times)):
        problems.append(problem("copies are not in the order of time", file=file, allowed=ALLOWED))
        return Tasks(file, "schedstat", ())
    tasks, notes = _grown([copy for _, copy in copies], file)
    processors = sum(task.name.startswith("cpu") for task in tasks) or None
    kind = "/proc/schedstat" if processors else "/proc/PID/schedstat"
    length = times[-1] - times[0]
    return Tasks(
        file, kind, _sorted(tasks), length if timed else None, None if timed else round(length), processors, notes
    )


def _each_once(copy: dict[str, tuple[int, int, int]]) -> dict[str, tuple[int, int, int]]:
    """A copy without the first threads a second time: /proc/PID has what /proc/PID/task/PID has."""
    threads = {name for name in copy if "/" in name}
    return {name: values for name, values in copy.items() if f"{name}/task/{name}" not in threads}


def _counted(text: str, place: tuple[str, int, list[Problem]]) -> tuple[str, tuple[int, int, int]] | None:
    """The counters of a line, by name; None for a line that has none."""
    file, at, problems = place
    if match := _PROCESS.fullmatch(text):
        name, words = match["name"], match["values"].split()
    elif re.match(r"cpu[0-9]{1,5} ", text):
        name, *words = text.split()
        if len(words) != 9:
            problems.append(
                problem(
                    f"{plural(len(words), 'number')} of {name}", file=file, line=at, allowed="9 (versions 15 to 17)"
                )
            )
            return None
        words = words[6:]
    else:
        version = re.fullmatch(r"version ([0-9]{1,4})", text)
        if version and int(version[1]) not in VERSIONS:
            allowed = ", ".join(map(str, VERSIONS))
            problems.append(problem(f"version {version[1]} of schedstat", file=file, line=at, allowed=allowed))
        elif text and not version and not re.match(r"timestamp [0-9]+$|domain[0-9]+ ", text):
            problems.append(problem(f"not a line of schedstat: {text[:40]}", file=file, line=at, allowed=ALLOWED))
        return None
    if not all(word.isascii() and word.isdigit() and len(word) <= 20 for word in words):
        problems.append(problem(f"not a count in: {text[:60]}", file=file, line=at, allowed="whole numbers"))
        return None
    on, waiting, runs = map(int, words)
    return name, (on, waiting, runs)


def _grown(copies: Sequence[_Copy], file: str) -> tuple[list[Task], tuple[str, ...]]:
    """The counts between the first and the last copy that a task is in."""
    found, short = [], 0
    for name in dict.fromkeys(name for copy in copies for name in copy):
        own = [copy[name] for copy in copies if name in copy]
        on, waiting, runs = (last - first for first, last in zip(own[0], own[-1], strict=True))
        if len(own) < 2 or min(on, waiting, runs) < 0:
            short += 1
            continue
        found.append(Task(name, runs, on / 1e9, waiting / 1e9))
    left = f"{file}: {plural(short, 'task')} in one copy alone, or of a number that was used again, not counted"
    return found, (left,) if short else ()


def _sorted(tasks: Sequence[Task]) -> tuple[Task, ...]:
    return tuple(sorted(tasks, key=lambda task: (-task.waiting_s, -task.on_s, task.name)))
