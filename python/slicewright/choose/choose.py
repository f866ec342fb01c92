"""`slicewright.choose`: the setting of least cost that keeps every constraint, and the points that say so."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from slicewright.choose.answer import Answer, Candidate, answered, candidate
from slicewright.choose.expression import ALLOWED, Constraint, constraint, expression
from slicewright.choose.names import Names
from slicewright.choose.observed import Aim, Observer, Setting
from slicewright.choose.report import choice_report
from slicewright.choose.search import BATCHES, search
from slicewright.choose.selection import FIRST, Observe, Rules, select
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.parameters import (
    brief,
    check,
    kind_problem,
    number_problem,
    path_problem,
    progress_problem,
    texts_problem,
    whole_problem,
)
from slicewright.reading.left_open import LeftOpen
from slicewright.replay.replay import Replayed, ready_to_run
from slicewright.report import text
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.report.shown import Shown
from slicewright.run.run import MOST_REPLICATIONS
from slicewright.scenario.changes import changes_of
from slicewright.scenario.source import Source, scenario_problem
from slicewright.sweep.axes import Axis, axes_of
from slicewright.sweep.place import place
from slicewright.sweep.scenarios import Opening
from slicewright.sweep.store import Store, refuse_others
from slicewright.sweep.sweep import Progress, facts_of

MOST_COMPARED = 300
"""Settings that are all compared; among more of them Optuna searches."""
TRIALS = 100
"""Settings that a search tries."""
BATCHES_GIVEN = 500
"""Most batches of a setting where no other number is given."""
MOST_BATCHES, MOST_TRIALS = 100_000, 100_000


class Choice(Shown):
    """The answer to a choice: `answer` as data, and the report of it.

    >>> from slicewright.choose.example import cheapest
    >>> cheapest().answer.chosen.values
    (4,)
    """

    def __init__(self, answer: Answer, opening: Opening, directory: Path | None) -> None:
        self.answer = answer
        self.opening = opening
        self.directory = directory
        """Its store; None where none was asked for."""

    def report(self) -> Report:
        """The choice as a report."""
        return choice_report(self.answer, self.opening)

    def html(self) -> str:
        """The choice as a page, the `report.html` of its store."""
        return render(self.report())

    def __str__(self) -> str:
        """The choice as text, as `slicewright choose` prints it."""
        return text.render(self.report())

    def glances(self) -> list[Report]:
        """The report itself."""
        return [self.report()]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a choice besides its aim."""

    confidence: float
    indifference: float | None
    tolerance: float
    most: int
    trials: int | None
    seed: int


def choose(
    scenario: Source,
    knobs: Mapping[str, object] | Sequence[str],
    minimise: str,
    subject_to: str | Sequence[str] = (),
    *,
    out: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    confidence: str = "95%",
    indifference: float | None = None,
    tolerance: str = "1%",
    most: int = BATCHES_GIVEN,
    trials: int | None = None,
    seed: int = 1,
    replications: int | None = None,
    on: Any = None,
    progress: Progress | None = None,
) -> Choice:
    """Choose the setting of least cost that keeps every constraint, with a stated probability.

    `knobs` maps keys to values, as the axes of `sweep`.  `minimise` is an expression over knobs and counters, such as
    `"3 * aliases + max(volumes.*.response_ms)"`; `subject_to` has constraints such as `"response_ms <= 5"`.

    A batch is a run of `replications`, with the same random numbers for all settings; batches are added, up to `most`,
    until the intervals decide.  The choice is the best with a probability of `confidence`, where it costs less than the
    others by `indifference` (default: 1 % of the least cost) and keeps constraints by `tolerance` of their bounds.  Up
    to 300 settings are all compared.  Of more, Optuna tries `trials` (default: 100), and the best ten are compared.

    `out`, `set`, `on` and `progress` are as in `sweep`, and so are the errors.  A setting that fails is not chosen.

    >>> from slicewright._core import starter
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    >>> choose(starter("pool"), ["alias_pool.*.aliases=0,8"], "aliases", "response_ms <= 3", set=quick).answer.points
    20
    """
    problems: list[Problem] = []
    wanted = (subject_to,) if isinstance(subject_to, str) else subject_to
    gathered(problems, lambda: _check(scenario, out, (wanted, replications, progress)))
    terms = gathered(problems, lambda: _terms((confidence, tolerance), indifference, (most, trials, seed)))
    given = gathered(problems, lambda: axes_of(knobs))
    aims = gathered(problems, lambda: _aim(minimise, wanted, given[0][0])) if given else []
    if problems:
        raise refusal(*problems)
    axes, single = given[0]
    changes = [*changes_of(set), *single, *([f"measure.replications={replications}"] if replications else [])]
    ready = ready_to_run(scenario, changes)
    with _directory(out) as directory:
        store = Store(directory, facts_of(ready, axes))
        refuse_others(store.directory, store.facts)
        with store, place(on) as simulating:
            where = (simulating, ready.recordings)
            observer = Observer(store, ready.scenario, seed, tuple(axes), where, aims[0], _onward(progress))
            answer = _with_readings(observer, _chosen(observer, terms[0]), changes)
            store.finish()
            choice = Choice(
                answer, Opening.of(scenario, changes, ready.scenario, axes), None if out is None else directory
            )
            if out is not None:
                store.write_report(choice.html())
    return choice


def _check(scenario: object, out: object, others: tuple[Any, object, object]) -> None:
    """Raise InputError with every problem of names and of the numbers of a run."""
    wanted, replications, progress = others
    check(
        scenario_problem(scenario),
        None if out is None else path_problem("out", out),
        problem("no name", key="out") if out == "" else None,
        texts_problem("subject-to", wanted, 'a text, or a list: ["response_ms <= 5"]'),
        None if replications is None else whole_problem("replications", replications, 1, MOST_REPLICATIONS),
        progress_problem(progress),
    )


def _terms(shares: tuple[object, object], indifference: object, numbers: tuple[object, object, object]) -> Terms:
    """The terms that were given; raises InputError with every problem."""
    most, trials, seed = numbers
    problems: list[Problem] = []
    confidence = gathered(problems, lambda: _share("confidence", shares[0], 0.5, 0.9999))
    tolerance = gathered(problems, lambda: _share("tolerance", shares[1], 0.0001, 0.5))
    wrong = [
        None if indifference is None else _above_zero("indifference", indifference),
        whole_problem("most", most, FIRST, MOST_BATCHES),
        None if trials is None else whole_problem("trials", trials, 1, MOST_TRIALS),
        whole_problem("seed", seed, 0, 2**64 - 1),
    ]
    problems += filter(None, wrong)
    if problems:
        raise refusal(*problems)
    given: Any = (confidence[0], indifference, tolerance[0], most, trials, seed)
    return Terms(*given)


def _chosen(observer: Observer, terms: Terms) -> Answer:
    """Compare all settings, or search first and compare the best of the search with random numbers of their own."""
    aim = observer.aim
    scales = [abs(each.bound) for each in aim.constraints]
    rules = Rules(terms.confidence, terms.indifference, [terms.tolerance * each for each in scales], terms.most)
    count = math.prod(len(axis.values) for axis in observer.axes)
    if count and count <= MOST_COMPARED and terms.trials is None:
        settings = list(itertools.product(*(axis.values for axis in observer.axes)))
        return answered(observer, settings, select(len(settings), _of(observer, settings), rules), rules)
    observer.searching = True
    searched = search(
        observer.axes, lambda settings: _of(observer, settings), scales, terms.trials or TRIALS, terms.seed
    )
    settings = searched.finalists()
    if not settings:
        _refuse_hopeless(observer)
    # Fresh random numbers: those of the search favour the settings that had luck.
    return answered(observer, settings, select(len(settings), _of(observer, settings, BATCHES), rules), rules, searched)


def _with_readings(observer: Observer, answer: Answer, changes: Sequence[str]) -> Answer:
    """The answer with its setting under each reading that a fit left, all with the same random numbers."""
    left_open, chosen = LeftOpen.of(observer.scenario), answer.chosen
    if chosen is None or not left_open.readings:
        return answer
    found: dict[str, Candidate] = {}
    for name, load in left_open.loads(observer.scenario, changes).items():
        facts = facts_of(Replayed(load, tuple(observer.where[1])), observer.axes)
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "store"), facts) as store:
            own = replace(observer, store=store, scenario=load, progress=lambda share: None, reasons={}, ids=set())
            rows = own.observe([chosen.values], range(FIRST))[0]
            found[name] = candidate(own, chosen.values, chosen.standing, rows.T.tolist())
    return replace(answer, readings=found)


def _of(observer: Observer, settings: Sequence[Setting], later: int = 0) -> Observe:
    def observe(who: Sequence[int], batches: range) -> Any:
        return observer.observe([settings[at] for at in who], range(batches.start + later, batches.stop + later))

    return observe


def _refuse_hopeless(observer: Observer) -> None:
    setting, reason = next(iter(observer.reasons.items()))
    raise refusal(problem(f"no setting that was tried has a value: at {setting}", key="knob", why=reason))


def _aim(minimise: object, wanted: object, axes: Sequence[Axis]) -> Aim:
    """The cost and the constraints that were given; raises InputError with every problem."""
    names = Names(tuple(axes))
    problems: list[Problem] = []
    if not axes:
        remedy = "give a key more than one value: --knob alias_pool.A.aliases=0..8"
        problems.append(problem("nothing varies", key="knob", remedy=remedy))
    cost = gathered(problems, lambda: expression("minimise", minimise, names))
    constraints: list[Constraint] = []
    for each in wanted if isinstance(wanted, Sequence) else ():
        constraints += gathered(problems, lambda each=each: constraint("subject-to", each, names))  # type: ignore[misc]
    problems += [
        problem("the bound is 0", key="subject-to", why=f"in `{brief(each.text)}`: the tolerance is a share of it",
                remedy="add a constant to both sides")
        for each in constraints if each.bound == 0 or not math.isfinite(each.bound)
    ]  # fmt: skip
    if problems:
        raise refusal(*problems)
    return Aim(" ".join(str(minimise).split()), cost[0], tuple(constraints))


def _share(key: str, given: object, least: float, most: float) -> float:
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*", given) if isinstance(given, str) else None
    share = float(match[1]) / 100 if match else math.nan
    if not least < share <= most:
        allowed = f"a percentage with its sign, above {100 * least:g} % and up to {100 * most:g} %"
        raise refusal(problem(f"not a share: `{brief(given)}`", key=key, allowed=allowed))
    return share


def _above_zero(key: str, given: object) -> Problem | None:
    wrong = number_problem(key, given, "a number above 0, in units of the cost")
    if wrong or not isinstance(given, int | float):
        return wrong or kind_problem(key, given, (int, float), "a number above 0")
    return None if 0 < given < math.inf else problem(f"out of range: {given}", key=key, allowed="a number above 0")


def _onward(progress: Progress | None) -> Callable[[float], None]:
    """Progress that never goes back: later batches are few, and how many is not known before."""
    furthest = 0.0

    def report(share: float) -> None:
        nonlocal furthest
        furthest = max(furthest, 0.99 * share)
        if progress:
            progress(furthest)

    return report


@contextlib.contextmanager
def _directory(out: str | os.PathLike[str] | None) -> Iterator[Path]:
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "store")


__all__ = ["ALLOWED", "Choice", "choose"]
