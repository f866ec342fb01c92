"""`slicewright compare`: two runs side by side, their differences with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from slicewright.cli.options import Format, Quiet, print_json
from slicewright.cli.progress import Bar
from slicewright.io.files import refuse_unwritable
from slicewright.statistics import plural, plus_minus, significant
from slicewright.text import aligned

if TYPE_CHECKING:
    from slicewright.compare.page import Sides

MOST_CHANGED = 12
"""Differing numbers of the scenarios that are listed; the rest are counted."""


def compare(
    before: Annotated[str, typer.Argument(metavar="RUN", help="A directory that run --out has written.")],
    after: Annotated[str, typer.Argument(metavar="RUN", help="Another one.")],
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the comparison as a page, with a picture.")
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Print what changed from one run to another; paired by replication when their random streams are common.

    \b
    Example:
      slicewright compare runs/8 runs/6 --html 8-to-6.html
    """
    from slicewright.compare.compare import changed
    from slicewright.compare.page import sides
    from slicewright.run.directory import load

    if html is not None:
        refuse_unwritable(html)
    with Bar("comparing", quiet=quiet) as bar:
        first = load(before)
        bar(0.4)
        second = load(after)
        bar(0.8)
        both = sides(first, second)
    if html is not None:
        _write(both, html)
    if format == "json":
        print_json(list(both.rows))
        return 0
    for side, one in (("before", first), ("after", second)):
        print(f"{side.ljust(6)}  {one.name}  {plural(one.replications, 'replication')}, seed {one.seed}")
    differing = changed(first, second)
    for key, old, new in differing[:MOST_CHANGED]:
        print(f"        {key}  {old} -> {new}")
    if len(differing) > MOST_CHANGED:
        print(f"        and {plural(len(differing) - MOST_CHANGED, 'more number')} that differ")
    print()
    shown = [row for table, counters in both.shown.items() for row in both.of(table, counters)]
    shown = [row for row in shown if row["table"] != "guests" or row["before"] or row["after"]]
    head = ("", "counter", "before", "after", "difference", "streams")
    print("\n".join(aligned(head, [_cells(row) for row in shown], left=2)))
    print("\n± is the 95 % half-width of the difference, simulation noise only; * marks intervals that leave out 0.")
    return 0


def _write(both: Sides, file: str) -> None:
    from slicewright.compare.page import compare_page
    from slicewright.html import render
    from slicewright.io.files import write_whole

    write_whole(file, render(compare_page(both)).encode())


def _cells(row: dict[str, Any]) -> list[str]:
    half_width = row["half_width"]
    clear = half_width is not None and abs(row["difference"]) > half_width
    difference = plus_minus(row["difference"], half_width) + (" *" if clear else "  ")
    name = row["entity"] or row["table"]
    return [name, row["counter"], significant(row["before"]), significant(row["after"]), difference, row["streams"]]
