"""`slicewright.sweep`: a scenario simulated at many values of some keys, and the points as they lie in their store."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.errors import problem, refusal
from slicewright.parameters import check, path_problem
from slicewright.replay.replay import Recording, Replayed, facts, replayed
from slicewright.report import text
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.report.shown import Shown
from slicewright.run.laws import refuse_broken
from slicewright.scenario.changes import changes_of
from slicewright.scenario.source import Source, folder_of, read_scenario, scenario_problem
from slicewright.sweep.axes import Axis, axes_of, axes_with
from slicewright.sweep.design import design_of
from slicewright.sweep.place import place
from slicewright.sweep.plan import Plan, Terms
from slicewright.sweep.report import sweep_report
from slicewright.sweep.row import HEADLINE
from slicewright.sweep.runner import run_left
from slicewright.sweep.scenarios import Opening
from slicewright.sweep.store import Facts, Store, parts, read_facts, read_part, refuse_others, scan
from slicewright.values import settings

if TYPE_CHECKING:
    import polars

Progress = Callable[[float], None]


class Sweep(Shown):
    """The points of a sweep as they lie in their store; `points` is a frame of them.

    >>> from slicewright.sweep.example import small
    >>> small()
    HyperPAV pool, 8 aliases  alias_pool.LSS-52.aliases: 0, 8
      2 points: 2 done.
    ...
    """

    def __init__(
        self, directory: Path, facts: Facts, ids: frozenset[str] | None = None, opening: Opening | None = None
    ) -> None:
        self.directory = directory
        self.facts = facts
        self.opening = opening
        """How a point is simulated alone, as the sweep was called; None for a store that is read."""
        self._ids = ids
        """The points that were asked for; None for all of the store."""

    @staticmethod
    def read(directory: str | os.PathLike[str]) -> Sweep:
        """All points of a store, of this version or of another; every part is checked.  Raises InputError.

        >>> Sweep.read("no/such/store")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: no/such/store: there is no such directory
        """
        check(path_problem("directory", directory, "the name of a directory that sweep --out has written"))
        folder = Path(directory)
        found = Sweep(folder, read_facts(folder))
        for part in parts(folder):
            read_part(part, found.facts)
        return found

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The keys that vary."""
        return self.facts.axes

    def scan(self) -> polars.LazyFrame:
        """The points with all columns, the tables of entities as lists of structs; nothing is read yet."""
        import polars as pl

        lazy = scan(self.directory)
        return lazy if self._ids is None else lazy.filter(pl.col("id").is_in(sorted(self._ids)))

    @functools.cached_property
    def points(self) -> polars.DataFrame:
        """A row per point in the order of points: what names it, its values, its state, its headline numbers."""
        import polars as pl

        lazy = self.scan()
        kinds = lazy.collect_schema()
        flat = [name for name, kind in kinds.items() if not isinstance(kind, pl.List) or name == "notes"]
        points = lazy.select(flat).collect()
        of_system = [name for name in points.columns if name.startswith(f"{HEADLINE}.")]
        self._refuse_broken(HEADLINE, points.select(pl.col(of_system).name.map(lambda name: name.partition(".")[2])))
        return points

    def table(self, name: str) -> polars.DataFrame:
        """A table of entities, such as volumes: a row per point and entity, with the values of the axes."""
        import polars as pl

        keys = [axis.key for axis in self.axes]
        chosen = self.scan().filter(pl.col(name).list.len() > 0).select("id", *keys, "seed", name)
        table = chosen.collect().explode(name).unnest(name)
        self._refuse_broken(name, table.drop("id", "seed"))
        return table

    def _refuse_broken(self, table: str, frame: polars.DataFrame) -> None:
        """Raise InputError where a number of a table breaks a law."""
        try:
            refuse_broken({table: frame})
        except ValueError as error:
            what, remedy = "is a damaged store", "remove it; the same sweep simulates its points again"
            raise refusal(problem(what, file=str(self.directory), why=str(error), remedy=remedy)) from None

    def report(self) -> Report:
        """The sweep as a report."""
        return sweep_report(self)

    def html(self) -> str:
        """The sweep as a page, the `report.html` of its store."""
        return render(self.report())

    def __str__(self) -> str:
        """The sweep as text, as `slicewright sweep` prints it."""
        return text.render(self.report())

    def glances(self) -> list[Report]:
        """The report itself."""
        return [self.report()]


@settings.documented("sweep")
def sweep(
    scenario: Source,
    axes: Mapping[str, object] | Sequence[str] | None = None,
    *,
    out: str | os.PathLike[str],
    set: Mapping[str, Any] | Sequence[str] | None = None,
    design: str = "grid",
    points: int | None = None,
    seed: int = 1,
    replications: int | None = None,
    precision: str | None = None,
    on: Any = None,
    progress: Progress | None = None,
) -> Sweep:
    """Simulate a scenario at many values of some keys, and keep every point in a store that loses none.

    `axes` maps keys to values: a range with both ends (`"0..24:4"`, `"2..30:4 ms"`) or a list (`"0,8,16"`, or any
    sequence). Keys of the scenario's own `[[sweep]]` vary too, unless they are named here.  `set` changes other
    keys, for all points.  `design="grid"` simulates all combinations; `"sobol"` and `"latin"` fill the space of the
    axes with `points` of them. All points share random numbers (`seed`).  `precision="1%"` adds replications to
    each point, as in `run`.  `out` is the directory of the store. Points that it has are not simulated again.  `on`
    is where points are simulated: `"threads:4"` (default: a thread per processor), `"local:4"` (processes of Dask),
    `"tcp://host:8786"` (a scheduler of Dask), or a `dask.distributed.Client`; it changes nothing but the time.
    `progress` is called with the share done.

    A point that is refused or that fails is a row with its reason.

    Raises InputError where no point can be simulated, or where the directory holds something else.  Raises RunError
    where Dask is gone, OSError where the store cannot be written.

    >>> import tempfile
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    >>> from slicewright._core import starter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = sweep(starter("pool"), {"alias_pool.LSS-52.aliases": [0, 8]}, out=folder, set=quick)
    ...     found.points["alias_pool.LSS-52.aliases"].to_list()
    [0, 8]
    """
    given = {"out": out, "seed": seed, "replications": replications, "progress": progress}
    check(scenario_problem(scenario), *settings.problems("sweep", **given))
    share = None if precision is None else settings.share("sweep", "precision", precision)
    more = [f"measure.replications={replications}"] if replications else []
    (found, changes), ready = _asked(scenario, axes or [], [*changes_of(set), *more])
    chosen = design_of(found, design, points)
    store = Store(Path(out), facts_of(ready, found))
    refuse_others(store.directory, store.facts)
    plan = Plan(Terms(ready.scenario, seed, None if share is None else f"{100 * share:g}%"), chosen)
    if plan.hopeless:
        raise plan.hopeless
    opening = Opening.of(scenario, changes, ready.scenario, store.facts.axes)
    return _swept((plan, opening), store, (on, ready.recordings), progress or (lambda share: None))


def _asked(
    scenario: Source, axes: Mapping[str, object] | Sequence[str], changes: list[str]
) -> tuple[tuple[list[Axis], list[str]], Replayed]:
    """The axes with those of the scenario, all changes of all points, and the scenario with these."""
    given = axes_of(axes)
    read = read_scenario(scenario, changes + given[1])
    found, single = axes_with(given, read.swept, read.name)
    if alone := single[: len(single) - len(given[1])]:
        read = read.with_(alone)
    return (found, changes + single), replayed(read, folder_of(scenario))


def _swept(
    planned: tuple[Plan, Opening], store: Store, where: tuple[Any, Sequence[Recording]], progress: Progress
) -> Sweep:
    plan, opening = planned
    on, recordings = where
    with store:
        if plan.ids - store.done:
            store.refuse_unwritable()
            with place(on) as simulating:
                run_left(plan, store, (simulating, recordings), progress)
        store.finish()
        result = Sweep(store.directory, store.facts, frozenset(plan.ids), replace(opening, axes=store.facts.axes))
        store.write_report(result.html())
    return result


def facts_of(ready: Replayed, axes: Sequence[Axis]) -> Facts:
    """The facts of a store with these axes."""
    scenario = ready.scenario
    bare = tuple(Axis(axis.key, axis.unit, axis.kind) for axis in axes)
    return Facts(scenario.name, scenario.checksum, scenario.resolved, [*map(facts, ready.recordings)], bare)
