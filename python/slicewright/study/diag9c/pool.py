"""A pool: the points of the runs that some numbers are made of, for each set of the ensemble, and what they give."""

from __future__ import annotations

from dataclasses import dataclass, field

from slicewright.study.diag9c.cases import Case, cases_of
from slicewright.study.diag9c.measure import THROUGHPUT
from slicewright.study.points import Point
from slicewright.study.published import Number


@dataclass(slots=True)
class Pool:
    """By case, a point for each set of the ensemble.

    >>> Pool().points
    {}
    """

    points: dict[Case, list[Point]] = field(default_factory=dict)

    @property
    def replications(self) -> int:
        """Replications of the point that has fewest."""
        return min((point.replications for points in self.points.values() for point in points), default=0)

    def by_set(self, number: Number, ablation: str = "") -> list[list[float]]:
        """A number as simulated: for each set, one value per replication; raises KeyError without its runs.

        >>> from slicewright.results.judge import Place
        >>> case = Case("A", "x44")
        >>> pool = Pool({case: [Point(case, samples={"diag44.pldv_queue": [1.0, 1.5]})]})
        >>> pool.by_set(Number(Place("run.A", "diag44.pldv_queue", ""), 1.0))
        [[1.0, 1.5]]
        """
        cases = [case.without(ablation) for case in cases_of(number)]
        if len(cases) == 2:
            return self.gains(cases[0], cases[1])
        return [point.samples[number.place.row] for point in self.points[cases[0]]]

    def gains(self, before: Case, after: Case) -> list[list[float]]:
        """For each set, by what throughput of one run is above that of another, in percent, by replication.

        >>> one, other = Case("A", "x44"), Case("A", "x9c")
        >>> made = {case: [Point(case, samples={"throughput": [of]})] for case, of in ((one, 10.0), (other, 11.0))}
        >>> [[round(gain, 6) for gain in own] for own in Pool(made).gains(one, other)]
        [[10.0]]
        """
        pairs = zip(self.points[before], self.points[after], strict=True)
        return [
            [100 * (new / old - 1) for old, new in zip(*(point.samples[THROUGHPUT] for point in points), strict=True)]
            for points in pairs
        ]

    def samples(self, case: Case, row: str) -> list[list[float]]:
        """A value of a run: for each set, one per replication.

        >>> case = Case("A", "x44")
        >>> Pool({case: [Point(case, samples={"throughput": [10.0]})]}).samples(case, "throughput")
        [[10.0]]
        """
        return [point.samples[row] for point in self.points[case]]
