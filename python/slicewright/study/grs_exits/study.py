"""The study: five published times of a million pairs of ENQ and DEQ, one per way through exits, and two sweeps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals, words_right
from slicewright.report.model import Block, Column, Table, Verbatim
from slicewright.report.text import table_lines
from slicewright.results.judge import Cell, Place, Tally
from slicewright.statistics import Estimate, estimate, fixed
from slicewright.study.calibrate import Terms, calibration, targets
from slicewright.study.calibration import Calibration
from slicewright.study.fit import DIGITS, Tell
from slicewright.study.grs_exits.bench import Bench, bench
from slicewright.study.grs_exits.directions import Direction, directions
from slicewright.study.grs_exits.exits import (
    BATCH,
    FRONT_END,
    POOLED,
    SHORT,
    SINGLE,
    UNLOCKED,
    Case,
    Prices,
    pairs,
    rows,
    scenario,
)
from slicewright.study.grs_exits.sweeps import COUNT, SHARE, aside, beside, figures, sweeps, swept, tables
from slicewright.study.judge import Judge
from slicewright.study.kept import Kept
from slicewright.study.pages import Blocks
from slicewright.study.points import Budget, Key, Point, Tables
from slicewright.study.published import Number, Wanted
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.spec import Spec
from slicewright.study.study import Study
from slicewright.study.summary import Context, Lines, Paragraphs, counted

TABLE, ROW = "elapsed", "wall_s"

SHIPPED = (Case(BATCH, share=20), Case(SINGLE, share=20), Case(POOLED, processors=8), Case(UNLOCKED, processors=8))
"""Whose scenarios are shipped beside the five rows: some of either sweep."""

SEEN = (Case(BATCH), Case(POOLED, share=20), Case(POOLED, processors=4), Case(UNLOCKED, processors=4))
"""A run of every kind: alone, with a manager's messages, with a lock that others want."""

PRICES = ("base", "fast", "pool", "rest")


class GrsExits(Study):
    """The study: a case is a structure of exits, with a share of global pairs, on a number of processors."""

    name = "grs-exits"
    reads = ("serialization",)
    timed = True

    @cached_property
    def structures(self) -> Mapping[str, str]:
        """The structure of exits of each published row."""
        return {row["row"]: row["structure"] for row in rows()}

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The time of each row, in the order of the table."""
        found = spec.tables
        rounding = found["setup"]["printed_to_s"] / 2
        return (Number(Place(TABLE, ROW, "s", row["row"]), float(row["wall_s"]), rounding) for row in found["elapsed"])

    def cases(self, number: Number) -> tuple[Case, ...]:
        """The structure of a row, alone."""
        return (Case(self.structures[number.place.column]),)

    def scenario(self, case: Case, constants: Prices, budget: Budget) -> str:
        """The run as a complete scenario file (TOML)."""
        return scenario(case, constants)

    def measure(self, case: Case, run: Tables, constants: Prices) -> Mapping[Key, float]:
        """Values of a pair: elapsed is the time in which a guest makes one; the wait for the lock is per pair.

        >>> rows = {"pairs_per_s": [50_000.0], "cpu_us_per_pair": [20.0]}
        >>> rows |= {"lock_held_percent": [100.0], "lock_wait_us": [0.0], "lock_per_s": [100_000.0]}
        >>> STUDY.measure(Case("prebatch-single-area"), {"serialization": rows}, STUDY.constants())["elapsed_us"]
        20.0
        """
        own = {name: column[0] for name, column in run["serialization"].items()}
        rate = float(own["pairs_per_s"])
        wait = float(own["lock_wait_us"]) if own["lock_per_s"] else 0.0  # without a take there is no wait
        return {
            "elapsed_us": 1e6 * case.processors / rate,
            "pairs_per_s": rate,
            "cpu_us": float(own["cpu_us_per_pair"]),
            "lock_held_percent": float(own["lock_held_percent"]),
            "lock_wait_us": wait * float(own["lock_per_s"]) / rate,
        }

    def estimated(self, number: Number, points: Mapping[Any, Point]) -> Estimate:
        """The time of as many pairs as were published, s."""
        (case,) = self.cases(number)
        return estimate([each * pairs() / 1e6 for each in points[case].samples["elapsed_us"]])

    def kind(self, case: Case) -> str:
        """More is simulated where something is drawn."""
        return "drawn" if case.drawn else "still"

    def made(self, form: str, fits: Mapping[str, Calibration], folder: Path | None) -> Prices:
        """The four prices."""
        (found,) = fits.values()
        return Prices(*(found.constants[name] for name in PRICES))

    def calibrate(
        self, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
    ) -> list[Calibration]:
        """The prices from rows 1, 2, 4 and 5, and what these rows are when simulated; `tell` hears a line per row."""
        wanted = targets(self, "prices", folder)
        found = calibration(
            self, "prices", derived([target.number for target in wanted]), Terms(folder, budget), wanted
        )
        for cell in found.cells:
            tell(f"row {cell.column}: published {cell.published:g} s, simulated {cell.simulated:.4g} s")
        cells = (replace(cell, simulated=float(f"{cell.simulated:.7g}")) for cell in found.cells)
        return [replace(found, cells=tuple(cells))]

    def trial_name(self, number: Number) -> str:
        """A run of the document is a row."""
        return number.place.column

    def reproduce(self, request: Request) -> Reproduction:
        """Simulate the five rows and both sweeps; `cells` are the rows, `comparison` the sweeps.

        >>> [cell.verdict for cell in STUDY.reproduce(Request(quick=True)).cells]
        ['calibrated', 'calibrated', 'matches', 'calibrated', 'calibrated']
        """
        began = time.perf_counter()
        result: Reproduction = Reproduction(self.name, request.seed)
        judge, every = Judge(self, request.folder), sweeps()
        run = _Runs(self, request, len(judge.published) + sum(map(len, every.values())), result)
        for unit in judge.units():
            points = {}
            for number in unit.numbers:
                (case,) = self.cases(number)
                points[case] = run(case)
            result.cells += judge.cells(unit, points)
        request.done(TABLE, result.cells)
        for sweep, cases in every.items():
            cells = [cell for case in cases for cell in beside(sweep, run(case))]
            result.comparison += cells
            request.done(sweep, cells)
        result.wall_s = time.perf_counter() - began
        return result

    def judged(self, numbers: Kept) -> Reproduction:
        """Rows judged again, and both sweeps as they were kept."""
        result = super().judged(numbers)
        result.comparison = [aside(key, estimate) for key, estimate in numbers.other.items()]
        return result

    def directions(self, cells: Iterable[Cell]) -> list[Direction]:
        """The nine directions that were declared before any run."""
        return directions(cells, self.constants())

    def beside(self, result: Reproduction) -> dict[str, Any]:
        """The sweeps, a row per value at each `global_percent` or number of `processors`; the directions.

        >>> STUDY.beside(Reproduction("grs-exits", 1))
        {'sweeps': [], 'directions': []}
        """
        found = self.directions(result.comparison)
        return {"sweeps": list(map(swept, result.comparison)), "directions": list(map(asdict, found))}

    def bench(self) -> Bench:
        """Our own service, timed with every structure."""
        return bench()

    def shipping(self) -> Mapping[str, tuple[Case, Prices]]:
        """The five rows, and some runs of either sweep."""
        cases = [*(Case(row["structure"], row=row["row"]) for row in rows()), *SHIPPED]
        return {f"{case.name}.toml": (case, self.constants()) for case in cases}

    def seen(self) -> Iterable[tuple[Case, Prices]]:
        """A run of every kind."""
        return [(case, self.constants()) for case in SEEN]

    def sampled(self, point: Point) -> Any:
        """The samples of a point, by value."""
        return point.samples

    def table(self, run: str, cells: Sequence[Cell]) -> list[Table[Any]]:
        """The rows, or one sweep."""
        return super().table(run, cells) if run == TABLE else [*tables(run, cells)]

    def run_title(self, run: str) -> str:
        """The rows are times."""
        return "Elapsed, s"

    def in_run(self, cell: Cell) -> str:
        """A row by its number and the structure of its exits."""
        return f"row {cell.place.column}  {SHORT[self.structures[cell.place.column]]}"

    def below(self, run: str, cells: Sequence[Cell]) -> str:
        """The stated miss."""
        return " ".join(stated(cells))

    def said(self) -> Mapping[str, Paragraphs]:
        """Paragraphs that only this summary has."""
        return {
            "scored": lambda context: [f"Scored     {counted(Tally.of(context.cells))}"],
            "stated": lambda context: (f"Stated     {text}" for text in stated(context.cells)),
            "directions": lambda context: (f"Direction  {line[:-1]}" for line in _directions(context)),
            "prices": lambda context: [f"Prices     {_prices()}"],
        }

    def lines(self) -> Mapping[str, Lines]:
        """Lists that both pages have."""
        return {"stated": lambda context: stated(context.cells), "directions": _directions}

    def blocks(self) -> Mapping[str, Blocks]:
        """Blocks that only these pages have."""
        return {
            "rows": _drawn_rows,
            "levels": _levels,
            "prices": lambda context: [_price_table(printed=False)],
            "open": lambda context: [_price_table(printed=True)],
            "share": lambda context: _figures(context, SHARE),
            "processors": lambda context: _figures(context, COUNT),
            "share_tables": lambda context: _fenced(context, SHARE),
            "processor_tables": lambda context: _fenced(context, COUNT),
        }

    def fields(self, context: Context) -> Mapping[str, Any]:
        """The range that the print allows for a difference of two rows, us a pair."""
        return {"open_us": f"{self.committed('prices').constants['open']:g}"}


STUDY = GrsExits()
"""The study."""


class _Runs:
    """Simulates one run after the other, and says how far it is."""

    def __init__(self, study: GrsExits, request: Request, total: int, result: Reproduction) -> None:
        self.study, self.request, self.total, self.result = study, request, total, result

    def __call__(self, case: Case) -> Point:
        at = len(self.result.points)
        progress: Callable[[float], None] = lambda share: self.request.progress((at + share) / self.total)  # noqa: E731
        budget = self.study.budget(case, "quick" if self.request.quick else "full", self.request.seed)
        point = self.study.simulate(case, self.study.constants(), budget, progress=progress)
        self.result.points.append(point)
        return point


def derived(seen: Sequence[Number]) -> dict[str, float]:
    """The prices: row 1, and differences of rows, us a pair, to four digits; and what the print leaves open of them.

    >>> derived(STUDY.calibrated(STUDY.spec()))
    {'base': 19.0, 'fast': 1.0, 'pool': 13.0, 'rest': 335.0, 'open': 1.0}
    """
    own = {STUDY.structures[number.place.column]: 1e6 * number.value / pairs() for number in seen}
    found = {
        "base": own[FRONT_END],
        "fast": own[SINGLE] - own[FRONT_END],
        "pool": own[POOLED] - own[SINGLE],
        "rest": own[BATCH] - own[FRONT_END],
        "open": 2e6 * seen[0].rounding / pairs(),
    }
    return {name: float(f"{value:.{DIGITS}g}") for name, value in found.items()}


def stated(cells: Iterable[Cell]) -> list[str]:
    """The miss that was stated before any run, beside whatever verdict the band gives.

    >>> stated([])
    []
    """
    return [
        f"row {cell.place.column} misses by {abs(100 * cell.difference / cell.published):.0f} %: "
        f"{fixed(cell.estimate.mean, 0)} s simulated, {fixed(cell.published, 0)} published. Stated before any run: "
        f"the model does not distinguish it from row 4. The band of {100 * cell.ruling.band.rel:.0f} % calls it"
        " a match; that is its width, no merit."
        for cell in cells
        if cell.ruling.scored
    ]


def _directions(context: Context) -> list[str]:
    return [f"{direction.said}." for direction in STUDY.directions(context.result.comparison)]


def _prices() -> str:
    found, part = STUDY.committed("prices").constants, STUDY.spec().part("prices")
    shown = ", ".join(f"{name} {found[name]:g}" for name in PRICES)
    return (
        f"us a pair: {shown}; {part.constants['rest'].meaning}, {found['rest']:g} us; differences of rows printed in "
        f"seconds leave open ± {found['open']:g}; from `slicewright calibrate grs-exits`, which sees rows 1, 2, 4 and "
        "5 alone"
    )


def _price_table(*, printed: bool) -> Table[str]:
    """The prices; `printed`: with what the print leaves open of each."""
    found, part = STUDY.committed("prices").constants, STUDY.spec().part("prices")
    columns: list[Column[str]] = [Column("price", "price", str)]
    if printed:
        columns.append(Column("us", "us a pair", lambda name: f"{found[name]:g}", form=words_right))
        left = lambda name: f"± {found['open'] / (2 if name == 'base' else 1):g}"  # noqa: E731
        columns.append(Column("open", "print leaves open", left, form=words_right))
    else:
        columns.append(Column("us", "us a pair", lambda name: found[name], form=decimals(2)))
    columns.append(Column("from", "from", lambda name: part.constants[name].source))
    columns.append(Column("what", "what it is", lambda name: part.constants[name].meaning))
    return Table(columns, PRICES)


def _levels(context: Context) -> Iterable[Block]:
    """The meaning of each row."""
    columns: list[Column[dict[str, Any]]] = [
        Column("row", "row", lambda row: row["row"]),
        Column("environment", "levels", lambda row: row["environment"]),
        Column("structure", "exits", lambda row: row["structure"]),
        Column("path", "what a request goes through", lambda row: row["path"]),
    ]
    yield Table(columns, rows())


def _drawn_rows(context: Context) -> Iterable[Block]:
    cells = context.cells
    if not cells:
        return
    x = [float(cell.place.column) for cell in cells]
    margins = [cell.ruling.band.width(cell.published) if cell.ruling.scored else 0.0 for cell in cells]
    own = [cell.estimate for cell in cells]
    points = [
        dots(x, [cell.published for cell in cells], margins, "published"),
        Series(
            x, [estimate.mean for estimate in own], [estimate.half_width for estimate in own], "simulated", "crosses"
        ),
    ]
    named = (
        "1 front end, 2 batch, 3 pooled on z/OS 1.2, 4 pooled on z/OS 1.4, 5 single area. Row 3 is predicted, with its "
        "band; the others are what the prices come from."
    )
    yield Figure([Panel("999,999 pairs, s", points)], "row", named)


def _figures(context: Context, sweep: str) -> Iterable[Block]:
    found = figures(context.result.comparison)
    return [found[sweep]] if sweep in found else []


def _fenced(context: Context, sweep: str) -> Iterable[Block]:
    own = tables(sweep, context.result.comparison)
    yield Verbatim("", "\n".join(line for each in own for line in table_lines(each)))
