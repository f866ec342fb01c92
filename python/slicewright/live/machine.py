"""The machine that a live measurement was made on: kernel, clock, processors, and what else went on meanwhile."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from slicewright._core import live_tick_s
from slicewright.results.judge import LIVE
from slicewright.statistics import fixed
from slicewright.values.errors import Problem, problem, refusal

T = TypeVar("T")

_STOLEN_PERCENT = 1.0

_FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")


@dataclass(frozen=True)
class Elsewhere:
    """Seconds of a processor while threads were measured on it: all, what others had, what a hypervisor took away.

    >>> Elsewhere.of([Elsewhere(8.0, 1.5, 0.0), Elsewhere(2.0, 0.5, 1.0)])
    Elsewhere(passed_s=10.0, others_s=2.0, stolen_s=1.0)
    """

    passed_s: float = 0.0
    others_s: float = 0.0
    stolen_s: float = 0.0

    @staticmethod
    def of(parts: Sequence[Elsewhere]) -> Elsewhere:
        """All of several measurements."""
        sums = (sum(getattr(part, name) for part in parts) for name in ("passed_s", "others_s", "stolen_s"))
        return Elsewhere(*sums)

    @property
    def others_percent(self) -> float:
        """The share of others in all that passed; the kernel's coarse counts may make it negative."""
        return self._percent(self.others_s)

    @property
    def stolen_percent(self) -> float:
        """The share that a hypervisor took away, as a percentage."""
        return self._percent(self.stolen_s)

    def _percent(self, seconds: float) -> float:
        return max(0.0, 100 * seconds / self.passed_s) if self.passed_s > 0 else 0.0


@dataclass(frozen=True)
class Environment:
    """Where and when something was measured, and what disturbed it.

    >>> Environment(others_percent=40.0).warnings()
    ['others took 40.0 % of the measured processor: slices may begin late and be stretched']
    """

    kernel: str = ""
    machine: str = ""
    clock_source: str = ""
    tick_ms: float = 0.0
    processors: int = 0
    processor: int = 0
    version: int = 0
    bandwidth_slice_ms: float | None = None
    measured: str = ""
    load_before: float = 0.0
    load_after: float = 0.0
    others_percent: float = 0.0
    stolen_percent: float = 0.0
    around: tuple[str, ...] = field(default=())

    def warnings(self, busy: str = "slices may begin late and be stretched") -> list[str]:
        """The disturbances of a measurement; `busy` is what other work on the processor does to it."""
        found = list(self.around)
        if self.others_percent > LIVE.busy_percent:
            found.append(f"others took {fixed(self.others_percent, 1)} % of the measured processor: {busy}")
        if self.stolen_percent > _STOLEN_PERCENT:
            found.append(f"a hypervisor took {fixed(self.stolen_percent, 1)} % of the measured processor away")
        return found

    @property
    def linux(self) -> str:
        """The kernel, and the machine's architecture."""
        return f"Linux {self.kernel} {self.machine}"

    @property
    def where(self) -> str:
        """The measured processor, and the clock.

        >>> Environment("6.18.0", "x86_64", "tsc", 4.0, 2, 1, 1).where
        'processor 1 of 2 (0 to 1), clock tsc'
        """
        last = f" (0 to {self.processors - 1})" if self.processors > 1 else ""
        clock = self.clock_source or "unknown"
        return f"processor {self.processor} of {self.processors}{last}, clock {clock}"

    def line(self) -> str:
        """The environment in one line."""
        controller = f"cpu controller version {self.version}"
        return f"{self.linux}, {controller}, {self.where}, tick {self.tick_ms:.4g} ms"


@dataclass(frozen=True)
class Moment:
    """The counters of one processor at one moment, to the machine's coarse ticks: seconds since its start, by use."""

    seconds: Mapping[str, float]

    @staticmethod
    def of(processor: int, proc: Path = Path("/proc")) -> Moment:
        """The counters now; empty where the kernel does not show them."""
        ticks = os.sysconf("SC_CLK_TCK")
        lines = [line.split() for line in text_of(proc / "stat").splitlines()]
        own = next((words[1:] for words in lines if words[:1] == [f"cpu{processor}"]), [])
        return Moment({name: int(word) / ticks for name, word in zip(_FIELDS, own, strict=False)})

    def since(self, before: Moment, own_s: float) -> Elsewhere:
        """Where the processor's time went since an earlier moment, of which `own_s` were the measured threads'.

        >>> Moment({"user": 3.0, "idle": 7.0}).since(Moment({"user": 1.0, "idle": 1.0}), 0.5)
        Elsewhere(passed_s=8.0, others_s=1.5, stolen_s=0.0)
        """
        passed = {name: value - before.seconds.get(name, 0.0) for name, value in self.seconds.items()}
        busy_s = sum(value for name, value in passed.items() if name not in ("idle", "iowait", "steal"))
        return Elsewhere(sum(passed.values()), busy_s - own_s, passed.get("steal", 0.0))


def processors_here() -> list[int]:
    """The processors that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]


def last_processors(count: int = 1) -> tuple[int, ...]:
    """The last processors that this process may use, this many: the first one has most interrupts.

    Raises InputError where there are fewer.
    """
    mine = processors_here()
    if not 1 <= count <= len(mine):
        what = f"{count} processors where this process may use {len(mine)}"
        raise refusal(problem(what, key="processors", allowed=f"1 to {len(mine)}"))
    return tuple(mine[-count:])


def processor_problems(processor: int) -> list[Problem]:
    """What is wrong with measuring on a processor: nothing, or that this process may not use it."""
    mine = processors_here()
    if processor in mine or not hasattr(os, "sched_getaffinity"):
        return []
    allowed = ", ".join(map(str, mine))
    return [problem(f"this process may not use processor {processor}", key="processor", allowed=allowed)]


def beside(processors: Sequence[int], work: Callable[[], T]) -> tuple[T, Elsewhere]:
    """The result of some work, and where the time of its processors went meanwhile."""
    before, times = [Moment.of(processor) for processor in processors], os.times()
    result = work()
    after, passed = [Moment.of(processor) for processor in processors], os.times()
    own_s = (passed.user + passed.system - times.user - times.system) / max(len(processors), 1)
    parts = [end.since(begin, own_s) for begin, end in zip(before, after, strict=True)]
    return result, Elsewhere.of(parts)


def load_average(proc: Path = Path("/proc")) -> float:
    """How many processes ran or wanted to, averaged over the last minute; 0 if unknown."""
    load = text_of(proc / "loadavg").split()
    return float(load[0]) if load else 0.0


def environment(
    processor: int, version: int, load_before: float, elsewhere: Elsewhere, around: tuple[str, ...] = ()
) -> Environment:
    """The surroundings of a measurement; `elsewhere` is the use of the processor beside it.

    `around` has limits of the groups around the measured one, as text.
    """
    slice_us = text_of(Path("/proc/sys/kernel/sched_cfs_bandwidth_slice_us")).strip()
    return Environment(
        kernel=platform.release(), machine=platform.machine(),
        clock_source=text_of(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")).strip(),
        tick_ms=round(live_tick_s() * 1000, 6), processors=os.cpu_count() or 1, processor=processor, version=version,
        bandwidth_slice_ms=int(slice_us) / 1000 if slice_us.isdigit() else None,
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
        load_before=load_before, load_after=load_average(),
        others_percent=elsewhere.others_percent, stolen_percent=elsewhere.stolen_percent,
        around=around,
    )  # fmt: skip


def text_of(file: Path, errors: str = "replace") -> str:
    """The text of a file of the system; empty where there is none, or it may not be read."""
    try:
        return file.read_text(encoding="utf-8", errors=errors)
    except OSError:
        return ""


def number_after(file: Path, begin: str) -> int | None:
    """The whole number at the end of the first line of a system's file that begins so; None where there is none."""
    found = re.search(rf"^{begin}\s*([0-9]+)\s*$", text_of(file), re.MULTILINE)
    return int(found[1]) if found else None
