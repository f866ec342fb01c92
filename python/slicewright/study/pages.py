"""How a study is printed: its cells as tables, its summary, its HTML page and its validation page.

`study.toml` lists what each of them has: sentences as they are written, and `@name` for what a maker derives from the
reproduction.  A word before it is put before each sentence that is made, a stop behind it behind each.
"""

from __future__ import annotations

import itertools
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

from slicewright.report import text
from slicewright.report.figure import Series, dots
from slicewright.report.model import Block, Face, Notes, Paragraph, Report, Section, Table, Tone, Verbatim
from slicewright.report.model import Cell as Printed
from slicewright.report.spec import columns
from slicewright.results.judge import NO_INTERVAL, ON_EDGE, SCORED, TOO_WIDE, Cell, Tally
from slicewright.statistics import NOTHING, Estimate, fixed, plural, plus_minus, signed
from slicewright.study.calibrate import Calibration, Fitted, Member
from slicewright.study.judge import Judge, Reproduction, Request, beside, of_set
from slicewright.study.points import Key as Value
from slicewright.study.points import Point
from slicewright.study.spec import Blocks, Mode, Spec
from slicewright.study.templates import sentence

if TYPE_CHECKING:
    from slicewright.study.study import Study

MISSING = ("misses", "trend")
"""Verdicts that ask for a cause."""

EDGE = 0.9
"""Share of its band beyond which a match is named as close."""

LINE = 100
"""Characters of a line of a summary."""

_TONES: dict[str, Tone] = {"matches": "good", "trend": "fair", "misses": "bad"}
_DOUBTS = {"": "", ON_EDGE: "edge", NO_INTERVAL: "no interval", TOO_WIDE: "too noisy"}
_MADE = re.compile(r"([A-Z][a-z]+ +)?@(\w+)(\.?)")


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
    def look(self) -> _Look:
        """How the numbers of its cells are printed."""
        return _Look(self.spec)

    @property
    def cells(self) -> list[Cell]:
        """The cells of the form."""
        listed: list[Cell] = getattr(self.result, self.spec.forms[self.form].shown)
        return listed

    @property
    def beside(self) -> list[Cell]:
        """The values beside the cells of the form."""
        return beside(self.result.comparison, self.form, tuple(self.spec.forms))

    @property
    def fit(self) -> Calibration:
        """The committed calibration of the form's first part."""
        return self.study.committed(self.spec.forms[self.form].parts[0])

    def said(self, line: str) -> str:
        """A sentence of `study.toml`: budgets by kind of run, counts of the form, and words that the study adds."""
        if "{" not in line:
            return line
        spec, words = self.spec, self.study.words()
        budgets = {kind: spec.budgeted(_mode(self.request), kind, self.request.seed) for kind in spec.kinds}
        usual = budgets[spec.kinds[0]]
        own = {name: "; ".join(map(str, words[name](self))) for name in re.findall(r"\{(\w+)\}", line) if name in words}
        lists = {f"{name}_counted": getattr(self.result, name) for name in ("variant", "fourth")}
        lists |= {"counted": self.cells, "first_counted": self.result.cells}
        return line.format(
            seed=self.request.seed, replications=usual.replications,
            length=f"{usual.interval_s} s" if usual.interval_s else spec.interval, tally=Tally.of(self.cells),
            first=Tally.of(self.result.cells), **budgets, **{name: _by_role(cells) for name, cells in lists.items()},
            **{f"{mode}_{kind}": budget for kind in spec.kinds for mode, budget in spec.budget[kind].items()},
            sets=max(len(self.study.committed(part).members) for part in spec.forms[self.form].parts), **own,
        )  # fmt: skip


Values = Mapping[str, Callable[[Any], Any]]
"""The value of a column for a row, by its key."""

Maker = Callable[[Context], Iterable[Any]]
"""What a name after `@` stands for: sentences, blocks, or whole sections."""


def _mode(request: Request) -> Mode:
    return "quick" if request.quick else "full"


# Numbers and tables.


@dataclass(frozen=True, slots=True)
class _Look:
    """Numbers of a cell as they are printed: in the places that the study declares, differences as they are judged.

    >>> from slicewright.results.judge import Band, Place, Ruling
    >>> judged = (Estimate(1.484, 0.002, 10), Ruling("predicted", Band(rel=0.05)))
    >>> look, cell = _Look(Spec.read("hyperpav")), Cell(Place("Y032181H", "service_ms", "ms"), 1.439, *judged)
    >>> look.published(cell), look.simulated(cell), look.difference(cell), look.margin(cell)
    ('1.439', '1.484 ± .002', '+3.1 %', '5 %')
    """

    spec: Spec

    def value(self, cell: Cell, value: float) -> str:
        """Any value in the places of a cell."""
        return fixed(value, self.spec.values[cell.place.row].places)

    def published(self, cell: Cell) -> str:
        """The published value."""
        return self.value(cell, cell.published)

    def mean(self, cell: Cell) -> str:
        """The simulated value without its noise."""
        return self.value(cell, cell.estimate.mean)

    def simulated(self, cell: Cell) -> str:
        """The simulated value with its noise; a dash where nothing is simulated."""
        if math.isnan(cell.estimate.mean):
            return NOTHING
        return plus_minus(cell.estimate.mean, cell.estimate.half_width)

    def difference(self, cell: Cell) -> str:
        """Simulated less published: in percent where the band is relative, else in the unit of the value."""
        if math.isnan(cell.difference):
            return NOTHING
        if self._relative(cell) and cell.published:
            return f"{signed(100 * cell.difference / cell.published, 1)} %"
        return signed(cell.difference, self.spec.values[cell.place.row].places)

    def margin(self, cell: Cell) -> str:
        """The band as declared: the part of it that decides; empty where nothing is judged."""
        if not cell.ruling.scored:
            return ""
        band = cell.ruling.band
        places = len(f"{band.abs:g}".partition(".")[2])
        return f"{band.rel * 100:g} %" if self._relative(cell) else fixed(band.abs, places)

    def standing(self, cell: Cell) -> str:
        """Role and verdict, with doubts that a reader should know of; a role that goes without saying is omitted."""
        said = cell.ruling.scored and cell.ruling.role not in self.spec.unsaid
        standing = f"{cell.ruling.role}  {cell.verdict}" if said else cell.verdict
        aside = ", ".join(part for part in ("must" if cell.ruling.must else "", _DOUBTS[cell.doubt]) if part)
        return f"{standing} ({aside})" if aside else standing

    def spread(self, cell: Cell) -> str:
        """From the least to the largest over several sets of constants; empty where there is one."""
        if cell.spread is None:
            return ""
        return f"{self.value(cell, cell.spread.least)} to {self.value(cell, cell.spread.largest)}"

    def _relative(self, cell: Cell) -> bool:
        """Whether differences are shown in percent: as judged, and where nothing is judged as its kind is elsewhere."""
        if cell.ruling.scored:
            band = cell.ruling.band
            return band.rel > 0 and band.rel * abs(cell.published) >= band.abs
        row = self.spec.values.get(cell.place.row)
        return row is None or not row.absolute

    def table(
        self, lines: str, rows: Sequence[Any], values: Values | None = None, title: str = "", legend: str = ""
    ) -> Table[Any]:
        """Cells as a table of these columns (`report/spec.py`); `values` are of columns that no cell has."""
        known: dict[str, Callable[[Any], Any]] = {
            "cell": lambda cell: cell.place.name, "unit": lambda cell: cell.place.unit, "published": self.published,
            "simulated": self.simulated, "mean": self.mean, "off": self.difference, "band": self.margin,
            "role": lambda cell: cell.ruling.role,
        }  # fmt: skip
        return Table(columns(lines, (), {**known, **(values or {})}), rows, title, legend)


def run_tables(study: Study, run: str, cells: Sequence[Cell]) -> list[Table[Any]]:
    """The cells of a run for a terminal, or what the study has for it; `=` marks what follows from others.

    Where `group` says so, the name of a table or a column is printed before its cells.
    """
    spec, own = study.spec(), study.words()
    context = Context(
        study, Reproduction(study.name, 1, cells=list(cells), comparison=list(cells)), Request(), spec.first
    )
    if f"{run}_run" in own:
        return list(own[f"{run}_run"](context))
    look, listed = _Look(spec), [cell for cell in cells if not math.isnan(cell.published)]
    rows: list[Cell | str] = list(listed)
    by = next((rule.by for rule in spec.group if run.rpartition(" ")[2].startswith(rule.run)), "")
    if by:
        rows = []
        for title, group in itertools.groupby(listed, lambda cell: getattr(cell.place, by)):
            rows += [str(title), *group]

    def name(cell: Cell) -> str:
        return f"{'=' if cell.identity and cell.ruling.scored else ' '} {spec.called('run', cell.place)}"

    def of_cell(show: Callable[[Cell], str]) -> Callable[[Cell | str], str]:
        return lambda row: "" if isinstance(row, str) else show(row)

    shown = {
        "unit": lambda cell: cell.place.unit, "published": look.published, "simulated": look.simulated,
        "off": look.difference, "band": look.margin, "verdict": look.standing, "sets": look.spread,
    }  # fmt: skip
    lines = "cell || -" + ("; unit ? || -" if spec.print_units else "")
    lines += "; published | right; simulated | right; off | right; band | right; verdict || -; sets ?"
    values: dict[str, Callable[[Any], Any]] = {key: of_cell(show) for key, show in shown.items()}
    values["cell"] = lambda row: row if isinstance(row, str) else name(row)
    notes = dict.fromkeys(cell.ruling.note for cell in cells if cell.ruling.note)
    below = own["below"](context) if "below" in own else notes if spec.notes else ()
    return [look.table(lines, rows, values, run_title(spec, run), "; ".join(below))]


def printed(study: Study, run: str, cells: Sequence[Cell]) -> str:
    """The tables of a run as text."""
    return text.render(Report("", sections=[Section("", run_tables(study, run, cells))]))


def run_title(spec: Spec, run: str) -> str:
    """The title of a run, of the study's own form unless its name has another."""
    form, _, own = run.rpartition(" ")
    said = (spec.run_titles or spec.titles)[own]
    named = (spec.forms[form].run if form in spec.forms else "") or f"{form.capitalize()} form"
    return f"{named}, {said[0].lower()}{said[1:]}" if form else said


def _page_table(context: Context, cells: Sequence[Cell], title: str = "", form: str = "") -> Table[Any]:
    """Cells for a page: those of one published table under its `title`, or of all.

    With a `form` they have its roles, the probable causes of its misses, and notes.
    """

    def part(at: int) -> Callable[[Cell], str]:
        return lambda cell: cell.place.key[at] if at < len(cell.place.key) else ""

    values: dict[str, Callable[[Cell], Any]] = {
        "verdict": lambda cell: Printed(cell.verdict, _TONES.get(cell.verdict, "quiet"))
    }
    headings = [(at, heading) for at, heading in enumerate(context.spec.page.place) if at or not title]
    values |= {heading: part(at) for at, heading in headings}
    lines = "; ".join(
        [heading for _, heading in headings] + ["unit; published | right; simulated | right; off | right"]
    )
    lines += "; band | right" + ("; role" if form else "") + "; verdict"
    if form:
        notes = _notes(context.spec, cells, form)
        missing = any(cell.verdict in MISSING for cell in cells)
        lines += f"; note ? || {'probable cause, notes' if missing else 'notes'}"
        values["note"] = lambda cell: notes[cell.place.key]
    return context.look.table(lines, cells, values, title)


def _notes(spec: Spec, cells: Sequence[Cell], form: str) -> dict[tuple[str, ...], str]:
    """The note on each cell, of a miss with its probable cause first; the same cause again refers to the first."""
    found, above = {}, ""
    for cell in cells:
        cause = spec.cause(cell.place, form) if cell.verdict in MISSING else ""
        said = "cause as above" if cause and cause == above else cause
        above = cause or above
        parts = (said, "must match" if cell.ruling.must else "", cell.note)
        found[cell.place.key] = "; ".join(part for part in parts if part)
    return found


Scale = Callable[[Any], float] | None

Dot = tuple[float, float, float, float]
"""A published value in a figure: its place, the value, the width of its band, and the scale of the last two."""


def published_dots(listed: Sequence[Dot], label: str, lines: Sequence[str]) -> Series:
    """Published values in a figure, with their bands where they are judged."""
    values, widths = [scale * value for _, value, _, scale in listed], [scale * width for _, _, width, scale in listed]
    return dots([x for x, _, _, _ in listed], values, widths, label, lines)


def curve(x: Sequence[float], values: Sequence[Estimate], label: str, scale: Sequence[float] = ()) -> Series:
    """Simulated values in a figure at their places, with their 95 % half-widths."""
    factors = scale or [1.0] * len(values)
    y = [factor * value.mean for factor, value in zip(factors, values, strict=True)]
    noise = [factor * value.half_width for factor, value in zip(factors, values, strict=True)]
    return Series(list(x), y, half_width=noise, label=label)


def line(points: Sequence[Point], value: Value, at: Callable[[Any], float], label: str, scale: Scale = None) -> Series:
    """A value of simulated cases in a figure, at their places."""
    factors = [scale(point.case) for point in points] if scale else ()
    return curve([at(point.case) for point in points], [point.estimate(value) for point in points], label, factors)


def published_groups(listed: Iterable[tuple[Dot, str, Sequence[str]]]) -> list[Series]:
    """Published values in groups: each with the label of its group, and the lines that it is of."""
    groups: dict[tuple[str, tuple[str, ...]], list[Dot]] = {}
    for dot, label, lines in listed:
        groups.setdefault((label, tuple(lines)), []).append(dot)
    return [published_dots(dots, label, list(lines)) for (label, lines), dots in groups.items()]


# The summary.


def heading(study: Study, request: Request) -> str:
    """The heading of a reproduction."""
    spec = study.spec()
    said = Context(study, Reproduction(study.name, request.seed), request, spec.first).said(spec.heading)
    if not request.ablation:
        return said
    what = spec.ablations[request.ablation]
    return f"{said}Ablation {request.ablation}: {what}; nothing is judged, constants stay as they are\n"


def summary(study: Study, result: Reproduction) -> str:
    """How the scored cells came out, form by form, and why some miss: what `[[summary]]` lists.

    Under an ablation, what it changed.
    """
    first = study.spec().first
    if result.ablation:
        table = _ablation_table(Context(study, result, Request(), first))
        return text.render(Report("", sections=[Section("", [table])])).rstrip()
    blocks = []
    for block in study.spec().summary:
        context = Context(study, result, Request(seed=result.seed), block.form or first)
        if block.form and not context.cells and context.form != first:
            continue
        paragraphs = [
            part
            for line in block.lines
            for part in (_made(context, line, SAID) if _MADE.fullmatch(line) else [context.said(line)])
        ]
        # Each paragraph with its first word in a column of its own, within the width of a page.
        blocks.append("\n".join(textwrap.fill(str(part), LINE, subsequent_indent=" " * 11) for part in paragraphs))
    return "\n\n".join(blocks)


def _made(context: Context, line: str, makers: Mapping[str, Maker]) -> list[Any]:
    """The pieces made by the maker that a line names; empty where nothing is made."""
    found = _MADE.fullmatch(line)
    assert found is not None
    before, name, stop = found.groups(default="")
    every = {**makers, **context.study.words()}
    return [f"{before}{piece}{stop}" if isinstance(piece, str) else piece for piece in every[name](context)]


def counted(cells: Iterable[Cell]) -> str:
    """How many cells match, follow the trend and miss, in words.

    >>> counted([])
    '0 of 0 match, none missed'
    """
    return sentence("counted", Tally.of(cells))


def _roles(cells: Iterable[Cell]) -> tuple[Tally, Tally]:
    """How the informed and the predicted cells came out."""
    listed = list(cells)
    informed, predicted = (Tally.of(cell for cell in listed if cell.ruling.role == role) for role in SCORED[::-1])
    return informed, predicted


def _by_role(cells: Iterable[Cell]) -> str:
    return sentence("by_role", *_roles(cells))


def close(cells: Sequence[Cell]) -> list[Cell]:
    """The matches in the outer tenth of their band."""
    return [cell for cell in cells if cell.verdict == "matches" and cell.share > EDGE]


def _missed(context: Context, form: str = "{}") -> list[str]:
    """The cells of a form that miss, in a form of text, with the probable cause: those with one cause together."""
    found: dict[str, list[str]] = {}
    for cell in context.cells:
        if cell.verdict in MISSING:
            why = context.spec.cause(cell.place, context.form)
            found.setdefault(why, []).append(form.format(cell.place.name) + (" (trend)" * (cell.verdict == "trend")))
    return [f"{', '.join(names)}: {why}" for why, names in found.items()]


def _shown(study: Study, part: str) -> str:
    """The constants of a part in words, with their units; of an ensemble their spans."""
    own, found = study.spec().part(part), study.committed(part)
    values = (
        {name: f"{low:.4g} to {high:.4g}" for name, (low, high) in _spans(found).items()}
        if found.members
        else {name: f"{value:g}" for name, value in found.constants.items()}
    )
    said = ", ".join(f"{name} {value} {own.constants[name].unit}".rstrip() for name, value in values.items())
    said = f"{plural(len(found.members), 'set')}: {said}" if found.members else said
    return said.replace(" 0.", " .") if study.spec().bare_points else said


def _spans(found: Calibration) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each constant over the sets of an ensemble."""
    values = {name: [member.constants[name] for member in found.members] for name in found.members[0].constants}
    return {name: (min(of_sets), max(of_sets)) for name, of_sets in values.items()}


def _tallies(cells: Sequence[Cell]) -> tuple[Tally, Tally]:
    """How the scored cells came out, all and independent ones."""
    return Tally.of(cells), Tally.of(cells, independent=True)


def _scores(context: Context) -> Iterator[str]:
    roles = {
        role: sum(cell.ruling.role == role for cell in context.cells) for role in ("informed", "calibrated", "excluded")
    }
    yield sentence("scores", *_tallies(context.cells), roles, context.spec.follows_from)
    if roles["calibrated"] or roles["excluded"]:
        yield sentence("aside", roles)


def _apart(context: Context) -> Iterator[str]:
    shown = context.spec.forms[context.form].shown
    yield sentence("counted_apart", shown, *_roles(context.cells), *_tallies(context.cells))


def _must(context: Context) -> Iterator[str]:
    own = [cell for cell in context.cells if cell.ruling.must and cell.ruling.scored]
    if own:
        yield sentence("must", Tally.of(own), [cell for cell in own if cell.verdict in MISSING])


def _close(context: Context) -> Iterator[str]:
    own = close(context.cells)
    if own:
        yield f"Close      {', '.join(cell.place.name for cell in own)}: in the outer tenth of the band"


def _constants_said(context: Context) -> Iterator[str]:
    study, spec = context.study, context.spec
    parts = spec.forms[context.form].parts
    named = "; ".join(f"{spec.part(part).label} {_shown(study, part)}".strip() for part in parts)
    yield f"Constants  {named}; from `slicewright reproduce {study.name} --calibrate`, which sees {spec.fit.sees}"


SAID: Mapping[str, Maker] = {
    "scores": _scores, "apart": _apart, "must": _must, "close": _close, "constants": _constants_said,
    "misses": lambda context: (f"Misses     {miss}" for miss in _missed(context)),
}  # fmt: skip
"""The paragraphs that every summary can list."""


# The pages.


def page(study: Study, result: Reproduction, request: Request, progress: Callable[[float], None]) -> Report:
    """The HTML page of a reproduction; the same reproduction gives the same page."""
    own = study.spec().page
    context = Context(study, result, request, study.spec().first, progress)
    sections = _sections(context, own.section, PAGE, Paragraph)
    return Report(own.title, own.subtitle, _facts(context), sections)


def validation(study: Study, result: Reproduction) -> Report:
    """The validation page of a full reproduction; figures are left to the HTML page."""
    own = study.spec().validation
    context = Context(study, result, Request(seed=result.seed), study.spec().first)
    return Report(own.title, sections=_sections(context, own.section, VALIDATION, lambda line: Notes("", [line])))


def _sections(
    context: Context, listed: Iterable[Blocks], makers: Mapping[str, Maker], sentence: Callable[[str], Block]
) -> list[Section]:
    """The listed sections; of a form that was not simulated there are none, nor where nothing is to be shown."""
    sections: list[Section] = []
    for section in listed:
        within = replace(context, form=section.form or context.form)
        if not within.cells and within.form != context.form:
            continue
        made = {line: _made(within, line, makers) for line in section.blocks if _MADE.fullmatch(line)}
        if made and not any(made.values()):
            continue
        blocks: list[Block] = []
        behind: list[Section] = []
        for line in section.blocks:
            for piece in made.get(line, [Paragraph(within.said(line))]):
                if isinstance(piece, Section):
                    behind.append(piece)
                else:
                    blocks.append(sentence(piece) if isinstance(piece, str) else piece)
        sections += [*([Section(section.title, blocks)] if blocks else []), *behind]
    return sections


def _facts(context: Context) -> list[tuple[str, str]]:
    """The facts at the head of the page."""
    result, spec = context.result, context.spec
    if result.ablation:
        return [("without", result.ablation), ("seed", str(result.seed))]
    (own, apart), usual = _tallies(result.cells), spec.budgeted(_mode(context.request))
    facts = [
        ("scored cells that match", f"{own.matches} of {own.scored}"),
        ("independent ones", f"{apart.matches} of {apart.scored}"),
        ("seed", str(result.seed)),
        ("replications", f"{result.replications} of {usual.interval_s or spec.interval_s} s"),
    ]
    listed = ((form.fact, replace(context, form=name).cells) for name, form in spec.forms.items())
    return facts + [(fact, _by_role(cells)) for fact, cells in listed if fact and cells]


ROLES = (
    "Predicted: no constant and no variant was chosen on the cell. Informed: no constant, but a variant was "
    "adopted after seeing it. Calibrated cells were used in the fit and never count; excluded ones are shown, "
    "not counted."
)


def _drawn(context: Context) -> Iterable[Block]:
    """The figures of the study, those with simulated curves where they are wanted."""
    wanted = context.request.curves or not context.spec.curves
    figures = context.study.words().get("figures")
    return figures(context) if wanted and figures else ()


def _cells(context: Context) -> Iterator[Block]:
    """Every cell of the form, a table for each that was published; none under an ablation, where nothing is judged."""
    listed = [] if context.result.ablation else context.cells
    for table in dict.fromkeys(cell.place.table for cell in listed):
        own = [cell for cell in listed if cell.place.table == table]
        yield _page_table(context, own, _titled(context.spec, table), context.form)


def _titled(spec: Spec, table: str) -> str:
    """The heading of a published table."""
    title = spec.titles[table]
    return f"{table}: {title.partition(': ')[2] or title}"


def _roles_said(context: Context) -> Iterator[Block]:
    """The meaning of the roles of the cells, where they are judged."""
    if not context.result.ablation:
        yield Paragraph(ROLES)


def _compared(context: Context) -> Iterator[Block]:
    """The cells of a form that is for comparison alone."""
    if context.cells:
        yield _page_table(context, context.cells)


def _edge(context: Context) -> Iterator[str]:
    """The matches in the outer tenth of their band."""
    named = ", ".join(cell.place.name for cell in close(context.cells))
    yield f"Matches in the outer tenth of their band: {named or 'none'}."


def _against(result: Reproduction) -> list[tuple[Cell, Cell]]:
    """Under an ablation, each cell without what is taken away, and the same with everything there."""
    whole = {cell.place.key: cell for cell in result.comparison}
    found = []
    for cell in result.cells:
        column = cell.place.column.removeprefix(result.ablation).strip()
        found.append((cell, whole[replace(cell.place, column=column).key]))
    return found


def _of_pairs(context: Context, lines: str, show: Callable[[Cell], str], values: Values) -> Table[Any]:
    """Each value with everything there, and without what is taken away."""
    own: Values = {
        "published": lambda pair: context.look.published(pair[0]), "whole": lambda pair: show(pair[1]),
        "without": lambda pair: show(pair[0]),
    }  # fmt: skip
    return context.look.table(lines, _against(context.result), {**own, **values})


def _ablation_table(context: Context) -> Table[Any]:
    """An ablation beside the whole for a terminal."""
    spec, look = context.spec, context.look

    def change(pair: tuple[Cell, Cell]) -> str:
        without, whole = pair
        return signed(without.estimate.mean - whole.estimate.mean, spec.values[whole.place.row].places)

    values: Values = {"change": change, "cell": lambda pair: spec.called("heading", pair[1].place)}
    lines = "cell || -; published | right; whole | right; without | right; change | right"
    return _of_pairs(context, lines, look.simulated, values)


def _taken_away(context: Context) -> Iterator[Block]:
    """The scored cells under each ablation; where one ablation was requested, beside those of the whole study."""
    ablation, look = context.result.ablation, context.look
    if ablation:
        what = context.spec.ablations[ablation]
        yield Paragraph(f"{ablation}: {what}; constants stay as they are, and nothing is judged.")
        lines = "cell; published | right; whole | right; without | right"
        yield _of_pairs(context, lines, look.mean, {"cell": lambda pair: pair[1].place.name})
        return
    table = _ablations(context)
    if table.rows:
        yield from (Paragraph(f"{name}: {what}.") for name, what in context.spec.ablations.items())
        yield replace(table, legend="Constants stay as they are; nothing is judged.")


def _ablations(context: Context) -> Table[Any]:
    """A row per scored cell, a column per ablation."""
    spec, look, known = context.spec, context.look, {cell.place.key: cell for cell in context.result.comparison}

    def without(ablation: str) -> Callable[[Cell], str]:
        def value(cell: Cell) -> str:
            found = known.get(spec.ablation_key(cell.place, ablation))
            return look.value(cell, found.estimate.mean) if found else "-"

        return value

    rows = [
        cell
        for cell in context.cells
        if cell.ruling.scored and any(spec.ablation_key(cell.place, name) in known for name in spec.ablations)
    ]
    lines = ["cell; published | right; mean | right | whole", *(f"{name} | right" for name in spec.ablations)]
    return look.table("; ".join(lines), rows, {name: without(name) for name in spec.ablations})


def constants_tables(spec: Spec, found: Calibration) -> Iterator[Block]:
    """One fit: its constants with what they are, its scales, and the cells that it saw."""
    part = spec.part(found.part)
    values: Values = {
        "constant": str, "table": str,
        "value": lambda name: f"{found.constants[name]:g} {part.constants[name].unit}".rstrip(),
        "from": lambda name: part.constants[name].source, "meaning": lambda name: part.constants[name].meaning,
        "scale": lambda name: f"{found.scales[name]:g}",
    }  # fmt: skip
    lines = columns("constant; value; from ?; meaning ? || what it is", (), values)
    yield Table(lines, list(found.constants), f"{part.name}: {part.meaning}" if part.meaning else "")
    yield Table(columns(f"table || table or figure; scale | right | {spec.scale}", (), values), list(found.scales))
    yield _fit_table(spec, found)


def _fit_table(spec: Spec, found: Calibration) -> Table[Any]:
    """The calibration cells at the fitted constants."""
    fields, rounding = spec.calibrated.fields, "rounding" in spec.calibrated.fields

    def number(name: str) -> Callable[[Fitted], str]:
        return lambda cell: fixed(getattr(cell, name), spec.values[cell.row].places)

    lines = f"table || {spec.page.place[0]}; row || value" + ("; column" if "column" in fields else "")
    lines += "; published | right" + ("; rounding | right" if rounding else "")
    lines += "; simulated | right; residual | right; used || in the fit"
    values: dict[str, Callable[[Fitted], str]] = {name: number(name) for name in ("published", "rounding", "simulated")}
    values["residual"] = lambda cell: fixed(cell.residual, 1 if rounding else 2)
    values["used"] = lambda cell: "fitted" if cell.used else "not used"
    return Table(columns(lines, (), values), found.cells, legend=f"Residual: difference in {spec.fit.residual_in}.")


def _runs(context: Context) -> Iterator[Section]:
    """A section per published table: its cells, those verdicts that count standing out, and the notes on them."""
    spec, look = context.spec, context.look

    def named(cell: Cell) -> str:
        return f"`{spec.called('validation', cell.place)}`"

    def marks(cell: Cell) -> str:
        follows = "follows from the others" if cell.identity else ""
        return ", ".join(part for part in ("must" if cell.ruling.must else "", follows, cell.doubt) if part)

    values: Values = {
        "value": named, "mark": marks, "band": lambda cell: look.margin(cell) or "-",
        "verdict": lambda cell: f"**{cell.verdict}**" if cell.ruling.scored else cell.verdict,
    }  # fmt: skip
    lines = "value; unit; published | right; simulated | right; off | right; band | right; role; verdict; mark"
    for table in spec.titles:
        own = [cell for cell in context.cells if cell.place.table == table]
        notes: dict[str, list[str]] = {}
        for cell in own:
            notes.setdefault(cell.ruling.note, []).append(named(cell))
        said = [Paragraph(f"{_capital(note)} ({', '.join(rows)}).") for note, rows in notes.items() if note]
        shown = look.table(lines, own, values)
        yield Section(f"{spec.forms[context.form].before}{_titled(spec, table)}", [shown, *said])


def _capital(note: str) -> str:
    return ". ".join(f"{part[0].upper()}{part[1:]}" for part in note.split("; "))


def _parts(context: Context) -> Iterator[Block]:
    """A row per part that was fitted: its constants and what it is of."""
    study = context.study
    values: Values = {
        "part": str, "constants": lambda part: _shown(study, part),
        "what": lambda part: study.spec().part(part).meaning,
    }  # fmt: skip
    yield Table(columns("part; constants; what || what of", (), values), study.parts)


# The parts of pages about an ensemble.


def _spread(context: Context) -> Iterator[Block]:
    """How far apart the sets of the ensemble are in each scored cell."""
    look = context.look
    rows = [cell for cell in context.cells if cell.spread and cell.ruling.scored]

    def value(name: str) -> Callable[[Cell], str]:
        return lambda cell: look.value(cell, getattr(cell.spread, name))

    lines = (
        "cell; published | right; mean | right; deviation | right | standard deviation; least | right; largest | right"
    )
    if rows:
        yield look.table(lines, rows, {name: value(name) for name in ("deviation", "least", "largest")})


MISFIT, SCALE = "misfit", "scale of "


def _sets_table(context: Context, *, spanned: bool) -> Iterator[Block]:
    """The constants of each set of an ensemble, with their bounds; `spanned`: with their spans over the sets."""
    found = context.fit
    part, members = context.spec.part(found.part), found.members
    about, within, span = part.constants, part.bounds, _spans(found)

    def bounded(name: str) -> str:
        if name not in within:
            return ""
        low, high = within[name]
        return f"{low:g} to {high:g}{'' if spanned else ' ' + about[name].unit}".rstrip()

    def apart(name: str) -> str:
        if name not in span:
            return ""
        logs = [math.log(member.constants[name]) for member in members]
        return f"{math.exp(fmean(logs)):.3g}, x or / {math.exp(pstdev(logs)):.2f}"

    def spanning(name: str) -> str:
        return f"{span[name][0]:g} to {span[name][1]:g} {about[name].unit}".rstrip() if name in span else ""

    def meaning(name: str) -> str:
        if name.startswith(SCALE):
            return context.spec.scale
        return about[name].meaning if name in about else "sum of squared residuals"

    def in_set(member: Member) -> Callable[[str], str]:
        def value(name: str) -> str:
            if name.startswith(SCALE):
                return f"{member.scales[name.removeprefix(SCALE)]:g}"
            return f"{member.misfit:.1f}" if name == MISFIT else f"{member.constants[name]:g}"

        return value

    values: Values = {
        "constant": str, "span": spanning, "bounds": bounded, "what": meaning, "spread": apart,
        "source": lambda name: about[name].source if name in about else "",
        **{f"set_{at}": in_set(member) for at, member in enumerate(members, 1)},
    }  # fmt: skip
    lines = "constant; " + ("span; " if spanned else "") + "bounds; what || what it is; source || source of the bounds"
    lines += "" if spanned else "; spread || spread over the sets"
    rows = [*span, *(f"{SCALE}{table}" for table in members[0].scales), MISFIT]
    yield Table(columns(lines + _each_set(members), (), values), rows)


def _each_set(members: Sequence[Member]) -> str:
    return "".join(f"; set_{at} | right" for at in range(1, len(members) + 1))


def _fit_of_sets(context: Context) -> Iterator[Block]:
    """The calibration cells that the search is fitted to, at each set."""
    found, values = context.fit, context.spec.values

    def number(of: Callable[[int], float]) -> Callable[[int], str]:
        return lambda at: fixed(of(at), values[found.cells[at].row].places)

    shown: dict[str, Callable[[int], str]] = {
        "cell": lambda at: " ".join(found.cells[at].key),
        "published": number(lambda at: found.cells[at].published),
        "mean": number(lambda at: found.cells[at].simulated),
        **{f"set_{at}": number(member.simulated.__getitem__) for at, member in enumerate(found.members, 1)},
    }
    lines = columns("cell; published | right; mean | right" + _each_set(found.members), (), shown)
    rows = [at for at, cell in enumerate(found.cells) if cell.used]
    yield Table(lines, rows, legend="The calibration cells at each set.")


Key = tuple[str, str, str]
"""A value by its table, its row and its column, which may be empty."""

Rule = tuple[str, Sequence[Key], Callable[[list[float]], bool]]
"""A direction that a document states: what it says, of which values, and whether it holds of them."""


def growing(values: list[float]) -> bool:
    """Whether each value is above the one before."""
    return all(value < other for value, other in itertools.pairwise(values))


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction: what a document says, whether it holds, what was found, and of how many sets it holds.

    >>> Direction("gains grow", True, "1 to 2 %", 7, 8).said
    'holds (in 7 of 8 sets): gains grow: 1 to 2 %'
    """

    what: str
    holds: bool
    found: str
    sets: int = 0
    of: int = 0

    @property
    def said(self) -> str:
        """The direction in one line."""
        return sentence("direction", self)


def directions(rules: Iterable[Rule], cells: Iterable[Cell]) -> Iterator[Direction]:
    """The directions of the means over sets, and set by set; none of one of which no set has all values."""
    found = {cell.place.key: cell.estimate.mean for cell in cells}
    for what, keys, rule in rules:
        by_set: list[list[float]] = []
        while all((table, row, of_set(column, len(by_set) + 1)) in found for table, row, column in keys):
            by_set.append([found[table, row, of_set(column, len(by_set) + 1)] for table, row, column in keys])
        if by_set:
            means = [sum(values) / len(values) for values in zip(*by_set, strict=True)]
            said = ", ".join(fixed(mean, 0 if mean >= 1000 else 1) for mean in means)
            yield Direction(what, rule(means), said, sum(map(rule, by_set)), len(by_set))


_SETS: dict[str, Maker] = {
    "spread": _spread, "fit": _fit_of_sets, "spans": lambda context: _sets_table(context, spanned=True),
    "sets": lambda context: _sets_table(context, spanned=False),
}  # fmt: skip

PAGE: Mapping[str, Maker] = {
    "drawn": _drawn, "roles": _roles_said, "cells": _cells, "compared": _compared, "edge": _edge, **_SETS,
    "missed": lambda context: (f"Missed: {miss}." for miss in _missed(context)), "ablations": _taken_away,
    "constants": lambda context: (
        block
        for part in context.study.parts
        for block in constants_tables(context.spec, context.study.committed(part))
    ),
    "scenarios": lambda context: (
        Verbatim(name, text, Face.HTML) for name, text in context.study.scenarios().items()
    ),
}  # fmt: skip
"""The makers that every HTML page can list."""

VALIDATION: Mapping[str, Maker] = {
    "summary": lambda context: [Verbatim("", summary(context.study, context.result))], "runs": _runs, "parts": _parts,
    "missed": lambda context: (f"{miss}." for miss in _missed(context, "`{}`")), **_SETS,
    "ablations": lambda context: [_ablations(context)],
}  # fmt: skip
"""The makers that every validation page can list."""


def published(study: Study) -> Iterator[Cell]:
    """Every published number as a cell, for figures."""
    judge = Judge(study)
    return (judge.cell(number, Estimate(math.nan, math.nan, 0)) for number in judge.published)
