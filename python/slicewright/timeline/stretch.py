"""Asking for a stretch of simulated time, and the timeline that shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, timeline
from slicewright.scenario.replay import ready_to_run
from slicewright.statistics import seconds
from slicewright.timeline.events import trace_events
from slicewright.timeline.lanes import drawn
from slicewright.timeline.picture import picture
from slicewright.timeline.recorded import Recorded
from slicewright.values import settings
from slicewright.values.errors import problem
from slicewright.values.parameters import check

if TYPE_CHECKING:
    from slicewright.report.figure import Figure
    from slicewright.scenario.source import Source


class Timeline(Recorded):
    """A recorded stretch of one replication as text, as a figure, and for Perfetto.

    >>> from slicewright._core import starter
    >>> print(trace(starter("mm1"), for_s=0.005).text().splitlines()[0])
    M/M/1...
    """

    def text(self, width: int = 80) -> str:
        """The timeline as lines of text, at this width in characters."""
        return drawn(self, width)

    def figure(self) -> Figure:
        """The timeline as a figure."""
        return picture(self)

    def svg(self) -> str:
        """The timeline as an SVG picture that opens in any browser."""
        from slicewright.report.drawing import alone

        return alone(self.figure())

    def perfetto(self) -> dict[str, Any]:
        """The timeline in the Trace Event Format, which Perfetto and Chrome show."""
        return trace_events(self)


@settings.documented("trace")
def trace(
    scenario: Source,
    *,
    from_s: float = 0.0,
    for_s: float | None = None,
    seed: int = 1,
    replication: int = 0,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Timeline:
    """The events in a stretch of simulated time, in the same replication that `run` measures.

    `from_s` counts from the start of the first interval; without `for_s` the stretch is as long as some forty I/Os
    or dispatches take.  `set` and `progress` are as for `run`.

    Raises InputError with every problem of the scenario, or for a stretch outside of the measurement or with more than
    200,000 spans and waits.  Raises RunError when the simulation cannot go on.

    >>> from slicewright._core import starter
    >>> print(trace(starter("mm1"), for_s=0.005).text().splitlines()[0])
    M/M/1...
    """
    settings.check("trace", seed=seed, replication=replication, from_s=from_s, for_s=for_s, progress=progress)
    world = ready_to_run(scenario, set).scenario
    check_stretch(world, from_s, for_s)
    tell = progress or (lambda share: None)
    warm_up_s, _ = world.warm_up(seed, lambda share: tell(share / 2))
    return stretch(world, (seed, replication), warm_up_s, (from_s, for_s), lambda share: tell((1 + share) / 2))


def stretch(
    world: Scenario,
    seed_replication: tuple[int, int],
    warm_up_s: float,
    from_for_s: tuple[float, float | None],
    progress: Callable[[float], None] | None = None,
) -> Timeline:
    """The timeline of a scenario that was read, when its warm-up is known.

    >>> from slicewright._core import starter
    >>> world = Scenario.read(starter("mm1").encode(), "mm1.toml")
    >>> stretch(world, (1, 0), 0.0, (0.0, 0.002)).to_us
    2000.0
    """
    seed, replication = seed_replication
    raw = timeline(world, seed_replication, warm_up_s, from_for_s, progress)
    return Timeline(
        name=world.name, seed=seed, replication=replication, warm_up_s=warm_up_s,
        from_us=raw.pop("from_us"), to_us=raw.pop("to_us"), raw=raw,
    )  # fmt: skip


def check_stretch(world: Scenario, from_s: float, for_s: float | None) -> None:
    """Raise InputError for a stretch outside of what is measured."""
    measured_s = float(world.measure["interval_s"]) * int(world.measure["intervals"])
    wrong = []
    starts_within = 0 <= from_s < measured_s
    if not starts_within:
        allowed = f"0 s up to the {seconds(measured_s)} that are measured"
        wrong.append(problem(f"starts at {_said(from_s)}", key="from", allowed=allowed))
    # Sums of decimals may be off by a hair in binary.
    left_s = measured_s - from_s if starts_within else measured_s
    if for_s is not None and not 0 < for_s <= left_s * (1 + 1e-12):
        allowed = f"more than 0 s, up to the {seconds(left_s)} that are measured from there on"
        wrong.append(problem(f"lasts {_said(for_s)}", key="for", allowed=allowed))
    check(*wrong)


def _said(value_s: float) -> str:
    return seconds(value_s) if math.isfinite(value_s) else str(value_s)
