"""The HyperPAV study: six published DEVICE reports of eight volumes, with aliases in a pool or bound to a volume.

Every choice made here was declared before any run: docs/decisions/0003-hyperpav-study.md.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Table
from slicewright.report.spec import columns as columns_of
from slicewright.results.judge import Cell, Place
from slicewright.study.calibrate import Constants, Fitted
from slicewright.study.pages import Context, Maker, close, counted, line, published_groups
from slicewright.study.points import Budget, Columns, Key, Tables
from slicewright.study.spec import Number, Spec, Wanted
from slicewright.study.study import Runs, Study
from slicewright.study.templates import rendered
from slicewright.values.numerals import in_scenario

Kind = Literal["HyperPAV", "classic PAV"]

RATIO = "base_alias_ratio"
"""The value that only pools with aliases have."""

VOLUMES = {
    "BWPVS0": "522A",
    "BWPVS1": "522B",
    "BWPVS2": "522C",
    "BWPVS3": "522D",
    "BWPVT0": "522E",
    "BWPVT1": "522F",
    "BWPVT2": "5230",
    "BWPVT3": "5231",
}
"""Labels and base device numbers as Y032180H prints them."""

FIRST_ALIAS = 0x5249
UNIT = "LSS-52"

FITTED = "fitted to Y032180H and Y032182H (published/hyperpav/calibrated.toml)"


MOST_ALIASES = 24
"""As far as curves are drawn."""

_PANELS = {
    "volume_io_per_s": "I/O per s and volume",
    "response_ms": "Response, ms",
    "queue_depth": "Waiting, all 8 volumes",
}


class _Excerpt(Struct, frozen=True):
    file: str
    kind: Kind
    bases: int
    aliases: int


class _Published(Struct, frozen=True):
    report: tuple[_Excerpt, ...]


@dataclass(frozen=True, slots=True)
class _Value:
    """A value computed from printed figures, and the most by which their rounding can have moved it.

    >>> _Value(1.29, 0.05).rounding
    0.05
    """

    value: float
    rounding: float


@dataclass(frozen=True, slots=True)
class Report:
    """One published run: its name, its page, what kind of aliases and how many.

    `aliases` is per base in classic PAV and per pool in HyperPAV.

    >>> Report("Y032181H", Path("Y032181H.txt"), "HyperPAV", 8, 8).aliases_per_volume
    1.0
    """

    table: str
    path: Path
    kind: Kind
    bases: int
    aliases: int

    @property
    def aliases_per_volume(self) -> float:
        """Aliases that one volume has or, in a pool, its share of them."""
        return self.aliases / self.bases

    @property
    def title(self) -> str:
        """The title of the run."""
        plural = "alias" if self.aliases == 1 else "aliases"
        if self.kind == "HyperPAV":
            return f"HyperPAV, {self.bases} volumes, {self.aliases} {plural} in the pool"
        return f"classic PAV, one volume, {self.aliases} {plural}"

    @property
    def name(self) -> str:
        """The name of its scenario."""
        return self.table

    @property
    def has_ratio(self) -> bool:
        """Whether it publishes the ratio of base to alias rates."""
        return self.kind == "HyperPAV" and self.aliases > 0


def pool(aliases: int, kind: Kind = "HyperPAV") -> Report:
    """The same eight volumes with another number of aliases: a point that is not published.

    `aliases` counts those of all eight volumes; in classic PAV it must be a multiple of eight (ValueError).

    >>> pool(13).aliases, pool(16, "classic PAV").aliases
    (13, 2)
    """
    if kind == "classic PAV":
        if aliases % len(VOLUMES):
            raise ValueError("classic aliases are bound: as many for each of the eight volumes")
        return Report(f"classic-{aliases}", Path(), kind, 1, aliases // len(VOLUMES))
    return Report(f"pool-{aliases}", Path(), kind, len(VOLUMES), aliases)


class _HyperPav(Study):
    """The study: a case is a published run, or the same volumes with another number of aliases."""

    name = "hyperpav"
    reads = ("volumes",)
    drawn = (
        ("HyperPAV", "sharing", [pool(count) for count in range(MOST_ALIASES + 1)]),
        ("classic PAV", "sharing", [pool(count, "classic PAV") for count in range(0, MOST_ALIASES + 1, 8)]),
        ("HyperPAV, linear form", "per_concurrent", [pool(count) for count in range(0, MOST_ALIASES + 1, 4)]),
    )
    """The pool, classic PAV with as many aliases for each volume, and the pool under the other service form."""

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The values of each run; a page none of whose values is wanted is not opened."""
        for report in reports(spec):
            rows = (row for row in spec.values if report.has_ratio or row != RATIO)
            places = [Place(report.table, row, spec.values[row].unit) for row in rows]
            if any(map(wanted, places)):
                found = values(report)
                yield from (Number(place, found[place.row].value, found[place.row].rounding) for place in places)

    def cases(self, number: Number, part: str = "") -> tuple[Report, ...]:
        """The run that a value is of."""
        return tuple(report for report in reports(self.spec()) if report.table == number.place.table)

    def scenario(self, case: Report, constants: Constants, budget: Budget) -> str:
        """The run as a complete scenario file (TOML).

        >>> text = STUDY.scenario(pool(8), STUDY.constants(), Budget())
        >>> [line for line in text.splitlines() if line.startswith("aliases")]
        ['aliases = 8']
        """
        about = self.spec().part(constants.form).constants
        quantity = {name: f"{in_scenario(constants[name])} {each.unit}" for name, each in about.items()}
        return rendered(
            "hyperpav", run=case, unit=UNIT, volumes=VOLUMES, first_alias=FIRST_ALIAS, fitted=FITTED, quantity=quantity
        )

    def measure(self, case: Report, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of a run from its volumes, as `values` has them from a page.

        Rates and times are those of the mean volume; `queue_depth` is the sum over the bases that the report shows:
        eight, or one of eight alike.

        >>> one = {"io_per_s": 100.0, "service_ms": 1.5, "response_ms": 2.0, "queue_depth": 0.5}
        >>> alike = {name: [value] * 8 for name, value in one.items()}
        >>> found = STUDY.measure(pool(0), {"volumes": alike}, STUDY.constants())
        >>> found["volume_io_per_s"], found["response_ms"], found["queue_depth"]
        (100.0, 2.0, 4.0)
        """
        volumes = run["volumes"]
        rate = math.fsum(volumes["io_per_s"])
        found: dict[Key, float] = {
            "volume_io_per_s": rate / len(VOLUMES),
            "service_ms": _mean(volumes, "service_ms", rate),
            "response_ms": _mean(volumes, "response_ms", rate),
            "queue_depth": math.fsum(volumes["queue_depth"]) * case.bases / len(VOLUMES),
        }
        if case.has_ratio:
            bases, aliases = math.fsum(volumes["base_io_per_s"]), math.fsum(volumes["alias_io_per_s"])
            found[RATIO] = (bases / case.bases) / (aliases / case.aliases)
        return found

    def runs(self) -> tuple[Runs, Runs]:
        """Every run is shipped; in both forms they tell engines apart."""
        own, forms = reports(self.spec()), self.spec().forms
        return [(self.spec().first, report) for report in own], [(form, report) for form in forms for report in own]

    def words(self) -> Mapping[str, Maker]:
        """Sentences on close cells, the other form and what the fit does not reach, and the figure."""
        return {
            "close_shares": _close_shares, "linear": _linear, "misfits": _misfit_words, "misfit_table": _misfit_table,
            "figures": _figures,
        }  # fmt: skip


STUDY = _HyperPav()
"""The study."""


def reports(spec: Spec | None = None) -> list[Report]:
    """The published runs in the order of `hyperpav.toml`; no page is opened.

    >>> [report.table for report in reports()]
    ['Y032180H', 'Y032181H', 'Y032182H', 'Y040180P', 'Y040181P', 'Y040182P']
    """
    spec = spec or STUDY.spec()
    listed = spec.document_as(_Published).report
    return [
        Report(Path(excerpt.file).stem, spec.folder / excerpt.file, excerpt.kind, excerpt.bases, excerpt.aliases)
        for excerpt in listed
    ]


def values(report: Report) -> dict[str, _Value]:
    """The values of a run at full precision from its printed rows; raises InputError when the page cannot be read.

    Arithmetic as in "z/VM HyperPAV Support", A Unified Look at Volume I/O Rate and Volume Response Time. Volume
    values are rate-weighted over bases and aliases. The true response is (rate x service in progress + queue) / rate,
    which the toolkit of that release printed wrongly.

    >>> found = values(reports()[0])
    >>> round(found["volume_io_per_s"].value, 3), round(found["queue_depth"].value, 1)
    (736.125, 14.4)
    """
    from slicewright._core import DeviceReport

    columns = DeviceReport.read(report.path.read_bytes(), str(report.path)).devices()
    rate = _total(columns, "io_per_s")
    service = _weighted(columns, rate)
    queue = _total(columns, "queue_depth", role="base")
    waiting_ms = 1000 * queue.value / rate.value
    found = {
        "volume_io_per_s": _Value(rate.value / report.bases, rate.rounding / report.bases),
        "service_ms": service,
        "response_ms": _Value(
            service.value + waiting_ms,
            service.rounding + 1000 * queue.rounding / rate.value + waiting_ms * rate.rounding / rate.value,
        ),
        "queue_depth": queue,
    }
    if report.has_ratio:
        base, alias = _total(columns, "io_per_s", "base"), _total(columns, "io_per_s", "pool-alias")
        ratio = (base.value / report.bases) / (alias.value / report.aliases)
        found[RATIO] = _Value(ratio, ratio * (base.rounding / base.value + alias.rounding / alias.value))
    return found


def _total(columns: dict[str, list[Any]], name: str, role: str = "") -> _Value:
    """The sum of a column, over the devices of one role or over all."""
    rows = [i for i, device_role in enumerate(columns["role"]) if role in ("", device_role)]
    figures = math.fsum(columns[name][i] for i in rows)
    return _Value(figures, math.fsum(columns[f"{name}_rounding"][i] for i in rows))


def _weighted(columns: dict[str, list[Any]], rate: _Value) -> _Value:
    """The rate-weighted service time: sum(rate x service) / sum(rate)."""
    rows = list(
        zip(
            columns["io_per_s"],
            columns["io_per_s_rounding"],
            columns["service_ms"],
            columns["service_ms_rounding"],
            strict=True,
        )
    )
    mean = math.fsum(io_per_s * service for io_per_s, _, service, _ in rows) / rate.value
    slack = math.fsum(io_per_s * ds + abs(service - mean) * dr for io_per_s, dr, service, ds in rows) / rate.value
    return _Value(mean, slack)


def _figures(context: Context) -> Iterable[Block]:
    """Rate, response and queue over aliases: published points over simulated curves."""
    if not context.result.cells:
        return
    drawn = STUDY.lines(context.progress)
    panels = []
    for row, label in _PANELS.items():
        simulated = [
            line(points, row, _aliases, name, functools.partial(_scale, row=row)) for name, points in drawn.items()
        ]
        panels.append(Panel(label, [*simulated, *_published_points(context.result.cells, row)]))
    caption = (
        "Points are published, lines simulated; the linear form is the comparison further down. "
        "The bars on predicted points are the bands declared before any run. "
        "Calibrated points were fitted to. A classic run shows one volume of eight and is drawn at eight times its "
        "aliases and its queue; between multiples of eight there is no classic configuration."
    )
    yield Figure(panels, "Aliases of the eight volumes", caption)


def _published_points(cells: Sequence[Cell], row: str) -> list[Series]:
    """Published values in groups: fitted, predicted, classic, and the run that is expected to miss."""
    by_table = {report.table: report for report in reports()}
    listed = []
    for cell in (cell for cell in cells if cell.place.row == row):
        report = by_table[cell.place.table]
        label = ("classic, " if report.kind == "classic PAV" else "") + cell.ruling.role
        dot = (_aliases(report), cell.published, cell.width, _scale(report, row))
        listed.append((dot, label, [report.kind]))
    return published_groups(listed)


def _close_shares(context: Context) -> Iterable[str]:
    near = close(context.cells)
    if near:
        named = (f"{cell.place.table} {cell.place.row} {100 * cell.share:.1f} %" for cell in near)
        yield f"Close      {', '.join(named)} of the band; edge: other random numbers might give another verdict"


def _linear(context: Context) -> Iterable[str]:
    if context.result.comparison:
        other = counted(context.result.comparison)
        yield f"Compared   with connect linear in the volume's concurrency (not counted): {other}"


def _misfits() -> list[Fitted]:
    return [cell for cell in STUDY.committed("sharing").cells if abs(cell.residual) > 1]


def _misfit_words(context: Context) -> Iterable[str]:
    off = (f"{cell.table} {cell.row} is {abs(cell.residual):.1f} times as far off" for cell in _misfits())
    yield ", ".join(off)


def _misfit_table(context: Context) -> Iterable[Block]:
    lines = "table || run; row || value; off | right | off, in units of its rounding"
    yield Table(columns_of(lines, (), {"off": lambda cell: f"{cell.residual:+.1f}"}), _misfits())


def _aliases(report: Report) -> float:
    """Aliases of all eight volumes."""
    return float(round(8 * report.aliases_per_volume))


def _scale(report: Report, row: str) -> float:
    """The factor from the queue of one shown volume to that of eight."""
    return 8 / report.bases if row == "queue_depth" else 1.0


def _mean(volumes: Columns, name: str, rate: float) -> float:
    weighted = zip(volumes["io_per_s"], volumes[name], strict=True)
    return math.fsum(weight * value for weight, value in weighted if weight) / rate
