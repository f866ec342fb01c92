"""Logs of the control programs of a simulated run, in the style of the z/VM Performance Toolkit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.scenario.derived import srm_settings

if TYPE_CHECKING:
    import polars

    from slicewright.run.results import Results
    from slicewright.scenario.view import Change, Partition

BY_INTERVAL = {
    "proclog": "control_processors",
    "vectors": "control_processors",
    "fcx265": "locks",
    "users": "virtual_machines",
    "shares": "virtual_machines",
    "privop": "virtual_machines",
    "system": "control_programs",
    "spinlocks": "spin_locks",
}
"""The logs by interval, each with the table that it shows."""

OF_SPINNING = ("privop", "system", "spinlocks")
"""Those of them about guests that spin for locks of their own, and yield."""

_BESIDE = {"system": ("locks",)}
"""Tables that some of them show a column of beside their own."""

PARKING = "parking"
"""The log of decisions."""

_SRM = {
    "polarization": "POLARIZATION",
    "method": "DSPWDMETHOD",
    "unparking": "UNPARKING",
    "excessuse": "EXCESSUSE",
    "cpupad": "CPUPAD",
    "slice": "DSPSLICE",
}
"""Settings of SET SRM: their names in scenarios, and their operands (z/VM CP Commands and Utilities Reference)."""

_MICROSECOND = 1e-6

_OF_PARKING = ("polarization", "unparking", "excessuse", "cpupad")
"""Which of them decide on parking."""


def log_pages_of(run: Results, page: str) -> dict[str, str]:
    """A log (a key of `BY_INTERVAL`) of each control program of the run, by partition.

    The rows `>>Mean>>` cover all that was measured.  Where there were several intervals, the rows of each follow, by
    its end since the start of the first.  All are means over replications; waits for spin locks are means over all that
    waited in any of them.  Raises KeyError for another page.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> short = {"measure.interval": "1 s", "measure.warm_up": "1 s"}
    >>> run = slicewright.run(starter("zvm"), replications=2, set=short)
    >>> print(log_pages_of(run, "fcx265")["ZVM"])
    LOCKLOG page in the style of FCX265, written by slicewright
    ...
    """
    from slicewright._core import log_page

    tables = (BY_INTERVAL[page], *_BESIDE.get(page, ()))
    means = [_mean(run, table) for table in tables]
    by_interval = [_by_interval(run, table) for table in tables]
    pages = {}
    for partition in run.view.controlled:
        name = partition.name
        title = _title(run, name) | {
            "logical_processors": partition.logical_processors,
            "settings": _settings(run, partition),
        }
        if page in OF_SPINNING and not _columns(run.spin_locks, name)["lock"]:
            title["note"] += "\nNo virtual machine of this system has a spin lock, so none spins or yields"
        if page == "spinlocks" and run.replications > 1:
            title["note"] += "\nwaits are those of all replications together"
        intervals = [
            (of_each[0][0], _together(tables, [frame for _, frame in of_each], name))
            for of_each in zip(*by_interval, strict=True)
        ]
        pages[name] = log_page(page, title, _together(tables, means, name), intervals)
    return pages


def parking_pages_of(run: Results) -> dict[str, str]:
    """How each control program chose its number of processors, decision by decision, by partition.

    Decisions are those of the first replication; times are since the start of the first interval, and less than
    nothing in the warm-up.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> short = {"measure.interval": "5 s", "measure.warm_up": "1 s"}
    >>> run = slicewright.run(starter("zvm"), replications=2, set=short)
    >>> print(parking_pages_of(run)["ZVM"])
    Parking log in the style of the z/VM Performance Toolkit, written by slicewright
    ...
    """
    from slicewright._core import parking_page

    pages = {}
    for partition in run.view.controlled:
        changes = [change for change in run.view.changes if change.srm and change.srm.partition == partition.name]
        at_start = srm_settings(partition.program)
        decisions = _columns(run.decisions, partition.name)
        title = _title(run, partition.name) | {
            "logical_processors": partition.logical_processors,
            "unparking": [_in_force("unparking", at_start, changes, at) for at in decisions["at_s"]],
            "set": [(change.at_s, f"SET SRM {_said(srm_settings(change.srm))}") for change in changes if change.srm],
        }
        which = "decisions are those of the first replication, " if run.replications > 1 else ""
        title["note"] += f"\n{which}those of the warm-up (-) included"
        parking = {key: at_start[key] for key in _OF_PARKING}
        title["note"] += f"\nSET SRM at the start: {_said(parking)}"
        pages[partition.name] = parking_page(title, decisions)
    return pages


def rows_of(run: Results, page: str, partition: str | None = None) -> list[dict[str, Any]]:
    """What a log is made of: a row per processor, lock, virtual machine or decision, say, of one partition or of all.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> run = slicewright.run(starter("zvm"), replications=2, set={"measure.interval": "1 s", "measure.warm_up": "1 s"})
    >>> [row["lock"] for row in rows_of(run, "fcx265")]
    ['SRMSLOCK']
    """
    import polars as pl

    rows: polars.DataFrame = run.decisions if page == PARKING else getattr(run, BY_INTERVAL[page])
    return (rows if partition is None else rows.filter(pl.col("partition") == partition)).to_dicts()


def _mean(run: Results, table: str) -> polars.DataFrame:
    """The table over all; waits for spin locks are over all that waited, as in the rows of intervals, and the longest.

    A mean over replications would weigh one with a single wait like one with many.
    """
    import polars as pl

    from slicewright.run.tables import per_replication

    frame: polars.DataFrame = getattr(run, table)
    if table != "spin_locks" or frame.is_empty():
        return frame
    # As if all that was measured were the intervals of one replication.
    turned = pl.struct("replication", "interval").rank("dense").alias("interval"), pl.lit(0).alias("replication")
    return per_replication(run.raw[table].with_columns(turned), table)


def _by_interval(run: Results, table: str) -> list[tuple[float, polars.DataFrame]]:
    """The end of each interval, in seconds, and its means over replications; nothing where the only one is the mean.

    Means per something, such as the time spun per collision, are weighted as those over intervals are.
    """
    import polars as pl

    from slicewright.run.tables import per_replication

    raw, length = run.raw[table], run.view.measure.interval_s
    numbers = sorted(raw["interval"].unique().to_list())
    if len(numbers) < 2:
        return []
    # As if the replications were the intervals of one.
    turned = pl.col("replication").alias("interval"), pl.lit(0).alias("replication")
    single = [raw.filter(pl.col("interval") == number).with_columns(turned) for number in numbers]
    means = [per_replication(frame, table) for frame in single]
    return [((number + 1) * length, frame) for number, frame in zip(numbers, means, strict=True)]


def _together(tables: Sequence[str], frames: Sequence[polars.DataFrame], partition: str) -> dict[str, Any]:
    """The columns of the first table, and each of the others under its name."""
    first, *others = (_columns(frame, partition) for frame in frames)
    return first | dict(zip(tables[1:], others, strict=True))


def _columns(frame: polars.DataFrame, partition: str) -> dict[str, list[Any]]:
    import polars as pl

    return frame.filter(pl.col("partition") == partition).to_dict(as_series=False)


def _title(run: Results, partition: str) -> dict[str, Any]:
    from slicewright.statistics import plural

    simulated = f"simulated by slicewright {run.version}, {plural(run.replications, 'replication')}, seed {run.seed}"
    return {
        "run": run.name,
        "system": partition,
        "length_s": run.view.measure.measured_s,
        "note": f"{simulated}, warm-up cut {run.warm_up_s:g} s",
    }


def _settings(run: Results, partition: Partition) -> list[tuple[str, str, float | None]]:
    """Of each kind of virtual machines its share as printed, and its limit in percent of a processor."""
    settings = []
    for kind in run.view.virtual_machines:
        if kind.partition == partition.name:
            share = str(kind.share) if kind.absolute_share_percent is None else f"{kind.absolute_share_percent:g}%"
            limit = None if kind.limit_percent is None else kind.limit_percent * partition.logical_processors
            settings.append((kind.name, share, limit))
    return settings


def _in_force(key: str, at_start: Mapping[str, str], changes: Sequence[Change], at: float) -> str:
    """The setting in force at an instant; a change at that very instant precedes the decision."""
    word = at_start[key]
    for change in sorted(changes, key=lambda change: change.at_s):
        if change.srm is not None and change.at_s <= at + _MICROSECOND:
            word = srm_settings(change.srm).get(key, word)
    return word


def _said(settings: Mapping[str, str]) -> str:
    """The settings, as operands of the command."""
    words = [(word, settings[key].replace(" %", "%")) for key, word in _SRM.items() if key in settings]
    return ", ".join(f"{word} {value.upper() if value.isalpha() else value}" for word, value in words)
