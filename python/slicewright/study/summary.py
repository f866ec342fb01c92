"""A study in paragraphs: what is about to be printed, and how the cells came out, form by form."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.results.judge import SCORED, Cell, Tally
from slicewright.statistics import signed
from slicewright.study.look import MISSING, Look, close, name_of, right
from slicewright.study.reproduction import Reproduction, Request

if TYPE_CHECKING:
    from slicewright.report.model import Table
    from slicewright.study.spec import Spec
    from slicewright.study.study import Study

LINE = 100
"""Characters of a line."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a part of a page or of a summary is made of: the study, its reproduction, and one form of it."""

    study: Study
    result: Reproduction
    request: Request
    form: str
    progress: Callable[[float], None] = lambda share: None

    @property
    def spec(self) -> Spec:
        """The study's data."""
        return self.study.spec()

    @property
    def look(self) -> Look:
        """How its cells are printed."""
        return Look(self.spec)

    @property
    def cells(self) -> list[Cell]:
        """The cells of the form."""
        listed: list[Cell] = getattr(self.result, self.spec.forms[self.form].shown)
        return listed

    @property
    def fields(self) -> dict[str, Any]:
        """What the study's sentences may name: budgets by kind of run, counts of the form, and what the study adds."""
        mode = "quick" if self.request.quick else "full"
        budgets = {kind: self.spec.budget(mode, kind, self.request.seed) for kind in self.spec.kinds}
        usual = budgets[self.spec.kinds[0]]
        length = f"{usual.interval_s} s" if usual.interval_s else self.spec.data["interval"]
        return {
            "seed": self.request.seed,
            "replications": usual.replications,
            "length": length,
            **budgets,
            "counted": in_words(self.cells),
            "tally": Tally.of(self.cells),
            "first": Tally.of(self.result.cells),
            "first_counted": in_words(self.result.cells),
            **self.study.fields(self),
        }


Lines = Callable[[Context], Iterable[str]]
"""Sentences that both pages list."""

Paragraphs = Callable[[Context], Iterable[str]]
"""The paragraphs of a summary, each with its first word in a column of its own."""


def heading(study: Study, request: Request) -> str:
    """The heading of a reproduction."""
    context = Context(study, Reproduction(study.name, request.seed), request, study.spec().first)
    lines = [study.spec().data["heading"].format(**context.fields)]
    if request.ablation:
        what = study.spec().ablations[request.ablation]
        lines.append(f"Ablation {request.ablation}: {what}; nothing is judged, constants stay as they are\n")
    return "".join(lines)


def summary(study: Study, result: Reproduction) -> str:
    """How the scored cells came out, form by form, and why some miss: what `[[summary]]` lists.

    A word after `@` is a paragraph that is made of the cells; anything else is said as it is written.
    """
    made = {**SAID, **study.said()}
    blocks = []
    for block in study.spec().data.get("summary", [{"lines": USUAL}]):
        context = Context(study, result, Request(seed=result.seed), block.get("form", study.spec().first))
        if block.get("form") and not context.cells and context.form != study.spec().first:
            continue
        paragraphs: list[str] = []
        for line in block["lines"]:
            paragraphs += made[line[1:]](context) if line.startswith("@") else [line.format(**context.fields)]
        blocks.append(filled(paragraphs))
    return "\n\n".join(blocks)


def scores(context: Context) -> Iterable[str]:
    """Scored cells, all and independent ones, and what was not scored."""
    cells = context.cells
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    informed = sum(cell.ruling.role == "informed" for cell in cells)
    follows = context.spec.data.get("follows_from", "others")
    yield (
        f"Scored     {counted(own)} ({informed} of them informed); "
        f"of those independent of each other, {counted(apart)} (= follows from {follows})"
    )
    aside = {role: sum(cell.ruling.role == role for cell in cells) for role in ("calibrated", "excluded")}
    if any(aside.values()):
        yield "Not scored " + ", ".join(f"{count} {role}" for role, count in aside.items() if count)


def apart(context: Context) -> Iterable[str]:
    """How the cells of a form that is counted apart came out."""
    own, independent = Tally.of(context.cells), Tally.of(context.cells, independent=True)
    yield (
        f"{context.spec.forms[context.form].shown.capitalize():10} {in_words(context.cells)}, {own.trend} in trend "
        f"only, {own.misses} missed; of those independent of each other, {counted(independent)}"
    )


def must(context: Context) -> Iterable[str]:
    """How the cells came out whose miss would mean a wrong mechanism."""
    own = [cell for cell in context.cells if cell.ruling.must and cell.ruling.scored]
    if own:
        off = ", ".join(f"{name_of(cell)} ({cell.verdict})" for cell in own if cell.verdict in MISSING)
        text = f"Must       {counted(Tally.of(own))} of the cells whose miss would mean a wrong mechanism"
        yield f"{text}: {off}" if off else text


def near(context: Context) -> Iterable[str]:
    """The matches in the outer tenth of their band."""
    own = close(context.cells)
    if own:
        yield f"Close      {', '.join(map(name_of, own))}: in the outer tenth of the band"


def misses(context: Context) -> Iterable[str]:
    """The cells that miss, with the suspected cause."""
    return (f"Misses     {text}" for text in missed(context))


def constants(context: Context) -> Iterable[str]:
    """The constants of the form, and where they come from."""
    parts = context.spec.forms[context.form].parts
    named = "; ".join(filter(None, (context.study.shown(part) for part in parts)))
    yield f"Constants  {named}; from `slicewright calibrate {context.study.name}`, which sees {context.study.sees()}"


USUAL = ("@scores", "@must", "@close", "@misses", "@constants")
"""The paragraphs of a summary whose study lists none."""

SAID: Mapping[str, Paragraphs] = {
    "scores": scores,
    "apart": apart,
    "must": must,
    "close": near,
    "misses": misses,
    "constants": constants,
}
"""The paragraphs that every study can list."""


def missed(context: Context, form: str = "{}") -> list[str]:
    """The cells of a form that miss, in a form of text, with the probable cause: those with one cause together."""
    found: dict[str, list[str]] = {}
    for cell in context.cells:
        if cell.verdict in MISSING:
            why = context.spec.cause(cell.place, context.form)
            found.setdefault(why, []).append(form.format(name_of(cell)) + (" (trend)" * (cell.verdict == "trend")))
    return [f"{', '.join(names)}: {why}" for why, names in found.items()]


def against(result: Reproduction) -> list[tuple[Cell, Cell]]:
    """Under an ablation, each cell without what is taken away, and the same with everything there.

    >>> against(Reproduction("diag9c", 1))
    []
    """
    whole = {cell.place.key: cell for cell in result.comparison}
    found = []
    for cell in result.cells:
        table, row, *rest = cell.place.key
        column = " ".join(rest).removeprefix(result.ablation).strip()
        found.append((cell, whole[(table, row, column) if column else (table, row)]))
    return found


def ablation_table(study: Study, result: Reproduction) -> Table[tuple[Cell, Cell]]:
    """An ablation beside the whole: each value with everything there, and without what is taken away."""
    from slicewright.report.model import Column, Table

    look = Look(study.spec())

    def change(pair: tuple[Cell, Cell]) -> str:
        without, whole = pair
        return signed(without.estimate.mean - whole.estimate.mean, look.spec.places(whole.place.row))

    columns: list[Column[tuple[Cell, Cell]]] = [
        Column("cell", "", lambda pair: study.called(pair[1])),
        right("published", "published", lambda pair: look.published(pair[0])),
        right("whole", "whole", lambda pair: look.simulated(pair[1])),
        right("without", "without", lambda pair: look.simulated(pair[0])),
        right("change", "change", change),
    ]
    return Table(columns, against(result))


def counted(tally: Tally) -> str:
    """How many cells match, follow the trend and miss, in words.

    >>> counted(Tally(scored=13, matches=12, trend=0, misses=1))
    '12 of 13 match, 1 missed'
    """
    parts = [f"{tally.matches} of {tally.scored} match"]
    if tally.trend:
        parts.append(f"{tally.trend} in trend only")
    parts.append(f"{tally.misses} missed" if tally.misses else "none missed")
    return ", ".join(parts)


def in_words(cells: list[Cell]) -> str:
    """How many cells match, and how many of those a variant was adopted for.

    >>> in_words([])
    '0 of 0 match (0 of them informed, of 0; 0 predicted, of 0)'
    """
    informed, predicted = (Tally.of(cell for cell in cells if cell.ruling.role == role) for role in SCORED[::-1])
    return (
        f"{informed.matches + predicted.matches} of {informed.scored + predicted.scored} match "
        f"({informed.matches} of them informed, of {informed.scored}; "
        f"{predicted.matches} predicted, of {predicted.scored})"
    )


def filled(paragraphs: Iterable[str]) -> str:
    """Paragraphs, each with its first word in a column of its own, within the width of a page.

    >>> print(filled(["Scored     all", "Not scored none"]))
    Scored     all
    Not scored none
    """
    return "\n".join(textwrap.fill(paragraph, LINE, subsequent_indent=" " * 11) for paragraph in paragraphs)
