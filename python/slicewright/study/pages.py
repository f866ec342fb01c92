"""A study as an HTML page and as a validation page: sections that `study.toml` lists, made of the reproduction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slicewright.report.model import Block, Column, Face, Notes, Paragraph, Report, Section, Table, Verbatim
from slicewright.results.judge import Cell, Tally
from slicewright.statistics import fixed
from slicewright.study.calibration import FIELDS, Calibration, Fitted
from slicewright.study.look import close, name_of, page_table, right, validation_table
from slicewright.study.points import Progress
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.spec import Spec
from slicewright.study.summary import Context, Lines, against, missed

if TYPE_CHECKING:
    from slicewright.study.study import Study

USUAL_PAGE: Sequence[Mapping[str, Any]] = (
    {"title": "Figures", "blocks": ["@drawn"]},
    {"title": "Cells", "blocks": ["@roles", "@cells"]},
    {"title": "Constants", "blocks": ["@constants"]},
    {"title": "What misses", "blocks": ["@missed", "@edge"]},
    {"title": "Scenarios", "blocks": ["@scenarios"]},
)
"""The sections of an HTML page whose study lists none."""

USUAL_VALIDATION: Sequence[Mapping[str, Any]] = (
    {"blocks": ["The summary of the results:", "@summary", "@runs"]},
    {"title": "Misses and their probable causes", "blocks": ["@missed"]},
    {"title": "Constants", "blocks": ["@parts"]},
)
"""The same of a validation page."""

Blocks = Callable[[Context], Iterable[Block | Section]]
"""The blocks of a section of a page; whole sections follow it."""


def page(study: Study, result: Reproduction, request: Request, progress: Progress) -> Report:
    """The HTML page of a reproduction; the same reproduction gives the same page."""
    spec = study.spec()
    context = Context(study, result, request, spec.first, progress)
    own = spec.data["page"]
    listed = {name: _paragraphs(lines) for name, lines in study.lines().items()}
    sections = _sections(context, own.get("section", USUAL_PAGE), PAGE | listed)
    return Report(own["title"], own.get("subtitle", ""), _facts(context), sections)


def validation(study: Study, result: Reproduction) -> Report:
    """The validation page of a full reproduction; figures are left to the HTML page."""
    spec = study.spec()
    context = Context(study, result, Request(seed=result.seed), spec.first)
    own = spec.data["validation"]
    listed = {name: _points(lines) for name, lines in study.lines().items()}
    return Report(own["title"], sections=_sections(context, own.get("section", USUAL_VALIDATION), VALIDATION | listed))


def _paragraphs(lines: Lines) -> Blocks:
    return lambda context: map(Paragraph, lines(context))


def _points(lines: Lines) -> Blocks:
    return lambda context: (Notes("", [line]) for line in lines(context))


def _sections(context: Context, listed: Iterable[Mapping[str, Any]], made: Mapping[str, Blocks]) -> list[Section]:
    """The listed sections; of a form that was not simulated there are none, nor where nothing is to be shown.

    A word after `@` stands for blocks that are made of the reproduction; anything else is said as it is written.
    """
    every, sections = {**made, **context.study.blocks()}, []
    for section in listed:
        within = Context(
            context.study, context.result, context.request, section.get("form", context.form), context.progress
        )
        if not within.cells and within.form != context.form:
            continue
        blocks: list[Block] = []
        behind: list[Section] = []
        names = [line for line in section["blocks"] if line.startswith("@")]
        shown = {name: list(every[name[1:]](within)) for name in names}
        if names and not any(shown.values()):
            continue
        for line in section["blocks"]:
            for block in shown.get(line, [Paragraph(line.format(**within.fields) if "{" in line else line)]):
                if isinstance(block, Section):
                    behind.append(block)
                else:
                    blocks.append(block)
        sections += [*([Section(section.get("title", ""), blocks)] if blocks else []), *behind]
    return sections


def _facts(context: Context) -> list[tuple[str, str]]:
    """The facts at the head of the page."""
    if context.result.ablation:
        return [("without", context.result.ablation), ("seed", str(context.result.seed))]
    own, apart = Tally.of(context.result.cells), Tally.of(context.result.cells, independent=True)
    spec = context.spec
    usual = spec.budget("quick" if context.request.quick else "full")
    facts = [
        ("scored cells that match", f"{own.matches} of {own.scored}"),
        ("independent ones", f"{apart.matches} of {apart.scored}"),
        ("seed", str(context.result.seed)),
        ("replications", f"{context.result.replications} of {usual.interval_s or spec.data['interval_s']} s"),
    ]
    for form in spec.forms.values():
        other = Context(context.study, context.result, context.request, form.name)
        name = spec.data["forms"][form.name].get("fact")
        if name and other.cells:
            facts.append((name, other.fields["counted"]))
    return facts


ROLES = (
    "Predicted: no constant and no variant was chosen on the cell. Informed: no constant, but a variant was "
    "adopted after seeing it. Calibrated cells were used in the fit and never count; excluded ones are shown, "
    "not counted."
)


def cells(context: Context) -> Iterable[Block]:
    """Every cell of the form, a table for each that was published; none under an ablation, where nothing is judged."""
    shown = [] if context.result.ablation else context.cells
    for table in dict.fromkeys(cell.place.table for cell in shown):
        own = [cell for cell in shown if cell.place.table == table]
        yield page_table(context.look, own, titled(context.study, table), context.form)


def titled(study: Study, table: str) -> str:
    """The heading of a published table."""
    title = study.titles()[table]
    return f"{table}: {title.partition(': ')[2] or title}"


def roles(context: Context) -> Iterable[Block]:
    """The meaning of the roles of the cells, where they are judged."""
    if not context.result.ablation:
        yield Paragraph(ROLES)


def compared(context: Context) -> Iterable[Block]:
    """The cells of a form that is for comparison alone."""
    if context.cells:
        yield page_table(context.look, context.cells)


def misses(context: Context) -> Iterable[Block]:
    """The cells that miss, with the suspected cause, a sentence each."""
    return (Paragraph(f"Missed: {text}.") for text in missed(context))


def edge(context: Context) -> Iterable[Block]:
    """The matches in the outer tenth of their band."""
    named = ", ".join(" ".join(cell.place.key) for cell in close(context.cells))
    yield Paragraph(f"Matches in the outer tenth of their band: {named or 'none'}.")


def taken_away(context: Context) -> Iterable[Block]:
    """The scored cells under each ablation; where one ablation was requested, beside those of the whole study."""
    result, look = context.result, context.look
    if result.ablation:
        columns: list[Column[tuple[Cell, Cell]]] = [
            Column("cell", "cell", lambda pair: name_of(pair[1])),
            right("published", "published", lambda pair: look.published(pair[0])),
            right("whole", "whole", lambda pair: look.value(pair[1], pair[1].estimate.mean)),
            right("without", "without", lambda pair: look.value(pair[0], pair[0].estimate.mean)),
        ]
        yield Paragraph(
            f"{result.ablation}: {context.spec.ablations[result.ablation]}; constants stay as they are, and nothing is "
            "judged."
        )
        yield Table(columns, against(result))
        return
    table = ablations(context)
    if table.rows:
        yield from (Paragraph(f"{name}: {what}.") for name, what in context.spec.ablations.items())
        yield replace(table, legend="Constants stay as they are; nothing is judged.")


def ablations(context: Context) -> Table[Cell]:
    """A row per scored cell, a column per ablation."""
    look, known = context.look, {cell.place.key: cell for cell in context.result.comparison}

    def without(ablation: str) -> Callable[[Cell], str]:
        def shown(cell: Cell) -> str:
            found = known.get(context.study.ablated(cell.place, ablation))
            return look.value(cell, found.estimate.mean) if found else "-"

        return shown

    columns = [
        Column("cell", "cell", name_of),
        right("published", "published", look.published),
        right("whole", "whole", lambda cell: look.value(cell, cell.estimate.mean)),
        *(right(ablation, ablation, without(ablation)) for ablation in context.spec.ablations),
    ]
    names = context.spec.ablations
    rows = [
        cell
        for cell in context.cells
        if cell.ruling.scored and any(context.study.ablated(cell.place, name) in known for name in names)
    ]
    return Table(columns, rows)


def constants(context: Context) -> Iterable[Block]:
    """The constants of every part of the study, and the calibration cells at them."""
    for part in context.study.parts:
        found = context.study.committed(part)
        yield from constants_tables(
            context.spec, found, context.spec.data["fit"].get("residual_in", "bands of the row")
        )


def constants_tables(spec: Spec, found: Calibration, counted_in: str) -> Iterable[Block]:
    """One fit: its constants with what they are, its scales, and the cells that it saw."""
    part = spec.part(found.part)
    columns: list[Column[str]] = [
        Column("constant", "constant", str),
        Column("value", "value", lambda name: f"{found.constants[name]:g} {part.constants[name].unit}".rstrip()),
        Column("from", "from", lambda name: part.constants[name].source, optional=True),
        Column("meaning", "what it is", lambda name: part.constants[name].meaning, optional=True),
    ]
    title = f"{part.name}: {part.meaning}" if part.meaning else ""
    yield Table(columns, list(found.constants), title)
    scaled: list[Column[str]] = [
        Column("table", "table or figure", str),
        right("scale", str(spec.data.get("scale", "")), lambda name: f"{found.scales[name]:g}"),
    ]
    yield Table(scaled, list(found.scales))
    yield fit_table(spec, found, counted_in)


def fit_table(spec: Spec, found: Calibration, counted_in: str) -> Table[Fitted]:
    """The calibration cells at the fitted constants."""
    fields = spec.data["calibrated"].get("fields", FIELDS)
    rounding = "rounding" in fields
    columns: list[Column[Fitted]] = [
        Column("table", spec.place[0], lambda cell: cell.table),
        Column("row", "value", lambda cell: cell.row),
        *([Column("column", "column", lambda cell: cell.column)] if "column" in fields else []),
        right("published", "published", lambda cell: fixed(cell.published, spec.places(cell.row))),
        *([right("rounding", "rounding", lambda cell: fixed(cell.scale, spec.places(cell.row)))] if rounding else []),
        right("simulated", "simulated", lambda cell: fixed(cell.simulated, spec.places(cell.row))),
        right("residual", "residual", lambda cell: fixed(cell.residual, 1 if rounding else 2)),
        Column("used", "in the fit", lambda cell: "fitted" if cell.used else "not used"),
    ]
    return Table(columns, found.cells, legend=f"Residual: difference in {counted_in}.")


def scenarios(context: Context) -> Iterable[Block]:
    """Each shipped scenario, folded away."""
    return (Verbatim(name, text, Face.HTML) for name, text in context.study.scenarios().items())


def drawn(context: Context) -> Iterable[Block]:
    """The figures of the study, those with simulated curves where they are wanted."""
    wanted = context.request.curves or not context.study.has_curves
    return context.study.figures(context) if wanted else ()


PAGE: dict[str, Blocks] = {
    "drawn": drawn, "roles": roles, "cells": cells, "compared": compared, "missed": misses, "edge": edge,
    "ablations": taken_away, "constants": constants, "scenarios": scenarios,
}  # fmt: skip
"""The blocks that every HTML page can list."""


def summed_up(context: Context) -> Iterable[Block]:
    """The summary, as the command prints it."""
    yield Verbatim("", context.study.summary(context.result))


def runs(context: Context) -> Iterable[Section]:
    """A section per published table: its cells, and the notes of the bands on them."""
    form = context.spec.forms[context.form]
    before = context.spec.data["forms"][form.name].get("before", "")
    for table in context.study.titles():
        own = [cell for cell in context.cells if cell.place.table == table]
        yield run_section(context, f"{before}{titled(context.study, table)}", own)


def run_section(context: Context, title: str, own: list[Cell]) -> Section:
    """A heading, a row per cell, and what is to be known of them."""
    named = context.study.in_validation
    notes: dict[str, list[str]] = {}
    for cell in own:
        notes.setdefault(cell.ruling.note, []).append(named(cell))
    said = [f"{_sentences(note)} ({', '.join(rows)})." for note, rows in notes.items() if note]
    return Section(title, [validation_table(context.look, own, named), *map(Paragraph, said)])


def _sentences(note: str) -> str:
    return ". ".join(f"{part[0].upper()}{part[1:]}" for part in note.split("; "))


def listed_misses(context: Context) -> Iterable[Block]:
    """The cells that miss, with the suspected cause."""
    return (Notes("", [f"{text}."]) for text in missed(context, "`{}`"))


def listed_ablations(context: Context) -> Iterable[Block]:
    """The scored cells under each ablation."""
    yield ablations(context)


def parts(context: Context) -> Iterable[Block]:
    """A row per part that was fitted: its constants and what it is of."""
    study = context.study
    columns: list[Column[str]] = [
        Column("part", "part", str),
        Column("constants", "constants", lambda part: shown(study.spec(), study.committed(part))),
        Column("what", "what of", lambda part: study.spec().part(part).meaning),
    ]
    yield Table(columns, study.parts)


def shown(spec: Spec, found: Calibration) -> str:
    """Constants in words, with their units."""
    units = spec.part(found.part).constants
    named = (f"{name} {value:g} {units[name].unit}".rstrip() for name, value in found.constants.items())
    return ", ".join(named)


VALIDATION: dict[str, Blocks] = {
    "summary": summed_up, "runs": runs, "missed": listed_misses, "ablations": listed_ablations, "parts": parts,
}  # fmt: skip
"""The blocks that every validation page can list."""
