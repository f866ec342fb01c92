"""A fit as a report: the verdict, held-out intervals and values, the numbers fitted, and the day as a figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from slicewright.fitting.estimate import load_words
from slicewright.fitting.evidence import FEWEST_IOS, level
from slicewright.fitting.predict import BANDS, ENOUGH, totals
from slicewright.measured.tables import when
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import counts, digits, estimates_apart, times, words_right
from slicewright.report.model import Block, Column, Face, Lead, Notes, Paragraph, Report, Section, Table, Tone, Verbatim
from slicewright.report.model import Cell as Printed
from slicewright.results.judge import Cell, Tally
from slicewright.statistics import Estimate, fixed, plural, signed

if TYPE_CHECKING:
    from slicewright.fitting.fit import Fit

_MOST_VALUES = 60
"""Held-out values that are printed as text; of more, only those that miss, and at most this many of them."""

_MOST_NAMED = 5
"""Intervals and volumes that a sentence names."""

_ROUNDING_MS = 1e-5
"""The rounding of times in records: a half-width below it is none."""

_PAGES = Face.HTML | Face.JSON

_TONES: dict[str, Tone] = {"matches": "good", "misses": "bad", "predicted": "good", "not predicted": "bad"}


@dataclass(frozen=True, slots=True)
class _Interval:
    """A held-out interval as a row."""

    number: int
    starts: str
    period: str
    tally: Tally
    verdict: str
    misses_in: str


@dataclass(frozen=True, slots=True)
class _Service:
    """The service of a volume as a row: means with their half-widths, as the shown intervals give them."""

    volume: str
    pend: Estimate
    disc: Estimate
    connect: Estimate
    sharing_percent: Estimate


@dataclass(frozen=True, slots=True)
class _Load:
    """The load of a volume in a period as a row."""

    period: str
    volume: str
    guests: int
    least: int
    most: int | None
    think_ms: float | None
    low_ms: float | None
    high_ms: float | None
    words: str


def _verdict_line(fit: Fit) -> str:
    """Whether the fit predicts, in one line."""
    found, tally = fit.outcome, fit.outcome.tally
    values, intervals = plural(tally.scored, "held-out value"), plural(len(found.held_out), "interval")
    counted = f"{tally.matches:,} of {values}"
    left = f"; not identified: {fit.left_open.words}" if fit.left_open.words else ""
    if found.predicts:
        return f"The fit predicts {counted} in {intervals}{left}."
    starts = fit.measured.starts_us
    missed = _named([f"{number} ({when(starts[number])[11:]})" for number in found.missed])
    where = f"; interval{'s'[: len(found.missed) > 1]} not predicted: {missed}" if missed else ""
    return f"The fit does not predict: {counted} in {intervals} lie in their bands{where}{left}."


def fit_report(fit: Fit) -> Report:
    """The report; its text is a part of its page."""
    line, measured = _verdict_line(fit), fit.measured
    facts = [
        ("system", measured.name), ("intervals", f"{len(measured.starts_us):,}"),
        ("shown", f"{len(fit.split.shown):,}"), ("predicts", "yes" if fit.predicts else "no"),
        ("version", measured.version),
    ]  # fmt: skip
    sections = [
        Section("", [Lead(line, face=Face.TEXT), Paragraph(_rule(fit), flush=True)]),
        Section("The day", [_figure(fit)]),
        Section("Held-out intervals", [Table(_INTERVALS, _intervals(fit))]),
        Section("Held-out values", _values(fit.outcome.cells)),
        Section("Service", [Table(_SERVICES, _services(fit), legend=_LEGEND), *_growth(fit)]),
        Section("Load", [Table(_LOADS, _loads(fit))]),
        Section("Values fitted, not judged", [Table(_columns("period"), fit.outcome.fitted, face=_PAGES)]),
        Section("", [Notes("Notes", _notes(fit))]),
        Section("Scenario", [Verbatim("The fitted scenario", fit.text, face=_PAGES)]),
    ]
    return Report(f"{measured.name}: fit", line, facts, sections)


def glance(fit: Fit) -> Report:
    """The part that a notebook shows: the verdict, the day, the held-out intervals."""
    blocks: list[Block] = [_figure(fit), Table(_INTERVALS, _intervals(fit))]
    return Report(f"{fit.measured.name}: fit", _verdict_line(fit), sections=[Section("", blocks)])


def _rule(fit: Fit) -> str:
    bands, origin = ", ".join(f"{name} {_band(name)}" for name in BANDS), fit.measured.origin
    return (
        f"{origin[0].upper()}{origin[1:]}. Before anything was fitted: {fit.split.rule}; bands: {bands}; a fit "
        f"predicts when {100 * ENOUGH:.0f} % of the held-out values match, and half in each interval."
    )


def _band(name: str) -> str:
    band = BANDS[name]
    parts = [f"{100 * band.rel:g} %" if band.rel else "", f"{band.abs:g}" if band.abs else ""]
    return " or ".join(filter(None, parts))


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


_INTERVALS: list[Column[_Interval]] = [
    Column("interval", "interval", attrgetter("number"), form=counts, help="number from 0"),
    Column("starts", "starts", attrgetter("starts")),
    Column("period", "period", attrgetter("period"), help="the shown intervals before and after it"),
    Column("values", "values", attrgetter("tally.scored"), form=counts),
    Column("matches", "match", attrgetter("tally.matches"), form=counts),
    Column("misses", "miss", attrgetter("tally.misses"), form=counts),
    Column("verdict", "", lambda row: Printed(row.verdict, _TONES[row.verdict])),
    Column("misses_in", "misses in", attrgetter("misses_in"), optional=True),
]


def _intervals(fit: Fit) -> list[_Interval]:
    missed = set(fit.outcome.missed)
    rows = []
    for number, cells in fit.outcome.held_out.items():
        misses_in = dict.fromkeys(cell.place.row for cell in cells if cell.verdict == "misses")
        rows.append(_Interval(
            number, when(fit.measured.starts_us[number]), level(fit.periods, number).words(fit.periods),
            Tally.of(cells), "not predicted" if number in missed else "predicted", ", ".join(misses_in),
        ))  # fmt: skip
    return rows


def _columns(of: str) -> list[Column[Cell]]:
    """The columns of values beside simulated ones, as a study has them."""
    return [
        Column(of, of, attrgetter("place.table")),
        Column("entity", "", attrgetter("place.column")),
        Column("quantity", "", attrgetter("place.row")),
        Column("unit", "unit", attrgetter("place.unit")),
        Column("measured", "measured", attrgetter("published"), form=digits),
        Column("simulated", "simulated", attrgetter("estimate"), form=estimates_apart),
        Column("off", "off", _off, form=words_right),
        Column("role", "role", attrgetter("ruling.role"), face=_PAGES),
        Column("verdict", "", lambda cell: Printed(cell.verdict, _TONES.get(cell.verdict, ""))),
    ]


def _off(cell: Cell) -> str:
    if cell.ruling.band.rel and cell.published:
        return f"{signed(100 * cell.difference / cell.published, 1)} %"
    return signed(cell.difference, 2)


def _values(cells: Sequence[Cell]) -> list[Block]:
    if len(cells) <= _MOST_VALUES:
        return [Table(_columns("interval"), cells)]
    missed = [cell for cell in cells if cell.verdict == "misses"]
    printed = {id(cell) for cell in missed[:_MOST_VALUES]}
    first = f", the first {_MOST_VALUES} of them here" if len(missed) > _MOST_VALUES else ""
    said = f"{len(missed):,} of {plural(len(cells), 'value')} miss{first}; --html and --format json have all."
    face = Face.ALL if printed else _PAGES
    table = Table(_columns("interval"), cells, brief=lambda cell: id(cell) in printed, face=face)
    return [Paragraph(said, face=Face.TEXT), table]


_SERVICES: list[Column[_Service]] = [
    Column("volume", "volume", attrgetter("volume")),
    Column("pend_ms", "pend", attrgetter("pend"), "ms", estimates_apart),
    Column("disc_ms", "disc", attrgetter("disc"), "ms", estimates_apart),
    Column("connect_ms", "connect", attrgetter("connect"), "ms", estimates_apart, help="with no other I/O connected"),
    Column("sharing_percent", "growth", attrgetter("sharing_percent"), "%", estimates_apart, help="per other I/O"),
]

_LEGEND = "Half-widths of 95 %, by a jackknife over the shown intervals."


def _services(fit: Fit) -> list[_Service]:
    shown = len(fit.split.shown)
    rows = []
    for group, service in zip(fit.evidence.groups, fit.services, strict=True):
        half_width = 100 * service.sharing_half_width if service.sharing else math.nan
        growth = Estimate(100 * service.sharing, half_width, shown)
        for at, volume in enumerate(group.volumes):
            rows.append(_Service(
                volume, _time(service.pend_ms[at], service.pend_half_width[at], shown),
                _time(service.disc_ms[at], service.disc_half_width[at], shown),
                _time(service.connect_ms[at], service.connect_half_width[at], shown), growth,
            ))  # fmt: skip
    return rows


def _time(value: float, half_width: float, shown: int) -> Estimate:
    return Estimate(float(value), 0.0 if half_width < _ROUNDING_MS else float(half_width), shown)


def _growth(fit: Fit) -> list[Paragraph]:
    pairs = zip(fit.evidence.groups, fit.services, strict=True)
    chosen = {pool.name.partition("@")[0]: pool.sharing for pool in fit.left_open.model.pools}
    return [
        Paragraph(f"{group.name}: {service.growth}{_other_growth(service.sharing, chosen[group.name])}.")
        for group, service in pairs
    ]


def _other_growth(estimated: float, chosen: float) -> str:
    """The growth of the scenario, where it is that of another reading than the estimate."""
    return "" if chosen == estimated else f"; the scenario has {fixed(100 * chosen, 1)} %"


_LOADS: list[Column[_Load]] = [
    Column("period", "period", attrgetter("period")),
    Column("volume", "volume", attrgetter("volume")),
    Column("guests", "guests", attrgetter("guests"), form=counts, face=Face.JSON, help="0: open arrivals"),
    Column("guests_least", "", attrgetter("least"), face=Face.JSON),
    Column("guests_most", "", attrgetter("most"), face=Face.JSON, help="null: open arrivals fit as well"),
    Column("think_ms", "think", attrgetter("think_ms"), "ms", times, face=Face.JSON),
    Column("think_least_ms", "", attrgetter("low_ms"), "ms", times, face=Face.JSON),
    Column("think_most_ms", "", attrgetter("high_ms"), "ms", times, face=Face.JSON),
    Column("load", "load", attrgetter("words")),
]


def _loads(fit: Fit) -> list[_Load]:
    copies, volumes = fit.targets.copies, fit.left_open.model.volumes
    rows = []
    for copy, left, volume in zip(copies, fit.left_open.ranges, volumes, strict=True):
        guests, think = volume.population, volume.think_ms
        rows.append(_Load(
            fit.periods[copy.period].tag, fit.evidence.groups[copy.group].volumes[copy.volume], guests,
            left.least, left.most, think if guests else None, left.think_low_ms if guests else None,
            left.think_high_ms if math.isfinite(left.think_high_ms) else None,
            load_words(volume, left),
        ))  # fmt: skip
    return rows


def _notes(fit: Fit) -> list[str]:
    notes = [
        "Fitted values have the role calibrated, held-out ones predicted: only these are counted.",
        "A range has the guests of all readings; each reading has guests of all volumes that fit together.",
        "Connect and think times are taken as exponential, and a freed alias as going back to its pool.",
    ]
    if fit.evidence.left_out:
        few = f"fewer than {FEWEST_IOS:,} I/Os in half of the shown intervals"
        notes.append(f"Not fitted, with {few}: {_named(fit.evidence.left_out)}.")
    if any(left.bursts for left in fit.left_open.ranges):
        notes.append("Some requests wait longer than arrivals at random would: they may come in batches.")
    return notes + [f"{note}." for note in fit.measured.notes]


def _figure(fit: Fit) -> Figure:
    """Rate, response and queue of all fitted volumes: shown, held out, and simulated."""
    labels = {"io_per_s": "I/O per s", "response_ms": "Response, ms", "queue_depth": "Requests waiting"}
    panels = [Panel(label, [_line(fit, name), *_points(fit, name)]) for name, label in labels.items()]
    caption = "Lines: the fitted scenario. Filled points: intervals that it was fitted to. Hollow points: held out."
    return Figure(panels, "Interval", caption, layout="below")


def _line(fit: Fit, name: str) -> Series:
    """The fitted scenario, interval by interval."""
    values, levels = [], fit.outcome.levels[name]
    for interval in range(len(fit.measured.starts_us)):
        at = level(fit.periods, interval)
        values.append((1 - at.share) * levels[at.before] + at.share * levels[at.after])
    return Series(range(len(values)), values, label="fitted")


def _points(fit: Fit, name: str) -> list[Series]:
    """The measured intervals: shown ones filled, held-out ones hollow."""
    values = totals(fit.evidence)[name]
    parts = (("shown", fit.split.shown, True), ("held out", fit.split.held_out, False))
    return [
        Series(
            numbers, [float(values[number]) for number in numbers], label=label, kind="points",
            look=Look(0, filled=filled), of=("fitted",),
        )
        for label, numbers, filled in parts
    ]  # fmt: skip
