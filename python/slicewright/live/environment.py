"""The machine that a live measurement was made on: kernel, clock, processors, and what else went on meanwhile."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from slicewright._core import live_tick_s
from slicewright.statistics import fixed

T = TypeVar("T")

BUSY_PERCENT = 3.0
"""Others' share of the measured processor from which it is reported: they are outweighed, but not stopped at once."""

STOLEN_PERCENT = 1.0

_FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")


@dataclass(frozen=True)
class Moment:
    """The counters of one processor at one moment: seconds since its start, by use.

    >>> Moment({"user": 3.0, "idle": 7.0}).busy_s
    3.0
    """

    seconds: Mapping[str, float]

    @property
    def busy_s(self) -> float:
        """Seconds that were neither idle nor stolen by a hypervisor."""
        return sum(value for name, value in self.seconds.items() if name not in ("idle", "iowait", "steal"))

    def since(self, before: Moment, own_s: float) -> Elsewhere:
        """Where the processor's time went since an earlier moment, of which `own_s` were the measured threads'.

        >>> Moment({"user": 3.0, "idle": 7.0}).since(Moment({"user": 1.0, "idle": 1.0}), 0.5)
        Elsewhere(passed_s=8.0, others_s=1.5, stolen_s=0.0)
        """
        stolen_s = self.seconds.get("steal", 0.0) - before.seconds.get("steal", 0.0)
        passed_s = sum(self.seconds.values()) - sum(before.seconds.values())
        return Elsewhere(passed_s, self.busy_s - before.busy_s - own_s, stolen_s)


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

    def percent(self, seconds: float) -> float:
        """Seconds as a percentage of all that passed; what the kernel's coarse counts make negative is nothing.

        >>> Elsewhere(8.0, 1.5, 0.0).percent(2.0)
        25.0
        """
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

    def warnings(self) -> list[str]:
        """The disturbances of a measurement."""
        found = list(self.around)
        if self.others_percent > BUSY_PERCENT:
            found.append(
                f"others took {fixed(self.others_percent, 1)} % of the measured processor: slices may begin late and "
                "be stretched"
            )
        if self.stolen_percent > STOLEN_PERCENT:
            found.append(f"a hypervisor took {fixed(self.stolen_percent, 1)} % of the measured processor away")
        return found

    def line(self) -> str:
        """The environment in one line.

        >>> Environment("6.18.0", "x86_64", "tsc", 4.0, 2, 1, 1).line()
        'Linux 6.18.0 x86_64, cpu controller version 1, processor 1 of 2 (0 to 1), clock tsc, tick 4 ms'
        """
        last = f" (0 to {self.processors - 1})" if self.processors > 1 else ""
        return (
            f"Linux {self.kernel} {self.machine}, cpu controller version {self.version}, "
            f"processor {self.processor} of {self.processors}{last}, clock {self.clock_source or 'unknown'}, "
            f"tick {self.tick_ms:.4g} ms"
        )

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> Environment:
        """Read back what `dataclasses.asdict` gave."""
        return Environment(**{**value, "around": tuple(value["around"])})


def moment(processor: int, proc: Path = Path("/proc")) -> Moment:
    """The counters of a processor now, to the machine's coarse ticks; empty without them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     moment(0, Path(folder)).seconds
    {}
    """
    ticks = os.sysconf("SC_CLK_TCK")
    seconds: dict[str, float] = {}
    for line in _text(proc / "stat").splitlines():
        words = line.split()
        if words[:1] == [f"cpu{processor}"]:
            seconds = {name: int(word) / ticks for name, word in zip(_FIELDS, words[1:], strict=False)}
    return Moment(seconds)


def processors_here() -> list[int]:
    """The processors that this process may use.

    >>> len(processors_here()) > 0
    True
    """
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]


def beside(processors: Sequence[int], work: Callable[[], T]) -> tuple[T, Elsewhere]:
    """The result of some work, and where the time of its processors went meanwhile.

    >>> beside([], lambda: 7)[0]
    7
    """
    before, times = [moment(processor) for processor in processors], os.times()
    result = work()
    after, passed = [moment(processor) for processor in processors], os.times()
    own_s = (passed.user + passed.system - times.user - times.system) / max(len(processors), 1)
    parts = [end.since(begin, own_s) for begin, end in zip(before, after, strict=True)]
    return result, Elsewhere.of(parts)


def load_average(proc: Path = Path("/proc")) -> float:
    """How many processes ran or wanted to, averaged over the last minute; 0 if unknown.

    >>> load_average(Path("/no/such"))
    0.0
    """
    load = _text(proc / "loadavg").split()
    return float(load[0]) if load else 0.0


def environment(
    processor: int, version: int, load_before: float, elsewhere: Elsewhere, around: tuple[str, ...] = ()
) -> Environment:
    """The surroundings of a measurement; `elsewhere` is the use of the processor beside it.

    `around` has limits of the groups around the measured one, as text.

    >>> environment(0, 1, 0.0, Elsewhere(10.0, 1.0, 0.0)).others_percent
    10.0
    """
    slice_us = _text(Path("/proc/sys/kernel/sched_cfs_bandwidth_slice_us")).strip()
    return Environment(
        kernel=platform.release(), machine=platform.machine(),
        clock_source=_text(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")).strip(),
        tick_ms=round(live_tick_s() * 1000, 6), processors=os.cpu_count() or 1, processor=processor, version=version,
        bandwidth_slice_ms=int(slice_us) / 1000 if slice_us.isdigit() else None,
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
        load_before=load_before, load_after=load_average(),
        others_percent=elsewhere.percent(elsewhere.others_s), stolen_percent=elsewhere.percent(elsewhere.stolen_s),
        around=around,
    )  # fmt: skip


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
