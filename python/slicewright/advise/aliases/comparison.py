"""Several curves of one pool beside each other: knees and their range, the band of every point, a target's answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.aliases.answer import Recommendation, TargetAnswer
from slicewright.advise.aliases.curve import Curve, Point, band, counts_to_show
from slicewright.advise.aliases.knee import Knee, knee
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.target import Target, fewest
from slicewright.experiment.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Comparison:
    """The main curve first in `knees`, in the order of the curves given."""

    knees: tuple[Knee, ...]
    recommendation: Recommendation
    points: tuple[Point, ...]
    target: TargetAnswer | None
    targets: tuple[int | None, ...]


def compare(
    curves: Sequence[Curve], question: AliasRequest, read: tuple[int, int], error: float, progress: Progress = silent
) -> Comparison:
    """Knees, band and target of some curves; the first is the main one, with the most I/Os behind it.

    `read`: the aliases present, and the estimate by rule of thumb.  `error`: the model's own, a share.

    >>> from slicewright.advise.aliases.example import curves
    >>> compare(curves(), AliasRequest(), (0, 2), 0.0).recommendation
    Recommendation(aliases=2, low=2, high=2)
    """
    main = curves[0]
    present, estimate = read
    knees = tuple(knee(curve, question.assumed.knee_percent) for curve in curves)
    counts = [curve_knee.aliases for curve_knee in knees]
    least = [1] if all(curve.smoother for curve in curves) and min(counts) else []
    recommended = Recommendation(counts[0], min([*counts, *least]), max(counts))
    targets = tuple(_fewest(curve, question.target) for curve in curves) if question.target else ()
    answer = _target(question.target, targets) if question.target else None
    wanted = {
        present,
        estimate,
        recommended.aliases,
        recommended.low,
        recommended.high,
        max(0, recommended.aliases - 2),
        *question.at,
    }
    wanted |= {count for count in targets if count is not None}
    most = max(estimate, recommended.high, present, min(main.unlimited // 2, 2 * recommended.high)) + 1
    shown = counts_to_show(most, wanted)
    points = []
    for done, aliases in enumerate(shown, 1):
        points.append(band(main, curves, aliases, error))
        progress(done / len(shown))
    return Comparison(knees, recommended, tuple(points), answer, targets)


def _fewest(curve: Curve, target: Target | None) -> int | None:
    """Halving, as every column rises or falls with aliases, then a walk upward past noise."""
    if target is None:
        return None
    if target.met(curve.means(0)):
        return 0
    if not target.met(curve.means(curve.unlimited)):
        return None
    low, high = 0, curve.unlimited
    while low < high:
        middle = (low + high) // 2
        if target.met(curve.means(middle)):
            high = middle
        else:
            low = middle + 1
    return fewest(target, {count: curve.means(count) for count in {low, low + 1, curve.unlimited}})


def _target(target: Target, found: Sequence[int | None]) -> TargetAnswer:
    met = [count for count in found if count is not None]
    high = max(met) if met and len(met) == len(found) else None
    return TargetAnswer(target, found[0], min(met) if met else None, high)
