"""A report as text for a terminal: no line wider than a printed page but for long names."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from slicewright.report.figure import Figure
from slicewright.report.model import Block, Face, Lead, Notes, Paragraph, Report, Scenarios, Table, Verbatim

WIDTH = 118
"""Characters of a line."""
LEAD = 42
"""Characters before what qualifies an answer."""
NAME = 11
"""Characters before the sentences of notes."""


def render(report: Report) -> str:
    """The sections of a report as text, a blank line between blocks.

    >>> from slicewright.report.model import Section
    >>> notes = [Notes("Evidence", ["rates agree"]), Notes("Open", ["volumes that share aliases"])]
    >>> section = Section("", [Paragraph("a.txt", flush=True), Lead("2 aliases"), *notes])
    >>> print(render(Report("", sections=[section])), end="")
    a.txt
    <BLANKLINE>
      2 aliases
    <BLANKLINE>
    Evidence   rates agree
    Open       volumes that share aliases
    """
    shown = [block for section in report.sections for block in section.shown(Face.TEXT)]
    groups = ["\n".join(line for block in blocks for line in _lines(block)) for _, blocks in groupby(shown, _group)]
    return "\n\n".join(group for group in groups if group) + "\n"


def _group(block: Block) -> object:
    """The group of a block: blocks of one group, such as notes, have no blank line between them."""
    match block:
        case Lead() | Paragraph(flush=False):
            return Lead
        case Notes():
            return Notes
        case _:
            return id(block)


def _lines(block: Block) -> list[str]:
    match block:
        case Lead(text, aside):
            return [f"  {text.ljust(LEAD)}  {aside}" if aside else f"  {text}"]
        case Paragraph(text, flush=True):
            return [text]
        case Paragraph(text):
            return [f"  {line}" for line in _wrapped(text, WIDTH - 2, "")]
        case Notes(name, sentences):
            return _notes(name, sentences)
        case Table():
            return table_lines(block)
        case Verbatim(title, text):
            return [title, text]
        case Figure() | Scenarios():
            return []


def _notes(name: str, sentences: Sequence[str]) -> list[str]:
    lines = [line for text in sentences for line in _wrapped(text, WIDTH - NAME, "")]
    if not lines:
        return []
    return [f"{name.ljust(NAME - 1)} {lines[0]}", *(f"{'':{NAME}}{line}" for line in lines[1:])]


def table_lines(table: Table[Any]) -> list[str]:
    """The lines of one table: its title, its columns two blanks apart, and its legend.

    >>> from slicewright.report.model import Column
    >>> table_lines(Table([Column("run", "run", str)], ["A"], title="Runs"))
    ['Runs', '  run', '  A']
    """
    grid = table.grid(Face.TEXT)
    left = [column.is_left or at == 0 for at, column in enumerate(grid.columns)]
    head = [f"{column.header} {column.unit}".rstrip() for column in grid.columns]
    lines = aligned([head, *([str(cell.value) for cell in row] for row in grid.rows)], left)
    for at, marks in enumerate(grid.marks, start=1):
        if marks:
            lines[at] += f"  <- {'; '.join(marks)}"
    titled = [table.title] if table.title else []
    printed = [f"  {line}".rstrip() for line in lines]
    legend = _wrapped(table.legend, WIDTH, "  ")
    return [*titled, *printed, *legend]


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    """Lines of a paragraph: the first word at `indent`, the other lines two blanks from the left."""
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent="  ", break_on_hyphens=False)


def aligned(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> list[str]:
    """Lines of a table, two blanks between columns; `left` says which columns are aligned to the left.

    >>> for line in aligned([["volume", "resp"], ["BWPVS0", "1.84"], ["B", "12.10"]], [True, False]): print(line)
    volume   resp
    BWPVS0   1.84
    B       12.10
    """
    widths = [max(len(row[at]) for row in rows) for at in range(len(left))]
    return [
        "  ".join(
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(row, widths, left, strict=True)
        )
        for row in rows
    ]
