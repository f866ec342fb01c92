"""The bands and roles that were declared before any run: which cell may be fitted, which is judged, and how closely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from slicewright.study.cells import Place

Role = Literal["input", "calibrated", "informed", "predicted", "excluded"]

SCORED: tuple[Role, ...] = ("predicted", "informed")
"""The roles that are judged and counted."""


@dataclass(frozen=True, slots=True)
class Band:
    """How far a simulated value may lie from the published one: rel x |published| or abs, whichever is more.

    >>> Band(rel=0.04).width(1250.0), Band(abs=0.6).width(7.39)
    (50.0, 0.6)
    """

    rel: float = 0.0
    abs: float = 0.0

    def width(self, published: float) -> float:
        """The largest difference that is still inside, in the unit of the value."""
        return max(self.rel * abs(published), self.abs)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The role and band of one cell; `must`: a miss there means that the mechanism is wrong.

    >>> Ruling("predicted", Band(rel=0.04)).scored
    True
    """

    role: Role
    band: Band
    must: bool = False
    note: str = ""

    @property
    def scored(self) -> bool:
        """Whether the cell is judged and counted."""
        return self.role in SCORED


@dataclass(frozen=True, slots=True)
class Bands:
    """The rules of one study, in order; the first that matches a cell decides.

    >>> Bands(({"row": "service_ms", "rel": 0.05},)).ruling("Y032181H", "service_ms").band
    Band(rel=0.05, abs=0.0)
    """

    rules: tuple[dict[str, Any], ...]

    def ruling(self, table: str, row: str, column: str = "") -> Ruling:
        """The first rule whose patterns match; raises LookupError when none does: nothing to judge the cell by."""
        for rule in self.rules:
            if matches(rule, table, row, column):
                band = Band(rel=rule.get("rel", 0.0), abs=rule.get("abs", 0.0))
                return Ruling(_role(rule), band, rule.get("must", False), rule.get("note", ""))
        raise LookupError(f"no band is declared for {table} {row} {column}".rstrip())


def matches(rule: Mapping[str, Any], table: str, row: str, column: str) -> bool:
    """Whether the patterns of a rule (shell style; none: any) match a place.

    >>> matches({"table": "table1.*"}, "table1.ims", "iosq_ms", "sched1")
    True
    """
    patterns = (rule.get("table", "*"), rule.get("row", "*"), rule.get("column", "*"))
    return all(map(fnmatchcase, (table, row, column), patterns))


def first_match(rules: Iterable[Mapping[str, Any]], place: Place) -> Mapping[str, Any] | None:
    """The first rule whose patterns match a place; None where none does.

    >>> from slicewright.study.cells import Place
    >>> first_match([{"row": "a", "why": "no"}, {"why": "yes"}], Place("T", "b", "ms"))
    {'why': 'yes'}
    """
    return next((rule for rule in rules if matches(rule, place.table, place.row, place.column)), None)


def _role(rule: dict[str, Any]) -> Role:
    if rule.get("calibrate"):
        return "calibrated"
    if rule.get("expect") == "miss" or rule.get("derived"):
        return "excluded"
    role: Role = rule.get("role", "predicted")
    return role
