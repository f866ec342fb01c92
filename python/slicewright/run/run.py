"""A run of one scenario: its replications simulated, estimates of every counter, and what it takes to repeat it."""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import InputError, Scenario, __version__
from slicewright.errors import Problem, problem, refusal, sentence
from slicewright.io.files import read_bytes, refuse_occupied, shown
from slicewright.parameters import brief, check, kind_problem, path_problem, whole_problem
from slicewright.replay.replay import Recording, Replayed, replayed
from slicewright.run.headline import widest
from slicewright.run.room import require_room
from slicewright.run.tables import ENTITY, counters, frames, keys, per_replication
from slicewright.run.unmeasured import left_out
from slicewright.scenario.changes import changes_of
from slicewright.scenario.files import read_with_files
from slicewright.statistics import estimate, percent, plural, significant

if TYPE_CHECKING:
    import polars

    from slicewright.scenario.view import View

Source = str | bytes | os.PathLike[str] | Scenario
"""A path, TOML text (bytes, or a string of more than one line), or a scenario that was read."""

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""

MOST_REPLICATIONS = 10_000
PRECISION_REPLICATIONS = 1_000
"""Replications after which `precision` gives up and says so."""

_OF_THREAD = 4 << 20
"""Bytes of a thread that simulates."""

_REPORTS = {
    b"FCX108": "a DEVICE report (FCX108)",
    b"D I R E C T   A C C E S S": "an RMF page",
    b"C P U   A C T I V I T Y": "an RMF page",
    b"P A R T I T I O N   D A T A": "an RMF page",
}
"""How pages are known that are no scenarios."""


@dataclass(frozen=True)
class Run:
    """The results of one scenario under one seed.

    `raw[table]` has one row per replication, interval and entity.  `volumes`, `devices`, `pools`, `control_units`,
    `minidisks`, `resources`, `enqueues`, `serialization`, `front_ends`, `partitions`, `logical_processors`, `cgroups`,
    `threads`, `control_programs`, `locks`, `control_processors`, `virtual_machines`, `spin_locks`, `guests`,
    `processors` and `system` have one row per entity: each counter `x` is the mean over replications, with its 95 %
    half-width in `x_half_width`.  Units stand in the names (`_ms`, `_us`, `_per_s`, `_percent`).  `decisions` and
    `contention` are logs of replication 0: a row for each decision, and for each request in a contended queue when an
    interval ends.

    >>> from slicewright._core import starter
    >>> result = run(starter("mm1"), replications=2, set={"measure.interval": "20 s"})
    >>> result.volumes.height
    1
    >>> result.seed, result.replications
    (1, 2)
    """

    name: str
    scenario: str
    """The resolved scenario, as TOML."""
    checksum: str
    """SHA-256 of the resolved scenario."""
    version: str
    seed: int
    replications: int
    warm_up_s: float
    """Simulated time cut from the start of every replication."""
    raw: Mapping[str, polars.DataFrame]
    numbers: Sequence[Mapping[str, str]] = ()
    """Every number of the scenario as `explain` lists it: key, value, role, why."""
    notes: Sequence[str] = ()
    """What a reader of the results has to know."""
    recordings: Sequence[Recording] = ()
    """The files of the replayed guests, as they were read."""

    @functools.cached_property
    def view(self) -> View:
        """The scenario, typed: `run.view.partitions`, `run.view.measure.interval_s`."""
        return Scenario.read(self.scenario.encode(), "scenario.toml").view

    @functools.cached_property
    def volumes(self) -> polars.DataFrame:
        """A row per volume."""
        return self._estimates("volumes")

    @functools.cached_property
    def devices(self) -> polars.DataFrame:
        """A row per exposure: bases, bound aliases, pool aliases."""
        return self._estimates("devices")

    @functools.cached_property
    def pools(self) -> polars.DataFrame:
        """A row per HyperPAV pool."""
        return self._estimates("pools")

    @functools.cached_property
    def control_units(self) -> polars.DataFrame:
        """A row per control unit."""
        return self._estimates("control_units")

    @functools.cached_property
    def minidisks(self) -> polars.DataFrame:
        """A row per minidisk."""
        return self._estimates("minidisks")

    @functools.cached_property
    def resources(self) -> polars.DataFrame:
        """A row per resource that guests hold."""
        return self._estimates("resources")

    @functools.cached_property
    def enqueues(self) -> polars.DataFrame:
        """A row per resource that guests enqueue on by name."""
        return self._estimates("enqueues")

    @functools.cached_property
    def serialization(self) -> polars.DataFrame:
        """A row per partition whose guests enqueue: what ENQ and DEQ cost there, their lock, their exits."""
        return self._estimates("serialization")

    @functools.cached_property
    def front_ends(self) -> polars.DataFrame:
        """A row per front-end processor."""
        return self._estimates("front_ends")

    @functools.cached_property
    def partitions(self) -> polars.DataFrame:
        """A row per partition or domain: where the time of its logical processors goes, and how its interrupts fare."""
        return self._estimates("partitions")

    @functools.cached_property
    def logical_processors(self) -> polars.DataFrame:
        """A row per logical processor of a partition."""
        return self._estimates("logical_processors")

    @functools.cached_property
    def control_programs(self) -> polars.DataFrame:
        """A row per control program: where the time of its processors goes, and how it dispatches; 100 % is one."""
        return self._estimates("control_programs")

    @functools.cached_property
    def cgroups(self) -> polars.DataFrame:
        """A row per group of threads: what its `cpu.stat` would count in an interval, and how many want to run."""
        return self._estimates("cgroups")

    @functools.cached_property
    def threads(self) -> polars.DataFrame:
        """A row per guest whose members are threads: how late they run after they wake, and how often they move."""
        return self._estimates("threads")

    @functools.cached_property
    def locks(self) -> polars.DataFrame:
        """A row per lock of a control program: who spins for it, and for how long."""
        return self._estimates("locks")

    @functools.cached_property
    def control_processors(self) -> polars.DataFrame:
        """A row per logical processor of a control program: its time, its polarity, its dispatch vector, its steals."""
        return self._estimates("control_processors")

    @functools.cached_property
    def virtual_machines(self) -> polars.DataFrame:
        """A row per virtual machine: what it was charged, and how its virtual processors stood."""
        return self._estimates("virtual_machines")

    @functools.cached_property
    def spin_locks(self) -> polars.DataFrame:
        """A row per spin lock of a virtual machine, those of one name together: who spins for it, and for how long."""
        return self._estimates("spin_locks")

    @property
    def decisions(self) -> polars.DataFrame:
        """A row per decision of a control program in replication 0, the warm-up's (before 0 s) too: when, from what."""
        return self.raw["decisions"]

    @functools.cached_property
    def contention(self) -> polars.DataFrame:
        """A row per request for a resource that others wait for, at the end of each interval of replication 0."""
        return self.raw["contention"]

    @functools.cached_property
    def guests(self) -> polars.DataFrame:
        """A row per group of guests."""
        return self._estimates("guests")

    @functools.cached_property
    def processors(self) -> polars.DataFrame:
        """A row per group of guests: where the time of its virtual processors goes."""
        return self._estimates("processors")

    @functools.cached_property
    def system(self) -> polars.DataFrame:
        """One row: the whole system."""
        return self._estimates("system")

    @property
    def intervals(self) -> polars.DataFrame:
        """The volumes as measured: one row per replication, interval and volume."""
        return self.raw["volumes"]

    def values(self, table: str, counter: str, entity: str = "") -> list[float]:
        """A counter of one entity (of the only one, without a name), one value per replication, in their order.

        An entity is named by its first column ("VOL001") or by all of them ("ZVM LIGHT 0").  Raises KeyError for one
        that the table does not have.

        >>> from slicewright._core import starter
        >>> len(run(starter("mm1"), replications=2).values("system", "response_ms"))
        2
        """
        frame = per_replication(self.raw[table], table)
        if entity:
            names = _names(frame, table)
            frame = frame.filter((frame[keys(frame)[0]].cast(str) == entity) | (names == entity))
            if frame.is_empty():
                raise KeyError(f"no {entity} among the {table}")
        return [math.nan if value is None else float(value) for value in frame.sort("replication")[counter]]

    def _estimates(self, table: str) -> polars.DataFrame:
        from slicewright.statistics import over_replications

        single = per_replication(self.raw[table], table)
        return over_replications(single, keys(single), counters(single))


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

    `replications` default to what the scenario asks for (10 unless it says otherwise); `set` changes keys of the
    scenario (`{"alias_pool.LSS-52.aliases": 8}`, or `["alias_pool.LSS-52.aliases=8"]`); `precision="1%"` adds
    replications until the half-widths of what the run is about are within that share of their means: response time
    and rate of its I/O, without I/O the work of virtual machines, pairs of ENQ and DEQ, processor time and throttled
    periods of groups of threads, or cycles of guests; `out` is a directory to leave the results in; `threads` (default:
    all processors) changes nothing but the time it takes; `progress` is called with the share done.

    Raises InputError with every problem of the scenario, RunError when the simulation cannot go on, OSError when `out`
    cannot be written.

    >>> from slicewright._core import starter
    >>> result = run(starter("mm1"), replications=3, set={"measure.interval": "20 s"})
    >>> result.system["io_per_s"][0] > 0
    True
    """
    check(
        scenario_problem(scenario),
        whole_problem("seed", seed, 0, 2**64 - 1),
        None if replications is None else whole_problem("replications", replications, 1, MOST_REPLICATIONS),
        None if threads is None else whole_problem("threads", threads, 1, 1024),
        None if out is None else path_problem("out", out),
        progress_problem(progress),
    )
    share = _share(precision)
    if out is not None:
        from slicewright.run.directory import EARLIER

        refuse_occupied(out, EARLIER)
    ready = ready_to_run(scenario, set)
    threads = threads or len(os.sched_getaffinity(0))
    replications = replications or int(ready.scenario.measure["replications"])
    result = _simulate(ready, (seed, threads), replications, share, progress)
    if out is not None:
        from slicewright.run.directory import save

        save(result, out)
    return result


def read_scenario(
    scenario: Source,
    set: Mapping[str, Any] | Sequence[str] | None = None,
) -> Scenario:
    """Read a scenario from a path (`-`: standard input), text or bytes, with keys changed by `set`.

    Files that it names in place of texts (name lists) are relative to its own file, without one to the working
    directory; the scenario that was read has what was in them.

    Raises InputError with every problem, also when `set` is given for a scenario that was already read.

    >>> from slicewright._core import starter
    >>> read_scenario(starter("mm1")).name != ""
    True
    """
    if isinstance(scenario, Scenario):
        if changes_of(set):
            what = "a scenario that was already read cannot be changed"
            raise refusal(problem(what, key="set", allowed="the text of the scenario, or its file"))
        return scenario
    check(scenario_problem(scenario))
    changes = changes_of(set)
    if isinstance(scenario, bytes):
        return read_with_files(scenario, "scenario", changes, Path())
    if isinstance(scenario, str) and "\n" in scenario:
        return read_with_files(scenario.encode(errors="backslashreplace"), "scenario", changes, Path())
    return _read(read_bytes(scenario), shown(scenario), (changes, _folder(scenario)))


def ready_to_run(scenario: Source, set: Mapping[str, Any] | Sequence[str] | None = None) -> Replayed:
    """Read a scenario as `read_scenario` does, and the recordings that it names.

    A recording's file is relative to the scenario's file; to the working directory where the scenario is a text, comes
    from standard input, or was already read.  Raises InputError with every problem.

    >>> from slicewright._core import starter
    >>> ready_to_run(starter("mm1")).recordings
    ()
    """
    world = read_scenario(scenario, set)
    return replayed(world, _folder(scenario))


def scenario_problem(scenario: object) -> Problem | None:
    """What is wrong with something that is to be a scenario and is not even a text or the name of a file.

    >>> scenario_problem(5)["key"]
    'scenario'
    """
    if isinstance(scenario, bytes | Scenario) or (isinstance(scenario, str) and "\n" in scenario):
        return None
    return path_problem("scenario", scenario, "a path, TOML text, bytes, or a Scenario that was read")


def progress_problem(progress: object) -> Problem | None:
    """What is wrong with something that is to be called with the share done.

    >>> progress_problem(print)
    """
    if progress is None or callable(progress):
        return None
    return kind_problem("progress", progress, (), "a function of one number, the share done")


def _folder(scenario: Source) -> Path:
    if isinstance(scenario, (bytes, Scenario)) or (isinstance(scenario, str) and ("\n" in scenario or scenario == "-")):
        return Path()
    return Path(os.fsdecode(os.fspath(scenario))).parent


def _read(data: bytes, file: str, given: tuple[Sequence[str], Path]) -> Scenario:
    changes, folder = given
    try:
        return read_with_files(data, file, changes, folder)
    except InputError as error:
        found = [kind for mark, kind in _REPORTS.items() if mark in data[:1000]]
        # A scenario that cites a report has its marks too.
        if not found or not any(wrong["what"].startswith("not TOML") for wrong in error.problems):
            raise
    what = f"is {found[0]}, not a scenario"
    raise refusal(problem(what, file=file, allowed="a scenario; slicewright advise reads reports"))


def _names(frame: polars.DataFrame, table: str) -> polars.Series:
    """What the rows of a table are called by all columns that name them: "ZVM LIGHT 0"."""
    import polars as pl

    return frame.select(pl.concat_str(ENTITY[table].split(), separator=" ")).to_series()


def _simulate(
    ready: Replayed,
    seed_threads: tuple[int, int],
    replications: int,
    share: float | None,
    progress: Progress | None,
) -> Run:
    import polars as pl

    world, (seed, threads) = ready.scenario, seed_threads
    world.refuse_beyond_memory(replications)
    require_room(world.result_bytes(replications) + _OF_THREAD * threads)
    pilots, progress = _parts(world, replications, threads, progress)
    warm_up_s, settled = world.warm_up(seed, pilots)
    notes = [*(sentence(warning) for warning in world.warnings), *ready.notes]
    if not settled:
        notes.append(
            "the warm-up did not settle in the pilot runs: measure longer intervals, or declare measure.warm_up"
        )
    if share is not None:
        replications = max(2, replications)
    raw = frames(world.simulate(seed, (0, replications), threads, warm_up_s, progress))
    most = min(PRECISION_REPLICATIONS, world.most_replications())
    while share is not None:
        reached = widest(raw)
        if reached <= share:
            break
        if replications >= most:
            notes.append(
                f"half-width is {percent(reached, 2)} of the mean after {replications:,} replications; "
                f"the {percent(share, 2)} asked for is out of reach: measure longer intervals"
            )
            break
        more = min(most, _next_count(replications, reached / share))
        added = frames(world.simulate(seed, (replications, more), threads, warm_up_s, progress))
        raw = {table: pl.concat([raw[table], added[table]]) for table in raw}
        replications = more
    notes += [*_imbalance(raw), *_removed(raw), *left_out(raw)]
    return Run(
        name=world.name, scenario=world.resolved, checksum=world.checksum, version=__version__, seed=seed,
        replications=replications, warm_up_s=warm_up_s, raw=raw, numbers=tuple(world.explain()), notes=tuple(notes),
        recordings=ready.recordings,
    )  # fmt: skip


def _parts(
    world: Scenario, replications: int, threads: int, progress: Progress | None
) -> tuple[Progress, Progress] | tuple[None, None]:
    """Progress of the pilots, which simulate one interval one after the other, and of the replications."""
    if progress is None:
        return None, None
    measure = world.measure
    pilots = 0.0
    if measure["warm_up_s"] is None:
        pilots = 1 / (1 + replications * measure["intervals"] / min(threads, replications))
    return lambda share: progress(pilots * share), lambda share: progress(pilots + (1 - pilots) * share)


def _next_count(replications: int, ratio: float) -> int:
    """As many as the half-width's 1 / sqrt(n) asks for, between a fifth more and four times as many."""
    wanted = math.ceil(min(4.0, ratio**2) * replications)
    return min(PRECISION_REPLICATIONS, max(wanted, replications + max(2, replications // 5)))


def _imbalance(raw: Mapping[str, polars.DataFrame]) -> list[str]:
    """What to say when requests in the system and rate x response differ by more than noise explains.

    Little's law holds over long intervals; where it does not, the queues were still growing or draining.  A request
    whose I/O has ended and whose interrupt is pending is in the system too.
    """
    row = per_replication(raw["system"], "system")
    present = estimate((row["queue_depth"] + row["in_service"] + _uncleared(raw, row)).drop_nulls().to_list())
    flow = estimate((row["io_per_s"] * row["response_ms"] / 1000).fill_null(0).to_list())
    noise = sum(one.half_width for one in (present, flow) if math.isfinite(one.half_width))
    if not abs(present.mean - flow.mean) > 0.1 * present.mean + noise:
        return []
    return [
        f"queues were growing or draining: {significant(present.mean)} requests were in the system, rate x response is "
        f"{significant(flow.mean)}; response times describe no steady state: measure longer, or load it less"
    ]


def _removed(raw: Mapping[str, polars.DataFrame]) -> list[str]:
    """What to say of exits that failed and were removed, which no request calls any more."""
    import polars as pl

    rows = raw["serialization"]
    if rows.is_empty():
        return []
    most = rows.group_by("partition", maintain_order=True).agg(pl.col("exits_removed").max())
    failed = most.filter(pl.col("exits_removed") > 0)
    return [
        f"{plural(int(row['exits_removed']), 'exit')} of {row['partition']} failed and went "
        "(serialization.exits_removed)"
        for row in failed.iter_rows(named=True)
    ]


def _uncleared(raw: Mapping[str, polars.DataFrame], row: polars.DataFrame) -> polars.Series:
    """I/Os that have ended and whose interrupts are pending, in all partitions, for each replication of `row`."""
    import polars as pl

    partitions = per_replication(raw["partitions"], "partitions")
    if partitions.is_empty():
        return pl.repeat(0.0, row.height, eager=True)
    pending = partitions.group_by("replication").agg(pl.col("interrupts_pending").sum())
    return row.join(pending, on="replication", how="left")["interrupts_pending"]


def _share(precision: object) -> float | None:
    if precision is None:
        return None
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*", precision) if isinstance(precision, str) else None
    share = float(match[1]) / 100 if match else 0.0
    if not 0.0001 <= share <= 0.5:
        allowed = "a percentage with its sign, .01 % to 50 %: 1%"
        raise refusal(problem(f"not a precision: {brief(precision)!r}", key="precision", allowed=allowed))
    return share
