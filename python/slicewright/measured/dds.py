"""Intervals of a run as answers of RMF's Distributed Data Server (DDS): one document per report and interval."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a report: its name in the DDS, the meaning, and the text of its cells."""

    id: str
    meaning: str
    form: str
    """text, a format of numbers, busy, or the processors over whose time a partition's parts are a share."""
    of: str
    """The counters that are added up."""

    @property
    def type(self) -> str:
        """N for numbers, T for text."""
        return "T" if self.form == "text" else "N"

    def cell(self, row: Row) -> str:
        """The text of a cell; empty where a part is not known, and of busy where I/Os ran on aliases too."""
        values = [row[name] for name in self.of.split()]
        if self.form == "text":
            return str(values[0])
        if None in values:
            return ""
        total = sum(values)
        if self.form == "busy":
            return f"{row['io_per_s'] * total / 10:.0f}" if row["alias_io_per_s"] == 0 else ""
        if self.form in row:
            return f"{total * row['logical_processors'] / row[self.form]:.1f}" if row[self.form] else ""
        return f"{total:{self.form}}"


@dataclass(frozen=True, slots=True)
class Report:
    """A Monitor III report: the table that it is made of, its title and columns."""

    table: str
    title: str
    columns: Sequence[Column]


_EFFECTIVE, _TOTAL = "dispatched_percent", "dispatched_percent management_percent"
REPORTS: Mapping[str, Report] = {
    "CHANNEL": Report("channels", "Channel Path Activity", [
        Column("CHACPIVC", "name of the channel path", "text", "channel"),
        Column("CHACTUVC", "total utilization, %", ".1f", "busy_percent"),
    ]),
    "CPC": Report("partitions", "CPC Capacity", [
        Column("CPCPPNAM", "name of the partition", "text", "partition"),
        Column("CPCPLPNO", "logical processors online, mean", ".1f", "online"),
        Column("CPCPLEFU", "logical utilization, effective, %", "online", _EFFECTIVE),
        Column("CPCPLTOU", "logical utilization, total, %", "online", _TOTAL),
        Column("CPCPPLMU", "physical utilization, LPAR management, %", "physical", "management_percent"),
        Column("CPCPPEFU", "physical utilization, effective, %", "physical", _EFFECTIVE),
        Column("CPCPPTOU", "physical utilization, total, %", "physical", _TOTAL),
    ]),
    "DEVR": Report("volumes", "Device Resource Delays", [
        Column("DVRPVOLU", "volume", "text", "volume"),
        Column("DVRPDEVN", "device number", "text", "device"),
        Column("DVRACTRT", "activity rate, per second", ".1f", "io_per_s"),
        Column("DVRRPTHP", "response time, ms", ".3f", "response_ms"),
        Column("DVRIQTHP", "IOS queue time, ms", ".3f", "iosq_ms"),
        Column("DVRPACTV", "active, %", "busy", "pend_ms disc_ms conn_ms"),
        Column("DVRPCONN", "connected, %", "busy", "conn_ms"),
        Column("DVRPDISC", "disconnected, %", "busy", "disc_ms"),
        Column("DVRPPEND", "pending, %", "busy", "pend_ms"),
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
