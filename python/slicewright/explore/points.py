"""The points of an exploration: each resolved once for its name and its work, simulated, and kept as a row."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import slicewright._core as _core
from slicewright._core import InputError, RunError, Scenario, __version__
from slicewright.experiment.store import Part, Tables, simulated_tables, using, warm_up_of, whole_run
from slicewright.explore.axes import Axis, Design, Value
from slicewright.run.results import Results
from slicewright.run.run import Asked, Progress, simulated
from slicewright.run.tables import ENTITY, LOGS, counters, frames, keys
from slicewright.scenario.replay import Recording, ready_to_run, resupplied
from slicewright.values import settings
from slicewright.values.errors import sentence
from slicewright.values.parameters import brief

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars


DONE, REFUSED, FAILED = "done", "refused", "failed"
HEADLINE = "system"
"""The table with one row, whose counters have columns of their own."""

_FIRST = ("id", "work", "seed", "precision")
"""The columns before those of the axes."""


def _identity(checksum: str, seed: int, precision: str | None) -> str:
    """The name of a point, in hex: SHA-256 of all that its numbers depend on."""
    return hashlib.sha256(json.dumps([checksum, seed, precision, _core.__version__]).encode()).hexdigest()


def schema(axes: Sequence[Axis]) -> dict[str, Any]:
    """The types of all columns, in their order.

    >>> list(schema([]))[:6]
    ['id', 'work', 'seed', 'precision', 'state', 'reason']
    """
    import polars as pl

    kinds: dict[str, Any] = {"whole": pl.Int64(), "number": pl.Float64(), "text": pl.String()}
    first = {"id": pl.String(), "work": pl.Float64(), "seed": pl.UInt64(), "precision": pl.String()}
    return first | {axis.key: kinds[axis.kind] for axis in axes} | _measured()


def _row(results: Results) -> polars.DataFrame:
    """The measured columns of a point that was simulated.

    >>> import slicewright
    >>> _row(slicewright.run(slicewright.starter("mm1"), replications=2))["volumes"].list.len().item()
    1
    """
    import polars as pl

    system = results[HEADLINE].rename(lambda name: f"{HEADLINE}.{name}")
    facts = pl.DataFrame(
        {
            "state": DONE, "version": results.version, "checksum": results.checksum,
            "replications": results.replications, "warm_up_s": results.warm_up_s, "notes": [list(results.notes)],
        },
        schema_overrides=_facts(),
    )  # fmt: skip
    lists = [
        results[table].select(list(types)).to_struct(table).implode()
        for table, types in _tables().items()
        if not results.raw[table].is_empty()
    ]
    return pl.DataFrame([*facts.iter_columns(), *system.select(_flat()).iter_columns(), *lists])


def _absent(state: str, reason: str) -> polars.DataFrame:
    """The measured columns of a point that was refused, or that failed.

    >>> _absent(REFUSED, "unknown key")["state"].item()
    'refused'
    """
    import polars as pl

    return pl.DataFrame({"state": state, "reason": reason, "version": _core.__version__})


def _placed(measured: polars.DataFrame, first: Mapping[str, Any], axes: Sequence[Axis]) -> polars.DataFrame:
    """A row: what names the point (`FIRST`), its values, and those of its measured columns that it has."""
    import polars as pl

    types = schema(axes)
    named = [pl.Series(name, [value], types[name]) for name, value in first.items()]
    return pl.DataFrame([*named, *measured.iter_columns()])


def whole_rows(rows: Sequence[polars.DataFrame], axes: Sequence[Axis]) -> polars.DataFrame:
    """Rows with exactly the columns of a store, those that a row lacks null: of many at once, as columns are many.

    >>> import polars
    >>> whole_rows([polars.DataFrame({"id": ["a"]}), polars.DataFrame({"work": [1.0]})], [])["id"].to_list()
    ['a', None]
    """
    import polars as pl

    return pl.concat([pl.DataFrame(schema=schema(axes)), *rows], how="diagonal")


def _values_of(axes: Sequence[Axis], values: Sequence[Value]) -> dict[str, Value]:
    """The values of a point by key.

    >>> _values_of([], [])
    {}
    """
    return {axis.key: value for axis, value in zip(axes, values, strict=True)}


def to_bytes(frame: polars.DataFrame) -> bytes:
    """A frame as Parquet: the same frame gives the same bytes."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", row_group_size=max(1, frame.height))
    return buffer.getvalue()


def _facts() -> dict[str, Any]:
    import polars as pl

    return {
        "state": pl.String(), "reason": pl.String(), "version": pl.String(), "checksum": pl.String(),
        "replications": pl.Int64(), "warm_up_s": pl.Float64(), "notes": pl.List(pl.String()),
    }  # fmt: skip


@functools.cache
def _measured() -> dict[str, Any]:
    import polars as pl

    tables = {table: pl.List(pl.Struct(types)) for table, types in _tables().items()}
    return _facts() | dict.fromkeys(_flat(), pl.Float64()) | tables


@functools.cache
def _flat() -> list[str]:
    return [f"{HEADLINE}.{name}" for name in _tables_of((HEADLINE,))[HEADLINE]]


@functools.cache
def _tables() -> dict[str, dict[str, Any]]:
    return _tables_of(table for table in ENTITY if table != HEADLINE)


def _tables_of(tables: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Of each table the types of its columns: keys, then each counter with its half-width."""
    import polars as pl

    listed: dict[str, list[str]] = {table: [] for table in (*ENTITY, *LOGS)}
    for declared in (*_core.key_columns(), *_core.counters()):
        listed[declared["table"]].append(declared["name"])
    empty = frames({table: dict.fromkeys(names, ()) for table, names in listed.items()})
    made = {}
    for table in tables:
        frame = empty[table]
        measured = [name for counter in counters(frame) for name in (counter, f"{counter}_half_width")]
        made[table] = {name: frame.schema[name] for name in keys(frame)} | dict.fromkeys(measured, pl.Float64())
    return made


_Resolved = tuple[str, float, str, InputError | None]
"""Checksum, work and text of a setting, or why it is none."""
_DIGEST = 32
"""Bytes of a name in memory; a store has it in hex."""


@dataclass(frozen=True)
class Terms:
    """What all points of a sweep share: the scenario, the seed (common random numbers), the precision asked for.

    >>> from slicewright.scenario.starters import read_starter
    >>> Terms(read_starter("mm1"), 1, None).scenario.name
    'M/M/1 at 50 %'
    """

    scenario: Scenario
    seed: int
    precision: str | None
    batches: int = 1
    """How many times each setting is a point: with this seed, with the next, and so on."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point to simulate: its name, its work, its values, and its complete scenario as text, or why there is none.

    >>> Point("a", 0.0, (), 1, "", "unknown key").refused
    'unknown key'
    """

    id: str
    work: float
    values: tuple[Value, ...]
    seed: int
    text: str
    refused: str = ""
    precision: str | None = None

    def refusal(self) -> polars.DataFrame:
        """The measured columns of a point that is no scenario."""
        return _absent(REFUSED, self.refused)


class Plan:
    """The points of a design by number: 40 bytes are kept of each, and each scenario is resolved again in its turn.

    >>> from slicewright.scenario.starters import read_starter
    >>> from slicewright.explore.axes import axis
    >>> terms = Terms(read_starter("mm1"), 1, None)
    >>> plan = Plan(terms, Design((axis("measure.replications", "4,2"),)))
    >>> [point.values for point in plan.points(set())]
    [(2,), (4,)]
    """

    def __init__(self, terms: Terms, design: Design, progress: Callable[[float], None] = lambda share: None) -> None:
        import numpy as np

        self.terms = terms
        self.design = design
        self._settings: dict[int, _Resolved] = {}
        """Of several batches, each setting is resolved once."""
        points = design.count * terms.batches
        ids = np.zeros(points, dtype=f"S{_DIGEST}")
        work = np.zeros(points)
        first: InputError | None = None
        self.refused: dict[int, str] = {}
        """The reasons of settings that are no scenario, by the number of the point."""
        for number in range(points):
            progress(number / points)
            point, error = self._resolved(number)
            ids[number], work[number] = bytes.fromhex(point.id), point.work
            first = first or error
            if error is not None:
                self.refused[number] = point.refused
        self.hopeless = first if len(self.refused) == points else None
        """The problems of the first point where no point at all is a scenario."""
        self._ids = ids
        self._work = work
        # Settings may agree after rounding: the first of them is the point.
        self._own = np.sort(np.unique(ids, return_index=True)[1])
        self._order = self._own[np.argsort(work[self._own], kind="stable")]

    @property
    def count(self) -> int:
        """How many points there are."""
        return len(self._own)

    @property
    def ids(self) -> set[str]:
        """The names of all points."""
        return set(self.named)

    @property
    def named(self) -> list[str]:
        """The name of each point by its number: all settings of the first batch, then those of the next."""
        return [_hex(digest) for digest in self._ids]

    def left(self, done: set[str]) -> tuple[int, float]:
        """How many scenarios are not simulated, and their work; points that are refused take none."""
        work = self._work[self._left(done)]
        return int((work > 0).sum()), float(work.sum())

    def points(self, done: set[str]) -> Iterator[Point]:
        """The points that are not done, those with least work first."""
        for number in self._left(done):
            yield self._resolved(int(number))[0]

    def row(self, point: Point, measured: polars.DataFrame, axes: Sequence[Axis]) -> polars.DataFrame:
        """The whole row of a point, for a store with these axes, which may have another order."""
        first = {"id": point.id, "work": point.work, "seed": point.seed, "precision": self.terms.precision}
        return _placed(measured, first | _values_of(self.design.axes, point.values), axes)

    def _left(self, done: set[str]) -> npt.NDArray[np.intp]:
        import numpy as np

        wanted = [_hex(self._ids[number]) not in done for number in self._order]
        return np.asarray(self._order[np.asarray(wanted, dtype=bool)])

    def _resolved(self, number: int) -> tuple[Point, InputError | None]:
        batch, setting = divmod(number, self.design.count)
        seed = (self.terms.seed + batch) % 2**64
        checksum, work, text, error = self._settings.get(setting) or self._setting(setting)
        if self.terms.batches > 1:
            self._settings[setting] = (checksum, work, text, error)
        name = _identity(checksum, seed, self.terms.precision)
        why = _reason_of(error) if error else ""
        return Point(name, work, self.design.at(setting), seed, text, why, self.terms.precision), error

    def _setting(self, number: int) -> _Resolved:
        values = self.design.at(number)
        changes = [axis.changes(value) for axis, value in zip(self.design.axes, values, strict=True)]
        try:
            scenario = self.terms.scenario.with_(changes)
        except InputError as error:
            return "\n".join([self.terms.scenario.checksum, *sorted(changes)]), 0.0, "", error
        return scenario.checksum, _work_of(scenario), scenario.resolved, None


def _work_of(scenario: Scenario) -> float:
    """Guests (of open ones, arrivals in a second) times measured seconds times replications: an estimate of its work.

    >>> from slicewright.scenario.starters import read_starter
    >>> _work_of(read_starter("container-limits"))
    2000.0
    """
    view = scenario.view
    guests = sum((guest.count or 0) + (guest.arrivals_per_s or 0) for guest in view.guests)
    return max(guests, 1.0) * view.measure.measured_s * view.measure.replications


def _reason_of(error: InputError) -> str:
    """Why a scenario was refused, in one line.

    >>> _reason_of(InputError("unknown key"))
    'unknown key'
    """
    problems = getattr(error, "problems", [])
    return "; ".join(dict.fromkeys(map(sentence, problems))) or brief(error)


def _hex(digest: bytes) -> str:
    return digest.ljust(_DIGEST, b"\0").hex()


Finished = tuple[Point, "polars.DataFrame"]
GLANCE_S = 0.1
"""How often Ctrl-C and progress are looked at."""
OTHER_VERSION = "the worker has slicewright"
"""How the error begins that a worker of another version raises."""


def measured(
    point: Point, recordings: Sequence[Recording], threads: int, progress: Callable[[float], None] | None = None
) -> polars.DataFrame:
    """The measured columns of a point; a point that fails has its reason in them.

    >>> from slicewright.scenario.starters import read_starter
    >>> measured(Point("", 0.0, (), 1, read_starter("mm1").resolved), (), 1)["state"].item()
    'done'
    """
    try:
        scenario = resupplied(Scenario.read(point.text.encode(), "scenario"), recordings)
        share = None if point.precision is None else settings.share("sweep", "precision", point.precision)
        asked = Asked(point.seed, threads, int(scenario.measure["replications"]), share)
        return _row(simulated(ready_to_run(scenario, None), asked, progress, _simulate, warm_up_of))
    except InputError as error:
        return _absent(REFUSED, _reason_of(error))
    except RunError as error:
        return _absent(FAILED, " ".join(str(error).split()))


class LostError(Exception):
    """Raised where the place of a simulation is gone, which is no failure of what is simulated."""


def tables_there(text: str, part: Part, version: str) -> Tables | str:
    """The tables of some replications of a scenario as text, or why the simulation cannot go on.

    Raises RuntimeError where this process has another version of slicewright than the one that asks.
    """
    if version != __version__:
        raise RuntimeError(f"{OTHER_VERSION} {__version__}, the plan {version}")
    try:
        return simulated_tables(Scenario.read(text.encode(), "scenario"), replace(part, threads=1))
    except RunError as error:
        return str(error)


def _simulate(
    world: Scenario, asked: Asked, which: tuple[int, int], warm_up_s: float, progress: Progress | None
) -> dict[str, Any]:
    """Replications of a run behind the store of simulations, if one is used."""
    return whole_run(world, Part(asked.seed, which, warm_up_s, threads=asked.threads), progress)


def batch(
    points: Sequence[Point], recordings: Sequence[Recording], home: tuple[str, Path | None]
) -> tuple[bytes, float]:
    """The measured columns of several points as Arrow bytes, compressed, and the seconds that they took.

    `home` is the version that asks, and the store of simulations, if one is used.  The names of some 700 columns are
    most of these bytes, and Arrow itself compresses values only.

    Raises RuntimeError where this process has another version of slicewright than the one that asks.

    >>> from slicewright.scenario.starters import read_starter
    >>> batch([Point("", 0.0, (), 1, read_starter("mm1").resolved)], (), ("0.0", None))
    Traceback (most recent call last):
    RuntimeError: the worker has slicewright ..., the sweep 0.0
    """
    import polars as pl

    version, root = home
    if version != __version__:
        raise RuntimeError(f"{OTHER_VERSION} {__version__}, the sweep {version}")
    started = time.monotonic()
    with contextlib.nullcontext() if root is None else using(root):
        rows = pl.concat([measured(point, recordings, 1) for point in points])
    buffer = io.BytesIO()
    rows.write_ipc_stream(buffer)
    return zlib.compress(buffer.getvalue(), 1), time.monotonic() - started
