"""What causes each cell that misses: thought after the runs, held against ablations, and changing nothing in them."""

from __future__ import annotations

from slicewright.study.causes import Causes, first
from slicewright.study.cells import Place
from slicewright.study.hiperdispatch.constants import Form

CAUSES: Causes = (
    (
        "figure1",
        "*",
        "*",
        "the barrier is too much where bursts are short: with one waiting enough to steal (no-barrier) hardly anything "
        "is gained, without cache cost nothing; 1, 2 and 4 are assumed",
    ),
    (
        "figure2",
        "*",
        "n=8",
        "just beyond its band of 3; probably that caches, whose constants have to make the gains at N = 16, cost "
        "a little too much where processors are free",
    ),
    (
        "figure2",
        "*",
        "n=24",
        "with more room fewer move in horizontal mode, because who wakes runs where he ran last if that is idle: "
        "a third of the dispatches at N = 24, three quarters at 16; published horizontal ETR falls from 16 to 24, so "
        "probably any idle processor took them; without cache cost nothing is gained, without a barrier a little less",
    ),
    (
        "figure4",
        "*",
        "*",
        "saturated: everybody moves in horizontal mode and nobody in vertical, so the gain is what the caches cost and "
        "nothing else (without that cost 0, unmoved by every other ablation); how slow work is beyond a chip was "
        "assumed, because no calibration cell tells it",
    ),
    (
        "table1.n16",
        "*",
        "6.3 CPUPAD 100%",
        "the controller goes round in a minute: at 10 processors T/V falls below the threshold, all 16 are taken back, "
        "the lock makes them look needed, and it parks again; the threshold of 1.5 is assumed, and with no-lock, where "
        "T/V never reaches it, nothing is parked; a margin of 2.3 processors (decision 0013) parks nothing at all",
    ),
    (
        "table1.n16",
        "*",
        "6.3 CPUPAD 300%",
        "nothing is parked: with all processors the lock alone keeps more than 12 busy, and 3 more are all there are; "
        "without the lock 7.2 are used; coming from CPUPAD 100 %, by SET SRM, 13 stay unparked and use 9.8, "
        "so two states hold themselves up, and the published one lies between them",
    ),
)
"""Patterns of table, row and column, and the cause; the first that matches counts."""

ADOPTED: Causes = (
    (
        "figure1",
        "*",
        "*",
        "probably as in the first form: the barrier is too much where bursts are short; no ablation was run here",
    ),
    (
        "figure2",
        "*",
        "n=24",
        "the gain grows from N = 16 on (probably more move in horizontal mode now), but by a fifth where threefold was "
        "published: what moving costs is probably too little, as in figure 4",
    ),
    (
        "figure4",
        "*",
        "*",
        "saturated: nobody is idle to handle a wake-up, so the variant changes next to nothing; probably as in the "
        "first form, how slow work is beyond a chip",
    ),
    (
        "table1.*",
        "*",
        "*",
        "vertical mode is the same and only the constants are others: probably as in the first form",
    ),
)
"""The same for the adopted form."""


def cause(place: Place, form: Form = "first") -> str:
    """The cause of a miss, or that none is known.

    >>> from slicewright.study.cells import Place
    >>> cause(Place("table9", "nothing", "ms"))
    'no cause is known'
    """
    return first(ADOPTED if form == "adopted" else CAUSES, place)
