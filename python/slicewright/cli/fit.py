"""`slicewright fit`: a scenario of measured data, and whether it predicts the intervals that it was not shown."""

from __future__ import annotations

from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet, print_json, printing
from slicewright.cli.progress import Bar


def fit(
    day: Annotated[str, typer.Argument(metavar="DAY", help="Directory of read --out, or a file of monitor data.")],
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="File for the fitted scenario (TOML).")
    ] = None,
    shown: Annotated[
        str | None,
        typer.Option(
            metavar="N..M", help="Intervals that are fitted, from 0: 0..11,14 [default: every second one is held out]."
        ),
    ] = None,
    aliases: Annotated[
        list[str] | None,
        typer.Option(metavar="POOL=N", help="Aliases of a pool, where the records do not count them; repeatable."),
    ] = None,
    system: Annotated[
        str | None, typer.Option(metavar="NAME", help="System that is fitted, where a file has several.")
    ] = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="File for the fit as a page, with a picture.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit status 1 when any held-out value misses.")] = False,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Fit a scenario to some intervals, and judge its predictions of the others; status 1 when it does not predict.

    \b
    Example:
      slicewright read monday.monwrite --out monday
      slicewright fit monday --out monday.toml
    """
    from slicewright.fitting.fit import fit as fitted
    from slicewright.fitting.fit import refuse_other
    from slicewright.io.files import refuse_unwritable, write_whole
    from slicewright.report.json import document

    sizes = _sizes(aliases or [])
    if out is not None:
        refuse_other(out)
    if html is not None:
        refuse_unwritable(html)
    with Bar("fitting", quiet=quiet) as bar:
        found = fitted(day, shown=shown, aliases=sizes, system=system, progress=bar)
    with printing(lambda: print_json(document(found.report())) if format == "json" else print(found, end="")):
        if out is not None:
            found.save(out)
        if html is not None:
            write_whole(html, found.html().encode())
    missed = not found.predicts or (strict and found.outcome.tally.misses > 0)
    return int(missed)


def _sizes(texts: list[str]) -> dict[str, int]:
    """The sizes of pools as typed; raises InputError for text of another form."""
    from slicewright.errors import problem, refusal

    sizes = {}
    for text in texts:
        pool, equals, size = text.rpartition("=")
        if not (pool and equals and size.isascii() and size.isdigit()):
            raise refusal(
                problem(f"not the size of a pool: {text[:40]!r}", key="aliases", allowed="POOL=N, such as 1=8")
            )
        sizes[pool] = int(size)
    return sizes
