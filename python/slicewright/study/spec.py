"""The data of a study: what its `study.toml` declares of roles, values, constants, forms, budgets and pages."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from slicewright.results.judge import Band, Place, Role, Ruling
from slicewright.study.data import study_folder
from slicewright.study.points import Budget

Shown = Literal["cells", "adopted", "comparison", "variant"]
"""Where the cells of a form are kept: the study's own, counted apart, for comparison alone, rejected."""

Rules = Sequence[Mapping[str, Any]]
"""Patterns of table, row and column (shell style) and what they say; the first that matches counts."""


@dataclass(frozen=True, slots=True)
class Number:
    """One published number and its place; `rounding` is the most that the print can have moved it, 0 if unused."""

    place: Place
    value: float
    rounding: float = 0.0


Wanted = Callable[[Place], bool]
"""Whether a number at a place is asked for: no other one is looked at."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A fitted constant: unit, what it is, where it is from, where its search starts and by which steps, its bounds.

    >>> Constant("think", "ms").key
    'think_ms'
    """

    name: str
    unit: str = ""
    meaning: str = ""
    source: str = ""
    start: float = 0.0
    step: float = 0.0
    low: float | None = None
    high: float | None = None
    whole: bool = False
    """Whether it is a count: fitted as if it had fractions, then rounded."""

    @property
    def key(self) -> str:
        """Its name with the unit as a suffix."""
        return f"{self.name}_{'percent' if self.unit == '%' else self.unit}".rstrip("_")


@dataclass(frozen=True, slots=True)
class Part:
    """What one search finds: its constants, the calibration cells that it sees, and those that it is fitted to."""

    name: str
    meaning: str
    label: str
    constants: Mapping[str, Constant]
    cells: Rules
    used: Rules

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """The constants with both bounds: an ensemble of sets is searched for between them; none where one set is."""
        listed = ((constant.name, constant.low, constant.high) for constant in self.constants.values())
        return {name: (low, high) for name, low, high in listed if low is not None and high is not None}


@dataclass(frozen=True, slots=True)
class Form:
    """A form of the model: what is fitted of it, where its cells stand, and which of them it was chosen knowing."""

    name: str
    parts: tuple[str, ...]
    shown: Shown = "cells"
    quick: bool = False
    """Whether `--quick` simulates it too."""
    mode: str = ""
    """How much of its runs is simulated, where that is not as much as of the first form."""
    informed: Rules = ()


@dataclass(frozen=True, slots=True)
class Spec:
    """A study's data.

    >>> Spec.read("hyperpav").unit("service_ms"), Spec.read("hyperpav").places("service_ms")
    ('ms', 3)
    """

    name: str
    folder: Path
    data: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def read(name: str, folder: Path | None = None) -> Spec:
        """The data of a study, from the folder of published numbers or from a copy of the study's own folder."""
        return _shipped(name) if folder is None else _read(name, folder)

    @property
    def tables(self) -> dict[str, Any]:
        """The published numbers as they are written: of the file that `tables` names, or of `[published]`."""
        if "tables" in self.data:
            return tomllib.loads((self.folder / self.data["tables"]).read_text("utf-8"))
        found: dict[str, Any] = self.data["published"]
        return found

    @property
    def bands(self) -> Bands:
        """The roles and bands, declared before any run."""
        return Bands(tuple(self.data["rule"]))

    def unit(self, row: str) -> str:
        """The unit of a value; raises KeyError when no such value is declared."""
        return str(self.data["values"][row].get("unit", ""))

    def places(self, row: str) -> int:
        """The decimal places that a value is printed with."""
        return int(self.data["values"][row].get("places", 0))

    @property
    def titles(self) -> Mapping[str, str]:
        """The title of each published table."""
        found: Mapping[str, str] = self.data.get("titles", {})
        return found

    @property
    def ablations(self) -> Mapping[str, str]:
        """The standard experiments: what each takes away, everything else and all constants staying as they are."""
        found: Mapping[str, str] = self.data.get("ablations", {})
        return found

    @property
    def in_column(self) -> bool:
        """Whether a value under an ablation is in the column of its name, not in a table of its own."""
        return self.data.get("ablated") == "column"

    def ablated(self, place: Place, ablation: str) -> tuple[str, ...]:
        """The key of the value of a place under an ablation."""
        if self.in_column:
            return replace(place, column=ablation).key
        return replace(place, table=f"{ablation} {place.table}").key

    def rules(self, name: str) -> Rules:
        """A list of patterns of this name; empty where the study has none."""
        found: Rules = self.data.get(name, ())
        return found

    def called(self, where: str, place: Place) -> str:
        """The name of a cell in the table of its `run`, on its `validation` page, or where no `heading` has its table.

        >>> Spec.read("hiperdispatch").called("run", Place("table1.n8", "tv_ratio", "", "6.2"))
        'tv_ratio'
        """
        rule = first_match(self.data.get("names", {}).get(where, ()), place)
        form = rule["name"] if rule else "{table} {row} {column}" if where == "heading" else "{row} {column}"
        column, words = self.data.get("columns", {}).get(place.column, place.column), place.row.replace("_", " ")
        return str(
            form.format(table=place.table, row=place.row, column=place.column, shown=column, words=words)
        ).rstrip()

    @property
    def forms(self) -> dict[str, Form]:
        """The forms of the model, the study's own first."""
        forms: Mapping[str, Mapping[str, Any]] = self.data["forms"]
        return msgspec.convert(
            {name: {"name": name, "parts": [name], **forms[name]} for name in forms}, dict[str, Form]
        )

    @property
    def first(self) -> str:
        """The study's own form."""
        return str(next(iter(self.data["forms"])))

    def part(self, name: str) -> Part:
        """The constants of one search, and the cells that it is fitted to."""
        own = self.data.get("parts", {}).get(name) or self.data["forms"].get(name, {})
        if "like" in own:
            own = self.data["parts"][own["like"]] | own
        listed = own.get("constants", self.data.get("constants", {}))
        if not isinstance(listed, Mapping):
            listed = {each: self.data["constants"][each] for each in listed}
        bounds = own.get("bounds", {})
        constants = {each: Constant(each, **(about | bounds.get(each, {}))) for each, about in listed.items()}
        used = own.get("used", self.data.get("fit", {}).get("used", ()))
        return Part(name, own.get("meaning", ""), own.get("label", ""), constants, own.get("cells", ({},)), used)

    def file_of(self, form: str, case: str) -> str:
        """The file of a shipped scenario, whose name begins as the form says."""
        return f"{self.data['forms'][form].get('shipped', '')}{case}.toml"

    def form_of(self, part: str) -> Form:
        """The form that a part is fitted for."""
        return next(form for form in self.forms.values() if part in form.parts)

    @property
    def kinds(self) -> list[str]:
        """The kinds of runs by how much of them is simulated, the usual one first."""
        return [name for name, declared in self.data["budget"].items() if "full" in declared]

    def budget(self, mode: str, kind: str = "", seed: int = 1) -> Budget:
        """How much of a kind of run is simulated in a mode: full, quick, short beside a full one, and so on."""
        declared = self.data["budget"]
        own = declared.get(kind or self.kinds[0], {}).get(mode) or declared["any"][mode]
        return Budget(**{"most": own["replications"]} | own, seed=seed)

    def weight(self, kind: str) -> float:
        """How long a simulated second of a kind of run takes, beside one of weight 1."""
        return float(self.data["budget"][kind or self.kinds[0]].get("weight", 1))

    def cause(self, place: Place, form: str) -> str:
        """The suspected cause of a miss in a form, or that none is known."""
        rules = [rule for rule in self.rules("cause") if form in rule.get("forms", [self.first])]
        found = first_match(rules, place)
        return str(found["why"]) if found else "no cause is known"


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


def moved(rules: Rules, place: Place) -> tuple[Place, float] | None:
    """The place that a rule's `to` leads to from a place, with its scale; None where no rule matches.

    >>> moved([{"row": "x", "to": {"table": "B"}}], Place("A", "x", "ms"))
    (Place(table='B', row='x', unit='ms', column=''), 1.0)
    """
    rule = first_match(rules, place)
    if rule is None:
        return None
    parts = {"table": place.table, "row": place.row, "column": place.column} | rule["to"]
    return Place(parts["table"], parts["row"], place.unit, parts["column"]), float(rule.get("scale", 1.0))


@dataclass(frozen=True, slots=True)
class Bands:
    """The rules of one study, in order; the first that matches a cell decides.

    >>> Bands(({"row": "service_ms", "rel": 0.05},)).ruling("Y032181H", "service_ms").band
    Band(rel=0.05, abs=0.0)
    """

    rules: tuple[Mapping[str, Any], ...]

    def ruling(self, table: str, row: str, column: str = "") -> Ruling:
        """The first rule whose patterns match; raises LookupError when none does: nothing to judge the cell by."""
        rule = first_match(self.rules, Place(table, row, "", column))
        if rule is None:
            raise LookupError(f"no band is declared for {table} {row} {column}".rstrip())
        band = Band(rel=rule.get("rel", 0.0), abs=rule.get("abs", 0.0))
        return Ruling(_role(rule), band, rule.get("must", False), rule.get("note", ""))


def first_match(rules: Iterable[Mapping[str, Any]], place: Place) -> Mapping[str, Any] | None:
    """The first rule whose patterns (shell style; none: any) match a place; None where none does.

    >>> first_match([{"row": "a", "why": "no"}, {"table": "T*", "why": "yes"}], Place("T1", "b", "ms"))
    {'table': 'T*', 'why': 'yes'}
    """

    def matches(rule: Mapping[str, Any]) -> bool:
        patterns = (rule.get("table", "*"), rule.get("row", "*"), rule.get("column", "*"))
        return all(map(fnmatchcase, (place.table, place.row, place.column), patterns))

    return next(filter(matches, rules), None)


def _role(rule: Mapping[str, Any]) -> Role:
    if rule.get("calibrate"):
        return "calibrated"
    if rule.get("expect") == "miss" or rule.get("derived"):
        return "excluded"
    role: Role = rule.get("role", "predicted")
    return role


@cache
def _shipped(name: str) -> Spec:
    return _read(name, study_folder(name))


def _read(name: str, folder: Path) -> Spec:
    return Spec(name, folder, tomllib.loads((folder / "study.toml").read_text("utf-8")))
