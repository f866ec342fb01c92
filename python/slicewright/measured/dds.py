"""Intervals of a run as answers of RMF's Distributed Data Server (DDS): one document per report and interval."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from slicewright.measured.export import check_replication, check_system, span_us
from slicewright.measured.tables import MeasuredTables, when
from slicewright.run.results import Results
from slicewright.run.tabulated import Tabulated
from slicewright.values.errors import problem, refusal
from slicewright.values.files import Earlier, whole_directory

Row = Mapping[str, Any]
Cell = Callable[[Row], str]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a report: its name in the DDS, the meaning, and the text of its cells."""

    id: str
    meaning: str
    cell: Cell
    type: str = "N"
    """N for numbers, T for text."""


@dataclass(frozen=True, slots=True)
class Report:
    """A Monitor III report: the table that it is made of, its title and columns."""

    table: str
    title: str
    columns: Sequence[Column]


def _text(name: str) -> Cell:
    return lambda row: str(row[name])


def _number(name: str, decimals: int) -> Cell:
    return lambda row: _printed(row[name], decimals)


def _printed(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


def _busy(*parts: str) -> Cell:
    """The share of the interval in these parts of service; empty for a volume whose I/Os ran on aliases too."""

    def cell(row: Row) -> str:
        total = _sum(row, parts) if row["alias_io_per_s"] == 0 else None
        return _printed(None if total is None else row["io_per_s"] * total / 10, 0)

    return cell


def _share(of: str, *parts: str) -> Cell:
    """The parts of a partition's time over that of the processors `of`; empty where their number is not known."""

    def cell(row: Row) -> str:
        total = _sum(row, parts) if row[of] else None
        return _printed(None if total is None else total * row["logical_processors"] / row[of], 1)

    return cell


def _sum(row: Row, parts: Sequence[str]) -> float | None:
    values = [row[part] for part in parts]
    return None if None in values else sum(values)


REPORTS: Mapping[str, Report] = {
    "CHANNEL": Report("channels", "Channel Path Activity", [
        Column("CHACPIVC", "name of the channel path", _text("channel"), "T"),
        Column("CHACTUVC", "total utilization, %", _number("busy_percent", 1)),
    ]),
    "CPC": Report("partitions", "CPC Capacity", [
        Column("CPCPPNAM", "name of the partition", _text("partition"), "T"),
        Column("CPCPLPNO", "logical processors online, mean", _number("online", 1)),
        Column("CPCPLEFU", "logical utilization, effective, %", _share("online", "dispatched_percent")),
        Column("CPCPLTOU", "logical utilization, total, %",
               _share("online", "dispatched_percent", "management_percent")),
        Column("CPCPPLMU", "physical utilization, LPAR management, %", _share("physical", "management_percent")),
        Column("CPCPPEFU", "physical utilization, effective, %", _share("physical", "dispatched_percent")),
        Column("CPCPPTOU", "physical utilization, total, %",
               _share("physical", "dispatched_percent", "management_percent")),
    ]),
    "DEVR": Report("volumes", "Device Resource Delays", [
        Column("DVRPVOLU", "volume", _text("volume"), "T"),
        Column("DVRPDEVN", "device number", _text("device"), "T"),
        Column("DVRACTRT", "activity rate, per second", _number("io_per_s", 1)),
        Column("DVRRPTHP", "response time, ms", _number("response_ms", 3)),
        Column("DVRIQTHP", "IOS queue time, ms", _number("iosq_ms", 3)),
        Column("DVRPACTV", "active, %", _busy("pend_ms", "disc_ms", "conn_ms")),
        Column("DVRPCONN", "connected, %", _busy("conn_ms")),
        Column("DVRPDISC", "disconnected, %", _busy("disc_ms")),
        Column("DVRPPEND", "pending, %", _busy("pend_ms")),
    ]),
}  # fmt: skip
"""The reports by their names in the DDS."""

_NAMES = re.compile(rf"LIST|({'|'.join(REPORTS)})-\d{{4,}}\.xml")
EARLIER = Earlier("LIST", lambda name: _NAMES.fullmatch(name) is not None)
"""An earlier export, which a new one of the same name replaces."""


def save(
    run: Tabulated, directory: str | os.PathLike[str], *, replication: int, system: str | None, start_us: int
) -> int:
    """Write a directory with the documents of one replication and the list of their names; returns how many.

    `start_us` is the local time at the start, microseconds since 1970.  Raises InputError when the run has nothing
    that these reports show, for any other parameter, or when the name belongs to something else.
    """
    made = documents(run, replication=replication, system=system, start_us=start_us)
    with whole_directory(directory, EARLIER) as folder:
        for name, text in made.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / EARLIER.marker).write_text("".join(f"{name}\n" for name in made), encoding="utf-8")
    return len(made)


def documents(run: Tabulated, *, replication: int, system: str | None, start_us: int) -> dict[str, str]:
    """The documents by names such as `DEVR-0003.xml`: the report, and the interval counted from 0."""
    import polars as pl

    system = system or "SLICEWRT"
    check_system(system, 8)
    check_replication(run, replication)
    made = {}
    for name, report in REPORTS.items():
        frame = run.raw[report.table].filter(pl.col("replication") == replication)
        for (interval,), rows in frame.group_by("interval", maintain_order=True):
            number = int(str(interval))
            span = span_us(run, number, start_us)
            found = [row | _processors(run, row) for row in rows.iter_rows(named=True)]
            made[f"{name}-{number:04}.xml"] = _document(name, found, _Place(run, system, span))
    if not made:
        why = f"the reports show {', '.join(report.table for report in REPORTS.values())}"
        raise refusal(problem("the run has nothing that reports of the DDS show", file=run.name, why=why))
    return made


@dataclass(frozen=True, slots=True)
class _Place:
    """The run, system and interval of a document."""

    run: Tabulated
    system: str
    span: tuple[int, int]


def _processors(run: Tabulated, row: Row) -> dict[str, Any]:
    """For a row of a partition: its logical processors that were online, and the physical processors if known."""
    import polars as pl

    if "logical_processors" not in row:
        return {}
    of_row = [pl.col(key) == row[key] for key in ("replication", "interval", "partition")]
    online = run.raw["online_processors"].filter(*of_row)["online_percent"]
    cec = run.view.cec if isinstance(run, Results) else None
    return {
        "online": row["logical_processors"] if online.is_empty() else online.sum() / 100,
        "physical": cec.processors if cec else None,
    }


def _document(name: str, rows: Sequence[Row], place: _Place) -> str:
    report = REPORTS[name]
    root = ElementTree.Element("ddsml")
    root.append(ElementTree.Comment(f" written by slicewright from a run: {place.run.made_by} "))
    body = ElementTree.SubElement(root, "report")
    metric = ElementTree.SubElement(body, "metric", id=name)
    _leaf(metric, "description", report.title)
    _leaf(metric, "format", "report")
    resource = ElementTree.SubElement(body, "resource")
    _leaf(resource, "reslabel", f",{place.system},MVS_IMAGE")
    _leaf(resource, "restype", "MVS_IMAGE")
    element = ElementTree.SubElement(body, "time-data")
    start, end = place.span
    _leaf(element, "local-start", _digits(start))
    _leaf(element, "local-end", _digits(end))
    if not (isinstance(place.run, MeasuredTables) and place.run.clock != "UTC"):
        _leaf(element, "utc-start", _digits(start))
        _leaf(element, "utc-end", _digits(end))
    _leaf(element, "display-start", _american(start), locale="en-us")
    _leaf(element, "display-end", _american(end), locale="en-us")
    _leaf(element, "gatherer-interval", str(round((end - start) / 1e6)), unit="seconds")
    _leaf(element, "data-range", str(round((end - start) / 1e6)), unit="seconds")
    for number, row in enumerate(rows, 1):
        line = ElementTree.SubElement(body, "row", refno=str(number))
        for column in report.columns:
            _leaf(line, "col", column.cell(row))
    heads = ElementTree.SubElement(body, "column-headers")
    for column in report.columns:
        _leaf(heads, "col", column.id, type=column.type)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _leaf(parent: ElementTree.Element, tag: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, tag, attributes).text = text


def _digits(us: int) -> str:
    return re.sub(r"\D", "", when(us))


def _american(us: int) -> str:
    date, time = when(us).split()
    year, month, day = date.split("-")
    return f"{month}/{day}/{year} {time}"
