"""What a plan has to carry and to hold: growth of guests by name, and requirements on columns of a run."""

from __future__ import annotations

import fnmatch
import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.experiment.outcome import Array, Table
from slicewright.explore.expression import Column, Constraint, Knob, Names, constraint, named, value
from slicewright.explore.points import HEADLINE
from slicewright.run.tables import ENTITY, declared
from slicewright.values.errors import Problem, gathered, nearest, problem, refusal
from slicewright.values.parameters import brief, check, text_of

_GROWTH = re.compile(r"(?P<names>.+)=\s*(?P<percent>[+-]?\d+(?:\.\d+)?)\s*%\s*")
_GROWTH_ALLOWED = "GUEST=P%, a pattern of names or @CLASS in place of GUEST, or *=P% for all: orders=40%"
_REQUIRED = re.compile(r"\s*(?P<name>[^\s<>=()+/]+)\s+(?P<column>[a-z_0-9]+)\s*(?P<rest>(?:<=|>=).*)", re.DOTALL)
_ALLOWED = (
    "NAME COLUMN <= N or >= N, @CLASS in place of NAME: 'orders cycle_p95_ms <= 10'; "
    "or an expression: 'max(volumes.*.response_ms) <= 5'"
)
_PERCENTILE = re.compile(r"response_(p\d+_ms)")
_ENTITIES = {
    "guests": "guests", "volumes": "volumes", "partitions": "partitions", "control_programs": "partitions",
    "serialization": "partitions", "channels": "channels", "pools": "alias_pools", "control_units": "control_units",
    "minidisks": "minidisks", "cgroups": "cgroups", "resources": "resources", "thread_locks": "thread_locks",
}  # fmt: skip
"""Tables whose rows have one name, with the entities of the scenario that have it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth of what a pattern or a class names, in percent, and the names: guests, and paging."""

    pattern: str
    percent: float
    guests: tuple[str, ...]

    @property
    def is_name(self) -> bool:
        """Whether it is of one name, which goes before patterns and classes."""
        return not set(self.pattern) & set("*?[@")

    def __str__(self) -> str:
        """The growth in words."""
        who = "everything" if self.pattern == "*" else self.pattern
        return f"{who} {self.percent:+g} %"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement as written, and as a constraint on an expression of counters."""

    text: str
    constraint: Constraint

    @property
    def left(self) -> str:
        """The text of what is bounded."""
        return self.text.partition(self.constraint.comparison)[0].strip()

    @property
    def unit(self) -> str:
        """The unit of a single counter."""
        tree = self.constraint.expression
        return tree.unit if isinstance(tree, Column) else ""

    def ratio(self, found: Array) -> Array:
        """Values as shares of the bound: at most 1 is kept, whatever the comparison."""
        bound = self.constraint.bound
        return np.asarray(1 + self.constraint.excess(found) / abs(bound), dtype=float)


def growth_of(given: Sequence[object], scenario: Scenario) -> list[Growth]:
    """The growth of guests; a name goes before a pattern.  Raises InputError with every problem."""
    problems: list[Problem] = []
    found = [each for text in given for each in gathered(problems, functools.partial(_growth, text, scenario))]
    exact = {each.guests[0] for each in found if each.is_name}
    by_guest: dict[str, Growth] = {}
    kept = []
    for each in found:
        own = tuple(guest for guest in each.guests if guest not in exact or each.is_name)
        kept.append(Growth(each.pattern, each.percent, own))
        for guest in own:
            other = by_guest.setdefault(guest, each)
            if other.percent != each.percent:
                what = f"{guest} grows by {other.percent:g} % and by {each.percent:g} %"
                problems.append(problem(what, key="growth", remedy=f"name it: --growth '{guest}={each.percent:g}%'"))
    check(*problems)
    return sorted(kept, key=lambda each: each.pattern)


def factors(growth: Sequence[Growth], scale: float = 1.0) -> dict[str, float]:
    """The factor of each guest that grows; `scale` multiplies every growth.

    >>> factors([Growth("orders", 40.0, ("ORDERS",))], 2.0)
    {'ORDERS': 1.8}
    """
    return {guest: 1 + scale * each.percent / 100 for each in growth for guest in each.guests}


def requirements_of(given: Sequence[object], scenario: Scenario) -> list[Requirement]:
    """The requirements; raises InputError with every problem."""
    problems: list[Problem] = []
    spelled = [each for text in given for each in gathered(problems, functools.partial(_by_guest, text, scenario))]
    texts = [text for group in spelled for text in group]
    found = [each for text in texts for each in gathered(problems, functools.partial(_requirement, text, scenario))]
    if not given:
        problems.append(problem("nothing is required", key="require", allowed=_ALLOWED))
    problems += bound_problems("require", [each.constraint for each in found])
    check(*problems)
    return found


def bound_problems(option: str, constraints: Sequence[Constraint]) -> list[Problem]:
    """The problems with bounds of which a tolerance cannot be a share."""
    why = "in `{}`: the tolerance is a share of it"
    return [
        problem("the bound is 0", key=option, why=why.format(brief(each.text)), remedy="add a constant to both sides")
        for each in constraints
        if each.bound == 0 or not math.isfinite(each.bound)
    ]


def left_side(requirement: Requirement, tables: Mapping[str, Table], replications: int) -> Array:
    """The left side of a requirement by replication, NaN where a run has no value; raises InputError for no row."""
    return values_of(requirement.constraint.expression, tables, replications)


def values_of(expression: Any, tables: Mapping[str, Table], replications: int) -> Array:
    """An expression of counters by replication."""
    known: dict[Knob | Column, Any] = {
        each: _column(each, tables, replications) for each in named(expression) if isinstance(each, Column)
    }
    return np.broadcast_to(np.array(value(expression, known), dtype=np.float64), (replications,))


def columns_of(expressions: Sequence[Any]) -> dict[str, list[str]]:
    """The columns that expressions need, by table."""
    found: dict[str, list[str]] = {}
    for expression in expressions:
        for each in named(expression):
            if isinstance(each, Column):
                names = found.setdefault(each.table, ["replication", *ENTITY[each.table].split()])
                names += [each.counter] * (each.counter not in names)
    return found


def _growth(text: object, scenario: Scenario) -> Growth:
    text = text_of("growth", text, _GROWTH_ALLOWED)
    match = _GROWTH.fullmatch(text)
    if match is None:
        raise refusal(problem(f"`{brief(text)}` is no growth", key="growth", allowed=_GROWTH_ALLOWED))
    pattern, percent = match["names"].strip(), float(match["percent"])
    if percent <= -100:
        raise refusal(problem(f"`{brief(text)}` leaves nothing", key="growth", allowed="more than -100%"))
    view = scenario.view
    grows = {guest.name: bool(guest.count or guest.arrivals_per_s) for guest in view.guests}
    grows |= {paging.name: True for paging in view.pagings}
    if pattern.startswith("@"):
        classes = {each.name: each.of_class for each in view.guests} | {
            each.name: each.of_class for each in view.pagings
        }
        found = [name for name, of_class in classes.items() if of_class == pattern[1:]]
    else:
        found = [pattern] if pattern in grows else []
        found = found or [name for name in grows if fnmatch.fnmatchcase(name.lower(), pattern.lower())]
    if not found:
        names = [*grows, *(f"@{each.name}" for each in view.classes)]
        what = f"no guest is {'of the class' if pattern.startswith('@') else 'called'} `{brief(pattern)}`"
        raise refusal(problem(what, key="growth", allowed=", ".join(names), nearest=nearest(pattern, names)))
    own = tuple(name for name in found if grows[name])
    if not own:
        what = f"{found[0]} has neither a count nor arrivals that grow"
        raise refusal(problem(what, key="growth", allowed="guests with `count` or `arrivals`"))
    return Growth(pattern, percent, own)


def _by_guest(text: object, scenario: Scenario) -> list[object]:
    """A requirement on a class as one on each of its guests; others as they are."""
    match = _REQUIRED.fullmatch(text) if isinstance(text, str) else None
    if match is None or not match["name"].startswith("@"):
        return [text]
    view = scenario.view
    guests = [guest.name for guest in view.guests if guest.of_class == match["name"][1:]]
    if not guests:
        names = [f"@{each.name}" for each in view.classes]
        what = f"no guest is of the class `{brief(match['name'])}`"
        close = nearest(match["name"], names)
        raise refusal(problem(what, key="require", allowed=", ".join(names) or "the name of a guest", nearest=close))
    return [f"{name} {match['column']} {match['rest']}" for name in guests]


def _requirement(text: object, scenario: Scenario) -> Requirement:
    text = text_of("require", text, _ALLOWED)
    match = _REQUIRED.fullmatch(text)
    if match is None:
        return Requirement(" ".join(text.split()), constraint("require", text, Names(())))
    table, entity, counter = _place(match["name"], match["column"], scenario)
    name = counter if table == HEADLINE else f"`{table}.{entity}.{counter}`"
    made = constraint("require", f"{name} {match['rest']}", Names(()))
    shown = f"{entity} {counter} {made.comparison} {match['rest'][2:].strip()}".strip()
    return Requirement(shown, Constraint(shown, made.expression, made.comparison, made.bound))


def _place(name: str, column: str, scenario: Scenario) -> tuple[str, str, str]:
    """The table, the row and the counter of a requirement on a name; raises InputError."""
    if name in ("system", "all"):
        return HEADLINE, "", column
    every = {(table, each.name): each for table, kind in _ENTITIES.items() for each in getattr(scenario.view, kind, ())}
    own = [(table, entity) for table, entity in every if entity == name]
    own = own or [(table, entity) for table, entity in every if entity.lower() == name.lower()]
    if not own:
        names = sorted({entity for _, entity in every})
        what = f"no guest, volume or partition is called `{brief(name)}`"
        raise refusal(problem(what, key="require", allowed=", ".join(names[:30]), nearest=nearest(name, names)))
    for table, entity in own:
        if column in declared(table):
            return table, entity, column
    table, entity = own[0]
    if table == "guests" and (match := _PERCENTILE.fullmatch(column)):
        if not any(step.think is not None for step in every[own[0]].every_step):
            return table, entity, f"cycle_{match[1]}"  # without thinking a cycle is the response
        why = "its cycle has thinking in it, and percentiles of the rest are not measured"
        raise refusal(
            problem(f"{entity} has no {column}", key="require", why=why, allowed=f"transaction_ms, cycle_{match[1]}")
        )
    known = [counter for table, _ in own for counter in declared(table)]
    what = f"`{brief(column)}` is no column of {entity}"
    raise refusal(problem(what, key="require", allowed=", ".join(known), nearest=nearest(column, known)))


def _column(column: Column, tables: Mapping[str, Table], replications: int) -> Array:
    table = tables.get(column.table) or {}
    found = np.full(replications, np.nan)
    keys = ENTITY[column.table].split()
    rows = list(zip(*(table[key] for key in keys), strict=True)) if keys and table else []
    names = [" ".join(map(str, row)) for row in rows] if keys else [""] * len(table.get("replication", ()))
    choose = np.fmin if column.of_all == "min" else np.fmax
    present = column.entity == "*"
    for name, at, each in zip(names, table.get("replication", ()), table.get(column.counter, ()), strict=False):
        if column.entity in ("*", name):
            present = True
            found[int(at)] = choose(found[int(at)], np.nan if each is None else each)
    if not present and names:
        what = f"no row of {column.table} is named `{brief(column.entity)}`"
        allowed = ", ".join(sorted(set(names))[:20])
        raise refusal(problem(what, key="require", allowed=allowed, nearest=nearest(column.entity, names)))
    return found
