"""Sums of limits and reservations of a fleet, now and if the advice is followed: in all, and on each node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from slicewright.advise.limits.fleet.lines import Line


@dataclass(frozen=True, slots=True)
class Total:
    """Processors of some replicas: used in their busy time, limits, and what is reserved, now and then.

    Replicas without a limit are not in the sums of limits; `unlimited` counts them.
    """

    name: str
    replicas: int
    used: float
    limit: float
    limit_then: float
    reserved: float
    reserved_then: float
    unlimited: int = 0


def whole(lines: Sequence[Line]) -> Total:
    """The whole fleet.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> whole(answer().lines).replicas
    12
    """
    return _total("all", ((line, line.replicas) for line in lines))


def nodes(lines: Sequence[Line]) -> list[Total]:
    """Each node with its replicas, the one that would have most reserved first; none where no node is known.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> sum(node.replicas for node in nodes(answer().lines))
    12
    """
    found: dict[str, list[tuple[Line, int]]] = {}
    for line in lines:
        for node in line.nodes:
            found.setdefault(node, []).append((line, 1))
    totals = [_total(name, each) for name, each in found.items()]
    return sorted(totals, key=lambda total: (-total.reserved_then, total.name))


def _total(name: str, counted: Iterable[tuple[Line, int]]) -> Total:
    pairs = list(counted)

    def sum_of(value: str) -> float:
        return sum(count * (getattr(line, value) or 0.0) for line, count in pairs)

    limited = [(line, count) for line, count in pairs if line.limit is not None]
    then = sum(count * (line.after or 0.0) for line, count in limited)
    return Total(
        name, sum(count for _, count in pairs), sum_of("busy"), sum_of("limit"), then, sum_of("reserves"),
        sum_of("reserves_after"), sum(count for line, count in pairs if line.limit is None),
    )  # fmt: skip
