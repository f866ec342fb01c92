"""What is asked about yields: the options of `advise` as typed, and as checked, with every problem found at once."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.advise.assumptions import settings_of
from slicewright.advise.options import AdviceOptions, check_format, growth_factor, refuse_others
from slicewright.advise.target import Target, parse_target
from slicewright.advise.yields.yielding import MOST_PROCESSORS, YIELDS, Asked, parse
from slicewright.errors import Problem, nearest, problem, refusal

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
    knobs = {"least": LEAST_PERCENT}
    changes = settings_of(options.assume, knobs, "virtual_machine.CLIENT.spin_retry=0", problems)
    refuse_others(options, "yields", problems)
    check_format(options.format, problems)
    if problems:
        raise refusal(*problems)
    return YieldQuestion(at, growth, target, changes, knobs["least"])


def _asked(text: str, problems: list[Problem]) -> Asked | None:
    found = parse(text)
    if found is None:
        why = "a number alone is one of logical processors, a yield alone is that of every kind of virtual machine"
        allowed = f"1 to {MOST_PROCESSORS} processors, never, x44, x9c, sense-running, or by kind: 'CLIENT x9c'"
        near = nearest(text.split()[-1] if text.split() else "", YIELDS)
        what = f"neither processors nor yields: {text}"
        problems.append(problem(what, key="at", why=why, allowed=allowed, nearest=near))
    return found
