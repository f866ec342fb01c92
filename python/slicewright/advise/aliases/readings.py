"""Readings of the evidence: every load, of those tried, that reproduces all that is printed, and those that do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.fit import Fit, Observation, Simulate, fit, fit_open, judged, observe
from slicewright.advise.aliases.load import Borrowed, Growth, Load, LoadSimulations, Spread, VolumeLoad
from slicewright.advise.aliases.request import CHANNELS, REDISPATCH, AliasRequest, Assumed
from slicewright.experiment.outcome import Array
from slicewright.reading import accept
from slicewright.reading.accept import FAILS_ABS, PAGE_S, VALIDATED, chance_of_samples, fails_miss
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

_EXTRAS = (0, 1, 2, 4, 8)
"""Populations tried: this number of requests per volume above the smallest that Little's law allows."""

_CLIMBS, _MOST_CLIMBS = 2, 24
"""How often each volume's population is changed by one, and how many changes are tried, where no common one fits."""

_BATCHES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
_MEAN_BATCHES = (1.3, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0)
"""ASSUME: requests that arrive together from outside, as tried: of one size, and of random sizes with these means."""
_OPEN: tuple[tuple[bool, tuple[float, ...], Spread], ...] = (
    (False, _BATCHES, "exponential"), (True, _MEAN_BATCHES, "exponential"), (False, _BATCHES, "constant"),
)  # fmt: skip
"""Open arrivals as tried: whether sizes of batches are random, their sizes, and how connect times vary."""

_PATIENCE = 2
"""Requests per volume above the smallest after which a search that has found nothing ends."""


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
    longest: bool = False
    """Whether it is the one with the longest service that the print allows."""
    far_miss: float = 0.0
    """The worst miss in allowances with `VALIDATED` as the margin."""
    alone: PoolReport | None = None
    """The report that it was read from, where each was read by itself."""
    fails: float | None = None
    """The fails per try that it predicts, where these rejected it."""
    queues: tuple[tuple[float, ...], ...] = ()
    """Per report, the requests that wait for each base."""
    elsewhere: str = ""
    """Where its requests wait for other bases than those of the report, in words; "" where they do not."""

    @property
    def close(self) -> bool:
        """Whether everything reported is reproduced within rounding and margin."""
        return self.miss <= 1

    @property
    def accepted(self) -> bool:
        """Whether it stays in the range: it misses no more than the model misses published measurements."""
        return self.fails is None and not self.elsewhere and (self.close or self.far_miss <= 1)

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
            return f"open arrivals{_batches(most)}{_spread(most)}"
        low, high = min(closed), max(closed)
        text = f"{low} to {high} requests per volume" if low < high else f"{low} request{'s'[: low > 1]} per volume"
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to search: growth and policy, which populations, and whether open arrivals are tried too.

    `extras`: requests per volume above the smallest that Little's law allows; `populations`, of every volume, if given,
    are tried instead.  `busy`: utilisation of serial channels at the busiest report; 0 is none.
    """

    growth: Growth
    policy: str
    extras: tuple[int, ...] = _EXTRAS
    open_too: bool = False
    populations: tuple[tuple[int, ...], ...] = ()
    busy: float = 0.0


def explore(search: Search) -> Explored:
    """Try populations, growths, arrivals and policies, and sort them into those that fit and those that do not.

    Populations and open arrivals are tried under the growth and policy known best. The other policies are tried with
    the smallest population that fits them. The other growths are tried with the smallest and the largest;
    the rest lie between these.
    """
    seen = [observe(report, search.assumed.margin_percent / 100) for report in search.reports]
    tight = _tight(seen[0])
    growth, *others = search.growths
    policy, *policies = search.policies
    way = _Way(growth, policy, open_too=True, populations=_from_first(search, seen, tight))
    fits, fitting = _fits(search, seen, tight, way)
    if way.populations and not any(bool(fitted.fits()[tight].all()) for fitted in fits):
        fits = _climbed(search, seen, tight, way, fits)
    good, rejected = _combined(fits, seen, tight)
    accepted = [replace(reading, saturated=at == 0) for at, reading in enumerate(good)]
    accepted += _longest(search, seen, tight, _Way(growth, policy), good)
    unseen = seen[0].aliases == 0 and len(seen) == 1
    for another in policies if good else ():
        if unseen:
            load = _named(replace(good[0].load, redispatch=another), good[0].population)
            accepted.append(replace(good[0], load=load, saturated=False))
            continue
        ends = _ends(fits, fitting, tight)
        tried, _ = _fits(search, seen, tight, replace(way, policy=another, extras=ends, open_too=False))
        fit_too, not_too = _combined(tried, seen, tight)
        accepted += fit_too
        rejected += not_too
    for another in others if good else ():
        tried, _ = _fits(search, seen, tight, _Way(another, policy, extras=_ends(fits, fitting, tight)))
        fit_too, not_too = _combined(tried, seen, tight)
        accepted += fit_too
        if another != "none":
            accepted += _longest(search, seen, tight, _Way(another, policy), fit_too)
        rejected += not_too
    for busy in search.channels:
        extras = _ends(fits, fitting, tight)
        tried, _ = _fits(search, seen, tight, _Way("channel", policy, extras=extras, busy=busy, open_too=not good))
        fit_too, not_too = _combined(tried, seen, tight)
        accepted += [replace(reading, saturated=not accepted and at == 0) for at, reading in enumerate(fit_too)]
        rejected += not_too
    if accepted and not any(reading.one_kind for reading in accepted):
        accepted += _by_chance(fits, seen, tight, search)
    return Explored(tuple(accepted), tuple(rejected), _unexplained(fits, seen, tight, search))


def explore_apart(search: Search) -> Explored:
    """The readings of each report by itself, for reports that show different loads; the last report leads."""
    each = [_alone(explore(replace(search, reports=(report,))), report) for report in reversed(search.reports)]
    accepted = tuple(reading for explored in each for reading in explored.accepted)
    accepted = tuple(replace(reading, saturated=at == 0) for at, reading in enumerate(accepted))
    rejected = tuple(reading for explored in each for reading in explored.rejected)
    unexplained = each[0].unexplained if each[0].accepted else ()
    return Explored(accepted, rejected, unexplained, apart=True)


def _alone(explored: Explored, report: PoolReport) -> Explored:
    """The same, every reading with the report that it was read from."""
    accepted, rejected = (
        tuple(replace(reading, alone=report) for reading in readings)
        for readings in (explored.accepted, explored.rejected)
    )
    return replace(explored, accepted=accepted, rejected=rejected)


def _batches(volume: VolumeLoad) -> str:
    """Batches of open arrivals in words; nothing where requests arrive one by one."""
    if volume.batch == 1:
        return ""
    return f" in batches of {volume.batch:g}{' on average' if volume.geometric else ''}"


def _spread(volume: VolumeLoad) -> str:
    return ", constant connect times" if volume.spread == "constant" else ""


def _tight(first: Observation) -> Array:
    """Volumes whose guests get in each other's way; of the others one guest each explains all there is."""
    waits = first.queue_depth > 0.005 + 1e-9
    return np.asarray(waits | (first.present > 0.5) if first.pooled else waits)


def _from_first(search: Search, seen: Sequence[Observation], tight: Array) -> tuple[tuple[int, ...], ...]:
    """Populations of every volume that fit the report with the fewest aliases by itself, to be tried on all reports.

    Where the others give sums over a pool only, they cannot tell which volume has how many.
    """
    if not any(observation.pooled for observation in seen[1:]) or search.assumed.population or not tight.any():
        return ()
    growth: Growth = "borrowed" if search.assumed.sharing_percent is None else "assumed"
    fits, _ = _fits(search, seen[:1], tight, _Way(growth, search.policies[0], open_too=True))
    good, _ = _combined(fits, seen[:1], tight)
    return tuple(dict.fromkeys(tuple(volume.population for volume in reading.load.volumes) for reading in good))


def _climbed(search: Search, seen: Sequence[Observation], tight: Array, way: _Way, fits: Sequence[Fit]) -> list[Fit]:
    """Fits met on the way from the nearest of those given, volume by volume one request more or fewer.

    When some fit in every volume, only these are given, smallest population first, and those that fit in none.
    """
    found = list(fits)
    best = min(found, key=_distance)
    for at in [at for _ in range(_CLIMBS) for at in np.argsort(-seen[0].present) if tight[at]]:
        for step in (1, -1):
            counts = np.array([volume.population for volume in best.load.volumes])
            if counts[at] == 0 or counts[at] + step < max(1, np.floor(seen[0].present[at])):
                continue
            counts[at] += step
            found.append(fit(_start(search, seen[0], counts, way), seen, search.simulations.simulate, tight))
            if _distance(found[-1]) < _distance(best):
                best = found[-1]
                break
        if bool(best.fits()[tight].all()):
            break
        if len(found) > len(fits) + _MOST_CLIMBS:
            break
    whole = [candidate for candidate in found if candidate.fits()[tight].all()]
    whole.sort(key=lambda one: sum(volume.population for volume in one.load.volumes))
    return [*whole, *(candidate for candidate in found if not candidate.fits()[tight].any())] if whole else found


def _distance(one: Fit) -> float:
    return float((np.maximum(one.misses - 0.5, 0) ** 2).sum())


def _ends(fits: Sequence[Fit], fitting: Sequence[int], tight: Array) -> tuple[int, ...]:
    """The smallest population that fits and the largest that fits every volume."""
    whole = [extra for extra, fitted in zip(_EXTRAS, fits, strict=False) if fitted.fits()[tight].all()] or list(fitting)
    return tuple(sorted({*fitting[:1], *whole[-1:]})) or _EXTRAS[:1]


def _longest(
    search: Search, seen: Sequence[Observation], tight: Array, way: _Way, fitting: Sequence[Reading]
) -> list[Reading]:
    """The smallest population that fits, with the longest service that its print allows, if that fits too.

    Where service grows it grows from there, so this is the slowest that the pool can turn out to be.
    """
    if not fitting or not tight.any() or fitting[0].arrivals != "closed":
        return []
    counts = np.array([volume.population for volume in fitting[0].load.volumes])
    aimed = [observation.with_longest_service() for observation in seen]
    found = judged(fit(_start(search, aimed[0], counts, way), aimed, search.simulations.simulate, tight), seen, tight)
    if not found.fits()[tight].all():
        return []
    reading = _reading(found, float(found.misses.max()), seen, tight)
    return [replace(reading, longest=True, load=_named(found.load, f"{reading.population}, longest service"))]


def _fits(search: Search, seen: Sequence[Observation], tight: Array, way: _Way) -> tuple[list[Fit], list[int]]:
    """One fit per population, counted from the smallest that Little's law allows, until most no longer fit; then open.

    Also gives which of the way's `extras` fit.
    """
    assumed, simulate = search.assumed, search.simulations.simulate
    if not tight.any():
        return [fit(_start(search, seen[0], np.ones(len(tight)), way), seen, simulate, tight)], [0]
    least = np.maximum(1, np.ceil(seen[0].present - seen[0].queue_slack - 1e-9))
    tried = [(extra, least + extra) for extra in way.extras]
    if way.populations:
        tried = [(at, np.array(counts, dtype=float)) for at, counts in enumerate(way.populations)]
    fits: list[Fit] = []
    fitting: list[int] = []
    for extra, population in tried if assumed.arrivals != "open" else ():
        counts = np.where(tight, assumed.population or population, 1)
        fits.append(fit(_start(search, seen[0], counts, way), seen, simulate, tight))
        if _mostly(fits[-1].fits(), seen[0], tight):
            fitting.append(extra)
        elif fitting or (extra >= _PATIENCE and not way.populations):
            break
        if assumed.population:
            break
    if (way.open_too or assumed.arrivals == "open") and not assumed.population and assumed.arrivals != "closed":
        start = _start(search, seen[0], np.where(tight, 0, 1), way)
        if fits:
            start = replace(start, sharing_percent=fits[0].load.sharing_percent)
        fits += _open_fits(start, seen, simulate, tight)
    return fits, fitting


def _open_fits(start: Load, seen: Sequence[Observation], simulate: Simulate, tight: Array) -> list[Fit]:
    """Poisson arrivals one by one; and where their queue is too short, in batches, until it is too long."""
    fits = []
    for geometric, batches, spread in _OPEN:
        for batch in batches:
            volumes = tuple(
                volume if volume.population else replace(volume, batch=batch, geometric=geometric, spread=spread)
                for volume in start.volumes
            )
            fits.append(fit_open(replace(start, volumes=volumes), seen, simulate, tight))
            samples = fits[-1].samples
            if not samples or samples[0].pooled("queue_depth").mean() > (1 + VALIDATED) * seen[0].queue_depth.sum():
                break
    return fits


def _mostly(which: Array, first: Observation, tight: Array) -> bool:
    """Whether these volumes have at least half of the waiting requests (of those present, if none wait)."""
    weight = np.where(tight, first.queue_depth if first.queue_depth.sum() > 0 else first.present, 0.0)
    return bool(which[tight].any()) and float(weight[which].sum()) >= 0.5 * float(weight.sum())


def _start(search: Search, first: Observation, counts: Array, way: _Way) -> Load:
    """A first guess: think by Little's law Z = n/X - R, connect as printed."""
    growth, policy = way.growth, way.policy
    assumed, borrowed, report = search.assumed, search.borrowed, search.reports[0]
    told = {"none": 0.0, "channel": 0.0, "printed": borrowed.printed_percent, "assumed": assumed.sharing_percent or 0.0}
    sharing = told.get(growth, borrowed.sharing_percent)
    connected = max(0.0, report.in_service - 1)
    busy = way.busy if search.known_busy is None else search.known_busy
    serial = _serial_ms(search.busiest, busy)
    labels = Counter(volume.name for volume in report.volumes)
    moves = any(volume.base.queue_depth > 0.005 for volume in report.volumes)
    volumes = []
    for at, volume in enumerate(report.volumes):
        base, rate, service = volume.base, float(first.io_per_s[at]), float(first.service_ms[at])
        fixed = min(base.pend_ms + base.disc_ms, service / 2)
        think = max(0.0, 1000 * (int(counts[at]) - float(first.queue_depth[at])) / rate - service)
        volumes.append(
            VolumeLoad(
                name=volume.name if labels[volume.name] == 1 and is_name(volume.name) else base.device,
                device=base.device, type=base.type if is_name(base.type, LONGEST_TYPE) else _UNNAMED_TYPE,
                population=int(counts[at]), io_per_s=rate, pend_ms=min(base.pend_ms, fixed),
                think_ms=think if assumed.think_ms is None else assumed.think_ms,
                disc_ms=max(0.0, fixed - base.pend_ms),
                connect_ms=max(0.01, (service - fixed) / (1 + sharing / 100 * connected) - serial),
            )
        )  # fmt: skip
    return Load(
        name="trial", pool=f"pool-{report.name}", volumes=tuple(volumes),
        gap_ms=borrowed.gap_ms if assumed.gap_ms is None else assumed.gap_ms, sharing_percent=sharing, growth=growth,
        redispatch=policy, classic=report.kind == "classic PAV", paths=paths_of(report), serial_ms=serial,
        think_known=assumed.think_ms is not None, gap_borrowed_ms=borrowed.gap_ms,
        gap_known=assumed.gap_ms is not None or not counts.any() or not moves,
        one_at_a_time=assumed.channel in _ONE_AT_A_TIME,
    )  # fmt: skip


def _combined(fits: Sequence[Fit], seen: Sequence[Observation], tight: Array) -> tuple[list[Reading], list[Reading]]:
    """Readings of the pool: the k-th has of each volume the k-th smallest population that fits, or its largest."""
    ranks = [[at for at, fitted in enumerate(fits) if fitted.fits()[volume]] for volume in range(len(tight))]
    nearest = [int(np.argmin([fitted.misses[volume] for fitted in fits])) for volume in range(len(tight))]
    depth = 1
    while _mostly(np.array([len(rank) > depth for rank in ranks]), seen[0], tight):
        depth += 1
    good = []
    for rank in range(depth):
        chosen = [
            rank_fits[min(rank, len(rank_fits) - 1)] if rank_fits else near
            for rank_fits, near in zip(ranks, nearest, strict=True)
        ]
        volumes = tuple(fits[at].load.volumes[volume] for volume, at in enumerate(chosen))
        source = fits[max(chosen)]
        miss = max((float(fits[at].misses[v]) for v, at in enumerate(chosen) if ranks[v]), default=0.0)
        good.append(_reading(replace(source, load=replace(source.load, volumes=volumes)), miss, seen, tight))
    others = [
        _reading(fitted, float(fitted.misses.max()), seen, tight) for fitted in fits if not fitted.fits()[tight].any()
    ]
    near = [reading for reading in others if reading.accepted]
    bad = [reading for reading in others if not reading.accepted]
    return ([*good, *near], bad) if any(ranks) else (near, bad)


def _one_kind(load: Load, tight: Sequence[bool]) -> bool:
    """Whether requests arrive in one way at all volumes that wait."""
    volumes = [volume for volume, moves in zip(load.volumes, tight, strict=True) if moves]
    ways = {None if volume.population else (volume.batch, volume.geometric, volume.spread) for volume in volumes}
    return len(ways) <= 1


def _queue_allowance(report: PoolReport, batch: float) -> Array:
    """How far the queue of each base may be off."""
    bases = [volume.base for volume in report.volumes]
    queue = np.array([base.queue_depth for base in bases])
    present = queue + np.array([volume.in_service for volume in report.volumes])
    chance = chance_of_samples(queue, report.interval_s or PAGE_S, batch)
    return accept.queue_allowance(present, chance, np.array([base.queue_rounding for base in bases]))


def _by_chance(fits: Sequence[Fit], seen: Sequence[Observation], tight: Array, search: Search) -> list[Reading]:
    """Loads of one kind whose queues miss by no more than samples may: volumes by themselves fit closer by chance."""
    found = []
    for fitted in fits:
        if not fitted.samples or not _one_kind(fitted.load, tight.tolist()):
            continue
        batch, misses = max(volume.batch for volume in fitted.load.volumes), []
        for observation, sample, report in zip(seen, fitted.samples, search.reports, strict=True):
            rate, _, service = np.abs(observation.widened(VALIDATED).misses(sample))
            queue = np.abs(sample.queue_depth.mean(axis=0) - observation.queue_depth) / _queue_allowance(report, batch)
            misses.append(np.where(tight, np.max([rate, queue, service], axis=0), 0.0))
        if float(np.max(misses)) <= 1:
            found.append(
                replace(_reading(fitted, float(fitted.misses.max()), seen, tight), far_miss=float(np.max(misses)))
            )
    return found


def _reading(one: Fit, miss: float, seen: Sequence[Observation], tight: Array) -> Reading:
    found = tuple(
        (
            float(sample.pooled("io_per_s").mean()),
            float(sample.pooled("service_ms").mean()),
            float(sample.pooled("queue_depth").mean()),
        )
        for sample in one.samples
    )
    far = float(_far(one, seen, tight).max())
    queues = tuple(tuple(sample.queue_depth.mean(axis=0).tolist()) for sample in one.samples)
    reading = Reading(one.load, miss, False, found, tuple(bool(moves) for moves in tight), far_miss=far, queues=queues)
    return replace(reading, load=_named(one.load, reading.population))


def _named(load: Load, population: str = "") -> Load:
    before = population or load.name.split(";")[0]
    return replace(load, name=f"{before}; growth {load.growth}; redispatch {load.redispatch}")


def _far(one: Fit, seen: Sequence[Observation], tight: Array) -> Array:
    """The misses of a fit, volume by volume, in the allowances of validated error."""
    return (
        judged(one, [observation.widened(VALIDATED) for observation in seen], tight).misses
        if one.samples
        else one.misses
    )


def _unexplained(fits: Sequence[Fit], seen: Sequence[Observation], tight: Array, search: Search) -> tuple[str, ...]:
    names = [volume.name for volume in search.reports[0].volumes]
    return tuple(
        name
        for at, name in enumerate(names)
        if tight[at] and not any(_far(fitted, seen, tight)[at] <= 1 for fitted in fits)
    )  # fmt: skip


def explore_tested(search: Search) -> Explored:
    """The readings of reports, those rejected too whose fails per try are not those of the pool.

    Where this excludes the policy under which populations and growths are tried, they are tried under the next.
    """
    explored = _tested(explore(search), search)
    gone = excluded(explored)
    left = [policy for policy in search.policies if policy not in gone]
    if search.policies[0] not in gone or not left:
        return explored
    again = _tested(explore(replace(search, excluded=search.excluded | gone)), search)
    return replace(again, rejected=(*again.rejected, *explored.rejected))


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


def _tested(explored: Explored, search: Search) -> Explored:
    """The readings whose predicted fails per try are those measured; all of them where none is."""
    if not any(report.tries for report in search.reports) or not explored.accepted:
        return explored
    predicted = [_predicted(reading, search) for reading in explored.accepted]
    kept = [reading for reading in predicted if _has_fails(reading, search.reports)]
    if not kept:
        return replace(explored, contradicted=True)
    out = [replace(reading, saturated=False) for reading in predicted if reading not in kept]
    accepted = [replace(reading, saturated=at == 0, fails=None) for at, reading in enumerate(kept)]
    return replace(explored, accepted=tuple(accepted), rejected=(*explored.rejected, *out))


def _predicted(reading: Reading, search: Search) -> Reading:
    """A reading with its fails per try at the aliases of the report that has tries."""
    report = next(report for report in search.reports if report.tries)
    sample = search.simulations.simulate(reading.load, report.aliases_present)
    assert report.tries is not None, "chosen for it"
    return replace(reading, fails=float(sample.pooled(report.tries.counter).mean()))


def _has_fails(reading: Reading, reports: Sequence[PoolReport]) -> bool:
    tries = next(report.tries for report in reports if report.tries)
    assert reading.fails is not None, "predicted before"
    return fails_miss(reading.fails, tries.fails_per_try) <= 1


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


def by_base(explored: Explored, reports: Sequence[PoolReport]) -> Explored:
    """The readings, those rejected too whose requests wait for other bases than those of the report.

    Where aliases work for any volume the sums of a pool are compared; the queue of each base is on the page as well.
    """
    if explored.apart or not any(report.aliases for report in reports):
        return explored
    judged = [_judged(reading, reports) for reading in explored.accepted]
    kept = [reading for reading in judged if reading.accepted]
    out = tuple(replace(reading, saturated=False) for reading in judged if not reading.accepted)
    accepted = tuple(replace(reading, saturated=at == 0) for at, reading in enumerate(kept))
    return replace(explored, accepted=accepted, rejected=(*explored.rejected, *out))


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


def _judged(reading: Reading, reports: Sequence[PoolReport]) -> Reading:
    """The reading with the base at which it has another queue than a report, if any."""
    batch = max(volume.batch for volume in reading.load.volumes)
    for report, queues in zip(reports, reading.queues, strict=False):
        if not report.aliases:
            continue
        measured = np.array([volume.base.queue_depth for volume in report.volumes])
        off = np.abs(np.array(queues) - measured) / _queue_allowance(report, batch)
        at = int(off.argmax())
        if off[at] > 1:
            name = report.volumes[at].name
            words = f"{fixed(queues[at], 2)} waiting for {name} against {fixed(float(measured[at]), 2)}"
            return replace(reading, elsewhere=words)
    return reading
