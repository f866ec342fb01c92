"""How often the range of `advise aliases` contains the truth, on simulated sites whose truth is known.

    python -m benches.alias_coverage [SITES [FIRST]]
    python -m benches.alias_coverage loads [SITES [FIRST]]

Of each site the DEVICE page is read as if it had been measured.  The true response at the recommended number of aliases
and at three others is then simulated and looked up in the range.  Sites differ from what the adviser assumes (see
`alias_sites`); with `loads` they have kinds of load that it does not try (see `alias_loads`).  The table counts points.
A range that contains everything is no use, so its width is printed too: the ratio of its ends.  A second table has what
following the advice costs: how much slower the true response is than the best, beside the rule of thumb.
"""

from __future__ import annotations

import sys

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.report import reason_of
from slicewright.advise.aliases.request import AliasRequest

from benches import alias_loads, alias_sites
from benches.coverage import SILENT, Found, main, spread

MANY = 200
"""Aliases that no site uses up."""
LOADS = "loads"
"""The word that asks for the sites of `alias_loads`."""


def judge(number: int) -> Found | None:
    """Advice on the pages of a site of `alias_sites` against its truth; None where it has no queue to advise on."""
    return _judged(number, alias_sites.Site.numbered(number))


def judge_load(number: int) -> Found | None:
    """The same of a site of `alias_loads`."""
    return _judged(number, alias_loads.Site.numbered(number))


def _judged(number: int, site: alias_sites.Site | alias_loads.Site) -> Found | None:
    files = [(f"interval-{at}.txt", site.page(at)) for at in range(len(site.aliases))]
    (found,) = answer(files, AliasRequest())
    if found.now.queue_depth < 0.05:
        return None
    excess = _excess(found, site)
    if found.recommendation is None or reason_of(found):
        return Found(number, site.kind, SILENT, excess=excess)
    held, widths = [], []
    for aliases in looked_up(found):
        point = found.point(aliases)
        assert point is not None
        low, high = point.low["response_ms"], point.high["response_ms"]
        true, half = site.truth(aliases)
        held.append(low - half <= true <= high + half)
        widths.append(high / low)
    recommended = found.recommendation
    words = f"{recommended.aliases} ({recommended.low}-{recommended.high})"
    return Found(number, site.kind, words, {"in the range": tuple(held)}, tuple(widths), excess)


def _excess(found: Answer, site: alias_sites.Site | alias_loads.Site) -> dict[str, float]:
    """How much slower than the best the number of each rule is in truth, in percent.

    The rules: the recommendation, the upper quartile of the knees of all readings, and the rule of thumb.
    """
    counts = {"rule of thumb": found.estimate.aliases}
    knees = sorted(line.knee for line in found.readings if line.accepted and line.knee is not None)
    if found.recommendation is not None and not reason_of(found):
        counts |= {"recommendation": found.recommendation.aliases, "upper quartile": knees[3 * (len(knees) - 1) // 4]}
    truth = {count: site.truth(count)[0] for count in {*counts.values(), MANY}}
    return {rule: 100 * (truth[count] / min(truth.values()) - 1) for rule, count in counts.items()}


def looked_up(found: Answer) -> list[int]:
    """The recommended number of aliases and others spread over the curve, none of them that of the page."""
    assert found.recommendation is not None
    read = {now.aliases for now in found.observed} | {found.now.aliases}
    others = [point.aliases for point in found.curve if point.aliases not in {found.recommendation.aliases, *read}]
    return [found.recommendation.aliases, *spread(others)]


if __name__ == "__main__":
    if LOADS in sys.argv:
        sys.argv.remove(LOADS)
        main(judge_load, alias_loads.KINDS)
    else:
        main(judge, alias_sites.KINDS)
