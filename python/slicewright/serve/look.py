"""Looks at one setting of a scenario within a second or two, a pinned one beside it, and runs in full."""

from __future__ import annotations

import base64
import functools
import io
import math
import os
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, __version__, scenario_files
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import SEED, processors
from slicewright.report.figure import Figure
from slicewright.report.html import embedded
from slicewright.report.model import Face, Table
from slicewright.results.compare import HEADINGS, Comparison
from slicewright.run.headline import foremost
from slicewright.run.pages.run import table_section
from slicewright.run.pages.run_columns import SHOWN
from slicewright.run.pooled import Simulated, together
from slicewright.scenario.files import read_with_files
from slicewright.scenario.left_open import doubts
from slicewright.scenario.replay import Recording, replayed
from slicewright.serve.tasks import Reporter, Task
from slicewright.statistics import plural, plus_minus, seconds

if TYPE_CHECKING:
    from slicewright.run.results import Results
    from slicewright.run.run import Run


_FIRST_S = 0.003
"""Seconds of a processor that the measured part of a replication of the first step takes, about."""
_PROBED_S = 0.003
"""Processor time after which a probe says how long an interval takes."""
_STEPS = ((1.0, 4), (4.0, 8), (16.0, 10))
"""Of each step the length of its interval in intervals of the first step, and its replications."""
_SHORTEST_S = 0.01
"""Simulated seconds of the first probe: the engine samples every millisecond at most, ten times in an interval."""
_BATCH = 4
"""Replications between two moments at which a look can be stopped."""


@dataclass
class _Look:
    """One setting: the scenario with its changes, and the lengths of the steps.

    Half of an interval is cut as warm-up, as pilots that would find it take longer than the look.  A scenario that
    changes while it runs, or that replays recordings, keeps its own interval and warm-up: its times mean something.
    """

    scenario: Scenario
    recordings: tuple[Recording, ...] = ()
    timed: bool = False
    """Whether times of the scenario itself mean something: it changes while it runs, or replays recordings."""
    done: dict[Plan, Run] = field(default_factory=dict)
    """Runs by plan: a pinned setting is simulated once."""

    @classmethod
    def of(cls, text: str, changes: Sequence[str], folder: str) -> _Look:
        """The look at a text with changes; raises InputError with every problem."""
        ready = replayed(read_with_files(text.encode(), "scenario.toml", changes, folder), folder)
        timed = bool(ready.scenario.replays or ready.scenario.view.changes)
        return cls(ready.scenario, ready.recordings, timed)

    def pace(self) -> float:
        """Simulated seconds of the first interval: by the processor time that probes take, in one digit to be stable.

        The first probe is as short as can be: it says what a replication takes that does not grow with its length.
        """
        own = float(self.scenario.measure["interval_s"])
        length = min(own, _SHORTEST_S)
        least = self._probe(length)
        while (took := self._probe(length) - least) < max(_PROBED_S, least) and length < own:
            length = min(own, 4 * length)
        return min(own, max(_SHORTEST_S, float(f"{length * _FIRST_S / max(took, _PROBED_S / 4):.0e}")))

    def _probe(self, length_s: float) -> float:
        """Seconds of processor time that a replication of this length takes."""
        scenario = self._of(Plan(length_s, 0.0, 1))
        began = time.process_time()
        scenario.simulate(SEED, (0, 1), 1, 0.0)
        return time.process_time() - began

    def plans(self, pace_s: float) -> Iterator[Plan]:
        """The steps, up to the scenario's own interval and replications."""
        measure = self.scenario.measure
        own, most = float(measure["interval_s"]), int(measure["replications"])
        warm_up = measure["warm_up_s"]
        if self.timed:
            settled = float(warm_up) if warm_up is not None else 0.0
            yield from (Plan(own, settled, count) for count in dict.fromkeys((min(2, most), min(4, most), most)))
            return
        for longer, replications in _STEPS:
            interval = min(own, pace_s * longer)
            cut = interval / 2 if warm_up is None else min(float(warm_up), interval / 2)
            yield Plan(interval, cut, replications)
            if interval >= own:
                return

    def batches(self, plan: Plan) -> Iterator[tuple[int, Run | None]]:
        """Replications done of a plan, batch by batch, and with the last the run."""
        known = self.done.get(plan)
        if known is not None:
            yield plan.replications, known
            return
        found: list[Simulated] = []
        for start in range(0, plan.replications, _BATCH):
            end = min(start + _BATCH, plan.replications)
            found.append(self._tables(plan, (start, end)))
            if end < plan.replications:
                yield end, None
        self.done[plan] = self._run(plan, together(found))
        yield plan.replications, self.done[plan]

    def _of(self, plan: Plan) -> Scenario:
        if self.timed:
            return self.scenario.with_([f"measure.replications={plan.replications}"])
        return self.scenario.with_(plan.changes())

    def _tables(self, plan: Plan, which: tuple[int, int]) -> Simulated:
        return Simulated.of(self._of(plan).simulate(SEED, which, processors(), plan.warm_up_s))

    def _run(self, plan: Plan, made: Simulated) -> Run:
        from slicewright.run.run import Run

        world = self._of(plan)
        return Run(
            name=world.name, scenario=world.resolved, checksum=world.checksum, version=__version__, seed=SEED,
            replications=plan.replications, warm_up_s=plan.warm_up_s, raw=made.raw, counted=made.counted,
            numbers=tuple(world.explain()),
            notes=doubts(world), recordings=self.recordings,
        )  # fmt: skip


def first_look(text: str, folder: str, changes: Sequence[str] = ()) -> tuple[Scenario, Run]:
    """A scenario and the run of its first step, within a second or two; raises InputError and RunError."""
    look = _Look.of(text, changes, folder)
    plan = next(look.plans(look.pace()))
    run = next(run for _, run in look.batches(plan) if run is not None)
    return look.scenario, run


_MOST_ROWS = 24
"""Rows of a table while one moves a slider; the report has them all."""


def _measures(run: Results) -> list[dict[str, Any]]:
    """The counters that the headline of the run has, each as a number with its half-width, and as text."""
    return [
        {
            "name": _heading(counter), "of": entity, "mean": estimate.mean, "half_width": estimate.half_width,
            "text": plus_minus(estimate.mean, estimate.half_width),
        }
        for entity, counter, estimate in foremost(run.pooled)
    ]  # fmt: skip


def _reach(run: Results) -> dict[str, int]:
    """How far sliders of aliases have to reach: twice the rule of thumb, aliases and waiting I/Os together."""
    import polars

    pools = run["pools"]
    waiting = run["volumes"].group_by("pool").agg(polars.col("queue_depth").sum())
    rows = pools.join(waiting, on="pool", how="left").select("pool", "aliases", "queue_depth").rows()
    found = {
        f'"{name}"' if "." in name else name: 2 * math.ceil(aliases + (depth or 0.0)) for name, aliases, depth in rows
    }
    found |= {"*": max(found.values())} if found else {}
    return {f"alias_pool.{name}.aliases": most for name, most in found.items()}


def _heading(counter: str) -> str:
    """A counter as the pages head it.

    >>> _heading("response_ms"), _heading("throttled_percent")
    ('Response, ms', 'throttled, %')
    """
    headers = (column.header for _, columns in SHOWN.values() for column in columns if column.key == counter)
    return HEADINGS.get(counter) or next(headers, counter.replace("_", " "))


def _tables(run: Results) -> list[dict[str, Any]]:
    """The tables of the run's report, as printed, without those of single processors."""
    found = []
    for name in SHOWN:
        if name in run.raw and run.raw[name].is_empty():
            continue
        for block in table_section(run, name).blocks:
            if isinstance(block, Table) and block.face & Face.TEXT:
                grid = block.grid(Face.HTML)
                head = [{"name": column.header, "left": column.is_left} for column in grid.columns]
                rows = [[cell.value for cell in row] for row in grid.rows[:_MOST_ROWS]]
                found.append({"title": block.title, "head": head, "rows": rows, "more": len(grid.rows) - len(rows)})
    return found


def _figure(run: Results) -> str:
    """The figure of the run's first table as a part of the page; empty where it has none."""
    from slicewright.report.drawing import html

    blocks = (block for name in SHOWN for block in table_section(run, name).blocks)
    first = next((block for block in blocks if isinstance(block, Figure)), None)
    return html(first) if first is not None else ""


def _differences(both: Comparison) -> list[dict[str, Any]]:
    """The counters that analysts look at first, of both runs, with the paired difference."""
    return [
        {
            "of": row["entity"], "name": row["name"], "before": row["text"]["before"], "after": row["text"]["after"],
            "change": row["text"]["change_percent"], "difference": row["text"]["difference"],
            "streams": row["streams"], "sure": row["certainty"] == "interval excludes 0",
        }
        for row in both.first if row["before"] or row["after"]
    ]  # fmt: skip


_Setting = tuple[str, tuple[str, ...], str]
"""The text of a scenario, the changes on top of it, and the folder of the files that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The arguments of a look or a run, as the page sends them."""

    text: str
    changes: Sequence[str]
    """Changes on top of the text, as `--set` takes them."""
    folder: str = "."
    pinned: Sequence[Any] = ()
    """The text and the changes of the pinned setting."""
    ask: int = 0
    """The number that the page gave; parts and results carry it."""
    pace_s: float = 0.0
    """The length of the first interval, which a part has given before: settings of a slider share random numbers."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> _Asked:
        """The arguments that are known; others are for people."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in arguments.items() if name in names})

    @property
    def looks(self) -> list[_Look]:
        """The looks at the pinned setting, if there is one, and at the setting itself."""
        settings = [(self.pinned[0], self.pinned[1])] if self.pinned else []
        settings.append((self.text, self.changes))
        return [_look((text, tuple(changes), self.folder)) for text, changes in settings]


def _simulate(reporter: Reporter, **arguments: Any) -> dict[str, Any]:
    """Look at a setting: parts with headline, tables and step, at the end figure and report.

    Each has the changes that it was asked with, as the page may have others by then.
    Arguments are those of `Asked`.  Raises InputError and RunError.
    """

    asked = _Asked.of(arguments)
    looks = asked.looks
    pace_s = asked.pace_s or looks[0].pace()
    for (run,), plan, last in _steps(reporter, looks, pace_s):
        part = {"ask": asked.ask, "changes": asked.changes, "pace_s": pace_s, "step": _said(plan), "last": last}
        reporter.part(part | {"measures": _measures(run), "tables": _tables(run), "reach": _reach(run)})
    return {"ask": asked.ask, "changes": asked.changes, "figure": _figure(run), "html": embedded(run.report())}


def _pair(reporter: Reporter, **arguments: Any) -> dict[str, Any]:
    """Look at a setting and at a pinned one with common random numbers; parts have the paired differences too.

    Arguments are those of `Asked`.  Raises InputError and RunError.
    """
    from slicewright.results.compare import compare

    asked = _Asked.of(arguments)
    looks = asked.looks
    pace_s = asked.pace_s or looks[-1].pace()
    for (before, after), plan, last in _steps(reporter, looks, pace_s):
        both = compare(before, after)
        part = {"ask": asked.ask, "changes": asked.changes, "pace_s": pace_s, "step": _said(plan), "last": last}
        part |= {"pinned": _measures(before), "pinned_changes": asked.pinned[1]}
        part |= {"measures": _measures(after), "tables": _tables(after), "reach": _reach(after)}
        reporter.part(part | {"differences": _differences(both)})
    return {"ask": asked.ask, "changes": asked.changes, "figure": _figure(after), "html": embedded(both.report())}


def _full(reporter: Reporter, **arguments: Any) -> dict[str, Any]:
    """A run as the scenario says that it is measured: its report, and its run directory as a ZIP file in base 64.

    With a pinned setting there are two run directories, and the report compares them.  Arguments are those of `Asked`.
    Raises InputError and RunError.
    """
    from slicewright.results.compare import compare
    from slicewright.run.run import run
    from slicewright.values.progress import piece

    asked = _Asked.of(arguments)
    os.chdir(asked.folder)
    wanted = {"pinned": (asked.pinned[0], asked.pinned[1])} if asked.pinned else {}
    wanted["run"] = (asked.text, asked.changes)
    runs = {
        name: run(text.encode(), set=list(changes), progress=piece(reporter.progress, at, len(wanted)))
        for at, (name, (text, changes)) in enumerate(wanted.items())
    }
    report = compare(runs["pinned"], runs["run"]).report() if asked.pinned else runs["run"].report()
    return {"html": embedded(report), "zip": base64.b64encode(_zipped(runs)).decode()}


def _zipped(runs: dict[str, Run]) -> bytes:
    """Run directories as a ZIP file; entries have one date, so that the same runs give the same bytes."""
    data = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, run in runs.items():
            run.save(Path(folder, name))
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return data.getvalue()


@functools.lru_cache(maxsize=4)
def _cached(setting: _Setting) -> _Look:
    return _Look.of(*setting)


def _look(setting: _Setting) -> _Look:
    """The look at a setting; that of a pinned one is kept, unless files are read that may have changed."""
    found = _cached(setting)
    reads = found.recordings or scenario_files(setting[0].encode(), "scenario.toml", list(setting[1]))
    return _Look.of(*setting) if reads else found


def _steps(reporter: Reporter, looks: Sequence[_Look], pace_s: float) -> Iterator[tuple[list[Run], Plan, bool]]:
    """The runs of all looks, step by step, and whether it is the last; plans are those of the last look, for all."""
    plans = list(looks[-1].plans(pace_s))
    for at, plan in enumerate(plans):
        runs: list[Run] = []
        for look in looks:
            for done, run in look.batches(plan):
                share = (len(runs) + done / plan.replications) / len(looks)
                reporter.progress((at + share) / max(len(plans), len(_STEPS)))
                if run is not None:
                    runs.append(run)
        yield runs, plan, plan is plans[-1]


def _said(plan: Plan) -> str:
    """A step in words.

    >>> _said(Plan(0.2, 0.1, 4))
    '4 replications of 0.2 s after a warm-up of 0.1 s'
    """
    length, cut = seconds(plan.interval_s), seconds(plan.warm_up_s)
    return f"{plural(plan.replications, 'replication')} of {length} after a warm-up of {cut}"


TASKS: dict[str, Task] = {
    "simulate": Task(_simulate, reads="text"),
    "pair": Task(_pair, reads="text"),
    "full": Task(_full, "long", "text"),
}
