"""Published numbers: each with its place and the largest error from the rounding of the print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from slicewright.results.judge import Place
from slicewright.study.spec import Spec


@dataclass(frozen=True, slots=True)
class Number:
    """One published number and its place; `rounding` is the most that the print can have moved it, 0 if unused.

    >>> Number(Place("Y032181H", "service_ms", "ms"), 1.29, 0.05).low
    1.24
    """

    place: Place
    value: float
    rounding: float = 0.0

    @property
    def low(self) -> float:
        """The smallest value that the print allows."""
        return self.value - self.rounding


Wanted = Callable[[Place], bool]
"""Whether a number at a place is asked for: no other one is looked at."""

Numbers = Callable[[Spec, Wanted], Iterable[Number]]
"""How the numbers of a study are read, in the order of publication; a copy that lacks some is no error."""


def written(spec: Spec, wanted: Wanted) -> Iterator[Number]:
    """The numbers of tables that are written as tables: of nested keys the declared value is the row.

    The keys before it are the table, the keys after it the column.

    >>> found = [number for number in written(Spec.read("mdf"), lambda place: place.column == "sched1")]
    >>> found[0].place.key, found[0].value
    (('table1.ims', 'response_ms', 'sched1'), 24.72)
    """
    for path, value in _leaves(spec.tables, ()):
        at = next((at for at, key in enumerate(path) if key in spec.data["values"]), 0)
        if at:
            place = Place(".".join(path[:at]), path[at], spec.unit(path[at]), " ".join(path[at + 1 :]))
            if wanted(place):
                yield Number(place, value)


def _leaves(found: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in found.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*path, key), value
