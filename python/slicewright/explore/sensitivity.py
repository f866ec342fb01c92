"""`slicewright.sensitivity`: which guesses of a scenario move its answer, whether one changes the advice; its page."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import InputError, Scenario
from slicewright.advise.matters import remember
from slicewright.advise.question import Question
from slicewright.advise.questions import named
from slicewright.experiment.simulations import SEED
from slicewright.explore.axes import Value
from slicewright.explore.expression import Column as Counter
from slicewright.explore.guesses import (
    SEEDS,
    Choice,
    Ends,
    Guess,
    Guesses,
    Points,
    Quantity,
    by_reading,
    ends,
    guesses,
    shortened,
)
from slicewright.explore.observed import FIRST_ROW, Aim, Observer
from slicewright.explore.places import place
from slicewright.explore.store import kept
from slicewright.explore.sweep import facts_of
from slicewright.report.figure import Figure, Look, Number, Panel, Series
from slicewright.report.model import Block, Cell, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.shown import Reported
from slicewright.report.spec import columns
from slicewright.results.frame import Framed, Row
from slicewright.run.tables import declared
from slicewright.scenario.changes import changes_of
from slicewright.scenario.left_open import doubts
from slicewright.scenario.replay import Replayed, ready_to_run
from slicewright.scenario.source import Source, scenario_problem
from slicewright.statistics import Estimate, percent, plural, seconds, significant
from slicewright.values import settings
from slicewright.values.errors import extra, problem, refusal
from slicewright.values.files import write_whole
from slicewright.values.numerals import finite
from slicewright.values.parameters import check
from slicewright.values.progress import Progress, silent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

    from slicewright.explore.indices import Effect, Effort, Found, Share


POINTS, REPORT = "points", "report.html"
"""In the directory of a sensitivity: the store of its points, and its page."""
_OVERLOAD = "arrivals ask for"
"""The beginning of the engine's warning about arrivals that cannot be served, so that no answer is steady."""
_OF_POINTS = 0.7
"""The share of the time that points take where a question is asked as well, about."""


class Sensitivity(Reported, Framed):
    """Which guesses of a scenario move its answer; `effects` is a frame of them, the largest effect first."""

    def __init__(self, answer: _Answer) -> None:
        self.answer = answer

    @property
    def effects(self) -> polars.DataFrame:
        """A row per guess: its band, the answer at both ends, its effect, the noise, and its shares of the variance."""
        import polars as pl

        rows = [_row(self.answer, line) for line in self.answer.lines]
        return pl.DataFrame(rows, infer_schema_length=None)

    def report(self) -> Report:
        """The sensitivity as a report."""
        answer = self.answer
        blocks: list[Block] = [Paragraph(f"{answer.scenario.name}  {_measured(answer)}", flush=True, face=Face.TEXT)]
        blocks += [*_leads(answer), *_readings(answer), _tornado(answer), _table(answer)]
        sections = [Section("Guesses", blocks), Section("", _notes(answer))]
        first = answer.lines[0]
        facts = [
            ("most", first.guess.key),
            ("guesses", str(len(answer.guesses.vary))),
            ("points", f"{answer.points:,}"),
        ]
        if answer.asked is not None:
            facts.insert(0, (f"would change {answer.asked.question}", str(len(answer.changing))))
        return Report(f"Which guess matters in {answer.scenario.name}", _measured(answer), facts, sections)

    def framed(self) -> Iterator[Row]:
        """The answer as it is, under each reading, and with each guess alone at both ends of its band."""
        answer, quantity = self.answer, self.answer.quantity
        subject = f"{quantity.table}.{quantity.entity}".removesuffix(".")
        unit = declared(quantity.table)[quantity.counter]
        yield Row(subject, quantity.counter, answer.found.now, unit=unit)
        for reading, value in answer.readings.items():
            yield Row(subject, quantity.counter, value, reading=reading, unit=unit)
        for line in answer.lines:
            axis = line.guess.axis
            for end, value in zip((axis.low, axis.high), _ends(answer, line), strict=True):
                yield Row(subject, quantity.counter, value, axis.changes(end), unit=unit)


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
                self.known[values] = next((what for what in said if what.startswith(_OVERLOAD)), "")
            except InputError as error:
                self.known[values] = str(error.problems[0]["what"])
        return self.known[values]


@settings.documented("sensitivity")
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

    >>> from slicewright._core import starter
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "200 ms"}
    >>> vary = ["guest.USERS.arrivals=400..600 /s"]
    >>> found = sensitivity(starter("mm1"), set=quick, vary=vary, within="20%", trajectories=2, samples=32)
    >>> found.effects["key"][0]
    'volume.DISK.service.connect.exponential'
    """
    given = {
        "vary": vary, "fix": fix, "trajectories": trajectories, "samples": samples, "out": out, "progress": progress,
    }  # fmt: skip
    check(scenario_problem(scenario), *settings.problems("sensitivity", **given))
    share = settings.share("sensitivity", "within", within)
    extra("SALib", "SALib", "sensitivity", "'slicewright[sensitivity]'")
    from slicewright.explore.indices import Effort

    asked = _Asked(
        Effort(trajectories, samples), Choice(vary, fix, share),
        None if question is None else named(question), of, (None if out is None else Path(out), fresh), on,
    )  # fmt: skip
    if out is not None:
        _refuse_others(Path(out))
    ready = ready_to_run(scenario, changes_of(set))
    if asked.question is not None and not asked.question.fits(ready.scenario.view):
        what = f"advise {asked.question.name} cannot be asked of this scenario"
        raise refusal(problem(what, key="question", allowed=asked.question.files))
    result = Sensitivity(_answer(ready, asked, progress or silent))
    if out is not None:
        write_whole(Path(out) / REPORT, result.html().encode())
    remember(ready.scenario, question or "", _first_lines(result.answer))
    return result


def _answer(ready: Replayed, asked: _Asked, progress: Progress) -> _Answer:
    from slicewright.explore.indices import explore

    chosen = guesses(ready.scenario, asked.choice)
    steady = _Steady(ready.scenario, chosen.vary)
    now = [guess.now for guess in chosen.vary]
    if why := steady.why_not(now):
        raise refusal(problem("no answer is steady", key="SCENARIO", why=why, allowed="a load that can be served"))
    short, quantity = shortened(ready.scenario, ready.recordings, SEEDS, asked.of)
    axes = tuple(guess.axis for guess in chosen.vary)
    about = facts_of(Replayed(short, ready.recordings), axes)
    part = 1.0 if asked.question is None else _OF_POINTS
    out, fresh = asked.kept
    points = None if out is None else out / POINTS
    with kept(points, about, fresh=fresh) as store, place(asked.on) as simulating:
        aim = Aim(quantity.named, Counter(quantity.table, quantity.entity, quantity.counter, FIRST_ROW), ())
        where = (simulating, ready.recordings)
        measured = Points(chosen.vary, Observer(store, short, SEED, axes, where, aim, lambda: progress))
        found = explore(measured, now, asked.effort, steady, lambda share: progress(part * share))
        store.finish()
    recommended: Ends | None = None
    if asked.question is not None:
        rest = 1 - part
        recommended = ends(asked.question, ready.scenario, chosen.vary, lambda share: progress(part + rest * share))
    progress(1.0)
    notes = (*ready.notes, *doubts(ready.scenario))
    readings = by_reading(ready.scenario, short, ready.recordings, (quantity, SEEDS))
    return _Answer(ready.scenario, short, chosen, quantity, found, recommended, notes, len(store.done), readings)


def _refuse_others(out: Path) -> None:
    """Raise InputError unless a name is free, an empty directory, or an earlier sensitivity."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise refusal(problem("is there already and is not a directory", file=str(out), key="out"))
    foreign = sorted({entry.name for entry in out.iterdir()} - {POINTS, REPORT}) if out.exists() else []
    if foreign:
        why, allowed = f"it holds {foreign[0]}", "a new name, an empty directory, or an earlier sensitivity"
        raise refusal(problem("holds something else", file=str(out), key="out", why=why, allowed=allowed))


@dataclass(frozen=True, slots=True)
class _Line:
    """One guess with all that is known of it."""

    guess: Guess
    effect: Effect
    share: Share | None
    place: int
    """Its place among the guesses of the scenario."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """All of it, of one scenario."""

    scenario: Scenario
    """As given, with what was set."""
    measured: Scenario
    """As its points are measured, but for the values of guesses."""
    guesses: Guesses
    quantity: Quantity
    found: Found
    asked: Ends | None
    notes: tuple[str, ...]
    points: int
    """Points in the store."""
    readings: Mapping[str, Estimate]
    """The quantity under each reading that a fit left; empty where the scenario is the only one."""

    @property
    def lines(self) -> list[_Line]:
        """The guesses, those that move the answer most first; those of noise alone last."""
        return list(self._lines())

    @property
    def changing(self) -> list[_Line]:
        """The guesses that would change the recommendation."""
        return [line for line in self.lines if self.asked is not None and self.asked.changes(line.place)]

    def _lines(self) -> Iterator[_Line]:
        for at in self.found.ranked:
            yield _Line(self.guesses.vary[at], self.found.effects[at], self.found.shares.get(at), at)


_DRAWN = 12
"""Guesses of the tornado."""
_PRINTED = 15
"""Guesses as text; the page has all."""
_FIRST = 3
"""Guesses that `advise` names."""
_NOISE = "not distinguishable from noise"
_NONE = "no effect"


def _first_lines(answer: _Answer) -> list[str]:
    """The guesses that move the answer most, a sentence each, as `advise` repeats them."""
    lines = [line for line in answer.lines if line.effect.distinguishable]
    if answer.asked is not None:
        lines.sort(key=lambda line: not answer.asked or not answer.asked.changes(line.place))
    return [_sentence(answer, line) for line in lines[:_FIRST]]


def _row(answer: _Answer, line: _Line) -> dict[str, Any]:
    guess, effect, share, name = line.guess, line.effect, line.share, answer.quantity.counter
    ends = _ends(answer, line)
    row: dict[str, Any] = {
        "key": guess.key, "unit": guess.axis.unit, "value": guess.number, "role": guess.role,
        "low": guess.axis.low, "high": guess.axis.high,
        f"{name}_low": finite(ends[0].mean), f"{name}_high": finite(ends[1].mean),
        "effect": finite(effect.mean), "noise": finite(effect.noise), "spread": finite(effect.spread),
        "distinguishable": effect.distinguishable,
        "first": finite(share.first.mean) if share else None, "total": finite(share.total.mean) if share else None,
    }  # fmt: skip
    if answer.asked is not None:
        low, high = answer.asked.of[line.place]
        row |= {"recommended_low": low.words, "recommended_high": high.words}
        row["changes"] = answer.asked.changes(line.place)
    return row


def _measured(answer: _Answer) -> str:
    measure = answer.measured.measure
    now = answer.found.now
    return (
        f"{answer.quantity.named} {now} as it is; intervals of {seconds(measure['interval_s'])}, "
        f"{plural(now.replications, 'seed')}"
    )


def _leads(answer: _Answer) -> list[Block]:
    lines = answer.lines
    sure = [line for line in lines if line.effect.distinguishable]
    of_noise = f"noise floor {significant(answer.found.noise)}"
    counted = f"{len(sure)} of {plural(len(lines), 'guess', 'guesses')} more than noise ({of_noise})"
    most = f"{sure[0].guess.key} moves {answer.quantity.named} most: {_span(answer, sure[0])}" if sure else ""
    first = Lead(most if sure else "No guess moves the answer by more than noise", counted)
    if answer.asked is None:
        return [first]
    now, question = answer.asked.noise, answer.asked.question
    changing = answer.changing
    if not changing:
        return [first, Paragraph(f"advise {question}: {now}, whichever guess is wrong within its band.")]
    names = ", ".join(line.guess.key for line in changing)
    return [first, Paragraph(f"advise {question}: {now}; another recommendation with: {names}.")]


def _readings(answer: _Answer) -> list[Block]:
    """The range over the readings that a fit left, which move several numbers together."""
    if not answer.readings:
        return []
    low, high = (pick(answer.readings.values(), key=lambda value: value.mean) for pick in (min, max))
    count = plural(len(answer.readings), "reading")
    return [Paragraph(f"{answer.quantity.named} over {count} of the fit: {low} to {high}.")]


def _sentence(answer: _Answer, line: _Line) -> str:
    guess = line.guess
    said = f"{guess.key} {_value(line, guess.number)} ({guess.role}), {_band(line)}"
    said += f": {answer.quantity.named} {_span(answer, line)}"
    if answer.asked is None:
        return said
    low, high = answer.asked.of[line.place]
    changed = f"{low.words} to {high.words}" if answer.asked.changes(line.place) else "unchanged"
    return f"{said}; {answer.asked.question} {changed}"


def _ends(answer: _Answer, line: _Line) -> tuple[Estimate, Estimate]:
    """The answer at both ends of the band; the half-widths are those of differences."""
    now = answer.found.now.mean
    low, high = (
        Estimate(now + end.mean, end.half_width, end.replications) for end in (line.effect.low, line.effect.high)
    )
    return low, high


def _span(answer: _Answer, line: _Line) -> str:
    means = (end.mean for end in _ends(answer, line))
    low, high = (significant(mean) if math.isfinite(mean) else "no steady answer" for mean in means)
    return f"{low} to {high}"


def _value(line: _Line, value: float) -> str:
    unit = line.guess.axis.unit
    return f"{value:g}{'' if unit.startswith('/') or not unit else ' '}{unit}"


def _band(line: _Line) -> str:
    return f"{_value(line, line.guess.axis.low)} to {_value(line, line.guess.axis.high)}"


_GUESSES = """
    key                | | guess
    value              | | as it is
    band
    answer
    effect             | 3
    noise              | 3
    first ?            | | alone
    total ?            | | in all
    {recommended}
    page role
"""


def _table(answer: _Answer) -> Table[_Line]:
    name, asked = answer.quantity.named, answer.asked
    values: dict[str, Callable[[_Line], Any]] = {
        "key": lambda line: line.guess.key,
        "value": lambda line: Cell(_value(line, line.guess.number), note=line.guess.why),
        "band": _band, "answer": lambda line: _span(answer, line),
        "effect": lambda line: finite(line.effect.mean), "noise": lambda line: finite(line.effect.noise),
        "first": lambda line: _share(line, "first"), "total": lambda line: _share(line, "total"),
        "recommended": lambda line: _recommended(answer, line), "role": lambda line: line.guess.role,
    }  # fmt: skip
    lines = _GUESSES.format(recommended=f"recommended | | {asked.question}" if asked else "")
    own = [replace(each, header=name) if each.key == "answer" else each for each in columns(lines, (), values)]
    own.append(Column("why", "why", lambda line: line.guess.why, face=Face.JSON))
    shown = {line.guess.key for line in answer.lines[:_PRINTED]}
    legend = (
        f"Effect: mean change of {name} over the band (mu* of the screening). Noise: what a guess without effect would "
        "show in 1 case of 20. Alone, in all: shares of the variance (Sobol), of guesses that matter."
    )
    return Table(
        own, answer.lines, legend=legend, marks=lambda line: _marks(answer, line),
        brief=lambda line: line.guess.key in shown,
    )  # fmt: skip


def _share(line: _Line, name: str) -> str:
    if line.share is None:
        return ""
    share: Estimate = getattr(line.share, name)
    return f"{percent(share.mean, 0)} ± {percent(share.half_width, 0)}"


def _recommended(answer: _Answer, line: _Line) -> str:
    assert answer.asked is not None
    low, high = answer.asked.of[line.place]
    return low.words if low.words == high.words else f"{low.words} to {high.words}"


def _marks(answer: _Answer, line: _Line) -> list[str]:
    marks = []
    if line.effect.none:
        marks.append(_NONE)
    elif not line.effect.distinguishable:
        marks.append(_NOISE)
    if answer.asked is not None and answer.asked.changes(line.place):
        marks.append(f"changes {answer.asked.question}")
    return marks


def _tornado(answer: _Answer) -> Figure:
    """Of each guess the change of the answer at both ends of its band, the largest effect on top."""
    drawn = answer.lines[:_DRAWN]
    names = [f"{line.guess.key}, {_band(line)}" for line in drawn]
    ends = [
        ("low end of its band", [line.effect.low for line in drawn], Look(2)),
        ("high end of its band", [line.effect.high for line in drawn], Look(1, texture="hatched")),
    ]
    panels = [_panel(f"Change of {answer.quantity.named}", names, ends)]
    if answer.asked is not None and (moved := _numbers(answer, drawn)):
        panels.append(_panel(f"Change of {answer.asked.question}", names, moved))
    most = answer.lines[0]
    alternative = (
        f"Tornado of {plural(len(drawn), 'guess', 'guesses')}: change of {answer.quantity.named} at both ends of the "
        f"band of each; most with {most.guess.key}, {_span(answer, most)}"
    )
    caption = "Each guess alone at both ends of its band; the others as they are. Whiskers: 95 % intervals over seeds."
    return Figure(panels, "", caption, layout="rows", alternative=alternative)


_Moves = Sequence[tuple[str, Sequence[Estimate], Look]]


def _panel(label: str, names: Sequence[str], ends: _Moves) -> Panel:
    rows = [float(at) for at in range(len(names))]
    series: list[Series] = []
    for name, values, look in ends:
        means: list[Number] = [finite(value.mean) for value in values]
        lows: list[Number] = [None if mean is None else min(mean, 0.0) for mean in means]
        highs: list[Number] = [None if mean is None else max(mean, 0.0) for mean in means]
        nothing: list[Number] = [None] * len(rows)
        series.append(Series(rows, nothing, label=name, kind="spans", low=lows, high=highs, look=look))
        if any(value.half_width for value in values):
            halves = [finite(value.half_width) for value in values]
            dot = Look(0, filled=False, shape="circle")
            series.append(Series(rows, means, halves, "", "points", look=dot))
    return Panel(label, series, origin="both sides", names=names)


def _numbers(answer: _Answer, drawn: Sequence[_Line]) -> _Moves:
    """The change of the recommended number at both ends; none where it is a word."""
    asked = answer.asked
    now = asked.now[0].number if asked is not None else None
    if asked is None or now is None:
        return []
    found = []
    for at, (name, look) in enumerate(
        (("low end of its band", Look(2)), ("high end of its band", Look(1, texture="hatched")))
    ):
        numbers = [asked.of[line.place][at].number for line in drawn]
        found.append((name, [Estimate(math.nan if n is None else n - now, 0.0, 1) for n in numbers], look))
    return found


def _notes(answer: _Answer) -> list[Block]:
    found = answer.found
    notes = list(answer.notes)
    complete, wanted = found.trajectories
    if complete < wanted:
        notes.append(
            f"{complete} of {wanted} trajectories are complete: others have settings that are refused, that fail, or "
            "whose load cannot be served; a narrower band (--within) helps"
        )
    blocks, planned = found.samples
    if blocks < planned:
        notes.append(f"{blocks} of {planned} samples are complete")
    if found.shares and found.noise_share > _NOISY:
        notes.append(f"{percent(found.noise_share, 0)} of the variance is simulation noise: measure longer intervals")
    narrowed = [line.guess.key for line in answer.lines if line.guess.narrowed]
    if narrowed:
        notes.append(f"a band is narrower, as other values are refused: {', '.join(narrowed)}")
    made: list[Block] = [Notes("Notes", notes)] if notes else []
    if answer.asked is not None:
        whys = {end.why: line.guess.key for line in answer.lines for end in answer.asked.of[line.place] if end.why}
        made += [Notes("No advice", [f"{key}: {why}" for why, key in whys.items()])] if whys else []
    if answer.guesses.left_out:
        left = plural(len(answer.guesses.left_out), "guess", "guesses")
        made.append(Notes("Not varied", answer.guesses.left_out, Face.HTML))
        made.append(Notes("Not varied", [f"{left}: words, and numbers without a band; the page lists them"], Face.TEXT))
    return made


_NOISY = 0.01
