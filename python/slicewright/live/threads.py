"""Threads of one measurement as data: the input of a worker process, and its output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from slicewright.live.environment import Elsewhere

NOWHERE = Elsewhere()

Case = Literal["uniform", "locked"]
"""When a wait starts: at an instant drawn uniformly over the own slice, or after the last one was seen to be over."""


@dataclass(frozen=True)
class Waiter:
    """A thread that waits `wait_ns` on a timer, or for a read of `read_bytes` where that is not 0.

    It starts at instants drawn over `start_ns` (uniform), or after `start_ns` of processor time of its own (locked).

    >>> Waiter("uniform", 60_000_000, 18_000_000).read_bytes
    0
    """

    case: Case
    start_ns: int
    wait_ns: int
    read_bytes: int = 0


@dataclass(frozen=True)
class Threads:
    """The threads of one worker: processor, length, burner and waiters; `file` is the file that is read.

    >>> Threads(0, 1_000_000_000, True, (Waiter("locked", 0, 18_000_000),)).seed
    1
    """

    processor: int
    length_ns: int
    burner: bool
    waiters: tuple[Waiter, ...]
    seed: int = 1
    file: str = ""

    def as_json(self) -> dict[str, Any]:
        """The same as what JSON can carry.

        >>> Threads.of_json(Threads(0, 10, True, (Waiter("locked", 0, 18),)).as_json()).waiters[0].wait_ns
        18
        """
        return asdict(self)

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> Threads:
        """Read back what `as_json` gave."""
        return Threads(**{**value, "waiters": tuple(Waiter(**waiter) for waiter in value["waiters"])})


@dataclass(frozen=True)
class Wait:
    """One wait in ms since the measurement began: when work before it began, it started, was over, and was seen to be.

    `due_ms` is None for a read, whose end is known only when it is seen.

    >>> Wait(0.0, 1.0, 19.0, 31.5).late_ms
    12.5
    """

    began_ms: float
    started_ms: float
    due_ms: float | None
    seen_ms: float

    @property
    def late_ms(self) -> float:
        """How long after it was over the wait was seen to be; of a read, how long it took altogether."""
        return self.seen_ms - (self.started_ms if self.due_ms is None else self.due_ms)


@dataclass(frozen=True)
class Saw:
    """What a worker's threads saw: the waits of each waiter, stretches without a burner, cpu.stat, processor seconds.

    >>> said = {"waiters": [], "gaps_ns": [[1000000, 3500000]], "stat": {}, "cpu_s": 0.1, "elsewhere": {}}
    >>> Saw.of_json(said, 1.0).gaps_ms
    [(1.0, 3.5)]
    """

    waits: list[list[Wait]]
    missed: int
    gaps_ms: list[tuple[float, float]]
    stat: Mapping[str, int]
    cpu_s: float
    length_s: float
    elsewhere: Elsewhere = NOWHERE

    @staticmethod
    def of_json(value: Mapping[str, Any], length_s: float) -> Saw:
        """The output of a worker, in ms."""
        return Saw(
            waits=[_waits(waiter) for waiter in value["waiters"]],
            missed=sum(waiter["missed"] for waiter in value["waiters"]),
            gaps_ms=[(begin / 1e6, end / 1e6) for begin, end in value["gaps_ns"]],
            stat=value["stat"], cpu_s=value["cpu_s"], length_s=length_s, elsewhere=Elsewhere(**value["elsewhere"]),
        )  # fmt: skip


def _waits(one: Mapping[str, Sequence[Any]]) -> list[Wait]:
    columns = (one[name] for name in ("began_ns", "started_ns", "due_ns", "seen_ns"))
    return [
        Wait(began / 1e6, started / 1e6, None if due is None else due / 1e6, seen / 1e6)
        for began, started, due, seen in zip(*columns, strict=True)
    ]
