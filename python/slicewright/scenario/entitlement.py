"""Entitlements of partitions by weight: a description of the machine, read and checked, and the numbers as a frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright._core import entitlements
from slicewright.statistics import plural, there_are
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.parameters import check, texts_problem, whole_problem

if TYPE_CHECKING:
    import polars

HEAVIEST = 999
"""The largest weight (PR/SM Planning Guide, Use of processing weights); the smallest is 1."""

MOST = 1000
"""The most cores, and the most logical ones of a partition, that are taken for meant."""

FORM = "NAME:WEIGHT:LOGICALS, NAME:dedicated:LOGICALS"

_LONGEST = 32
"""Characters of a name; PR/SM takes eight."""

_BEYOND = 10**18
"""Whole numbers beyond this are not even repeated."""

_SHOWN = 60
"""Characters of a wrong argument that are shown again."""


@dataclass(frozen=True, slots=True)
class _Partition:
    """A partition as it was written: weight (None: its cores are dedicated), logical cores online.

    >>> _Partition("LINUX1", 500, 8).dedicated
    False
    """

    name: str
    weight: int | None
    logicals: int

    @property
    def dedicated(self) -> bool:
        """Whether it has a core of its own for each logical one."""
        return self.weight is None


@dataclass(frozen=True, slots=True)
class Machine:
    """Cores of one type, and the partitions that have them.

    >>> Machine(8, (_Partition("A", None, 2), _Partition("B", 10, 6))).shared
    6
    """

    cores: int
    partitions: tuple[_Partition, ...]

    @property
    def shared(self) -> int:
        """The cores that no dedicated partition has."""
        return self.cores - sum(partition.logicals for partition in self.partitions if partition.dedicated)

    def rows(self) -> list[dict[str, Any]]:
        """A row per partition, in their order; the columns are those of `entitlement`.

        >>> Machine(8, (_Partition("A", 600, 8), _Partition("B", 400, 8))).rows()[0]["entitlement_cores"]
        4.8
        """
        made = entitlements(self.cores, [(partition.weight, partition.logicals) for partition in self.partitions])
        return [_row(partition, numbers) for partition, numbers in zip(self.partitions, made, strict=True)]


def entitlement(cores: int | str, partitions: Sequence[str]) -> polars.DataFrame:
    """The entitlement of each partition, one row each, from texts such as "LINUX1:500:8" or "PROD:dedicated:4".

    Columns: weight (null: dedicated), logicals, share_percent of the shared cores, and logical_share_percent (that of
    each logical core).  Then entitlement_cores = shared cores x weight / sum of weights.  Two columns show extremes:
    contended_cores and most_cores.  The first is when all use what they can: cores that a partition has no logicals for
    are divided among the others by weight.  The second is when no other partition wants them.  For vertical mode there
    are vertical_high, vertical_medium, vertical_low and medium_percent (of a core, to each medium).  The last are
    horizontal_percent (of a core, to each logical core) and assumed (what no source says, or empty).

    Sources: PR/SM Planning Guide, Use of processing weights; z/VM 7.2 documentation, PR/SM Concepts.
    Raises InputError with every problem.

    >>> frame = entitlement(8, ["A:600:8", "B:400:8"])
    >>> frame.select("partition", "entitlement_cores", "vertical_high", "vertical_medium", "vertical_low").rows()
    [('A', 4.8, 4, 1, 3), ('B', 3.2, 2, 2, 4)]
    """
    import polars as pl

    numbers = pl.Float64
    types = {"weight": pl.Int64, "share_percent": numbers, "logical_share_percent": numbers, "medium_percent": numbers}
    return pl.DataFrame(read_machine(cores, partitions).rows(), schema_overrides=types)


def read_machine(cores: int | str, partitions: Sequence[str]) -> Machine:
    """A machine as it was written; raises InputError with every problem and the number of its argument.

    >>> read_machine("4", ["A:dedicated:1", "B:10:3"]).shared
    3
    """
    problems: list[Problem] = []
    of_cores = None if isinstance(cores, str) else whole_problem("cores", cores, -_BEYOND, _BEYOND)
    check(of_cores, texts_problem("partitions", partitions, f"a list of texts: {FORM}"))
    count, wrong = _number(str(cores), MOST)
    if wrong:
        problems.append({**wrong, "key": "--cores"})
    if not partitions:
        problems.append(problem("no partition is given", allowed=FORM))
    fine: dict[int, _Partition] = {}
    first: dict[str, int] = {}
    for at, text in enumerate(partitions, 1):
        one, found = _partition(text)
        name = text.partition(":")[0].strip()
        before = first.setdefault(name.casefold(), at)
        if name and before != at:
            found.append(problem(f"the name {name} is also that of argument {before}"))
        problems += [{**each, "key": f"argument {at} ({_short(text)})"} for each in found]
        if one:
            fine[at] = one
    if count is not None:
        problems += _too_many(count, fine)
    if problems or count is None:
        raise refusal(*problems)
    return Machine(count, tuple(fine.values()))


def _row(one: _Partition, numbers: dict[str, Any]) -> dict[str, Any]:
    share = numbers.pop("share_percent")
    return {
        "partition": one.name,
        "weight": one.weight,
        "logicals": one.logicals,
        "share_percent": share,
        "logical_share_percent": None if share is None else share / one.logicals,
        **numbers,
    }


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _partition(text: str) -> tuple[_Partition | None, list[Problem]]:
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 3:
        return None, [problem("is not of three parts with colons between", allowed=FORM)]
    name, written, count = parts
    problems = []
    if not name or not name.isprintable() or len(name) > _LONGEST:
        what = "the name cannot be printed in a table" if name else "has no name"
        problems.append(problem(what, allowed=f"up to {_LONGEST} characters without a colon"))
    weight: int | None = None
    if written.lower() != "dedicated":
        weight, wrong = _number(written, HEAVIEST)
        if wrong:
            near = wrong["nearest"] or nearest(written, ["dedicated"])
            problems.append(_of("weight", wrong) | {"allowed": f"{wrong['allowed']}, dedicated", "nearest": near})
    logicals, wrong = _number(count, MOST)
    if wrong:
        problems.append(_of("logicals", wrong))
    return (None, problems) if problems or logicals is None else (_Partition(name, weight, logicals), [])


def _of(part: str, wrong: Problem) -> Problem:
    return wrong | {"what": f"{part}: {wrong['what']}"}


def _number(text: str, most: int) -> tuple[int | None, Problem | None]:
    """A whole number from 1 to `most`, or what is wrong with it."""
    allowed = f"1 to {most}"
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        what = f"{_short(text)!r} is not a whole number" if text else "nothing is written"
        return None, problem(what, allowed=allowed)
    digits = text.lstrip("+-0") or "0"
    number = int(digits) if len(digits) <= len(str(most)) else most + 1
    number = -number if text.startswith("-") else number
    if 1 <= number <= most:
        return number, None
    near = "1" if number < 1 else str(most)
    return None, problem(f"{_short(text)} is out of range", allowed=allowed, nearest=near)


def _too_many(cores: int, partitions: dict[int, _Partition]) -> list[Problem]:
    """The problem of dedicated partitions that take more cores than there are, or leave none to share."""
    own = {at: partition.logicals for at, partition in partitions.items() if partition.dedicated}
    taken = sum(own.values())
    places = ("argument " if len(own) == 1 else "arguments ") + ", ".join(map(str, own))
    if taken > cores:
        what = f"{plural(taken, 'dedicated logical core')}, and {there_are(cores, 'core')}"
        return [problem(what, key=places, why="each has a core of its own", allowed=f"together at most {cores}")]
    if taken == cores and len(own) < len(partitions):
        what = f"{'the only core is' if cores == 1 else f'all {cores} cores are'} dedicated, and none is left to share"
        return [problem(what, key=places, allowed=f"together at most {cores - 1}, or more --cores")]
    return []
