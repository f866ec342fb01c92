"""The kept numbers of the installation-exit study judged again, and the fingerprint of the engine on its machines."""

from __future__ import annotations

from slicewright.study import kept
from slicewright.study.grs_exits.cases import BATCH, POOLED, UNLOCKED, Case
from slicewright.study.grs_exits.constants import committed
from slicewright.study.grs_exits.points import Point, simulate
from slicewright.study.grs_exits.published import study_folder
from slicewright.study.grs_exits.reproduce import Judge, aside
from slicewright.study.kept import Kept
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction

SHORT = Budget(replications=2, most=2, interval_s=0.2, warm_up_s=0.0)
"""What the fingerprint is taken of."""

SEEN = (Case(BATCH), Case(POOLED, share=20), Case(POOLED, processors=4), Case(UNLOCKED, processors=4))
"""A run of every kind: alone, with a manager's messages, with a lock that others want."""


def judged(numbers: Kept) -> Reproduction[Point]:
    """The reproduction again: cells judged by today's bands against today's published values; no samples.

    >>> judged(Kept(1, "", {}, {})).cells
    []
    """
    judge = Judge(study_folder())
    own = [judge.cell(one, numbers.own[one.place.key]) for one in judge.published if one.place.key in numbers.own]
    beside = [aside(key, found) for key, found in numbers.other.items()]
    return Reproduction("grs-exits", numbers.seed, cells=own, comparison=beside)


def fingerprint() -> str:
    """What tells this engine from others that simulate the study differently.

    >>> len(fingerprint())
    16
    """
    prices = committed().prices
    return kept.fingerprint((case.name, simulate(case, prices, SHORT).samples) for case in SEEN)
