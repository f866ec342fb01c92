"""`slicewright.plan`: the cheapest set of purchases with which a grown machine holds every requirement."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from slicewright._core import InputError, RunError, Scenario
from slicewright.experiment.outcome import Array
from slicewright.explore import places
from slicewright.explore.cheapest import Grid, Order, Search, Terms, Wanted, proposals
from slicewright.explore.inputs import Inputs, scenario_from
from slicewright.explore.machines import Machines, Seen
from slicewright.explore.plan_report import document, plan_report
from slicewright.explore.planned import FURTHEST, Alone, Answer, Bought, Guessed, Point
from slicewright.explore.points import LostError
from slicewright.explore.purchases import Purchase, Setting, bought, cost_of, purchases_of, words_of
from slicewright.explore.requirements import growth_of, requirements_of
from slicewright.explore.screening import Screen
from slicewright.report.model import Report
from slicewright.report.shown import Reported
from slicewright.results.busiest import Resource
from slicewright.results.frame import Framed, Row
from slicewright.scenario.changes import changes_of
from slicewright.scenario.replay import ready_to_run
from slicewright.statistics import Estimate, estimate, paired
from slicewright.values import settings
from slicewright.values.errors import gathered, problem
from slicewright.values.files import Earlier, refuse_occupied, whole_directory
from slicewright.values.parameters import brief, check
from slicewright.values.progress import Progress, silent

_First = Callable[[dict[str, Any]], None]
_HALF = 400
"""Batches at which half of the progress is shown."""
_RUNS, _LOOK = 10, 4
"""Batches of the machines that are shown, and of a purchase alone."""
_MOST_SETTINGS = 1_000_000
"""Settings that are all in question; among more of them Optuna searches."""
_TRIALS = 500
"""Settings that a search tries."""
_WORDS = 6
"""Words of a purchase that are simulated alone; of numbers the largest is."""
_EARLIER = Earlier("plan.json", frozenset({"plan.json", "report.html", "recommended.toml"}).__contains__)
"""An earlier plan in a directory, which a new one replaces."""
_GUESSED = ("assumed", "borrowed")
"""Roles of numbers that are guesses with a range; a fit gives those that it leaves open their own."""
_MOST_GUESSES, _LIKELY_GUESSES = 40, 8
"""Guesses that are tried, and ends of ranges that are tried with the sets."""
_NEAREST = 12
"""Settings that are looked at under every reading for the one that comes nearest."""
_CHECKED = 24
"""Settings that are simulated though a setting with more of everything does not hold."""
_CLEARLY = 0.99
"""The probability with which a setting holds, and another one does not, before they contradict an order."""
_RIVALS = 24
"""Settings that are looked at for a runner-up."""
_BETTER = 0.01
"""ASSUME: a purchase helps where it makes the response shorter by more than this share, and than noise."""
_HALVINGS = 6
"""How often the growth to the next full resource is halved."""


class Plan(Reported, Framed):
    """The answer of a plan: `answer` as data, its report, and the document that `--format json` prints.

    >>> import slicewright
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s"}
    >>> found = plan(slicewright.starter("pool"), ["alias_pool.*.aliases=+1..4 at 5 each"], ["system response_ms <= 9"],
    ...     set=quick)
    >>> found.document()["recommended"]["cost"]
    0.0
    """

    def __init__(self, answer: Answer, directory: Path | None = None) -> None:
        self.answer = answer
        self.directory = directory

    def report(self) -> Report:
        """The plan as a report."""
        return plan_report(self.answer)

    def document(self) -> dict[str, Any]:
        """The plan as values for JSON."""
        return document(self.answer)

    @property
    def scenario(self) -> Scenario | None:
        """The scenario with the growth and the purchases that are recommended, measured as it was given."""
        answer = self.answer
        return None if answer.chosen is None or answer.doubt else answer.machines.bought(answer.chosen.setting)

    @property
    def status(self) -> int:
        """The exit status of the command: 2 where nothing is recommended."""
        return 2 if self.scenario is None else 0

    def framed(self) -> Iterator[Row]:
        """Requirements, today, grown and after."""
        answer = self.answer
        for at, need in enumerate(answer.requirements):
            for name, seen in (("today", answer.today), ("grown", answer.grown), ("after", answer.after)):
                yield Row(need.left, need.left, estimate(seen.left[at].tolist()), name, unit=need.unit)


@settings.documented("plan")
def plan(
    scenario: Inputs,
    buy: Sequence[str] = (),
    require: str | Sequence[str] = (),
    *,
    growth: str | Sequence[str] = (),
    set: Mapping[str, Any] | Sequence[str] | None = None,
    aliases: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    confidence: str = "95%",
    tolerance: str = "1%",
    most: int = 200,
    trials: int | None = None,
    seed: int = 1,
    on: Any = None,
    progress: Progress | None = None,
    first: _First | None = None,
) -> Plan:
    """Find the cheapest set of purchases with which a scenario that has grown holds every requirement.

    `buy` lists purchases, each with a price, as `"alias_pool.A.aliases=+0..16 at 5 each"` or
    `"channel.*.type=FICON Express8S at 100"`.  The scenario's own `[[purchase]]` tables join them.  `require` has
    requirements on columns of guests, volumes or partitions (`"orders cycle_p95_ms <= 10"`) and on expressions.
    `growth` has the growth of guests by name, pattern or class (`"orders=40%"`, `"@office=20%"`).  A directory of
    `read --out` and monitor data are fitted first.  Pages of devices (FCX108, RMF DEVICE) are read as `advise aliases`
    does, several of one system as a list.  `aliases` has sizes of pools that neither gives, as `"0001=8"`.

    Open arrivals grow in rate, closed populations in number.  The set holds under each reading that a fit left.  `on`
    is as in `sweep`.  `first` gets cost, words and purchases of the first set that seems to hold, then of cheaper ones.

    Raises InputError with every problem, RunError when a simulation cannot go on, OSError when `out` cannot be written.

    >>> from slicewright._core import starter
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s"}
    >>> found = plan(starter("pool"), ["alias_pool.*.aliases=+1..4 at 5 each"], "system response_ms <= 9", set=quick)
    >>> found.answer.chosen.cost
    0.0
    """
    needs, grows = ((each,) if isinstance(each, str) else each for each in (require, growth))
    terms: dict[str, Any] = {"buy": buy, "require": needs, "growth": grows, "out": out, "progress": progress}
    terms |= {"confidence": confidence, "tolerance": tolerance, "most": most, "trials": trials, "seed": seed}
    check(*settings.problems("plan", aliases=aliases, first=first, **terms))
    if out is not None:
        refuse_occupied(out, _EARLIER)
    changes = changes_of(set)
    ready = ready_to_run(scenario_from(scenario, aliases), changes)
    problems: list[Any] = []
    grown = gathered(problems, functools.partial(growth_of, grows, ready.scenario))
    offered = gathered(problems, functools.partial(purchases_of, buy, ready.scenario))
    required = gathered(problems, functools.partial(requirements_of, needs, ready.scenario))
    check(*problems)
    sure, room = (settings.share("plan", name, terms[name]) for name in ("confidence", "tolerance"))
    with places.place(on) as simulating, _ended_where_lost():
        machines = Machines.of(ready, changes, (grown[0], offered[0], required[0]), (seed, simulating))
        machines.told = _told(first, machines.purchases)
        answer = _answered(machines, Terms(sure, room, most), trials, progress or silent)
    found = Plan(answer, None if out is None else Path(out))
    if out is not None:
        _write(found, Path(out))
    return found


def _write(found: Plan, out: Path) -> None:
    import json

    with whole_directory(out, _EARLIER) as folder:
        (folder / "report.html").write_text(found.html(), "utf-8")
        (folder / "plan.json").write_text(json.dumps(found.document(), indent=1, ensure_ascii=False) + "\n", "utf-8")
        if found.scenario is not None:
            (folder / "recommended.toml").write_text(found.scenario.resolved, "utf-8")


def _answered(machines: Machines, terms: Terms, trials: int | None, progress: Progress) -> Answer:
    purchases, nothing = machines.purchases, machines.nothing
    machines.done = _onward(progress)
    today, grown = machines.see([(nothing, 0, 0.0), (nothing, 0, 1.0)], _RUNS)
    _refuse_without_value(machines, (today, grown))
    ends = {
        (place, level): _only(machines, place, level)
        for place, purchase in enumerate(purchases)
        for level in _levels_alone(purchase)
    }
    looks = machines.see([(setting, 0, 1.0) for setting in ends.values()], _LOOK)
    alone = dict(zip(ends, looks, strict=True))
    everything = _everything(machines, alone, grown)
    most = _set(machines, everything)
    if all(_holds(machines, most.seen)):
        machines.told(everything)
    screen = Screen.of(purchases, grown.machine, {key: each.machine for key, each in alone.items()}, most.seen.machine)
    searched = math.prod(len(each.levels) for each in purchases) > _MOST_SETTINGS or trials is not None
    rest = {place: _without(machines, most.setting, place) for place in range(len(purchases))}
    ordered = [
        each.ordered and not _harms(machines, place, (grown, alone), (most, rest[place]))
        for place, each in enumerate(purchases)
    ]
    order = _Listed(_searched(machines, trials or _TRIALS, [everything])) if searched else _All(purchases, ordered)
    order.score = screen.score(order.settings)
    search = _Searching(machines, order, terms)
    best = search.find_checked()
    chosen = None if best is None else _set(machines, order.setting(best))
    most = most if chosen else _set(machines, order.setting(search.nearest()))
    runner = None if chosen is None or best is None else search.runner_up(best)
    return Answer(
        name=next(iter(machines.loads.values())).name, machines=machines, today=today, grown=grown, most=most,
        chosen=chosen, probability=search.probability(best), runner_up=runner,
        alone=_alone(machines, (grown, most), chosen, alone),
        front=search.front([each.setting for each in (chosen, runner, most) if each is not None]),
        next=None if chosen is None else _next(machines, chosen.setting, search.hardest[0]),
        carries=_carried(machines, most.setting, search.hardest[0]) if chosen is None else None,
        by_reading=_by_reading(machines, chosen.setting if chosen else most.setting),
        screened=screen.error(most.setting, most.seen.machine), counts=search.counts, searched=searched,
        guesses=_guesses(machines, chosen, order.setting(search.rival(best))),
    )  # fmt: skip


@contextlib.contextmanager
def _ended_where_lost() -> Iterator[None]:
    """End a plan whose place of simulation is gone."""
    try:
        yield
    except LostError as error:
        raise RunError(str(error)) from error


def _told(first: _First | None, purchases: Sequence[Purchase]) -> Callable[[Setting], None]:
    """Tell of a set that seems to hold, and then of those that cost less."""
    least = math.inf

    def tell(setting: Setting) -> None:
        nonlocal least
        cost = cost_of(purchases, setting)
        if first is not None and cost < least:
            least = cost
            first({"cost": cost, "words": words_of(purchases, setting), "purchases": bought(purchases, setting)})

    return tell


def _onward(progress: Progress) -> Callable[[int], None]:
    """Progress by batches.  Their number is not known before, so the share never reaches the end."""
    done = 0

    def more(batches: int) -> None:
        nonlocal done
        done += batches
        progress(done / (done + _HALF))

    return more


def _refuse_without_value(machines: Machines, seen: Sequence[Seen]) -> None:
    """Raise InputError for requirements on what the machine does not have or never did."""
    empty = [
        need for at, need in enumerate(machines.requirements) if all(np.isnan(each.left[at]).all() for each in seen)
    ]
    why = "the machine has nothing of the kind, or it did nothing while it was measured"
    check(*(problem(f"`{brief(need.text)}` has no value in any run", key="require", why=why) for need in empty))


def _set(machines: Machines, setting: Setting) -> Bought:
    return Bought(setting, cost_of(machines.purchases, setting), machines.see([(setting, 0, 1.0)], _RUNS)[0])


def _only(machines: Machines, place: int, level: int) -> Setting:
    return tuple(level if at == place else 0 for at in range(len(machines.purchases)))


def _levels_alone(purchase: Purchase) -> list[int]:
    """The levels that are simulated alone: the one with the most units, and of words each."""
    units = [level.units for level in purchase.levels]
    if len(set(units[1:])) < len(units) - 1:
        return list(range(1, min(len(units), 1 + _WORDS)))
    return [units.index(max(units))]


def _everything(machines: Machines, alone: Mapping[tuple[int, int], Seen], grown: Seen) -> Setting:
    """The largest of each purchase; of words the one with the shortest response alone; none of what makes it longer."""
    chosen = []
    for place in range(len(machines.purchases)):
        own = {level: seen for (at, level), seen in alone.items() if at == place}
        best = min(own, key=lambda level: (_mean(own[level].response), level))
        chosen.append(best)
    setting = tuple(chosen)
    return setting if not _refused(machines, setting) else _largest_allowed(machines, setting)


def _refused(machines: Machines, setting: Setting) -> bool:
    try:
        machines.scenario(setting)
    except InputError:
        return True
    return False


def _largest_allowed(machines: Machines, wanted: Setting) -> Setting:
    """As much of a setting as is a scenario, purchase by purchase."""
    setting = machines.nothing
    for place, level in enumerate(wanted):
        tried = (*setting[:place], level, *setting[place + 1 :])
        setting = setting if _refused(machines, tried) else tried
    return setting


def _mean(values: Array) -> float:
    found = float(np.mean(values))
    return found if math.isfinite(found) else math.inf


class _All(Grid):
    """Every setting."""

    def __init__(self, purchases: Sequence[Purchase], ordered: Sequence[bool]) -> None:
        costs = [np.array([level.cost for level in each.levels]) for each in purchases]
        super().__init__(costs, ordered)

    @property
    def settings(self) -> Array:
        """All settings in the order of costs, a row each."""
        return np.stack(np.unravel_index(self.cells, self.shape), axis=1)


class _Listed(Order):
    """Settings that a search proposed."""

    def __init__(self, listed: Sequence[Setting]) -> None:
        super().__init__(np.zeros(len(listed)))
        self.listed = listed

    @property
    def settings(self) -> Array:
        """All settings in the order of costs, a row each."""
        return np.array(self.listed)

    def setting(self, at: int) -> Setting:
        """The levels of a setting."""
        return self.listed[at]

    def place(self, setting: Setting) -> int:
        """The place of levels."""
        return self.listed.index(setting)


def _without(machines: Machines, setting: Setting, place: int) -> Seen | None:
    """A machine with a setting but for one purchase; None where that is no scenario."""
    other = (*setting[:place], 0, *setting[place + 1 :])
    return None if _refused(machines, other) else machines.see([(other, 0, 1.0)], _LOOK)[0]


def _harms(
    machines: Machines, place: int, first: tuple[Seen, Mapping[tuple[int, int], Seen]], last: tuple[Bought, Seen | None]
) -> bool:
    """Whether a purchase makes a requirement worse by more than noise: alone, or on top of all others."""
    grown, alone = first
    most, rest = last
    pairs = [(grown, seen) for (at, _), seen in alone.items() if at == place]
    pairs += [(rest, most.seen)] if rest is not None else []
    for before, after in pairs:
        for need, was, now in zip(machines.requirements, before.left, after.left, strict=True):
            count = min(len(was), len(now))
            worse = paired(need.ratio(was[:count]).tolist(), need.ratio(now[:count]).tolist())
            if worse.low > 0 and worse.mean > _BETTER:
                return True
    return False


def _order(purchases: Sequence[Purchase], setting: Setting) -> tuple[float, int, Setting]:
    return (round(cost_of(purchases, setting), 9), sum(level > 0 for level in setting), setting)


def _searched(machines: Machines, trials: int, ends: Sequence[Setting]) -> list[Setting]:
    """Settings that Optuna's TPE sampler proposes, and their neighbours that cost less."""
    purchases = machines.purchases
    names = [f"{place} {each.key}" for place, each in enumerate(purchases)]
    found: dict[Setting, None] = {}

    def proposed(trial: Any) -> Setting:
        pairs = zip(names, purchases, strict=True)
        return tuple(trial.suggest_int(name, 0, len(each.levels) - 1) for name, each in pairs)

    def judged(some: Sequence[Setting]) -> list[tuple[float, float]]:
        found.update(dict.fromkeys(some))
        rows = machines.ratios([(setting, 0, range(1)) for setting in some])
        worst = [float(row[0].max()) - 1 for row in rows]
        return [(cost_of(purchases, setting), over) for setting, over in zip(some, worst, strict=True)]

    proposals("buy", (machines.seed, trials), proposed, judged)
    near = {
        (*setting[:place], level, *setting[place + 1 :])
        for setting in list(found)
        for place in range(len(purchases))
        for level in (0, setting[place] - 1)
        if level >= 0
    }
    some = [*found, *near, machines.nothing, *ends]
    return sorted({*some}, key=lambda setting: _order(purchases, setting))


class _Searching(Search):
    """A search among the settings of a plan, in the order of their costs."""

    order: _All | _Listed

    def __init__(self, machines: Machines, order: _All | _Listed, terms: Terms) -> None:
        self.machines = machines
        self.checked = 0
        """Settings that were simulated though a broken one has more of everything."""

        def observe(wanted: Sequence[Wanted]) -> Sequence[Array]:
            return machines.ratios([(order.setting(at), reading, batches) for at, reading, batches in wanted])

        shape = (len(machines.readings), len(machines.requirements))
        super().__init__(order, shape, observe, terms)
        end = order.place(machines.nothing)
        self.look([(end, reading) for reading in range(shape[0])], _LOOK)
        self.order_readings(end)

    def _descended(self, at: int) -> int:
        self.machines.told(self.order.setting(at))
        lowest = super()._descended(at)
        self.machines.told(self.order.setting(lowest))
        return lowest

    def find_checked(self) -> int | None:
        """The choice; some settings that have less than a broken one are simulated all the same.

        Where one of them clearly holds, more of a purchase is not always better, and its levels are all in question.
        """
        best = self.find()
        while any(self.order.ordered):
            seen = {at for at, _ in self.seen}
            out = [at for at in np.argsort(self.order.score, kind="stable").tolist() if at not in seen]
            out = [at for at in out if best is None or at < best][:_CHECKED]
            self.checked += len(out)
            found = self._holding(out)
            if not found:
                break
            for at in found:
                self._contradicted(at)
            best = self.find()
        return best

    def _contradicted(self, at: int) -> None:
        """Give up the order of purchases of which a setting has less than one that clearly does not hold, and holds."""
        self.look([(at, reading) for reading in range(self.readings)], 2 * _LOOK)
        if self.keeps(at) < _CLEARLY:
            return
        own = np.array(self.order.setting(at))
        for other in sorted({at for at, _ in self.seen}):
            more = np.array(self.order.setting(other))
            if (more >= own).all() and self.keeps(other) < 1 - _CLEARLY:
                self.order.ordered = [
                    ordered and bool(same) for ordered, same in zip(self.order.ordered, more == own, strict=True)
                ]

    def nearest(self) -> int:
        """The setting that was seen and breaks its requirements least."""
        known = {at for at, reading in self.seen if reading == self.hardest[0]}
        some = sorted(known, key=lambda at: (self._worst(at), at))[:_NEAREST]
        self.look([(at, reading) for at in some for reading in range(self.readings)], _LOOK)
        return min(some, key=lambda at: (self._worst(at), at))

    def _worst(self, at: int) -> float:
        """The largest share of a bound over readings that were seen."""
        rows = [self.seen[at, reading] for reading in range(self.readings) if (at, reading) in self.seen]
        return max(float(np.nan_to_num(each, nan=np.inf).mean(axis=0).max()) for each in rows)

    def rival(self, best: int | None) -> int:
        """The setting before the best that is likeliest to hold; without one, the nearest."""
        before = {at for at, _ in self.seen if best is None or at < best}
        if best is None or not before:
            return self.nearest()
        return max(before, key=lambda at: (self.keeps(at), -self._worst(at), at))

    def probability(self, best: int | None) -> float:
        """At least the probability that the answer is right."""
        return max(0.0, 1 - math.fsum(self.wrong(best).values()))

    @property
    def counts(self) -> dict[str, int]:
        """Settings in question, settings that were simulated, batches."""
        seen = {at for at, _ in self.seen}
        return {
            "settings": self.order.count, "simulated": len(seen), "checked": self.checked,
            "batches": sum(map(len, self.seen.values())),
        }  # fmt: skip

    def runner_up(self, best: int) -> Bought | None:
        """The cheapest other set that holds and does not contain the first; any other where there is none."""
        left = np.ones(self.order.count, dtype=bool)
        for at in {at for at, _ in self.seen if not self.holds(at)}:
            self.order.close(left, at)
        left[: best + 1] = False
        less = (self.order.settings < np.array(self.order.setting(best))).any(axis=1)
        for which in (left & less, left & ~less):
            some = np.flatnonzero(which)[:_RIVALS].tolist()
            for start in range(0, len(some), 4):
                found = self._holding(some[start : start + 4])
                if found:
                    return _set(self.machines, self.order.setting(min(found)))
        return None

    def front(self, ends: Sequence[Setting]) -> list[Point]:
        """Cost against response: the settings that were seen and than which no other is both cheaper and shorter."""
        machines = self.machines
        shown: dict[int, Array] = {}
        first = next(
            (at for at, need in enumerate(machines.requirements) if need.constraint.expression == machines.shown), None
        )
        if first is None:
            return []
        need = machines.requirements[first]
        self.look([(self.order.place(setting), 0) for setting in dict.fromkeys(ends)], _LOOK)
        for (at, reading), rows in self.seen.items():
            if reading == 0 and len(rows) and np.isfinite(rows[:, first]).all():
                shown[at] = rows[:, first]
        # Twice: few batches favour settings that had luck.
        for at in _falling(shown, dict.fromkeys(shown, 0.0)):
            self.look([(at, 0)], _LOOK)
            shown[at] = self.seen[at, 0][:, first]
        looked = {at: rows for at, rows in shown.items() if len(rows) >= _LOOK}
        points = _falling(looked, {at: estimate(rows.tolist()).half_width for at, rows in looked.items()})
        sign = 1 if need.constraint.comparison == "<=" else -1
        made = []
        for at in points:
            ratio = self.seen[at, 0][:, first]
            values = need.constraint.bound + sign * (ratio - 1) * abs(need.constraint.bound)
            holds = self.holds(at) if all((at, each) in self.seen for each in range(self.readings)) else False
            setting = self.order.setting(at)
            made.append(Point(setting, cost_of(machines.purchases, setting), estimate(values.tolist()), holds))
        return made


def _falling(shown: Mapping[int, Array], noise: Mapping[int, float]) -> list[int]:
    """The settings in the order of costs, each with less than all before by more than a share and noise."""
    points, least = [], math.inf
    for at in sorted(shown):
        mean = float(shown[at].mean())
        if mean < least - max(_BETTER * abs(mean), noise[at]):
            least = mean
            points.append(at)
    return points


def _alone(
    machines: Machines, ends: tuple[Seen, Bought], chosen: Bought | None, known: Mapping[tuple[int, int], Seen]
) -> list[Alone]:
    """The rows of the table of purchases: each by itself, and in the set."""
    grown, most = ends
    base = chosen or most
    rows = []
    for place, purchase in enumerate(machines.purchases):
        level = base.setting[place] or most.setting[place]
        alone = known.get((place, level)) or machines.see([(_only(machines, place, level), 0, 1.0)], _LOOK)[0]
        in_set = base.setting[place] > 0
        other = (*base.setting[:place], 0 if in_set else level, *base.setting[place + 1 :])
        # A set may be no scenario with one purchase more or less.
        rest = None if _refused(machines, other) else machines.see([(other, 0, 1.0)], _LOOK)[0]
        better = _shorter(grown.response, alone.response)
        needed = rest is not None and in_set and _shorter(rest.response, base.seen.response)
        more = rest is not None and not in_set and _shorter(base.seen.response, rest.response)
        helps = "yes" if better else "only in the set" if needed or more else "no"
        without = estimate(rest.response.tolist()) if rest is not None else Estimate(math.nan, math.nan, 0)
        rows.append(Alone(purchase, level, in_set, estimate(alone.response.tolist()), without, helps))
    return rows


def _shorter(before: Array, after: Array) -> bool:
    """Whether a response is shorter by more than noise, batch by batch."""
    count = min(len(before), len(after))
    found = paired(before[:count].tolist(), after[:count].tolist())
    return bool(found.high < 0 and -found.mean > _BETTER * abs(float(before.mean())))


def _holds(machines: Machines, seen: Seen) -> list[bool]:
    """Of each requirement whether its mean is kept."""
    pairs = zip(machines.requirements, seen.left, strict=True)
    return [bool(_mean(need.ratio(values)) <= 1) for need, values in pairs]


def _next(machines: Machines, setting: Setting, reading: int) -> tuple[Resource | None, float, str] | None:
    """The first resource that more growth fills, or the first requirement that it breaks, and at which growth."""
    percent = max((each.percent for each in machines.growth), default=0.0)
    if percent <= 0:
        return None

    def full(scale: float) -> tuple[Resource | None, str] | None:
        seen = machines.see([(setting, reading, scale)], _LOOK)[0]
        broken = [
            need.text for need, kept in zip(machines.requirements, _holds(machines, seen), strict=True) if not kept
        ]
        busiest = seen.machine.busiest
        if (busiest is None or not busiest.full) and not broken:
            return None
        return busiest, broken[0] if broken else ""

    low, high = 1.0, 1.0
    found = full(low)
    while found is None and high * percent < FURTHEST:
        low, high = high, high * 1.5
        found = full(high)
    if found is None:
        return None
    for _ in range(_HALVINGS):
        if high - low < 0.02:
            break
        middle = (low + high) / 2
        inner = full(middle)
        low, high, found = (middle, high, found) if inner is None else (low, middle, inner)
    return found[0], percent * high, found[1]


def _carried(machines: Machines, setting: Setting, reading: int) -> float | None:
    """The growth that the machine carries with the largest of everything, in percent; None where not even today's."""
    percent = max((each.percent for each in machines.growth), default=0.0)

    def held(scale: float) -> bool:
        return all(_holds(machines, machines.see([(setting, reading, scale)], _LOOK)[0]))

    if percent <= 0 or not held(0.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if held(middle) else (low, middle)
    return percent * low


def _by_reading(machines: Machines, setting: Setting) -> dict[str, Seen]:
    """The machine with a set under each reading; empty where the scenario is the only one."""
    if len(machines.readings) < 2:
        return {}
    found = machines.see([(setting, at, 1.0) for at in range(len(machines.readings))], _LOOK)
    return dict(zip(machines.readings, found, strict=True))


def _guesses(machines: Machines, chosen: Bought | None, rival: Setting) -> tuple[list[Guessed], int]:
    """The guesses that would change the list, the largest effect first, and how many were tried.

    Each is tried at both ends of the range that `sensitivity` gives it: with the chosen set, and with a set that
    nearly holds.
    """
    from slicewright.explore.guesses import Choice, guesses

    grown = next(iter(machines.grown().values()))
    try:
        every = guesses(grown, Choice()).vary
    except InputError:
        return [], 0
    taken = {
        key
        for purchase in machines.purchases
        for key in (purchase.key, *[change.partition("=")[0] for level in purchase.levels for change in level.changes])
    }
    own = [guess for guess in every if guess.role in _GUESSED and guess.key not in taken and not _grows(guess.key)]
    setting = chosen.setting if chosen else rival
    now = machines.ratios([(setting, 0, range(1))])[0].max()
    pairs = [(guess, end) for guess in own[:_MOST_GUESSES] for end in (0.0, 1.0)]

    def look(pair: tuple[Any, float, Setting, int]) -> float:
        guess, end, bought, batches = pair
        try:
            scenario = machines.scenario(bought).with_([guess.axis.changes(guess.at(end))])
            return float(machines.ratio(scenario, range(batches)).mean(axis=0).max())
        except (InputError, RunError):
            return math.nan

    moved = machines.each(look, [(guess, end, setting, 1) for guess, end in pairs])
    ranked = sorted(range(len(pairs)), key=lambda at: (-abs(np.nan_to_num(moved[at] - now)), at))[:_LIKELY_GUESSES]
    asked = [(*pairs[at], bought, _LOOK) for at in ranked for bought in (setting, rival)]
    found = machines.each(look, asked)
    told: dict[str, Guessed] = {}
    for number, at in enumerate(ranked):
        guess, end = pairs[at]
        with_set, with_rival = found[2 * number], found[2 * number + 1]
        value = guess.axis.changes(guess.at(end)).partition("=")[2].strip('"')
        changes = ""
        if chosen is not None and with_set > 1 + _BETTER:
            much = f"{100 * (with_set - 1):.0f} %" if with_set < 2 else "more than 100 %"
            changes = f"at {value} the set breaks a requirement by {much}"
        elif (rival != setting and with_rival <= 1 - _BETTER) or (chosen is None and with_rival <= 1):
            less = cost_of(machines.purchases, rival)
            changes = f"at {value} a set that costs {less:g} holds"
        if changes and guess.key not in told:
            low, high = (guess.axis.changes(guess.at(each)).partition("=")[2].strip('"') for each in (0.0, 1.0))
            told[guess.key] = Guessed(
                guess.key, f"{guess.number:g} {guess.axis.unit}".strip(), low, high, guess.role, changes
            )
    return list(told.values())[:3], len(own[:_MOST_GUESSES])


def _grows(key: str) -> bool:
    """Whether a key is the demand of a guest, which growth is about."""
    return key.startswith("guest.") and key.rpartition(".")[2] in ("count", "arrivals")
