"""A report, or one table of it, as values for JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from slicewright.report.figure import Figure
from slicewright.report.forms import Span
from slicewright.report.model import (
    Block,
    Cell,
    Face,
    Lead,
    Notes,
    Paragraph,
    Report,
    Scenarios,
    Table,
    Verbatim,
    face_of,
)
from slicewright.statistics import Estimate
from slicewright.values.numerals import in_json


def document(report: Report) -> dict[str, Any]:
    """The whole report: title, facts, and the blocks of each section in their order.

    >>> document(Report("A run", facts=[("seed", "1")]))["facts"]
    {'seed': '1'}
    """
    return {
        "title": report.title,
        "subtitle": report.subtitle,
        "facts": dict(report.facts),
        "sections": [
            {"title": section.title, "blocks": [_block(block) for block in section.blocks if face_of(block) & Face.ALL]}
            for section in report.sections
        ],
    }


def records(table: Table[Any]) -> list[dict[str, Any]]:
    """The rows of a table as objects, a key per column; `x_half_width` beside an estimate, `x_low`, `x_high` of a span.

    >>> from slicewright.report.model import Column
    >>> records(Table([Column("io_per_s", "I/O per s", lambda row: row)], [Estimate(12.0, 0.5, 10)]))
    [{'io_per_s': 12.0, 'io_per_s_half_width': 0.5}]
    """
    return [record(table, row) for row in table.rows]


def record(table: Table[Any], row: Any) -> dict[str, Any]:
    """One row of a table as an object."""
    made: dict[str, Any] = {}
    for column in table.columns:
        if column.face & Face.JSON:
            made |= values(column.key, column.value(row))
    return made


def values(key: str, value: Any) -> dict[str, Any]:
    """One value under its key, with what belongs to it.

    >>> values("response", Span(1.2, None))
    {'response_low': 1.2, 'response_high': None}
    """
    match value:
        case Cell():
            return values(key, value.value)
        case Estimate():
            return {key: in_json(value.mean), f"{key}_half_width": in_json(value.half_width)}
        case Span():
            return {f"{key}_low": in_json(value.low), f"{key}_high": in_json(value.high)}
        case float():
            return {key: in_json(value)}
        case _:
            return {key: value}


def fields(**named: Any) -> dict[str, Any]:
    """Values under their keys as one object, each with what belongs to it.

    >>> fields(name="A", gain_percent=Estimate(12.0, 0.5, 10))
    {'name': 'A', 'gain_percent': 12.0, 'gain_percent_half_width': 0.5}
    """
    return {key: each for name, value in named.items() for key, each in values(name, value).items()}


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Table():
            columns = [
                {"key": column.key, "header": column.header, "unit": column.unit, "help": column.help}
                for column in block.columns
                if column.face & Face.JSON
            ]
            return {"kind": "table", "title": block.title, "columns": columns, "rows": records(block)}
        case Lead() | Paragraph() | Notes() | Verbatim():
            named = {field.name: getattr(block, field.name) for field in dataclasses.fields(block)}
            named.pop("face")
            return {"kind": type(block).__name__.lower(), **named}
        case Scenarios():
            entries = [{"name": entry.name, "command": entry.command} for entry in block.entries]
            return {"kind": "scenarios", "title": block.title, "entries": entries}
        case Figure():
            return {"kind": "figure", "caption": block.caption, "alternative": block.described}
