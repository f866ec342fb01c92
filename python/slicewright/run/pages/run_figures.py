"""The figures that suit a run: volumes, interval by interval where there are several, pools, control programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from slicewright.report.figure import Figure, Panel, Series
from slicewright.run.results import Results
from slicewright.run.tables import counters
from slicewright.run.tabulated import Tabulated
from slicewright.statistics import over_replications, plural, seconds
from slicewright.values.numerals import finite

if TYPE_CHECKING:
    import polars

    from slicewright.scenario.view import Change

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

SYSTEM = (("io_per_s", "I/O per s"), ("response_ms", "Response, ms"), ("queue_depth", "Requests waiting"))
"""The counters of a run's I/O that figures show, with their labels."""


def decisions_pictures(run: Tabulated) -> list[Figure]:
    """How many processors each control program used over time, and why, in the first replication.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> decisions_pictures(slicewright.run(starter("mm1"), replications=2))
    []
    """
    decisions = run.decisions
    if decisions.is_empty():
        return []
    caption = (
        "Processors unparked in {}, decision by decision in the first replication: no more than it is entitled to and "
        "hopes for, and where T/V is high no more than predicted and CPUPAD."
    )
    return [
        decisions_steps(decisions.filter(decisions["partition"] == name)).captioned(caption.format(name))
        for name in decisions["partition"].unique(maintain_order=True)
    ]


def decisions_steps(decisions: polars.DataFrame) -> Figure:
    """Processors unparked from each decision on, with what was used, predicted and added before it.

    `decisions` is `Run.decisions` of one partition, or any frame with at_s, used, predicted, cpupad, entitled, hoped
    and after, in the order of time.  Raises ValueError without rows.

    >>> import polars
    >>> row = {"at_s": [0.0, 2.0], "used": [7.0, 7.5], "predicted": [7.2, 7.6], "cpupad": [1.0, 1.0]}
    >>> row |= {"entitled": [16.0, 16.0], "hoped": [0.0, 0.0], "after": [9.0, 9.0]}
    >>> decisions_steps(polars.DataFrame(row)).panels[0].series[0].label
    'unparked'
    """
    if decisions.is_empty():
        raise ValueError("nothing was decided")
    at = decisions["at_s"].to_list()
    shown = {
        "unparked": decisions["after"],
        "predicted + CPUPAD": decisions["predicted"] + decisions["cpupad"],
        # Processors used are known at the end of the interval.
        "used until then": decisions["used"].shift(-1),
        "entitled + hoped for": decisions["entitled"] + decisions["hoped"],
    }
    steps = [Series(at, values.to_list(), label=label, kind="steps") for label, values in shown.items()]
    panel = Panel("Processors", steps, shaded=(at[0], 0.0) if at[0] < 0 else None)
    return Figure([panel], "Seconds from the start of the first interval", layout="below")


def intervals_picture(run: Tabulated) -> Figure | None:
    """Rate, response, queue and free aliases interval by interval; None where there is one interval.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> two = {"measure.interval": "1 s", "measure.intervals": 2}
    >>> intervals_picture(slicewright.run(starter("mm1"), replications=2, set=two)).caption
    'Means of each interval of 1 s...'
    """

    system = run.raw["system"]
    if "interval" not in system.columns or system["interval"].n_unique() < 2:
        return None
    length_s = run.interval_s
    total_s = length_s * system["interval"].n_unique()
    unit, size = ("Minutes", 60.0) if total_s >= 180 else ("Seconds", 1.0) if total_s >= 1 else ("Milliseconds", 1e-3)
    marks = [(at / size, what) for at, what in (changes(run) if isinstance(run, Results) else []) if at <= total_s]
    step = length_s / size
    simulated = isinstance(run, Results)
    source = "simulated" if simulated else "measured"
    panels = [
        Panel(label, [_curve(_by_interval(system), counter, step, source)], marks=marks if at == 0 else ())
        for at, (counter, label) in enumerate(SYSTEM)
    ]
    panels += _pool_panels(run, step, source)
    caption = f"Means of each interval of {seconds(length_s)}"
    caption += " over the replications, with 95 % intervals." if simulated else ", as measured."
    if marks:
        caption += " Dashed lines: changes of the configuration."
    return Figure(panels, f"{unit} from the start of the first interval", caption, layout="below")


def _by_interval(frame: polars.DataFrame) -> polars.DataFrame:
    """A row per interval: each counter `x` as its mean over replications, with `x_half_width`.

    >>> import polars
    >>> raw = {"replication": [0, 1, 0, 1], "interval": [0, 0, 1, 1], "io_per_s": [1.0, 3.0, 5.0, 5.0]}
    >>> _by_interval(polars.DataFrame(raw))["io_per_s"].to_list()
    [2.0, 5.0]
    """
    return over_replications(frame, ["interval"], counters(frame)).sort("interval")


def changes(run: Results) -> list[tuple[float, str]]:
    """The changes while the machine runs: seconds from the start of the first interval, and what changes.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> changes(slicewright.run(starter("mm1"), replications=2))
    []
    """
    return [(change.at_s, _what(change)) for change in run.view.changes]


def _what(change: Change) -> str:
    from slicewright.scenario.derived import srm_settings

    if change.aliases:
        of = change.aliases.pool or change.aliases.volume
        return f"{plural(change.aliases.online, 'alias', 'aliases')} of {of} online"
    if change.paths:
        return f"{plural(change.paths.online, 'path')} of {change.paths.control_unit} online"
    if change.partition:
        return f"{change.partition.name}: {_listed(change.partition.settings)}"
    if change.scheduling_parameter:
        return f"scheduling parameter {change.scheduling_parameter}"
    if change.srm:
        return f"{change.srm.partition}: {_listed(srm_settings(change.srm))}"
    return next(f"{name} {done}" for key, done in _DONE.items() if (name := getattr(change, key)) is not None)


def _listed(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items())


def _pool_panels(run: Tabulated, step: float, source: str) -> list[Panel]:
    pools = run.raw["pools"]
    if pools.is_empty() or pools["pool"].n_unique() > LINES:
        return []
    names = pools["pool"].unique(maintain_order=True).to_list()
    frames = [_by_interval(pools.filter(pools["pool"] == name)) for name in names]
    label = "" if len(names) > 1 else f", pool {names[0]}"
    return [
        Panel(
            f"{what}{label}",
            [
                _curve(frame, counter, step, name if label == "" else source)
                for name, frame in zip(names, frames, strict=True)
            ],
        )
        for counter, what in (("free_mean", "Free aliases, mean"), ("fails_per_try", "Fails per try"))
        if pools[counter].null_count() < pools.height
    ]


def _curve(frame: polars.DataFrame, counter: str, step: float, label: str) -> Series:
    """A step for each interval, and the end of the last one."""
    starts = [step * at for at in range(frame.height + 1)]
    means, widths = ([finite(value) for value in frame[name]] for name in (counter, f"{counter}_half_width"))
    known = [*widths, widths[-1]] if any(widths) else None
    return Series(starts, [*means, means[-1]], known, label, "steps")
