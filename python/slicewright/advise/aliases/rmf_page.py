"""Pools as RMF DIRECT ACCESS DEVICE ACTIVITY shows them: volumes by logical control unit, queues from IOSQ, PAV counts.

Queue = rate x IOSQ (Little's law).  PAV is the number of exposures of a volume: the base and its aliases.  `H` beside
it marks a HyperPAV volume, which borrows aliases of its logical control unit (LCU); their number is not on the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from slicewright._core import DirectAccessReport
from slicewright.advise.aliases.evidence import Device, PoolReport, Volume
from slicewright.advise.aliases.request import AliasRequest, Span
from slicewright.errors import Problem, problem, refusal
from slicewright.statistics import plural

PAGE = "RMF DIRECT ACCESS DEVICE ACTIVITY"
MOST_EXPOSURES = 256
"""Devices of a logical control unit."""


@dataclass(frozen=True, slots=True)
class Row:
    """A volume of the page: its device with all its I/O, its exposures, whether they are HyperPAV, and its LCU."""

    device: Device
    exposures: int
    lends: bool
    lcu: str


def read_rmf_pools(data: bytes, file: str, question: AliasRequest) -> list[PoolReport]:
    """The pools of a page; raises InputError where it cannot be read, or does not say how many aliases a pool has.

    A volume with static aliases is a pool of its own.  Other volumes of one LCU are one pool: those of HyperPAV with
    the aliases that `--aliases` gives, the rest without any.
    """
    page = DirectAccessReport.read(data, file)
    rows = _rows(page, file)
    head: dict[str, Any] = {
        "file": file,
        "run": "",
        "started": page.started,
        "interval_s": page.interval_s,
        "page": PAGE,
        "source": "an RMF page",
    }
    head["skipped"] = sum(line["why"] == "not a disk" for line in page.skipped)
    named = [span for spans in question.pools for span in spans]
    shown = [row for row in rows if not named or any(row.device.device in span for span in named)]
    busy = [row for row in shown if row.device.io_per_s > 0]
    if not busy:
        allowed = "a page on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=file, allowed=allowed))
    problems = [*_missing(busy, question.aliases, file), *_unknown(rows, question.aliases, file)]
    if problems:
        raise refusal(*problems)
    statics = [row for row in busy if row.exposures > 1 and not row.lends]
    pools = [
        PoolReport(**head, kind="classic PAV", volumes=(_static(row),), aliases=(), membership="") for row in statics
    ]
    for lcu, members in _groups([row for row in busy if row not in statics], question.pools).items():
        idle = sum(row.device.io_per_s == 0 and _key(row) == lcu for row in shown)
        pools.append(_pool(members, question.aliases, {**head, "idle": idle}))
    return pools


def _rows(page: DirectAccessReport, file: str) -> list[Row]:
    fields, table = page.fields(), page.volumes()
    if not any("PAV" in field for field in fields):
        why = "without the number of exposures of each volume its aliases are unknown"
        allowed = "an RMF page of z/OS with PAV and LCU; for partitions that share in slices: advise slices FILE"
        raise refusal(problem("the page has no column PAV", file=file, key="PAV", why=why, allowed=allowed))
    queue = "queue_depth" if page.level == "current" else "queue_depth_sampled"
    found = []
    for at, field in enumerate(fields):
        row = {column: values[at] for column, values in table.items()}
        count = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]*)?)(H?)", field.get("PAV", "") or "1", re.IGNORECASE)
        if count is None or not 1 <= float(count[1]) <= MOST_EXPOSURES:
            what = f"not a number of exposures: {field['PAV']}"
            raise refusal(problem(what, file=file, key=f"{field['DEV NUM']} PAV", allowed="4, or 1.0H"))
        device = _device(row, field, queue)
        found.append(Row(device, max(1, round(float(count[1]))), bool(count[2]), field.get("LCU", "").upper()))
    return found


def _device(row: Mapping[str, Any], field: Mapping[str, str], queue: str) -> Device:
    def of(name: str) -> float:
        return float(row[name] or 0.0)

    number = row["device"].upper()
    parts = sum(of(f"{name}_ms_rounding") for name in ("pend", "disc", "conn"))
    return Device(
        device=number[1:] if len(number) == 5 and number[0] == "0" else number,
        type=field.get("DEVICE TYPE", ""), label=row["volume"], base="",
        io_per_s=of("io_per_s"), io_rounding=of("io_per_s_rounding"),
        pend_ms=of("pend_ms"), disc_ms=of("disc_ms"), conn_ms=of("conn_ms"), part_rounding=parts,
        service_ms=of("service_ms"), service_rounding=parts,
        response_ms=of("response_ms"), response_rounding=of("response_ms_rounding"),
        queue_depth=of(queue), queue_rounding=of(f"{queue}_rounding"),
    )  # fmt: skip


def _static(row: Row) -> Volume:
    """A volume with aliases of its own: the page adds up their I/O, which is divided evenly among them."""
    count = row.exposures
    each = replace(row.device, io_per_s=row.device.io_per_s / count, io_rounding=row.device.io_rounding / count)
    bound = [
        replace(each, device=f"{each.device}+{at}", base=each.device, queue_depth=0.0, queue_rounding=0.0)
        for at in range(1, count)
    ]
    return Volume(each, tuple(bound))


def _groups(rows: Sequence[Row], named: Sequence[tuple[Span, ...]]) -> dict[tuple[str, bool, int], list[Row]]:
    """Volumes that share aliases, in the order of the page: of one LCU and kind, and of one range that is named."""
    groups: dict[tuple[str, bool, int], list[Row]] = {}
    for row in rows:
        spans = [at for at, range_ in enumerate(named) if any(row.device.device in span for span in range_)]
        lcu, lends, _ = _key(row)
        groups.setdefault((lcu, lends, spans[0] if spans else 0), []).append(row)
    return groups


def _key(row: Row) -> tuple[str, bool, int]:
    """The LCU and the kind; without an LCU each volume is by itself."""
    return row.lcu or row.device.device, row.lends, 0


def _pool(rows: Sequence[Row], given: Mapping[str, int], head: dict[str, Any]) -> PoolReport:
    first = rows[0]
    count = given.get(first.lcu, given.get("", 0)) if first.lends else 0
    none = replace(
        first.device, label="", io_per_s=0.0, io_rounding=0.0, pend_ms=0.0, disc_ms=0.0, conn_ms=0.0, service_ms=0.0,
        response_ms=0.0, queue_depth=0.0, queue_rounding=0.0,
    )  # fmt: skip
    aliases = tuple(replace(none, device=f"{first.lcu or first.device.device}+{at}") for at in range(1, count + 1))
    told = f"LCU {first.lcu}" if first.lcu and len(rows) > 1 else ""
    volumes = tuple(Volume(row.device) for row in rows)
    return PoolReport(**head, kind="HyperPAV", volumes=volumes, aliases=aliases, membership=told)


def _missing(busy: Sequence[Row], given: Mapping[str, int], file: str) -> list[Problem]:
    """A problem for each LCU whose number of HyperPAV aliases is on no page."""
    lending: dict[str, int] = {}
    for row in busy:
        if row.lends and row.lcu not in given and "" not in given:
            lending[row.lcu] = lending.get(row.lcu, 0) + 1
    why = "PAV with H is a mean over the interval; the page does not give the aliases of the LCU"
    return [
        problem(
            f"the number of HyperPAV aliases is missing for {plural(count, 'volume')}", file=file, key=f"LCU {lcu}",
            why=why, allowed=f"--aliases {lcu}=N, or --pool for other volumes; D M=DEV gives the number configured",
        )
        for lcu, count in lending.items()
    ]  # fmt: skip


def _unknown(rows: Sequence[Row], given: Mapping[str, int], file: str) -> list[Problem]:
    """A problem for each LCU of `--aliases` that has no HyperPAV volume on the page."""
    known = sorted({row.lcu for row in rows if row.lends})
    return [
        problem("no HyperPAV volume of this LCU", file=file, key=f"aliases {lcu}", allowed=", ".join(known) or "none")
        for lcu in given
        if lcu not in known and (lcu or not known)
    ]
