"""Figures of many entities of a run, a row each: volumes, pools, processors of control programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.report.figure import Figure, Look, Panel, Series

if TYPE_CHECKING:
    import polars

MOST = 40
"""Volumes or pools that are drawn; of more, those that are worst off."""
MOST_PROCESSORS = 64
"""Processors drawn, from the first."""

_PARTS = {
    "pend_ms": ("pending", Look(1, 0.25)),
    "disc_ms": ("disconnected", Look(1, 0.55)),
    "conn_ms": ("connected", Look(1)),
    "hold_ms": ("interrupt pending", Look(3, texture="slanted")),
}
_QUEUED = Look(2, texture="hatched")
_TIMES = {
    "emulation_percent": ("guests", Look(1)),
    "chargeable_cp_percent": ("charged CP (c-CP)", Look(1, 0.45)),
    "system_percent": ("not charged (nc-CP)", Look(2, texture="hatched")),
    "spin_percent": ("spinning", Look(2, 0.45, "crossed")),
    "wait_percent": ("wait", Look(0, 0.08)),
    "parked_percent": ("parked", Look(3, 0.5, "slanted")),
}
"""Of each part its column, its name and its look; the rest of the time a processor is not dispatched."""


def volumes_bar(volumes: polars.DataFrame) -> Figure:
    """The response time of every volume as a bar of its parts in ms, and its queue, with 95 % half-widths.

    `volumes` is `Run.volumes`, or any frame with volume, pend_ms, disc_ms, conn_ms and response_ms.  Hold_ms,
    queue_depth, queue_depth_sampled and half-widths are drawn where they are there.  At most the 40 slowest are drawn.

    >>> import polars
    >>> row = {"volume": ["A"], "pend_ms": [0.2], "disc_ms": [0.2], "conn_ms": [0.9], "response_ms": [2.1]}
    >>> [series.label for series in volumes_bar(polars.DataFrame(row)).panels[0].series]
    ['pending', 'disconnected', 'connected', 'queued']
    """
    shown = volumes if volumes.height <= MOST else volumes.sort("response_ms", descending=True).head(MOST)
    names, rows = _names(shown, "volume")
    parts = {name: numbers(shown[name]) for name in _PARTS if name != "hold_ms" or "hold_ms" in shown.columns}
    parts = {name: values for name, values in parts.items() if name != "hold_ms" or any(values)}
    bars = [Series(rows, values, None, _PARTS[name][0], "bars", look=_PARTS[name][1]) for name, values in parts.items()]
    served = [sum(values) for values in zip(*parts.values(), strict=True)]
    waits = [max(0.0, total - part) for total, part in zip(numbers(shown["response_ms"]), served, strict=True)]
    bars.append(Series(rows, waits, _half(shown, "response_ms"), "queued", "bars", look=_QUEUED))
    panels = [Panel("Response time, ms", bars, names=names, share=3)]
    waiting = _points(shown, "queue_depth", "waiting", Look(2))
    sampled = _points(shown, "queue_depth_sampled", "as sampled", Look(0, filled=False))
    if waiting or sampled:
        panels.append(Panel("Requests waiting", [*waiting, *sampled], names=names, share=1.25))
    caption = f"The {MOST} slowest of {volumes.height:,} volumes. " if volumes.height > MOST else ""
    caption += "Response time by its parts, and the requests that wait"
    caption += ": over all instants, and as a monitor samples them." if waiting else ", as a monitor samples them."
    if any(_half(shown, "response_ms") or ()):
        caption += " Whiskers are 95 % half-widths, simulation noise only."
    return Figure(panels, caption=caption, layout="rows")


def pools_free(pools: polars.DataFrame) -> Figure:
    """Free aliases of every pool (low water, mean, high water, beside how many it has) and fails per try.

    `pools` is `Run.pools`, or any frame with pool, aliases, low_water, high_water, free_mean and fails_per_try.  The
    half-width of the last is drawn where it is there.  At most the 40 that failed most are drawn.

    >>> import polars
    >>> row = {"pool": ["A"], "aliases": [8.0], "low_water": [0.0], "high_water": [7.0], "free_mean": [1.2]}
    >>> len(pools_free(polars.DataFrame(row | {"fails_per_try": [0.44]})).panels)
    2
    """
    shown = pools if pools.height <= MOST else pools.sort("fails_per_try", descending=True, nulls_last=True).head(MOST)
    names, rows = _names(shown, "pool")
    low, high = numbers(shown["low_water"]), numbers(shown["high_water"])
    between = Series(
        rows, [None] * len(rows), None, "low to high water", "spans", low, high, look=Look(1, 0.35), thickness=0.34
    )
    mean = _points(shown, "free_mean", "free, mean", Look(1))
    online = Series(rows, numbers(shown["aliases"]), None, "aliases online", "ticks", look=Look(0))
    fails = [100 * value for value in numbers(shown["fails_per_try"])]
    half = _half(shown, "fails_per_try")
    failed = Series(rows, fails, half and [100 * value for value in half], "tries that failed", "bars", look=_QUEUED)
    panels = [
        Panel("Free aliases", [between, *mean, online], names=names, share=2),
        Panel("Fails per try, %", [failed], names=names),
    ]
    caption = (
        "Free aliases as tries found them, from the fewest to the most, and the aliases of the pool; and the share of "
        "tries that found none."
    )
    return Figure(panels, caption=caption, layout="rows", row=34)


def control_processors_bar(processors: polars.DataFrame) -> Figure:
    """The time of every processor of control programs as a bar of its parts in %, and its dispatch vector.

    `processors` is `Run.control_processors`, or any frame with partition, number, polarity, emulation_percent,
    chargeable_cp_percent, nonchargeable_cp_percent, spin_percent, wait_percent, parked_percent and vector_depth; at
    most the first 64 are drawn.

    >>> import polars
    >>> row = {"partition": ["ZVM"], "number": [0], "polarity": ["Vh"], "emulation_percent": [80.0]}
    >>> row |= {"chargeable_cp_percent": [5.0], "nonchargeable_cp_percent": [10.0], "spin_percent": [4.0]}
    >>> row |= {"wait_percent": [5.0], "parked_percent": [0.0], "vector_depth": [1.5]}
    >>> [series.label for series in control_processors_bar(polars.DataFrame(row)).panels[0].series][:2]
    ['guests', 'charged CP (c-CP)']
    """
    shown = processors.head(MOST_PROCESSORS)
    several = shown["partition"].n_unique() > 1
    names = [
        " ".join(str(part) for part in (row["partition"] if several else "", row["number"], row["polarity"])).strip()
        for row in shown.iter_rows(named=True)
    ]
    rows = list(range(len(names)))
    spin = numbers(shown["spin_percent"])
    bars = []
    for column, (label, look) in _TIMES.items():
        if column == "system_percent":
            all_of_it = numbers(shown["nonchargeable_cp_percent"])
            values = [max(0.0, whole - part) for whole, part in zip(all_of_it, spin, strict=True)]
        else:
            values = numbers(shown[column])
        if any(values):
            bars.append(Series(rows, values, None, label, "bars", look=look, thickness=0.76))
    panels = [Panel("Share of its time, %", bars, names=names, share=3, limits=(0, 100))]
    depth = _points(shown, "vector_depth", "waiting, mean", Look(4))
    if depth:
        panels.append(Panel("In the dispatch vector", depth, names=names))
    some = (
        f"The first {MOST_PROCESSORS} of {processors.height:,} processors. "
        if processors.height > MOST_PROCESSORS
        else ""
    )
    caption = (
        f"{some}Where the time of each processor goes: guests' instructions, the control program charged to them and "
        "uncharged (of it spinning for the scheduler lock), wait, and parked. Beside it, what waits in its dispatch "
        "vector."
    )
    return Figure(panels, caption=caption, layout="rows", row=22)


def _points(shown: polars.DataFrame, counter: str, label: str, look: Look) -> list[Series]:
    """The rows that have a value of a counter, as points with their half-widths where there are any."""
    if counter not in shown.columns:
        return []
    half = _half(shown, counter) or [0.0] * shown.height
    points = [
        (row, value, width)
        for row, (value, width) in enumerate(zip(shown[counter], half, strict=True))
        if value is not None and value == value
    ]
    if not points:
        return []
    rows, values, widths = (list(column) for column in zip(*points, strict=True))
    return [Series(rows, values, widths if any(widths) else None, label, "points", look=look)]


def numbers(column: polars.Series) -> list[float]:
    """The values of a column; what is not known or not finite is drawn as nothing.

    >>> import polars
    >>> numbers(polars.Series([1.5, None]))
    [1.5, 0.0]
    """
    return [0.0 if value is None or not math.isfinite(value) else float(value) for value in column]


def _names(frame: polars.DataFrame, column: str) -> tuple[list[str], Sequence[int]]:
    names = [str(name) for name in frame[column]]
    return names, range(len(names))


def _half(frame: polars.DataFrame, counter: str) -> list[float] | None:
    name = f"{counter}_half_width"
    return numbers(frame[name]) if name in frame.columns else None
