"""What is measured: a directory, a limit, requesters, permits and loads; and everything that is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from slicewright.errors import problem, refusal

Load = Literal["no limit", "limit", "paced"]
"""Without a limit; under it with all requesters always asking; under it with a demand below it."""

LOADS: tuple[Load, ...] = get_args(Load)

PACE = 0.75
"""The demand of the paced load, as a share of the limit."""

RUNS = 5
"""Runs of each pair, which the interval of a live number is made from."""

READ_BYTES = 4096

LEAST_RUN_S, LONGEST_S = 0.3, 900.0
LIMITS_PER_S, MOST_REQUESTERS = (20.0, 1_000_000.0), 256


@dataclass(frozen=True)
class Plan:
    """A directory, reads a second, threads that read, permits, seconds for each pair of load and permits.

    >>> Plan(".").length_s
    54.0
    >>> len(Plan(".").pairs)
    18
    """

    folder: str
    limit_per_s: float = 3000.0
    requesters: int = 32
    depths: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    loads: tuple[Load, ...] = LOADS
    seconds: float = 3.0
    seed: int = 1

    @property
    def pairs(self) -> list[tuple[Load, int]]:
        """Load and permits of each pair, in the order in which they are shown."""
        return [(load, depth) for load in self.loads for depth in self.depths]

    @property
    def run_s(self) -> float:
        """How long one run is, in seconds."""
        return self.seconds / RUNS

    @property
    def length_s(self) -> float:
        """How long the threads of all pairs read, in seconds."""
        return self.seconds * len(self.pairs)

    @property
    def every_ms(self) -> float:
        """The mean time between the reads of one requester under the paced load."""
        return 1000 * self.requesters / (PACE * self.limit_per_s)

    def check(self) -> Plan:
        """The same plan; raises InputError with everything that is wrong with it.

        >>> Plan(".", requesters=0).check()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: requesters: 0 threads that read
        """
        problems = _problems(self)
        if problems:
            raise refusal(*problems)
        return self


def _problems(plan: Plan) -> list[dict[str, Any]]:
    found = []
    least, most = LIMITS_PER_S
    if not least <= plan.limit_per_s <= most:
        what = f"a limit of {plan.limit_per_s:.6g} reads a second"
        why = "a slice of a tenth of a second has to hold some reads"
        found.append(problem(what, key="limit", why=why, allowed=f"{least:g}/s to {most:g}/s"))
    if not 1 <= plan.requesters <= MOST_REQUESTERS:
        what = f"{plan.requesters} threads that read"
        found.append(problem(what, key="requesters", allowed=f"1 to {MOST_REQUESTERS}"))
    wrong = [depth for depth in plan.depths if not 1 <= depth <= max(plan.requesters, 1)]
    if wrong or not plan.depths:
        what = f"{', '.join(map(str, wrong)) or 'no number of'} permits for {plan.requesters} requesters"
        why = "more permits than requesters are never used"
        found.append(problem(what, key="depth", why=why, allowed=f"1 to {max(plan.requesters, 1)}"))
    if plan.seconds < RUNS * LEAST_RUN_S or plan.length_s > LONGEST_S:
        what = f"{plan.seconds:.4g} s for each pair, {plan.length_s:.4g} s in all"
        allowed = f"at least {RUNS * LEAST_RUN_S:.4g} s each, at most {LONGEST_S:.0f} s in all"
        found.append(problem(what, key="for", why=f"each pair is measured in {RUNS} runs", allowed=allowed))
    return found


def limit_of(text: str) -> float:
    """A limit in reads a second; raises InputError when it is none.

    >>> limit_of("3000/s"), limit_of("1500")
    (3000.0, 1500.0)
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*(?:/\s*s)?\s*", text)
    if not found:
        raise refusal(problem(f"not a limit: {text!r}", key="limit", allowed="reads a second: 3000/s"))
    return float(found[1])
