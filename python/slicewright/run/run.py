"""A run of one scenario: its replications simulated, estimates of every counter, and what it takes to repeat it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, __version__
from slicewright.report import text
from slicewright.report.model import Face, Report
from slicewright.report.shown import Reported
from slicewright.run.convoy import convoys
from slicewright.run.directory import EARLIER, save
from slicewright.run.headline import widest
from slicewright.run.pages.run import glance, in_brief, run_report
from slicewright.run.pooled import Pooled, Simulated, together
from slicewright.run.results import Results
from slicewright.run.room import require_room
from slicewright.run.steady import notes_on
from slicewright.run.unmeasured import left_out
from slicewright.scenario.left_open import doubts
from slicewright.scenario.replay import Replayed, ready_to_run
from slicewright.scenario.source import Source, scenario_problem
from slicewright.statistics import estimate, percent, plural, significant
from slicewright.values import settings
from slicewright.values.files import refuse_occupied
from slicewright.values.parameters import check

if TYPE_CHECKING:
    import polars

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""

PRECISION_REPLICATIONS = 1_000
"""Replications after which `precision` gives up and says so."""

_OF_THREAD = 4 << 20
"""Bytes of a thread that simulates."""


class Run(Reported, Results):
    """The results of one scenario under one seed, as `run` and `load` return them.

    >>> import slicewright
    >>> run(slicewright.starter("mm1"), replications=2)
    M/M/1 at 50 %  2 replications, seed 1, warm-up cut ...
      1 volume: ... I/O per s, response ... ms, ... waiting
    ...
    """

    def report(self) -> Report:
        """The run as a report."""
        return run_report(self)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write the run directory; raises InputError where the name belongs to something else, OSError as `open`."""
        save(self, directory)

    def __str__(self) -> str:
        """The run as text, as `slicewright run` prints it."""
        return text.render(run_report(self, Face.TEXT))

    def __repr__(self) -> str:
        """Five lines: the run, its headline, its tables, the state of its numbers, its notes."""
        return in_brief(self)

    def glances(self) -> list[Report]:
        """The headline, the first table and its figure."""
        return [glance(self)]


@settings.documented("run")
def run(
    scenario: Source,
    *,
    seed: int = 1,
    replications: int | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    precision: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Simulate a scenario: independent replications, the warm-up cut from each, the same bytes whenever repeated.

    `replications` default to the scenario's number (10 unless it says otherwise).  `set` changes keys of the scenario
    (`{"alias_pool.LSS-52.aliases": 8}`, or `["alias_pool.LSS-52.aliases=8"]`).  `precision="1%"` adds replications
    until the half-widths of the run's main measures are within that share of their means.  These are the response time
    and rate of its I/O.  Without I/O they are the work of virtual machines, pairs of ENQ and DEQ, processor time and
    throttled periods of groups of threads, or cycles of guests.  `out` is a directory for the results.  `threads`
    (default: all processors) changes nothing but the time it takes.  `progress` is called with the share done.

    Raises InputError with every problem of the scenario, RunError when the simulation cannot go on, OSError when `out`
    cannot be written.

    >>> from slicewright._core import starter
    >>> result = run(starter("mm1"), replications=3, set={"measure.interval": "20 s"})
    >>> result.system["io_per_s"][0] > 0
    True
    """
    given = {"seed": seed, "replications": replications, "threads": threads, "out": out, "progress": progress}
    check(scenario_problem(scenario), *settings.problems("run", **given))
    share = None if precision is None else settings.share("run", "precision", precision)
    if out is not None:
        refuse_occupied(out, EARLIER)
    ready = ready_to_run(scenario, set)
    threads = threads or len(os.sched_getaffinity(0))
    replications = replications or int(ready.scenario.measure["replications"])
    result = simulated(ready, Asked(seed, threads, replications, share), progress)
    if out is not None:
        save(result, out)
    return result


@dataclass(frozen=True, slots=True)
class Asked:
    """The terms of a run; `share` is the precision that is asked for."""

    seed: int
    threads: int
    replications: int
    share: float | None = None


Simulate = Callable[[Scenario, Asked, tuple[int, int], float, Progress | None], dict[str, Any]]
"""A way to simulate some replications after a warm-up."""


def _simulate(
    world: Scenario, asked: Asked, which: tuple[int, int], warm_up_s: float, progress: Progress | None
) -> dict[str, Any]:
    return world.simulate(asked.seed, which, asked.threads, warm_up_s, progress)


def simulated(
    ready: Replayed, asked: Asked, progress: Progress | None, simulate: Simulate = _simulate,
    warm_up: Callable[[Scenario, int, Progress | None, int], tuple[float, bool]] = Scenario.warm_up,
) -> Run:  # fmt: skip
    """The run of a scenario that is ready; raises InputError and RunError."""
    world, share, replications = ready.scenario, asked.share, asked.replications
    world.refuse_beyond_memory(replications)
    require_room(world.result_bytes(replications) + _OF_THREAD * asked.threads)
    pilots, progress = _parts(world, replications, asked.threads, progress)
    warm_up_s, settled = warm_up(world, asked.seed, pilots, asked.threads)
    notes = [*doubts(world), *ready.notes]
    if not settled:
        notes.append(
            "the warm-up did not settle in the pilot runs: measure longer intervals, or declare measure.warm_up"
        )
    if share is not None:
        replications = max(2, replications)
    made = Simulated.of(simulate(world, asked, (0, replications), warm_up_s, progress))
    most = min(PRECISION_REPLICATIONS, world.most_replications())
    while share is not None:
        reached = widest(made.pooled)
        if reached <= share:
            break
        if replications >= most:
            notes.append(
                f"half-width is {percent(reached, 2)} of the mean after {plural(replications, 'replication')}; "
                f"the {percent(share, 2)} asked for is out of reach: measure longer intervals"
            )
            break
        more = min(most, _next_count(replications, reached / share))
        added = Simulated.of(simulate(world, asked, (replications, more), warm_up_s, progress))
        made = together([made, added])
        replications = more
    pooled = made.pooled
    notes += [*_imbalance(pooled), *notes_on(pooled), *convoys(pooled), *_removed(pooled), *left_out(pooled)]
    return Run(
        name=world.name, scenario=world.resolved, checksum=world.checksum, version=__version__, seed=asked.seed,
        replications=replications, warm_up_s=warm_up_s, raw=made.raw, counted=made.counted,
        numbers=tuple(world.explain()), notes=tuple(notes),
        recordings=ready.recordings,
    )  # fmt: skip


def _parts(
    world: Scenario, replications: int, threads: int, progress: Progress | None
) -> tuple[Progress, Progress] | tuple[None, None]:
    """Progress of the four pilots, which simulate one interval together, and of the replications."""
    if progress is None:
        return None, None
    measure = world.measure
    pilots = 0.0
    if measure["warm_up_s"] is None:
        pilots = 1 / (1 + min(threads, 4) * replications * measure["intervals"] / min(threads, replications))
    return lambda share: progress(pilots * share), lambda share: progress(pilots + (1 - pilots) * share)


def _next_count(replications: int, ratio: float) -> int:
    """As many as the half-width's 1 / sqrt(n) asks for, between a fifth more and four times as many."""
    wanted = math.ceil(min(4.0, ratio**2) * replications)
    return min(PRECISION_REPLICATIONS, max(wanted, replications + max(2, replications // 5)))


def _imbalance(pooled: Pooled) -> list[str]:
    """A note where requests in the system and rate x response differ by more than noise explains.

    Little's law holds over long intervals; where it does not, the queues were still growing or draining.  A request
    whose I/O has ended and whose interrupt is pending is in the system too.
    """
    row = pooled["system"]
    present = estimate((row["queue_depth"] + row["in_service"] + _uncleared(pooled, row)).drop_nulls().to_list())
    flow = estimate((row["io_per_s"] * row["response_ms"] / 1000).fill_null(0).to_list())
    noise = sum(quantity.half_width for quantity in (present, flow) if math.isfinite(quantity.half_width))
    if not abs(present.mean - flow.mean) > 0.1 * present.mean + noise:
        return []
    return [
        f"queues were growing or draining: {significant(present.mean)} requests were in the system, rate x response is "
        f"{significant(flow.mean)}; response times describe no steady state: measure longer, or load it less"
    ]


def _removed(pooled: Pooled) -> list[str]:
    """A note on exits that failed and were removed, which no request calls any more."""
    import polars as pl

    rows = pooled["serialization"]
    if rows.is_empty():
        return []
    most = rows.group_by("partition", maintain_order=True).agg(pl.col("exits_removed").max())
    failed = most.filter(pl.col("exits_removed") > 0)
    return [
        f"{plural(int(row['exits_removed']), 'exit')} of {row['partition']} failed and went "
        "(serialization.exits_removed)"
        for row in failed.iter_rows(named=True)
    ]


def _uncleared(pooled: Pooled, row: polars.DataFrame) -> polars.Series:
    """I/Os that have ended and whose interrupts are pending, in all partitions, for each replication of `row`."""
    import polars as pl

    partitions = pooled["partitions"]
    if partitions.is_empty():
        return pl.repeat(0.0, row.height, eager=True)
    pending = partitions.group_by("replication").agg(pl.col("interrupts_pending").sum())
    return row.join(pending, on="replication", how="left")["interrupts_pending"]
