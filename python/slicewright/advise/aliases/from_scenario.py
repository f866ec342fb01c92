"""An answer from a scenario: its load is given, so there is one reading, and the curve is its own.

It leaves out judging the scenario: `explain` says where its numbers are from.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from slicewright._core import Scenario
from slicewright.advise.aliases.answer import Answer, Estimate, Now, ReadingLine
from slicewright.advise.aliases.comparison import compare
from slicewright.advise.aliases.curve import Curve
from slicewright.advise.aliases.laboratory import CURVE_IOS, plan_for
from slicewright.advise.aliases.question import Question
from slicewright.advise.scenario_text import Plan
from slicewright.advise.simulation import Sample, simulate
from slicewright.advise.source import doubts
from slicewright.problems import problem, refusal
from slicewright.text import plural

REPLICATIONS = 10
TRIAL = Plan(0.5, 0.1, 2)
MANY = 4096


@dataclass(frozen=True, slots=True)
class _Pool:
    """What may have more aliases in a scenario: a pool, or a classic volume; `key` is the path of its count."""

    name: str
    key: str
    aliases: int
    volumes: tuple[str, ...]
    classic: bool


def answer_scenario(text: bytes, file: str, question: Question) -> list[Answer]:
    """An answer per pool and per volume with aliases of its own; raises InputError for a scenario with neither.

    Changes are left out: the curve is that of the machine as it was built.

    >>> from slicewright.advise.aliases.example import case, load
    >>> from slicewright.advise.scenario_text import scenario_text
    >>> text = scenario_text(load(), 0, TRIAL, case().sources)
    >>> (found,) = answer_scenario(text.encode(), "guess.toml", Question())
    >>> found.pool, found.recommendation.aliases
    ('pool-522A', 2)
    """
    wrong = [
        problem(f"says nothing about a scenario: --{name}", file=file, key=name, why=why)
        for name, why, given in (
            ("growth", "a scenario's demand is in its guests: use run --set", question.growth != 1),
            ("pool", "a scenario names its pools", bool(question.pools)),
        )
        if given
    ]
    scenario = Scenario.read(text, file)
    resolved = scenario.resolved
    world = tomllib.loads(resolved)
    pools = _pools(world)
    if not pools:
        allowed = "[[alias_pool]] with volumes that refer to it, or a volume with aliases = 0 or more"
        wrong.append(problem("no pool and no volume with aliases to advise on", file=file, allowed=allowed))
    why = "a curve asks what other numbers of aliases do over a time of its own; a recording has one time"
    allowed = "count = a number of guests, arrivals = a rate"
    wrong += [
        problem(
            "recorded arrivals cannot be advised on",
            file=file,
            key=f"guest {one['name']}: replay",
            why=why,
            allowed=allowed,
        )
        for one in world.get("guest", [])
        if "replay" in one
    ]
    if wrong:
        raise refusal(*wrong)
    changed = ("what changes while it runs is left out: advice is on the machine as built",) * ("change" in world)
    caveats = (*changed, *doubts(scenario))
    return [_answer(_steady(resolved), file, pool, question, caveats) for pool in pools]


def _steady(resolved: str) -> str:
    """The scenario without its changes, and with its aliases numbered anew so that any number of them finds room."""
    kept, changing = [], False
    for line in resolved.splitlines():
        if line.startswith("["):
            changing = line == "[[change]]"
        if not changing and not line.startswith("first_alias = "):
            kept.append(line)
    return "\n".join(kept) + "\n"


def _pools(world: dict[str, Any]) -> list[_Pool]:
    volumes = world.get("volume", [])
    pools = []
    for one in world.get("alias_pool", []):
        members = tuple(volume["name"] for volume in volumes if volume.get("alias_pool") == one["name"])
        if members:
            pools.append(_Pool(one["name"], f"alias_pool.{one['name']}.aliases", one["aliases"], members, False))
    for one in volumes:
        if "aliases" in one:
            pools.append(_Pool(one["name"], f"volume.{one['name']}.aliases", one["aliases"], (one["name"],), True))
    return pools


def _answer(text: str, file: str, pool: _Pool, question: Question, caveats: tuple[str, ...]) -> Answer:
    trial = _run(text, pool, pool.aliases, TRIAL)
    rate = float(trial.pooled("io_per_s").mean())
    plan = plan_for(2 * rate, 2000 * len(pool.volumes) / max(rate, 1e-6), CURVE_IOS, REPLICATIONS)
    curve = Curve("given", lambda aliases: _run(text, pool, aliases, plan), _unlimited(text, pool))
    here = curve.means(pool.aliases)
    served = here["io_per_s"] * here["service_ms"] / 1000
    now = Now(pool.aliases, here["io_per_s"], here["response_ms"], here["service_ms"], here["queue_depth"], served)
    estimate = Estimate(pool.aliases, round(here["queue_depth"], 2))
    found = compare([curve], question, pool.aliases, estimate.aliases)
    line = ReadingLine("given", "as the scenario has it", "given", None, None, True, None, knee=found.knees[0].aliases)
    clear = () if found.knees[0].clear else ("noise leaves the knee uncertain by one alias",)
    aliases = plural(pool.aliases, "alias", "aliases")
    return Answer(
        files=(file,),
        heading=f"{file}  scenario, simulated with {aliases}: {here['io_per_s']:,.0f} I/O/s",
        pool=pool.name, single=pool.classic, now=now, recommendation=found.recommendation, estimate=estimate,
        curve=found.points, readings=(line,), facts=("the load is given by the scenario: one reading",),
        caveats=("where the scenario's numbers are from: slicewright explain", *caveats, *clear), at=question.at,
        target=found.target, knee_percent=question.assumed.knee_percent,
    )  # fmt: skip


def _run(text: str, pool: _Pool, aliases: int, plan: Plan) -> Sample:
    changes = [f"{pool.key}={aliases}", f'measure.interval="{plan.interval_s} s"', "measure.intervals=1"]
    changes += [f'measure.sample="{plan.sample_s} s"', f'measure.warm_up="{plan.warm_up_s} s"']
    return simulate(text, changes, pool.volumes, plan)


def _unlimited(text: str, pool: _Pool) -> int:
    """Twice the most aliases in use at once when there are far more than anybody needs; for a volume, by its guests."""
    guests = [one.get("count", 0) for one in tomllib.loads(text).get("guest", [])]
    closed = sum(guests) if all(guests) else MANY
    if pool.classic:
        return max(1, min(closed, 256))
    used = _run(text, pool, min(MANY, 2 * closed), TRIAL).most_used
    return max(1, 2 * used if used else min(MANY, closed))
