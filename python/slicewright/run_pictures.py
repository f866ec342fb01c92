"""The pictures that suit a run: volumes, interval by interval where there are several, pools, control programs, and
marks of changes.

It leaves out drawing (`slicewright.plots`) and the page that the pictures stand on (`run_page`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from slicewright.html import Picture
from slicewright.run import Run
from slicewright.statistics import over_replications, seconds
from slicewright.tables import counters
from slicewright.text import plural

if TYPE_CHECKING:
    import polars

    from slicewright.plots import Curve, Panel
    from slicewright.scenario.load import Change

LINES = 4
"""Pools or volumes that have a line each; of more, only the whole is drawn over time."""

_DONE = {
    "reserve": "reserved",
    "release": "released",
    "add": "added",
    "delete": "deleted",
    "add_exit": "added",
    "delete_exit": "deleted",
}

_SYSTEM = (("io_per_s", "I/O per s"), ("response_ms", "Response, ms"), ("queue_depth", "Requests waiting"))


def volumes_picture(run: Run) -> Picture:
    """The response of every volume by its parts, and its queue.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> volumes_picture(slicewright.run(starter("mm1"), replications=2)).caption
    'Response time by its parts...'
    """
    from slicewright.plots import volumes_bar
    from slicewright.plots.volumes import MOST

    frame = run.volumes
    shown = f"The {MOST} slowest of {frame.height:,} volumes. " if frame.height > MOST else ""
    caption = (
        "Response time by its parts, and the requests that wait: over all instants, and as a monitor samples them. "
        "Whiskers are 95 % half-widths, simulation noise only."
    )
    return Picture(volumes_bar(frame), shown + caption)


def pools_picture(run: Run) -> Picture:
    """Free aliases and failed tries of every pool.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> pools_picture(slicewright.run(starter("pool"), replications=2, set={"measure.interval": "1 s"})).caption
    'How many aliases were free...'
    """
    from slicewright.plots import pools_free

    caption = (
        "How many aliases were free, from the fewest to the most that a try found, against those the pool has; and the "
        "share of tries that found none."
    )
    return Picture(pools_free(run.pools), caption)


def control_processors_picture(run: Run) -> Picture:
    """Where the time of every processor of control programs goes, and who waits in its dispatch vector.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> control_processors_picture(slicewright.run(starter("mm1"), replications=2))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ValueError: the run has no control program
    """
    from slicewright.plots import control_processors_bar
    from slicewright.plots.control_processors import MOST

    frame = run.control_processors
    if frame.is_empty():
        raise ValueError("the run has no control program")
    shown = f"The first {MOST} of {frame.height:,} processors. " if frame.height > MOST else ""
    caption = (
        "Where the time of each processor goes: guests' instructions, the control program charged to them and to "
        "nobody (of it spinning for the scheduler lock), wait, and parked. Beside it, who waits in its dispatch vector."
    )
    return Picture(control_processors_bar(frame), shown + caption)


def decisions_pictures(run: Run) -> list[Picture]:
    """How many processors each control program used over time, and why, in the first replication.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> decisions_pictures(slicewright.run(starter("mm1"), replications=2))
    []
    """
    from slicewright.plots import decisions_steps

    decisions = run.decisions
    if decisions.is_empty():
        return []
    caption = (
        "Processors unparked in {}, decision by decision in the first replication: no more than it is entitled to and "
        "hopes for, and where T/V is high no more than predicted and CPUPAD."
    )
    return [
        Picture(decisions_steps(decisions.filter(decisions["partition"] == name)), caption.format(name))
        for name in decisions["partition"].unique(maintain_order=True)
    ]


def intervals_picture(run: Run) -> Picture | None:
    """Rate, response, queue and free aliases interval by interval; None where there is one interval.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> two = {"measure.interval": "1 s", "measure.intervals": 2}
    >>> intervals_picture(slicewright.run(starter("mm1"), replications=2, set=two)).caption
    'Means of each interval of 1 s...'
    """
    from slicewright.plots import Panel, series

    system = run.raw["system"]
    if "interval" not in system.columns or system["interval"].n_unique() < 2:
        return None
    length_s = run.view.measure.interval_s
    total_s = length_s * system["interval"].n_unique()
    unit, size = ("Minutes", 60.0) if total_s >= 180 else ("Seconds", 1.0) if total_s >= 1 else ("Milliseconds", 1e-3)
    marks = [(at / size, what) for at, what in changes(run) if at <= total_s]
    step = length_s / size
    panels = [
        Panel(label, [_curve(over_intervals(system), counter, step)], marks=marks if at == 0 else ())
        for at, (counter, label) in enumerate(_SYSTEM)
    ]
    panels += _pool_panels(run, step)
    caption = f"Means of each interval of {seconds(length_s)} over the replications, with 95 % intervals."
    if marks:
        caption += " Dashed lines: what somebody changes."
    return Picture(series(panels, step, f"{unit} from the start of the first interval"), caption)


def over_intervals(frame: polars.DataFrame) -> polars.DataFrame:
    """A row per interval: each counter `x` as its mean over replications, with `x_half_width`.

    >>> import polars
    >>> raw = {"replication": [0, 1, 0, 1], "interval": [0, 0, 1, 1], "io_per_s": [1.0, 3.0, 5.0, 5.0]}
    >>> over_intervals(polars.DataFrame(raw))["io_per_s"].to_list()
    [2.0, 5.0]
    """
    return over_replications(frame, ["interval"], counters(frame)).sort("interval")


def changes(run: Run) -> list[tuple[float, str]]:
    """What somebody changes while the machine runs: seconds from the start of the first interval, and what.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> changes(slicewright.run(starter("mm1"), replications=2))
    []
    """
    return [(change.at_s, _what(change)) for change in run.view.changes]


def _what(change: Change) -> str:
    from slicewright.scenario.load import srm_settings

    if change.aliases:
        of = change.aliases.pool or change.aliases.volume
        return f"{plural(change.aliases.online, 'alias', 'aliases')} of {of} online"
    if change.paths:
        return f"{plural(change.paths.online, 'path')} of {change.paths.control_unit} online"
    if change.partition:
        return f"{change.partition.name}: {_listed(change.partition.settings)}"
    if change.srm:
        return f"{change.srm.partition}: {_listed(srm_settings(change.srm))}"
    return next(f"{name} {done}" for key, done in _DONE.items() if (name := getattr(change, key)) is not None)


def _listed(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items())


def _pool_panels(run: Run, step: float) -> list[Panel]:
    from slicewright.plots import Panel

    pools = run.raw["pools"]
    if pools.is_empty() or pools["pool"].n_unique() > LINES:
        return []
    names = pools["pool"].unique(maintain_order=True).to_list()
    frames = [over_intervals(pools.filter(pools["pool"] == name)) for name in names]
    label = "" if len(names) > 1 else f", pool {names[0]}"
    return [
        Panel(
            f"{what}{label}",
            [
                _curve(frame, counter, step, name if label == "" else "simulated")
                for name, frame in zip(names, frames, strict=True)
            ],
        )
        for counter, what in (("free_mean", "Free aliases, mean"), ("fails_per_try", "Fails per try"))
    ]


def _curve(frame: polars.DataFrame, counter: str, step: float, label: str = "simulated") -> Curve:
    from slicewright.plots import Curve

    ends = [step * (at + 1) for at in range(frame.height)]
    return Curve(ends, frame[counter].to_list(), frame[f"{counter}_half_width"].to_list(), label=label)
