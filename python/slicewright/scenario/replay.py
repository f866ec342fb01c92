"""Replayed guests: the files that a scenario names, read, checked against it, and their records given to the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slicewright._core import Scenario, supply, unknown_targets
from slicewright.scenario.recording import Records, is_parquet, read_records
from slicewright.scenario.source import Source, folder_of, read_scenario
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import MOST_BYTES, read_bytes
from slicewright.values.reach import refuse_beyond

FOLDER = "replay"
"""Where a run directory keeps its recordings."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The recorded I/Os of one guest, as given: the name that the scenario has for the file, and its bytes.

    >>> Recording("REPLAYED", "io.csv", b"time_s,volume\\n0,A\\n", 1).copy
    'replay/240b5bfbd666099d.csv'
    """

    guest: str
    file: str
    data: bytes
    records: int

    @property
    def sha256(self) -> str:
        """SHA-256 of the file, in hex."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def copy(self) -> str:
        """What a run directory calls it: by its content, so that the scenario's checksum holds for the content too."""
        return f"{FOLDER}/{self.sha256[:16]}.{'parquet' if is_parquet(self.data) else 'csv'}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """A scenario that can be simulated: its recorded I/Os are in it, and it names each file by its content.

    >>> from slicewright._core import starter
    >>> replayed(Scenario.read(starter("mm1").encode(), "mm1.toml"), ".").recordings
    ()
    """

    scenario: Scenario
    recordings: tuple[Recording, ...]

    @property
    def notes(self) -> list[str]:
        """Notes on recordings that no directory can keep."""
        known = {recording.guest for recording in self.recordings}
        names = [replay["guest"] for replay in self.scenario.replays if replay["guest"] not in known]
        return [
            f"the recorded I/Os of {name} were supplied by a program and are not kept with the run" for name in names
        ]


def replayed(scenario: Scenario, folder: str | Path) -> Replayed:
    """Read the files that a scenario names, relative to a folder, and supply their records.

    A scenario without replayed guests, or whose records were supplied, comes back as it is.  Raises InputError with
    the problems of all files.

    >>> from slicewright._core import starter
    >>> scenario = Scenario.read(starter("mm1").encode(), "mm1.toml")
    >>> replayed(scenario, ".").scenario is scenario
    True
    """
    wanted = [replay for replay in scenario.replays if not replay["supplied"]]
    if not wanted:
        return Replayed(scenario, ())
    found: list[tuple[Recording, Records]] = []
    problems: list[Problem] = []
    for replay in wanted:
        try:
            found.append(_read(scenario, replay, Path(folder)))
        except ValueError as error:
            if not hasattr(error, "problems"):
                raise
            problems += [{**fault, "key": fault["key"] or replay["key"]} for fault in error.problems]
    if problems:
        raise refusal(*problems)
    recordings = tuple(recording for recording, _ in found)
    world = _named_by_content(scenario, recordings)
    for recording, records in found:
        world = supply(world, recording.guest, records.columns())
    return Replayed(world, recordings)


def facts(recording: Recording) -> dict[str, str | int]:
    """The entry of a recording in a manifest.

    >>> told = facts(Recording("REPLAYED", "io.csv", b"time_s,volume\\n0,A\\n", 1))
    >>> told["file"], told["records"]
    ('io.csv', 1)
    """
    return {
        "guest": recording.guest, "file": recording.file, "copy": recording.copy, "sha256": recording.sha256,
        "bytes": len(recording.data), "records": recording.records,
    }  # fmt: skip


def kept(rows: Sequence[Mapping[str, Any]], files: Mapping[str, bytes]) -> tuple[Recording, ...]:
    """The recordings of a run directory, which its manifest lists; raises ValueError for one that was changed.

    >>> kept([], {})
    ()
    """
    return tuple(_kept(row, files[row["copy"]]) for row in rows)


def resupplied(scenario: Scenario, recordings: Sequence[Recording]) -> Scenario:
    """The scenario of a run with the recordings of that run, which its directory keeps; raises InputError.

    >>> from slicewright._core import starter
    >>> resupplied(Scenario.read(starter("mm1").encode(), "mm1.toml"), []).name
    'M/M/1 at 50 %'
    """
    for recording in recordings:
        records = read_records(recording.data, recording.file)
        scenario = supply(scenario, recording.guest, records.columns())
    return scenario


def _kept(row: Mapping[str, Any], data: bytes) -> Recording:
    recording = Recording(row["guest"], row["file"], data, row["records"])
    if facts(recording) != row:
        raise ValueError(f"{row['copy']} is not the file that was replayed: its SHA-256 is {recording.sha256[:16]}...")
    return recording


def _read(scenario: Scenario, replay: Mapping[str, Any], folder: Path) -> tuple[Recording, Records]:
    path = folder / replay["file"]
    refuse_beyond(path)
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        why = "at most 64 MiB are read at once; Parquet takes less than CSV"
        raise refusal(problem("is larger than 64 MiB", file=str(path), key=replay["key"], why=why))
    data = read_bytes(path)
    records = read_records(data, str(path), lambda texts: unknown_targets(scenario, texts))
    return Recording(replay["guest"], replay["file"], data, len(records.text)), records


def _named_by_content(scenario: Scenario, recordings: Sequence[Recording]) -> Scenario:
    """The same scenario with the names that copies have, so that its checksum is that of everything simulated."""
    return scenario.with_({f"guest.{recording.guest}.replay": recording.copy for recording in recordings})


def ready_to_run(scenario: Source, set: Mapping[str, Any] | Sequence[str] | None = None) -> Replayed:
    """Read a scenario as `read_scenario` does, and the recordings that it names.

    A recording's file is relative to the scenario's file.  It is relative to the working directory where the scenario
    is a text, comes from standard input, or was already read.  Raises InputError with every problem.

    >>> from slicewright._core import starter
    >>> ready_to_run(starter("mm1")).recordings
    ()
    """
    world = read_scenario(scenario, set)
    return replayed(world, folder_of(scenario))
