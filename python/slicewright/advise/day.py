"""A day of monitor data as questions take it: measured intervals, and those of them that are looked at."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import shown

if TYPE_CHECKING:
    import polars

    from slicewright.measured.measured import Measured


class Numbered(Protocol):
    """An interval by its number in the day."""

    @property
    def number(self) -> int:
        """Counted from 0."""


@dataclass(frozen=True)
class Day:
    """The measured intervals of one system, as named on the command line; `chosen` are the numbers of those looked at.

    >>> import slicewright, tempfile
    >>> from slicewright.measured.export import monwrite
    >>> run = slicewright.run(slicewright.starter("pool"), replications=1, set={"measure.interval": "2 s"})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "monday").write_bytes(monwrite(run))
    ...     day = read_day([f"{folder}/monday"], None)
    >>> day.chosen, day.table("pools")["aliases"].to_list()
    ((0,), [8.0])
    """

    name: str
    measured: Measured
    chosen: tuple[int, ...]

    @property
    def records(self) -> str:
        """The kind of data: z/VM monitor data, SMF data, pages, or reports of Linux's disks."""
        from slicewright.measured.tables import LINUX_CLOCK, PAGE_CLOCK

        of = {LINUX_CLOCK: "reports of Linux", PAGE_CLOCK: "pages", "UTC": "z/VM monitor data"}
        return of.get(self.measured.clock, "SMF data")

    @property
    def printed(self) -> list[str]:
        """Notes on pages, and the facts that they lack; nothing for records."""
        from slicewright.measured.tables import PAGE_CLOCK

        return list(self.measured.notes) if self.measured.clock == PAGE_CLOCK else []

    @property
    def of_linux(self) -> bool:
        """Whether tools of Linux measured it, which do not separate the wait for a device from its service."""
        from slicewright.measured.tables import LINUX_CLOCK

        return self.measured.clock == LINUX_CLOCK

    def rows(self, name: str) -> polars.LazyFrame:
        """The rows of a table in the intervals that are looked at, of which only those are read that are asked for."""
        import polars as pl

        from slicewright.run.stored import scan
        from slicewright.run.tables import LOGS

        rows = scan(self.measured.raw, name)
        whole = name in LOGS or len(self.chosen) == len(self.measured.starts_us)
        return rows if whole else rows.filter(pl.col("interval").is_between(self.chosen[0], self.chosen[-1]))

    def table(self, name: str) -> polars.DataFrame:
        """The rows of a table in the intervals that are looked at."""
        return self.rows(name).collect()

    def lacks(self, table: str, column: str, record: str) -> list[str]:
        """The record that gives a column, unless a row of the intervals has more than 0 in it."""
        import polars as pl

        most = self.rows(table).select(pl.col(column).max()).collect(engine="streaming").item()
        if most is not None and most > 0:
            return []
        return [record if most is None else f"{record} (these have none above 0)"]

    def when(self, interval: int) -> str:
        """The start of an interval: the time of day, with the date where the intervals are of several days."""
        from slicewright.measured.tables import when

        starts = self.measured.starts_us
        if self._untimed:
            return "time not printed"
        date, time = when(starts[interval]).split()
        days = {when(starts[at]).split()[0] for at in (self.chosen[0], self.chosen[-1])}
        time = time.removesuffix(":00") if all(us % 60_000_000 == 0 for us in starts) else time
        return time if len(days) == 1 else f"{date} {time}"

    @property
    def _untimed(self) -> bool:
        """Whether a page prints no date."""
        from slicewright.measured.tables import PAGE_CLOCK

        return self.measured.clock == PAGE_CLOCK and self.measured.starts_us[self.chosen[0]] == 0

    def span(self, intervals: Sequence[Numbered]) -> str:
        """The start of the first interval, and of the last where there are several."""
        first, last = self.when(intervals[0].number), self.when(intervals[-1].number)
        return first if len(intervals) == 1 else f"{first} to {last}"

    @property
    def heading(self) -> str:
        """System, kind of data, intervals and time, in one line."""
        from slicewright.measured.tables import when
        from slicewright.statistics import seconds

        measured = self.measured
        first, last = when(measured.starts_us[self.chosen[0]]), when(measured.ends_us[self.chosen[-1]])
        every = len(measured.starts_us)
        some = f" of {every:,}" if len(self.chosen) < every else ""
        span = "without a date" if self._untimed else f"{first} to {last} {measured.clock}"
        count = f"{len(self.chosen):,}{some} interval{'s'[: every > 1]}"
        return f"{measured.name}, {self.records}: {count} of {seconds(measured.interval_s)}, {span}"


def read_day(files: Sequence[str | os.PathLike[str]], interval: str | None) -> Day | None:
    """The day that files name, a directory of `read --out` or files of monitor data; None where they name none.

    Raises InputError for a directory of anything else, for other files beside a day, and for intervals that it lacks.
    """
    folders = [file for file in files if _is_folder(file)]
    data = [file for file in files if file not in folders and _is_data(file)]
    if not folders and not data:
        if interval is not None:
            why = "pages and scenarios have intervals of their own"
            raise refusal(problem("applies to monitor data alone", key="interval", why=why))
        return None
    beside = [file for file in files if file not in data and file not in folders[:1]]
    if folders and data:
        beside += data
    if beside:
        why = "a day gives the load of every interval by itself"
        raise refusal(
            *(problem("beside monitor data", file=shown(file), why=why, allowed="one day alone") for file in beside)
        )
    measured = _loaded(folders[0]) if folders else _read(data)
    name = ", ".join(shown(file) for file in (*folders, *data))
    refuse_pages(measured, name)
    return Day(name, measured, _chosen(interval, len(measured.starts_us)))


def refuse_pages(measured: Measured, name: str) -> None:
    """Refuse pages whose tables have less than their text: no table has PAV, weights, or what a head prints."""
    from slicewright.measured.tables import PAGE_CLOCK

    if measured.clock == PAGE_CLOCK and measured.raw["control_programs"].is_empty():
        why = "its tables have neither PAV nor weights, which questions read from the page itself"
        allowed = "the page itself: " + ", ".join(source.file for source in measured.sources)
        raise refusal(problem("the intervals are of a page", file=name, why=why, allowed=allowed))


def _is_folder(file: str | os.PathLike[str]) -> bool:
    try:
        return Path(file).is_dir()
    except OSError:  # a name that no system allows
        return False


def _is_data(file: str | os.PathLike[str]) -> bool:
    """Whether a file is monitor data, or a page that has their counters: FCX102."""
    from slicewright.measured.form import is_monitor_data
    from slicewright.measured.listings import is_fcx102

    if is_monitor_data(file):
        return True
    try:
        return Path(file).is_file() and is_fcx102(Path(file).read_bytes())
    except OSError:  # the reader of pages names the accident
        return False


def _loaded(folder: str | os.PathLike[str]) -> Measured:
    """The measured run of a directory; raises InputError for that of a simulated run, whose scenario can be asked."""
    from slicewright.measured.loading import load
    from slicewright.measured.measured import Measured

    if not Path(folder, "manifest.json").is_file():
        allowed = "a directory that `slicewright read FILE --out DIR` has written, or files"
        raise refusal(problem("is a directory without measured intervals", file=shown(folder), allowed=allowed))
    loaded = load(folder)
    if not isinstance(loaded, Measured):
        allowed = f"its scenario: {shown(Path(folder, 'scenario.toml'))}"
        raise refusal(problem("is the directory of a simulated run", file=shown(folder), allowed=allowed))
    return loaded


def _read(files: Sequence[str | os.PathLike[str]]) -> Measured:
    """The measured run of files of monitor data of one system; raises InputError."""
    from slicewright.measured.read import read

    found = read(files)
    if len(found.runs) > 1:
        names = " ".join(map(shown, files))
        what = f"of {plural(len(found.runs), 'system')}: {', '.join(found.runs)}"
        allowed = f"the directory of one: slicewright read {names} --system {next(iter(found.runs))} --out DIR"
        raise refusal(problem(what, file=shown(files[0]), allowed=allowed))
    return found.of()


def _chosen(text: str | None, count: int) -> tuple[int, ...]:
    """The intervals of N or N..M, both ends in it; all of them without a text."""
    if text is None:
        return tuple(range(count))
    found = re.fullmatch(r"\s*(\d{1,6})\s*(?:\.\.\s*(\d{1,6})\s*)?", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    if first <= last < count:
        return tuple(range(first, last + 1))
    allowed = f"N or N..M, from 0 to {count - 1}: 40..55" if count > 55 else f"N or N..M, from 0 to {count - 1}"
    raise refusal(problem(f"not intervals of the day: {text}", key="interval", allowed=allowed))


def lacking(question: str, asks: str, missing: Sequence[str], day: Day) -> Problem:
    """The problem of a day that lacks records for a question.

    >>> from types import SimpleNamespace
    >>> lacking("aliases", "How many?", ["6/28: the pools"], SimpleNamespace(name="monday"))["why"]
    'it lacks 6/28: the pools'
    """
    what = f"cannot answer advise {question}"
    return problem(what, file=day.name, why=f"it lacks {'; '.join(missing)}", allowed=asks)
