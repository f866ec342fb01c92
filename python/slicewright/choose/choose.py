"""`slicewright.choose`: the setting of least cost that keeps every constraint, and the points that say so."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slicewright.choose.answer import Answer, answered
from slicewright.choose.expression import ALLOWED, Constraint, constraint, expression
from slicewright.choose.names import Names
from slicewright.choose.observed import Aim, Observer, Setting
from slicewright.choose.report import choice_report
from slicewright.choose.search import BATCHES, search
from slicewright.choose.selection import Observe, Rules, select
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.parameters import brief
from slicewright.replay.replay import ready_to_run
from slicewright.report import text
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.report.shown import Shown
from slicewright.scenario.changes import changes_of
from slicewright.scenario.source import Source, scenario_problem
from slicewright.sweep.axes import Axis, axes_of
from slicewright.sweep.place import place
from slicewright.sweep.scenarios import Opening
from slicewright.sweep.store import Store, refuse_others
from slicewright.sweep.sweep import Progress, facts_of
from slicewright.values import settings

MOST_COMPARED = 300
"""Settings that are all compared; among more of them Optuna searches."""
TRIALS = 100
"""Settings that a search tries."""


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
    tolerance: float
    indifference: float | None
    most: int
    trials: int | None


@settings.documented("choose")
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
    most: int = 500,
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
    wanted = (subject_to,) if isinstance(subject_to, str) else subject_to
    named = {"out": out, "subject_to": wanted, "replications": replications, "progress": progress}
    terms = {
        "confidence": confidence, "tolerance": tolerance, "indifference": indifference, "most": most, "trials": trials,
        "seed": seed,
    }  # fmt: skip
    problems = [*filter(None, [scenario_problem(scenario)]), *settings.problems("choose", **named, **terms)]
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
            shares = [settings.share("choose", name, terms[name]) for name in ("confidence", "tolerance")]
            answer = _chosen(observer, Terms(*shares, indifference, most, trials))
            store.finish()
            choice = Choice(
                answer, Opening.of(scenario, changes, ready.scenario, axes), None if out is None else directory
            )
            if out is not None:
                store.write_report(choice.html())
    return choice


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
        observer.axes, lambda settings: _of(observer, settings), scales, terms.trials or TRIALS, observer.seed
    )
    settings = searched.finalists()
    if not settings:
        _refuse_hopeless(observer)
    # Fresh random numbers: those of the search favour the settings that had luck.
    return answered(observer, settings, select(len(settings), _of(observer, settings, BATCHES), rules), rules, searched)


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
