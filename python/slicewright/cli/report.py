"""`slicewright report`: a simulated run printed the way analysts know it.

It leaves out the pages: the engine writes them from the same tables that real reports are read into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from slicewright.cli.options import Format, print_json
from slicewright.text import aligned

if TYPE_CHECKING:
    from slicewright.run import Run

PAGES = {
    "fcx108": "DEVICE: devices of a z/VM system, as the Performance Toolkit prints them",
    "fcx108-correct": "the same with the response of the volume, where the toolkit's is wrong for bases with aliases",
    "rmf-dasd": "DIRECT ACCESS DEVICE ACTIVITY in the style of RMF on z/OS; where numbers end is ours",
    "rmf-dasd-classic": "the same as on MVS/XA: IOSQ is the mean sampled queue over the rate, times in whole ms",
    "query-pav": "which base and which alias is in which pool, in the style of CP QUERY PAV; the wording is ours",
}


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A directory that run --out has written.")],
    page: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which page: fcx108, rmf-dasd, query-pav. Without it they are listed."),
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
        print_json(_rows(result, page.lower()))
        return 0
    print(_text(result, page.lower()), end="")
    return 0


def _text(run: Run, page: str) -> str:
    from slicewright.rmf_pages import direct_access_page_of
    from slicewright.run_page import device_page_of, pool_listing_of

    if page == "query-pav":
        return pool_listing_of(run)
    if page.startswith("rmf-dasd"):
        return direct_access_page_of(run, "classic" if page == "rmf-dasd-classic" else "current")
    return device_page_of(run, "correct" if page == "fcx108-correct" else "toolkit")


def _rows(run: Run, page: str) -> list[dict[str, Any]]:
    """What the page is made of: a row per device, or per volume where the page has those."""
    if page == "query-pav":
        return _members(run)
    return run.volumes.to_dicts() if page.startswith("rmf-dasd") else run.devices.to_dicts()


def _members(run: Run) -> list[dict[str, Any]]:
    """A row per device: what it is, its pool (of a base too), and of a classic alias its base."""
    pools = dict(run.volumes.select("device", "pool").iter_rows())
    columns = run.devices.select("device", "role", "base", "pool").iter_rows()
    return [
        {"device": device, "role": role, "base": base, "pool": pool or pools.get(device, "")}
        for device, role, base, pool in columns
    ]
