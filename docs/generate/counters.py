"""The page of counters: every column that a run, a report or advice can have, from the engine's own table.

It leaves out how the columns are stored (`run_directory.py`).
"""

from __future__ import annotations

from itertools import groupby

from slicewright._core import counters

from docs.generate.tables import table

WHAT = {
    "volumes": "A row per volume: its base and whatever aliases did for it.",
    "devices": "A row per exposure: bases, bound aliases, aliases of pools.",
    "pools": "A row per HyperPAV pool.",
    "control_units": "A row per control unit and its path group.",
    "minidisks": "A row per minidisk.",
    "resources": "A row per resource that guests hold and queue for.",
    "enqueues": "A row per resource that guests enqueue on by name, all members and queues of it together.",
    "serialization": "A row per partition whose guests enqueue: ENQ and DEQ there.",
    "front_ends": "A row per front-end processor through which messages come and go.",
    "partitions": "A row per partition or domain: its logical processors and its I/O interrupts.",
    "logical_processors": "A row per logical processor of a partition.",
    "cgroups": "A row per group of threads; what `cpu.stat` counts is counted from the start of the interval.",
    "threads": "A row per guest whose members are threads.",
    "control_programs": "A row per control program of a partition; 100 % is one processor's worth.",
    "locks": "A row per lock of a control program.",
    "control_processors": "A row per logical processor that a control program dispatches on.",
    "virtual_machines": "A row per virtual machine; 100 % is one processor's worth.",
    "spin_locks": "A row per spin lock of a virtual machine, those of one name together.",
    "guests": "A row per group of guests.",
    "processors": "A row per group of guests: what its virtual processors spent their time on.",
    "system": "One row: everything together.",
    "contention": "A log: a row per request where somebody waits, at the ends of intervals of replication 0.",
    "decisions": "A log: a row per decision of a control program, in replication 0.",
}
"""What a row of each table is; a table without a line here has none on the page."""

_BEFORE = """\
# Counters

Made from the engine's own table (`slicewright._core.counters()`); not edited by hand.

A counter has its unit in its name: `_ms`, `_us`, `_per_s`, `_percent`; without one it is a count or a mean number.
*Measured* counters are counted or timed at every event, *sampled* ones are what the control program sees when it looks
from time to time, *derived* ones follow from others of the same interval. The source names the document, monitor record
or law that says what is meant. How the columns of a run are stored, and what stands beside each counter, is on the page
of the [run directory](run-directory.md)."""


def page() -> str:
    """The page, in Markdown.

    >>> "| `fails_per_try` |" in page()
    True
    """
    parts = [_BEFORE]
    for name, rows in groupby(counters(), key=lambda row: row["table"]):
        listed = [(f"`{row['name']}`", _unit(row["unit"]), row["how"], row["formula"], row["source"]) for row in rows]
        parts.append(f"## {name}\n\n{WHAT.get(name, '')}".rstrip())
        parts.append(table(("counter", "unit", "how", "what it is", "source"), listed))
    return "\n\n".join(parts) + "\n"


def _unit(unit: str) -> str:
    """A unit as a reader expects it; 1 is that of a count."""
    return "" if unit == "1" else unit
