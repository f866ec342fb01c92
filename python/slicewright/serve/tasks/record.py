"""The tasks of timelines: a whole interval recorded into a folder, and a window of one for Perfetto."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, span_s, timeline
from slicewright.errors import problem, refusal
from slicewright.serve.reporter import Reporter

if TYPE_CHECKING:
    from slicewright.replay.replay import Recording

_WARMED_UP, _SIMULATED, _SORTED = 0.1, 0.6, 0.75
"""Shares of the work that are done after each step."""


def record(
    reporter: Reporter, into: str, source: dict[str, Any], start: str = "", length: str = "", **about: Any
) -> dict[str, Any]:
    """Record a timeline of replication 0 into a folder; without a length it is a whole interval.

    Raises InputError and RunError.
    """
    from slicewright.timeline.gathering import Gathering
    from slicewright.timeline.kept import keep
    from slicewright.timeline.stretch import check_stretch

    place, unfinished = Path(into), Path(f"{into}.part")
    made = {"timeline": place.name}
    if place.is_dir():
        return made
    world, seed, warm_up_s = _world(source)
    from_s = span_s(start, "from") if start else 0.0
    interval_s = float(world.measure["interval_s"])
    check_stretch(world, from_s, span_s(length, "for") if length else None)
    left_s = interval_s * int(world.measure["intervals"]) - from_s
    for_s = span_s(length, "for") if length else min(interval_s, left_s)
    if warm_up_s is None:
        warm_up_s, _ = world.warm_up(seed, lambda share: reporter.progress(share * _WARMED_UP))
    gathering = Gathering()
    rest = timeline(
        world, (seed, 0), warm_up_s, (from_s, for_s),
        lambda share: reporter.progress(_WARMED_UP + share * (_SIMULATED - _WARMED_UP)), gathering.take,
    )  # fmt: skip
    gathered = gathering.whole(rest)
    reporter.progress(_SORTED)
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    facts = {
        "name": world.name, "seed": seed, "replication": 0, "warm_up_s": warm_up_s,
        "asked_to_us": (from_s + for_s) * 1e6,
    }  # fmt: skip
    keep(gathered, unfinished, facts, lambda share: reporter.progress(_SORTED + share * (1 - _SORTED)))
    (unfinished / "source.json").write_text(json.dumps(source), "utf-8")
    unfinished.rename(place)
    return made


def perfetto(reporter: Reporter, folder: str, from_us: float, to_us: float, **about: Any) -> dict[str, Any]:
    """Write a window of a recorded timeline as `slicewright trace --out` writes it; raises InputError and RunError."""
    from slicewright.io.files import write_whole
    from slicewright.timeline.events import trace_text
    from slicewright.timeline.stretch import check_stretch, stretch

    place = Path(folder)
    facts = json.loads((place / "facts.json").read_text("utf-8"))
    world, seed, _ = _world(json.loads((place / "source.json").read_text("utf-8")))
    from_s, for_s = from_us / 1e6, (to_us - from_us) / 1e6
    check_stretch(world, from_s, for_s)
    made = stretch(world, (seed, 0), facts["warm_up_s"], (from_s, for_s), reporter.progress)
    write_whole(place / "perfetto.json", trace_text(made).encode())
    return {"timeline": place.name}


def _world(source: dict[str, Any]) -> tuple[Scenario, int, float | None]:
    """The scenario of a text, of a file or of a simulated run, with its seed; of a run the warm-up is known."""
    from slicewright.loading import load
    from slicewright.replay.replay import ready_to_run, resupplied
    from slicewright.run.run import Run

    if "text" in source:
        # One line would be taken as the name of a file.
        return ready_to_run(str(source["text"]).encode()).scenario, 1, None
    os.chdir(source["folder"])
    name = _only(source["names"])
    if not Path(name).is_dir():
        return ready_to_run(Path(name)).scenario, 1, None  # a name of two lines, as text, would be a scenario
    run = load(name)
    if not isinstance(run, Run):
        raise refusal(problem("a measured run has no timeline", file=name, allowed="a scenario or a simulated run"))
    recordings: Sequence[Recording] = run.recordings
    return resupplied(Scenario.read(run.scenario.encode(), name), recordings), run.seed, run.warm_up_s


def _only(names: Sequence[str]) -> str:
    """The scenario among dropped files: files that it names may lie beside it."""
    scenarios = [name for name in names if name.endswith(".toml")]
    return scenarios[0] if len(scenarios) == 1 else names[0]
