"""The pages that measured intervals give, by the names of `slicewright report --page`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from slicewright.run.pages.run import device_page_of, pool_listing_of
from slicewright.values.catalogue import TABLE_PAGES
from slicewright.values.errors import problem, refusal

if TYPE_CHECKING:
    from slicewright.measured.tables import MeasuredTables

PAGES: Mapping[str, str] = {
    "fcx108": "devices", "fcx108-correct": "devices", "query-pav": "devices", "rmf-dasd": "volumes",
    "rmf-dasd-classic": "volumes", "rmf-cpu": "logical_processors", "rmf-partition": "partitions",
    **{name: page.table for name, page in TABLE_PAGES.items()},
}  # fmt: skip
"""Pages that need no scenario, each with the table whose rows are its rows."""


def page_of(measured: MeasuredTables, page: str) -> str:
    """The page; raises InputError for one that needs a scenario."""
    _refuse_others(measured, page)
    if page == "query-pav":
        return pool_listing_of(measured)
    if page.startswith("rmf-dasd"):
        return _direct_access(measured, "classic" if page == "rmf-dasd-classic" else "current")
    if page == "rmf-cpu":
        return _processors(measured)
    if page == "rmf-partition":
        return _partitions(measured)
    if page in TABLE_PAGES:
        from slicewright._core import table_page

        return table_page(page, _title(measured), measured[PAGES[page]].to_dict(as_series=False))
    return device_page_of(measured, "correct" if page == "fcx108-correct" else "toolkit")


def rows_of(measured: MeasuredTables, page: str) -> list[dict[str, Any]]:
    """The rows of the page, one per device, volume, processor, partition, channel or pool; raises InputError."""
    _refuse_others(measured, page)
    return measured[PAGES[page]].to_dicts()


def _refuse_others(measured: MeasuredTables, page: str) -> None:
    if page not in PAGES:
        why = "it shows what a scenario says, and measured intervals have none"
        raise refusal(
            problem(f"{page} is no page of measured intervals", key="page", why=why, allowed=", ".join(PAGES))
        )
    if measured[PAGES[page]].is_empty():
        there = [name for name, table in PAGES.items() if not measured[table].is_empty()]
        why = f"no row of {PAGES[page].replace('_', ' ')} was read"
        raise refusal(problem(f"nothing to print on {page}", key="page", why=why, allowed=", ".join(there) or "none"))


def _title(measured: MeasuredTables) -> dict[str, Any]:
    """The facts in the head of a page; measured intervals have no sampler of their own."""
    note = f"{measured.made_by}, {measured.origin}"
    return {"run": measured.name, "interval_s": measured.measured_s, "samples": 0, "cycle_s": None, "note": note}


def _direct_access(measured: MeasuredTables, level: str) -> str:
    from slicewright._core import direct_access_page

    title = _title(measured) | {"level": level, "view": "true", "partitions": []}
    devices, volumes = (measured[name].to_dict(as_series=False) for name in ("devices", "volumes"))
    return direct_access_page(title, devices, volumes)


def _processors(measured: MeasuredTables) -> str:
    """A page for each partition; shares and polarities are in no table of measured intervals."""
    from slicewright._core import cpu_page

    pages = []
    for (name,), rows in measured["logical_processors"].group_by("partition", maintain_order=True):
        title = _title(measured) | {"run": name or measured.name, "parked": [], "online": []}
        title["shares"] = [(None, "")] * rows.height
        pages.append(cpu_page(title, rows.to_dict(as_series=False)))
    return "\n".join(pages)


def _partitions(measured: MeasuredTables) -> str:
    """The partitions; percentages of all physical processors need their number, which no table has: it prints none."""
    from slicewright._core import partition_page

    rows = measured["partitions"]
    title = _title(measured) | {"seen_from": "", "physical": 0, "waits": False, "dispatch_interval": ""}
    title["settings"] = [("-", "-", None)] * rows.height
    return partition_page(title, rows.to_dict(as_series=False))
