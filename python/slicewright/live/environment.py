"""The machine that a live measurement was made on: kernel, clock, processors, and what else went on meanwhile.

It leaves out its name and who used it.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slicewright._core import live_tick_s
from slicewright.statistics import fixed

BUSY_PERCENT = 3.0
"""More of the measured processor than this is told: the group outweighs others, but who runs is not stopped at once."""

STOLEN_PERCENT = 1.0

_FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")


@dataclass(frozen=True)
class Moment:
    """What the machine says of one processor at one moment: seconds since it was started by what they went to.

    >>> Moment({"user": 3.0, "idle": 7.0}, 0.5).busy_s
    3.0
    """

    seconds: Mapping[str, float]
    load: float

    @property
    def busy_s(self) -> float:
        """Seconds that were neither idle nor stolen by a hypervisor."""
        return sum(value for name, value in self.seconds.items() if name not in ("idle", "iowait", "steal"))


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
        """What was not as a measurement needs it."""
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
    """What the machine says of a processor now; empty where it says nothing.

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
    load = _text(proc / "loadavg").split()
    return Moment(seconds, float(load[0]) if load else 0.0)


def environment(
    processor: int, version: int, times: tuple[Moment, Moment, float], around: tuple[str, ...] = ()
) -> Environment:
    """What was so while something was measured; `times`: before, after, and the seconds that the measured took.

    `around` has limits of the groups around the measured one, as text.

    >>> now = moment(0)
    >>> environment(0, 1, (now, now, 0.0)).others_percent
    0.0
    """
    before, after, own_s = times
    passed = sum(after.seconds.values()) - sum(before.seconds.values())
    others = after.busy_s - before.busy_s - own_s
    stolen = after.seconds.get("steal", 0.0) - before.seconds.get("steal", 0.0)
    slice_us = _text(Path("/proc/sys/kernel/sched_cfs_bandwidth_slice_us")).strip()
    return Environment(
        kernel=platform.release(), machine=platform.machine(),
        clock_source=_text(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")).strip(),
        tick_ms=round(live_tick_s() * 1000, 6), processors=os.cpu_count() or 1, processor=processor, version=version,
        bandwidth_slice_ms=int(slice_us) / 1000 if slice_us.isdigit() else None,
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
        load_before=before.load, load_after=after.load,
        others_percent=max(0.0, 100 * others / passed) if passed > 0 else 0.0,
        stolen_percent=max(0.0, 100 * stolen / passed) if passed > 0 else 0.0,
        around=around,
    )  # fmt: skip


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
