"""How often the range of `advise aliases` contains the truth, on simulated sites whose truth is known.

    python -m benches.alias_coverage [SITES]

Of each site the DEVICE page is read as if it had been measured.  The true response at the recommended number of aliases
and at three others is then simulated and looked up in the range.  Sites differ from what the adviser assumes (see
`alias_sites`).  The table counts points.  A range that contains everything is no use, so its width is printed too: the
ratio of its ends.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from statistics import median

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.question import answer
from slicewright.advise.aliases.request import AliasRequest

from benches.alias_sites import KINDS, Site

SITES, FIRST = 300, 100
"""Sites that are judged, and the first of them; the method was changed while looking at sites 0 to 59."""

POINTS = 3
"""Points of a curve that are looked up beside the recommendation."""


@dataclass(frozen=True)
class Found:
    """A site: of each point whether the range contains the truth, and its width as the ratio of its ends."""

    number: int
    kind: str
    held: tuple[bool, ...]
    widths: tuple[float, ...]
    recommendation: str


def judge(number: int) -> Found | None:
    """Advice on a site's pages against its truth; None where the site has no queue to advise on."""
    site = Site.numbered(number)
    files = [(f"interval-{at}.txt", site.page(at)) for at in range(len(site.aliases))]
    (found,) = answer(files, AliasRequest())
    if found.now.queue_depth < 0.05:
        return None
    if found.recommendation is None:
        return Found(number, site.kind, (), (), "none")
    held, widths = [], []
    for aliases in looked_up(found):
        point = found.point(aliases)
        assert point is not None
        low, high = point.low["response_ms"], point.high["response_ms"]
        true, half = site.truth(aliases)
        held.append(low - half <= true <= high + half)
        widths.append(high / low)
    recommended = found.recommendation
    return Found(
        number, site.kind, tuple(held), tuple(widths), f"{recommended.aliases} ({recommended.low}-{recommended.high})"
    )


def looked_up(found: Answer) -> list[int]:
    """The recommended number of aliases and others spread over the curve, none of them that of the page."""
    assert found.recommendation is not None
    read = {now.aliases for now in found.observed} | {found.now.aliases}
    others = [point.aliases for point in found.curve if point.aliases not in {found.recommendation.aliases, *read}]
    chosen = {others[round(at * (len(others) - 1) / (POINTS - 1))] for at in range(POINTS)} if others else set()
    return [found.recommendation.aliases, *sorted(chosen)]


def table(sites: Sequence[Found]) -> Iterable[str]:
    """The lines of the table: a row for each kind of site, and one for all."""
    yield f"{'site':18}{'sites':>7}{'no answer':>11}{'points':>8}{'held':>7}{'held, %':>9}{'width, median':>15}"
    for kind in (*KINDS, "all"):
        own = [site for site in sites if kind in ("all", site.kind)]
        held = [holds for site in own for holds in site.held]
        widths = [width for site in own for width in site.widths]
        if not held:
            continue
        silent = sum(not site.held for site in own)
        share = 100 * sum(held) / len(held)
        yield f"{kind:18}{len(own):7}{silent:11}{len(held):8}{sum(held):7}{share:9.1f}{median(widths):15.2f}"


def judged(numbers: Iterable[int]) -> list[Found]:
    """The sites of these numbers that have a queue, judged on all processors.

    Processes are started anew: one that is forked from a process with threads may wait for a lock for ever.
    """
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as workers:
        return [site for site in workers.map(judge, numbers) if site is not None]


def main() -> None:
    """Judge sites and print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SITES
    found = judged(range(FIRST, FIRST + count))
    for site in found:
        if not all(site.held) or not site.held:
            print(f"site {site.number}, {site.kind}: {site.recommendation}, held {site.held}")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
