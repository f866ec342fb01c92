"""The beginning of a run as a timeline: replication 0, from the start of its first interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright._core import InputError, Scenario
from slicewright.report.model import Section, Verbatim
from slicewright.scenario.replay import resupplied
from slicewright.timeline.scale import scale
from slicewright.timeline.stretch import Timeline, stretch

if TYPE_CHECKING:
    from slicewright.run.results import Results

TEXT_WIDTH = 110
"""Characters of a line of text on the page."""


def _beginning(run: Results) -> Timeline | None:
    """The first forty or so I/Os or dispatches of the first interval; None where more happens than can be drawn."""
    world = resupplied(Scenario.read(run.scenario.encode(), "scenario.toml"), run.recordings)
    if not all(replay["supplied"] for replay in world.replays):
        return None
    try:
        return stretch(world, (run.seed, 0), run.warm_up_s, (0.0, None))
    except InputError:
        return None


def timeline_section(run: Results) -> list[Section]:
    """The section of a run's page that shows its beginning, if that can be drawn.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> [one.title for one in timeline_section(slicewright.run(starter("mm1"), replications=2))]
    ['Instant by instant']
    """
    timeline = _beginning(run)
    if timeline is None:
        return []
    unit = scale(timeline.from_us, timeline.to_us)
    length = f"{timeline.to_us / unit.us:,.10g} {unit.unit}"
    processors = any(lane.is_processor for lane in timeline.lane_rows)
    shown = [
        text
        for text, any_of_it in (
            ("the guest on each processor", processors),
            ("the state of each virtual processor", any(row.kind == "virtual-processor" for row in timeline.lane_rows)),
            ("the holder of each spin lock", any(row.kind == "spin-lock" for row in timeline.lane_rows)),
            ("the holder of each name", any(row.kind == "enqueue" for row in timeline.lane_rows)),
            ("the holder of each exposure", any(row.is_exposure for row in timeline.lane_rows)),
        )
        if any_of_it
    ]
    caption = (
        f"The first {length} of replication 0: {', '.join(shown)}, and below {'them' if processors else 'each base'} "
        "the waits there. Pointing at a box shows more. slicewright trace shows any other stretch."
    )
    text = Verbatim("The same as text, with each wait and its reason", timeline.text(TEXT_WIDTH))
    return [Section("Instant by instant", [timeline.figure().captioned(caption), text])]
