"""The simulated numbers behind a validation page, kept beside it: the page is made of them without simulating again.

They carry a fingerprint of the engine on this study's machines, so that a test sees in a moment when they are those of
another engine.  It leaves out everything published and every verdict: those are made anew from their own sources.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from slicewright.statistics import Estimate
from slicewright.study.cells import Cell
from slicewright.study.constants import Form, committed
from slicewright.study.points import Budget, Point, simulate
from slicewright.study.published import ROWS, reports, study_folder
from slicewright.study.reproduce import Judge, Reproduction

SHORT = Budget(replications=2, most=2, interval_s=5, warm_up_s=1.0)
"""What the fingerprint is taken of: every run of the study, for some 30,000 I/Os each."""

Estimates = dict[tuple[str, str], Estimate]
"""A value by its run and its row."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a full reproduction simulated: every cell, and those under the other service form.

    >>> Kept(1, "", {}, {}).reproduction().cells
    []
    """

    seed: int
    engine: str
    own: Estimates
    other: Estimates

    @staticmethod
    def of(result: Reproduction) -> Kept:
        """The numbers of a reproduction, with the fingerprint of the engine that made them."""
        return Kept(result.seed, fingerprint(), _estimates(result.cells), _estimates(result.comparison))

    def reproduction(self) -> Reproduction:
        """The reproduction again: cells judged by today's bands against today's published values; no samples."""
        listed = [report for report in reports() if any(table == report.table for table, _ in self.own)]
        points = [Point(report, "", 0.0) for report in listed]
        own, other = _judged(self.own, "sharing"), _judged(self.other, "per_concurrent")
        return Reproduction("hyperpav", self.seed, points, own, other)

    def written(self) -> str:
        """The numbers as JSON, one value a line.

        >>> Kept.read(Kept(1, "ab", {("Y032181H", "service_ms"): Estimate(1.5, 0.1, 10)}, {}).written()).engine
        'ab'
        """
        parts = [f'"seed": {self.seed}', f'"engine": {json.dumps(self.engine)}']
        for name, found in (("own", self.own), ("other", self.other)):
            rows = [[*place, one.mean, one.half_width, one.replications] for place, one in found.items()]
            parts.append(f'"{name}": [\n  ' + ",\n  ".join(map(json.dumps, rows)) + "\n ]")
        return "{\n " + ",\n ".join(parts) + "\n}\n"

    @staticmethod
    def read(text: str) -> Kept:
        """The numbers that `written` wrote; raises KeyError or ValueError for anything else."""
        given = json.loads(text)
        own, other = ({(row[0], row[1]): Estimate(*row[2:]) for row in given[name]} for name in ("own", "other"))
        return Kept(given["seed"], given["engine"], own, other)


def fingerprint() -> str:
    """A short SHA-256 of what the engine makes of every run of the study in a few simulated seconds.

    It differs as soon as any value of any replication does, in its last bit, and is the same on every computer.

    >>> fingerprint() == fingerprint()
    True
    """
    sha = hashlib.sha256()
    for form in ("sharing", "per_concurrent"):
        constants = committed(form).constants
        for report in reports():
            point = simulate(report, constants, SHORT)
            sha.update(json.dumps([report.table, point.samples]).encode())
    return sha.hexdigest()[:16]


def _estimates(cells: list[Cell]) -> Estimates:
    return {(cell.place.table, cell.place.row): cell.estimate for cell in cells}


def _judged(found: Estimates, form: Form) -> list[Cell]:
    judge = Judge(study_folder(), form)
    places = [(report, row) for report in reports() for row in ROWS]
    return [judge.cell(report, row, found[report.table, row]) for report, row in places if (report.table, row) in found]
