"""The page of the run directory: its files, and every column of its tables, from a small run that is saved and read."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

import polars as pl
from slicewright import run
from slicewright._core import counters, key_columns, starter
from slicewright.run.tables import ENTITY, LOGS

from docs.generate.tables import table

FILES = {
    "manifest.json": "the run and its inputs; see below",
    "numbers.json": "every number of the scenario with its role and its reason, as `slicewright explain` lists them",
    "replay/*.csv": "a replayed recording, byte by byte, or `*.parquet` ([replay](../concepts/replay.md))",
    "report.html": "the run as one page, which opens without a network and prints well",
    "scenario.toml": "the complete scenario, every default written out: `slicewright run` repeats the run from it",
    "*.parquet": "a table of estimates: a row per entity, means over replications",
    "contention.parquet": "a log: a row per holder and waiter of contended resources, at each end of an interval",
    "decisions.parquet": "a log: a row per decision of a control program, in replication 0",
    "pooled/*.parquet": "where there are several intervals: a row per replication and entity, over all of them",
    "raw/*.parquet": "the table behind the estimates: a row per replication, interval and entity",
}
"""The contents of each file of a run directory."""

MANIFEST = {
    "format": "version of this layout; a reader refuses one that it does not know",
    "slicewright": "version of the program",
    "name": "name of the scenario",
    "checksum": "SHA-256 of the text of `scenario.toml`",
    "seed": "seed of the random streams",
    "replications": "independent replications",
    "warm_up_s": "simulated seconds cut from the start of each replication, before the first interval",
    "notes": "remarks for a reader of the results, such as a warm-up that did not settle",
    "recordings": "the recorded arrivals that were replayed, each with the fields below",
    "files": "size in bytes and SHA-256 of every other file; a directory with a changed file is refused",
    "sha256": "SHA-256 of the text of this file without this field: a changed bit is detected",
}
"""The meaning of each field of the manifest."""

RECORDING = {
    "guest": "name of the guest that replays it",
    "file": "the file as the scenario that was run names it",
    "copy": "the copy in this directory, named by its content",
    "sha256": "SHA-256 of the file",
    "bytes": "its size",
    "records": "number of I/Os",
}
"""The meaning of each field of a recording in the manifest."""

_GUEST = """
[[guest]]
name = "REPLAYED"
replay = "io.csv"
"""
_RECORD = "time_s,volume\n0.5,BWPVS0\n"

TYPES = {"Float64": "64-bit float", "Int64": "64-bit integer", "String": "text"}

_BEFORE = """\
# Run directory

Made from a run that was saved; not edited by hand.

`slicewright run --out DIR` and `slicewright.run(..., out=DIR)` write a directory. It appears when it is complete:
an interrupted run leaves none, and an earlier one of the same name stays until then. A run that is killed while it
saves may leave `.slicewright-` and eight characters beside it; the next result that is written there removes it. Some
network file systems cannot exchange two directories in one step. A kill at that instant leaves the earlier run in
there, and the next result that is written there moves it back first.

A run directory has no date, so the same scenario, seed and version leave the same bytes. `slicewright report` and
`slicewright compare` take it, and `slicewright.load` reads it back.

Each of them first checks every file against the manifest, and the manifest against its own checksum. `slicewright
report DIR --verify` names each file that is damaged, missing or extra. It also recomputes the derived files: the
estimates, the numbers of the scenario, the page. Format 6 (before tables over all intervals) and older ones are
refused: the scenario in such a directory can be run again."""

_TABLES = """\
## Tables

The tables are Parquet, which polars, pandas, R, DuckDB and most spreadsheets' importers read. Names of tables and
columns stay the same from version to version; new ones may be added.

In `*.parquet` each counter `x` is the mean over the replications. `x_half_width` beside it is half of its 95 % interval
by Student's t, in the same unit; it is null with one replication. Both skip replications in which the mean has no
value, such as a response time without I/O. Counters and half-widths are 64-bit floats. They are made of
`raw/*.parquet`, or of `pooled/*.parquet` where there are several intervals: the engine counts over all of them as one,
because the mean of means is not the mean of the whole time. In these folders there are no half-widths; columns that
come first are

| column | type | what it is |
|---|---|---|
| `replication` | 64-bit integer | number of the replication, from 0 |
| `interval` | 64-bit integer | number of the interval within it, from 0; not in `pooled/*.parquet` |

A directory is read only if every number in it keeps the laws of `slicewright.run.laws`: a share is at most 100 %, parts
make their whole, nothing is negative or not a number.

A log (`decisions.parquet`, `contention.parquet`) has no replications: it covers replication 0, in the order of time.

Values that are unknown or do not exist, such as the service time of a device without I/O, are null. The page of the
[counters](counters.md) has the meaning of each counter."""


def page() -> str:
    """The page, in Markdown; raises LookupError for a file or a field without a description here."""
    with tempfile.TemporaryDirectory() as folder:
        place, scenario = Path(folder) / "run", Path(folder) / "scenario.toml"
        scenario.write_text(starter("pool") + _GUEST, encoding="utf-8")
        (Path(folder) / "io.csv").write_text(_RECORD, encoding="utf-8")
        measure = {"measure.interval": "1 s", "measure.intervals": 2, "measure.warm_up": "1 s"}
        run(scenario, replications=2, set=measure, out=place)
        files = sorted({_kind(path.relative_to(place)) for path in place.rglob("*") if path.is_file()})
        manifest = json.loads((place / "manifest.json").read_text("utf-8"))
        types = {name: _types(place / f"{name}.parquet") for name in (*ENTITY, *LOGS)}
    parts = [_BEFORE, "## Files", _described("file", files, FILES)]
    parts += ["## Manifest", _described("field", manifest, MANIFEST)]
    parts += ["Of each recording:", _described("field", manifest["recordings"][0], RECORDING)]
    parts.append(_TABLES)
    parts += [f"### {name}.parquet\n\n{_columns(name, columns)}" for name, columns in types.items()]
    return "\n\n".join(parts) + "\n"


def _described(what: str, names: Iterable[str], words: dict[str, str]) -> str:
    """A table of names and their descriptions; raises LookupError for one without."""
    listed = list(names)
    missing = [name for name in listed if name not in words]
    if missing:
        raise LookupError(f"docs/generate/run_directory.py has no description of the {what} {', '.join(missing)}")
    return table((what, "contents"), [(f"`{name}`", words[name]) for name in listed])


def _kind(path: Path) -> str:
    """A file as the page names it: all tables of a folder are one kind."""
    many = (path.suffix == ".parquet" and path.stem not in LOGS) or path.parent.name == "replay"
    return (path.parent / f"*{path.suffix}").as_posix() if many else path.as_posix()


def _types(path: Path) -> dict[str, str]:
    return {name: str(kind) for name, kind in pl.read_parquet_schema(path).items()}


def _columns(name: str, types: dict[str, str]) -> str:
    """The identifying columns as a table, the counters by name; raises ValueError when a counter has no half-width."""
    meaning = {row["name"]: row["meaning"] for row in key_columns() if row["table"] == name}
    listed = [row["name"] for row in counters() if row["table"] == name]
    bare = [counter for counter in listed if f"{counter}_half_width" not in types and name not in LOGS]
    if bare:
        raise ValueError(f"{name}.parquet has no half-width of {', '.join(bare)}")
    identity = [(f"`{column}`", TYPES[types[column]], meaning[column]) for column in types if column in meaning]
    parts = [table(("column", "type", "what it is"), identity)] if identity else []
    what = "Columns, without half-widths" if name in LOGS else "Counters"
    parts.append(f"{what}: {', '.join(f'`{counter}`' for counter in listed)}.")
    return "\n\n".join(parts)
