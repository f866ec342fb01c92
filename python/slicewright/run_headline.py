"""What a run says in one line: its I/O, or where it has none what its processors did, its names, groups or guests.

It leaves out tables (`run_page`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slicewright.statistics import NOTHING, fixed, plus_minus
from slicewright.text import plural

if TYPE_CHECKING:
    from slicewright.run import Run

MOST = 4
"""Of how many partitions, groups or guests it tells."""


def headline(run: Run) -> str:
    """The line; empty where nothing was measured.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> headline(slicewright.run(starter("mm1"), replications=2))
    '1 volume: ... I/O per s, response ... ms, ... waiting'
    """
    if not run.volumes.is_empty():
        return _volumes_line(run)
    tables = (
        (run.control_programs, _control_program_line),
        (run.serialization, _serialization_line),
        (run.cgroups, _group_line),
        (run.guests, _guest_line),
    )
    for table, line in tables:
        if not table.is_empty():
            told = "; ".join(line(row) for row in table.head(MOST).iter_rows(named=True))
            return f"{told}; and {table.height - MOST} more" if table.height > MOST else told
    return ""


def _volumes_line(run: Run) -> str:
    row = run.system.row(0, named=True)
    rate, response, waiting = (_noisy(row, name) for name in ("io_per_s", "response_ms", "queue_depth"))
    if rate == NOTHING:
        return ""
    return f"{plural(run.volumes.height, 'volume')}: {rate} I/O per s, response {response} ms, {waiting} waiting"


def _control_program_line(row: dict[str, Any]) -> str:
    used = f"{row['partition']}: {_noisy(row, 'total_percent')} % of a processor used"
    by_whom = f"{fixed(row['guests_percent'], 1)} % by guests"
    return f"{used}, {by_whom}, T/V {fixed(row['tv_ratio'], 2)}, {fixed(row['unparked'], 1)} processors unparked"


def _serialization_line(row: dict[str, Any]) -> str:
    pairs, each = _noisy(row, "pairs_per_s"), _noisy(row, "elapsed_us_per_pair")
    return f"{row['partition']}: {pairs} pairs of ENQ and DEQ per s, {each} us each"


def _group_line(row: dict[str, Any]) -> str:
    throttled = "" if not row["nr_periods"] else f", throttled in {_noisy(row, 'throttled_percent')} % of its periods"
    return f"{row['cgroup']}: {_noisy(row, 'cpu_percent')} % of a processor{throttled}"


def _guest_line(row: dict[str, Any]) -> str:
    return f"{row['guest']}: {_noisy(row, 'cycles_per_s')} cycles per s"


def _noisy(row: dict[str, Any], name: str) -> str:
    return plus_minus(row[name], row[f"{name}_half_width"])
