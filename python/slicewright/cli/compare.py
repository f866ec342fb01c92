"""`slicewright compare`: two runs side by side, their differences with intervals."""

from __future__ import annotations

from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet, print_json
from slicewright.cli.progress import Bar
from slicewright.io.files import refuse_unwritable, write_whole


def compare(
    before: Annotated[str, typer.Argument(metavar="RUN", help="A directory of run --out or read --out.")],
    after: Annotated[str, typer.Argument(metavar="RUN", help="A second one.")],
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="File for the comparison as a page, with a picture.")
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Compare two runs; paired by replication when their random streams are common.

    \b
    Example:
      slicewright compare runs/8 runs/6 --html 8-to-6.html
    """
    from slicewright.compare.compare import Comparison
    from slicewright.loading import load

    if html is not None:
        refuse_unwritable(html)
    with Bar("comparing", quiet=quiet) as bar:
        first = load(before)
        bar(0.4)
        second = load(after)
        bar(0.8)
        both = Comparison.of_runs(first, second)
    if html is not None:
        write_whole(html, both.html().encode())
    if format == "json":
        print_json(list(both.frame.iter_rows(named=True)))
    else:
        print(both, end="")
    return 0
