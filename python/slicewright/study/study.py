"""A study: data, and two functions that say how a run is simulated and what is measured of it.

Everything else has a default that a study replaces only where its document asks for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from slicewright.report import markdown, text
from slicewright.report.model import Block, Report, Section, Table
from slicewright.results.judge import Cell, Place
from slicewright.statistics import Estimate, estimate
from slicewright.study import calibrate, calibration, kept, pages, reproduce, summary
from slicewright.study.calibration import Calibration, Constants, Layout
from slicewright.study.data import data_folder, study_folder
from slicewright.study.fit import Tell
from slicewright.study.kept import Kept
from slicewright.study.look import Look, Row, name_of, run_table
from slicewright.study.points import Budget, Key, Point, Progress, Tables, replicate, split, warm_up
from slicewright.study.published import Number, Wanted, written
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.spec import Form, Spec
from slicewright.study.summary import Context


class Measured(Protocol):
    """Something timed on the machine at hand, beside what is simulated."""

    def report(self) -> Report:
        """It as a table."""

    def to_json(self) -> dict[str, Any]:
        """It as an object."""


class Study(ABC):
    """A study: its `study.toml`, `scenario` and `measure`; a case is one run that can be simulated, with a `name`."""

    name = ""
    reads: tuple[str, ...] = ()
    """The tables of a run that are measured."""
    layout = Layout()
    """How its file of constants is written."""

    # The methods that a study defines.

    @abstractmethod
    def scenario(self, case: Any, constants: Any, budget: Budget) -> str:
        """A run as a complete scenario file (TOML)."""

    @abstractmethod
    def measure(self, case: Any, run: Tables, constants: Any) -> Mapping[Key, float]:
        """The values of one replication, by row or by table and row, in the published units."""

    @abstractmethod
    def cases(self, number: Number) -> tuple[Any, ...]:
        """The runs that a number is made of; none where nothing gives it."""

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The published numbers, in the order of publication; what is not wanted need not be looked at."""
        return written(spec, wanted)

    def estimated(self, number: Number, points: Mapping[Any, Point]) -> Estimate:
        """A number as simulated, of its only run; raises KeyError when its runs are not among the points."""
        return estimate(points[self.cases(number)[0]].of(number.place))

    def unit_of(self, number: Number) -> tuple[str, str]:
        """Under which name a number is printed, and what else sets apart those that are made of the same runs."""
        return number.place.table, ""

    def kind(self, case: Any) -> str:
        """Which kind of run a case is, by how much of it is simulated."""
        return self.spec().kinds[0]

    def made(self, form: str, fits: Mapping[str, Calibration], folder: Path | None) -> Any:
        """The constants of a form from what was fitted of it, as `scenario` takes them."""
        found = next(iter(fits.values()))
        return Constants(form, found.constants, found.scales)

    def belongs(self, part: str, place: Place) -> bool:
        """Whether a calibration cell is one of a part's."""
        return True

    def trial_cases(self, part: str, number: Number) -> tuple[Any, ...]:
        """The runs that stand for a number while the constants of a part are searched."""
        return self.cases(number)

    def trial_name(self, number: Number) -> str:
        """The name of the run of a calibration cell in the file of constants."""
        return number.place.table

    def tried(self, part: str, numbers: Sequence[Number], points: Mapping[Any, Point]) -> calibrate.Trial:
        """The values of some numbers from the points of a trial."""
        simulated = {}
        for number in numbers:
            stands_for = zip(self.cases(number), self.trial_cases(part, number), strict=True)
            simulated[number] = self.estimated(number, {case: points[trial] for case, trial in stands_for}).mean
        return calibrate.Trial(simulated, points, {})

    def residual(self, target: calibrate.Target, simulated: float) -> float:
        """How far a simulated value is from its calibration cell, in what the cell's residual is counted in."""
        return (simulated - target.number.value) / target.scale

    def shipping(self) -> Mapping[str, tuple[Any, Any]]:
        """The runs whose scenarios are shipped, each with its constants, by the names of their files."""
        cases = dict.fromkeys(case for number in self.published(self.spec()) for case in self.cases(number))
        return {f"{case.name}.toml": (case, self.constants(self.spec().first)) for case in cases}

    def seen(self) -> Iterable[tuple[Any, Any]]:
        """The runs whose first seconds tell engines apart, each with its constants."""
        return self.shipping().values()

    def fields(self, context: Context) -> Mapping[str, Any]:
        """The fields that sentences of its `study.toml` may name beside budgets and counts."""
        return {}

    def titles(self) -> Mapping[str, str]:
        """The title of each published table."""
        return self.spec().titles

    def run_title(self, run: str) -> str:
        """The title of a run, of the study's own form unless its name has another."""
        form, _, own = run.rpartition(" ")
        said = self.titles()[own]
        named = self.spec().data["forms"].get(form, {}).get("run", f"{form.capitalize()} form")
        return f"{named}, {said[0].lower()}{said[1:]}" if form else said

    def within(self, run: str, cells: Sequence[Cell]) -> list[Row]:
        """The cells of a run as they are printed, with the names of groups before them."""
        return list(cells)

    def below(self, run: str, cells: Sequence[Cell]) -> str:
        """The line below the table of a run."""
        return "; ".join(dict.fromkeys(cell.ruling.note for cell in cells if cell.ruling.note))

    def in_run(self, cell: Cell) -> str:
        """The name of a cell in the table of its run."""
        return f"{cell.place.row} {cell.place.column}".rstrip()

    def in_validation(self, cell: Cell) -> str:
        """The name of a cell on the validation page, where the heading names the table."""
        return f"`{f'{cell.place.row} {cell.place.column}'.rstrip()}`"

    def called(self, cell: Cell) -> str:
        """The full name of a cell, where no heading names its table."""
        return name_of(cell)

    def ablated(self, place: Place, ablation: str) -> tuple[str, ...]:
        """The key of the value of a place under an ablation."""
        return replace(place, table=f"{ablation} {place.table}").key

    def shown(self, part: str) -> str:
        """The constants of a part in words."""
        label = self.spec().part(part).label
        return f"{label} {pages.shown(self.spec(), self.committed(part))}".strip()

    def sees(self) -> str:
        """Which published numbers its constants are fitted to, in words."""
        return str(self.spec().data["fit"]["sees"])

    def said(self) -> Mapping[str, summary.Paragraphs]:
        """Paragraphs of its summary that no other study has."""
        return {}

    def lines(self) -> Mapping[str, summary.Lines]:
        """Sentences of its pages that no other study has: paragraphs of the one, points of the other."""
        return {}

    def blocks(self) -> Mapping[str, pages.Blocks]:
        """Blocks of its pages that no other study has."""
        return {}

    def figures(self, context: Context) -> Iterable[Block]:
        """The figures of its page."""
        return ()

    has_curves = False
    """Whether its figures simulate more than a reproduction does."""

    timed = False
    """Whether there is something that `reproduce STUDY --bench` times for real."""

    def bench(self) -> Measured | None:
        """The measurement of `reproduce STUDY --bench` on this computer; None where the study has none."""
        return None

    def beside(self, result: Reproduction) -> dict[str, Any]:
        """The members of `reproduce STUDY --format json` beside the cells, where text has more than them."""
        return {}

    def judged(self, numbers: Kept) -> Reproduction:
        """A reproduction again: kept numbers judged by today's bands against today's published values."""
        return kept.judged(self, numbers)

    def kept_result(self) -> Reproduction | None:
        """The full reproduction behind the validation page, without simulating; None where no numbers are kept."""
        numbers = kept.of_installation(self.name)
        return None if numbers is None else self.judged(numbers)

    def calibrate(
        self, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
    ) -> list[Calibration]:
        """Its constants, from the calibration cells alone; `tell` hears one line per iteration."""
        return calibrate.calibrate(self, folder, budget, tell)

    def reproduce(self, request: Request) -> Reproduction:
        """Simulate the published runs with the committed constants, and judge every cell."""
        return reproduce.reproduce(self, request)

    # The methods that every study shares.

    def spec(self, folder: Path | None = None) -> Spec:
        """Its data, from the folder of published numbers or from a copy of its own folder."""
        return Spec.read(self.name, folder)

    def published(self, spec: Spec) -> list[Number]:
        """Every published number."""
        return list(self.numbers(spec, lambda place: True))

    def calibrated(self, spec: Spec) -> list[Number]:
        """The published numbers that constants may be fitted to; no other one is looked at."""
        bands = spec.bands

        def wanted(place: Place) -> bool:
            return bands.ruling(place.table, place.row, place.column).role == "calibrated"

        return [number for number in self.numbers(spec, wanted) if wanted(number.place)]

    @property
    def parts(self) -> list[str]:
        """The fitted parts, form by form; one that forms share is listed once."""
        return list(dict.fromkeys(part for form in self.spec().forms.values() for part in form.parts))

    def committed(self, part: str) -> Calibration:
        """The committed calibration of a part: the only source of constants for every other command."""
        return _committed(self, part)

    def parse(self, text: str, part: str) -> Calibration:
        """One part of the text of a calibration file; raises KeyError when the text has none."""
        return calibration.parse(self.spec(), self.layout, text, part)

    def written(self, fits: Sequence[Calibration]) -> str:
        """The file of constants; `parse` reads it back without loss."""
        return calibration.written(self.spec(), self.layout, fits)

    def constants_text(self, tell: Tell) -> str:
        """The file of constants as `calibrate` prints it; `tell` hears one line per iteration."""
        return self.written(self.calibrate(tell=tell))

    @property
    def constants_file(self) -> Path:
        """The committed output of `slicewright calibrate STUDY`."""
        return study_folder(self.name) / "calibrated.toml"

    def constants(self, form: str = "") -> Any:
        """The committed constants of a form, the study's own where none is named."""
        own = self.spec().forms[form or self.spec().first]
        return self.made(own.name, {part: self.committed(part) for part in own.parts}, None)

    def simulated(self, form: Form, key: tuple[str, ...]) -> float | None:
        """A calibration cell at the committed constants of a form; None where there is no such cell."""
        seen = (cell for part in form.parts for cell in self.committed(part).cells)
        return next((cell.simulated for cell in seen if cell.key == key), None)

    def budget(self, case: Any, mode: str, seed: int = 1) -> Budget:
        """How much of a case is simulated in a mode."""
        return self.spec().budget(mode, self.kind(case), seed)

    def weight(self, case: Any, mode: str) -> float:
        """How long the first batch of a case takes in a mode, beside others of the study.

        The longest simulations start first, and the share done of a reproduction counts them by it.
        """
        return self.spec().weight(self.kind(case)) * self.budget(case, mode).seconds

    def simulate(
        self,
        case: Any,
        constants: Any,
        budget: Budget,
        point: Point | None = None,
        progress: Progress | None = None,
    ) -> Point:
        """Add the next batch to a point of the case, a new one where none is given.

        Raises RunError when the simulation cannot go on.
        """
        from slicewright._core import Scenario

        settings = [f'measure.interval="{budget.interval_s} s"'] if budget.interval_s else []
        engine = Scenario.read(self.scenario(case, constants, budget).encode(), f"{case.name}.toml", settings)
        own = point or Point(case, engine.checksum, warm_up(engine, budget, progress))
        most = budget.after(own.replications)
        tables = replicate(engine, replace(budget, most=most), own, ["system", *self.reads], progress)
        own.events += round(sum(tables["system"]["events"]))
        for run in split(tables, self.reads):
            for value, measured in self.measure(case, run, constants).items():
                own.samples.setdefault(value, []).append(measured)
        return own

    def heading(self, request: Request) -> str:
        """The heading of a reproduction."""
        return summary.heading(self, request)

    def table(self, run: str, cells: Sequence[Cell]) -> list[Table[Any]]:
        """One published run, by its name, as it is printed when it is done."""
        own = run_table(Look(self.spec()), self.within(run, cells), self.in_run)
        return [replace(own, title=self.run_title(run), legend=self.below(run, cells))]

    def printed(self, run: str, cells: Sequence[Cell]) -> str:
        """The tables of a run as text."""
        return text.render(Report("", sections=[Section("", self.table(run, cells))]))

    def summary(self, result: Reproduction) -> str:
        """How the scored cells came out; under an ablation, what it changed."""
        if result.ablation:
            return text.render(Report("", sections=[Section("", [summary.ablation_table(self, result)])])).rstrip()
        return summary.summary(self, result)

    def page(self, result: Reproduction, request: Request, progress: Progress = lambda share: None) -> Report:
        """The HTML page of a reproduction."""
        return pages.page(self, result, request, progress)

    def scenarios(self) -> dict[str, str]:
        """The text of each shipped scenario, by the name of its file, as the committed constants have it."""
        return {
            name: self.scenario(case, constants, self.budget(case, "shipped"))
            for name, (case, constants) in self.shipping().items()
        }

    @property
    def shipped(self) -> dict[Path, str]:
        """The shipped scenarios, by their paths."""
        folder = data_folder("scenarios") / self.name
        return {folder / name: written for name, written in self.scenarios().items()}

    @property
    def ablations(self) -> Mapping[str, str]:
        """Its standard experiments, `reproduce STUDY --ablation NAME`: what each takes away."""
        return self.spec().ablations

    @property
    def validation(self) -> Path:
        """Its validation page, from the root of a checkout; the numbers it is made of stand beside it, as JSON."""
        return Path("docs") / "validation" / f"{self.name}.md"

    def markdown(self, numbers: Kept) -> str:
        """The validation page of a full reproduction, from the numbers that it simulated."""
        return markdown.render(pages.validation(self, self.judged(numbers)))

    def fingerprint(self) -> str:
        """The engine's fingerprint on this study: it differs for engines that simulate the study differently."""
        return kept.fingerprint(
            (case.name, self.sampled(self.simulate(case, constants, self.budget(case, "fingerprint"))))
            for case, constants in self.seen()
        )

    def sampled(self, point: Point) -> Any:
        """The samples of a point as its fingerprint is taken of them."""
        return [[*([value] if isinstance(value, str) else value), samples] for value, samples in point.samples.items()]


@cache
def _committed(study: Study, part: str) -> Calibration:
    return study.parse(study.constants_file.read_text("utf-8"), part)
