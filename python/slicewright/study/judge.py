"""What cells are judged with: roles and bands, published numbers, and the calibration of one form of the model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from slicewright.results.judge import Band, Cell, Change, Place, Ruling, Spread
from slicewright.statistics import Estimate
from slicewright.study.points import Point
from slicewright.study.spec import Number, first_match, matched, moved
from slicewright.values.carried import data_folder
from slicewright.values.codec import read

if TYPE_CHECKING:
    from slicewright.study.study import Study

NOTHING = Estimate(float("nan"), float("nan"), 0)
"""The estimate for a number that no run gives."""

_APART = ("variant", "fourth")
"""Forms that are shown and not adopted: their names are before those of their tables, which other forms have too."""

Estimates = dict[tuple[str, ...], Estimate]
"""A value by its table, its row and, where the study has columns, its column."""


@dataclass(slots=True)
class Reproduction:
    """A study reproduced; `cells` in the order of the published tables, in whatever order they were simulated."""

    study: str
    seed: int
    points: list[Point] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    comparison: list[Cell] = field(default_factory=list)
    """Cells beside the judged ones, unjudged or for comparison alone: a second form, ablations, sets of constants."""
    adopted: list[Cell] = field(default_factory=list)
    """The simulated cells of a second form, which adopts variants: counted too, but apart; else empty."""
    variant: list[Cell] = field(default_factory=list)
    """The simulated cells of a form that was declared and not adopted: shown, counted apart; else empty."""
    fourth: list[Cell] = field(default_factory=list)
    """Those of another such form."""
    wall_s: float = 0.0
    ablation: str = ""
    """The ablation, if any; the same cells of the whole model are then in `comparison`."""

    @property
    def replications(self) -> int:
        """Replications of the point that needed most; of kept numbers, those of the cell that has most."""
        counts = [point.replications for point in self.points]
        return max(counts or [cell.estimate.replications for cell in self.cells], default=0)

    def to_json(self) -> dict[str, Any]:
        """The object that `reproduce --format json` prints; only `wall_s` differs between two runs."""
        document: dict[str, Any] = {
            "study": self.study, "wall_s": round(self.wall_s, 3), "events": sum(point.events for point in self.points),
            "seed": self.seed, "replications": self.replications,
        }  # fmt: skip
        lists = {"cells": self.cells, "adopted": self.adopted, "variant": self.variant, "fourth": self.fourth}
        document |= {
            name: [cell.to_json() for cell in listed] for name, listed in lists.items() if listed or name == "cells"
        }
        if self.ablation:
            document |= {"ablation": self.ablation, "whole": [cell.to_json() for cell in self.comparison]}
        return document


@dataclass(frozen=True, slots=True)
class Request:
    """The extent of a reproduction, quick or full, its folder, and callbacks for finished runs and progress (0 to 1).

    `done` hears the name of a published run and its cells.  `ablation` names what is taken away; empty: nothing.
    Without `curves` a page has only the figures that need no further simulation.
    """

    quick: bool = False
    seed: int = 1
    folder: Path | None = None
    done: Callable[[str, list[Cell]], None] = lambda run, cells: None
    progress: Callable[[float], None] = lambda share: None
    ablation: str = ""
    curves: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """Numbers that are made of the same simulated runs, and under which name they are printed.

    Without numbers it is runs of which nothing is published; without a name as well, nothing is printed of them.
    """

    run: str
    cases: tuple[Any, ...]
    numbers: tuple[Number, ...] = ()
    scored: bool = False


class Judge:
    """The roles, the published numbers and the calibration that the cells of one form are judged with.

    >>> from slicewright.study.studies import named
    >>> [unit.run for unit in Judge(named("hyperpav")).units() if unit.scored]
    ['Y032181H', 'Y040180P', 'Y040182P']
    """

    def __init__(self, study: Study, folder: Path | None = None, form: str = "") -> None:
        self.study = study
        self.spec = study.spec(folder)
        self.form = self.spec.forms[form or self.spec.first]

    @cached_property
    def published(self) -> list[Number]:
        """Every published number, in the order of publication."""
        return self.study.published(self.spec)

    @cached_property
    def _known(self) -> Mapping[tuple[str, ...], float]:
        return {number.place.key: number.value for number in self.published}

    def units(self) -> list[Unit]:
        """Everything that is published, by the runs that it is made of, in the order of publication.

        Numbers of a table, or of a column where `runs` says so, share a unit when they share a run.
        """
        by = self.spec.runs
        groups: list[tuple[str, list[Number], set[Any]]] = []
        for number in self.published:
            run, cases = getattr(number.place, by), set(self.study.cases(number))
            own = [group for group in groups if group[0] == run and (group[2] & cases or not (group[2] or cases))]
            first = own[0] if own else (run, [], set())
            groups = [group for group in groups if group not in own[1:]] + ([] if own else [first])
            for _, numbers, others in own[1:]:
                first[1].extend(numbers)
                first[2].update(others)
            first[1].append(number)
            first[2].update(cases)
        return [self._unit(run, numbers) for run, numbers, _ in groups]

    def _unit(self, run: str, numbers: list[Number]) -> Unit:
        cases = tuple(dict.fromkeys(case for number in numbers for case in self.study.cases(number)))
        return Unit(run, cases, tuple(numbers), any(self.ruling(number).scored for number in numbers))

    def ruling(self, number: Number) -> Ruling:
        """The bands' ruling: informed where this form was chosen knowing the number, calibrated where fitted to it.

        Raises LookupError without a band.
        """
        found = self.spec.ruling(number.place.table, number.place.row, number.place.column)
        if matched(self.form.fitted, number.place):
            return replace(found, role="calibrated")
        known = first_match(self.form.informed, number.place) if found.scored else None
        if known is None:
            return found
        return replace(found, role="informed", note="; ".join(part for part in (found.note, known.why) if part))

    def cell(self, number: Number, estimate: Estimate, spread: Spread | None = None) -> Cell:
        """The cell of one number; raises LookupError when no band was declared for it."""
        ruling = self.ruling(number)
        change = self._change(number, estimate.mean) if ruling.scored else None
        follows = first_match(self.spec.follows, number.place)
        identity = follows.why if follows else ""
        return Cell(number.place, number.value, estimate, ruling, change, identity, spread)

    def kept(self, found: Mapping[tuple[str, ...], Estimate], sets: Estimates | None = None) -> list[Cell]:
        """The cells of numbers whose estimates are known, in the order of publication; of `sets` with their spread."""
        return [
            self.cell(number, found[number.place.key], _spread(number.place, sets or {}))
            for number in self.published
            if number.place.key in found
        ]

    def without_runs(self) -> list[Cell]:
        """The cells of numbers that no run gives."""
        return [self.cell(number, NOTHING) for number in self.published if not self.study.cases(number)]

    def in_order(self, cells: list[Cell]) -> list[Cell]:
        """The same cells in the order of publication, those that are not published behind them as they are."""
        order = {number.place: at for at, number in enumerate(self.published)}
        return sorted(cells, key=lambda cell: order.get(cell.place, len(order)))

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the nearest calibrated cell, as `nearest` declares; None where there is none."""
        near = moved(self.spec.nearest, number.place)
        if near is None:
            return None
        place, scale = near
        seen = (cell for part in self.form.parts for cell in self.study.committed(part).cells)
        before = next((cell.simulated for cell in seen if cell.key == place.key), None)
        if before is None or place.key not in self._known:
            return None
        return Change(number.value - scale * self._known[place.key], simulated - scale * before)


# Values beside judged cells.


def aside(place: Place, estimate: Estimate, spread: Spread | None = None) -> Cell:
    """A value of which nothing is published."""
    return Cell(place, float("nan"), estimate, Ruling("excluded", Band()), spread=spread)


def of_set(column: str, at: int) -> str:
    """The column of a set's value, its sets counted from one.

    >>> of_set("n=16", 2), of_set("", 1)
    ('n=16 set 2', 'set 1')
    """
    return f"{column} set {at}".strip()


def without(cell: Cell, ablation: str, *, in_column: bool) -> Cell:
    """The cell without a verdict under an ablation, which the column names where the study has it there."""
    cell = replace(cell, ruling=Ruling("excluded", cell.ruling.band, note=ablation), change=None)
    return replace(cell, place=replace(cell.place, column=ablation), identity="") if in_column else cell


def before_table(cells: Iterable[Cell], word: str) -> list[Cell]:
    """The same cells with the name of a form or an ablation before that of their table."""
    return [replace(cell, place=replace(cell.place, table=f"{word} {cell.place.table}")) for cell in cells]


def beside(cells: Iterable[Cell], form: str, forms: Sequence[str]) -> list[Cell]:
    """The values beside the cells of a form, among those of all `forms`; the first has no name before its tables."""
    own, other = f"{form} ", tuple(f"{form} " for form in forms)
    if form == forms[0]:
        return [cell for cell in cells if not cell.place.table.startswith(other)]
    found = [cell for cell in cells if cell.place.table.startswith(own)]
    return [replace(cell, place=replace(cell.place, table=cell.place.table.removeprefix(own))) for cell in found]


def _spread(place: Place, sets: Estimates) -> Spread | None:
    """How far apart the sets are, from what each of them gave; None where they are not known."""
    before = of_set(place.column, 0).removesuffix("0")
    means = [
        estimate.mean
        for key, estimate in sets.items()
        if key[:2] == (place.table, place.row) and key[2:] and key[2].startswith(before)
    ]
    return Spread.of(means) if means else None


# Numbers kept beside a validation page: the page is made of them without simulating again.


class _KeptFile(Struct, frozen=True):
    seed: int
    engine: str
    own: tuple[tuple[Any, ...], ...]
    """Of each value its table, row and column, then mean, half-width and replications."""
    other: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a full reproduction simulated: every cell that it could, and the cells shown beside them.

    `engine` is the fingerprint of the engine on the study's machines: a test compares it and detects another engine
    quickly.  Published values and verdicts are not kept: they are derived again from their own sources.
    """

    seed: int
    engine: str
    own: Estimates
    other: Estimates

    @staticmethod
    def of(result: Reproduction, engine: str) -> Kept:
        """The numbers of a reproduction, with the fingerprint of the engine that made them."""
        apart = [cell for name in _APART for cell in before_table(getattr(result, name), name)]
        other = [*result.comparison, *result.adopted, *apart]
        return Kept(result.seed, engine, _estimates(result.cells), _estimates(other))

    def written(self) -> str:
        """The numbers as JSON, one value a line.

        >>> Kept.read(Kept(1, "ab", {("Y032181H", "service_ms"): Estimate(1.5, 0.1, 10)}, {}).written()).engine
        'ab'
        """
        parts = [f'"seed": {self.seed}', f'"engine": {json.dumps(self.engine)}']
        for name, estimates in (("own", self.own), ("other", self.other)):
            rows = [
                [*place, estimate.mean, estimate.half_width, estimate.replications]
                for place, estimate in estimates.items()
            ]
            parts.append(f'"{name}": [\n  ' + ",\n  ".join(map(json.dumps, rows)) + "\n ]")
        return "{\n " + ",\n ".join(parts) + "\n}\n"

    @staticmethod
    def read(text: str, file: str = "kept numbers") -> Kept:
        """The numbers that `written` wrote; raises InputError for anything else."""
        given = read(_KeptFile, text.encode(), file)
        own, other = ({row[:-3]: Estimate(*row[-3:]) for row in rows} for rows in (given.own, given.other))
        return Kept(given.seed, given.engine, own, other)

    @staticmethod
    def of_installation(name: str) -> Kept | None:
        """The kept numbers of a study, from a checkout or an installed package; None where there are none."""
        try:
            file = data_folder("docs/validation") / f"{name}.json"
            return Kept.read(file.read_text("utf-8"), str(file))
        except FileNotFoundError:
            return None

    def apart(self, shown: str) -> Estimates:
        """The cells of a form that is shown and not adopted, under their own names."""
        before = f"{shown} "
        return {
            (key[0].removeprefix(before), *key[1:]): estimate
            for key, estimate in self.other.items()
            if key[0].startswith(before)
        }


def judged(study: Study, numbers: Kept) -> Reproduction:
    """A reproduction again: cells judged by today's bands against today's published values; no samples."""
    judge, result = Judge(study), Reproduction(study.name, numbers.seed)
    spec, published = judge.spec, {number.place.key: number for number in judge.published}
    # The cells of other forms are among the other numbers; ablations are of published cells, and the rest of nothing.
    away = {
        spec.ablation_key(number.place, ablation): (number, ablation)
        for ablation in spec.ablations
        for number in judge.published
    }
    for key in [key for key in away if key in numbers.other]:
        number, ablation = away[key]
        place = Place(key[0], number.place.row, number.place.unit, key[2] if key[2:] else "")
        cell = Cell(place, number.value, numbers.other[key], judge.ruling(number))
        result.comparison.append(replace(cell, ruling=Ruling("excluded", cell.ruling.band, note=ablation)))
    rest = {
        key: estimate
        for key, estimate in numbers.other.items()
        if key not in published and key not in away and key[0].partition(" ")[0] not in _APART
    }
    result.comparison += [
        aside(
            Place(key[0], key[1], spec.values[key[1]].unit if key[1] in spec.values else "", "".join(key[2:])), estimate
        )
        for key, estimate in rest.items()
    ]
    for form in spec.forms.values():
        apart = numbers.apart(form.shown) if form.shown in _APART else numbers.other
        found = numbers.own if form.shown == "cells" else apart
        sets = {cell.place.key: cell.estimate for cell in beside(result.comparison, form.name, tuple(spec.forms))}
        getattr(result, form.shown).extend(Judge(study, form=form.name).kept(found, sets))
    if result.cells:
        result.cells = judge.in_order(result.cells + judge.without_runs())
    return result


def _estimates(cells: list[Cell]) -> Estimates:
    return {cell.place.key: cell.estimate for cell in cells if cell.estimate.replications}


def fingerprint(samples: Iterable[tuple[str, Any]]) -> str:
    """A short SHA-256 of the engine's results for every run of a study in a few simulated seconds.

    It differs as soon as any value of any replication does, in its last bit, and is the same on every computer.

    >>> fingerprint([("Y032181H", {"service_ms": [1.5]})]) == fingerprint([("Y032181H", {"service_ms": [1.25]})])
    False
    """
    sha = hashlib.sha256()
    for run, values in samples:
        sha.update(json.dumps([run, values]).encode())
    return sha.hexdigest()[:16]
