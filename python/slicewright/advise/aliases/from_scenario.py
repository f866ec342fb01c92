"""An answer from a scenario: its load is given, so there is one reading, and the curve is its own."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.advise.aliases.answer import Answer, Estimate, Now, ReadingLine
from slicewright.advise.aliases.comparison import compare
from slicewright.advise.aliases.curve import Curve
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.sample import Sample, simulate
from slicewright.advise.aliases.simulations import CURVE_IOS, plan_for
from slicewright.advise.aliases.volumes import simulated_lines
from slicewright.advise.source import doubts, recorded
from slicewright.errors import problem, refusal
from slicewright.experiment.plan import Plan
from slicewright.scenario.view import View
from slicewright.statistics import plural

REPLICATIONS = 10
TRIAL = Plan(0.5, 0.1, 2)
MANY = 4096
COMPARED = "the curve simulates other numbers of aliases over a time of its own; a recording covers a fixed time"
"""Why recorded arrivals are refused."""
UNDOCUMENTED = "the use of a freed alias is undocumented, and the scenario leaves the default: it goes back to its pool"


@dataclass(frozen=True, slots=True)
class _Pool:
    """What may have more aliases in a scenario: a pool, or a classic volume; `key` is the path of its count."""

    name: str
    key: str
    aliases: int
    volumes: tuple[str, ...]
    classic: bool

    @property
    def redispatch(self) -> str:
        """The path of the rule for a freed alias."""
        return f"{self.key.removesuffix('aliases')}redispatch"


def answer_scenario(text: bytes, file: str, question: AliasRequest) -> list[Answer]:
    """An answer per pool and per volume with aliases of its own; raises InputError for a scenario with neither.

    Changes are omitted: the curve is that of the machine as it was built.

    >>> from slicewright.advise.aliases.example import case, load
    >>> from slicewright.advise.aliases.scenario_text import scenario_text
    >>> text = scenario_text(load(), 0, TRIAL, case().sources)
    >>> (found,) = answer_scenario(text.encode(), "guess.toml", AliasRequest())
    >>> found.pool, found.recommendation.aliases
    ('pool-522A', 2)
    """
    wrong = [
        problem(f"does not apply to a scenario: --{name}", file=file, key=name, why=why)
        for name, why, given in (
            ("growth", "the guests of a scenario give its demand: use run --set", question.growth != 1),
            ("pool", "a scenario names its pools", bool(question.pools)),
        )
        if given
    ]
    scenario = Scenario.read(text, file)
    pools = _pools(scenario.view)
    if not pools:
        allowed = "[[alias_pool]] with volumes that refer to it, or a volume with aliases = 0 or more"
        wrong.append(problem("no pool and no volume with aliases to advise on", file=file, allowed=allowed))
    wrong += recorded(scenario.view, file, COMPARED)
    if wrong:
        raise refusal(*wrong)
    changed = "changes during the run are ignored: advice is for the machine as defined"
    caveats = (*((changed,) if scenario.view.changes else ()), *doubts(scenario))
    # Numbered anew, so that any number of aliases finds room.
    undecided = [pool for pool in pools if scenario.given(pool.redispatch) == "default"]
    steady = scenario.with_({"change": None, "alias_pool.*.first_alias": None, "volume.*.first_alias": None})
    return [
        _answer(steady, file, pool, question, (*caveats, UNDOCUMENTED) if pool in undecided else caveats)
        for pool in pools
    ]


def _pools(view: View) -> list[_Pool]:
    pools = []
    for pool in view.alias_pools:
        members = tuple(volume.name for volume in view.volumes if volume.alias_pool == pool.name)
        if members:
            pools.append(_Pool(pool.name, f"alias_pool.{pool.name}.aliases", pool.aliases, members, False))
    for volume in view.volumes:
        if volume.aliases is not None:
            pools.append(_Pool(volume.name, f"volume.{volume.name}.aliases", volume.aliases, (volume.name,), True))
    return pools


def _answer(scenario: Scenario, file: str, pool: _Pool, question: AliasRequest, caveats: tuple[str, ...]) -> Answer:
    trial = _run(scenario, pool, pool.aliases, TRIAL)
    rate = float(trial.pooled("io_per_s").mean())
    plan = plan_for(2 * rate, 2000 * len(pool.volumes) / max(rate, 1e-6), CURVE_IOS, REPLICATIONS)
    curve = Curve("given", lambda aliases: _run(scenario, pool, aliases, plan), _unlimited(scenario, pool))
    here = curve.means(pool.aliases)
    served = here["io_per_s"] * here["service_ms"] / 1000
    now = Now(pool.aliases, here["io_per_s"], here["response_ms"], here["service_ms"], here["queue_depth"], served)
    estimate = Estimate(pool.aliases, round(here["queue_depth"], 2))
    found = compare([curve], question, (pool.aliases, estimate.aliases), 0.0)
    line = ReadingLine("given", "as the scenario has it", "given", None, None, True, None, knee=found.knees[0].aliases)
    clear = () if found.knees[0].clear else ("noise leaves the knee uncertain by one alias",)
    aliases = plural(pool.aliases, "alias", "aliases")
    return Answer(
        files=(file,),
        heading=f"{file}  scenario, simulated with {aliases}: {here['io_per_s']:,.0f} I/O/s",
        pool=pool.name, single=pool.classic, now=now, recommendation=found.recommendation, estimate=estimate,
        curve=found.points, readings=(line,), facts=("the scenario gives the load: one reading",),
        caveats=("slicewright explain lists the sources of the scenario's numbers", *caveats, *clear), at=question.at,
        target=found.target, knee_percent=question.assumed.knee_percent,
        volumes=simulated_lines(pool.volumes, curve, pool.aliases, found.recommendation.aliases),
    )  # fmt: skip


def _run(scenario: Scenario, pool: _Pool, aliases: int, plan: Plan) -> Sample:
    return simulate(scenario.with_({pool.key: aliases, **plan.keys()}), pool.volumes)


def _unlimited(scenario: Scenario, pool: _Pool) -> int:
    """Twice the most aliases in use at once when more than enough are present; for a volume, by its guests."""
    guests = [guest.count or 0 for guest in scenario.view.guests]
    closed = sum(guests) if all(guests) else MANY
    if pool.classic:
        return max(1, min(closed, 256))
    used = _run(scenario, pool, min(MANY, 2 * closed), TRIAL).most_used
    return max(1, 2 * used if used else min(MANY, closed))
