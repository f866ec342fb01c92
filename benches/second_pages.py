"""How often `advise aliases --check` says that predictions held, on simulated sites before and after the advice.

    python -m benches.second_pages [SITES [FIRST]]

Sites are those of `alias_sites`.  The page of each is read, and its aliases become the recommended number, or the rule
of thumb where there is none.  The page after it is checked three times: with the same load, with 30 % more load, and
with service that takes 30 % longer.  "held" is right for the first, "changed" for the others.
The last table has the response that is true with the same load: how often it is in the range of one page and of both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import Case, Searched, answer_reports, cases_of, search
from slicewright.advise.aliases.report import reason_of
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.second import compared
from slicewright.run.pages.run import device_page_of
from slicewright.run.run import run

from benches.alias_sites import PAGE_S, Site
from benches.coverage import judged, numbers, share

SITES, FIRST = 24, 900
"""Sites that are judged, and the first of them; the method was changed while looking at sites 800 to 805."""
MORE = 1.3
BEFORE_SEED, AFTER_SEED, TRUE_SEED = 3000, 3001, 79
CHANGES = ("the same", "30 % more load", "30 % longer service")
OTHERS = ("held", "missed", "changed", "none")
"""Verdicts; none is where the first page has no readings."""


@dataclass(frozen=True)
class Found:
    """A site: the verdict with each load; ranges of the response and its truth where one is recommended."""

    number: int
    kind: str
    said: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...] = ()
    """From the first page and from both, in ms, with the aliases of the second."""
    inside: tuple[bool, ...] = ()


def page(site: Site, aliases: int, seed: int) -> bytes:
    """The DEVICE page of a site with some aliases."""
    return device_page_of(run(site.scenario(aliases, PAGE_S, 1), seed=seed, threads=1), "toolkit").encode()


def loaded(site: Site, change: str) -> Site:
    """The site with another load."""
    if change == CHANGES[0]:
        return site
    if change == CHANGES[2]:
        return replace(site, connect_ms=MORE * site.connect_ms + (MORE - 1) * (site.pend_ms + site.disc_ms))
    exact = [MORE * count for count in site.guests]
    counts = [int(count) for count in exact]
    for at in sorted(range(len(exact)), key=lambda at: counts[at] - exact[at])[: round(sum(exact)) - sum(counts)]:
        counts[at] += 1
    return replace(site, guests=tuple(counts), rate=MORE * site.rate)


def judge(number: int, changes: tuple[str, ...] = CHANGES, ranges: bool = True) -> Found | None:
    """The checks of one site; None where its page has no queue to advise on."""
    site = Site.numbered(number)
    (case,) = cases_of([("before.txt", page(site, site.aliases[0], BEFORE_SEED))], AliasRequest())
    if case.reports[0].queue_depth < 0.05:
        return None
    searched = search(case)
    if searched.reason or searched.explored is None:
        return Found(number, site.kind, (OTHERS[3],) * len(changes))
    first = answer_reports(case, searched) if ranges else None
    aliases = _chosen(case, first)
    said, beside = [], None
    for change in changes:
        (after,) = cases_of([("after.txt", page(loaded(site, change), aliases, AFTER_SEED))], AliasRequest())
        found = compared(case, after.reports[0], searched.explored)
        said.append("changed" if found.left is None else "held" if found.came.held else "missed")
        if change == CHANGES[0] and found.left is not None:
            beside = answer_reports(replace(case, reports=(*case.reports, *after.reports)), Searched(found.left))
    if first is None or beside is None:
        return Found(number, site.kind, tuple(said))
    both = [_range(answer, aliases) for answer in (first, beside)]
    true, half = site.truth(aliases)
    known = [each for each in both if each is not None]
    inside = tuple(low - half <= true <= high + half for low, high in known)
    return Found(number, site.kind, tuple(said), tuple(known), inside)


def _chosen(case: Case, answer: Answer | None) -> int:
    """The aliases after the advice: the recommended number, or the rule of thumb."""
    if answer is not None and answer.recommendation is not None and not reason_of(answer):
        return answer.recommendation.aliases
    report = case.reports[-1]
    return report.aliases_present + max(1, round(report.queue_depth + 0.5))


def _range(answer: Answer, aliases: int) -> tuple[float, float] | None:
    point = answer.point(aliases)
    return (point.low["response_ms"], point.high["response_ms"]) if point else None


def table(sites: list[Found]) -> list[str]:
    """The lines of both tables."""
    lines = [f"{'load after the change':24}{'sites':>7}" + "".join(f"{verdict:>9}" for verdict in OTHERS)]
    for at, change in enumerate(CHANGES):
        found = [site.said[at] for site in sites]
        lines.append(f"{change:24}{len(found):7}" + "".join(f"{found.count(verdict):9}" for verdict in OTHERS))
    lines.append(f"{'response, same load':24}{'sites':>7}{'inside, %':>11}{'width, median':>15}")
    for at, name in enumerate(("one page", "both pages")):
        own = [site for site in sites if len(site.ranges) == 2]
        widths = [site.ranges[at][1] / site.ranges[at][0] for site in own]
        inside = share([site.inside[at] for site in own])
        lines.append(f"{name:24}{len(own):7}{inside or 0:11.1f}{median(widths) if widths else 0:15.2f}")
    return lines


if __name__ == "__main__":
    count, start = numbers(SITES, FIRST)
    found = judged(judge, range(start, start + count))
    for site in found:
        print(f"site {site.number}, {site.kind}: {', '.join(site.said)}; inside {site.inside}")
    print("\n".join(table(found)))
