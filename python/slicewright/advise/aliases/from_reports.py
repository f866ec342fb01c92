"""An answer from reports: the laws that they obey, the readings that fit, and both in words."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby

from slicewright.advise.aliases.answer import Answer, Comparison, Now, ReadingLine, RuleOfThumb, compare
from slicewright.advise.aliases.beside import beside, of_pool, over_capacity
from slicewright.advise.aliases.curve import Curve, read_lines
from slicewright.advise.aliases.evidence import (
    MEASURED,
    NO_QUEUE,
    Borrowed,
    Device,
    Listing,
    PoolReport,
    Volume,
    borrow,
    busiest,
    intervals,
    is_listing,
    match,
    read_listing,
    read_pools,
    read_rmf_pools,
    told_apart,
)
from slicewright.advise.aliases.readings import (
    Explored,
    Reading,
    Search,
    busy_with,
    ceiling_of,
    different_kinds,
    excluded,
    explore_apart,
    explore_pool,
    fewer,
    full_channels,
    most_busy,
    paths_of,
    serial_of,
    tested_words,
    too_long,
)
from slicewright.advise.aliases.request import AliasRequest, Assumed
from slicewright.advise.assumptions import without_effect
from slicewright.advise.notes import demand
from slicewright.advise.question import Files
from slicewright.advise.source import is_scenario
from slicewright.experiment.plan import Plan
from slicewright.measured.rmf_pages import is_rmf, refuse_others
from slicewright.reading.accept import VALIDATED
from slicewright.reading.pool import (
    CURVE_IOS,
    FIT_IOS,
    OTHER_IOS,
    OTHER_REPLICATIONS,
    Load,
    LoadSimulations,
    Sources,
    concurrency,
    plan_for,
    scenario_text,
)
from slicewright.statistics import fixed, percent, plural, seconds, there_are
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.files import read_bytes, shown
from slicewright.values.progress import Progress, piece, silent

_DECIDES = ("knee_percent",)
"""Assumptions about the choice, and not about the load."""
_UNITS = ("_ms", "_percent")
_HALF_BUSY = 0.5
"""Requests present at a volume of a pool above which they may have to wait, though none does."""


def _irrelevant_to_scenario(assumed: Assumed, file: str) -> list[Problem]:
    """A problem for each assumption about a load, which a scenario gives by itself.

    >>> [one["what"] for one in _irrelevant_to_scenario(Assumed(population=3), "a.toml")]
    ['the assumption changes nothing: population']
    """
    usual, why = Assumed(), "the scenario gives its load: change it there, or run with --set"
    return [
        without_effect(_typed(each.name), why, file)
        for each in fields(assumed)
        if each.name not in _DECIDES and getattr(assumed, each.name) != getattr(usual, each.name)
    ]


def irrelevant_to_reports(assumed: Assumed, pools: Sequence[PoolReport]) -> list[Problem]:
    """A problem for each assumption that no pool of the reports can use."""
    problems = []
    if assumed.arrivals == "open" and assumed.population is not None:
        why = "arrivals=open: requests come from outside, in any number"
        problems.append(without_effect("population", why))
    elif assumed.population is not None and not any(map(_waits, pools)):
        why = "no volume waits, so the number of requests in circulation does not show"
        problems.append(without_effect("population", why))
    if assumed.arrivals is not None and not any(map(_waits, pools)):
        why = "no volume waits, so closed and open arrivals are alike"
        problems.append(without_effect("arrivals", why))
    return problems


def _waits(pool: PoolReport) -> bool:
    """Whether requests of one volume can meet: some wait, or a pool's aliases may have kept them from it."""
    present = (volume.base.queue_depth + volume.in_service for volume in pool.volumes)
    return pool.queue_depth > NO_QUEUE or (bool(pool.aliases) and any(requests > _HALF_BUSY for requests in present))


def _typed(name: str) -> str:
    """The name of an assumption as it is typed: without its unit."""
    for unit in _UNITS:
        name = name.removesuffix(unit)
    return name


_OTHER_SERVICE = 0.1
"""ASSUME: the share by which the I/O of aliases may take less time than the I/O of the pool on average."""


@dataclass(frozen=True, slots=True)
class _Law:
    """One law against one report: in how many rows it holds; `impossible` when no system can have printed this.

    >>> _Law("service", "Serv = P+D+C", 8, 8).text
    'Serv = P+D+C in 8 of 8'
    """

    name: str
    statement: str
    held: int
    rows: int
    impossible: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether no row breaks it."""
        return self.held == self.rows

    @property
    def text(self) -> str:
        """The law and its count, as printed."""
        return f"{self.statement} in {self.held} of {self.rows}"


def check_laws(pool: PoolReport) -> list[_Law]:
    """All laws against one report, each with what the rounding of the printed numbers allows.

    Service = pend + disc + conn; utilisation law: rate x service <= 1 for each exposure; toolkit: Resp = Serv + 1000
    Qued / rate of that device (its known error where aliases exist; z/VM HyperPAV Support, Abstract).
    """
    if not pool.is_device:
        return _rmf_laws(pool)
    rows = pool.exposures
    busy = [row for row in rows if row.io_per_s > 0]
    over = tuple(
        f"{row.device}: {fixed(row.io_per_s, 0)}/s x {fixed(row.service_ms, 1)} ms = "
        f"{fixed(100 * row.in_service, 0)} % busy"
        for row in busy
        if _least_busy(row) > 1
    )
    return [
        _Law("service", "Serv = P+D+C", sum(map(_adds_up, rows)), len(rows)),
        _Law("utilisation", "rate x Serv <= 1", len(busy) - len(over), len(busy), over),
        _Law("toolkit", "Resp = Serv + 1000 Qued / rate", sum(map(_as_printed, busy)), len(busy)),
    ]


def _rmf_laws(pool: PoolReport) -> list[_Law]:
    """The laws against data that adds up the I/O of a volume: no volume has more in service than exposures."""
    lent, over = len(pool.aliases), []
    for volume in pool.volumes:
        most = 1 + len(volume.bound) + lent
        if volume.in_service > most * (1 + volume.base.service_rounding / volume.base.service_ms):
            over.append(f"{volume.base.device}: {fixed(volume.in_service, 1)} in service on {plural(most, 'exposure')}")
    over += [] if over else _over_aliases(pool)
    laws = [
        _Law("utilisation", "in service <= exposures", len(pool.volumes) - len(over), len(pool.volumes), tuple(over))
    ]
    if pool.source == MEASURED:  # its responses are made of the other numbers
        return laws
    held = sum(map(_sums_up, pool.volumes))
    return [_Law("response", "RESP = IOSQ + PEND + DISC + CONN", held, len(pool.volumes)), *laws]


def _over_aliases(pool: PoolReport) -> list[str]:
    """Why a pool has fewer aliases than are in use: a base carries one I/O, so the others in service are on aliases.

    Where the records give the I/O of aliases, that rate times the service time is in use. Aliases may be faster than
    the mean by `_OTHER_SERVICE`.
    """
    present = len(pool.aliases)
    least = [(volume, volume.base.service_rounding / volume.base.service_ms) for volume in pool.volumes]
    beyond = sum(max(0.0, volume.in_service * (1 - slack) - 1 - len(volume.bound)) for volume, slack in least)
    lent = pool.tries.lent_per_s if pool.tries else None
    used = max(beyond, (1 - _OTHER_SERVICE) * (lent or 0.0) * pool.service_ms / 1000)
    if pool.kind != "HyperPAV" or used <= present * 1.01:
        return []
    there = there_are(present, "alias", "aliases")
    return [f"{pool.name}: {fixed(used, 1)} I/Os are in service beyond the bases, and {there}"]


def _sums_up(volume: Volume) -> bool:
    """Whether the response of a volume is its waiting and its service."""
    waited = 1000 * volume.base.queue_depth / volume.io_per_s
    slack = volume.base.response_rounding + volume.base.service_rounding + 0.001
    return abs(volume.base.response_ms - volume.base.service_ms - waited) <= slack


def little(pool: PoolReport) -> str:
    """Little's law over the pool: what waits and what is in service make the requests in the control program.

    Gives "14.4 waiting + 7.6 in service = 22.0 requests".
    """
    waiting, served = pool.queue_depth, pool.in_service
    return f"{fixed(waiting, 1)} waiting + {fixed(served, 1)} in service = {fixed(waiting + served, 1)}"


def _adds_up(row: Device) -> bool:
    return (
        abs(row.service_ms - row.pend_ms - row.disc_ms - row.conn_ms) <= row.part_rounding + row.service_rounding + 1e-9
    )


def _least_busy(row: Device) -> float:
    return (row.io_per_s - row.io_rounding) * (row.service_ms - row.service_rounding) / 1000


def _as_printed(row: Device) -> bool:
    slack = row.service_rounding + row.response_rounding + 1e-9
    low = 1000 * (row.queue_depth - row.queue_rounding) / (row.io_per_s + row.io_rounding)
    high = 1000 * (row.queue_depth + row.queue_rounding) / max(row.io_per_s - row.io_rounding, math.ulp(1))
    waited = row.response_ms - row.service_ms
    return low - slack <= waited <= high + slack


_MORE_PAGES = (
    "of the same load with {}: the change of the queue separates bursts from requests that wait for each other"
)
"""The measurement that settles a page that does not identify its load."""

_WAITING = "other known facts about the load: --assume population=..., think=..., sharing=..., gap=..."
"""Facts that would settle a report that no load fits."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The reports, readings and comparison that the words describe."""

    reports: tuple[PoolReport, ...]
    explored: Explored
    found: Comparison
    borrowed: Borrowed
    question: AliasRequest


def heading(report: PoolReport) -> str:
    """One line that says what was read."""
    started = report.started.replace("/", "-", 2).replace(" ", " ")
    volumes, aliases = plural(len(report.volumes), "volume"), plural(report.aliases_present, "alias", "aliases")
    left = [f"{report.idle:,} idle ignored"] if report.idle else []
    left += (
        [f"{plural(report.skipped, 'row that is no disk', 'rows that are not disks')} ignored"]
        if report.skipped
        else []
    )
    left += [f"longest queue of {report.intervals} intervals"] if report.intervals > 1 else []
    left += [f"{plural(report.elsewhere, 'line')} of other pages ignored"] if report.elsewhere else []
    tail = f" ({', '.join(left)})" if left else ""
    length = seconds(report.interval_s) if report.interval_s else "interval unknown"
    when = f"{started}, " if started else ""
    what = f"{volumes}, {aliases}, {fixed(report.io_per_s, 0)} I/O/s{tail}"
    return f"{report.file}  {report.page}, {when}{length}: {what}"


def _facts(reports: Sequence[PoolReport], laws: Sequence[Sequence[_Law]], saturated: Reading | None) -> list[str]:
    """The evidence: Little's law and the other laws, a line per report."""
    lines = []
    for at, (report, checked) in enumerate(zip(reports, laws, strict=True)):
        name = f"{report.run or report.file}: " if len(reports) > 1 else ""
        least = ""
        if saturated and at == 0 and saturated.load.population:
            least = f" of at least {plural(saturated.load.population, 'request')}"
        lines.append(f"{name}Little: {little(report)}{least or ' requests'}")
        lines.append(f"{name}{'; '.join(law.text for law in checked)}")
    if saturated is not None and saturated.found:
        lines.append(f"main reading: {_why_not(saturated, reports)}")
    if "listed" in reports[0].membership:
        lines.append(f"{reports[0].name} is one pool {reports[0].membership}")
    return lines


def _why_not(reading: Reading, reports: Sequence[PoolReport]) -> str:
    """Why a reading is rejected: the nearest it came, against what is printed, where it misses most."""
    if not reading.found:
        return "the queue grows without bound"
    if reading.elsewhere:
        return reading.elsewhere
    parts = []
    tries = next((report.tries for report in reports if report.tries), None)
    if reading.fails is not None and tries is not None:
        return f"{fixed(reading.fails, 2)} fails per {tries.per} against {fixed(tries.fails_per_try, 2)}"
    shown = reports if reading.alone is None else [reading.alone]
    # A reading that the first pages rejected was never simulated with the aliases of a second one.
    for report, (io, service, queue) in zip(shown, reading.found, strict=False):
        name = f"{report.run or report.file}: " if len(reports) > 1 else ""
        parts.append(
            f"{name}{fixed(io, 0)} I/O/s, {fixed(service, 2)} ms, {fixed(queue, 2)} waiting against "
            f"{fixed(report.io_per_s, 0)}, {fixed(report.service_ms, 2)}, {fixed(report.queue_depth, 2)}"
        )
    return "; ".join(parts)


def _left_open(basis: Basis) -> list[str]:
    """Questions that the reports leave open, and assumptions and borrowed constants."""
    lines = []
    if len(basis.explored.accepted) > 1:
        lines += _populations(basis)
    lines += _longest(basis) + _policies(basis)
    lines += [_growth(basis), *_channels(basis)]
    membership = basis.reports[0].membership
    if "same" in membership:
        name = basis.reports[0].name
        lines.append(f"{name} assumed to be one pool ({membership}); check with QUERY PAV, or --pool")
    return lines


def _caveats(basis: Basis) -> list[str]:
    """What to keep in mind: margins, the toolkit's known error, doubtful rows, noise at the knee, growth of demand."""
    assumed, lines = basis.question.assumed, []
    measured = basis.reports[0].source == MEASURED
    kind, slack = ("measured", "error") if measured else ("printed", "rounding")
    printed = f"{kind} number is reproduced within its {slack}"
    lines.append(
        f"a reading fits when every {printed} and {percent(assumed.margin_percent / 100, 0)} (for a queue: of the "
        f"requests present); one within {percent(VALIDATED, 0)}, the largest miss of the model against published "
        "pools, stays in the range"
    )
    lines.append(_gap(basis))
    if assumed.redispatch is None:
        lines.append(_freed(basis))
    if basis.explored.apart:
        lines.append("no load reproduces all reports: each was read by itself, and the range covers all their readings")
    if any(report.aliases_present and report.is_device for report in basis.reports):
        lines.append("Resp as printed is wrong for volumes with aliases (known error of the toolkit): not used")
    if any(report.aliases and report.is_device for report in basis.reports):
        lines.append("the page does not attribute an alias's I/O to volumes: divided among them as in the simulation")
    if basis.explored.unexplained:
        lines.append(f"no load fits {', '.join(basis.explored.unexplained)}: the nearest load is used")
    if not basis.found.knees[0].clear:
        lines.append("noise leaves the knee of the main reading uncertain by one alias")
    if basis.question.growth != 1:
        lines.append(_demand(basis))
    return lines


def _needed(basis: Basis) -> list[str]:
    """Measurements that would narrow the range."""
    range_, reports = basis.found.recommendation, basis.reports
    if range_.low == range_.high and len(basis.explored.accepted) > 1:
        return ["nothing: all readings have the same knee"]
    lines = []
    told = basis.question.assumed.channel is not None or basis.question.assumed.channel_busy_percent is not None
    if not told and any(reading.load.serial_ms for reading in basis.explored.accepted):
        lines.append(
            "the utilisation of the channels (RMF CHANNEL PATH ACTIVITY, FCX161 LCHANNEL): --assume channel_busy=40%"
        )
    if len({report.aliases_present for report in reports}) == 1:
        have = "any aliases (even 4)" if reports[0].aliases_present == 0 else "fewer aliases, or none"
        lines.append(f"{reports[0].source} of the same load with {have}")
    if any(reading.arrivals != "closed" for reading in basis.explored.accepted):
        lines.append("whether requests wait for earlier ones (closed) or come from outside (open)")
    if len({reading.load.redispatch for reading in basis.explored.accepted}) > 1 and any(
        report.aliases_present and report.tries is None for report in reports
    ):
        lines.append("tries and fails of the pool (monitor record MRIODHPP)")
    return lines


def _freed(basis: Basis) -> str:
    if any(report.tries for report in basis.reports):
        return "an alias that takes up a waiting request without going back to its pool is taken to be no new try"
    return "the use of a freed alias is undocumented: in the main reading it goes back to its pool"


def _populations(basis: Basis) -> list[str]:
    main = basis.explored.accepted[0].load
    rows = [
        (reading, knee.aliases)
        for reading, knee in zip(basis.explored.accepted, basis.found.knees, strict=True)
        if (reading.load.growth, reading.load.redispatch) == (main.growth, main.redispatch) and not reading.longest
    ]
    names = [reading.population for reading, _ in rows]
    think = [fixed(reading.think_ms, 2) for reading, _ in rows if reading.think_ms is not None]
    if len(rows) == 1:
        return [f"{names[0]} (think {think[0]} ms) is the only population that fits"] if think else []
    if not names:
        return []
    tail = " requests per volume"
    words = [name.removesuffix(tail) for name in names]
    text = f"{', '.join(words[:-1])} or {words[-1]}{tail} all fit"
    if not all(name.endswith(tail) for name in names):
        text = f"{'; '.join(dict.fromkeys(names))}: all fit"
    return [f"{text} (think {', '.join(think)} ms): knee {_runs([str(count) for _, count in rows])}"]


def _runs(words: list[str]) -> str:
    return ", ".join(word for word, _ in groupby(words)) if len(set(words)) == 1 else ", ".join(words)


def _longest(basis: Basis) -> list[str]:
    rows = [
        (reading, knee.aliases)
        for reading, knee in zip(basis.explored.accepted, basis.found.knees, strict=True)
        if reading.longest
    ]  # fmt: skip
    if not rows:
        return []
    printed, longest = fixed(basis.reports[0].service_ms, 2), fixed(rows[0][0].found[0][1], 2)
    shown = "measured" if basis.reports[0].source == MEASURED else "printed"
    return [f"service {shown} as {printed} ms on the average may be {longest}: knee {rows[0][1]}"]


def _policies(basis: Basis) -> list[str]:
    first = basis.explored.accepted[0]
    rows = [
        f"{reading.load.redispatch} {knee.aliases}"
        for reading, knee in zip(basis.explored.accepted, basis.found.knees, strict=True)
        if reading.load.growth == first.load.growth and reading.population == first.population and not reading.longest
    ]
    told_apart = len({row.split()[-1] for row in rows}) > 1
    return [f"the use of a freed alias is undocumented: knee with {', '.join(rows)}"] if told_apart else []


def _growth(basis: Basis) -> str:
    load = basis.explored.accepted[0].load
    share = f"{fixed(load.sharing_percent, 2)} % per connected I/O"
    others = ""
    for growth, words in (
        ("printed", f"derived from its reports: {fixed(basis.borrowed.printed_percent, 2)} %"),
        ("none", "none at all"),
    ):
        knees = [
            str(knee.aliases)
            for reading, knee in zip(basis.explored.accepted, basis.found.knees, strict=True)
            if reading.load.growth == growth != load.growth and not reading.longest
        ]
        others += f"; {words}: knee {_runs(knees)}" if knees else ""
    if load.growth == "borrowed":
        return f"growth of service with concurrency: borrowed, {share} ({basis.borrowed.source}){others}"
    if load.growth == "fitted":
        bound = ", a bound of the fit" if load.sharing_percent in (0.0, 100.0) else ""
        return f"growth of service with concurrency: fitted to the reports, {share}{bound}"
    return f"growth of service with concurrency: {'assumed, ' + share if load.growth == 'assumed' else 'none'}"


def _channels(basis: Basis) -> list[str]:
    """The channels as far as the page shows them: how busy they can be, and the knees and ceilings if they are."""
    report = max(basis.reports, key=lambda report: report.io_per_s)
    assumed, paths = basis.question.assumed, paths_of(report)
    if assumed.channel is not None:
        return [ceiling_of(assumed, paths)]
    rows = [
        (reading.load, knee.aliases)
        for reading, knee in zip(basis.explored.accepted, basis.found.knees, strict=True)
        if reading.load.serial_ms
    ]
    most, measured = percent(most_busy(report), 0), report.channel_busy_percent
    if not rows:
        if assumed.sharing_percent is not None:
            return []
        others = "" if measured is None else f"; {percent(measured / 100, 0)} by others too, as measured (73, 78-3)"
        return [f"channels at most {most} busy with this I/O (rate x Conn over {plural(paths, 'path')}){others}"]
    ceiling = f"{fixed(min(load.ceiling or 0.0 for load, _ in rows), 0)} I/O/s"
    if assumed.channel_busy_percent is not None:
        return [
            f"channels {percent(assumed.channel_busy_percent / 100, 0)} busy, {_busy_as(basis, report)}: "
            f"they carry at most {ceiling}{_then_busy(basis)}"
        ]
    low, high = min(knee for _, knee in rows), max(knee for _, knee in rows)
    knees = f"knee {low} to {high}" if low < high else f"knee {low}"
    if measured is not None:
        told = f" {percent(measured / 100, 0)} busy, as measured (73, 78-3), by others too; by this I/O up to {most}"
    else:
        where = "in these records" if report.source == MEASURED else "on the page"
        told = f": not {where}; they may be up to {most} busy"
    return [f"channels{told}, then {knees}, and {ceiling} at most"]


def _busy_as(basis: Basis, report: PoolReport) -> str:
    if basis.question.channels:
        return f"as {basis.question.channels} has it"
    measured = basis.question.assumed.channel_busy_percent == report.channel_busy_percent
    return "as measured (73, 78-3)" if measured else "as assumed"


def _then_busy(basis: Basis) -> str:
    """How busy the channels are with the recommendation, under the main reading."""
    count, main = basis.found.recommendation.aliases, basis.explored.accepted[0].load
    point = next((point for point in basis.found.points if point.aliases == count), None)
    if point is None or not main.ceiling:
        return ""
    busy = percent(busy_with(main.ceiling, point.estimates["io_per_s"].mean), 0)
    return f"; {busy} busy with {plural(count, 'alias', 'aliases')}"


def _gap(basis: Basis) -> str:
    load, borrowed = basis.explored.accepted[0].load, basis.borrowed
    source = f"borrowed ({borrowed.source})"
    if basis.question.assumed.gap_ms is not None:
        source = "assumed"
    elif not load.gap_known:
        source = f"fitted as the idle time of a base with a queue (hyperpav study: {fixed(borrowed.gap_ms, 3)})"
    return f"path length between I/Os {fixed(load.gap_ms, 3)} ms: {source}; think and connect times exponential"


def _demand(basis: Basis) -> str:
    first = basis.explored.accepted[0].load
    before, after = first.population, first.grown(basis.question.growth).population
    how = (
        f"{plural(before, 'request becomes', 'requests become')} {after}, think times stay"
        if before
        else "arrival rates are scaled"
    )
    return f"{demand(basis.question.growth)}: {how} (closed: populations; open: rates)"


_MOSTLY = 0.25
"""The share of the waiting requests at volumes that nothing explains, above which there is no recommendation."""

_FITTED = 0.3
"""The share of the work that is done when the readings are found."""

_REPLICATIONS = 10
_FIT_REPLICATIONS = 4


@dataclass(frozen=True, slots=True)
class Case:
    """Reports of one pool, fewest aliases first, with the question and what is borrowed."""

    reports: tuple[PoolReport, ...]
    question: AliasRequest
    borrowed: Borrowed
    progress: Progress = silent
    excluded: frozenset[str] = frozenset()
    """Redispatch policies that other intervals of the same system exclude."""

    @property
    def sources(self) -> Sources:
        """Where the numbers of the scenarios are from."""
        names = ", ".join(dict.fromkeys(report.run or report.file for report in self.reports))
        assumed = self.question.assumed
        gap = self.borrowed.source if assumed.gap_ms is None else "given by --assume gap"
        growth = self.borrowed.source
        growth = growth if assumed.sharing_percent is None else "given by --assume sharing"
        return Sources(names, growth, f"gap: {gap}", self.reports[0].page)


@dataclass(frozen=True, slots=True)
class Searched:
    """The readings of a pool; with a `reason` where none may be used, what would settle it, and readings to show."""

    explored: Explored | None = None
    reason: str = ""
    needed: tuple[str, ...] = ()
    shown: tuple[Reading, ...] = ()


def search(case: Case) -> Searched:
    """The readings of the reports of a pool; none where these cannot be true or nothing explains them."""
    return refused(case) or _explored(case)


def refused(case: Case) -> Searched | None:
    """Why reports are no evidence of a load, by themselves; None where they are."""
    named = case.question.assumed
    for report in case.reports if named.channel is not None else ():
        ceiling = 1000 * paths_of(report) / serial_of(named)
        if report.io_per_s > ceiling:
            reason = f"{ceiling_of(named, paths_of(report))}, and {report.run or report.file} has "
            how = ("another --assume channel, or a smaller io_size",)
            return Searched(reason=f"{reason}{fixed(report.io_per_s, 0)}", needed=how)
    broken = [
        f"{report.run or report.file}: {place}"
        for report in case.reports
        for law in check_laws(report)
        for place in law.impossible
    ]
    if broken:
        reason = f"an exposure cannot be busy for more than 100 % of the time: {'; '.join(broken)}"
        given = ("another number of aliases: --aliases LCU=N",) if case.question.aliases else ()
        return Searched(reason=reason, needed=(*given, "the unchanged report, or one of another interval"))
    if reason := too_long(case.reports):
        return Searched(reason=reason, needed=_another(case))
    return None


def _explored(case: Case) -> Searched:
    explored = explore_pool(search_of(case))
    if explored.saturated is None and len(case.reports) > 1:
        explored = explore_apart(search_of(case))
    case.progress(_FITTED)
    if explored.saturated is None or _mostly_unexplained(case, explored):
        reason = "no load that was simulated reproduces the report, with any population, service growth or arrivals"
        tried = [reading for reading in explored.rejected if reading.found]
        if nearest := min(tried, key=lambda reading: reading.far_miss, default=None):
            reason += f". The nearest: {nearest.population}, {_why_not(nearest, case.reports)}"
        steady = f"{case.reports[0].source} of a steady interval with the same volumes"
        return Searched(explored, reason, (steady, _WAITING), explored.rejected)
    if reason := different_kinds(explored):
        return Searched(explored, reason, _another(case), (*explored.accepted, *explored.rejected))
    return Searched(explored)


def answer_reports(case: Case, searched: Searched | None = None) -> Answer:
    """The answer; without a recommendation, with the reason, where reports cannot be true or nothing explains them.

    `searched`: readings that are known already.
    """
    laws = [(report, check_laws(report)) for report in case.reports]
    searched = search(case) if searched is None else searched
    explored = searched.explored
    if searched.reason or explored is None:
        lines = tuple(_line(reading, case) for reading in searched.shown)
        return replace(_bare(case, laws), reason=searched.reason, needed=searched.needed, readings=lines)
    curves = [_curve(case, reading, reading.saturated) for reading in explored.accepted]
    estimate = _bare(case, laws).estimate
    found = compare(
        curves, case.question, (case.reports[-1].aliases_present, estimate.aliases), VALIDATED,
        lambda share: case.progress(_FITTED + (1 - _FITTED) * share),
    )  # fmt: skip
    volumes = read_lines(case.reports[-1], curves[0], found.recommendation.aliases)
    answer = replace(_answer(case, laws, explored, found), volumes=volumes)
    if reason := fewer(explored, answer.now.aliases, found.recommendation) or full_channels(answer, case.question):
        return replace(answer, reason=reason)
    return answer


def _another(case: Case) -> tuple[str, ...]:
    """The measurement that shows what one page cannot."""
    report = case.reports[-1]
    have = "any aliases (even 4)" if report.aliases_present == 0 else "more aliases"
    return (f"{report.source} {_MORE_PAGES.format(have)}", _WAITING)


def search_of(case: Case) -> Search:
    """The input to a search of readings."""
    rate = max(report.io_per_s for report in case.reports)
    plan = plan_for(rate, _slowest_ms(case), FIT_IOS, _FIT_REPLICATIONS)
    return Search(
        case.reports, case.question.assumed, case.borrowed, LoadSimulations(plan, case.sources), case.excluded
    )


def _slowest_ms(case: Case) -> float:
    """The longest turn of a guest that has to be seen often: of the slowest volume that has a queue."""
    return 1000 / case.reports[0].slowest_per_s * 4


def _curve(case: Case, reading: Reading, main: bool) -> Curve:
    load = reading.load.grown(case.question.growth)
    simulations = LoadSimulations(plan_of(case, main), case.sources)
    smooth = reading.bursts and not any(report.aliases_present for report in case.reports)
    run = functools.partial(simulations.simulate, load)
    return Curve(load.name, run, _unlimited(load, simulations), load.ceiling or math.inf, smooth)


def plan_of(case: Case, main: bool) -> Plan:
    """How long a reading is looked at with each number of aliases."""
    rate = max(report.io_per_s for report in case.reports) * max(1.5, case.question.growth)
    size = (CURVE_IOS, _REPLICATIONS) if main else (OTHER_IOS, OTHER_REPLICATIONS)
    return plan_for(rate, _slowest_ms(case), *size)


def _unlimited(load: Load, simulations: LoadSimulations) -> int:
    """Twice what can be in use at once: an alias just used is not free again before the gap has passed."""
    closed = concurrency(load)
    if closed is not None:
        return 2 * closed
    many = 64 + 8 * sum(
        round(volume.io_per_s * (volume.pend_ms + volume.disc_ms + volume.connect_ms) / 1000) for volume in load.volumes
    )
    used = simulations.simulate(load, many).most_used
    return min(many, 2 * used) if used else many


def _mostly_unexplained(case: Case, explored: Explored) -> bool:
    first = case.reports[0]
    odd = sum(volume.base.queue_depth for volume in first.volumes if volume.name in explored.unexplained)
    return odd > _MOSTLY * max(first.queue_depth, 1e-9)


def _now(report: PoolReport) -> Now:
    return Now(
        report.aliases_present, report.io_per_s, report.response_ms, report.service_ms, report.queue_depth,
        report.in_service,
    )  # fmt: skip


def _bare(case: Case, laws: Sequence[tuple[PoolReport, list[_Law]]]) -> Answer:
    """Everything that needs no model."""
    last = case.reports[-1]
    told = [
        {"report": report.run or report.file, "law": law.name, "text": law.text, "holds": law.holds}
        for report, checked in laws
        for law in checked
    ]
    return Answer(
        files=tuple(dict.fromkeys(report.file for report in case.reports)),
        heading="\n".join(map(heading, case.reports)),
        pool=last.name, single=len(last.volumes) == 1, now=_now(last), knee=None,
        estimate=RuleOfThumb(last.aliases_present, last.queue_depth), laws=tuple(told),
        facts=tuple(_facts([report for report, _ in laws], [checked for _, checked in laws], None)),
        growth=case.question.growth,
        knee_percent=case.question.assumed.knee_percent, margin_percent=case.question.assumed.margin_percent,
        observed=tuple(map(_now, case.reports)), date=last.started,
    )  # fmt: skip


def _answer(case: Case, laws: Sequence[tuple[PoolReport, list[_Law]]], explored: Explored, found: Comparison) -> Answer:
    basis = Basis(case.reports, explored, found, case.borrowed, case.question)
    lines = [
        replace(_line(reading, case), knee=knee.aliases, text=_text(reading, case))
        for reading, knee in zip(explored.accepted, found.knees, strict=True)
    ]
    return replace(
        _bare(case, laws),
        knee=found.recommendation,
        curve=found.points,
        readings=(*lines, *(_line(reading, case) for reading in explored.rejected)),
        facts=(
            *_facts(case.reports, [checked for _, checked in laws], explored.saturated),
            *case.question.beside,
            *tested_words(explored, case.reports[-1]),
        ),
        excluded=excluded(explored),
        open=tuple(_left_open(basis)),
        caveats=tuple(_caveats(basis)),
        needed=tuple(_needed(basis)),
        at=case.question.at,
        target=found.target,
    )  # fmt: skip


def _line(one: Reading, case: Case) -> ReadingLine:
    return ReadingLine(
        name=one.load.name,
        population=one.population + (", longest service" if one.longest else ""),
        arrivals=one.arrivals, think_ms=one.think_ms, load=one.load,
        saturated=one.saturated, miss=one.miss, found=one.found,
        why="" if one.accepted else _why_not(one, case.reports),
    )  # fmt: skip


def _text(one: Reading, case: Case) -> str:
    load = one.load.grown(case.question.growth)
    return scenario_text(load, case.reports[-1].aliases_present, plan_of(case, one.saturated), case.sources)


def answer(files: Files, question: AliasRequest, progress: Progress = silent) -> list[Answer]:
    """One answer per pool of the files: DEVICE reports of one system, or one scenario; raises InputError.

    The responses to QUERY PAV, of the question or among the files, say which devices of the reports belong together.
    """
    scenarios = [file for file in files if is_scenario(*file)]
    if scenarios and len(files) > 1:
        why = "a scenario gives its load; the load of a report has to be found"
        raise refusal(
            problem("a scenario beside other files", file=scenarios[0][0], why=why, allowed="one scenario, or reports")
        )
    listing = question.pool_listing
    if scenarios:
        if listing is not None:
            raise refusal(problem("does not apply to a scenario", key="pool-listing", why="a scenario names its pools"))
        name, data = scenarios[0]
        idle = _irrelevant_to_scenario(question.assumed, name)
        if idle:
            raise refusal(*idle)
        from slicewright.advise.aliases.from_scenario import answer_scenario

        return answer_scenario(data, name, question)
    return [answer_reports(case) for case in cases_of(files, question, progress)]


def cases_of(files: Files, question: AliasRequest, progress: Progress = silent) -> list[Case]:
    """The reports of each pool of the files, which are no scenarios; raises InputError."""
    pools, question = pools_of(files, question)
    if problems := irrelevant_to_reports(question.assumed, [pool for page in pools for pool in page]):
        raise refusal(*problems)
    borrowed = borrow()
    matched = match(told_apart(pools))
    return [
        Case(tuple(pool), of_pool(question, pool, matched), borrowed, piece(progress, at, len(matched)))
        for at, pool in enumerate(matched)
    ]


def pools_of(files: Files, question: AliasRequest) -> tuple[list[Sequence[PoolReport]], AliasRequest]:
    """The pools of each page of devices, and the request with the facts of other files; raises InputError."""
    listing = question.pool_listing
    listings = [(shown(listing), read_bytes(listing))] if listing is not None else []
    listings += [file for file in files if is_listing(file[1])]
    reports, question = beside([file for file in files if not is_listing(file[1])], question)
    members = _one_listing(listings, reports, question)
    problems: list[Problem] = []
    pools: list[Sequence[PoolReport]] = []
    for name, data in reports:
        pools += gathered(problems, functools.partial(_read, name, data, question, members))
    problems += [] if problems else over_capacity([pool for page in pools for pool in page], question)
    if problems:
        raise refusal(*problems)
    return pools, question


def _one_listing(listings: Files, reports: Files, question: AliasRequest) -> Listing | None:
    if not listings:
        return None
    name, data = listings[0]
    if not reports:
        why = "it lists the members of pools, but not their load"
        raise refusal(problem("a pool listing alone", file=name, why=why, allowed="a DEVICE report (FCX108) beside it"))
    if question.pools:
        raise refusal(problem("both give the members of pools", key="pool", file=name, allowed="one of them"))
    if len(listings) > 1:
        raise refusal(
            problem("a second pool listing", file=listings[1][0], allowed="one file that contains all responses")
        )
    return read_listing(data, name)


_PAGES = (
    "a DEVICE page (FCX108) of z/VM, RMF DIRECT ACCESS DEVICE ACTIVITY, output of fio, iostat -x, btt or dasdstat, "
    "monitor data, or a scenario"
)


def _read(name: str, data: bytes, question: AliasRequest, listing: Listing | None) -> Sequence[PoolReport]:
    """The pools of a file: of several intervals, those of the one with the longest queue."""
    if problems := refuse_others(name, data, _PAGES):
        raise refusal(*problems)
    found = [
        read_rmf_pools(page, name, question) if is_rmf(page) else read_pools(page, name, question.pools, listing)
        for page in intervals(data)
    ]
    return busiest(found) if len(found) > 1 else found[0]
