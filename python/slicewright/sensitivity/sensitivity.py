"""`slicewright.sensitivity`: which guesses of a scenario move its answer, and whether one would change the advice."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import InputError, Scenario
from slicewright.advise.matters import remember
from slicewright.advise.options import percent_of
from slicewright.advise.question import Question
from slicewright.advise.questions import named
from slicewright.errors import Problem, problem, refusal, sentence
from slicewright.experiment.progress import Progress
from slicewright.experiment.store import opened
from slicewright.io.files import write_whole
from slicewright.parameters import brief, check, path_problem, progress_problem, texts_problem, whole_problem
from slicewright.replay.replay import Replayed, facts, ready_to_run
from slicewright.report import text
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.report.shown import Shown
from slicewright.scenario.changes import changes_of
from slicewright.scenario.source import Source, scenario_problem
from slicewright.sensitivity.answer import Answer
from slicewright.sensitivity.guesses import Choice, Guess, guesses
from slicewright.sensitivity.points import Points, by_reading, shortened
from slicewright.sensitivity.recommendation import Ends, ends
from slicewright.sensitivity.report import first_lines, frame, sensitivity_report
from slicewright.sweep.axes import Axis, Value
from slicewright.sweep.place import place
from slicewright.sweep.store import PARTS, Facts, Store

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

    from slicewright.sensitivity.indices import Effort

POINTS, REPORT = "points", "report.html"
"""In the directory of a sensitivity: the store of its points, and its page."""
OVERLOAD = "arrivals ask for"
"""The beginning of the engine's warning about arrivals that cannot be served, so that no answer is steady."""
LEAST_SAMPLES = 32
"""With fewer, shares of the variance are wrong by more than their intervals say."""
_OF_POINTS = 0.7
"""The share of the time that points take where a question is asked as well, about."""


class Sensitivity(Shown):
    """Which guesses of a scenario move its answer; `effects` is a frame of them, the largest effect first.

    >>> from slicewright.sensitivity.example import small
    >>> small().effects["key"].to_list()
    ['guest.USERS.arrivals', 'guest.USERS.program.1.io.reads']
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    @property
    def effects(self) -> polars.DataFrame:
        """A row per guess: its band, the answer at both ends, its effect, the noise, and its shares of the variance."""
        return frame(self.answer)

    def report(self) -> Report:
        """The sensitivity as a report."""
        return sensitivity_report(self.answer)

    def html(self) -> str:
        """The sensitivity as a page."""
        return render(self.report())

    def __str__(self) -> str:
        """The sensitivity as text, as `slicewright sensitivity` prints it."""
        return text.render(self.report())

    def glances(self) -> list[Report]:
        """The report itself."""
        return [self.report()]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The parameters after checking."""

    effort: Effort
    choice: Choice
    question: Question[Any, Any] | None
    of: str | None
    kept: tuple[Path | None, bool]
    """The directory of page and points, and whether points that it has are simulated again."""
    on: Any


@dataclass
class _Steady:
    """Whether a setting of guesses is a scenario whose load can be served."""

    scenario: Scenario
    guesses: Sequence[Guess]
    known: dict[tuple[Value, ...], str] = field(default_factory=dict)

    def __call__(self, setting: npt.NDArray[np.float64]) -> bool:
        return not self.why_not(setting.tolist())

    def why_not(self, setting: Sequence[float]) -> str:
        """Why a setting has no steady answer; "" where it has one."""
        values = tuple(guess.at(share) for guess, share in zip(self.guesses, setting, strict=True))
        if values not in self.known:
            changes = [guess.axis.changes(value) for guess, value in zip(self.guesses, values, strict=True)]
            try:
                said = (str(warning["what"]) for warning in self.scenario.with_(changes).warnings)
                self.known[values] = next((what for what in said if what.startswith(OVERLOAD)), "")
            except InputError as error:
                self.known[values] = str(error.problems[0]["what"])
        return self.known[values]


def sensitivity(
    scenario: Source,
    *,
    question: str | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    vary: Sequence[str] = (),
    fix: Sequence[str] = (),
    within: str = "50%",
    of: str | None = None,
    trajectories: int = 6,
    samples: int = 64,
    out: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    on: Any = None,
    progress: Progress | None = None,
) -> Sensitivity:
    """Which assumed, borrowed and defaulted numbers of a scenario move its answer, and by how much more than noise.

    Each varies by the share `within` of its value, inside the bounds of the schema.  `vary` gives other bands
    (`["guest.*.program.1.think=0.1..0.6 ms"]`), `fix` keeps keys as they are.  The answer is the response of the
    system, or the first number of the headline; `of` names another one (`"volumes.VOL001.response_ms"`).

    A screening with `trajectories` (Morris) finds the numbers that matter; Sobol indices with `samples`, a power of
    two, divide the variance among them.  With `question`, `advise` is asked as well, with each number at both ends of
    its band.  `out` is a directory for the page and for the points, which are never simulated again unless `fresh`.
    `on` is where they are simulated, as in `sweep`.  `progress` is called with the share done.

    Raises InputError with every problem, RunError when a simulation cannot go on, OSError when `out` cannot be written.
    """
    check(
        scenario_problem(scenario),
        texts_problem("vary", vary, 'a list: ["cec.switch=0..20 us"]'),
        texts_problem("fix", fix, 'a list: ["cec.switch"]'),
        whole_problem("trajectories", trajectories, 2, 1000),
        whole_problem("samples", samples, LEAST_SAMPLES, 65536) or _power_problem(samples),
        None if out is None else path_problem("out", out),
        progress_problem(progress),
    )
    asked = _Asked(
        _effort(trajectories, samples), Choice(vary, fix, _share(within)),
        None if question is None else named(question), of, (None if out is None else Path(out), fresh), on,
    )  # fmt: skip
    if out is not None:
        _refuse_others(Path(out))
    ready = ready_to_run(scenario, changes_of(set))
    if asked.question is not None and not asked.question.fits(ready.scenario.view):
        what = f"advise {asked.question.name} cannot be asked of this scenario"
        raise refusal(problem(what, key="question", allowed=asked.question.files))
    result = Sensitivity(_answer(ready, asked, progress or (lambda share: None)))
    if out is not None:
        write_whole(Path(out) / REPORT, result.html().encode())
    remember(ready.scenario, question or "", first_lines(result.answer))
    return result


def _answer(ready: Replayed, asked: _Asked, progress: Progress) -> Answer:
    from slicewright.sensitivity.indices import SEEDS, explore

    chosen = guesses(ready.scenario, asked.choice)
    steady = _Steady(ready.scenario, chosen.vary)
    now = [guess.now for guess in chosen.vary]
    if why := steady.why_not(now):
        raise refusal(problem("no answer is steady", key="SCENARIO", why=why, allowed="a load that can be served"))
    short, quantity = shortened(ready.scenario, ready.recordings, SEEDS, asked.of)
    bare = tuple(Axis(guess.key, guess.axis.unit, guess.axis.kind) for guess in chosen.vary)
    about = Facts(short.name, short.checksum, short.resolved, [*map(facts, ready.recordings)], bare)
    part = 1.0 if asked.question is None else _OF_POINTS
    with _points(asked.kept, about) as store, place(asked.on) as simulating:
        points = Points(short, chosen.vary, quantity, store, (simulating, ready.recordings))
        found = explore(points, now, asked.effort, steady, lambda share: progress(part * share))
        store.finish()
    recommended: Ends | None = None
    if asked.question is not None:
        rest = 1 - part
        recommended = ends(asked.question, ready.scenario, chosen.vary, lambda share: progress(part + rest * share))
    progress(1.0)
    notes = (*ready.notes, *(sentence(warning) for warning in ready.scenario.warnings))
    readings = by_reading(ready.scenario, short, ready.recordings, (quantity, SEEDS))
    return Answer(ready.scenario, short, chosen, quantity, found, recommended, notes, len(store.done), readings)


def _effort(trajectories: int, samples: int) -> Effort:
    """How much is simulated; raises InputError where SALib, an optional extra, is not installed."""
    try:
        import SALib  # noqa: F401
    except ModuleNotFoundError:
        remedy = "pip install 'slicewright[sensitivity]'"
        raise refusal(problem("SALib is not installed", key="sensitivity", remedy=remedy)) from None
    from slicewright.sensitivity.indices import Effort

    return Effort(trajectories, samples)


def _power_problem(samples: int) -> Problem | None:
    if samples & (samples - 1) == 0:
        return None
    return problem(f"{samples} is no power of two", key="samples", allowed="32, 64, 128, 256 and so on")


def _share(within: object) -> float:
    found = percent_of(within) if isinstance(within, str) and within.strip().endswith("%") else None
    if found is None or not 1 <= found <= 95:
        allowed = "a percentage with its sign, 1 % to 95 %: 50%"
        raise refusal(problem(f"not a share: {brief(within)!r}", key="within", allowed=allowed))
    return found / 100


def _refuse_others(out: Path) -> None:
    """Raise InputError unless a name is free, an empty directory, or an earlier sensitivity."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise refusal(problem("is there already and is not a directory", file=str(out), key="out"))
    foreign = sorted({entry.name for entry in out.iterdir()} - {POINTS, REPORT}) if out.exists() else []
    if foreign:
        why, allowed = f"it holds {foreign[0]}", "a new name, an empty directory, or an earlier sensitivity"
        raise refusal(problem("holds something else", file=str(out), key="out", why=why, allowed=allowed))


@contextlib.contextmanager
def _points(kept: tuple[Path | None, bool], about: Facts) -> Iterator[Store]:
    """The store of the points: in the directory that is given; else in the store of simulations, if one is used.

    Where that cannot be written, or another process is writing these points, they last until the answer is there.
    """
    out, fresh = kept
    cache = opened()
    with contextlib.ExitStack() as stack:
        if out is not None:
            yield _ready(stack, out / POINTS, about, fresh)
            return
        store: Store | None = None
        if cache is not None:
            keys = [about.checksum, *sorted(axis.key for axis in about.axes)]
            name = hashlib.sha256(json.dumps(keys).encode()).hexdigest()[:16]
            with contextlib.suppress(InputError, OSError):
                store = _ready(stack, cache.directory(name), about, fresh)
        if store is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="slicewright-"))
            store = _ready(stack, Path(folder) / POINTS, about, False)
        yield store


def _ready(stack: contextlib.ExitStack, folder: Path, about: Facts, fresh: bool) -> Store:
    """A store that is open and can be written; raises InputError and OSError."""
    if fresh:
        with Store(folder, about):  # it is ours, and no other process writes it
            shutil.rmtree(folder / PARTS, ignore_errors=True)
    store = stack.enter_context(Store(folder, about))
    store.refuse_unwritable()
    return store
