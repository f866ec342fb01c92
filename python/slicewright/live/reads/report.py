"""A live result of reads as a report: rates, waits and costs, live and simulated, and their constants."""

from __future__ import annotations

from slicewright.errors import visible
from slicewright.live.cells import ABSOLUTE_MS, RELATIVE
from slicewright.live.pair_report import both_sides, constants_section, estimated, judged, meaned, meanwhile
from slicewright.live.reads.plan import PACE, RUNS, Load
from slicewright.live.reads.result import JUDGED, Pair, ReadsResult
from slicewright.live.reads.simulated import REPLICATIONS
from slicewright.report.figure import Figure, Panel
from slicewright.report.forms import words_right
from slicewright.report.model import Column, Face, Paragraph, Report, Section, Table
from slicewright.statistics import fixed, plural


def reads_report(result: ReadsResult) -> Report:
    """The report of `live io`.

    >>> from slicewright.live.reads.example import reads_result
    >>> reads_report(reads_result()).title
    'Reads behind permits, live and simulated'
    """
    plan, environment, device = result.plan, result.environment, result.device
    groups = f"limit by control groups version {environment.version}" if environment.version else "no limit"
    machine = (
        f"Linux {environment.kernel} {environment.machine}, {plural(result.constants.processors, 'processor')}, "
        f"disk {device.name} ({device.number or 'no number'}, scheduler {device.scheduler or 'none'}), {groups}"
    )
    measured = (
        f"measured {environment.measured}: {plural(plan.requesters, 'thread')} read 4 KiB at random places past the "
        f"page cache, as many at a time as there are permits; {plan.seconds:.4g} s for each pair in {RUNS} runs"
    )
    opening = Section("", [Paragraph(visible(f"live io  {machine}") + f"\n  {measured}", flush=True, face=Face.TEXT)])
    agree = {name: f"{result.agree(name)} of {len(result.pairs)}" for name in JUDGED}
    after = meanwhile(environment, result.warnings())
    sections = [opening, _constants(result), _waits(result, agree), _costs(result), after]
    facts = [("reads a second that agree", agree["reads_per_s"]), ("99 % waits that agree", agree["p99_ms"])]
    facts += [("kernel", environment.kernel), ("measured", environment.measured)]
    return Report("Reads behind permits, live and simulated", machine, facts, sections, repeats=False)


def _constants(result: ReadsResult) -> Section:
    own = result.constants
    rows = [
        ("a read of one thread alone", f"{fixed(own.read_us, 1)} us"),
        ("its spread (squared coefficient of variation)", fixed(own.spread, 3)),
        ("processor time of it", f"{fixed(own.cpu_us, 1)} us"),
        ("handing a permit to another thread", f"{fixed(own.hand_over_us, 1)} us"),
        ("a switch to another thread", f"{fixed(own.switch_us, 1)} us"),
        ("processors", str(own.processors)),
    ]
    if result.of("limit") or result.of("paced"):
        rows.append(("slice of a limit, and tick", f"{own.slice_ms:.4g} and {own.tick_ms:.4g} ms"))
    return constants_section(rows)


_NAMES: tuple[Column[Pair], ...] = (
    Column("load", "load", lambda pair: pair.load),
    Column("depth", "permits", lambda pair: str(pair.depth), form=words_right),
)


def _waits(result: ReadsResult, agree: dict[str, str]) -> Section:
    columns: list[Column[Pair]] = [
        *_NAMES, estimated("live", "reads_per_s", "reads/s, live"), estimated("simulated", "reads_per_s", "simulated"),
        judged("reads_per_s"), meaned("live", "wait_ms", "mean ms", 2), meaned("simulated", "wait_ms", "simulated", 2),
        judged("wait_ms"), meaned("live", "p50_ms", "50 % ms", 2), meaned("simulated", "p50_ms", "simulated", 2),
        meaned("live", "p95_ms", "95 % ms", 2), meaned("simulated", "p95_ms", "simulated", 2),
        estimated("live", "p99_ms", "99 % ms"), estimated("simulated", "p99_ms", "simulated"), judged("p99_ms"),
    ]  # fmt: skip
    limited = (
        f" Limit: {result.plan.limit_per_s:,.0f}/s, all threads always ask. Paced: the same limit, and a demand of "
        f"{fixed(100 * PACE, 0)} % of it at planned instants."
    )
    legend = (
        f"{agree['reads_per_s']} rates within {fixed(100 * RELATIVE, 0)} %, {agree['wait_ms']} mean waits and "
        f"{agree['p99_ms']} waits at 99 % within that or {ABSOLUTE_MS:g} ms; ± 95 %, live from {RUNS} runs, "
        f"simulated from {REPLICATIONS['limit']} ({REPLICATIONS['no limit']} without a limit). A wait is from asking "
        f"for a permit to having the data.{'' if result.left_out else limited} Too noisy: outside the band, where "
        "the intervals leave it open or others took more than 3 % of the processors."
    )
    caption = "Waits that one read in a hundred exceeds, by permits; bars are 95 % intervals."
    title = "Reads a second, and waits"
    return Section(title, [reads_figure(result).captioned(caption), Table(columns, result.pairs, title, legend)])


def _costs(result: ReadsResult) -> Section:
    columns: list[Column[Pair]] = [
        *_NAMES, meaned("live", "cpu_us", "cpu/read us", 1), meaned("simulated", "cpu_us", "simulated", 1),
        meaned("live", "switches", "switches", 2), meaned("live", "read_us", "with permit us", 0),
        meaned("live", "counted_per_s", "counted/s", 0), meaned("live", "pressure_percent", "pressure %", 0),
    ]  # fmt: skip
    legend = (
        "Cpu/read: processor time of the threads for each read. Switches: for each read, voluntary or not. With "
        "permit: from having the permit to having the data. Counted: reads in the group's own counters (io.stat, "
        "blkio.throttle.io_serviced), with those that end after a run. Pressure: share of the time in which some task "
        "of the machine waited for I/O (/proc/pressure/io)."
    )
    return Section("What a read costs", [Table(columns, result.pairs, "What a read costs", legend)])


def reads_figure(result: ReadsResult) -> Figure:
    """The waits at 99 % by permits: a panel for each load.

    >>> from slicewright.live.reads.example import reads_result
    >>> len(reads_figure(reads_result()).panels)
    3
    """
    labels: dict[Load, str] = {
        "no limit": "99 % wait, ms; no limit", "limit": f"limit {result.plan.limit_per_s:,.0f}/s",
        "paced": f"limit, {fixed(100 * PACE, 0)} % of it asked for",
    }  # fmt: skip
    panels = []
    for load in result.plan.loads:
        pairs = result.of(load)
        places = list(range(1, len(pairs) + 1))
        names = [str(pair.depth) for pair in pairs]
        panels.append(Panel(labels[load], both_sides(places, pairs, "p99_ms"), names=names))
    return Figure(panels, "Permits")
