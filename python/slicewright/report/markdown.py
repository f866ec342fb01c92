"""A report as Markdown for a page of documentation: figures are left to the HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from slicewright.report.figure import Figure
from slicewright.report.model import Block, Face, Lead, Notes, Paragraph, Report, Scenarios, Section, Table, Verbatim


def render(report: Report) -> str:
    """Title, sections and their blocks, a blank line between all of them.

    >>> print(render(Report("Runs", sections=[Section("A run", [Paragraph("It matches.")])])), end="")
    # Runs
    <BLANKLINE>
    ## A run
    <BLANKLINE>
    It matches.
    """
    parts = [f"# {report.title}", *([report.subtitle] if report.subtitle else [])]
    parts += [f"- {name}: {value}" for name, value in report.facts]
    return "\n\n".join([*parts, *(part for section in report.sections for part in _section(section))]) + "\n"


def table_text(table: Table[Any]) -> str:
    """A table: columns of words to the left, of numbers to the right.

    >>> from slicewright.report.forms import decimals
    >>> from slicewright.report.model import Column
    >>> columns = [Column("run", "run", lambda row: row[0]), Column("off", "off", lambda row: row[1], form=decimals(1))]
    >>> print(table_text(Table(columns, [("A", 0.5)])))
    | run | off |
    |---|--:|
    | A | .5 |
    """
    grid = table.grid(Face.HTML)
    heads = [f"{column.header}, {column.unit}" if column.unit else column.header for column in grid.columns]
    sides = ("---" if column.is_left else "--:" for column in grid.columns)
    rows = ([str(cell.value) for cell in row] for row in grid.rows)
    return "\n".join([_row(heads), f"|{'|'.join(sides)}|", *map(_row, rows)])


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"## {section.title}"
    for block in section.shown(Face.HTML):
        yield from _parts(block)


def _parts(block: Block) -> Iterator[str]:
    match block:
        case Lead(text, aside):
            yield f"**{text}**{f' {aside}' if aside else ''}"
        case Paragraph(text):
            yield text
        case Notes(name, lines):
            yield "\n".join([*([f"{name}:", ""] if name else []), *(f"- {line}" for line in lines)])
        case Table(title=title, legend=legend):
            yield from (part for part in (title, table_text(block), legend) if part)
        case Verbatim(title, text):
            yield from ([title] if title else [])
            yield f"```text\n{text}\n```"
        case Figure() | Scenarios():
            return


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
