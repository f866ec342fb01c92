"""The store of simulations: tables that were simulated before, by the checksum of all that their numbers depend on.

It is a cache: without it, or with any part of it damaged or gone, everything is simulated again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import slicewright._core as _core
from slicewright._core import Scenario
from slicewright.experiment.bundle import Bundle
from slicewright.values.numerals import in_scenario
from slicewright.values.sums import LENGTH, sum_of
from slicewright.values.workplace import PREFIX

ENVIRONMENT = "SLICEWRIGHT_STORE"
"""The environment variable that names the directory of the store; `off` or nothing is none."""
OFF = ("", "off")
MOST_BYTES = 1 << 30
"""Bytes of the store, above which its oldest parts are removed."""
_LEFT = 0.8
"""The share of these that is left then."""
_DAY_S = 86_400.0
_POINTS_S = 30 * _DAY_S
"""Seconds for which points stay that earlier builds kept beside the parts."""
_PART = re.compile(r"[0-9a-f]{16}/[0-9a-f]{2}/[0-9a-f]{62}")
_POINTS = re.compile(r"[0-9a-f]{16}/points/[0-9a-f]{16}")
_KILLED = re.compile(rf"[0-9a-f]{{16}}/[0-9a-f]{{2}}/{re.escape(PREFIX)}.*")
_POOLED = "pooled"
"""The tables over all intervals, beside those by interval."""
_KIND, _FORMAT = "part of the store of simulations", 2
"""The sum before each part covers these, the engine, the name and the bytes."""

Tables = dict[str, dict[str, list[Any]]]
Progress = Callable[[float], None]


class Store:
    """Parts of a store by name, for one build of the engine; whatever fails, the answer is that it has none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(Path(folder))
    ...     store.put("ab12", {"volumes": {}})
    ...     store.get("ab12"), store.get("ab13")
    ({'volumes': {}}, None)
    """

    def __init__(self, root: Path, *, fresh: bool = False) -> None:
        self.root = root
        self._fresh = fresh
        self._engine: Path | None = None
        self._written = 0
        self._broken = False
        self._bundle: Bundle | None = None

    @property
    def engine(self) -> Path:
        """The directory of this build of the engine."""
        if self._engine is None:
            self._engine = self.root / _engine_digest(self.root)[:16]
        return self._engine

    def get(self, name: str) -> Any:
        """The value of a name; None where there is none, where it is damaged, and where all is to be fresh."""
        data = None if self._bundle is None else self._bundle.get(name)
        if data is None:
            data = self._read(name)
            if data is not None and self._bundle is not None:
                self._bundle.add(name, data)
        try:
            return None if data is None else json.loads(data)
        except ValueError:
            return None

    def put(self, name: str, value: Any) -> None:
        """Keep something that JSON has; a part is there whole or not at all, and a disk that is full has no more."""
        data = json.dumps(value, separators=(",", ":")).encode()
        if self._bundle is not None:
            self._bundle.add(name, data)
        self._write(name, data)

    @contextlib.contextmanager
    def bundled(self, name: str) -> Iterator[None]:
        """Look in the bundle of that name first, and keep in it what the block used, unless it ends with an error.

        The bundle has nothing that the parts do not have, so without it an answer only takes longer.
        """
        self._bundle = bundle = Bundle(self._read(name) or b"")
        try:
            yield
        finally:
            self._bundle = None
        if bundle.data is not None:
            self._write(name, bundle.data)

    def _read(self, name: str) -> bytes | None:
        if self._fresh:
            return None
        path = self._path(name)
        try:
            data = path.read_bytes()
            packed = data[LENGTH:]
            if self._sum(name, packed) != data[:LENGTH]:
                return None
            found = zlib.decompress(packed)
            os.utime(path)  # the oldest are those that were not read for longest
        except (OSError, zlib.error):
            return None
        return found

    def _write(self, name: str, data: bytes) -> None:
        if self._broken:
            return
        packed = zlib.compress(data, 1)
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(prefix=PREFIX, dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(self._sum(name, packed) + packed)
                os.replace(temporary, path)  # noqa: PTH105  as fast as can be
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)  # noqa: PTH108
                raise
            self._written += len(packed)
            self._broken = self._written > MOST_BYTES  # a command that fills the store keeps nothing more
        except OSError:
            self._broken = True

    def tidy(self) -> None:
        """Once a day, after something was written: remove the oldest parts where there are too many bytes."""
        if not self._written:
            return
        stamp = self.root / "tidied"
        with contextlib.suppress(OSError):
            if not stamp.exists() or time.time() - stamp.stat().st_mtime > _DAY_S:
                stamp.touch()
                _remove_oldest(self.root)

    def _path(self, name: str) -> Path:
        return self.engine / name[:2] / name[2:]

    def _sum(self, name: str, packed: bytes) -> bytes:
        """The sum of a part, which is wrong under another name and in the directory of another build."""
        return sum_of(packed, _KIND, _FORMAT, self.engine.name, name)


_open: Store | None = None


def opened() -> Store | None:
    """The store that this process uses now; None where it uses none.

    >>> opened() is None
    True
    """
    return _open


@contextlib.contextmanager
def using(root: Path | None, *, fresh: bool = False) -> Iterator[None]:
    """Use the store in a directory for the block, or none; `fresh` reads nothing from it, but writes.

    >>> with using(None):
    ...     opened() is None
    True
    """
    global _open
    before = _open
    _open = None if root is None else Store(root, fresh=fresh)
    try:
        yield
    finally:
        if _open is not None:
            _open.tidy()
        _open = before


def location() -> Path | None:
    """Where the command line keeps simulations: the environment says, else the user's directory for caches.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {ENVIRONMENT: "off"}):
    ...     location() is None
    True
    """
    given = os.environ.get(ENVIRONMENT)
    if given is not None:
        return None if given.strip().lower() in OFF else Path(given)
    caches = os.environ.get("XDG_CACHE_HOME", "")
    with contextlib.suppress(RuntimeError):  # a user without a home directory
        return (Path(caches) if Path(caches).is_absolute() else Path.home() / ".cache") / "slicewright"
    return None


Columns = Mapping[str, Sequence[str]]
"""Tables by name, each with the columns that are needed of it; none are all."""


@dataclass(frozen=True, slots=True)
class Part:
    """Replications of a scenario, first to last (half open), under a seed and a warm-up.

    `columns` names the tables that are needed, each with its columns; without names, all are.
    """

    seed: int
    which: tuple[int, int]
    warm_up_s: float
    columns: Columns = field(default_factory=dict)
    threads: int = 0
    """Threads that simulate; 0 for one per processor.  They change nothing but the time."""

    @classmethod
    def measured(cls, scenario: Scenario, seed: int, columns: Columns) -> Part:
        """All replications of a scenario, with its own warm-up.

        >>> from slicewright.scenario.starters import read_starter
        >>> Part.measured(read_starter("mm1").with_(['measure.warm_up="2 s"']), 1, {}).warm_up_s
        2.0
        """
        measure = scenario.measure
        return cls(seed, (0, int(measure["replications"])), float(measure["warm_up_s"]), columns)


Simulate = Callable[[Scenario, Part], Tables]
"""A way to simulate the tables of a part."""


@contextlib.contextmanager
def bundled(facts: Sequence[object]) -> Iterator[None]:
    """Keep the parts that the block uses in one file too, which the facts name.

    >>> with bundled(["aliases", "Y032180H.txt"]):  # no store is used
    ...     pass
    """
    with contextlib.nullcontext() if _open is None else _open.bundled(_digest(["bundle", *facts])):
        yield


def tables_of(
    scenario: Scenario, part: Part, progress: Progress | None = None, simulate: Simulate | None = None
) -> Tables:
    """The tables of some replications: those in the store that is used, else simulated and put there.

    `simulate` does it elsewhere.  Raises RunError when the simulation cannot go on.

    >>> from slicewright.scenario.starters import read_starter
    >>> short = read_starter("mm1").with_(['measure.interval="1 s"'])
    >>> list(tables_of(short, Part(1, (0, 2), 0.1, {"volumes": []})))
    ['volumes']
    """
    store = _of(scenario)
    name = _digest(["tables", scenario.checksum, part.seed, *part.which, part.warm_up_s, *_wanted(part.columns)])
    found: Tables | None = None if store is None else _lawful(store.get(name))
    if found is None and store is not None and part.columns:
        known = _lawful(store.get(_run_name(scenario, part))) or {}
        found = _cut(known, part) if part.which[1] <= _count(known) else None
    if found is not None:
        if progress is not None:
            progress(1.0)
        return found
    found = simulated_tables(scenario, part, progress) if simulate is None else simulate(scenario, part)
    if store is not None:
        store.put(name, found)
    return found


def whole_run(scenario: Scenario, part: Part, progress: Progress | None = None) -> Tables:
    """All tables of a part; of the replications of one scenario, those that are in the store are not simulated again.

    Raises RunError when the simulation cannot go on.

    >>> from slicewright.scenario.starters import read_starter
    >>> short = read_starter("mm1").with_(['measure.interval="1 s"'])
    >>> whole_run(short, Part(1, (2, 4), 0.1))["volumes"]["replication"]
    [2, 3]
    """
    store = _of(scenario)
    if store is None:
        return simulated_tables(scenario, part, progress)
    name = _run_name(scenario.with_(once(part.warm_up_s)), part)
    known = _lawful(store.get(name)) or {}
    count = _count(known)
    if count < part.which[0]:
        return simulated_tables(scenario, part, progress)
    if count >= part.which[1]:
        return _cut(known, part)
    more = simulated_tables(scenario, replace(part, which=(count, part.which[1])), progress)
    known = _joined(known, more) if known else more
    store.put(name, known)
    return _cut(known, part)


def once(warm_up_s: float) -> list[str]:
    """The changes that measure one replication after a warm-up, in one form for every scenario."""
    return [f'measure.warm_up="{in_scenario(warm_up_s)} s"', "measure.replications=1"]


def _run_name(scenario: Scenario, part: Part) -> str:
    """The name of a run by the values of its scenario, whichever pattern of keys or default gave them."""
    return _digest(["run", scenario.unmarked, part.seed, part.warm_up_s])


def _count(run: Tables) -> int:
    """Replications of a run that is kept: it has all from the first one."""
    return len(set(run["system"]["replication"])) if run else 0


def _cut(run: Mapping[str, Any], part: Part) -> Tables:
    """The replications and columns of a part; logs have no replications, and are those of the first."""
    first, end = part.which
    found: dict[str, Any] = {}
    for table, rows in run.items():
        if table == _POOLED:
            found[table] = _cut(rows, part)
        elif "replication" not in rows:
            found[table] = rows if first == 0 else {name: [] for name in rows}
        else:
            own = [at for at, each in enumerate(rows["replication"]) if first <= each < end]
            found[table] = {name: [values[at] for at in own] for name, values in rows.items()}
    return _chosen(found, part)


def _joined(run: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    return {
        table: _joined(rows, more[table])
        if table == _POOLED
        else {name: [*values, *more[table][name]] for name, values in rows.items()}
        for table, rows in run.items()
    }


def _chosen(found: Tables, part: Part) -> Tables:
    if not part.columns:
        return found
    return {
        table: {name: found[table][name] for name in names or found[table]}
        for table, names in part.columns.items()
        if table in found
    }


def tables_of_text(text: str, file: str, seed: int, columns: Columns) -> Tables:
    """The tables of a scenario as text, measured as it says; it is read only where the store does not have them.

    Raises InputError for a wrong scenario, naming the file, and RunError when the simulation cannot go on.

    >>> from slicewright.scenario.starters import read_starter
    >>> short = read_starter("mm1").with_(['measure.interval="1 s"', 'measure.warm_up="1 s"']).resolved
    >>> list(tables_of_text(short, "mm1.toml", 1, {"volumes": ["replication"]})["volumes"])
    ['replication']
    """
    name = _digest(["text", text, seed, *_wanted(columns)])
    found: Tables | None = None if _open is None else _lawful(_open.get(name))
    if found is None:
        scenario = Scenario.read(text.encode(), file)
        found = simulated_tables(scenario, Part.measured(scenario, seed, columns))
        store = _of(scenario)
        if store is not None:
            store.put(name, found)
    return found


def simulated_tables(scenario: Scenario, part: Part, progress: Progress | None = None) -> Tables:
    """The tables of some replications, simulated now; raises RunError."""
    threads = part.threads or len(os.sched_getaffinity(0))
    found: Tables = scenario.simulate(part.seed, part.which, threads, part.warm_up_s, progress)
    return _chosen(found, part)


def _lawful(found: Tables | None) -> Tables | None:
    """Tables of the store, unless a number in them breaks a law: then they are simulated again."""
    from slicewright.run.laws import lawful

    try:
        return found if found is not None and lawful(found, found.get(_POOLED, {})) else None
    except (TypeError, ValueError, AttributeError):  # no tables at all
        return None


def _wanted(columns: Columns) -> list[object]:
    return [[table, *columns[table]] for table in sorted(columns)]


def warm_up_of(
    scenario: Scenario, seed: int, progress: Progress | None = None, threads: int | None = None
) -> tuple[float, bool]:
    """The warm-up of a scenario, and whether it settles: what is in the store that is used, else found by pilots.

    >>> from slicewright.scenario.starters import read_starter
    >>> warm_up_of(read_starter("mm1").with_(['measure.warm_up="2 s"']), 1)
    (2.0, True)
    """
    store = _of(scenario)
    name = _digest(["warm-up", scenario.checksum, seed])
    known = None if store is None else store.get(name)
    if known is not None:
        return float(known[0]), bool(known[1])
    found = scenario.warm_up(seed, progress, threads)
    if store is not None:
        store.put(name, list(found))
    return found


def _of(scenario: Scenario) -> Store | None:
    """The store for a scenario; none where it replays arrivals, whose records are no part of its checksum."""
    return None if _open is None or scenario.replays else _open


def _remove_oldest(root: Path) -> None:
    """Remove the parts that were not used for longest, and what is left of processes that were killed.

    Only names that the store itself gives are touched, whatever else is in the directory.
    """
    parts = []
    now = time.time()
    for path in root.glob("*/points/*"):
        if _POINTS.fullmatch(path.relative_to(root).as_posix()) and now - path.stat().st_mtime > _POINTS_S:
            shutil.rmtree(path, ignore_errors=True)
    for path in root.glob("*/*/*"):
        inside = path.relative_to(root).as_posix()
        if _PART.fullmatch(inside) and not path.is_symlink():
            about = path.stat()
            parts.append((about.st_mtime, about.st_size, path))
        elif _KILLED.fullmatch(inside) and now - path.stat().st_mtime > _DAY_S:
            path.unlink()
    total = sum(size for _, size, _ in parts)
    if total <= MOST_BYTES:
        return
    for _, size, path in sorted(parts):
        if total <= _LEFT * MOST_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= size


def _engine_digest(root: Path) -> str:
    """SHA-256 of the module of the engine; remembered in the store for as long as the file does not change."""
    module = Path(str(_core.__file__))
    about = module.stat()
    facts = [str(module), about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino]
    note = root / f"engine-{_digest(facts)[:16]}"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        known, _, checked = note.read_text("ascii").partition(" ")
        if checked == sum_of(known.encode(), "engine", note.name).hex():
            return known
    found = _module_digest(module)
    with contextlib.suppress(OSError):
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        note.write_text(f"{found} {sum_of(found.encode(), 'engine', note.name).hex()}", "ascii")
    return found


@functools.cache
def _module_digest(module: Path) -> str:
    with module.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _digest(facts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
