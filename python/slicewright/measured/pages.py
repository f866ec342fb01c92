"""The pages that measured intervals give, by the names of `slicewright report --page`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slicewright.run.pages.run import device_page_of, pool_listing_of
from slicewright.values.errors import problem, refusal

if TYPE_CHECKING:
    from slicewright.measured.tables import MeasuredTables

PAGES = ("fcx108", "fcx108-correct", "query-pav")
"""Pages that need no scenario."""


def page_of(measured: MeasuredTables, page: str) -> str:
    """The page; raises InputError for one that needs a scenario."""
    _refuse_others(page)
    if page == "query-pav":
        return pool_listing_of(measured)
    return device_page_of(measured, "correct" if page == "fcx108-correct" else "toolkit")


def rows_of(measured: MeasuredTables, page: str) -> list[dict[str, Any]]:
    """The rows of the page, one per device; raises InputError for one that needs a scenario."""
    _refuse_others(page)
    return measured.devices.to_dicts()


def _refuse_others(page: str) -> None:
    if page not in PAGES:
        why = "it shows what a scenario says, and measured intervals have none"
        raise refusal(
            problem(f"{page} is no page of measured intervals", key="page", why=why, allowed=", ".join(PAGES))
        )
