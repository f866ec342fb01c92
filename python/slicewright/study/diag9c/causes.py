"""What causes each cell that misses: thought after the runs, held against ablations, and changing nothing in them."""

from __future__ import annotations

from slicewright.study.causes import Causes, first
from slicewright.study.cells import Place
from slicewright.study.diag9c.constants import Form

CAUSES: Causes = (
    (
        "run.[BC]",
        "diag9c.diag9c_percent",
        "*",
        "servers hardly ever spin, whatever part of their computing is under the lock (1 to 31 % in the sets, all"
        " at 98 % or more): with two virtual processors to a server somebody spins for long only where who has "
        "the lock loses his processor, and here nothing but the end of a slice takes it; no ablation changes it; "
        "tested: with intercepts inside sections (decision 0019) six sets have 64 to 97 % in B, and two 2 and 4",
    ),
    (
        "run.[BC]",
        "throughput_gain_percent",
        "*",
        "what reload saves (+3.5, +4.6; without reload -6 and -3 in all) is spun away: holders run nearly always, so "
        "X'9C' returns at once and its caller spins on, where X'44' gives the processor to somebody else; a reload "
        "twice as long, tried with two sets, adds nothing; gains would need holders that lose their processors; "
        "tested: with intercepts inside sections (decision 0019) B gains 1 to 7 in six sets, 17 and 22 in the two "
        "that fit worst",
    ),
    (
        "run.[EX]",
        "diag9c.total_diags_per_s",
        "*",
        "too many already with X'44': no set brings E's rate, which is calibrated, below 1.4 times the published "
        "one together with A's and B's, which are too low",
    ),
    (
        "run.X",
        "diag44.rate_per_s",
        "*",
        "E's rate is 62 % too high, and with every time divided by 1.61 X's is 1.6 times that; published 1.27 "
        "times: what is not the processor's does not get faster, and here next to nothing waits for anything else",
    ),
    (
        "run.[HX]",
        "diag44.fast_path_percent",
        "*",
        "as low as E's, which is calibrated and 12 below: more wait in each vector at a time where published "
        "vectors are lopsided, and first homes are what decides it",
    ),
    (
        "run.[HX]",
        "diag44.pldv_queue",
        "*",
        "E's is 2.5 for 4 in the fit: connections queue inside the clients, and who waits are their virtual "
        "processors, not those of servers, whose bursts are short; no ablation changes it",
    ),
    (
        "run.H",
        "diag*_per_s",
        "*",
        "a DIAGNOSE after every try is limited by its own cost alone, assumed 1 us on the fast path and 2 us "
        "otherwise; without the cost of switches there are a third more X'44'; a lock on that path is not "
        "modelled",
    ),
    (
        "run.H",
        "throughput_gain_percent",
        "*",
        "X'44' on every try costs a tenth of the throughput here, far more in the document; of the gain caches are 8.5 "
        "and switches 7.8 (2.2 is left without reload), and X'9C' that find their target running take 3.2 back; "
        "nothing serialises DIAGNOSEs",
    ),
    (
        "table3",
        "gain_percent",
        "*",
        "the scheduler lock, assumed to be held for 1 us, is nearly always free with nine processors, so that "
        "exclusive and shared are the same; 5.2 differed in more than the lock",
    ),
)
"""Patterns of table, row and column, and the cause; the first that matches counts."""

_TWO = "sets are of two kinds, and the mean is of neither: "

VARIANT: Causes = (
    (
        "run.A",
        "diag9c.total_diags_per_s",
        "*",
        _TWO
        + "the six that fit best have 75,000 to 104,000, the two that fit worst (misfits 38 and 40) 900 and 2,300: "
        "their clients hold a lock for .6 and .9 us at a time and hardly ever spin for a round",
    ),
    (
        "run.[BC]",
        "diag9c.diag9c_percent",
        "*",
        _TWO + "in B the six that fit best have 64 to 97 %, the two that fit worst 2 and 4, since their clients, which "
        "alone issue X'9C', hardly ever spin for a round",
    ),
    (
        "run.H",
        "throughput_gain_percent",
        "*",
        "X'44' on every try costs a tenth of the throughput here too, far more in the document; the two sets that fit "
        "worst gain less than in E (7 and 9 for 20 and 22), of the other six five gain more",
    ),
    ("run.H", "diag9c.total_diags_per_s", "*", "a DIAGNOSE after every try is limited by its own cost alone"),
    (
        "run.H",
        "diag44.fast_path_percent",
        "*",
        "E's is calibrated and 9 too low: more wait in each vector at a time where published vectors are lopsided",
    ),
    (
        "run.H",
        "diag44.pldv_empty_percent",
        "*",
        "vectors are empty about as often as in E, which is calibrated and as published; in the document they are "
        "empty more often",
    ),
    (
        "run.[HX]",
        "diag44.pldv_queue",
        "*",
        "E's is 2.8 for 4 in the fit: connections queue inside the clients, and who waits are their virtual processors",
    ),
    (
        "run.X",
        "diag*_per_s",
        "*",
        "E's rate of X'44', which is calibrated, is 72 % too high, and with every time divided by 1.61 both rates of X "
        "are 1.6 to 1.7 times E's; published 1.2 to 1.3 times",
    ),
    CAUSES[-1],
)
"""The same in the variant, in which no ablation was run."""


def cause(place: Place, form: Form = "first") -> str:
    """The cause of a miss in a form, or that none is known.

    >>> cause(Place("table9", "nothing", "ms"))
    'no cause is known'
    """
    return first(CAUSES if form == "first" else VARIANT, place)
