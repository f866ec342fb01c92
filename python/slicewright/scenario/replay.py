"""Replayed guests: the files that a scenario names, read, checked against it, and their records given to the engine.

A file is CSV or Parquet.  It is read into columns, with every problem of its rows at once.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, supply, unknown_targets
from slicewright.scenario.source import Source, folder_of, read_scenario
from slicewright.statistics import plural
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.files import MOST_BYTES, read_bytes
from slicewright.values.parquet import TooLargeError, read_apart
from slicewright.values.reach import refuse_beyond

if TYPE_CHECKING:
    import polars

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
        return f"{FOLDER}/{self.sha256[:16]}.{'parquet' if _is_parquet(self.data) else 'csv'}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """A scenario that can be simulated: its recorded I/Os are in it, and it names each file by its content."""

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
    """
    wanted = [replay for replay in scenario.replays if not replay["supplied"]]
    if not wanted:
        return Replayed(scenario, ())
    found: list[tuple[Recording, _Records]] = []
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
    """The recordings of a run directory, which its manifest lists; raises ValueError for one that was changed."""
    return tuple(_kept(row, files[row["copy"]]) for row in rows)


def resupplied(scenario: Scenario, recordings: Sequence[Recording]) -> Scenario:
    """The scenario of a run with the recordings of that run, which its directory keeps; raises InputError."""
    for recording in recordings:
        records = _read_records(recording.data, recording.file)
        scenario = supply(scenario, recording.guest, records.columns())
    return scenario


def _kept(row: Mapping[str, Any], data: bytes) -> Recording:
    recording = Recording(row["guest"], row["file"], data, row["records"])
    if facts(recording) != row:
        raise ValueError(f"{row['copy']} is not the file that was replayed: its SHA-256 is {recording.sha256[:16]}...")
    return recording


def _read(scenario: Scenario, replay: Mapping[str, Any], folder: Path) -> tuple[Recording, _Records]:
    path = folder / replay["file"]
    refuse_beyond(path)
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        why = "at most 64 MiB are read at once; Parquet takes less than CSV"
        raise refusal(problem("is larger than 64 MiB", file=str(path), key=replay["key"], why=why))
    data = read_bytes(path)
    records = _read_records(data, str(path), lambda texts: unknown_targets(scenario, texts))
    return Recording(replay["guest"], replay["file"], data, len(records.text)), records


def _named_by_content(scenario: Scenario, recordings: Sequence[Recording]) -> Scenario:
    """The same scenario with the names that copies have, so that its checksum is that of everything simulated."""
    return scenario.with_({f"guest.{recording.guest}.replay": recording.copy for recording in recordings})


def ready_to_run(scenario: Source, set: Mapping[str, Any] | Sequence[str] | None = None) -> Replayed:
    """Read a scenario as `read_scenario` does, and the recordings that it names.

    A recording's file is relative to the scenario's file.  It is relative to the working directory where the scenario
    is a text, comes from standard input, or was already read.  Raises InputError with every problem.
    """
    world = read_scenario(scenario, set)
    return replayed(world, folder_of(scenario))


TIMES = {"time_s": 1e9, "time_ms": 1e6, "time_us": 1e3}
"""Columns of instants, each with its unit in nanoseconds; a file has one of them."""

COLUMNS = (*TIMES, "volume", "bytes", "access")
DEFAULT_BYTES = 4096
MOST_IO_BYTES = 64 << 20
"""Bytes of one I/O, as in a program's `bytes`."""

LONGEST_NS = 366 * 86_400 * 10**9
MOST_RECORDS = 5_000_000
MOST_LISTED = 8
"""Problems that are listed of one file; the rest are counted."""

Unknown = Callable[[list[str]], Sequence[Problem | None]]
"""What is wrong with texts that say where I/Os go: a problem of each that names nothing, None of the others."""

_ACCESS = {"read": False, "r": False, "write": True, "w": True}
_MAGIC = b"PAR1"


@dataclass(frozen=True, slots=True)
class _Records:
    """Recorded I/Os in the order of time, as columns of one length.

    `time_ns` from the start of the first interval; `text` is of each record the number of its text in `texts`.

    >>> _read_records(b"time_ms,volume\\n0,A\\n1.5,B\\n", "io.csv").time_ns
    [0, 1500000]
    """

    time_ns: list[int]
    texts: list[str]
    text: list[int]
    bytes: list[int]
    write: list[bool]

    def columns(self) -> dict[str, list[Any]]:
        """As the engine takes them.

        >>> _read_records(b"time_s,volume,access\\n0,A,W\\n", "io.csv").columns()["write"]
        [True]
        """
        return {name: getattr(self, name) for name in ("time_ns", "texts", "text", "bytes", "write")}


def _nothing(texts: list[str]) -> list[Problem | None]:
    return [None] * len(texts)


def _is_parquet(data: bytes) -> bool:
    """Whether bytes are a Parquet file, by what it starts and ends with.

    >>> _is_parquet(b"time_s,volume")
    False
    """
    return data[:4] == _MAGIC == data[-4:]


def _read_records(data: bytes, file: str, unknown: Unknown = _nothing) -> _Records:
    """Read recorded I/Os: time_s (or time_ms, time_us), volume, and where the file has them bytes and access.

    An empty cell of `bytes` is 4096, one of `access` is a read; `unknown` says which texts of `volume` name nothing.
    Raises InputError with every problem: of the columns, or of the rows (the first eight, the rest counted).

    >>> _read_records(b"time_s,volume,bytes\\n0.5,A,\\n", "io.csv").bytes
    [4096]
    """
    frame, line = _parquet(data, file) if _is_parquet(data) else _csv(data, file)
    if frame.is_empty():
        raise refusal(problem("holds no records", file=file, allowed="a row per I/O"))
    if frame.height > MOST_RECORDS:
        why = "no more are replayed at once"
        raise refusal(problem(f"holds more than {MOST_RECORDS:,} records", file=file, why=why))
    rows = _Rows(frame, file, line)
    time = next(name for name in TIMES if name in frame.columns)
    records = _Records(rows.times(time), *rows.texts(unknown), rows.sizes(), rows.writes())
    rows.refuse()
    return records


_Line = Callable[[int], int]
"""The line of a row (from 0); 0 where the file has none."""

_Check = tuple["polars.Series", str, str]
"""Which cells are wrong, what is wrong with them, and what is allowed."""


class _Rows:
    """The cells of a file, column by column, and what is wrong with them."""

    def __init__(self, frame: polars.DataFrame, file: str, line: _Line) -> None:
        self.frame = frame
        self.file = file
        self.line = line
        self.wrong: list[tuple[int, str, str, str]] = []
        """Row, column, what is wrong, what is allowed: of each check the first."""
        self.wrongs = 0
        self.unknown: dict[int, Problem] = {}
        """By the first row that has it: a text that names nothing."""

    def times(self, name: str) -> list[int]:
        import polars as pl

        number = self._number(name)
        ns = (number * TIMES[name]).round()
        self._tell(
            name,
            (_unknown(number), "not a number", "a time: 0.25"),
            (number < 0, "before the start of the first interval", "a time from 0 on"),
            (ns > LONGEST_NS, "after more than a year", "a time within a year"),
            (number < number.shift(1), "earlier than the row before", "rows in the order of time"),
        )
        return ns.fill_nan(None).clip(0, LONGEST_NS).cast(pl.Int64).fill_null(0).to_list()

    def texts(self, unknown: Unknown) -> tuple[list[str], list[int]]:
        import polars as pl

        column = self.frame["volume"]
        if not isinstance(column.dtype, (pl.String, pl.Categorical, pl.Enum)):
            what = f"holds {column.dtype} and not texts"
            why = "a device number such as 5220 is a text of hexadecimal digits"
            raise refusal(problem(what, file=self.file, key="volume", why=why))
        column = column.cast(pl.String).str.strip_chars().fill_null("")
        self._tell("volume", (column == "", "empty", "a volume, a minidisk or a device number"))
        texts = column.unique(maintain_order=True).to_list()
        numbers = {text: at for at, text in enumerate(texts)}
        cells = column.to_list()
        rows = Counter(cells)
        first = {text: at for at, text in reversed(list(enumerate(cells)))}
        for text, fault in zip(texts, unknown(texts), strict=True):
            if fault is not None and text:
                more = plural(rows[text] - 1, "more row")
                what = fault["what"] if more.startswith("0 ") else f"{fault['what']} (and in {more})"
                self.unknown[first[text]] = {**fault, "what": what}
        return texts, [numbers[text] for text in cells]

    def sizes(self) -> list[int]:
        import polars as pl

        if "bytes" not in self.frame.columns:
            return [DEFAULT_BYTES] * self.frame.height
        allowed = f"whole bytes, 0 to {MOST_IO_BYTES:,}"
        number = self._number("bytes", DEFAULT_BYTES)
        self._tell(
            "bytes",
            (_unknown(number), "not a number", allowed),
            (number != number.round(), "not whole", allowed),
            ((number < 0) | (number > MOST_IO_BYTES), "out of range", allowed),
        )
        return number.fill_nan(None).clip(0, MOST_IO_BYTES).cast(pl.Int64).fill_null(0).to_list()

    def writes(self) -> list[bool]:
        import polars as pl

        if "access" not in self.frame.columns:
            return [False] * self.frame.height
        column = self.frame["access"]
        if not isinstance(column.dtype, (pl.String, pl.Categorical, pl.Enum, pl.Null)):
            raise refusal(problem(f"holds {column.dtype} and not texts", file=self.file, key="access"))
        words = column.cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
        words = words.replace("", "read")
        self._tell("access", (~words.is_in(list(_ACCESS)), "neither read nor write", "read, write, R, W"))
        return [_ACCESS.get(word, False) for word in words.to_list()]

    def refuse(self) -> None:
        """Raise everything that is wrong, in the order of the rows."""
        told = [(row, "volume", fault["what"], fault) for row, fault in self.unknown.items()]
        cells = [(row, name, what, problem("", allowed=allowed)) for row, name, what, allowed in self._first()]
        shown = [
            {**fault, **self._place(row, what), "key": name}
            for row, name, what, fault in sorted([*told, *cells], key=lambda one: one[0])[:MOST_LISTED]
        ]
        if shown:
            raise refusal(*shown, *_counted(self.wrongs + len(self.unknown) - len(shown), self.file))

    def _first(self) -> list[tuple[int, str, str, str]]:
        """The first wrong cells, with their contents."""
        first = []
        for row, name, what, allowed in sorted(self.wrong, key=lambda one: one[0])[:MOST_LISTED]:
            cell = str(self.frame[name][row] or "").strip()[:40]
            first.append((row, name, f"{what}: {cell}" if cell else what, allowed))
        return first

    def _place(self, row: int, what: str) -> Problem:
        line = self.line(row)
        return {"file": self.file, "line": line, "column": 0, "what": what if line else f"row {row + 1:,}: {what}"}

    def _number(self, name: str, empty: int | None = None) -> polars.Series:
        """A column as floats; null is not a number, and `empty` is what an empty cell stands for."""
        import polars as pl

        column = self.frame[name]
        if isinstance(column.dtype, pl.String):
            text = column.str.strip_chars().fill_null("")
            number, blank = text.cast(pl.Float64, strict=False), text == ""
        elif column.dtype.is_numeric():
            number, blank = column.cast(pl.Float64), column.is_null()
        else:
            raise refusal(problem(f"holds {column.dtype} and not numbers", file=self.file, key=name))
        if empty is None:
            return number
        return number.zip_with(~blank, pl.Series([float(empty)]).new_from_index(0, len(number)))

    def _tell(self, name: str, *checks: _Check) -> None:
        """Keep what is wrong with a column; of a cell only the first thing."""
        import polars as pl

        told = pl.Series([False]).new_from_index(0, self.frame.height)
        for wrong, what, allowed in checks:
            fresh = wrong.fill_null(value=False) & ~told
            told = told | fresh
            self.wrongs += int(fresh.sum())
            self.wrong += [(row, name, what, allowed) for row in fresh.arg_true().head(MOST_LISTED).to_list()]


def _unknown(number: polars.Series) -> polars.Series:
    return number.is_null() | ~number.is_finite().fill_null(value=True)


def _counted(left: int, file: str) -> list[Problem]:
    return [problem(f"and {plural(left, 'more problem')}", file=file)] if left > 0 else []


def _check_columns(names: Sequence[str], file: str) -> None:
    wrong = []
    allowed = ", ".join(COLUMNS)
    unknown = [name for name in names if name not in COLUMNS]
    for name in unknown[:MOST_LISTED]:
        near = nearest(name, [column for column in COLUMNS if column not in names])
        shown = name if name.strip() else repr(name)
        wrong.append(problem(f"unknown column {shown[:40]}", file=file, allowed=allowed, nearest=near))
    wrong += _counted(len(unknown) - MOST_LISTED, file)
    times = [name for name in names if name in TIMES]
    if not times:
        wrong.append(problem("no column of times", file=file, allowed="one of time_s, time_ms, time_us"))
    if len(times) > 1:
        wrong.append(problem(f"several columns of times: {', '.join(times)}", file=file, allowed="one of them"))
    if "volume" not in names:
        wrong.append(problem("no column volume", file=file, why="it says where an I/O goes"))
    if wrong:
        raise refusal(*wrong)


def _csv(data: bytes, file: str) -> tuple[polars.DataFrame, _Line]:
    import polars as pl

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        what = "is neither Parquet nor text in UTF-8"
        raise refusal(problem(what, file=file, line=line, allowed="CSV or Parquet")) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise refusal(problem("is neither Parquet nor text", file=file, line=line, allowed="CSV or Parquet"))
    rows, lines = _split(text, file)
    names = rows.pop(0)
    _check_columns(names, file)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    frame = pl.DataFrame(
        [pl.Series(name, list(cells), dtype=pl.String) for name, cells in zip(names, columns, strict=True)]
    )
    return frame, lambda row: lines[row + 1]


def _split(text: str, file: str) -> tuple[list[list[str]], list[int]]:
    """Rows of cells, the header first, each with the line it ends on; raises InputError for rows of another width."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    wrong: list[Problem] = []
    uneven = 0
    try:
        for row in reader:
            if not row:
                continue
            if len(rows) > MOST_RECORDS + 1:  # which is refused; no need to hold the rest
                break
            if rows and len(row) != len(rows[0]):
                what = f"{plural(len(row), 'cell')} where the header has {len(rows[0])}"
                uneven += 1
                wrong += [problem(what, file=file, line=reader.line_num)] * (uneven <= MOST_LISTED)
                continue
            rows.append(row if rows else [name.strip() for name in row])
            lines.append(reader.line_num)
    except csv.Error as error:
        wrong.append(problem("is not CSV", file=file, line=reader.line_num, why=str(error)))
    if not rows:
        raise refusal(problem("is empty", file=file, allowed=f"a header of columns: {', '.join(COLUMNS)}"))
    double = [name for name, times in Counter(rows[0]).items() if times > 1]
    wrong += [problem(f"two columns {name[:40]}", file=file, line=lines[0]) for name in double]
    if wrong:
        more = len(wrong) - MOST_LISTED + max(0, uneven - MOST_LISTED)
        raise refusal(*wrong[:MOST_LISTED], *_counted(more, file))
    return rows, lines


def _parquet(data: bytes, file: str) -> tuple[polars.DataFrame, _Line]:
    try:
        frame = read_apart(data, MOST_RECORDS + 1)
    except TooLargeError as error:
        why = "each row has a text of its own when it is replayed"
        allowed = f"up to {MOST_RECORDS:,} I/Os with the names of their volumes"
        raise refusal(problem(str(error), file=file, why=why, allowed=allowed)) from None
    except ValueError as error:
        raise refusal(problem("is a damaged Parquet file", file=file, why=str(error))) from None
    _check_columns(frame.columns, file)
    return frame, lambda _: 0
