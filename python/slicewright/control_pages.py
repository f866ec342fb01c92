"""What the control programs of a simulated run did, as logs in the style of the z/VM Performance Toolkit.

It leaves out their layout: the engine writes them, one page for each partition with a control program.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slicewright._core import span_s

if TYPE_CHECKING:
    import polars

    from slicewright.run import Run

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
"""What SET SRM sets, as scenarios call it, and its operand (z/VM CP Commands and Utilities Reference, SET SRM)."""

_MICROSECOND = 1e-6

_OF_PARKING = ("polarization", "unparking", "excessuse", "cpupad")
"""Which of them decide on parking."""


def log_pages_of(run: Run, page: str) -> dict[str, str]:
    """A log (a key of `BY_INTERVAL`) of each control program of the run, by partition.

    The rows `>>Mean>>` are of all that was measured, then come those of each interval, by its end since the start of
    the first, where there were several; all are means over replications, but for waits for spin locks: those are over
    all that waited in any of them.  Raises KeyError for another page.

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
    for partition, facts in _control_programs(run).items():
        title = _title(run, partition) | {
            "logical_processors": facts["logical_processors"],
            "settings": _settings(run, partition, facts["logical_processors"]),
        }
        if page in OF_SPINNING and not _columns(run.spin_locks, partition)["lock"]:
            title["note"] += "\nNo virtual machine of this system has a spin lock, so none spins or yields"
        if page == "spinlocks" and run.replications > 1:
            title["note"] += "\nwaits are those of all replications together"
        intervals = [
            (of_each[0][0], _together(tables, [frame for _, frame in of_each], partition))
            for of_each in zip(*by_interval, strict=True)
        ]
        pages[partition] = log_page(page, title, _together(tables, means, partition), intervals)
    return pages


def parking_pages_of(run: Run) -> dict[str, str]:
    """How each control program came to use so many processors, decision by decision, by partition.

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

    changes = tomllib.loads(run.scenario).get("change", [])
    pages = {}
    for partition, facts in _control_programs(run).items():
        told = [
            (span_s(one["at"], "change.at"), one["srm"])
            for one in changes
            if one.get("srm", {}).get("partition") == partition
        ]
        decisions = _columns(run.decisions, partition)
        title = _title(run, partition) | {
            "logical_processors": facts["logical_processors"],
            "unparking": [_in_force("unparking", facts["control_program"], told, at) for at in decisions["at_s"]],
            "set": [(at, f"SET SRM {_said(srm)}") for at, srm in told],
        }
        which = "decisions are those of the first replication, " if run.replications > 1 else ""
        title["note"] += f"\n{which}those of the warm-up (-) included"
        at_start = {key: facts["control_program"][key] for key in _OF_PARKING}
        title["note"] += f"\nSET SRM at the start: {_said(at_start)}"
        pages[partition] = parking_page(title, decisions)
    return pages


def rows_of(run: Run, page: str, partition: str | None = None) -> list[dict[str, Any]]:
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


def _mean(run: Run, table: str) -> polars.DataFrame:
    """The table over all; waits for spin locks are over all that waited, as in the rows of intervals, and the longest.

    A mean over replications would weigh one with a single wait like one with many.
    """
    import polars as pl

    from slicewright.tables import per_replication

    frame: polars.DataFrame = getattr(run, table)
    if table != "spin_locks" or frame.is_empty():
        return frame
    # As if all that was measured were the intervals of one replication.
    turned = pl.struct("replication", "interval").rank("dense").alias("interval"), pl.lit(0).alias("replication")
    return per_replication(run.raw[table].with_columns(turned), table)


def _by_interval(run: Run, table: str) -> list[tuple[float, polars.DataFrame]]:
    """The end of each interval, in seconds, and its means over replications; nothing where the only one is the mean.

    Means per something, such as the time spun per collision, are weighted as those over intervals are.
    """
    import polars as pl

    from slicewright.tables import per_replication

    raw, length = run.raw[table], _measure(run)["interval_s"]
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


def _title(run: Run, partition: str) -> dict[str, Any]:
    from slicewright.text import plural

    measure = _measure(run)
    simulated = f"simulated by slicewright {run.version}, {plural(run.replications, 'replication')}, seed {run.seed}"
    return {
        "run": run.name,
        "system": partition,
        "length_s": measure["intervals"] * measure["interval_s"],
        "note": f"{simulated}, warm-up cut {run.warm_up_s:g} s",
    }


def _measure(run: Run) -> dict[str, Any]:
    from slicewright._core import Scenario

    return Scenario.read(run.scenario.encode(), "scenario.toml").measure


def _control_programs(run: Run) -> dict[str, Mapping[str, Any]]:
    """The partitions of the resolved scenario that hold a control program, by name."""
    partitions = tomllib.loads(run.scenario).get("partition", [])
    return {one["name"]: one for one in partitions if "control_program" in one}


def _settings(run: Run, partition: str, logical: int) -> list[tuple[str, str, float | None]]:
    """Of each kind of virtual machines its share as printed, and its limit in percent of a processor."""
    settings = []
    for one in tomllib.loads(run.scenario).get("virtual_machine", []):
        if one["partition"] == partition:
            share = one["absolute_share"].replace(" ", "") if "absolute_share" in one else str(one["share"])
            limit = float(one["limit"].removesuffix("%")) * logical if "limit" in one else None
            settings.append((one["name"], share, limit))
    return settings


def _in_force(key: str, at_start: Mapping[str, Any], told: Sequence[tuple[float, Mapping[str, Any]]], at: float) -> str:
    """What was set at an instant; what is set at that very instant is set before anything is decided."""
    word = str(at_start[key])
    for since, srm in sorted(told, key=lambda one: one[0]):
        word = str(srm.get(key, word)) if since <= at + _MICROSECOND else word
    return word


def _said(srm: Mapping[str, Any]) -> str:
    """What is set, in the words of the command."""
    words = [(word, str(srm[key]).replace(" %", "%")) for key, word in _SRM.items() if key in srm]
    return ", ".join(f"{word} {value.upper() if value.isalpha() else value}" for word, value in words)
