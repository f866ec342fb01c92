"""An answer from a scenario: its load is given, or was fitted, and then its readings are simulated too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from slicewright._core import Scenario
from slicewright.advise.aliases.answer import Answer, Now, ReadingLine, RuleOfThumb, compare
from slicewright.advise.aliases.curve import Curve, simulated_lines
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.source import doubts, recorded
from slicewright.experiment import simulations
from slicewright.experiment.outcome import Table
from slicewright.experiment.plan import Plan
from slicewright.reading.accept import VALIDATED
from slicewright.reading.pool import (
    COLUMNS,
    CURVE_IOS,
    OTHER_IOS,
    OTHER_REPLICATIONS,
    Sample,
    plan_for,
    sample_of,
)
from slicewright.results import busiest
from slicewright.results.busiest import ALL_IO, Change, Machine, machine_of
from slicewright.scenario.left_open import AGAIN, FITTED, GIVEN, OLDER, LeftOpen
from slicewright.scenario.view import View
from slicewright.statistics import plural
from slicewright.values.errors import problem, refusal

_COLUMNS = {name: tuple(dict.fromkeys((*COLUMNS.get(name, ()), *columns))) for name, columns in busiest.COLUMNS.items()}
"""The columns that the curve of a pool and a picture of the whole machine need of the tables of a run."""

_REPLICATIONS = 10
_TRIAL = Plan(0.5, 0.1, 2)
_MANY = 4096
_COMPARED = "the curve simulates other numbers of aliases over a time of its own; a recording covers a fixed time"
"""Why recorded arrivals are refused."""
_NO_CHANNELS = "the scenario has no channels, so none fills up: nothing here is known of how busy they are"
_STEADY = {"change": None, "alias_pool.*.first_alias": None, "volume.*.first_alias": None}
"""Changes that leave a machine as it was built; aliases are numbered anew, so that any number finds room."""

_MORE = "intervals of the same load with another number of aliases, fitted together; the utilisation of the channels"
_PLAN = "relief of the resource that is named (another channel, less I/O), then the aliases: run --set changes both"
_UNDOCUMENTED = (
    "the use of a freed alias is undocumented, and the scenario leaves the default: it goes back to its pool"
)


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
    wrong += recorded(scenario.view, file, _COMPARED)
    if wrong:
        raise refusal(*wrong)
    changed = "changes during the run are ignored: advice is for the machine as defined"
    without = () if scenario.view.channels else (_NO_CHANNELS,)
    caveats = (*((changed,) if scenario.view.changes else ()), *without, *doubts(scenario))
    undecided = [pool for pool in pools if scenario.given(pool.redispatch) == "default"]
    found = LeftOpen.of(scenario)
    loads = {name: load.with_(_STEADY) for name, load in found.loads(scenario).items()}
    world = _World(file, question, found, text.startswith(FITTED) or found.fitted, loads)
    asked = [_asked(world, pool, (*caveats, _UNDOCUMENTED) if pool in undecided else caveats) for pool in pools]
    together = _Together(world.main, asked)
    return [_judged(each, together) for each in asked]


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


@dataclass(frozen=True, slots=True)
class _World:
    """The question about a scenario: the loads that it may have by name, the main one first, steady."""

    file: str
    question: AliasRequest
    left_open: LeftOpen
    fitted: bool
    """Whether the scenario was fitted, by a version that writes open values or by an earlier one."""
    loads: Mapping[str, Scenario]

    @property
    def main(self) -> Scenario:
        """The scenario as it is, unless only other ends of its fit reproduce what it was fitted to."""
        return next(iter(self.loads.values()))

    @property
    def error(self) -> float:
        """The share by which a fitted load may be off beyond its ends: the engine's own error, and chance."""
        return VALIDATED + self.left_open.chance if self.fitted else 0.0

    @property
    def refused(self) -> str:
        """Why nothing is recommended; "" where something may be."""
        return OLDER if self.fitted and not self.left_open.fitted else self.left_open.refused

    @property
    def needed(self) -> tuple[str, ...]:
        """Measurements that narrow the range, or give an answer where there is none."""
        if not self.fitted or (self.left_open.fitted and not self.left_open.open):
            return ()
        return (_MORE if self.left_open.fitted else AGAIN,)

    @property
    def facts(self) -> tuple[str, ...]:
        """The load, as evidence."""
        if not self.fitted:
            return ("the scenario gives the load: one reading",)
        return (f"the scenario was fitted: {plural(len(self.loads), 'reading')} simulated",)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The answer about one pool, and the whole machine with its aliases of now, as recommended, and with the most."""

    pool: _Pool
    answer: Answer
    percent: float
    plan: Plan
    now: Machine
    then: Machine
    most: Machine

    @property
    def aliases(self) -> int:
        """The recommended number."""
        assert self.answer.knee is not None
        return self.answer.knee.aliases

    @property
    def words(self) -> str:
        """The recommendation, as a sentence names it."""
        return f"{plural(self.aliases, 'alias', 'aliases')} for {self.pool.name}"

    @property
    def changes(self) -> bool:
        """Whether the recommendation is another number than now."""
        return self.aliases != self.pool.aliases

    @property
    def change(self) -> Change:
        """The machine as it is, and with the aliases of this pool alone."""
        return Change(self.now, self.then)

    @property
    def where(self) -> str:
        """Why the aliases of this pool alone are not recommended; "" where nothing outside of it is slower."""
        return self.change.where(self.percent, self.pool.volumes)

    @property
    def may(self) -> bool:
        """Whether other aliases than now are recommended for this pool alone."""
        return self.changes and not self.answer.reason and not self.where

    @property
    def reach(self) -> frozenset[str]:
        """The volumes and transactions that the aliases of the pool act on: only these may be blamed on it."""
        return Change(self.now, self.most).touched | {ALL_IO}

    def meets(self, other: _Asked) -> bool:
        """Whether the aliases of both act on the same volumes or transactions."""
        return bool((self.reach & other.reach) - {ALL_IO})

    @property
    def pays(self) -> list[str]:
        """Volumes of the pool that are slower while it gains as a whole."""
        return [part.name for part in self.change.slower(self.percent) if part.name in self.pool.volumes]


@dataclass(frozen=True, slots=True)
class _Together:
    """All recommendations that are harmless alone, made together and simulated when first asked for."""

    scenario: Scenario
    asked: Sequence[_Asked]
    seen: dict[Plan, Machine] = field(default_factory=dict)

    def with_all(self, plan: Plan) -> Machine:
        """The machine with all recommendations."""
        if plan not in self.seen:
            all_made = {each.pool.key: each.aliases for each in self.asked if each.may}
            changed = self.scenario.with_({**all_made, **plan.keys()})
            self.seen[plan] = machine_of(simulations.simulate(changed, _COLUMNS), changed.view, plan.replications)
        return self.seen[plan]


def _asked(world: _World, pool: _Pool, caveats: tuple[str, ...]) -> _Asked:
    trial = _Points(world.main, pool, _TRIAL)
    rate = float(trial.sample(pool.aliases).pooled("io_per_s").mean())
    slowest_ms = 2000 * len(pool.volumes) / max(rate, 1e-6)
    plan = plan_for(2 * rate, slowest_ms, CURVE_IOS, _REPLICATIONS)
    shorter = plan_for(2 * rate, slowest_ms, OTHER_IOS, OTHER_REPLICATIONS)
    points = _Points(world.main, pool, plan)
    curve = Curve(next(iter(world.loads)), points.sample, _unlimited(trial))
    others = list(world.loads.items())[1:]
    curves = [curve, *(_curve(name, _Points(load, pool, shorter)) for name, load in others)]
    here = curve.means(pool.aliases)
    served = here["io_per_s"] * here["service_ms"] / 1000
    now = Now(pool.aliases, here["io_per_s"], here["response_ms"], here["service_ms"], here["queue_depth"], served)
    thumb = RuleOfThumb(pool.aliases, round(here["queue_depth"], 2))
    question = world.question
    found = compare(curves, question, (pool.aliases, thumb.aliases), world.error)
    clear = () if found.knees[0].clear else ("noise leaves the knee uncertain by one alias",)
    aliases = plural(pool.aliases, "alias", "aliases")
    answer = Answer(
        files=(world.file,),
        heading=f"{world.file}  scenario, simulated with {aliases}: {here['io_per_s']:,.0f} I/O/s",
        pool=pool.name, single=pool.classic, now=now, knee=found.recommendation, estimate=thumb,
        curve=found.points, readings=_lines(curves, [each.aliases for each in found.knees]), facts=world.facts,
        caveats=("slicewright explain lists the sources of the scenario's numbers", *caveats, *clear), at=question.at,
        open=tuple(f"{each.value}: {each.why}" for each in world.left_open.open), warning=world.left_open.warning,
        chance=world.left_open.chance, reason=world.refused, needed=world.needed,
        target=found.target, knee_percent=question.assumed.knee_percent,
        volumes=simulated_lines(pool.volumes, curve, pool.aliases, found.recommendation.aliases),
    )  # fmt: skip
    counts = (pool.aliases, min(found.recommendation.aliases, curve.unlimited), curve.unlimited)
    return _Asked(pool, answer, question.assumed.knee_percent, plan, *map(points.machine, counts))


def _curve(name: str, points: _Points) -> Curve:
    return Curve(name, points.sample, _unlimited(replace(points, plan=_TRIAL, seen={})))


def _lines(curves: Sequence[Curve], knees: Sequence[int]) -> tuple[ReadingLine, ...]:
    """The loads as readings, with their knees; the first is the main one."""
    words = {GIVEN: "as the scenario has it"}
    return tuple(
        ReadingLine(curve.name, words.get(curve.name, curve.name), "given", None, None, at == 0, None, knee=knee)
        for at, (curve, knee) in enumerate(zip(curves, knees, strict=True))
    )


def _judged(own: _Asked, together: _Together) -> Answer:
    """The answer with the whole machine; none is recommended where others would pay for it.

    Pools that share something are judged with the aliases of all that may have theirs.
    """
    partners = [other for other in together.asked if other is not own and other.may and own.meets(other)]
    change, words = own.change, plural(own.aliases, "alias", "aliases")
    if partners and own.may:
        change = Change(own.now, together.with_all(own.plan))
        words = " and ".join(each.words for each in together.asked if each is own or each in partners)
    lines = change.told(words, own.percent, () if partners else own.pool.volumes)
    answer = replace(own.answer, facts=(*own.answer.facts, *lines), machine=change)
    if answer.reason or not own.changes:
        return answer
    if own.where:
        return _refused(answer, f"{own.words} would {own.where}")
    if not partners:
        return answer
    pay = [name for each in (own, *partners) for name in each.pays]
    slower = [part for part in change.slower(own.percent, leave_out=pay) if part.name in own.reach]
    return _refused(answer, f"{words} together would {change.blamed(slower)}") if slower else answer


def _refused(answer: Answer, reason: str) -> Answer:
    """The same without a recommendation; the curve stays, as of this pool alone."""
    return replace(answer, reason=reason, needed=(_PLAN,))


@dataclass(frozen=True, slots=True)
class _Points:
    """A scenario under one plan with any number of aliases of a pool, each simulated once."""

    scenario: Scenario
    pool: _Pool
    plan: Plan
    seen: dict[int, Mapping[str, Table]] = field(default_factory=dict)

    def sample(self, aliases: int) -> Sample:
        """The pool with this number of aliases."""
        return sample_of(self._tables(aliases), self.pool.volumes, self.plan)

    def machine(self, aliases: int) -> Machine:
        """The whole machine with this number of aliases."""
        return machine_of(self._tables(aliases), self.scenario.view, self.plan.replications)

    def _tables(self, aliases: int) -> Mapping[str, Table]:
        if aliases not in self.seen:
            changed = self.scenario.with_({self.pool.key: aliases, **self.plan.keys()})
            self.seen[aliases] = simulations.simulate(changed, _COLUMNS)
        return self.seen[aliases]


def _unlimited(trial: _Points) -> int:
    """Twice the most aliases in use at once when more than enough are present; for a volume, by its guests."""
    view = trial.scenario.view
    guests = [0 if guest.growth_percent else guest.count or 0 for guest in view.guests]
    closed = sum(guests) if all(guests) and not view.pagings else _MANY
    if trial.pool.classic:
        return max(1, min(closed, 256))
    used = trial.sample(min(_MANY, 2 * closed)).most_used
    return max(1, 2 * used if used else min(_MANY, closed))
