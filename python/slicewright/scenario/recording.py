"""Recorded I/Os as a file holds them: CSV or Parquet read into columns, with every problem of the rows at once."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.statistics import plural
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.parquet import TooLargeError, read_apart

if TYPE_CHECKING:
    import polars

TIMES = {"time_s": 1e9, "time_ms": 1e6, "time_us": 1e3}
"""Columns of instants, each with its unit in nanoseconds; a file has one of them."""

COLUMNS = (*TIMES, "volume", "bytes", "access")
DEFAULT_BYTES = 4096
MOST_BYTES = 64 << 20
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
class Records:
    """Recorded I/Os in the order of time, as columns of one length.

    `time_ns` from the start of the first interval; `text` is of each record the number of its text in `texts`.

    >>> read_records(b"time_ms,volume\\n0,A\\n1.5,B\\n", "io.csv").time_ns
    [0, 1500000]
    """

    time_ns: list[int]
    texts: list[str]
    text: list[int]
    bytes: list[int]
    write: list[bool]

    def columns(self) -> dict[str, list[Any]]:
        """As the engine takes them.

        >>> read_records(b"time_s,volume,access\\n0,A,W\\n", "io.csv").columns()["write"]
        [True]
        """
        return {name: getattr(self, name) for name in ("time_ns", "texts", "text", "bytes", "write")}


def _nothing(texts: list[str]) -> list[Problem | None]:
    return [None] * len(texts)


def is_parquet(data: bytes) -> bool:
    """Whether bytes are a Parquet file, by what it starts and ends with.

    >>> is_parquet(b"time_s,volume")
    False
    """
    return data[:4] == _MAGIC == data[-4:]


def read_records(data: bytes, file: str, unknown: Unknown = _nothing) -> Records:
    """Read recorded I/Os: time_s (or time_ms, time_us), volume, and where the file has them bytes and access.

    An empty cell of `bytes` is 4096, one of `access` is a read; `unknown` says which texts of `volume` name nothing.
    Raises InputError with every problem: of the columns, or of the rows (the first eight, the rest counted).

    >>> read_records(b"time_s,volume,bytes\\n0.5,A,\\n", "io.csv").bytes
    [4096]
    """
    frame, line = _parquet(data, file) if is_parquet(data) else _csv(data, file)
    if frame.is_empty():
        raise refusal(problem("holds no records", file=file, allowed="a row per I/O"))
    if frame.height > MOST_RECORDS:
        why = "no more are replayed at once"
        raise refusal(problem(f"holds more than {MOST_RECORDS:,} records", file=file, why=why))
    rows = _Rows(frame, file, line)
    time = next(name for name in TIMES if name in frame.columns)
    records = Records(rows.times(time), *rows.texts(unknown), rows.sizes(), rows.writes())
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
        allowed = f"whole bytes, 0 to {MOST_BYTES:,}"
        number = self._number("bytes", DEFAULT_BYTES)
        self._tell(
            "bytes",
            (_unknown(number), "not a number", allowed),
            (number != number.round(), "not whole", allowed),
            ((number < 0) | (number > MOST_BYTES), "out of range", allowed),
        )
        return number.fill_nan(None).clip(0, MOST_BYTES).cast(pl.Int64).fill_null(0).to_list()

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
