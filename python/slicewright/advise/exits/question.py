"""What is asked about exits: the options of `advise` as typed, and as checked, with every problem found at once."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.advise.assumptions import settings_of
from slicewright.advise.exits.structures import SHORT, parse
from slicewright.advise.options import AdviceOptions, check_format, growth_factor, refuse_others
from slicewright.advise.target import Target, parse_target
from slicewright.errors import Problem, nearest, problem, refusal

LEAST_PERCENT = 1.0
"""ASSUME: a difference in processor time of less than this is none; `--assume least=2%`."""
TARGETS = ("cpu_percent", "cpu_us_per_pair", "elapsed_us_per_pair", "lock_held_percent", "lock_wait_us", "pairs_per_s")
"""What a condition can be put on: columns of the table."""


@dataclass(frozen=True, slots=True)
class ExitQuestion:
    """The options after checking: structures asked for, `growth` a factor (1 is none), keys to set.

    >>> asked = check(AdviceOptions(at=["single area"], growth="20%", assume=["least=2%"]))
    >>> asked.at, asked.growth, asked.least_percent
    (('prebatch-single-area',), 1.2, 2.0)
    """

    at: tuple[str, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    changes: tuple[str, ...] = ()
    least_percent: float = LEAST_PERCENT


def check(options: AdviceOptions) -> ExitQuestion:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions(assume=['serialization.exits="batch"'])).changes
    ('serialization.exits="batch"',)
    """
    problems: list[Problem] = []
    at = tuple(found for text in options.at if (found := _asked(str(text), problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, TARGETS) if options.target is not None else None
    knobs = {"least": LEAST_PERCENT}
    changes = settings_of(options.assume, knobs, 'serialization.answer="2 ms"', problems)
    refuse_others(options, "exits", problems)
    check_format(options.format, problems)
    if problems:
        raise refusal(*problems)
    return ExitQuestion(at, growth, target, changes, knobs["least"])


def _asked(text: str, problems: list[Problem]) -> str | None:
    found = parse(text)
    if found is None:
        known = list(SHORT.values())
        near = nearest(text.lower(), known)
        problems.append(problem(f"no way through exits: {text}", key="at", allowed=", ".join(known), nearest=near))
    return found
