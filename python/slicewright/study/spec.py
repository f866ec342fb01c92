"""The data of a study: what its `study.toml` declares of roles, values, constants, forms, budgets and pages.

The types below are the keys of that file: a key with a default may be absent.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec import Struct, structs

from slicewright.results.judge import Band, Place, Role, Ruling
from slicewright.study.points import Budget
from slicewright.values.carried import study_folder
from slicewright.values.codec import convert_foreign, read_toml

Amount = int | float
"""A number that stays as it is written: 3 is no 3.0 in JSON."""


@dataclass(frozen=True, slots=True)
class Number:
    """One published number and its place; `rounding` is the most that the print can have moved it, 0 if unused."""

    place: Place
    value: float
    rounding: float = 0.0


Wanted = Callable[[Place], bool]
"""Whether a number at a place is asked for: no other one is looked at."""


class _Where(Struct, frozen=True, kw_only=True):
    """Patterns (shell style) of table, row and column; of a list of rules the first that matches a place counts."""

    table: str = "*"
    row: str = "*"
    column: str = "*"

    def matches(self, place: Place) -> bool:
        """Whether a place is meant."""
        patterns = (self.table, self.row, self.column)
        return all(map(fnmatchcase, (place.table, place.row, place.column), patterns))


D = TypeVar("D")
Rule = TypeVar("Rule", bound=_Where)


def first_match(rules: Iterable[Rule], place: Place) -> Rule | None:
    """The first rule whose patterns match a place; None where none does.

    >>> first_match([_Why(row="a", why="no"), _Why(table="T*", why="yes")], Place("T1", "b", "ms")).why
    'yes'
    """
    return next((rule for rule in rules if rule.matches(place)), None)


class _Why(_Where, frozen=True, kw_only=True):
    """A sentence on what matches."""

    why: str


class _Cause(_Why, frozen=True, kw_only=True):
    forms: tuple[str, ...]


class _Name(_Where, frozen=True, kw_only=True):
    name: str


class _Move(_Where, frozen=True, kw_only=True):
    """From a place to another one, whose value is counted `scale` times."""

    to: Mapping[str, str]
    scale: float = 1.0


class _Banded(_Where, frozen=True, kw_only=True):
    rel: Amount = 0.0
    abs: Amount = 0.0
    calibrate: bool = False
    expect: Literal["", "miss"] = ""
    derived: bool = False
    role: Role = "predicted"
    must: bool = False
    note: str = ""

    @property
    def ruling(self) -> Ruling:
        """The role and the band."""
        excluded = self.expect == "miss" or self.derived
        role: Role = "calibrated" if self.calibrate else "excluded" if excluded else self.role
        return Ruling(role, Band(rel=self.rel, abs=self.abs), self.must, self.note)


class _Value(Struct, frozen=True):
    unit: str = ""
    places: int = 0
    absolute: bool = False
    """Whether differences are shown in the unit where nothing is judged."""


class _Constant(Struct, frozen=True):
    """A fitted constant: unit, what it is, where it is from, where its search starts and by which steps, its bounds."""

    unit: str = ""
    meaning: str = ""
    source: str = ""
    start: float = 0.0
    step: float = 0.0
    low: float | None = None
    high: float | None = None
    whole: bool = False
    """Whether it is a count: fitted as if it had fractions, then rounded."""

    def key(self, name: str) -> str:
        """A name with the unit as a suffix.

        >>> _Constant("ms").key("think")
        'think_ms'
        """
        return f"{name}_{'percent' if self.unit == '%' else self.unit}".rstrip("_")


class _Bounds(Struct, frozen=True):
    low: float | None = None
    high: float | None = None
    source: str | None = None


class _Part(Struct, frozen=True, kw_only=True):
    meaning: str = ""
    label: str = ""
    like: str = ""
    constants: Mapping[str, _Constant] = {}
    cells: tuple[_Where, ...] = (_Where(),)
    used: tuple[_Where, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What one search finds: its constants, the calibration cells that it sees, and those that it is fitted to."""

    name: str
    meaning: str
    label: str
    constants: Mapping[str, _Constant]
    cells: tuple[_Where, ...]
    used: tuple[_Where, ...]

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """The constants with both bounds: an ensemble of sets is searched for between them; none where one set is."""
        listed = ((name, constant.low, constant.high) for name, constant in self.constants.items())
        return {name: (low, high) for name, low, high in listed if low is not None and high is not None}


class Form(Struct, frozen=True, kw_only=True):
    """A form of the model: what is fitted of it, where its cells are kept, and which of them it was chosen knowing."""

    name: str = ""
    parts: tuple[str, ...] = ()
    meaning: str = ""
    constants: tuple[str, ...] = ()
    bounds: Mapping[str, _Bounds] = {}
    spread: int = 64
    """The sets that are spread over the bounds; of these `starts` are searched from, and `keep` ends are kept."""
    starts: int = 12
    keep: int = 8
    rounds: tuple[int, int] = (2, 1)
    """How often slopes are taken and followed from each start, and then again from each end that is kept."""
    shown: Literal["cells", "adopted", "comparison", "variant", "fourth"] = "cells"
    """The study's own, counted apart, for comparison alone, not adopted (two forms at most)."""
    quick: bool = False
    """Whether `--quick` simulates it too."""
    mode: Mode | Literal[""] = ""
    """How much of its runs is simulated, where that is not as much as of the first form."""
    fitted: tuple[_Where, ...] = ()
    """Cells that it alone is fitted to, beside the calibration cells; in it they never count."""
    informed: tuple[_Why, ...] = ()
    before: str = ""
    """Before the titles of its tables; `run`: of its runs; `shipped`: before the names of its scenarios."""
    run: str = ""
    shipped: str = ""
    fact: str = ""
    """Its name among the facts of a page; with `listed` in the table of all studies, too."""
    listed: bool = False


Mode = Literal["full", "quick", "short", "fit", "coarse", "look", "set", "curve", "fingerprint", "shipped"]
"""Kinds of runs; `short`: an ablation, `look` and `coarse`: trials of a search, `set`: one of an ensemble."""


class _Fit(Struct, frozen=True):
    sees: str
    used: tuple[_Where, ...] = ()
    logarithm: tuple[_Where, ...] = ()
    once: bool = False
    ratio: bool = False
    kind: str = ""
    checksums: Literal["", "table", "column"] = ""
    simulated: str = "{0.simulated} after {0.warm_up_s:g} s"
    residual_in: str = "bands of the row"


class _Calibrated(Struct, frozen=True):
    head: tuple[str, ...]
    layout: Literal["keys", "line", "tables", "sets"] = "keys"
    column: str = ""
    fields: tuple[str, ...] = ("table", "row", "published", "rounding", "simulated", "used", "residual")


Shown = Literal["run", "validation", "heading"]
"""Where a cell has a name: in the table of its run, on a validation page, where no heading has its table."""


class _Group(Struct, frozen=True):
    run: str
    by: Literal["table", "column"]


class _Lines(Struct, frozen=True):
    lines: tuple[str, ...]
    form: str = ""


class Blocks(Struct, frozen=True):
    """A section of a page: sentences as they are written, and `@name` for what is made of the reproduction."""

    blocks: tuple[str, ...]
    title: str = ""
    form: str = ""


class _Page(Struct, frozen=True):
    title: str
    subtitle: str = ""
    place: tuple[str, ...] = ("table", "value", "column")
    section: tuple[Blocks, ...] = ()


class Panel(Struct, frozen=True):
    """A value in a panel of a figure."""

    label: str
    table: str
    row: str


class _Figure(Struct, frozen=True):
    title: str
    caption: str
    panels: tuple[Panel, ...]


class _Row(Struct, frozen=True):
    row: str
    label: str


class _Sweep(Struct, frozen=True):
    over: str
    caption: str
    tables: tuple[_Row, ...]
    panels: tuple[_Row, ...]


class _CommandClass(Struct, frozen=True):
    """A class of commands: the scripts in it, and what one demands, in units of a light command."""

    name: str
    demand: int
    scripts: tuple[str, ...]

    def weight(self, percents: Mapping[str, int]) -> int:
        """Its share of the commands, in percent, from the weights of the scripts."""
        return sum(percents.get(script, 0) for script in self.scripts)


class Spec(Struct, frozen=True, kw_only=True, dict=True):
    """A study's data.

    >>> Spec.read("hyperpav").values["service_ms"]
    _Value(unit='ms', places=3, absolute=False)
    """

    name: str = ""
    folder: Path = Path()
    tables: str
    """The file of the published numbers."""
    label: str
    subject: str
    heading: str
    rule: tuple[_Banded, ...]
    """The roles and bands, declared before any run."""
    values: Mapping[str, _Value]
    titles: Mapping[str, str]
    """The title of each published table."""
    run_titles: Mapping[str, str] = {}
    columns: Mapping[str, str] = {}
    names: Mapping[Shown, tuple[_Name, ...]] = {}
    group: tuple[_Group, ...] = ()
    follows: tuple[_Why, ...] = ()
    nearest: tuple[_Move, ...] = ()
    residual: tuple[_Move, ...] = ()
    causes: tuple[_Cause, ...] = ()
    order: Mapping[Literal["quick", "full"], tuple[str, ...]] = {}
    budget: Mapping[str, Mapping[Mode, Budget]]
    weights: Mapping[str, float] = {}
    """How long a simulated second of a kind of run takes, beside one of weight 1."""
    constants: Mapping[str, _Constant] = {}
    forms: Mapping[str, Form]
    parts: Mapping[str, _Part] = {}
    fit: _Fit
    calibrated: _Calibrated
    scaled: Mapping[Literal["times", "over"], tuple[_Where, ...]] = {}
    scale: str = ""
    summary: tuple[_Lines, ...]
    page: _Page
    validation: _Page
    ablations: Mapping[str, str] = {}
    """The standard experiments: what each takes away, everything else and all constants staying as they are."""
    ablated: Literal["", "column"] = ""
    """Whether a value under an ablation is in the column of its name, not in a table of its own."""
    runs: Literal["table", "column"] = "table"
    interval: str = ""
    interval_s: Amount = 0
    curves: bool = False
    notes: bool = True
    print_units: bool = True
    bare_points: bool = False
    fingerprint: Literal["", "by name"] = ""
    quick: Literal["", "everything"] = ""
    """Whether `--quick` simulates all that a full reproduction does, for a shorter time."""
    follows_from: str = "others"
    unsaid: tuple[Role, ...] = ()
    json: tuple[str, ...] = ()
    figure: tuple[_Figure, ...] = ()
    command_class: tuple[_CommandClass, ...] = ()
    sweeps: Mapping[str, _Sweep] = {}
    gain: Mapping[str, str] = {}
    drawn: Mapping[str, str] = {}

    @staticmethod
    def read(name: str, folder: Path | None = None) -> Spec:
        """The data of a study, from the folder of published numbers or from a copy of the study's own folder.

        Raises InputError with every key of its `study.toml` that is wrong.
        """
        return _shipped(name) if folder is None else _read(name, folder)

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The published numbers as they are written."""
        return tomllib.loads((self.folder / self.tables).read_text("utf-8"))

    def document_as(self, kind: type[D]) -> D:
        """The published numbers that a study reads by name; raises InputError with the first place that is wrong."""
        return convert_foreign(kind, self.document, str(self.folder / self.tables))

    @property
    def first(self) -> str:
        """The study's own form."""
        return next(iter(self.forms))

    @property
    def in_column(self) -> bool:
        """Whether a value under an ablation is in the column of its name, not in a table of its own."""
        return self.ablated == "column"

    def ablation_key(self, place: Place, ablation: str) -> tuple[str, ...]:
        """The key of the value of a place under an ablation."""
        if self.in_column:
            return replace(place, column=ablation).key
        return replace(place, table=f"{ablation} {place.table}").key

    def ruling(self, table: str, row: str, column: str = "") -> Ruling:
        """The first rule that matches; raises LookupError when none does: nothing to judge the cell by.

        >>> Spec.read("hyperpav").ruling("Y032181H", "service_ms").band
        Band(rel=0.05, abs=0.0)
        """
        rule = first_match(self.rule, Place(table, row, "", column))
        if rule is None:
            raise LookupError(f"no band is declared for {table} {row} {column}".rstrip())
        return rule.ruling

    def called(self, where: Shown, place: Place) -> str:
        """The name of a cell in the table of its run, on its validation page, or where no heading has its table.

        >>> Spec.read("hiperdispatch").called("run", Place("table1.n8", "tv_ratio", "", "6.2"))
        'tv_ratio'
        """
        rule = first_match(self.names.get(where, ()), place)
        form = rule.name if rule else "{table} {row} {column}" if where == "heading" else "{row} {column}"
        column, words = self.columns.get(place.column, place.column), place.row.replace("_", " ")
        return form.format(table=place.table, row=place.row, column=place.column, shown=column, words=words).rstrip()

    def part(self, name: str) -> Part:
        """The constants of one search, and the cells that it is fitted to."""
        if name in self.parts:
            own = self.parts[name]
            like = self.parts[own.like or name]
            return Part(name, own.meaning, own.label, like.constants, like.cells, like.used)
        form, constants = self.forms[name], {}
        for each in form.constants or self.constants:
            bounds = structs.asdict(form.bounds.get(each, _Bounds()))
            given = {key: value for key, value in bounds.items() if value is not None}
            constants[each] = structs.replace(self.constants[each], **given)
        return Part(name, form.meaning, "", constants, (_Where(),), self.fit.used)

    def form_of(self, part: str) -> Form:
        """The form that a part is fitted for."""
        return next(form for form in self.forms.values() if part in form.parts)

    @property
    def kinds(self) -> list[str]:
        """The kinds of runs by how much of them is simulated, the usual one first."""
        return [name for name, kind in self.budget.items() if "full" in kind]

    def budgeted(self, mode: Mode, kind: str = "", seed: int = 1) -> Budget:
        """How much of a kind of run is simulated in a mode: full, quick, short beside a full one, and so on."""
        own = self.budget[kind or self.kinds[0]]
        return structs.replace(own[mode] if mode in own else self.budget["any"][mode], seed=seed)

    def cause(self, place: Place, form: str) -> str:
        """The suspected cause of a miss in a form, or that none is known."""
        found = first_match((rule for rule in self.causes if form in rule.forms), place)
        return found.why if found else "no cause is known"


def written(spec: Spec, wanted: Wanted) -> Iterator[Number]:
    """The numbers of tables that are written as tables: of nested keys the declared value is the row.

    The keys before it are the table, the keys after it the column.

    >>> found = [number for number in written(Spec.read("mdf"), lambda place: place.column == "sched1")]
    >>> found[0].place.key, found[0].value
    (('table1.ims', 'response_ms', 'sched1'), 24.72)
    """
    for path, value in _leaves(spec.document, ()):
        at = next((at for at, key in enumerate(path) if key in spec.values), 0)
        if at:
            place = Place(".".join(path[:at]), path[at], spec.values[path[at]].unit, " ".join(path[at + 1 :]))
            if wanted(place):
                yield Number(place, value)


def _leaves(found: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in found.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*path, key), value


def matched(rules: Iterable[_Where], place: Place) -> bool:
    """Whether a rule matches a place."""
    return any(rule.matches(place) for rule in rules)


def moved(rules: Iterable[_Move], place: Place) -> tuple[Place, float] | None:
    """The place that a rule leads to from a place, with its scale; None where no rule matches.

    >>> moved([_Move(row="x", to={"table": "B"})], Place("A", "x", "ms"))
    (Place(table='B', row='x', unit='ms', column=''), 1.0)
    """
    rule = first_match(rules, place)
    if rule is None:
        return None
    return replace(place, **rule.to), rule.scale


@cache
def _shipped(name: str) -> Spec:
    return _read(name, study_folder(name))


def _read(name: str, folder: Path) -> Spec:
    file = folder / "study.toml"
    own = read_toml(Spec, file.read_bytes(), str(file))
    forms = {form: structs.replace(of, name=form, parts=of.parts or (form,)) for form, of in own.forms.items()}
    return structs.replace(own, name=name, folder=folder, forms=forms)
