"""What is asked about yields: the options of `advise` as typed, and as checked, with every problem found at once.

It leaves out the scenario, and keys of it that are set: whoever reads it knows them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.question import AdviceOptions, check_format, growth_factor, refuse_limit_options
from slicewright.advise.target import Target, parse_target
from slicewright.advise.yields.yielding import MOST_PROCESSORS, YIELDS, Asked, parse
from slicewright.problems import Problem, nearest, problem, refusal

LEAST_PERCENT = 1.0
"""ASSUME: a difference in throughput of less than this is none; `--assume least=2%`."""
TARGETS = ("work_percent", "total_percent", "spinning_percent", "contended_percent", "wait_us", "ready")
"""What a condition can be put on: columns of the curve."""


@dataclass(frozen=True, slots=True)
class YieldQuestion:
    """The options after checking: yields and processors to show too, `growth` a factor (1 is none), keys to set.

    >>> asked = check(AdviceOptions(at=["6", "CLIENT x9c"], growth="20%", assume=["least=2%"]))
    >>> asked.at, asked.growth, asked.least_percent
    ((Asked(processors=6, yields=()), Asked(processors=None, yields=(('CLIENT', 'x9c'),))), 1.2, 2.0)
    """

    at: tuple[Asked, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    changes: tuple[str, ...] = ()
    least_percent: float = LEAST_PERCENT


def check(options: AdviceOptions) -> YieldQuestion:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions(assume=["virtual_machine.CLIENT.spin_retry=0"])).changes
    ('virtual_machine.CLIENT.spin_retry=0',)
    """
    problems: list[Problem] = []
    at = tuple(found for text in options.at if (found := _asked(str(text), problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, TARGETS) if options.target is not None else None
    least, changes = _assumed(options.assume, problems)
    given = {
        "pool": (bool(options.pool), "it says who shares aliases"),
        "pool-listing": (options.pool_listing is not None, "it says who shares aliases"),
        "slices": (options.slices is not None, "it says how partitions share processors"),
        "share": (bool(options.share), "it says how partitions share processors"),
    }
    for key, (there, why) in given.items():
        if there:
            problems.append(problem("says nothing about yields", key=key, why=why))
    check_format(options.format, problems)
    refuse_limit_options(options, "yields", problems)
    if problems:
        raise refusal(*problems)
    return YieldQuestion(at, growth, target, changes, least)


def _asked(text: str, problems: list[Problem]) -> Asked | None:
    found = parse(text)
    if found is None:
        why = "a number alone is one of logical processors, a yield alone is that of every kind of virtual machine"
        allowed = f"1 to {MOST_PROCESSORS} processors, never, x44, x9c, sense-running, or by kind: 'CLIENT x9c'"
        near = nearest(text.split()[-1] if text.split() else "", YIELDS)
        what = f"neither processors nor yields: {text}"
        problems.append(problem(what, key="at", why=why, allowed=allowed, nearest=near))
    return found


def _assumed(texts: Sequence[str], problems: list[Problem]) -> tuple[float, tuple[str, ...]]:
    """What counts as a difference, and keys of the scenario, as for `--set`."""
    least, changes = LEAST_PERCENT, []
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if key == "least":
            found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]*)?|\.[0-9]+)\s*%", value.strip('"'))
            if found is None or float(found[1]) > 100:
                allowed = "a share, 0 % to 100 %: 1 %"
                problems.append(problem(f"not a value of least: {value}", key="assume", allowed=allowed))
            else:
                least = float(found[1])
        elif not equals or "." not in key:
            allowed = "least=1%, or a key of the scenario: virtual_machine.CLIENT.spin_retry=0"
            problems.append(problem(f"nothing to assume of yields: {text}", key="assume", allowed=allowed))
        else:
            changes.append(text)
    return least, tuple(changes)
