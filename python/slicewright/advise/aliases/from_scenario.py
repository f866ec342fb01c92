"""An answer from a scenario: its load is given, or was fitted, and then its readings are simulated too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.aliases.answer import Answer, Now, ReadingLine, RuleOfThumb, compare
from slicewright.advise.aliases.curve import Curve, simulated_lines
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.source import doubts, recorded
from slicewright.experiment import simulations
from slicewright.experiment.outcome import Array, Table, grid
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
from slicewright.scenario.left_open import AGAIN, FITTED, GIVEN, OLDER, LeftOpen
from slicewright.scenario.view import View
from slicewright.statistics import Estimate, estimate, fixed, plural
from slicewright.values.errors import problem, refusal

_MACHINE = {
    "volumes": COLUMNS["volumes"],
    "pools": COLUMNS["pools"],
    "channels": ("replication", "channel", "busy_percent", "read_busy_percent", "write_busy_percent"),
    "control_units": ("replication", "control_unit", "connected", "paths_online"),
    "partitions": ("replication", "partition", "cpu_percent"),
    "guests": ("replication", "guest", "transaction_ms"),
}
"""The columns that a picture of the whole machine needs of the tables of a run."""

_LIMITED = "% busy"
"""The unit of a resource that is full at 100."""

_ALL = "all I/O"
"""The name of the response of all I/Os."""

_NAMED = 3
"""Slower volumes and transactions that a sentence names."""


@dataclass(frozen=True, slots=True)
class _Resource:
    """A resource that volumes share: how busy it is, in percent, or how many I/Os are connected over its paths."""

    name: str
    busy: float
    unit: str = _LIMITED

    @property
    def limited(self) -> bool:
        """Whether it is full at 100 %."""
        return self.unit == _LIMITED

    def __str__(self) -> str:
        """Its name and how busy it is.

        >>> str(_Resource("channel 40", 97.02))
        'channel 40 97.0 % busy'
        """
        return f"{self.name} {self.level}"

    @property
    def level(self) -> str:
        """How busy it is, in words."""
        return f"{fixed(self.busy, 1)} {self.unit}"


@dataclass(frozen=True, slots=True)
class _Slower:
    """A volume, or the transactions of a guest: its time before and after a change, in ms."""

    name: str
    before_ms: float
    after_ms: float

    def __str__(self) -> str:
        """The change.

        >>> str(_Slower("VOL001", 2.72, 2.99))
        'VOL001 2.72 -> 2.99 ms'
        """
        return f"{self.name} {fixed(self.before_ms, 2)} -> {fixed(self.after_ms, 2)} ms"


@dataclass(frozen=True, slots=True)
class _Machine:
    """One simulation of the whole machine: arrays over replications by name.

    `times`: responses of volumes and times of transactions, in ms.  `rates`: I/Os of volumes per second.  `resources`:
    what volumes share, with its mean utilization.
    """

    times: Mapping[str, Array]
    rates: Mapping[str, Array]
    resources: tuple[_Resource, ...] = field(default=())

    def busiest(self, other: _Machine) -> tuple[_Resource, _Resource] | None:
        """The busiest resource, among those that the other machine uses otherwise: in the other, and here.

        A resource with a utilization comes before paths that have none.  None where both use all alike.
        """
        pairs = zip(other.resources, self.resources, strict=True)
        changed = [pair for pair in pairs if pair[0].busy != pair[1].busy]
        return max(changed, key=lambda pair: (pair[1].limited, pair[1].busy), default=None)

    @property
    def response_ms(self) -> Array:
        """The mean response of all I/Os."""
        return self._response(self.rates)

    def _response(self, rates: Mapping[str, Array]) -> Array:
        whole = np.sum([rates[name] * self.times[name] for name in rates], axis=0)
        return np.asarray(whole / np.sum([rates[name] for name in rates], axis=0))

    def slower(self, before: _Machine, percent: float, leave_out: Sequence[str] = ()) -> list[_Slower]:
        """The parts slower by more than `percent` than before, the worst first: not by noise, in pairs of replications.

        The response of all I/Os is compared at the rates of before, so that more I/O to slow volumes is no harm.
        """
        pairs = [(name, before.times[name], self.times[name]) for name in before.times if name not in leave_out]
        pairs.append((_ALL, before.response_ms, self._response(before.rates)))
        found = []
        for name, was, now in pairs:
            ratio = _ratio(was, now)
            if ratio is not None and ratio.mean > 1 + percent / 100 and ratio.low > 1:
                found.append((ratio.mean, _Slower(name, float(was.mean()), float(now.mean()))))
        return [slower for _, slower in sorted(found, key=lambda pair: -pair[0])]

    def touched(self, before: _Machine) -> frozenset[str]:
        """The volumes and transactions whose time is another: a change of an independent pool leaves it to the bit."""
        return frozenset(
            name for name in before.times if not np.array_equal(before.times[name], self.times[name], equal_nan=True)
        )


def _machine_of(tables: Mapping[str, Table], view: View, replications: int) -> _Machine:
    """The machine in the tables of a run of a scenario."""
    names = [volume.name for volume in view.volumes]
    found = grid(tables["volumes"], ("volume", names), ("response_ms", "io_per_s"), replications)
    times = {name: found["response_ms"][:, at] for at, name in enumerate(names)}
    rates = {name: np.nan_to_num(found["io_per_s"][:, at]) for at, name in enumerate(names)}
    groups = [guest.name for guest in view.guests]
    own = grid(tables["guests"], ("guest", groups), ("transaction_ms",), replications)["transaction_ms"]
    times |= {f"transaction of {name}": own[:, at] for at, name in enumerate(groups)}
    kept = {name: values for name, values in times.items() if np.isfinite(values).all() and (values > 0).all()}
    idle = {name: rates[name] for name in rates if name in kept}
    parts = (_channels, _processors, _paths)
    return _Machine(kept, idle, tuple(resource for part in parts for resource in part(tables, view, replications)))


def _moved(asked: str, before: _Machine, after: _Machine, slower: Sequence[_Slower]) -> str:
    """Why aliases are not recommended: the resource to which the queue moves, and what is slower then.

    `asked`: the aliases, such as "7 aliases for LSS60".
    """
    named = ", ".join(str(part) for part in slower[:_NAMED])
    more = f" and {len(slower) - _NAMED} more" if len(slower) > _NAMED else ""
    pair = after.busiest(before)
    where = f"move the queue to {pair[1].name} ({pair[0].level} now, {pair[1].level} then)" if pair else "slow others"
    return f"{asked} would {where}: {named}{more}"


def _shared_words(before: _Machine, after: _Machine, most: _Machine, aliases: str) -> str:
    """The busiest shared resource as it is and with other aliases; "" where the pool shares none.

    `most`: with enough aliases that more change nothing; a resource that it leaves as it is, the pool does not use.
    `aliases`: such as "7 aliases".
    """
    pair = most.busiest(before)
    if pair is None:
        return ""
    was, then = pair[0], next(resource for resource in after.resources if resource.name == pair[0].name)
    change = f", {then.level} with {aliases}" if then.busy != was.busy else ""
    return f"busiest shared resource: {was.name}, {was.level} now{change}"


def _ratio(was: Array, now: Array) -> Estimate | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = now / was
    return estimate(found.tolist()) if np.isfinite(found).all() and len(found) > 1 else None


def _channels(tables: Mapping[str, Table], view: View, replications: int) -> list[_Resource]:
    """Channels; of one that carries reads and writes at once, the busier direction."""
    names = [channel.name for channel in view.channels]
    if not names:
        return []
    parts = ("busy_percent", "read_busy_percent", "write_busy_percent")
    found = {part: np.nan_to_num(values).mean(axis=0) for part, values in
             grid(tables["channels"], ("channel", names), parts, replications).items()}  # fmt: skip
    resources = []
    for at, channel in enumerate(view.channels):
        both = channel.duplex == "full" and channel.holds != "connection"
        one_way = max(found["read_busy_percent"][at], found["write_busy_percent"][at])
        resources.append(_Resource(f"channel {channel.name}", float(one_way if both else found["busy_percent"][at])))
    return resources


def _paths(tables: Mapping[str, Table], view: View, replications: int) -> list[_Resource]:
    """Path groups without channels: they have no utilization, only I/Os that are connected and slow each other."""
    names = [unit.name for unit in view.control_units if not unit.channels]
    if not names:
        return []
    found = grid(tables["control_units"], ("control_unit", names), ("connected", "paths_online"), replications)
    connected, online = (np.nan_to_num(found[part]).mean(axis=0) for part in ("connected", "paths_online"))
    return [
        _Resource(f"the paths of {name}", float(count), f"I/Os connected on {plural(round(float(paths)), 'path')}")
        for name, count, paths in zip(names, connected, online, strict=True)
    ]


def _processors(tables: Mapping[str, Table], view: View, replications: int) -> list[_Resource]:
    """Logical processors of partitions, and all physical ones: work done over processors."""
    names = [partition.name for partition in view.partitions]
    if not names or view.cec is None or "partitions" not in tables:
        return []
    done = grid(tables["partitions"], ("partition", names), ("cpu_percent",), replications)["cpu_percent"]
    shares = np.nan_to_num(done).mean(axis=0)
    own = [
        _Resource(
            f"the processors of {partition.name}", float(share) / (partition.online or partition.logical_processors)
        )
        for partition, share in zip(view.partitions, shares, strict=True)
    ]
    return [*own, _Resource("the processors of the machine", float(shares.sum()) / view.cec.processors)]


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
    now: _Machine
    then: _Machine
    most: _Machine

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
    def slower(self) -> list[_Slower]:
        """Volumes and transactions outside of the pool that are slower if it alone gets its aliases."""
        return self.then.slower(self.now, self.percent, leave_out=self.pool.volumes)

    @property
    def reach(self) -> frozenset[str]:
        """The volumes and transactions that the aliases of the pool act on: only these may be blamed on it."""
        return self.most.touched(self.now) | {_ALL}

    def meets(self, other: _Asked) -> bool:
        """Whether the aliases of both act on the same volumes or transactions."""
        return bool((self.reach & other.reach) - {_ALL})

    @property
    def pays(self) -> list[str]:
        """Volumes of the pool that are slower while it gains as a whole."""
        return [slower.name for slower in self.then.slower(self.now, self.percent) if slower.name in self.pool.volumes]


@dataclass(frozen=True, slots=True)
class _Together:
    """All recommendations made together, simulated when first asked for."""

    scenario: Scenario
    asked: Sequence[_Asked]
    seen: dict[Plan, _Machine] = field(default_factory=dict)

    def with_all(self, plan: Plan) -> _Machine:
        """The machine with all recommendations."""
        if plan not in self.seen:
            all_made = {each.pool.key: each.aliases for each in self.asked}
            changed = self.scenario.with_({**all_made, **plan.keys()})
            self.seen[plan] = _machine_of(simulations.simulate(changed, _MACHINE), changed.view, plan.replications)
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
    """The answer with its busiest shared resource; none is recommended where others would pay for it."""
    answer = own.answer
    words = _shared_words(own.now, own.then, own.most, plural(own.aliases, "alias", "aliases"))
    answer = replace(answer, facts=(*answer.facts, words) if words else answer.facts)
    if answer.reason or not own.changes:
        return answer
    if slower := own.slower:
        return _refused(answer, _moved(own.words, own.now, own.then, slower))
    partners = [other for other in together.asked if other is not own and other.changes and own.meets(other)]
    if not partners:
        return answer
    after = together.with_all(own.plan)
    pay = [name for each in (own, *partners) for name in each.pays]
    slower = [part for part in after.slower(own.now, own.percent, leave_out=pay) if part.name in own.reach]
    if not slower:
        return answer
    all_words = " and ".join(each.words for each in together.asked if each is own or each in partners)
    return _refused(answer, _moved(f"{all_words} together", own.now, after, slower))


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

    def machine(self, aliases: int) -> _Machine:
        """The whole machine with this number of aliases."""
        return _machine_of(self._tables(aliases), self.scenario.view, self.plan.replications)

    def _tables(self, aliases: int) -> Mapping[str, Table]:
        if aliases not in self.seen:
            changed = self.scenario.with_({self.pool.key: aliases, **self.plan.keys()})
            self.seen[aliases] = simulations.simulate(changed, _MACHINE)
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
