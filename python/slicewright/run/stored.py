"""Tables with too many rows for memory: they stay in files, and are read when they are asked for."""

from __future__ import annotations

import contextlib
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright.values.workplace import workplace

if TYPE_CHECKING:
    import polars

MOST_ROWS = 50_000
"""ASSUME: this number of rows takes some 40 MB of memory. It is a batch of reading and a row group of a file."""


_ARROW = ".arrow"
"""Files of this process alone are in Arrow, which is written in half of the time of Parquet."""


class Stored(Mapping[str, "polars.DataFrame"]):
    """Tables by name: some in memory, the others in files of Parquet or Arrow, a part of the rows in each.

    >>> import polars
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "volumes.parquet")
    ...     polars.DataFrame({"interval": [0, 1], "volume": ["A", "A"]}).write_parquet(path)
    ...     Stored({}, {"volumes": [path]})["volumes"]["interval"].to_list()
    [0, 1]
    """

    def __init__(
        self, frames: Mapping[str, polars.DataFrame], files: Mapping[str, Sequence[Path]], spool: Spool | None = None
    ) -> None:
        self._frames, self.files = dict(frames), files
        self._spool = spool  # the files are there as long as this is

    def __getitem__(self, table: str) -> polars.DataFrame:
        """All rows of a table; raises KeyError."""
        return self._frames[table] if table in self._frames else self.scan(table).collect()

    def scan(self, table: str) -> polars.LazyFrame:
        """The rows of a table, of which only those are read that are asked for; raises KeyError."""
        import polars as pl

        if table in self._frames:
            return self._frames[table].lazy()
        files = list(self.files[table])
        return pl.scan_ipc(files) if files[0].suffix == _ARROW else pl.scan_parquet(files)

    def __contains__(self, table: object) -> bool:
        """Whether there is a table of this name."""
        return table in self._frames or table in self.files

    def __iter__(self) -> Iterator[str]:
        return iter((*self._frames, *self.files))

    def __len__(self) -> int:
        return len(self._frames) + len(self.files)


def scan(tables: Mapping[str, polars.DataFrame], table: str) -> polars.LazyFrame:
    """The rows of a table that is in memory or in files."""
    return tables.scan(table) if isinstance(tables, Stored) else tables[table].lazy()


def in_files(tables: Mapping[str, polars.DataFrame], table: str) -> bool:
    """Whether a table has too many rows for memory."""
    return isinstance(tables, Stored) and table in tables.files


def is_empty(tables: Mapping[str, polars.DataFrame], table: str) -> bool:
    """Whether a table has no rows; tables in files have some."""
    return not in_files(tables, table) and tables[table].is_empty()


class Spool:
    """A folder of this process for rows that are read, which goes with the object."""

    def __init__(self) -> None:
        stack = contextlib.ExitStack()
        self.folder = stack.enter_context(workplace(Path(tempfile.gettempdir())))
        self.folder.mkdir()
        self._close = weakref.finalize(self, stack.close)


class Tables:
    """Tables while their rows come in batches: one batch stays in memory, several go to files."""

    def __init__(self) -> None:
        self._frames: dict[str, polars.DataFrame] = {}
        self._files: dict[str, list[Path]] = {}
        self._spool: Spool | None = None

    def add(self, batch: Mapping[str, polars.DataFrame]) -> None:
        """Take in the next rows of every table."""
        if not self._frames:
            self._frames = dict(batch)
            return
        import polars as pl

        for table, frame in batch.items():
            both = self._frames[table] if frame.is_empty() else pl.concat([self._frames[table], frame])
            self._frames[table] = both.clear() if both.height > MOST_ROWS else both
            if both.height > MOST_ROWS:
                self._write(table, both)

    def done(self) -> Mapping[str, polars.DataFrame]:
        """All rows."""
        for table in self._files:
            rest = self._frames.pop(table)
            if not rest.is_empty():
                self._write(table, rest)
        return Stored(self._frames, self._files, self._spool) if self._files else self._frames

    def _write(self, table: str, frame: polars.DataFrame) -> None:
        self._spool = self._spool or Spool()
        parts = self._files.setdefault(table, [])
        parts.append(self._spool.folder / f"{table}-{len(parts)}{_ARROW}")
        frame.write_ipc(parts[-1], compression="zstd")
