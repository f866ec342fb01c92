"""How often ranges of advice contain the truth of simulated sites: the form of a judged site, and the table."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

SITES, FIRST = 300, 100
"""Sites that are judged, and the first of them; methods are changed while looking at sites 0 to 59 only."""
POINTS = 3
"""Points of a curve that are looked up beside the recommendation."""
SILENT = "none"
"""The recommendation of a site that gets none."""

P = TypeVar("P")


@dataclass(frozen=True)
class Found:
    """A site: by measure and point whether the range contains the truth, and widths as the ratio of the ends."""

    number: int
    kind: str
    recommendation: str
    held: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    widths: tuple[float, ...] = ()
    excess: Mapping[str, float] = field(default_factory=dict)
    """By rule, how much slower than the best its choice is in truth, in percent."""

    @property
    def silent(self) -> bool:
        """Whether there was no recommendation."""
        return not self.held

    @property
    def every(self) -> tuple[bool, ...]:
        """Whether the range contains the truth, over all measures."""
        return tuple(holds for held in self.held.values() for holds in held)


def spread(points: Sequence[P]) -> list[P]:
    """A few of these, evenly spread from the first to the last."""
    last = len(points) - 1
    return [points[at] for at in sorted({round(at * last / (POINTS - 1)) for at in range(POINTS)})] if points else []


def judged(judge: Callable[[int], P | None], numbers: Iterable[int]) -> list[P]:
    """The sites of these numbers that have something to advise on, judged on all processors.

    Processes are started anew: one that is forked from a process with threads may wait for a lock for ever.
    """
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as workers:
        return [site for site in workers.map(judge, numbers) if site is not None]


def table(kinds: Sequence[str], sites: Sequence[Found]) -> Iterable[str]:
    """The lines of the table: a row for each kind of site and one for all, a column for each measure."""
    measures = list(dict.fromkeys(name for site in sites for name in site.held))
    heads = [f"{name}, %" for name in (*measures, *(["all"] if len(measures) > 1 else []))]
    yield (
        f"{'site':18}{'sites':>7}{'no answer':>11}{'points':>8}"
        + "".join(f"{head:>14}" for head in heads)
        + (f"{'width, median':>15}")
    )
    for kind in (*kinds, "all"):
        own = [site for site in sites if kind in ("all", site.kind)]
        by_measure = [[holds for site in own for holds in site.held.get(name, ())] for name in measures]
        if not any(by_measure):
            continue
        every = [holds for held in by_measure for holds in held]
        shares = [share(held) for held in (*by_measure, *([every] if len(measures) > 1 else []))]
        silent, points = sum(site.silent for site in own), sum(len(site.widths) for site in own)
        yield (
            f"{kind:18}{len(own):7}{silent:11}{points:8}"
            + "".join(f"{'-':>14}" if value is None else f"{value:14.1f}" for value in shares)
            + (f"{median(width for site in own for width in site.widths):15.2f}")
        )


WORSE = 20.0
"""An excess above which following a rule was no good, in percent."""


def regret(kinds: Sequence[str], sites: Sequence[Found]) -> Iterable[str]:
    """The lines of a second table: what following each rule costs in truth, by kind of site and over all."""
    rules = list(dict.fromkeys(name for site in sites for name in site.excess))
    if not rules:
        return
    yield f"{'over the best, %':18}" + "".join(f"{rule:>36}" for rule in rules)
    yield f"{'':18}" + f"{'sites':>9}{'median':>9}{'worst':>9}{f'> {WORSE:g}':>9}" * len(rules)
    for kind in (*kinds, "all"):
        own = [site for site in sites if kind in ("all", site.kind)]
        line = f"{kind:18}"
        for rule in rules:
            found = [site.excess[rule] for site in own if rule in site.excess]
            worse = sum(value > WORSE for value in found)
            line += f"{len(found):9}{median(found):9.1f}{max(found):9.1f}{worse:9}" if found else f"{0:9}{'':27}"
        yield line


def share(held: Sequence[bool]) -> float | None:
    """How many of these are true, in percent; None of none."""
    return 100 * sum(held) / len(held) if held else None


def numbers(count: int, first: int) -> tuple[int, int]:
    """How many sites the command line asks for, and the first of them."""
    words = [int(word) for word in sys.argv[1:3]]
    count, first = (*words, *(count, first)[len(words) :])
    return count, first


def main(judge: Callable[[int], Found | None], kinds: Sequence[str]) -> None:
    """Judge sites, as many as the first argument says, from the second on, and print misses and the table."""
    count, first = numbers(SITES, FIRST)
    found = judged(judge, range(first, first + count))
    for site in found:
        if site.silent or not all(site.every) or any(value > WORSE for value in site.excess.values()):
            excess = ", ".join(f"{rule} {value:.0f} %" for rule, value in site.excess.items())
            print(f"site {site.number}, {site.kind}: {site.recommendation}, held {dict(site.held)}; {excess}")
    print("\n".join([*table(kinds, found), *regret(kinds, found)]))
