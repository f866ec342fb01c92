"""The page of a choice: the setting, the runner-up, what separates them, and figures with the limits drawn in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from slicewright._core import __version__
from slicewright.choose.answer import Answer, Candidate
from slicewright.choose.expression import Constraint
from slicewright.choose.names import Column as Counter
from slicewright.choose.search import worst
from slicewright.choose.selection import FIRST, Standing
from slicewright.reading.left_open import GIVEN
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import estimates, estimates_apart, words_right
from slicewright.report.model import Block, Cell, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.statistics import Estimate, count, percent, plural, significant
from slicewright.sweep.report import LISTED, PRINTED, Measured, limit_line, surfaces
from slicewright.sweep.scenarios import Opening, name_of

_NAMED = {GIVEN: "the scenario"}
_SHOWN = {
    Standing.CHOSEN: 0, Standing.OPEN: 1, Standing.DEARER: 2, Standing.SEARCHED: 3, Standing.BROKEN: 4,
    Standing.FAILED: 5,
}  # fmt: skip


def choice_report(answer: Answer, opening: Opening) -> Report:
    """A choice as a report.

    >>> from slicewright.choose.example import cheapest
    >>> choice_report(cheapest().answer, cheapest().opening).sections[0].title
    'Choice'
    """
    asked = _asked(answer)
    lead, aside = _lead(answer)
    first: list[Block] = [
        Paragraph(f"{answer.name}  {asked}", flush=True, face=Face.TEXT),
        Lead(lead, aside),
        *_separation(answer),
    ]
    if answer.chosen and answer.aim.constraints:
        first.append(_constraints(answer, answer.chosen))
    first += _readings(answer)
    settings: list[Block] = [_table(answer)]
    if len(answer.candidates) > PRINTED:
        settings.append(Paragraph(f"Text has {PRINTED} of {len(answer.candidates):,} settings; the page has more."))
    known = [each for each in _ordered(answer) if math.isfinite(each.cost.mean)]
    settings.append(opening.scenarios([(_name(answer, each), each.values, []) for each in known]))
    lost = [each for each in answer.candidates if each.standing is Standing.FAILED]
    notes = [f"{_name(answer, each)}: {each.reason}" for each in lost[:12]]
    notes += [f"and {len(lost) - 12} more"] * (len(lost) > 12)
    settings.append(Notes("No value", notes))
    settings.append(Notes("Procedure", _procedure(answer)))
    facts = [
        ("settings", f"{len(answer.candidates):,}"),
        ("points", f"{answer.points:,}"),
        ("scenario", opening.scenario.checksum[:16]),
        ("slicewright", __version__),
    ]
    sections = [Section("Choice", first), Section("Cost and constraints", _figures(answer, known))]
    return Report(f"Choice for {answer.name}", asked, facts, [*sections, Section("Settings", settings)])


def _asked(answer: Answer) -> str:
    limits = ", ".join(constraint.text for constraint in answer.aim.constraints)
    return f"minimise {answer.aim.text}" + (f" subject to {limits}" if limits else "")


def _name(answer: Answer, candidate: Candidate) -> str:
    return name_of(answer.axes, candidate.values)


def _lead(answer: Answer) -> tuple[str, str]:
    chosen, nearest = answer.chosen, answer.nearest
    share = percent(answer.rules.confidence, 0)
    if chosen is not None:
        name = f"{_name(answer, chosen)}: cost {_cost(chosen.cost)}"
        if not answer.selection.sure:
            return name, f"the best so far: {plural(answer.rules.most, 'batch', 'batches')} did not decide"
        among = f" among the {_finalists(answer)} best of the search" if answer.searched else ""
        return name, f"the best with at least {share} probability{among}"
    keeps = " and ".join(constraint.text for constraint in answer.aim.constraints) or "a value"
    if nearest is None:
        return "No setting has a value.", ""
    if not answer.selection.sure:
        return f"No setting keeps {keeps} so far; {answer.rules.most} batches did not decide.", ""
    tried = " that was tried" if answer.searched else ""
    return f"No setting{tried} keeps {keeps}.", ""


def _nearest(answer: Answer) -> list[Block]:
    """The setting that breaks its constraints least, and by how much it breaks the worst of them."""
    nearest = answer.nearest
    if nearest is None or not answer.aim.constraints:
        return []
    scales = [abs(constraint.bound) for constraint in answer.aim.constraints]
    number = max(range(len(scales)), key=lambda at: nearest.excesses[at].mean / scales[at])
    over = percent(worst(nearest.excesses, scales))
    value = f"{_left(answer.aim.constraints[number])} {nearest.measured[number]}"
    return [Notes("Nearest", [f"{_name(answer, nearest)}: {value}, {over} off the bound"])]


def _separation(answer: Answer) -> list[Block]:
    """What the chosen setting is next to: the runner-up, and the cheaper one that breaks a constraint."""
    chosen, other, difference, broken = answer.chosen, answer.runner_up, answer.difference, answer.refused_nearest
    if chosen is None:
        return _nearest(answer)
    blocks: list[Block] = []
    if other is None or difference is None:
        blocks.append(Notes("Runner-up", ["no other setting keeps the constraints"]))
    else:
        blocks.append(
            Notes("Runner-up", [f"{_name(answer, other)}: it costs {_more(difference)}; {_state(answer, other)}"])
        )
    if broken is None:
        blocks.append(Notes("Binds", ["no constraint: no cheaper setting breaks one"] * bool(answer.aim.constraints)))
        return blocks
    where = [at for at, excess in enumerate(broken.excesses) if excess.mean > 0] or [0]
    lines = [
        f"{answer.aim.constraints[at].text}: {_name(answer, broken)}, of cost {_cost(broken.cost)}, has "
        f"{broken.measured[at]}"
        for at in where
    ]
    return [*blocks, Notes("Binds", lines)]


def _more(difference: Estimate) -> str:
    if _exact(difference):
        return f"{count(difference.mean)} more" if difference.mean else "the same"
    if difference.low > 0:
        return f"{difference} more"
    return f"{difference} more, which may be noise"


def _exact(value: Estimate) -> bool:
    """Whether a cost has no noise, as it is of knobs alone."""
    return not value.half_width > 1e-9 * abs(value.mean)


def _cost(value: Estimate) -> str:
    return count(float(f"{value.mean:.9g}")) if _exact(value) else str(value)


def _costs(values: Sequence[Estimate | str]) -> list[str]:
    known = [value for value in values if isinstance(value, Estimate)]
    if all(map(_exact, known)):
        return [_cost(value) if isinstance(value, Estimate) else value for value in values]
    return estimates(values)


def _state(answer: Answer, candidate: Candidate) -> str:
    values = [
        f"{_left(constraint)} {measured}"
        for constraint, measured in zip(answer.aim.constraints, candidate.measured, strict=True)
    ]
    return ", ".join(values) or "there are no constraints"


def _left(constraint: Constraint) -> str:
    return constraint.text.partition(constraint.comparison)[0].strip()


def _constraints(answer: Answer, chosen: Candidate) -> Table[Any]:
    rows = list(zip(answer.aim.constraints, chosen.measured, chosen.excesses, strict=True))
    columns: list[Column[Any]] = [
        Column("constraint", "constraint", lambda row: row[0].text),
        Column("value", "value here", lambda row: row[1], form=estimates_apart),
        Column(
            "bound", "bound", lambda row: row[0].bound, form=lambda values: [significant(value) for value in values]
        ),
        Column("margin_percent", "margin", lambda row: -100 * row[2].mean / abs(row[0].bound), "%", _percents),
        Column("state", "state", lambda row: _met(row[2])),
    ]
    return Table(columns, rows, legend="± is simulation noise (95 %).")


def _readings(answer: Answer) -> list[Block]:
    """The chosen setting under each reading that a fit left: ranges of cost and constraints, and where one breaks."""
    if not answer.readings:
        return []
    found = list(answer.readings.items())
    constraints = answer.aim.constraints
    columns: list[Column[Any]] = [Column("reading", "reading", lambda row: _NAMED.get(row[0], row[0]))]
    columns.append(Column("cost", "cost", lambda row: _known(row[1].cost), form=_costs))
    for number, constraint in enumerate(constraints):
        columns.append(
            Column(
                f"constraint_{number + 1}", _left(constraint), lambda row, at=number: _known(row[1].measured[at]),  # type: ignore[misc]
                _unit(constraint), estimates,
            )
        )  # fmt: skip
    said = [f"cost {_span([each.cost.mean for _, each in found])}"]
    for number, constraint in enumerate(constraints):
        broken = sum(not each.excesses[number].low <= 0 for _, each in found)
        values = f"{_left(constraint)} {_span([each.measured[number].mean for _, each in found])}"
        said.append(f"{values}, {constraint.text} broken under {broken}")
    over = f"Over the {plural(len(found), 'reading')} of the fit: {'; '.join(said)}."
    return [Paragraph(over), Table(columns, found, legend="The setting under each load that reproduces the evidence.")]


def _span(values: Sequence[float]) -> str:
    return f"{significant(min(values))} to {significant(max(values))}"


def _percents(values: Sequence[float]) -> list[str]:
    return [significant(value, 2) for value in values]


def _met(excess: Estimate) -> Cell:
    if excess.high <= 0:
        return Cell("met", "good")
    return Cell("within the tolerance of its bound", "fair") if excess.low <= 0 else Cell("broken", "bad")


def _table(answer: Answer) -> Table[Any]:
    rows = _ordered(answer)
    first = set(map(id, rows[:PRINTED]))
    columns: list[Column[Any]] = [
        Column(
            axis.key, axis.key, lambda row, at=at: row.values[at], axis.unit,  # type: ignore[misc]
            lambda values: [value if isinstance(value, str) else count(value) for value in values],
        )
        for at, axis in enumerate(answer.axes)
    ]  # fmt: skip
    columns.append(Column("batches", "batches", lambda row: str(len(row.costs)), form=words_right))
    columns.append(Column("cost", "cost", lambda row: _known(row.cost), form=_costs))
    for number, constraint in enumerate(answer.aim.constraints):
        columns.append(
            Column(
                f"constraint_{number + 1}", _left(constraint), lambda row, at=number: _known(row.measured[at]),  # type: ignore[misc]
                _unit(constraint), estimates,
            )
        )  # fmt: skip
    columns.append(Column("standing", "standing", _standing))
    legend = "± is simulation noise (95 %); all settings of a batch have the same random numbers."
    other = answer.runner_up
    return Table(
        columns, rows[:LISTED], legend=legend, brief=lambda row: id(row) in first,
        marks=lambda row: ["chosen"] if row is answer.chosen else ["runner-up"] if row is other else [],
    )  # fmt: skip


def _ordered(answer: Answer) -> list[Candidate]:
    """The settings by what became of them, then by cost."""
    return sorted(answer.candidates, key=lambda each: (_SHOWN[each.standing], each.cost.mean))


def _known(value: Estimate) -> Estimate | str:
    return value if math.isfinite(value.mean) else "-"


def _standing(row: Candidate) -> Cell:
    tone: dict[Standing, Any] = {Standing.CHOSEN: "good", Standing.BROKEN: "bad", Standing.FAILED: "bad"}
    return Cell(row.standing.value, tone.get(row.standing, ""), row.reason)


def _unit(constraint: Constraint) -> str:
    tree = constraint.expression
    return tree.unit if isinstance(tree, Counter) else ""


def _finalists(answer: Answer) -> int:
    return len(answer.selection.standings)


def _procedure(answer: Answer) -> list[str]:
    rules = answer.rules
    lines = []
    if answer.searched:
        tried = len(answer.candidates)
        lines.append(
            f"Optuna's TPE sampler tried {plural(tried, 'setting')}; the {_finalists(answer)} best were compared anew, "
            "with other random numbers. A setting that was not tried may be better."
        )
    lines.append(
        "Healey, Andradóttir and Kim (2014): screening by the tests of Kim and Nelson (2001) and of Andradóttir and "
        f"Kim (2010), with common random numbers; {FIRST} batches first, then more of what is not decided, at most "
        f"{rules.most}."
    )
    zone = significant(answer.selection.indifference)
    whence = "" if rules.indifference is not None else " (1 % of the least cost in the first batches)"
    lines.append(f"Costs that differ by less than {zone}{whence} count as equal.")
    for constraint, tolerance in zip(answer.aim.constraints, rules.tolerances, strict=True):
        lines.append(f"{constraint.text}: values within {significant(tolerance)} of the bound may count as either.")
    return lines


def _figures(answer: Answer, known: Sequence[Candidate]) -> list[Block]:
    """A surface for each constraint with its limit drawn in, then cost against it with the Pareto front."""
    import polars as pl

    if not known:
        return []
    names = [_name(answer, each) for each in known]
    kinds: dict[str, Any] = {"whole": pl.Int64(), "number": pl.Float64(), "text": pl.String()}
    frame = pl.DataFrame({"id": names}).with_columns(
        pl.Series(axis.key, [each.values[at] for each in known], dtype=kinds[axis.kind])
        for at, axis in enumerate(answer.axes)
    )
    shown = [
        Measured(
            f"constraint_{at + 1}", _label(constraint),
            dict(zip(names, (each.measured[at] for each in known), strict=True)), constraint.bound,
        )
        for at, constraint in enumerate(answer.aim.constraints)
    ]  # fmt: skip
    shown.append(Measured("cost", "cost", dict(zip(names, (each.cost for each in known), strict=True))))
    figures: list[Block] = [*surfaces(answer.axes, frame, shown)]
    figures += [_against(answer, known, number) for number in range(len(answer.aim.constraints))]
    return figures


def _label(constraint: Constraint) -> str:
    unit = _unit(constraint)
    return f"{_left(constraint)}, {unit}" if unit else _left(constraint)


def _against(answer: Answer, known: Sequence[Candidate], number: int) -> Figure:
    """Cost across, a constraint's value up: settings that keep all constraints, the others, and the Pareto front."""
    constraint = answer.aim.constraints[number]
    front = pareto([(each.cost.mean, each.excesses[number].mean) for each in known])
    on_front = sorted((known[at] for at in front), key=lambda each: each.cost.mean)
    series = [
        Series(
            [each.cost.mean for each in on_front], [each.measured[number].mean for each in on_front],
            label="Pareto front", kind="steps", look=Look(3), opens=[_name(answer, each) for each in on_front],
        )
    ]  # fmt: skip
    chosen = [each for each in known if each is answer.chosen]
    kept = [each for each in known if each.seems_feasible and each is not answer.chosen]
    lost = [each for each in known if not each.seems_feasible]
    for label, some, look in (
        ("keeps the constraints", kept, Look(1, filled=False, shape="circle")),
        ("breaks a constraint", lost, Look(2, filled=False, shape="diamond")),
        ("chosen", chosen, Look(0, shape="square")),
    ):
        if some:
            series.append(
                Series(
                    [each.cost.mean for each in some], [each.measured[number].mean for each in some],
                    [each.measured[number].half_width for each in some], label, "points",
                    x_half_width=[each.cost.half_width for each in some], look=look,
                    tips=[_tip(answer, each, number) for each in some],
                    opens=[_name(answer, each) for each in some],
                )
            )  # fmt: skip
    costs = [each.cost.mean for each in known]
    series += limit_line(min(costs), max(costs), constraint.bound)
    label = _label(constraint)
    best = f"; {_name(answer, chosen[0])} is chosen" if chosen else ""
    alternative = (
        f"{label} over cost of {plural(len(known), 'setting')}: {len(kept) + len(chosen)} keep the constraints, "
        f"{len(lost)} do not, {len(front)} are on the Pareto front{best}."
    )
    caption = "No setting is both cheaper and farther inside the constraint than one on the Pareto front."
    return Figure([Panel(label, series)], "cost", caption, title="Cost against constraint", alternative=alternative)


def _tip(answer: Answer, candidate: Candidate, number: int) -> str:
    left = _left(answer.aim.constraints[number])
    return f"{_name(answer, candidate)}\ncost {_cost(candidate.cost)}\n{left} {candidate.measured[number]}"


def pareto(points: Sequence[tuple[float, float]]) -> list[int]:
    """The places of the points than which no other is less both ways.

    >>> pareto([(1, 5), (2, 3), (3, 4), (4, 1)])
    [0, 1, 3]
    """
    front, least = [], math.inf
    for at in sorted(range(len(points)), key=lambda place: points[place]):
        if points[at][1] < least:
            front.append(at)
            least = points[at][1]
    return front
