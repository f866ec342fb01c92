"""One disk over one interval, whichever tool of Linux measured it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNKNOWN_S = 1.0
"""ASSUME: length of an interval of iostat without timestamps; its rates and means do not depend on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """Rates per second, times in ms, means over an interval; None is not in the source.

    >>> disk = Disk(file="a.json", device="vda", io_per_s=2000.0, response_ms=2.0)
    >>> disk.in_flight
    4.0
    """

    file: str
    device: str
    job: str = ""
    """The job of fio that did the I/O."""
    interval: int = 0
    start_us: int = 0
    """Microseconds since 1970, local time; 0 is not known."""
    length_s: float = UNKNOWN_S
    io_per_s: float
    reads_per_s: float | None = None
    writes_per_s: float | None = None
    kib_per_s: float | None = None
    response_ms: float
    """From the request's arrival at the block layer (fio: from submission) to its end."""
    service_ms: float | None = None
    """From its issue to the device to its end; only btt separates it."""
    percentiles_ms: Mapping[int, float] = field(default_factory=dict)
    queue_depth: float | None = None
    """Requests in the block layer and in the device as the tool counts them (aqu-sz)."""
    depth: int | None = None
    """Requests that jobs of fio ask to have in flight (iodepth of each, added up)."""
    limits: tuple[str, ...] = ()
    """Options that keep jobs of fio from having `depth` requests in flight, each with what it does."""
    kind: str = ""
    """Reads or writes of jobs of fio, and their size; "" is not known."""
    since_boot: bool = False
    """Whether it is of the time since the boot, unless an option of the tool skips that: no interval of a load."""
    requests: float | None = None
    """Requests that were counted; None where the tool does not count them."""
    service_within: float = 0.0
    """Share by which the service may miss the true mean."""

    @property
    def in_flight(self) -> float:
        """Mean number of requests present: as counted, or by Little's law."""
        return self.queue_depth if self.queue_depth is not None else self.io_per_s * self.response_ms / 1000

    @property
    def waiting(self) -> float | None:
        """Mean number of requests not yet issued to the device; None where the tool does not separate them."""
        if self.service_ms is None:
            return None
        return self.io_per_s * max(0.0, self.response_ms - self.service_ms) / 1000


@dataclass(frozen=True, slots=True)
class Disks:
    """The disks of one file, in its order, and what its reader dropped or assumed, a sentence each."""

    disks: tuple[Disk, ...]
    notes: tuple[str, ...] = ()
