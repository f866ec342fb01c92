"""`slicewright export`: the intervals of a run as monitor data."""

from __future__ import annotations

from typing import Annotated, Literal

import typer


def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Directory of run --out or read --out.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="File to write; a directory for dds.")],
    format: Annotated[
        Literal["monwrite", "smf", "openmetrics", "dds"], typer.Option(help="Form of the file.")
    ] = "monwrite",
    replication: Annotated[int, typer.Option(metavar="K", help="Number of the replication, from 0.")] = 0,
    system: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the system, at most 8 characters; 4 in SMF.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="T", help="Clock at the start: UTC; local time in SMF [default: as measured, or 2026]."),
    ] = None,
) -> int:
    """Write a run as monitor data, for the tools that analysts have.

    \b
    Example:
      slicewright export runs/8 --format monwrite --out 8.monwrite
    """
    from slicewright.io.files import refuse_unwritable, write_whole
    from slicewright.loading import load
    from slicewright.measured import dds
    from slicewright.measured.export import check_replication, clock_us, monwrite, smf, start_of
    from slicewright.measured.openmetrics import openmetrics
    from slicewright.statistics import plural

    loaded = load(run)
    start = start or start_of(loaded)
    if format == "dds":
        count = dds.save(loaded, out, replication=replication, system=system, start_us=clock_us(start))
        print(f"{out}: {plural(count, 'document')}, written by slicewright; columns that it does not have are absent")
        return 0
    refuse_unwritable(out)
    if format == "openmetrics":
        check_replication(loaded, replication)
        data = openmetrics(loaded, replication=replication, start_us=clock_us(start)).encode()
        rest = "counters without a value have no sample"
    else:
        write = smf if format == "smf" else monwrite
        named = {} if system is None else {"system": system}
        data = write(loaded, replication=replication, start=start, **named)
        rest = "fields that it does not have are zero"
    write_whole(out, data)
    print(f"{out}: {len(data):,} bytes, written by slicewright; {rest}")
    return 0
