"""Reads files of monitor data: what they hold, and the measured runs of their systems."""

from __future__ import annotations

import os
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slicewright._core import InputError, MonitorFile, SmfFile, __version__
from slicewright.measured.families import refused
from slicewright.measured.form import CLOCKS, Kind, form_of, is_monitor_data, kinds
from slicewright.measured.linux.forms import refused_files, tool_of
from slicewright.measured.linux.read import read_linux
from slicewright.measured.linux.text import HEAD
from slicewright.measured.listings import is_page, read_pages
from slicewright.measured.measured import Measured
from slicewright.measured.tables import SourceFile, when
from slicewright.run import stored
from slicewright.run.tables import unpacked
from slicewright.statistics import plural
from slicewright.values.errors import problem, refusal
from slicewright.values.files import digest, read_bytes, shown
from slicewright.values.packed import refuse_damaged
from slicewright.values.parameters import paths_of

Files = Sequence[tuple[str, bytes]]
"""Names and contents."""

_File = MonitorFile | SmfFile

GAP = 1.5
"""An interval longer than this many median ones is a gap."""


@dataclass(frozen=True)
class MonitorData:
    """Files of monitor data that were read: their records by kind, and a measured run of each system.

    >>> read([])  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: files: there are none
    """

    sources: Sequence[SourceFile]
    kinds: Sequence[Kind]
    bytes: int
    records: int
    notes: Sequence[str]
    """Those of the files and of all runs."""
    runs: Mapping[str, Measured]
    """The measured run of each system that has an interval, by its name."""
    pages: Files = ()
    """Names and contents of files of pages, which questions read as pages."""

    def of(self, system: str | None = None) -> Measured:
        """The measured run of a system, or the only one; raises InputError without one, or where one must be named."""
        names = ", ".join(self.runs)
        if not self.runs:
            why = "an interval is the difference of two samples, and the files hold fewer than two of one system"
            raise refusal(problem("the files hold no interval", file=self.sources[0].file, why=why))
        if system is None and len(self.runs) > 1:
            raise refusal(problem(f"the files are of {plural(len(self.runs), 'system')}", key="system", allowed=names))
        name = system or next(iter(self.runs))
        if name not in self.runs:
            raise refusal(problem(f"the files hold no interval of {name}", key="system", allowed=names))
        return self.runs[name]


def read(files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> MonitorData:
    """Read monitor data of one file or of several, plain or in gzip, in the order of time.

    They are files of MONWRITE (z/VM), SMF dumps (z/OS), pages of RMF, FCX102, or output of fio, iostat -x, btt and
    dasdstat.

    Raises InputError for files that are none or damaged, with the place; OSError as `open`.

    >>> read(["README.md"])  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: README.md: the file is text (byte 0, record 0)...
    """
    files = paths_of("files", files)
    if not files:
        raise refusal(
            problem(
                "there are none",
                key="files",
                allowed="files of MONWRITE, SMF dumps, or output of fio, iostat -x, btt and dasdstat",
            )
        )
    sources = [SourceFile(shown(file), *digest(file)) for file in files]
    named = [(source.file, _head(file)) for source, file in zip(sources, files, strict=True)]
    if problems := [*refused_files(named), *refused(named, "read")]:
        raise refusal(*problems)
    if any(_of_linux(file) for file in files):
        contents = [(source.file, read_bytes(file)) for source, file in zip(sources, files, strict=True)]
        found_kinds, linux = read_linux(contents, sources)
        size, records = sum(source.bytes for source in sources), sum(kind.records for kind in found_kinds)
        return MonitorData(sources, found_kinds, size, records, linux.notes, {linux.name: linux})
    if not any(is_monitor_data(file) for file in files):
        contents = [(source.file, read_bytes(file)) for source, file in zip(sources, files, strict=True)]
        if any(is_page(data) for _, data in contents):
            page_kinds, printed = read_pages(contents, sources)
            size, records = sum(source.bytes for source in sources), sum(kind.records for kind in page_kinds)
            notes = list(dict.fromkeys(note for run in printed for note in run.notes))
            return MonitorData(sources, page_kinds, size, records, notes, {run.name: run for run in printed}, contents)
    form, *others = (form_of(file) for file in files)
    if set(others) - {form}:
        why = "z/VM and z/OS have clocks of their own: read each by itself"
        raise refusal(problem("the files are of two forms, MONWRITE and SMF", key="files", why=why))
    found, tables = _rows([(Path(file), shown(file)) for file in files], SmfFile if form == "smf" else MonitorFile)
    size, records = found.size
    of = (sources, CLOCKS[form])
    systems = dict.fromkeys(system for system, _, _ in found.intervals)
    runs = {system: _run(found, system, tables[system], of) for system in systems}
    notes = list(dict.fromkeys([*found.notices, *(note for run in runs.values() for note in run.notes)]))
    return MonitorData(sources, kinds(found), size, records, notes, runs)


def _rows(files: list[tuple[os.PathLike[str], str]], reader: type[_File]) -> tuple[_File, dict[str, stored.Tables]]:
    """Files that were read to their end, and the tables of each system."""
    found, tables = reader(files), dict[str, stored.Tables]()
    try:
        while (batch := found.rows(stored.MOST_ROWS)) is not None:
            for system, columns in batch.items():
                tables.setdefault(system, stored.Tables()).add(unpacked(columns))
    except InputError:
        for file, name in files:
            refuse_damaged(os.fspath(file), name)  # the cause, where it is the packing
        raise
    return found, tables


def _of_linux(file: str | os.PathLike[str]) -> bool:
    """Whether a tool of Linux wrote a file."""
    return tool_of(_head(file)) is not None


def _head(file: str | os.PathLike[str]) -> bytes:
    """The bytes in which the tool that wrote a file shows itself."""
    with Path(file).open("rb") as stream:
        return stream.read(HEAD)


def _run(found: _File, system: str, tables: stored.Tables, of: tuple[Sequence[SourceFile], str]) -> Measured:
    sources, clock = of
    spans = [(start, end) for name, start, end in found.intervals if name == system]
    notes = [*found.notices, *(_gaps(spans) if isinstance(found, MonitorFile) else [])]
    raw, several = tables.done(), found.pooled(system)
    counted = {name: rows.drop("interval") for name, rows in unpacked(several).items() if stored.in_files(raw, name)}
    return Measured(
        name=system, version=__version__, raw=raw, counted=counted, replications=1,
        notes=notes, starts_us=[start for start, _ in spans],
        ends_us=[end for _, end in spans], sources=sources, clock=clock,
    )  # fmt: skip


def _gaps(spans: Sequence[tuple[int, int]]) -> list[str]:
    """A note on each interval that is far longer than the others: samples between are missing."""
    median = statistics.median(end - start for start, end in spans)
    return [
        f"the interval from {when(start)} to {when(end)} UTC is {(end - start) / 1e6:,.0f} s long, the others "
        f"{median / 1e6:,.0f} s: samples between are missing"
        for start, end in spans
        if end - start > GAP * median
    ]
