"""A question asked of many: each is answered, and one table shows all; a day's intervals are answered in groups.

Groups of like intervals are few enough to be simulated, and each is narrow enough to be taken as one load.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from slicewright.advise.day import Day
from slicewright.experiment.outcome import Array
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import decimals
from slicewright.report.model import Block, Column, Face, Report, Table
from slicewright.values.progress import Progress, piece

if TYPE_CHECKING:
    import polars

ALIKE = 0.1
"""ASSUME: intervals are alike while no value of two differs by more than this share of the day's largest."""
MOST_GROUPS = 8
"""Groups over all subjects of a day, which bounds what is simulated."""
LEAST_GROUPS = 2
"""Groups that each subject may have, however many there are."""

A = TypeVar("A")
T = TypeVar("T")
R = TypeVar("R")
G = TypeVar("G", bound="Group[Any]")


@dataclass(frozen=True)
class Interval:
    """One interval of a day by its number, with its values by name; None is not known."""

    number: int
    values: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        """A value."""
        return self.values[key]


def intervals_of(rows: polars.DataFrame) -> list[Interval]:
    """The intervals of a table with a row for each."""
    return [Interval(row.pop("interval"), row) for row in rows.iter_rows(named=True)]


@dataclass(frozen=True)
class Group(Generic[A]):
    """Like intervals of a day, and the answer about their means."""

    intervals: tuple[Interval, ...]
    answer: A

    def mean(self, name: str) -> float | None:
        """The mean of a value over the intervals that have it."""
        known = [value for interval in self.intervals if (value := interval[name]) is not None]
        return float(np.mean(known)) if known else None

    def __getitem__(self, key: str) -> float | None:
        """What the spec of a table names: a mean."""
        return self.mean(key)


class Several(ABC, Generic[R]):
    """Answers that one table shows, a row each: groups of like intervals, or the workloads of a fleet."""

    question: ClassVar[str]

    @property
    @abstractmethod
    def rows(self) -> Sequence[R]:
        """The subjects of the answers, in the order of the table."""

    @abstractmethod
    def report(self) -> Report:
        """The answers for people."""

    @abstractmethod
    def headline(self) -> list[Block]:
        """The recommendation, or why there is none."""

    @abstractmethod
    def legend(self) -> str:
        """The legend of the table."""

    @abstractmethod
    def columns(self) -> list[Column[R]]:
        """The columns of a row."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Values for programs before the rows."""

    @abstractmethod
    def records(self) -> dict[str, Any]:
        """The rows for programs."""

    def rest(self) -> dict[str, Any]:
        """Values for programs after the rows."""
        return {}

    def marks(self, row: R) -> list[str]:
        """The marks of a row, where there are several."""
        return []

    def brief(self, row: R) -> bool:
        """Whether text shows a row, too."""
        return True

    def table(self, columns: Sequence[Column[R]] = ()) -> Table[R]:
        """The table, with more columns before its own."""
        rows = self.rows
        return Table(
            [*columns, *self.columns()], rows, legend=self.legend(), brief=self.brief, face=Face.PEOPLE,
            marks=lambda row: self.marks(row) if len(rows) > 1 else [],
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """The answers for programs."""
        return {"question": self.question, **self.facts(), **self.records(), **self.rest()}


@dataclass(frozen=True)
class Many(Several[G]):
    """The answers about one subject over a day; `groups` hardest first."""

    day: Day
    groups: tuple[G, ...]

    caption: ClassVar[str]
    """Below the figure of the day."""

    @abstractmethod
    def panels(self, track: Sequence[tuple[Interval, G]], line: Callable[..., Series]) -> list[Panel]:
        """The panels of the figure; `line` draws a value of each interval, as measured where it is named alone."""

    @abstractmethod
    def of_group(self, group: G) -> dict[str, Any]:
        """Values of a group for programs, beside its intervals."""

    @property
    def rows(self) -> Sequence[G]:
        """The groups in the order of time."""
        return sorted(self.groups, key=lambda group: group.intervals[0].number)

    def marks(self, group: G) -> list[str]:
        """The marks of a group in the table, where there are several."""
        return ["hardest"] if group is self.hardest else []

    @property
    def hardest(self) -> G:
        """The group that asks for most."""
        return self.groups[0]

    @property
    def answered(self) -> tuple[G, ...]:
        """The groups with a recommendation."""
        return tuple(group for group in self.groups if group.answer.recommendation)

    @property
    def heading(self) -> str:
        """The file, and its intervals."""
        return f"{self.day.name}  {self.day.heading}"

    @property
    def track(self) -> list[tuple[Interval, G]]:
        """The intervals in the order of time, each with its group."""
        every = [(interval, group) for group in self.groups for interval in group.intervals]
        return sorted(every, key=lambda pair: pair[0].number)

    def span(self, group: G) -> str:
        """The time of a group, from its first interval to its last."""
        return self.day.span(group.intervals)

    def blocks(self) -> list[Block]:
        """The headline, the table of groups in the order of time, and the day as a figure."""
        columns: list[Column[G]] = [
            Column("when", "first to last", self.span),
            Column("intervals", "intervals", lambda group: len(group.intervals), form=decimals(0)),
        ]
        return [*self.headline(), self.table(columns), *([self._figure()] if len(self.day.chosen) > 1 else [])]

    def _figure(self) -> Figure:
        track, starts = self.track, self.day.measured.starts_us
        first, last = track[0][0].number, track[-1][0].number
        unit, size = ("Hours", 3600e6) if starts[last] - starts[first] >= 7200e6 else ("Minutes", 60e6)
        x = [(starts[interval.number] - starts[first]) / size for interval, _ in track]

        def line(values: str | Iterable[float | None], label: str = "measured", **how: Any) -> Series:
            found = [interval[values] for interval, _ in track] if isinstance(values, str) else list(values)
            return Series(x, found, label=label, **how)

        panels = self.panels(track, line)
        return Figure(panels, f"{unit} from {self.day.when(first)}", self.caption, layout="below")

    def records(self) -> dict[str, Any]:
        """The groups for programs."""
        return {
            "groups": [
                {"intervals": [interval.number for interval in group.intervals], **self.of_group(group)}
                for group in self.groups
            ]
        }

    def document(self) -> dict[str, Any]:
        """The answers for programs."""
        return {"question": self.question, "files": [self.day.name], **super().document()}


def grouped(
    intervals: Sequence[Interval], names: Sequence[str], most: int = MOST_GROUPS, kind: str = ""
) -> list[tuple[Interval, ...]]:
    """Groups of intervals with like values of these names, and with the same of the name that is their kind."""
    values = np.array([[interval[name] or 0.0 for name in names] for interval in intervals])
    rows = alike(values, [interval[kind] if kind else 0 for interval in intervals], most)
    return [tuple(intervals[at] for at in group) for group in rows]


def each_group(groups: Sequence[T], ask: Callable[[T, Progress], A], progress: Progress) -> Iterator[tuple[T, A]]:
    """Each group with its answer."""
    for at, group in enumerate(groups):
        yield group, ask(group, piece(progress, at, len(groups)))
        progress((at + 1) / len(groups))


def alike(values: Array, kinds: Sequence[Hashable], most: int = MOST_GROUPS) -> list[list[int]]:
    """Groups of rows (rows x values, none negative) as lists of row numbers, in the order of their first rows.

    Rows of different kinds are never together.  Values are taken as shares of the largest; the last of a row says how
    much it matters.  Until all are alike, or there are `most` groups, one group is halved at the middle of the value
    with the widest range: the group in which that range, times the largest last value, is the largest.

    >>> alike(np.array([[100.0], [104.0], [300.0]]), "AAA"), alike(np.array([[1.0], [1.0]]), "AB")
    ([[0, 1], [2]], [[0], [1]])
    """
    shares = values / np.maximum(values.max(axis=0), np.finfo(float).tiny)
    groups: list[list[int]] = [[at for at, kind in enumerate(kinds) if kind == each] for each in dict.fromkeys(kinds)]
    while len(groups) < most:
        widths = np.array([np.ptp(shares[group], axis=0) for group in groups])
        weights = np.array([shares[group, -1].max() for group in groups])
        urgent = np.where(widths > ALIKE, widths * weights[:, None], 0.0)
        if not urgent.any():
            break
        place, value = np.unravel_index(int(urgent.argmax()), urgent.shape)
        group = groups.pop(int(place))
        column = shares[group, value]
        middle = (column.min() + column.max()) / 2
        groups.append([row for row in group if shares[row, value] <= middle])
        groups.append([row for row in group if shares[row, value] > middle])
    return sorted(groups)


def groups_each(subjects: int) -> int:
    """The groups that each of several subjects may have.

    >>> groups_each(1), groups_each(3), groups_each(20)
    (8, 2, 2)
    """
    return max(LEAST_GROUPS, MOST_GROUPS // max(1, subjects))
