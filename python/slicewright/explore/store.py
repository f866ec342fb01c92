"""The store of points: a manifest and Parquet parts; the points of a part are finished once it has its name."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import InputError, __version__
from slicewright.explore.axes import Axis
from slicewright.explore.places import Place
from slicewright.explore.points import Plan, Point, schema, to_bytes, whole_rows
from slicewright.run.manifest import checked, text_of
from slicewright.scenario.replay import Recording
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.files import Earlier, refuse_unwritable, whole_directory, write_whole
from slicewright.values.sums import sum_of
from slicewright.values.workplace import PREFIX, clear_away

if TYPE_CHECKING:
    import polars


_FORMAT = 2
_KIND = "sweep"
MANIFEST, PARTS, REPORT = "manifest.json", "parts", "report.html"
ROWS = 500
"""Points of a part of a finished store, and the most that wait for their part."""

_NAME = re.compile(r"(\d{6,})-([0-9a-f]{16})\.parquet")
_FACTS = ("format", "kind", "slicewright", "name", "checksum", "scenario", "recordings", "axes")


@dataclass(frozen=True)
class Facts:
    """What a store is about: the scenario that its points vary, and the keys that they vary."""

    name: str
    checksum: str
    scenario: str
    """The resolved scenario before any key is varied."""
    recordings: Sequence[dict[str, Any]]
    axes: tuple[Axis, ...]
    """The keys, units and kinds of the axes; a store keeps no values here, as its points have them."""
    version: str = field(default=__version__)

    def text(self) -> str:
        """The manifest."""
        axes = [{"key": axis.key, "unit": axis.unit, "kind": axis.kind} for axis in self.axes]
        values = (_FORMAT, _KIND, self.version, self.name, self.checksum, self.scenario, list(self.recordings), axes)
        return text_of(dict(zip(_FACTS, values, strict=True)))

    def sum_of(self, number: int, data: bytes) -> str:
        """The sum in the name of a part: it is that of this store, of this number and of these bytes."""
        return sum_of(data, "part", number, self.text()).hex()[:16]


class Store:
    """A store open for writing by this process alone; `with` closes it.

    Raises InputError where another sweep has it open, or where it is about something else, OSError where it cannot be
    written.
    """

    def __init__(self, directory: Path, facts: Facts) -> None:
        self.directory = directory
        self.facts = facts
        self.done: set[str] = set()

    def __enter__(self) -> Store:
        refuse_others(self.directory, self.facts)
        self._made = not self.directory.exists()
        self.directory.mkdir(parents=True, exist_ok=True)
        directory = self.directory
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                remedy = "wait for it, or give another directory"
                raise refusal(
                    problem("another sweep writes it", file=str(directory), key="out", remedy=remedy)
                ) from None
            why = f"the file system cannot lock it: {error.strerror}"
            remedy = "give a directory on a local disk"
            raise refusal(
                problem("cannot be kept for one writer", file=str(directory), key="out", why=why, remedy=remedy)
            ) from None
        self._lock = handle
        try:
            refuse_others(self.directory, self.facts)  # again, now that no other process can write it
            if not (self.directory / MANIFEST).exists():
                write_whole(self.directory / MANIFEST, self.facts.text().encode())
            if not (self.directory / PARTS).exists():
                (self.directory / PARTS).mkdir()
            for folder in (self.directory, self.directory / PARTS):
                clear_away(folder)  # the remains of sweeps that were killed
            self.facts = read_facts(self.directory)
            for part in parts(self.directory):
                self.done.update(read_part(part, self.facts)["id"].to_list())
            self._next = max((int(part.name.partition("-")[0]) for part in parts(self.directory)), default=-1) + 1
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *ended: object) -> None:
        if self._made and not self.done:  # an empty store is of no use
            shutil.rmtree(self.directory, ignore_errors=True)
        os.close(self._lock)

    def refuse_unwritable(self) -> None:
        """Raise OSError where nothing can be written, which is better known before a long sweep than in it."""
        refuse_unwritable(self.directory / MANIFEST)

    def add(self, rows: Sequence[polars.DataFrame]) -> None:
        """Keep finished points, as one part: all of them are in the store when this returns, or none is."""
        if not rows:
            return
        new = whole_rows(rows, self.facts.axes)
        write_whole(self._part(self.directory / PARTS, self._next, data := to_bytes(new)), data)
        self._next += 1
        self.done.update(new["id"].to_list())

    def finish(self) -> None:
        """Write all parts anew in the order of points, so that the bytes depend on the points alone.

        The new parts and the old ones change places in one step.
        """
        order = _order(self.directory, self.facts)
        if order is None:
            return
        earlier = Earlier(parts(self.directory)[0].name, lambda name: bool(_NAME.fullmatch(name)))
        with whole_directory(self.directory / PARTS, earlier) as made:
            for number, rows in enumerate(_blocks(self.directory, order)):
                data = to_bytes(rows)
                self._part(made, number, data).write_bytes(data)  # the folder is synced as a whole
        self._next = -(-order.height // ROWS)

    def _part(self, folder: Path, number: int, data: bytes) -> Path:
        return folder / f"{number:06}-{self.facts.sum_of(number, data)}.parquet"

    def write_report(self, page: str) -> None:
        """Write the page of the store, unless it is there."""
        path = self.directory / REPORT
        if not path.exists() or path.read_bytes() != page.encode():
            write_whole(path, page.encode())


@contextlib.contextmanager
def kept(directory: Path | None, facts: Facts, *, fresh: bool = False) -> Iterator[Store]:
    """The store of some points: in a directory; without one, until the block ends.  `fresh` forgets what is there."""
    with contextlib.ExitStack() as stack:
        own = directory or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slicewright-")), "points")
        if fresh:
            with Store(own, facts):  # it is ours, and no other process writes it
                shutil.rmtree(own / PARTS, ignore_errors=True)
        yield stack.enter_context(Store(own, facts))


def parts(directory: Path) -> list[Path]:
    """The parts of a store in the order in which they were written."""
    folder = directory / PARTS
    named = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)] if folder.is_dir() else []
    return sorted(named, key=lambda path: int(path.name.partition("-")[0]))


def read_part(part: Path, facts: Facts, columns: Sequence[str] = ("id",)) -> polars.DataFrame:
    """Columns of a part of the store with these facts, all of whose bytes are what was written; raises InputError."""
    import polars as pl

    match = _NAME.fullmatch(part.name)
    data = part.read_bytes()
    if match is None or facts.sum_of(int(match[1]), data) != match[2]:
        why = "its sum is not that of its name: it was changed, renamed, or written for another store"
        raise refusal(
            problem(
                "is a damaged part of a store", file=str(part), why=why,
                remedy="remove this part; the same sweep simulates its points again",
            )
        )  # fmt: skip
    return pl.read_parquet(io.BytesIO(data), columns=list(columns))


def read_facts(directory: Path) -> Facts:
    """The facts of a store, of this version or of another; raises InputError where there is none."""
    allowed = "a directory that sweep --out has written"
    try:
        data = (directory / MANIFEST).read_bytes()
        read = json.loads(data.decode())
    except FileNotFoundError:
        what = "is not the store of a sweep" if directory.exists() else "there is no such directory"
        raise refusal(problem(what, file=str(directory), why=f"no {MANIFEST}", allowed=allowed)) from None
    except (ValueError, OSError, RecursionError) as error:
        raise _damaged(directory, error) from None
    if not isinstance(read, dict) or read.get("kind") != _KIND:
        raise refusal(problem("is not the store of a sweep", file=str(directory), allowed=allowed))
    if read.get("format") != _FORMAT:
        what = f"is a store of format {str(read.get('format'))[:20]}"
        raise refusal(
            problem(
                what, file=str(directory), allowed=f"format {_FORMAT}; its parts are Parquet all the same",
                remedy="the same sweep with another --out simulates its points again",
            )
        )  # fmt: skip
    try:
        checked(read, data)
        axes = tuple(Axis(axis["key"], axis["unit"], axis["kind"]) for axis in read["axes"])
        name, checksum, scenario = (str(read[key]) for key in ("name", "checksum", "scenario"))
        return Facts(name, checksum, scenario, list(read["recordings"]), axes, str(read["slicewright"]))
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(directory, error) from None


def _damaged(directory: Path, error: Exception) -> InputError:
    why = " ".join(str(error).split()).removeprefix(f"{MANIFEST}: ")
    remedy = "give another directory with --out; the points of its parts are Parquet all the same"
    return refusal(problem("is a damaged store", file=str(directory / MANIFEST), why=why, remedy=remedy))


def scan(directory: Path) -> polars.LazyFrame:
    """All points of a store, to be filtered and selected before anything is read."""
    import polars as pl

    present = parts(directory)
    return (
        pl.scan_parquet([*map(_source, present)], glob=False, hive_partitioning=False)
        if present
        else pl.DataFrame(schema=schema(read_facts(directory).axes)).lazy()
    )


def _source(part: Path) -> Any:
    """A part as polars takes it: its name, or its bytes where the name is not text."""
    try:
        str(part).encode()
    except UnicodeEncodeError:
        return io.BytesIO(part.read_bytes())
    return part


def refuse_others(directory: Path, facts: Facts) -> None:
    """Raise InputError unless a name is free, an empty directory, or a store of the same scenario and keys.

    >>> refuse_others(Path("no/such/store"), Facts("a", "b", "", (), ()))
    """
    if directory.is_symlink() or (directory.exists() and not directory.is_dir()):
        raise refusal(problem("is there already and is not a directory", file=str(directory), key="out"))
    if not directory.exists():
        return
    names = {entry.name for entry in directory.iterdir() if not entry.name.startswith(PREFIX)}
    foreign = sorted(names - {MANIFEST, PARTS, REPORT})
    if foreign or (names and MANIFEST not in names):
        why = f"it holds {foreign[0]}, which is no part of a store" if foreign else f"it has no {MANIFEST}"
        allowed = "a new name, an empty directory, or the store of an earlier sweep of the same scenario"
        raise refusal(problem("holds something else", file=str(directory), key="out", why=why, allowed=allowed))
    if not names:
        return
    earlier = read_facts(directory)
    found = list(_differences(earlier, facts))
    if found:
        raise refusal(*(found_in | {"file": str(directory)} for found_in in found))


def _differences(earlier: Facts, facts: Facts) -> Iterator[Problem]:
    remedy = "give another directory with --out"
    if earlier.version != facts.version:
        what = f"is a store of slicewright {earlier.version}, which {facts.version} reads and does not extend"
        yield problem(what, key="out", remedy=remedy)
        return
    if earlier.checksum != facts.checksum:
        why = "its checksum differs, so another file, another --set or other constants were used"
        yield problem(f"is a store of another scenario, {earlier.name!r}", key="out", why=why, remedy=remedy)
    before, now = ({axis.key: (axis.unit, axis.kind) for axis in each.axes} for each in (earlier, facts))
    for key in now.keys() - before.keys():
        yield problem("is varied by no point of the store", key=key, nearest=nearest(key, before), remedy=remedy)
    for key in before.keys() - now.keys():
        yield problem("is varied by the points of the store", key=key, remedy=f"give it two values, or {remedy}")
    for key in now.keys() & before.keys():
        if now[key] != before[key]:
            had, has = (" ".join(filter(None, (kind, unit))) for unit, kind in (before[key], now[key]))
            yield problem(f"has values of kind {has}, in the store {had}", key=key, remedy=remedy)


def _order(directory: Path, facts: Facts) -> polars.DataFrame | None:
    """Of each point in the order of points its part and place in there; None where all lie in that order already.

    The order is that of work, then of the axes, seed, precision and name.
    """
    import polars as pl

    sorting = ["work", *(axis.key for axis in facts.axes), "seed", "precision", "id"]
    present = parts(directory)
    frames = [
        read_part(part, facts, sorting).with_columns(pl.lit(at).alias("part")).with_row_index("place")
        for at, part in enumerate(present)
    ]
    if not frames:
        return None
    order = pl.concat(frames).with_row_index("written").sort(sorting, nulls_last=False)
    heights = [frame.height for frame in frames]
    full = all(height == ROWS for height in heights[:-1]) and heights[-1] <= ROWS
    numbered = [int(part.name.partition("-")[0]) for part in present] == list(range(len(present)))
    if full and numbered and order["written"].is_sorted():
        return None
    return order.select("part", "place")


def _blocks(directory: Path, order: polars.DataFrame) -> Iterator[polars.DataFrame]:
    """The points in their order, `ROWS` at a time, so that memory holds them."""
    import polars as pl

    present = parts(directory)
    for start in range(0, order.height, ROWS):
        block = order.slice(start, ROWS).with_row_index("at")
        frames, places = [], []
        for (at,), chosen in block.group_by(["part"], maintain_order=True):
            frames.append(
                pl.read_parquet(_source(present[int(str(at))]), glob=False, hive_partitioning=False)[
                    chosen["place"].to_list()
                ]
            )
            places.append(chosen["at"])
        yield pl.concat(frames)[pl.concat(places).arg_sort().to_list()]


LEAST_S = 2.0
"""Seconds of work that wait for a part."""
_OF_ALL = 1000
"""A long sweep keeps a part for each such share of its time, so that its parts do not become very many."""


def run_left(
    plan: Plan, store: Store, where: tuple[Place, Sequence[Recording]], progress: Callable[[float], None]
) -> None:
    """Simulate the points that the store lacks; whatever ends this, finished points are in the store.

    Raises what a place raises, and OSError where the store cannot be written.
    """
    place, recordings = where
    axes = store.facts.axes
    count, whole = plan.left(store.done)
    batch = _Batch(store)
    done = 0.0

    def points() -> Iterator[Point]:
        for point in plan.points(store.done):
            if point.refused:
                batch.take(plan.row(point, point.refusal(), axes))
            else:
                yield point

    with contextlib.closing(place.simulated(points(), count, recordings)) as finished:
        try:
            for some in finished:
                for point, measured in some:
                    batch.take(plan.row(point, measured, axes))
                    done += point.work
                    place.under_way.pop(point.id, None)
                batch.write_when_due()
                progress(min((done + sum(place.under_way.copy().values())) / max(whole, 1e-9), 1.0))
        finally:
            batch.write()


class _Batch:
    """Finished points that wait for their part."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: list[polars.DataFrame] = []
        self._started = self._written = time.monotonic()

    def take(self, row: polars.DataFrame) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS:
            self.write()

    def write_when_due(self) -> None:
        now = time.monotonic()
        if now - self._written >= max(LEAST_S, (now - self._started) / _OF_ALL):
            self.write()

    def write(self) -> None:
        rows, self._rows = self._rows, []
        self._store.add(rows)
        self._written = time.monotonic()
