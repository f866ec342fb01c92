"""A study: data, and at most ten members that say what is simulated of it and what is measured.

How a study is run, calibrated, judged, reported and drawn is written once, in the modules beside this one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from msgspec import structs

from slicewright.report import markdown
from slicewright.report.model import Report
from slicewright.results.judge import Cell, Place
from slicewright.study import calibrate, judge, pages, reproduce
from slicewright.study.calibrate import Calibration, Constants, Fit, Tell
from slicewright.study.judge import Kept, Reproduction, Request, Unit
from slicewright.study.points import Budget, Key, Point, Progress, Tables, replicate, split, warm_up
from slicewright.study.reproduce import Points
from slicewright.study.spec import Mode, Number, Spec, Wanted, written
from slicewright.values.carried import data_folder, study_folder


class Measured(Protocol):
    """Something timed on the machine at hand, beside what is simulated."""

    def report(self) -> Report:
        """It as a table."""


Runs = Sequence[tuple[str, Any]]
"""Runs, each with the form whose constants it has."""


Line = tuple[str, str, Sequence[Any]]
"""The label of a line in figures, the form whose constants it has, and its cases."""


class Study(ABC):
    """A study: its `study.toml`, and what it defines here; a case is one run that can be simulated, with a `name`.

    A case may have an `amount`, which names a kind of run of the budgets, and is changed by `without(ablation)`.
    """

    name = ""
    reads: tuple[str, ...] = ()
    """The tables of a run that are measured."""
    drawn: Sequence[Line] = ()
    """The simulated lines of its figures."""
    bench: Callable[[], Measured] | None = None
    """The measurement of `reproduce STUDY --bench` on this computer; None where there is nothing to time."""

    # The members that a study defines.

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The published numbers, in the order of publication; what is not wanted need not be looked at."""
        return written(spec, wanted)

    @abstractmethod
    def cases(self, number: Number, part: str = "") -> tuple[Any, ...]:
        """The runs that a number is made of, none where nothing gives it.

        With a part, as many runs that stand for them while the constants of the part are searched.
        """

    @abstractmethod
    def scenario(self, case: Any, constants: Constants, budget: Budget) -> str:
        """A run as a complete scenario file (TOML)."""

    @abstractmethod
    def measure(self, case: Any, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of one replication, by row or by table and row, in the published units."""

    def samples(self, number: Number, points: Mapping[Any, Point]) -> Sequence[float]:
        """A number as simulated, one value per replication; raises KeyError when its runs are not among the points."""
        return points[self.cases(number)[0]].of(number.place)

    def runs(self) -> tuple[Runs, Runs]:
        """The runs whose scenarios are shipped, and those whose first seconds tell engines apart."""
        cases = dict.fromkeys(case for number in self.published(self.spec()) for case in self.cases(number))
        shipped = [(self.spec().first, case) for case in cases]
        return shipped, shipped

    def extra(self, form: str) -> Iterable[Unit]:
        """Runs of a form of which nothing is published."""
        return ()

    def beside(self, unit: Unit, points: Points) -> Iterable[Cell]:
        """Cells shown beside those of a unit."""
        return ()

    def words(self) -> Mapping[str, pages.Maker]:
        """What `study.toml` may list by `@` and a name: sentences, blocks and sections that no other study has."""
        return {}

    def derived(self, numbers: Sequence[Number]) -> Mapping[str, float] | None:
        """Constants that follow from calibration cells by arithmetic; None where they are searched for."""
        return None

    # Members of every study.

    def spec(self, folder: Path | None = None) -> Spec:
        """Its data, from the folder of published numbers or from a copy of its own folder."""
        return Spec.read(self.name, folder)

    def published(self, spec: Spec) -> list[Number]:
        """Every published number."""
        return list(self.numbers(spec, lambda place: True))

    def calibrated(self, spec: Spec) -> list[Number]:
        """The published numbers that constants may be fitted to; no other one is looked at."""

        def wanted(place: Place) -> bool:
            return spec.ruling(place.table, place.row, place.column).role == "calibrated"

        return [number for number in self.numbers(spec, wanted) if wanted(number.place)]

    @property
    def parts(self) -> list[str]:
        """The fitted parts, form by form; one that forms share is listed once."""
        return list(dict.fromkeys(part for form in self.spec().forms.values() for part in form.parts))

    @property
    def constants_file(self) -> Path:
        """The committed output of `slicewright reproduce STUDY --calibrate`."""
        return study_folder(self.name) / "calibrated.toml"

    def committed(self, part: str) -> Calibration:
        """The committed calibration of a part: the only source of constants for every other command."""
        return _committed(self, part)

    def sets(self, form: str = "") -> list[Constants]:
        """The committed sets of constants of a form, the study's own where none is named; the best first."""
        own = self.spec().forms[form or self.spec().first]
        fits = {part: self.committed(part) for part in own.parts}
        members = fits[own.parts[0]].members
        found = [Constants(own.name, member.constants, member.scales) for member in members]
        return found or [calibrate.made(self.spec(), own.name, fits)]

    def constants(self, form: str = "") -> Constants:
        """The committed constants of a form, of an ensemble those of its best set."""
        return self.sets(form)[0]

    def calibrate(
        self, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
    ) -> list[Calibration]:
        """Its constants, from the calibration cells alone; `tell` hears one line per iteration."""
        return [Fit(self, part, folder, budget, tell).fitted() for part in self.parts]

    def budget(self, case: Any, mode: Mode, seed: int = 1) -> Budget:
        """How much of a case is simulated in a mode."""
        return self.spec().budgeted(mode, getattr(case, "amount", ""), seed)

    def weight(self, case: Any, mode: Mode) -> float:
        """How long the first batch of a case takes in a mode, beside others of the study.

        The longest simulations start first, and the share done of a reproduction counts them by it.
        """
        spec = self.spec()
        return spec.weights.get(getattr(case, "amount", ""), 1.0) * self.budget(case, mode).seconds

    def simulate(
        self,
        case: Any,
        constants: Constants,
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
        tables = replicate(engine, structs.replace(budget, most=most), own, ["system", *self.reads], progress)
        own.events += round(sum(tables["system"]["events"]))
        for run in split(tables, self.reads):
            for value, measured in self.measure(case, run, constants).items():
                own.samples.setdefault(value, []).append(measured)
        return own

    def lines(self, progress: Progress = lambda share: None, budget: Budget | None = None) -> dict[str, list[Point]]:
        """The points of each line of the figures, by its label; `progress` hears the share done."""
        plan = [(label, self.constants(form), case) for label, form, cases in self.drawn for case in cases]
        found: dict[str, list[Point]] = {}
        for at, (label, constants, case) in enumerate(plan, 1):
            point = self.simulate(case, constants, budget or self.budget(case, "curve"))
            found.setdefault(label, []).append(point)
            progress(at / len(plan))
        return found

    def reproduce(self, request: Request) -> Reproduction:
        """Simulate the published runs with the committed constants, and judge every cell."""
        return reproduce.reproduce(self, request)

    def judged(self, numbers: Kept) -> Reproduction:
        """A reproduction again: kept numbers judged by today's bands against today's published values."""
        return judge.judged(self, numbers)

    def kept_result(self) -> Reproduction | None:
        """The full reproduction behind the validation page, without simulating; None where no numbers are kept."""
        numbers = Kept.of_installation(self.name)
        return None if numbers is None else self.judged(numbers)

    def summary(self, result: Reproduction) -> str:
        """How the scored cells came out; under an ablation, what it changed."""
        return pages.summary(self, result)

    def document(self, result: Reproduction) -> dict[str, Any]:
        """A reproduction as the object of `reproduce STUDY --format json`."""
        context = pages.Context(self, result, Request(seed=result.seed), self.spec().first)
        more = {name: list(self.words()[f"{name}_json"](context)) for name in self.spec().json}
        return result.to_json() | more

    def page(self, result: Reproduction, request: Request, progress: Progress = lambda share: None) -> Report:
        """The HTML page of a reproduction."""
        return pages.page(self, result, request, progress)

    def scenarios(self) -> dict[str, str]:
        """The text of each shipped scenario, by the name of its file, as the committed constants have it."""
        shipped, _ = self.runs()
        return {
            f"{self.spec().forms[form].shipped}{case.name}.toml": self.scenario(
                case, self.constants(form), self.budget(case, "shipped")
            )
            for form, case in shipped
        }

    @property
    def shipped(self) -> dict[Path, str]:
        """The shipped scenarios, by their paths."""
        folder = data_folder("scenarios") / self.name
        return {folder / name: scenario for name, scenario in self.scenarios().items()}

    @property
    def validation(self) -> Path:
        """Its validation page, from the root of a checkout; the numbers it is made of stand beside it, as JSON."""
        return Path("docs") / "validation" / f"{self.name}.md"

    def markdown(self, numbers: Kept) -> str:
        """The validation page of a full reproduction, from the numbers that it simulated."""
        return markdown.render(pages.validation(self, self.judged(numbers)))

    def fingerprint(self) -> str:
        """The engine's fingerprint on this study: it differs for engines that simulate the study differently."""
        named = self.spec().fingerprint == "by name"

        def sampled(point: Point) -> Any:
            if named:
                return point.samples
            return [[*([key] if isinstance(key, str) else key), values] for key, values in point.samples.items()]

        _, seen = self.runs()
        points = (self.simulate(case, self.constants(form), self.budget(case, "fingerprint")) for form, case in seen)
        return judge.fingerprint((point.case.name, sampled(point)) for point in points)


@cache
def _committed(study: Study, part: str) -> Calibration:
    return calibrate.parse(study.spec(), study.constants_file.read_text("utf-8"), part)
