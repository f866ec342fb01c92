"""The page of monitor records: every record and field that slicewright can place, and how certain its place is."""

from __future__ import annotations

import textwrap
from typing import Any

from slicewright._core import monitor_layouts

from docs.generate.tables import table

_BEFORE = """\
# Monitor records

Made from the layouts in the code; not edited by hand.

`slicewright read` reads files that MONWRITE has written on z/VM, and `slicewright report --format monwrite` writes them
([how to](../how-to/read-monitor-data.md)). This page lists each record that can be placed. All others are counted
and skipped.

**Origin.** The offsets were computed from public lists of fields for z/VM 5.3: each field follows the one before. IBM's
pages show the lengths of some records. A layout is *published* where such a page has the offsets, and *confirmed* where
it has the length. It is *packed* where no page confirms it. No public sample of monitor data was found, so
slicewright's own writer makes the files of its tests.

**Length.** Records grow at their end from release to release. A field is read where the record is long enough to have
it (*from length*), and a longer record is welcome.

**Numbers** are unsigned and big-endian, text is EBCDIC (code page 1047). Counters are cumulative: an interval is the
difference of two samples, modulo what the counter can hold. A step of more than half of that is taken for a reset.

**Laws.** A row with a number that its interval does not allow is omitted, with a note, as in
[SMF records](smf-records.md#laws). Records have to be built when their sample ends: at most a minute before (ASSUME).

**Framing** follows IBM's page on MWTBK and the documentation of Linux' monreader. One part is inferred: the data of an
area start in a block of their own and fill whole blocks of 4,096 bytes.

*Written* marks the fields that `report` fills; the others are zero."""


def page() -> str:
    """The page, in Markdown."""
    layouts = monitor_layouts()
    head = ("record", "name", "contents", "length", "layout", "")
    rows = [
        (_code(layout), layout["name"], layout["title"], str(layout["length"]), layout["certainty"], _use(layout))
        for layout in layouts
    ]
    return (
        "\n\n".join(
            [_BEFORE, "## Records", table(head, rows), *(_section(layout) for layout in layouts if layout["fields"])]
        )
        + "\n"
    )


def _code(layout: dict[str, Any]) -> str:
    return f"{layout['domain']}/{layout['record']}"


def _use(layout: dict[str, Any]) -> str:
    return "used" if layout["used"] else "counted"


def _section(layout: dict[str, Any]) -> str:
    return section(f"{layout['name']} ({_code(layout)})", layout)


def section(heading: str, layout: dict[str, Any]) -> str:
    """The part of a page about a layout: its source, and a table of its fields."""
    source = layout["source"][0].upper() + layout["source"][1:]
    head = f"## {heading}\n\n{layout['title']}. {source}."
    if not layout["fields"]:
        return head
    sourced = bool(layout["source_key"])
    columns = ("offset", "length", "field", "kind", "from length", "meaning", *["source"] * sourced, "")
    rows = [
        (
            str(field["offset"]), str(field["length"]), f"`{field['name']}`", field["kind"], str(field["since"]),
            field["meaning"], *[field["source"]] * sourced, "written" if field["written"] else "",
        )
        for field in layout["fields"]
        if field["meaning"]
    ]  # fmt: skip
    named = ", ".join(
        f"{field['name']} {field['offset']}/{field['length']}" for field in layout["fields"] if not field["meaning"]
    )
    listed = "\n".join(textwrap.wrap(named, 100))
    alone = f"Known by name alone, with offset and length:\n\n```text\n{listed}\n```" if named else ""
    parts = [head, table(columns, rows) if rows else "", alone]
    return "\n\n".join(part for part in parts if part)
