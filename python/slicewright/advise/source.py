"""A scenario file: that it is one, with growth, and what makes its numbers doubtful."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slicewright._core import InputError, Scenario
from slicewright.values.errors import Problem, problem, refusal, sentence

if TYPE_CHECKING:
    from slicewright.scenario.view import View


DEVICE = b"FCX108"
"""In every DEVICE page: such a file is read as one, whatever else is in it."""


def is_scenario(name: str, data: bytes) -> bool:
    """Whether a file is a scenario, by its name or by its tables.

    >>> is_scenario("-", b"[[volume]]"), is_scenario("a.txt", b"FCX108")
    (True, False)
    """
    if name.endswith(".toml"):
        return True
    return (
        DEVICE not in data and re.search(rb"^[ \t]*\[\[[ \t]*(volume|guest)[ \t]*\]\]", data, re.MULTILINE) is not None
    )


def doubts(scenario: Scenario) -> tuple[str, ...]:
    """What a reader of advice on a scenario has to know of it: what its arrivals ask too much of, for one.

    >>> from slicewright.scenario.starters import read_starter
    >>> doubts(read_starter("mm1").with_(['guest.USERS.arrivals="1300/s"']))
    ('volume DISK: arrivals ask for 130 % of what it can do: ...',)
    """
    return tuple(sentence(warning) for warning in scenario.warnings)


def grown(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with the demand times `factor`; a problem with that is one of `--growth`; raises InputError.

    >>> from slicewright.scenario.starters import read_starter
    >>> grown(read_starter("mm1"), 2).view.guests[0].arrivals_per_s
    1000.0
    """
    try:
        return scenario.grown(factor)
    except InputError as error:
        raise refusal(*({**problem, "file": "--growth"} for problem in error.problems)) from None


def recorded(view: View, file: str, why: str) -> list[Problem]:
    """A problem for each guest with recorded arrivals, which no answer can be about.

    >>> from slicewright.scenario.starters import read_starter
    >>> recorded(read_starter("mm1").view, "mm1.toml", "")
    []
    """
    what, allowed = "recorded arrivals cannot be changed by advise", "count = a number of guests, arrivals = a rate"
    return [problem(what, file=file, key=f"guest {name}: replay", why=why, allowed=allowed) for name in view.replayed]
