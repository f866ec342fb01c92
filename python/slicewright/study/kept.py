"""The simulated numbers behind a validation page, kept beside it: the page is made of them without simulating again.

They carry a fingerprint of the engine on the study's machines: a test compares it and detects another engine quickly.
Published values and verdicts are not kept: they are derived again from their own sources.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slicewright.results.judge import Cell, Ruling
from slicewright.statistics import Estimate
from slicewright.study.data import data_folder
from slicewright.study.judge import Judge
from slicewright.study.reproduction import Reproduction

if TYPE_CHECKING:
    from slicewright.study.study import Study

VARIANT = "variant "
"""The prefix of the tables of a form that is shown and not adopted: another form has the same cells."""

Estimates = dict[tuple[str, ...], Estimate]
"""A value by its table, its row and, where the study has columns, its column."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a full reproduction simulated: every cell that it could, and those under the other form, counted or not.

    >>> Kept(1, "", {}, {}).own
    {}
    """

    seed: int
    engine: str
    own: Estimates
    other: Estimates

    @staticmethod
    def of(result: Reproduction, engine: str) -> Kept:
        """The numbers of a reproduction, with the fingerprint of the engine that made them.

        >>> Kept.of(Reproduction("hyperpav", 1), "ab").engine
        'ab'
        """
        variant = [
            replace(cell, place=replace(cell.place, table=VARIANT + cell.place.table)) for cell in result.variant
        ]
        other = [*result.comparison, *result.adopted, *variant]
        return Kept(result.seed, engine, _estimates(result.cells), _estimates(other))

    @property
    def variant(self) -> Estimates:
        """The cells of the form that is shown and not adopted, under their own names.

        >>> Kept(1, "", {}, {("variant run.A", "gain"): Estimate(1.5, 0.1, 10)}).variant
        {('run.A', 'gain'): Estimate(mean=1.5, half_width=0.1, replications=10)}
        """
        return {
            (key[0].removeprefix(VARIANT), *key[1:]): estimate
            for key, estimate in self.other.items()
            if key[0].startswith(VARIANT)
        }

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
    def read(text: str) -> Kept:
        """The numbers that `written` wrote; raises KeyError or ValueError for anything else."""
        given = json.loads(text)
        own, other = ({tuple(row[:-3]): Estimate(*row[-3:]) for row in given[name]} for name in ("own", "other"))
        return Kept(given["seed"], given["engine"], own, other)


def of_installation(name: str) -> Kept | None:
    """The kept numbers of a study, from a checkout or an installed package; None where there are none.

    >>> of_installation("hyperpav").seed, of_installation("unknown")
    (1, None)
    """
    try:
        text = (data_folder("docs/validation") / f"{name}.json").read_text("utf-8")
    except FileNotFoundError:
        return None
    return Kept.read(text)


def judged(study: Study, numbers: Kept) -> Reproduction:
    """A reproduction again: cells judged by today's bands against today's published values; no samples."""
    judge = Judge(study)
    result: Reproduction = Reproduction(study.name, numbers.seed)
    result.cells = judge.kept(numbers.own)
    if result.cells:
        result.cells = judge.in_order(result.cells + judge.without_runs())
    for form in judge.spec.forms.values():
        if form.shown != "cells":
            found = numbers.variant if form.shown == "variant" else numbers.other
            getattr(result, form.shown).extend(Judge(study, form=form.name).kept(found))
    for ablation in judge.spec.ablations:
        result.comparison += _ablated(judge, numbers.other, ablation)
    return result


def _ablated(judge: Judge, found: Estimates, ablation: str) -> list[Cell]:
    """The scored cells under an ablation, judged by nothing."""
    cells = []
    for number in judge.published:
        key = judge.study.ablated(number.place, ablation)
        if key in found:
            place = replace(number.place, table=f"{ablation} {number.place.table}")
            ruling = Ruling("excluded", judge.ruling(number).band, note=ablation)
            cells.append(Cell(place, number.value, found[key], ruling))
    return cells


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


def _estimates(cells: list[Cell]) -> Estimates:
    return {cell.place.key: cell.estimate for cell in cells if cell.estimate.replications}
