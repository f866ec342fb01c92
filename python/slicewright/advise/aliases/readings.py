"""Readings of the evidence: every load, of those tried, that reproduces all that is printed, and those that do not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.evidence import Borrowed, PoolReport
from slicewright.advise.aliases.request import CHANNELS, REDISPATCH, AliasRequest, Assumed
from slicewright.reading.accept import FAILS_ABS, PAGE_S, SAMPLE_S, chance_of_samples
from slicewright.reading.evidence import Evidence, Value, Values
from slicewright.reading.pool import (
    CLOSED,
    Growth,
    Load,
    LoadSimulations,
    PoolModel,
    Sample,
    VolumeLoad,
    requests_present,
)
from slicewright.reading.search import Budget, Edge, Setting, Trial, Why, explore, judged
from slicewright.reading.second import wider
from slicewright.scenario.names import LONGEST_TYPE, is_name
from slicewright.statistics import fixed, percent, plural

if TYPE_CHECKING:
    from slicewright.advise.aliases.answer import Answer


FULL = 0.97
"""ASSUME: the busiest channel of a reading; a busier one would not keep the rate that is printed."""

LEAST = 0.02
"""The share of a channel below which it makes no difference."""

_SHARES = (1.0, 0.6)
SHARES_OF_SEVERAL = (1.0, 0.85, 0.7, 0.5, 0.3)
"""The shares tried of the most that a channel can be busy: with one report, and with several alias counts."""

_ONE_AT_A_TIME = ("ESCON",)
"""Published channels that carry one I/O at a time; the others interleave frames of several."""

_IO_KIB = 4.0
"""ASSUME: KiB of an I/O where a channel is named and the size is not, as where published rates of channels count."""


def most_busy(report: PoolReport) -> float:
    """The most that the channels can be busy with the I/O of a pool, as a share; rate x connect time over the paths."""
    connected = sum(row.io_per_s * (row.conn_ms + row.part_rounding / 3) for row in report.exposures) / 1000
    return min(FULL, connected / paths_of(report))


def paths_of(report: PoolReport) -> int:
    """Channel paths as printed, 1 to 8."""
    return min(8, max(1, report.volumes[0].base.paths))


def _known_busy(report: PoolReport, assumed: Assumed) -> float | None:
    """The utilisation of the channels as it is given, or as it follows from a channel that is named; None is unknown.

    A sharing that is given says how connected I/Os slow each other, and leaves no serial part.
    """
    if assumed.channel_busy_percent is not None:
        return min(FULL, assumed.channel_busy_percent / 100)
    if assumed.channel is not None:
        return min(FULL, report.io_per_s * serial_of(assumed) / 1000 / paths_of(report))
    return 0.0 if assumed.sharing_percent is not None else None


def _busy_shares(report: PoolReport, several: bool) -> tuple[float, ...]:
    """The utilisations of the channels to be tried against a report, the busiest first; none where excluded."""
    most = most_busy(report)
    return tuple(most * share for share in (SHARES_OF_SEVERAL if several else _SHARES)) if most >= LEAST else ()


def _serial_ms(report: PoolReport, busy: float) -> float:
    """The serial time per I/O in ms with which the channels are that busy: utilisation law."""
    return 1000 * busy * paths_of(report) / report.io_per_s


def busy_with(ceiling: float | None, io_per_s: float) -> float:
    """How busy channels are that carry at most `ceiling` I/Os per second, as a share; at most all the time.

    >>> busy_with(4000.0, 3000.0), busy_with(None, 3000.0)
    (0.75, 0.0)
    """
    return min(1.0, io_per_s / ceiling) if ceiling else 0.0


def full_channels(answer: Answer, question: AliasRequest) -> str:
    """Why aliases are not recommended that only fill channels whose utilization is known; "" where they do not.

    `answer`: with its recommendation, as of the main reading.
    """
    chosen, known = answer.recommendation, question.assumed
    given = known.channel_busy_percent is not None or known.channel is not None
    main = next((reading.load for reading in answer.readings if reading.saturated and reading.load), None)
    point = answer.point(chosen.aliases) if chosen else None
    if not given or chosen is None or main is None or point is None or chosen.aliases <= answer.now.aliases:
        return ""
    now, then = (busy_with(main.ceiling, io) for io in (answer.now.io_per_s, point.estimates["io_per_s"].mean))
    if then < FULL:
        return ""
    aliases = plural(chosen.aliases, "alias", "aliases")
    return (
        f"{aliases} would move the queue to the channels ({percent(now, 0)} busy now, {percent(then, 0)} then), and "
        "all that shares these would wait"
    )


def ceiling_of(assumed: Assumed, paths: int) -> str:
    """The most that the named channels carry, in words.

    >>> ceiling_of(Assumed(channel="FICON"), 4)
    '4 paths of FICON carry at most 24,001 I/O/s of 4 KiB (98.3 MB/s)'
    """
    kib = _IO_KIB if assumed.io_kib is None else assumed.io_kib
    rate = 1000 * paths / serial_of(assumed)
    megabytes = fixed(rate * kib * 1024 / 1e6, 1)
    carry = "carries" if paths == 1 else "carry"
    most = f"at most {fixed(rate, 0)} I/O/s of {kib:g} KiB ({megabytes} MB/s)"
    return f"{plural(paths, 'path')} of {assumed.channel} {carry} {most}"


def serial_of(assumed: Assumed) -> float:
    """The serial time of an I/O in ms on the channel that is named.

    >>> round(serial_of(Assumed(channel="FICON")), 4), round(serial_of(Assumed(channel="FICON", io_kib=24.0)), 4)
    (0.1667, 0.3715)
    """
    assert assumed.channel is not None
    per_io, per_kib = CHANNELS[assumed.channel]
    return per_io + per_kib * (_IO_KIB if assumed.io_kib is None else assumed.io_kib)


_UNNAMED_TYPE = "3390"
"""The device type in a scenario that cannot name the real one; no number depends on it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One explanation of the reports.  `miss` is its worst miss in allowances: above 1 it does not fit closely.

    `found` holds, per report, what the load gives: rate, service, queue.
    """

    load: Load
    miss: float
    saturated: bool
    found: tuple[tuple[float, float, float], ...]
    tight: tuple[bool, ...]
    accepted: bool
    """Whether it stays in the range: it misses no more than the model misses published measurements."""
    longest: bool = False
    """Whether it is the one with the longest service that the print allows."""
    far_miss: float = 0.0
    """The worst miss in allowances with `VALIDATED` as the margin."""
    alone: PoolReport | None = None
    """The report that it was read from, where each was read by itself."""
    fails: float | None = None
    """The fails per try that it predicts, where these rejected it."""
    elsewhere: str = ""
    """Where its requests wait for other bases than those of the report, in words; "" where they do not."""

    @property
    def one_kind(self) -> bool:
        """Whether requests arrive in one way at all volumes that wait: closed, or open in batches of one size."""
        return _one_kind(self.load, self.tight)

    @property
    def bursts(self) -> bool:
        """Whether requests of some volume arrive in batches."""
        return any(volume.batch > 1 for volume, moves in zip(self.load.volumes, self.tight, strict=True) if moves)

    @property
    def arrivals(self) -> str:
        """closed, open, or both when volumes differ."""
        counts = [volume.population for volume, moves in zip(self.load.volumes, self.tight, strict=True) if moves]
        if all(counts):
            return "closed"
        return "closed and open" if any(counts) else "open"

    @property
    def population(self) -> str:
        """Requests per volume in words: "3 requests per volume", "3 to 5 requests per volume", "open arrivals"."""
        counts = [volume.population for volume, moves in zip(self.load.volumes, self.tight, strict=True) if moves]
        closed = [count for count in counts if count] if any(self.tight) else [1]
        if not closed:
            most = max(self.load.volumes, key=lambda volume: volume.batch)
            spread = ", constant connect times" if most.spread == "constant" else ""
            return f"open arrivals{_batches(most)}{spread}"
        low, high = min(closed), max(closed)
        text = f"{low} to {high} requests per volume" if low < high else f"{plural(low, 'request')} per volume"
        return text if len(closed) == len(counts) or not counts else text + " and open arrivals"

    @property
    def think_ms(self) -> float | None:
        """Mean think time over the volumes that wait; None with open arrivals only."""
        times = [
            volume.think_ms
            for volume, moves in zip(self.load.volumes, self.tight, strict=True)
            if moves and volume.population
        ]
        return sum(times) / len(times) if times else None


@dataclass(frozen=True, slots=True)
class Explored:
    """All readings tried, those that fit first the saturated one; `unexplained` volumes fit none of them."""

    accepted: tuple[Reading, ...]
    rejected: tuple[Reading, ...]
    unexplained: tuple[str, ...]
    apart: bool = False
    """Whether each report was read by itself, because no load reproduces all."""
    contradicted: bool = False
    """Whether no reading has the fails per try of the pool, so that these rejected none."""

    @property
    def saturated(self) -> Reading | None:
        """The smallest population that fits, with the growth that is known best."""
        return next((reading for reading in self.accepted if reading.saturated), None)


@dataclass(frozen=True)
class Search:
    """The input to a search of readings: reports of one pool, assumptions, borrowed constants, simulations."""

    reports: tuple[PoolReport, ...]
    assumed: Assumed
    borrowed: Borrowed
    simulations: LoadSimulations
    excluded: frozenset[str] = frozenset()
    """Redispatch policies that other intervals of the same system exclude."""

    @property
    def growths(self) -> list[Growth]:
        """How service may grow: assumed; fitted where reports differ in aliases; else borrowed (two ways) or not."""
        if self.assumed.sharing_percent is not None:
            return ["assumed"]
        if len({report.aliases_present for report in self.reports}) > 1:
            return ["fitted"]
        return ["borrowed", "printed", "none"]

    @property
    def busiest(self) -> PoolReport:
        """The report with the highest rate, whose channels are the busiest."""
        return max(self.reports, key=lambda report: report.io_per_s)

    @property
    def channels(self) -> tuple[float, ...]:
        """Utilisations of the channels at the busiest report, each a reading; none where one is known."""
        several = len({report.aliases_present for report in self.reports}) > 1
        return () if self.known_busy is not None else _busy_shares(self.busiest, several)

    @property
    def known_busy(self) -> float | None:
        """The utilisation of the channels at the busiest report, where the question gives it."""
        return _known_busy(self.busiest, self.assumed)

    @property
    def policies(self) -> tuple[str, ...]:
        """Redispatch policies that the reports leave open."""
        if self.assumed.redispatch:
            return (self.assumed.redispatch,)
        return tuple(policy for policy in REDISPATCH if policy not in self.excluded)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of volumes in a scenario: labels, or device numbers where a scenario cannot have a label."""
        volumes = self.reports[0].volumes
        labels = Counter(volume.name for volume in volumes)
        return tuple(
            volume.name if labels[volume.name] == 1 and is_name(volume.name) else volume.base.device
            for volume in volumes
        )

    @cached_property
    def start(self) -> Load:
        """The pool with what its report gives by itself."""
        report, assumed = self.reports[0], self.assumed
        volumes = tuple(
            VolumeLoad(
                name, volume.base.device,
                volume.base.type if is_name(volume.base.type, LONGEST_TYPE) else _UNNAMED_TYPE,
                1, volume.io_per_s, 0.0, volume.base.pend_ms, volume.base.disc_ms, volume.service_ms,
            )
            for name, volume in zip(self.names, report.volumes, strict=True)
        )  # fmt: skip
        return Load(
            name="trial", pool=f"pool-{report.name}", volumes=volumes,
            gap_ms=self.borrowed.gap_ms if assumed.gap_ms is None else assumed.gap_ms, sharing_percent=0.0,
            growth="none", redispatch="none", classic=report.kind == "classic PAV", paths=paths_of(report),
            think_known=assumed.think_ms is not None, gap_borrowed_ms=self.borrowed.gap_ms,
            gap_known=assumed.gap_ms is not None, one_at_a_time=assumed.channel in _ONE_AT_A_TIME,
        )  # fmt: skip

    @cached_property
    def waits(self) -> dict[str, float]:
        """Volumes whose guests get in each other's way, with what waits; of others one guest explains all there is."""
        report, found = self.reports[0], {}
        present = requests_present(self.start, _page(report, self.names, ())).tolist()
        idle = report.queue_depth <= 0
        for name, volume, requests in zip(self.names, report.volumes, present, strict=True):
            queue = volume.base.queue_depth
            if queue > _WAITS or (report.aliases and requests > _HALF_BUSY):
                found[name] = requests if idle else queue
        return found

    @property
    def evidence(self) -> list[Evidence]:
        """The reports, as a search reads them."""
        return [_page(report, self.names, self.waits) for report in self.reports]

    @property
    def model(self) -> PoolModel:
        """Loads of the pool, with growths, policies and channels as the reports leave them open."""
        waits, assumed = self.waits, self.assumed
        return PoolModel(
            self.start, waits, tuple(self._settings(bool(waits))), assumed.population, assumed.think_ms,
            assumed.arrivals, max(0.0, self.reports[0].in_service - 1),
        )  # fmt: skip

    def _settings(self, waits: bool) -> list[Setting]:
        """What volumes share: as it is known best, with each other policy, growth and use of channels."""
        longest = (_LONGEST_SERVICE,) if waits else ()
        (growth, *growths), (policy, *policies) = self.growths, self.policies
        busy = 0.0 if self.known_busy is None else self.known_busy
        serial: Values = {("serial_ms", ""): _serial_ms(self.busiest, busy), ("redispatch", ""): policy}
        unseen = len(self.reports) == 1 and not self.reports[0].aliases_present
        return [
            Setting({**self._growth(growth), **serial}, edges=longest),
            *(
                Setting({("redispatch", ""): other}, known=unseen, tried="" if unseen else "alone")
                for other in policies
            ),
            *(Setting(self._growth(other), edges=longest if other != "none" else ()) for other in growths),
            *(
                Setting({**self._growth("channel"), ("serial_ms", ""): _serial_ms(self.busiest, share)}, tried="alone")
                for share in self.channels
            ),
        ]

    def _growth(self, growth: Growth) -> Values:
        """A growth of service, with its start where it is fitted."""
        borrowed = self.borrowed
        known = {
            "none": 0.0,
            "channel": 0.0,
            "printed": borrowed.printed_percent,
            "assumed": self.assumed.sharing_percent,
        }
        return {("growth", ""): growth, ("sharing_percent", ""): known.get(growth, borrowed.sharing_percent) or 0.0}

    def simulate(self, load: Load, at: Mapping[str, float | str]) -> Sample:
        """One simulation of a load with the aliases of a report."""
        return self.simulations.simulate(load, int(at["aliases"]))


_WAITS = 0.005 + 1e-9
"""A queue that is printed as zero."""

_HALF_BUSY = 0.5
"""Requests present at a volume of a pool above which they may have had to wait, though none does."""


def explore_pool(search: Search) -> Explored:
    """Every load tried, sorted into readings and others.

    Where no reading has the fails per try of the pool, these reject none.  Where readings have several kinds of
    arrivals only, loads of one kind whose queues miss by no more than samples may are readings too: volumes by
    themselves fit closer by chance.
    """
    model, pages = search.model, search.evidence
    budget = Budget(aim=search.assumed.margin_percent / 100)
    found = explore(model, pages, budget, search.simulate)
    contradicted = False
    if not found.accepted and any(report.tries for report in search.reports):
        without = explore(model, [page.without(*_FAILS) for page in pages], budget, search.simulate)
        contradicted = bool(without.accepted)
        found = without if contradicted else found
    accepted = [_reading(trial, model) for trial in found.accepted]
    if accepted and not any(reading.one_kind for reading in accepted):
        sampled = [_sampled(page) for page in pages]
        by_chance = [_reading(judged(model, trial, sampled, budget.aim), model) for trial in found.families]
        accepted += [reading for reading in by_chance if reading.accepted and reading.one_kind]
    accepted = [replace(reading, saturated=at == 0) for at, reading in enumerate(accepted)]
    names = dict(zip(search.names, (volume.name for volume in search.reports[0].volumes), strict=True))
    unexplained = tuple(label for name, label in names.items() if name in found.unexplained)
    rejected = tuple(_reading(trial, model) for trial in found.rejected)
    return Explored(tuple(accepted), rejected, unexplained, contradicted=contradicted)


def explore_apart(search: Search) -> Explored:
    """The readings of each report by itself, for reports that show different loads; the last report leads."""
    accepted: list[Reading] = []
    rejected: list[Reading] = []
    unexplained: tuple[str, ...] = ()
    for report in reversed(search.reports):
        explored = explore_pool(replace(search, reports=(report,)))
        unexplained = unexplained if accepted or rejected or not explored.accepted else explored.unexplained
        accepted += [replace(reading, alone=report, saturated=False) for reading in explored.accepted]
        rejected += [replace(reading, alone=report) for reading in explored.rejected]
    accepted = [replace(reading, saturated=at == 0) for at, reading in enumerate(accepted)]
    return Explored(tuple(accepted), tuple(rejected), unexplained, apart=True)


def _reading(trial: Trial[Load, Sample], model: PoolModel) -> Reading:
    """A trial as the answer shows it."""
    tight = tuple(volume.name in model.parts for volume in trial.load.volumes)
    explained = [part for part in model.parts or ("",) if part not in trial.unexplained]
    found = tuple(
        (
            float(sample.pooled("io_per_s").mean()),
            float(sample.pooled("service_ms").mean()),
            float(sample.pooled("queue_depth").mean()),
        )
        for sample in trial.outcomes
    )
    worst = None if trial.why is Why.FITS else trial.worst
    fails = worst.found if worst is not None and worst.value.name in _FAILS else None
    elsewhere = ""
    if worst is not None and worst.value.judged == "whole" and fails is None:
        elsewhere = f"{fixed(worst.found, 2)} waiting for {worst.value.part} against {fixed(worst.value.value, 2)}"
    reading = Reading(
        trial.load, max(map(trial.close, explained), default=0.0), False, found, tight, trial.why is Why.FITS,
        bool(trial.edge), max(map(trial.far, explained), default=0.0), fails=fails, elsewhere=elsewhere,
    )  # fmt: skip
    load, longest = trial.load, ", longest service" if trial.edge else ""
    name = f"{reading.population}{longest}; growth {load.growth}; redispatch {load.redispatch}"
    return replace(reading, load=replace(load, name=name))


_FAILS = ("fails_per_try", "fails_per_io")

_LONGEST_SERVICE = Edge("longest service", ("service_ms", "base_service_ms", "alias_service_ms"), 0.6, CLOSED)
"""Service at the upper part of what the print allows: where it grows it grows from there, so no pool is slower."""


def _page(report: PoolReport, names: Sequence[str], waits: Collection[str]) -> Evidence:
    """A report as evidence.  Where aliases work for any volume it gives sums over the pool, and rows of the bases.

    The queue of each base then judges whole readings alone.
    """
    pooled, prefix = bool(report.aliases), "base_" if report.aliases else ""
    samples = (report.interval_s or PAGE_S) / SAMPLE_S if pooled else None
    values = []
    for name, volume in zip(names, report.volumes, strict=True):
        base, rows = volume.base, 1 + len(volume.bound)
        own: _Judged = "never" if pooled or name not in waits else "part"
        values += [
            Value(f"{prefix}io_per_s", name, volume.io_per_s, base.io_rounding * rows, judged=own),
            Value(
                "queue_depth", name, base.queue_depth, base.queue_rounding, base.queue_depth + volume.in_service,
                samples, judged="whole" if pooled else own,
            ),
            Value(f"{prefix}service_ms", name, volume.service_ms, base.service_rounding, judged=own),
        ]  # fmt: skip
    if pooled:
        values += _sums(report, bool(waits))
    if report.tries:
        values.append(Value(report.tries.counter, "", report.tries.fails_per_try, judged="whole"))
    at = {"aliases": float(report.aliases_present)}
    return Evidence(report.name, at, report.interval_s or PAGE_S, tuple(values), report.run or report.file)


def second_page(report: PoolReport, names: tuple[str, ...], burst: float) -> Evidence:
    """A second report as evidence that nothing was fitted to: sums over the pool, and what it has of each volume.

    `burst`: requests that arrive together in the reading that is judged.  Queues are samples, and the response follows
    from them.  All numbers are to hold together, so that the chance of each is wider.
    """
    page = _page(report, names, names)
    # Pages with a row for each alias do not divide its I/O among volumes; all other data has the I/O of a volume.
    if not report.is_device:
        page = replace(page, values=tuple(
            replace(value, name=value.name.removeprefix("base_")) for value in page.values
        ))  # fmt: skip
    apart = [value for value in page.values if value.part and value.name in _PRINTED]
    sums = _sums(report, True)
    # Tries have a margin of their own, and no chance.
    tries = [value for value in page.values if value.name in _FAILS]
    queues = [value for value in apart if value.name == "queue_depth"]
    factor = wider(len(apart) + len(_PRINTED) + 1)
    chances = {value.part: factor * float(chance_of_samples(value.value, page.length_s, burst)) for value in queues}
    together = math.hypot(*chances.values())
    rate, waiting = report.io_per_s, sum(value.rounding for value in queues)
    values = [
        replace(value, judged="whole", samples=None, half_width=chances[value.part] if value in queues else None)
        for value in apart
    ]
    for value in sums:
        if value.name in _PRINTED:
            chance = together if value.name == "queue_depth" else None
            values.append(replace(value, judged="whole", half_width=chance))
    serves = next(value.rounding for value in sums if value.name == "service_ms")
    response = Value(
        "response_ms", "", report.response_ms, serves + 1000 * waiting / rate, half_width=1000 * together / rate,
        judged="whole",
    )  # fmt: skip
    return replace(page, values=(*values, response, *tries))


_PRINTED = ("io_per_s", "queue_depth", "service_ms")
"""Numbers of a pool, and of a volume where the page does not lend its aliases."""

_Judged = Literal["part", "whole", "never"]


def _sums(report: PoolReport, waits: bool) -> list[Value]:
    """The I/O of the aliases, and the sums over a pool."""
    bases = [volume.base for volume in report.volumes]
    judged_by: _Judged = "part" if waits else "never"
    lent = sum(alias.io_per_s for alias in report.aliases)
    slow = sum(alias.io_per_s * alias.service_ms for alias in report.aliases) / lent if lent else 0.0
    more = sum(alias.io_rounding for alias in report.aliases)
    rounding = sum(
        base.io_rounding * (1 + len(volume.bound)) for base, volume in zip(bases, report.volumes, strict=True)
    )
    serves = sum(volume.io_per_s * volume.base.service_rounding for volume in report.volumes)
    serves /= sum(volume.io_per_s for volume in report.volumes)
    return [
        Value("alias_io_per_s", "", lent, more, judged="never"),
        Value("alias_service_ms", "", slow, judged="never"),
        Value("io_per_s", "", report.io_per_s, rounding + more, judged=judged_by),
        Value(
            "queue_depth", "", report.queue_depth, sum(base.queue_rounding for base in bases),
            report.queue_depth + report.in_service, judged=judged_by,
        ),
        Value("service_ms", "", report.service_ms, serves, judged=judged_by),
    ]  # fmt: skip


def _sampled(page: Evidence) -> Evidence:
    """The evidence with the chance of queues that were sampled."""
    return replace(page, values=tuple(
        replace(value, samples=page.length_s / SAMPLE_S) if value.name == "queue_depth" and value.part else value
        for value in page.values
    ))  # fmt: skip


def _batches(volume: VolumeLoad) -> str:
    """Batches of open arrivals in words; nothing where requests arrive one by one."""
    if volume.batch == 1:
        return ""
    return f" in batches of {volume.batch:g}{' on average' if volume.geometric else ''}"


def _one_kind(load: Load, tight: Sequence[bool]) -> bool:
    """Whether requests arrive in one way at all volumes that wait."""
    volumes = [volume for volume, moves in zip(load.volumes, tight, strict=True) if moves]
    ways = {None if volume.population else (volume.batch, volume.geometric, volume.spread) for volume in volumes}
    return len(ways) <= 1


def excluded(explored: Explored) -> frozenset[str]:
    """The redispatch policies of which only readings are left that the tries and fails rejected."""
    kept = {reading.load.redispatch for reading in explored.accepted}
    return frozenset(reading.load.redispatch for reading in explored.rejected if reading.fails is not None) - kept


def tested_words(explored: Explored, report: PoolReport) -> list[str]:
    """The outcome of the test in words; nothing for a report without tries."""
    tries = report.tries
    if tries is None:
        return []
    lent = "" if tries.lent_per_s is None else f", {fixed(tries.lent_per_s, 0)} I/Os on aliases"
    ratio, measured = f"fails per {tries.per}", fixed(tries.fails_per_try, 2)
    if tries.per == "try":
        counted = f"{fixed(tries.per_s, 0)} tries/s, {fixed(tries.taken_per_s, 0)} found an alias{lent}"
    else:
        counted = f"{fixed(tries.per_s, 0)} I/Os/s, {fixed(tries.per_s * tries.fails_per_try, 0)} found no alias{lent}"
    lines = [f"pool: {counted}"]
    if explored.contradicted:
        return [*lines, f"no reading has the {ratio} of the pool ({measured}): none was rejected for it"]
    found: dict[str, Reading] = {}
    for reading in explored.rejected:
        if reading.fails is not None:
            found.setdefault(reading.load.redispatch, reading)
    gone = sorted(excluded(explored))
    if gone:
        which = ", ".join(f"`{name}` ({fixed(found[name].fails, 2)})" for name in gone)
        left = ", ".join(dict.fromkeys(f"`{reading.load.redispatch}`" for reading in explored.accepted))
        lines.append(f"{ratio} {measured}: redispatch {left} fits; excluded are {which}")
    elif tries.fails_per_try < FAILS_ABS:
        lines.append(f"{ratio} {measured}: too few to tell redispatch policies apart")
    else:
        lines.append(f"{ratio} {measured} fit every redispatch policy that is left")
    return lines


_LONGEST = 20.0
"""Requests that wait for one base, beyond which a page identifies no load: the base is then hardly ever idle.

ASSUME: some tens.  The queue may be one burst, or grow for as long as one looks; both have the same mean.
"""


def too_long(reports: Sequence[PoolReport]) -> str:
    """Why a queue is no evidence of a load; "" where none is that long with the most aliases that were measured."""
    report = reports[-1]
    worst = max(report.volumes, key=lambda volume: volume.base.queue_depth)
    if worst.base.queue_depth <= _LONGEST:
        return ""
    waits = f"{fixed(worst.base.queue_depth, 0)} requests wait for {worst.name}"
    why = f"more than {_LONGEST:.0f} may be one burst, or a queue that still grows"
    return f"{waits}: {why}, and the page does not show which"


def different_kinds(explored: Explored) -> str:
    """Why no load is identified where no way of arriving fits all volumes; "" where one does."""
    if explored.apart or not explored.accepted or any(reading.one_kind for reading in explored.accepted):
        return ""
    main = explored.accepted[0]
    ways = dict.fromkeys(
        _way(volume.population, volume.batch)
        for volume, moves in zip(main.load.volumes, main.tight, strict=True)
        if moves
    )
    return f"volumes need different kinds of arrivals ({', '.join(ways)}), and one page does not show how these meet"


def fewer(explored: Explored, present: int, found: Recommendation) -> str:
    """Why no fewer aliases are recommended than there are, where bursts may be what keeps them in use; "" otherwise."""
    closed = all(reading.arrivals == "closed" for reading in explored.accepted)
    if closed or found.aliases >= present or found.high <= found.aliases:
        return ""
    return (
        f"the readings range from {found.low} to {found.high} aliases, and a page with {present} does not show bursts"
    )


def _way(population: int, batch: float) -> str:
    if population:
        return "requests that wait for each other"
    return f"batches of {batch:g}" if batch > 1 else "single arrivals"
