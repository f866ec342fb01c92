"""`slicewright report`: a simulated run printed the way analysts know it.

It leaves out the pages: the engine writes them from the same tables that real reports are read into.
"""

from __future__ import annotations

from typing import Annotated

import typer

from slicewright.cli.options import Format, print_json
from slicewright.text import aligned

PAGES = {
    "fcx108": "DEVICE: devices of a z/VM system, as the Performance Toolkit prints them",
    "fcx108-correct": "the same with the response of the volume, where the toolkit's is wrong for bases with aliases",
}


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A directory that run --out has written.")],
    page: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which page: fcx108. Without it the pages are listed.")
    ] = None,
    format: Format = "text",
) -> int:
    """Print a page of a run.

    \b
    Example:
      slicewright report runs/8 --page fcx108
    """
    from slicewright.directory import load
    from slicewright.problems import nearest, problem, refusal

    result = load(run)
    if page is None:
        print("\n".join(aligned(("page", ""), [[name, what] for name, what in PAGES.items()], left=2, indent="")))
        return 0
    if page.lower() not in PAGES:
        allowed = ", ".join(PAGES)
        raise refusal(problem(f"there is no page {page!r}", key="page", allowed=allowed, nearest=nearest(page, PAGES)))
    if format == "json":
        print_json(result.devices.to_dicts())
        return 0
    from slicewright.run_page import device_page_of

    print(device_page_of(result, "correct" if page.lower() == "fcx108-correct" else "toolkit"), end="")
    return 0
