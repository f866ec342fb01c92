"""A scenario file with what is changed of it: what is assumed, how much more of everybody, how long is looked; and that
it is one.

It leaves out what a question is about, settings or yields: a laboratory changes those.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright._core import InputError, Scenario
from slicewright.advise.about import is_scenario
from slicewright.advise.scenario_text import Plan
from slicewright.numerals import in_scenario
from slicewright.problems import problem, refusal, sentence


@dataclass(frozen=True, slots=True)
class Source:
    """A scenario file with what is changed of it: keys as `--set` has them; `grown` says what growth came to.

    >>> Source(b"", "a.toml", ()).grown
    ()
    """

    data: bytes
    file: str
    changes: tuple[str, ...]
    grown: tuple[str, ...] = ()


def one_scenario(named: Sequence[tuple[str, bytes]], why: str, allowed: str) -> tuple[str, bytes]:
    """The one scenario of these files (name, content); raises InputError for pages, which say too little, and for two.

    >>> one_scenario([("a.txt", b"FCX108")], "it does not say", "one scenario")
    Traceback (most recent call last):
    _core.InputError: ...
    """
    pages = [name for name, data in named if not is_scenario(name, data)]
    if pages:
        raise refusal(*(problem("no scenario", file=name, why=why, allowed=allowed) for name in pages))
    if len(named) > 1:
        raise refusal(problem("a second scenario", file=named[1][0], allowed=allowed))
    return named[0]


def read_assumed(data: bytes, file: str, changes: Sequence[str]) -> Scenario:
    """The scenario with what is assumed; what is wrong with that is told of the option that said it.

    >>> from slicewright._core import starter
    >>> read_assumed(starter("zvm").encode(), "zvm.toml", ["cec.processors=9"]).name
    'A z/VM partition'
    """
    try:
        return Scenario.read(data, file, list(changes))
    except InputError as error:
        told = [{**one, "file": "--assume"} if one["file"] == "--set" else one for one in error.problems]
        raise refusal(*told) from None


def grown_source(data: bytes, file: str, changes: Sequence[str], factor: float) -> Source:
    """The file with what is assumed and more of everybody; raises InputError where that is no scenario any more.

    >>> from slicewright._core import starter
    >>> grown_source(starter("zvm").encode(), "zvm.toml", [], 1.0).changes
    ()
    """
    more, grown = growth(read_assumed(data, file, changes).resolved, factor)
    source = Source(data, file, (*changes, *more), grown)
    read_assumed(data, file, source.changes)
    return source


def doubts(scenario: Scenario) -> tuple[str, ...]:
    """What a reader of advice on a scenario has to know of it: what its arrivals ask too much of, for one.

    >>> from slicewright._core import starter
    >>> doubts(read_assumed(starter("mm1").encode(), "mm1.toml", ['guest.USERS.arrivals="1300/s"']))
    ('volume DISK: arrivals ask for 130 % of what it can do: ...',)
    """
    return tuple(sentence(warning) for warning in scenario.warnings)


def growth(resolved: str, factor: float) -> tuple[list[str], tuple[str, ...]]:
    """More of everybody, as `--set` has it, and what it comes to: virtual machines with their guests, other guests.

    Counts and arrival rates are scaled, and rounded; guests of virtual machines grow as those do, where those grow.

    >>> machines = '[[virtual_machine]]\\nname = "A"\\ncount = 4\\n'
    >>> growth(machines + '[[guest]]\\nname = "G"\\nvirtual_machine = "A"\\ncount = 8', 1.5)
    (['virtual_machine.A.count=6', 'guest.G.count=12'], ('A 4 -> 6',))
    """
    if factor == 1:
        return [], ()
    world = tomllib.loads(resolved)
    changes, said = [], []
    scales: dict[str, float] = {}
    for one in world.get("virtual_machine", []):
        before = int(one["count"])
        after = _rounded(before * factor)
        scales[one["name"]] = after / before if after != before else factor
        changes.append(f"virtual_machine.{one['name']}.count={after}")
        said.append(f"{one['name']} {before} -> {after}")
    for one in world.get("guest", []):
        scale = scales.get(one.get("virtual_machine", ""), factor)
        if "count" in one:
            changes.append(f"guest.{one['name']}.count={_rounded(int(one['count']) * scale)}")
        rate = re.fullmatch(r"([0-9.]+)\s*/\s*(s|min|h)", str(one.get("arrivals", "")))
        if rate:
            changes.append(f'guest.{one["name"]}.arrivals="{in_scenario(float(rate[1]) * scale)}/{rate[2]}"')
    return changes, tuple(said)


def measured(plan: Plan, replications: int) -> list[str]:
    """How long is looked, as `--set` has it.

    >>> measured(Plan(20.0, 10.0, 5), 5)[0]
    'measure.interval="20 s"'
    """
    return [
        f'measure.interval="{in_scenario(plan.interval_s)} s"', "measure.intervals=1",
        f'measure.sample="{in_scenario(plan.sample_s)} s"', f'measure.warm_up="{in_scenario(plan.warm_up_s)} s"',
        f"measure.replications={replications}",
    ]  # fmt: skip


def _rounded(count: float) -> int:
    return max(1, math.floor(count + 0.5))
