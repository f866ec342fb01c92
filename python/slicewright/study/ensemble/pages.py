"""What pages have of an ensemble: the spread over its sets, their constants, and the calibration cells at each set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from statistics import fmean, pstdev

from slicewright.report.model import Block, Column, Table
from slicewright.results.judge import Cell
from slicewright.statistics import fixed
from slicewright.study.calibration import Fitted
from slicewright.study.ensemble.members import Ensemble, Member, bounds, spans
from slicewright.study.look import name_of, right
from slicewright.study.summary import Context

MISFIT = "misfit"
SCALE = "scale of "


def ensemble_of(context: Context) -> Ensemble:
    """The committed ensemble of the form; raises TypeError where the form has a single set."""
    (part,) = context.spec.forms[context.form].parts
    found = context.study.committed(part)
    if not isinstance(found, Ensemble):
        raise TypeError(f"{context.study.constants_file} holds no ensemble of {part}")
    return found


def spread(context: Context) -> Iterable[Block]:
    """How far apart the sets of the ensemble are in each scored cell."""
    look = context.look
    rows = [cell for cell in context.cells if cell.spread and cell.ruling.scored]

    def shown(name: str) -> Callable[[Cell], str]:
        return lambda cell: look.value(cell, getattr(cell.spread, name))

    columns: list[Column[Cell]] = [
        Column("cell", "cell", name_of),
        right("published", "published", look.published),
        right("mean", "mean", lambda cell: look.value(cell, cell.estimate.mean)),
        right("deviation", "standard deviation", shown("deviation")),
        right("least", "least", shown("least")),
        right("largest", "largest", shown("largest")),
    ]
    if rows:
        yield Table(columns, rows)


def spans_table(context: Context) -> Iterable[Block]:
    """The constants over the sets of an ensemble: spans, bounds, and each set."""
    return _sets_table(context, spanned=True)


def sets_table(context: Context) -> Iterable[Block]:
    """The constants of each set of an ensemble, with their bounds."""
    return _sets_table(context, spanned=False)


def _sets_table(context: Context, *, spanned: bool) -> Iterable[Block]:
    found = ensemble_of(context)
    about, within = context.spec.part(found.part).constants, bounds(context.spec, found.part)
    span = spans([member.constants for member in found.members])

    def bounded(name: str) -> str:
        if name not in within:
            return ""
        low, high = within[name]
        return f"{low:g} to {high:g}{'' if spanned else ' ' + about[name].unit}".rstrip()

    def apart(name: str) -> str:
        if name not in span:
            return ""
        logs = [math.log(member.constants[name]) for member in found.members]
        return f"{math.exp(fmean(logs)):.3g}, x or / {math.exp(pstdev(logs)):.2f}"

    def spanning(name: str) -> str:
        return f"{span[name][0]:g} to {span[name][1]:g} {about[name].unit}".rstrip() if name in span else ""

    def meaning(name: str) -> str:
        if name.startswith(SCALE):
            return str(context.spec.data["scale"])
        return about[name].meaning if name in about else "sum of squared residuals"

    columns: list[Column[str]] = [Column("constant", "constant", str)]
    columns += [Column("span", "span", spanning)] if spanned else []
    columns.append(Column("bounds", "bounds", bounded))
    columns.append(Column("what", "what it is", meaning))
    columns.append(Column("source", "source of the bounds", lambda name: about[name].source if name in about else ""))
    columns += [] if spanned else [Column("spread", "spread over the sets", apart)]
    for at, member in enumerate(found.members):
        columns.append(right(f"set_{at + 1}", f"set {at + 1}", _of_set(member)))
    scales = [f"{SCALE}{table}" for table in (found.members[0].scales if found.members else ())]
    yield Table(columns, [*span, *scales, MISFIT])


def _of_set(member: Member) -> Callable[[str], str]:
    def value(name: str) -> str:
        if name.startswith(SCALE):
            return f"{member.scales[name.removeprefix(SCALE)]:g}"
        return f"{member.misfit:.1f}" if name == MISFIT else f"{member.constants[name]:g}"

    return value


def fit_table(context: Context) -> Iterable[Block]:
    """The calibration cells that the search is fitted to, at each set."""
    spec, found = context.spec, ensemble_of(context)

    def at_set(member: Member) -> Callable[[int], str]:
        return lambda at: fixed(member.simulated[at], spec.places(found.cells[at].row))

    def shown(value: Callable[[Fitted], float]) -> Callable[[int], str]:
        return lambda at: fixed(value(found.cells[at]), spec.places(found.cells[at].row))

    columns: list[Column[int]] = [
        Column("cell", "cell", lambda at: " ".join(found.cells[at].key)),
        right("published", "published", shown(lambda cell: cell.published)),
        right("mean", "mean", shown(lambda cell: cell.simulated)),
        *(right(f"set_{at + 1}", f"set {at + 1}", at_set(member)) for at, member in enumerate(found.members)),
    ]
    rows = [at for at, cell in enumerate(found.cells) if cell.used]
    yield Table(columns, rows, legend="The calibration cells at each set.")
