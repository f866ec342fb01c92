"""`slicewright read`: what files of monitor data hold, and their intervals as a measured run."""

from __future__ import annotations

from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet, print_json


def read(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Files of MONWRITE, SMF dumps, or output of fio, iostat -x, btt and dasdstat, in the order of time; "
            "or series of a cluster.",
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="DIR", help="Directory for the measured run: tables, report.html."),
    ] = None,
    system: Annotated[
        str | None, typer.Option(metavar="NAME", help="System whose intervals are written, where there are several.")
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """List the contents of monitor data; --out writes its intervals as a run.

    \b
    Example:
      slicewright read monday.monwrite --out runs/monday
      slicewright report runs/monday --page fcx108
    """
    from slicewright.advise.limits.fleet.contents import cluster_contents
    from slicewright.io.files import refuse_occupied
    from slicewright.measured.contents import contents_report
    from slicewright.measured.directory import EARLIER
    from slicewright.measured.read import read as read_files
    from slicewright.report import text
    from slicewright.report.json import document

    report = cluster_contents(files, {"out": out, "system": system})
    if report is None:
        if out is not None:
            refuse_occupied(out, EARLIER)
        data = read_files(files)
        if out is not None or system is not None:
            run = data.of(system)
            if out is not None:
                run.save(out)
        report = contents_report(data)
    if format == "json":
        print_json(document(report))
    else:
        print(text.render(report), end="")
    return 0
