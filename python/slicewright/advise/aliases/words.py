"""The words around the numbers of an answer from reports: what was read, what is evidence, what stays open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from slicewright.advise.aliases.borrowed import Borrowed
from slicewright.advise.aliases.channels import busy_with, ceiling_of, most_busy, paths_of
from slicewright.advise.aliases.comparison import Comparison
from slicewright.advise.aliases.evidence import MEASURED, PoolReport
from slicewright.advise.aliases.laws import Law, little
from slicewright.advise.aliases.readings import Explored, Reading
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.notes import demand
from slicewright.reading.accept import VALIDATED
from slicewright.statistics import fixed, percent, plural, seconds

MORE_PAGES = "of the same load with {}: the change of the queue separates bursts from requests that wait for each other"
"""The measurement that settles a page that does not identify its load."""

WAITING = "other known facts about the load: --assume population=..., think=..., sharing=..., gap=..."
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
    """One line that says what was read.

    >>> from slicewright.advise.aliases.example import report
    >>> print(heading(report()))
    Y040180P.txt  z/VM DEVICE (FCX108), 2007-05-27 15:00:14, 600 s: 1 volume, 0 aliases, 755 I/O/s
    """
    started = report.started.replace("/", "-", 2).replace(" ", " ")
    volumes, aliases = plural(len(report.volumes), "volume"), plural(report.aliases_present, "alias", "aliases")
    left = [f"{report.idle:,} idle ignored"] if report.idle else []
    left += [f"{report.skipped:,} rows that are not disks ignored"] if report.skipped else []
    left += [f"longest queue of {report.intervals} intervals"] if report.intervals > 1 else []
    left += [f"{report.elsewhere:,} lines of other pages ignored"] if report.elsewhere else []
    tail = f" ({', '.join(left)})" if left else ""
    length = seconds(report.interval_s) if report.interval_s else "interval unknown"
    when = f"{started}, " if started else ""
    what = f"{volumes}, {aliases}, {fixed(report.io_per_s, 0)} I/O/s{tail}"
    return f"{report.file}  {report.page}, {when}{length}: {what}"


def facts(reports: Sequence[PoolReport], laws: Sequence[Sequence[Law]], saturated: Reading | None) -> list[str]:
    """The evidence: Little's law and the other laws, a line per report.

    >>> from slicewright.advise.aliases.example import explored, report
    >>> facts([report()], [[]], explored().saturated)[0]
    'Little: 1.8 waiting + 1.0 in service = 2.8 of at least 3 requests'
    """
    lines = []
    for at, (report, checked) in enumerate(zip(reports, laws, strict=True)):
        name = f"{report.run or report.file}: " if len(reports) > 1 else ""
        least = ""
        if saturated and at == 0 and saturated.load.population:
            least = f" of at least {saturated.load.population} requests"
        lines.append(f"{name}Little: {little(report)}{least or ' requests'}")
        lines.append(f"{name}{'; '.join(law.text for law in checked)}")
    if saturated is not None and saturated.found:
        lines.append(f"main reading: {why_not(saturated, reports)}")
    if "listed" in reports[0].membership:
        lines.append(f"{reports[0].name} is one pool {reports[0].membership}")
    return lines


def why_not(reading: Reading, reports: Sequence[PoolReport]) -> str:
    """Why a reading is rejected: the nearest it came, against what is printed, where it misses most.

    >>> from dataclasses import replace
    >>> from slicewright.advise.aliases.example import explored, report
    >>> why_not(replace(explored().saturated, found=((740.0, 1.21, 1.89),)), [report()])
    '740 I/O/s, 1.21 ms, 1.89 waiting against 755, 1.30, 1.84'
    """
    if not reading.found:
        return "the queue grows without bound"
    if reading.elsewhere:
        return reading.elsewhere
    parts = []
    tries = next((report.tries for report in reports if report.tries), None)
    if reading.fails is not None and tries is not None:
        return f"{fixed(reading.fails, 2)} fails per try against {fixed(tries.fails_per_try, 2)}"
    shown = reports if reading.alone is None else [reading.alone]
    for report, (io, service, queue) in zip(shown, reading.found, strict=True):
        name = f"{report.run or report.file}: " if len(reports) > 1 else ""
        parts.append(
            f"{name}{fixed(io, 0)} I/O/s, {fixed(service, 2)} ms, {fixed(queue, 2)} waiting against "
            f"{fixed(report.io_per_s, 0)}, {fixed(report.service_ms, 2)}, {fixed(report.queue_depth, 2)}"
        )
    return "; ".join(parts)


def left_open(basis: Basis) -> list[str]:
    """Questions that the reports leave open, and assumptions and borrowed constants.

    >>> from slicewright.advise.aliases.example import basis
    >>> print(left_open(basis())[-1])
    growth of service with concurrency: assumed, 2.00 % per connected I/O
    """
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


def caveats(basis: Basis) -> list[str]:
    """What to keep in mind: margins, the toolkit's known error, doubtful rows, noise at the knee, growth of demand.

    >>> from slicewright.advise.aliases.example import basis
    >>> print(caveats(basis())[0])
    a reading fits when every printed number is reproduced within its rounding and 2 % ...
    """
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


def needed(basis: Basis) -> list[str]:
    """Measurements that would narrow the range.

    >>> from slicewright.advise.aliases.example import basis
    >>> needed(basis())
    ['nothing: all readings have the same knee']
    """
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
    most = percent(most_busy(report), 0)
    if not rows:
        if assumed.sharing_percent is not None:
            return []
        return [f"channels at most {most} busy with this I/O (rate x Conn over {plural(paths, 'path')})"]
    ceiling = f"{fixed(min(load.ceiling or 0.0 for load, _ in rows), 0)} I/O/s"
    if assumed.channel_busy_percent is not None:
        return [
            f"channels {percent(assumed.channel_busy_percent / 100, 0)} busy, as assumed: they carry at most {ceiling}"
            f"{_then_busy(basis)}"
        ]
    low, high = min(knee for _, knee in rows), max(knee for _, knee in rows)
    knees = f"knee {low} to {high}" if low < high else f"knee {low}"
    where = "in these records" if report.source == MEASURED else "on the page"
    return [f"channels: not {where}; they may be up to {most} busy, then {knees}, and {ceiling} at most"]


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
    how = f"{before} requests become {after}, think times stay" if before else "arrival rates are scaled"
    return f"{demand(basis.question.growth)}: {how} (closed: populations; open: rates)"
