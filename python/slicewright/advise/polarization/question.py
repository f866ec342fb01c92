"""What is asked about polarization: the options of `advise` as typed, and as checked, with every problem found at once.

It leaves out the scenario, and keys of it that are set: whoever reads it knows them.
"""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.advise.assumptions import settings_of
from slicewright.advise.options import AdviceOptions, check_format, growth_factor, refuse_others
from slicewright.advise.polarization.setting import Wanted, parse
from slicewright.advise.target import Target, parse_target
from slicewright.errors import Problem, nearest, problem, refusal

LOSS_PERCENT = 1.0
"""ASSUME: a difference in work, or in processor time, of less than this is none; `--assume loss=2%`."""
WAIT_PERCENT = 10.0
"""ASSUME: so much more wait for a processor, of the time that guests run, is too much; `--assume wait=20%`."""
TARGETS = ("work_percent", "total_percent", "tv_ratio", "unparked", "ready")
"""What a condition can be put on: columns of the curve."""


@dataclass(frozen=True, slots=True)
class PolarizationQuestion:
    """The options after checking: settings to show too, `growth` a factor (1 is none), keys of the scenario to set.

    >>> asked = check(AdviceOptions(at=["horizontal", "6"], growth="20%", assume=["loss=2%"]))
    >>> asked.at, asked.growth, asked.loss_percent
    (((('polarization', 'horizontal'),), (('processors', 6),)), 1.2, 2.0)
    """

    at: tuple[Wanted, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    changes: tuple[str, ...] = ()
    loss_percent: float = LOSS_PERCENT
    wait_percent: float = WAIT_PERCENT


def check(options: AdviceOptions) -> PolarizationQuestion:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions(assume=['cec.machine="z10"'])).changes
    ('cec.machine="z10"',)
    """
    problems: list[Problem] = []
    at = tuple(found for text in options.at if (found := _setting(str(text), problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, TARGETS) if options.target is not None else None
    knobs = {"loss": LOSS_PERCENT, "wait": WAIT_PERCENT}
    changes = settings_of(options.assume, knobs, 'cec.machine="z10"', problems)
    refuse_others(options, "polarization", problems)
    check_format(options.format, problems)
    if problems:
        raise refusal(*problems)
    return PolarizationQuestion(at, growth, target, changes, knobs["loss"], knobs["wait"])


def _setting(text: str, problems: list[Problem]) -> Wanted | None:
    found = parse(text)
    if found is None:
        why = "a number alone is one of logical processors, one with % a CPUPAD"
        allowed = (
            "horizontal, 'vertical rebalance', 'CPUPAD 300 %', 'UNPARKING SMALL', 6, or several: 'rebalance, 300 %, 6'"
        )
        near = nearest(text, ("horizontal", "vertical", "rebalance", "reshuffle", "CPUPAD", "UNPARKING"))
        problems.append(problem(f"not a setting: {text}", key="at", why=why, allowed=allowed, nearest=near))
    return found
