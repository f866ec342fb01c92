"""The laws that a report has to obey: service is the sum of its parts, no exposure is busier than always, and so on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from slicewright.advise.aliases.evidence import MEASURED, Device, PoolReport, Volume
from slicewright.statistics import fixed

OTHER_SERVICE = 0.1
"""ASSUME: the share by which the I/O of aliases may take less time than the I/O of the pool on average."""


@dataclass(frozen=True, slots=True)
class Law:
    """One law against one report: in how many rows it holds; `impossible` when no system can have printed this.

    >>> Law("service", "Serv = P+D+C", 8, 8).text
    'Serv = P+D+C in 8 of 8'
    """

    name: str
    statement: str
    held: int
    rows: int
    impossible: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether no row breaks it."""
        return self.held == self.rows

    @property
    def text(self) -> str:
        """The law and its count, as printed."""
        return f"{self.statement} in {self.held} of {self.rows}"


def check_laws(pool: PoolReport) -> list[Law]:
    """All laws against one report, each with what the rounding of the printed numbers allows.

    Service = pend + disc + conn; utilisation law: rate x service <= 1 for each exposure; toolkit: Resp = Serv + 1000
    Qued / rate of that device (its known error where aliases exist; z/VM HyperPAV Support, Abstract).

    >>> from slicewright.advise.aliases.example import report
    >>> [law.text for law in check_laws(report("Y032180H"))][:2]
    ['Serv = P+D+C in 8 of 8', 'rate x Serv <= 1 in 8 of 8']
    """
    if not pool.is_device:
        return _rmf_laws(pool)
    rows = pool.exposures
    busy = [row for row in rows if row.io_per_s > 0]
    over = tuple(
        f"{row.device}: {fixed(row.io_per_s, 0)}/s x {fixed(row.service_ms, 1)} ms = "
        f"{fixed(100 * row.in_service, 0)} % busy"
        for row in busy
        if _least_busy(row) > 1
    )
    return [
        Law("service", "Serv = P+D+C", sum(map(_adds_up, rows)), len(rows)),
        Law("utilisation", "rate x Serv <= 1", len(busy) - len(over), len(busy), over),
        Law("toolkit", "Resp = Serv + 1000 Qued / rate", sum(map(_as_printed, busy)), len(busy)),
    ]


def _rmf_laws(pool: PoolReport) -> list[Law]:
    """The laws against data that adds up the I/O of a volume: no volume has more in service than exposures."""
    lent, over = len(pool.aliases), []
    for volume in pool.volumes:
        most = 1 + len(volume.bound) + lent
        if volume.in_service > most * (1 + volume.base.service_rounding / volume.base.service_ms):
            over.append(f"{volume.base.device}: {fixed(volume.in_service, 1)} in service on {most} exposures")
    over += [] if over else _over_aliases(pool)
    laws = [
        Law("utilisation", "in service <= exposures", len(pool.volumes) - len(over), len(pool.volumes), tuple(over))
    ]
    if pool.source == MEASURED:  # its responses are made of the other numbers
        return laws
    held = sum(map(_sums_up, pool.volumes))
    return [Law("response", "RESP = IOSQ + PEND + DISC + CONN", held, len(pool.volumes)), *laws]


def _over_aliases(pool: PoolReport) -> list[str]:
    """Why a pool has fewer aliases than are in use: a base carries one I/O, so the others in service are on aliases.

    Where the records give the I/O of aliases, that rate times the service time is in use. Aliases may be faster than
    the mean by `OTHER_SERVICE`.
    """
    present = len(pool.aliases)
    least = [(volume, volume.base.service_rounding / volume.base.service_ms) for volume in pool.volumes]
    beyond = sum(max(0.0, volume.in_service * (1 - slack) - 1 - len(volume.bound)) for volume, slack in least)
    lent = pool.tries.lent_per_s if pool.tries else None
    used = max(beyond, (1 - OTHER_SERVICE) * (lent or 0.0) * pool.service_ms / 1000)
    if pool.kind != "HyperPAV" or used <= present * 1.01:
        return []
    return [f"{pool.name}: {fixed(used, 1)} I/Os are in service beyond the bases, and there are {present} aliases"]


def _sums_up(volume: Volume) -> bool:
    """Whether the response of a volume is its waiting and its service."""
    waited = 1000 * volume.base.queue_depth / volume.io_per_s
    slack = volume.base.response_rounding + volume.base.service_rounding + 0.001
    return abs(volume.base.response_ms - volume.base.service_ms - waited) <= slack


def little(pool: PoolReport) -> str:
    """Little's law over the pool: what waits and what is in service make the requests in the control program.

    Gives "14.4 waiting + 7.6 in service = 22.0 requests".

    >>> from slicewright.advise.aliases.example import report
    >>> little(report("Y032180H"))
    '14.4 waiting + 7.6 in service = 22.0'
    """
    waiting, served = pool.queue_depth, pool.in_service
    return f"{fixed(waiting, 1)} waiting + {fixed(served, 1)} in service = {fixed(waiting + served, 1)}"


def _adds_up(row: Device) -> bool:
    return (
        abs(row.service_ms - row.pend_ms - row.disc_ms - row.conn_ms) <= row.part_rounding + row.service_rounding + 1e-9
    )


def _least_busy(row: Device) -> float:
    return (row.io_per_s - row.io_rounding) * (row.service_ms - row.service_rounding) / 1000


def _as_printed(row: Device) -> bool:
    slack = row.service_rounding + row.response_rounding + 1e-9
    low = 1000 * (row.queue_depth - row.queue_rounding) / (row.io_per_s + row.io_rounding)
    high = 1000 * (row.queue_depth + row.queue_rounding) / max(row.io_per_s - row.io_rounding, math.ulp(1))
    waited = row.response_ms - row.service_ms
    return low - slack <= waited <= high + slack
