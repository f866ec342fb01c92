"""A scenario file: that it is one, with what is assumed of it, with growth, and what makes its numbers doubtful."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright._core import InputError, Scenario
from slicewright.advise.assumptions import without_effect
from slicewright.values.errors import Problem, problem, refusal, sentence

if TYPE_CHECKING:
    from slicewright.scenario.view import View


@dataclass(frozen=True, slots=True)
class _Source:
    """A scenario with its assumptions, and its file; `grown` has the counts after growth."""

    scenario: Scenario
    file: str
    grown: tuple[str, ...] = ()


def is_scenario(name: str, data: bytes) -> bool:
    """Whether a file is a scenario, by its name or by its tables.

    >>> is_scenario("-", b"[[volume]]"), is_scenario("a.txt", b"FCX108")
    (True, False)
    """
    if name.endswith(".toml"):
        return True
    return (
        b"FCX108" not in data
        and re.search(rb"^[ \t]*\[\[[ \t]*(volume|guest)[ \t]*\]\]", data, re.MULTILINE) is not None
    )


def one_scenario(files: Sequence[tuple[str, bytes]], why: str, allowed: str) -> tuple[str, bytes]:
    """The one scenario of these files (name, content); raises InputError for pages, which say too little, and for two.

    >>> one_scenario([("a.txt", b"FCX108")], "it does not say", "one scenario")
    Traceback (most recent call last):
    _core.InputError: ...
    """
    pages = [name for name, data in files if not is_scenario(name, data)]
    if pages:
        raise refusal(*(problem("no scenario", file=name, why=why, allowed=allowed) for name in pages))
    if len(files) > 1:
        raise refusal(problem("a second scenario", file=files[1][0], allowed=allowed))
    return files[0]


def read_assumed(data: bytes, file: str, changes: Sequence[str]) -> Scenario:
    """The scenario with its assumptions; a problem in one names the option that gave it.

    >>> from slicewright._core import starter
    >>> read_assumed(starter("zvm").encode(), "zvm.toml", ["cec.processors=9"]).name
    'A z/VM partition'
    """
    try:
        return Scenario.read(data, file, list(changes))
    except InputError as error:
        renamed = [
            {**problem, "file": "--assume"} if problem["file"] == "--set" else problem for problem in error.problems
        ]
        raise refusal(*renamed) from None


def refuse_idle(scenario: Scenario, data: bytes, file: str, changes: Sequence[str]) -> None:
    """Refuse assumptions without which the scenario would be the same; raises InputError.

    >>> from slicewright._core import starter
    >>> data = starter("zvm").encode()
    >>> refuse_idle(read_assumed(data, "a.toml", ["cec.processors=8"]), data, "a.toml", ["cec.processors=8"])
    Traceback (most recent call last):
    _core.InputError: ...
    """
    problems = []
    for at, change in enumerate(changes):
        others = [*changes[:at], *changes[at + 1 :]]
        try:
            same = Scenario.read(data, file, others).view == scenario.view
        except InputError:  # without it the scenario is wrong, so it changes something
            continue
        if same:
            problems.append(without_effect(change, "the scenario has this value already", file))
    if problems:
        raise refusal(*problems)


def grown_source(scenario: Scenario, file: str, factor: float) -> _Source:
    """The scenario of a file with the demand times `factor`; raises InputError beyond what the language takes.

    >>> from slicewright.scenario.starters import read_starter
    >>> grown_source(read_starter("zvm"), "zvm.toml", 1.5).grown
    ('SERVER 4 -> 6', 'CMS 50 -> 75')
    """
    more = grown(scenario, factor)
    if factor == 1:
        return _Source(more, file)
    kinds = zip(scenario.view.virtual_machines, more.view.virtual_machines, strict=True)
    return _Source(more, file, tuple(f"{before.name} {before.count} -> {after.count}" for before, after in kinds))


def doubts(scenario: Scenario) -> tuple[str, ...]:
    """What a reader of advice on a scenario has to know of it: what its arrivals ask too much of, for one.

    >>> from slicewright._core import starter
    >>> doubts(read_assumed(starter("mm1").encode(), "mm1.toml", ['guest.USERS.arrivals="1300/s"']))
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
