"""How often `advise aliases --check` says that predictions held, on simulated sites before and after the advice.

    python -m benches.second_pages [SITES [FIRST]]

Each site is one of `alias_sites`, or of `alias_loads` by turns.  Its page is read, and its aliases are changed to the
recommended number, or to the rule of thumb where there is none.  The page after it is then checked three times: with the
same load, with 30 % more load, and with service that takes 30 % longer.  "held" is right for the first and "changed" for
the others.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.second import answer_pages
from slicewright.advise.second import Checked, Pair
from slicewright.run.pages.run import device_page_of
from slicewright.run.run import run

from benches.alias_sites import PAGE_S, TRUTH_S, TRUTHS, Site

SITES, FIRST = 12, 900
"""Sites that are judged, and the first of them; the method was changed while looking at sites 800 to 811."""
MORE = 1.3
BEFORE_SEED, AFTER_SEED, TRUE_SEED = 3000, 3001, 79
CHANGES = ("the same", "30 % more load", "30 % longer service")


@dataclass(frozen=True)
class Found:
    """A site: what was said with each load, and whether the answer of both pages has the true response."""

    number: int
    kind: str
    said: tuple[str, ...]
    moved: tuple[str, ...]
    before: tuple[float, float]
    after: tuple[float, float]
    """The ranges of the response in ms with the aliases that were recommended, from one page and from both."""
    true_ms: float
    half_ms: float

    @property
    def inside(self) -> bool:
        """Whether the range of both pages contains the truth."""
        return self.after[0] - self.half_ms <= self.true_ms <= self.after[1] + self.half_ms


def page(site: Site, aliases: int, seed: int) -> bytes:
    """The DEVICE page of a site with some aliases."""
    return device_page_of(run(site.scenario(aliases, PAGE_S, 1), seed=seed, threads=1), "toolkit").encode()


def loaded(site: Site, change: str) -> Site:
    """The site with another load."""
    if change == CHANGES[1]:
        guests = [MORE * count for count in site.guests]
        counts = [int(count) for count in guests]
        order = sorted(range(len(guests)), key=lambda at: counts[at] - guests[at])
        for at in order[: round(sum(guests)) - sum(counts)]:
            counts[at] += 1
        return replace(site, guests=tuple(counts), rate=MORE * site.rate)
    return replace(site, connect_ms=MORE * site.connect_ms) if change == CHANGES[2] else site


def judge(number: int) -> Found | None:
    """The checks of one site; None where its page has no queue to advise on."""
    site = Site.numbered(number)
    present = site.aliases[0]
    before = page(site, present, BEFORE_SEED)
    (first,) = answer([("before.txt", before)], AliasRequest())
    if first.now.queue_depth < 0.05:
        return None
    aliases = first.recommendation.aliases if first.recommendation else first.estimate.aliases
    checks = [
        answer_pages(
            Pair([("before.txt", before)], [("after.txt", page(loaded(site, change), aliases, AFTER_SEED))]),
            Pair(AliasRequest(), AliasRequest()),
        )[0]
        for change in CHANGES
    ]
    measured = run(site.scenario(aliases, TRUTH_S, TRUTHS), seed=TRUE_SEED, threads=1).system
    return Found(
        number, site.kind, tuple(map(_said, checks)), tuple(map(_moved, checks)), _range(first, aliases),
        _range(checks[0].answer, aliases), float(measured["response_ms"][0]), float(measured["response_ms_half_width"][0]),
    )  # fmt: skip


def _said(checked: Checked) -> str:
    return checked.verdict


def _moved(checked: Checked) -> str:
    from slicewright.advise.second import moved

    return moved(checked.came) if checked.came else checked.why


def _range(found, aliases: int) -> tuple[float, float]:
    point = found.point(aliases)
    return (point.low["response_ms"], point.high["response_ms"]) if point else (float("nan"), float("nan"))


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:3]]
    count, first = (*words, *(SITES, FIRST)[len(words) :])
    for number in range(first, first + count):
        print(judge(number), flush=True)
