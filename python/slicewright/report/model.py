"""A report as data: sections of text, tables, figures and notes, which every renderer prints in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from typing import Any, Generic, Literal, TypeVar

from slicewright.report.figure import Figure
from slicewright.report.forms import Form, words

T = TypeVar("T")

Tone = Literal["", "good", "bad", "fair", "quiet"]
"""How a cell is marked: matches, misses, trend, of no account; always beside a word, never alone."""


class Face(Flag):
    """Where a block, a column or a row is shown."""

    TEXT = auto()
    HTML = auto()
    JSON = auto()
    PEOPLE = TEXT | HTML
    ALL = TEXT | HTML | JSON


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with a tone, or with a note that is shown when the pointer rests on it."""

    value: Any
    tone: Tone = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A column: its key in JSON (with the unit as a suffix), its header and unit for people, and how values are found.

    `value` takes a row and returns text, a number, an `Estimate`, a `Span`, a `Cell` around one of them, or None.
    `optional` drops the column where no row has a value; `only` says whether these rows have a use for it.

    >>> from slicewright.report.forms import decimals
    >>> resp = Column("response_ms", "resp", lambda volume: volume["ms"], "ms", decimals(2))
    >>> resp.form([1.844])
    ['1.84']
    """

    key: str
    header: str
    value: Callable[[T], Any]
    unit: str = ""
    form: Form = words
    help: str = ""
    """The meaning of the column, for the legend and for the pointer."""
    brief: Form | None = None
    """How values are printed as text, where the page has more room."""
    face: Face = Face.ALL
    optional: bool = False
    only: Callable[[Sequence[T]], bool] = lambda rows: True
    left: bool = False

    @property
    def is_left(self) -> bool:
        """Whether the column is aligned to the left, as words are."""
        return self.left or self.form is words

    def printed(self, values: Sequence[Any], face: Face) -> list[str]:
        """The values as one face prints them."""
        return (self.brief if self.brief and face is Face.TEXT else self.form)(values)


@dataclass(frozen=True, slots=True)
class Grid:
    """What a table shows on one face: columns, and of each row the printed cells and the marks."""

    columns: Sequence[Column[Any]]
    rows: Sequence[Sequence[Cell]]
    """Cells whose values are text, ready to print."""
    marks: Sequence[Sequence[str]]

    @property
    def marked(self) -> bool:
        """Whether any row has a mark."""
        return any(self.marks)


@dataclass(frozen=True, slots=True)
class Table(Generic[T]):
    """Rows of one kind, and the columns that show them.

    >>> table = Table([Column("count", "aliases", str)], [0, 8], marks=lambda row: ["now"] if row == 8 else [])
    >>> table.grid(Face.TEXT).marks
    [[], ['now']]
    """

    columns: Sequence[Column[T]]
    rows: Sequence[T]
    title: str = ""
    legend: str = ""
    """Explains below the table a number that a newcomer could misread."""
    marks: Callable[[T], Sequence[str]] = lambda row: ()
    """The marks of a row, such as "now" or "choose"."""
    brief: Callable[[T], bool] = lambda row: True
    """Which rows are shown as text; HTML and JSON have all."""
    face: Face = Face.ALL

    def grid(self, face: Face) -> Grid:
        """The printed table for one face; optional columns without a value are omitted."""
        rows = [row for row in self.rows if face is not Face.TEXT or self.brief(row)]
        columns, printed = [], []
        for column in self.columns:
            if not (column.face & face and column.only(rows)):
                continue
            cells = [_cell(column.value(row)) for row in rows]
            texts = column.printed([cell.value for cell in cells], face)
            if not (column.optional and all(text.strip() in ("", "-") for text in texts)):
                columns.append(column)
                printed.append([Cell(text, cell.tone, cell.note) for text, cell in zip(texts, cells, strict=True)])
        return Grid(columns, [list(row) for row in zip(*printed, strict=True)], [list(self.marks(row)) for row in rows])


@dataclass(frozen=True, slots=True)
class Lead:
    """The answer in one line, and beside it what qualifies it."""

    text: str
    aside: str = ""
    face: Face = Face.PEOPLE


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; as text they are indented below a heading unless `flush` is set."""

    text: str
    flush: bool = False
    face: Face = Face.PEOPLE


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences under one name, such as Evidence or Caveats."""

    name: str
    lines: Sequence[str]
    face: Face = Face.PEOPLE


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text to be kept as it is, such as a scenario or a report page; HTML folds it away."""

    title: str
    text: str
    face: Face = Face.HTML


@dataclass(frozen=True, slots=True)
class Entry:
    """A scenario of a page: what it is of, the command that simulates it, and its complete text."""

    name: str
    command: str
    text: str


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Scenarios of points, of which a page shows the one that is picked from a list or clicked in a figure."""

    title: str
    base: str
    """The text from which they differ in a few lines."""
    entries: Sequence[Entry]
    face: Face = Face.HTML


Block = Scenarios | Lead | Paragraph | Notes | Table[Any] | Figure | Verbatim


def face_of(block: Block) -> Face:
    """Where a block is shown: figures only where they can be drawn."""
    return Face.HTML if isinstance(block, Figure) else block.face


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a title."""

    title: str
    blocks: Sequence[Block]

    def shown(self, face: Face) -> Iterator[Block]:
        """The blocks that one face shows; tables without rows are omitted."""
        for block in self.blocks:
            if face_of(block) & face and not (isinstance(block, Table) and not block.rows):
                yield block


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report: title, one line below it, facts (name, value), sections.

    >>> Report("A run", "8 volumes", [("seed", "1")], []).title
    'A run'
    """

    title: str
    subtitle: str = ""
    facts: Sequence[tuple[str, str]] = ()
    sections: Sequence[Section] = field(default_factory=list)
    repeats: bool = True
    """Whether the same scenario, seed and version give the same report; a measurement gives another one."""


def joined(reports: Sequence[Report]) -> Report:
    """Several reports as one: a fact for each of them, which holds all of its own.

    >>> both = joined([Report("Pool A", facts=[("aliases", "3")]), Report("Pool B", facts=[("aliases", "6")])])
    >>> both.title, both.facts
    ('Pool A and 1 more', [('Pool A', 'aliases 3'), ('Pool B', 'aliases 6')])
    """
    first, *others = reports
    if not others:
        return first
    facts = [(report.title, "; ".join(f"{name} {value}" for name, value in report.facts)) for report in reports]
    sections = [section for report in reports for section in _headed(report)]
    return replace(first, title=f"{first.title} and {len(others)} more", subtitle="", facts=facts, sections=sections)


def _headed(report: Report) -> list[Section]:
    """The sections of a report, the first of which begins with the line below its title."""
    if not report.sections or not report.subtitle:
        return list(report.sections)
    first, *others = report.sections
    return [replace(first, blocks=[Paragraph(report.subtitle, face=Face.HTML), *first.blocks]), *others]


def _cell(value: Any) -> Cell:
    return value if isinstance(value, Cell) else Cell(value)
