"""The report of `live io`: rates, waits and costs of reads, live and simulated, and the constants they rest on."""

from __future__ import annotations

from slicewright.live.experiment import ABSOLUTE_MS, RELATIVE, Words
from slicewright.live.reads import PACE, REPLICATIONS, RUNS, Load, Pair, ReadsResult
from slicewright.live.tables import (
    both,
    both_sides,
    constants_section,
    estimated,
    judged,
    meaned,
    right,
    sides,
    table_section,
)
from slicewright.report.figure import Figure, Panel
from slicewright.report.model import Column, Section
from slicewright.statistics import fixed, plural


def words(result: ReadsResult) -> Words:
    """The report."""
    plan, environment, device = result.plan, result.environment, result.device
    groups = f"limit by control groups version {environment.version}" if environment.version else "no limit"
    place = (
        f"{environment.linux}, {plural(result.constants.processors, 'processor')}, "
        f"disk {device.name} ({device.number or 'no number'}, scheduler {device.scheduler or 'none'}), {groups}"
    )
    measured = (
        f"{plural(plan.requesters, 'thread')} read 4 KiB at random places past the page cache, as many at a time as "
        f"there are permits; {plan.seconds:.4g} s for each pair in {RUNS} runs"
    )
    agree = {name: f"{count} of {len(result.pairs)}" for name, count in result.agree.items()}
    sections = [_constants(result), _waits(result, agree), _costs(result)]
    facts = [("reads a second that agree", agree["reads_per_s"]), ("99 % waits that agree", agree["p99_ms"])]
    return Words("Reads behind permits, live and simulated", place, measured, sections, facts)


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
    right("depth", "permits", lambda pair: str(pair.depth)),
)


def _waits(result: ReadsResult, agree: dict[str, str]) -> Section:
    columns = [
        *_NAMES, estimated("live", "reads_per_s", "reads/s, live"), estimated("simulated", "reads_per_s", "simulated"),
        judged("reads_per_s"), *both("wait_ms", "mean ms", 2), judged("wait_ms"), *both("p50_ms", "50 % ms", 2),
        *both("p95_ms", "95 % ms", 2),
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
    titled = ("Reads a second, and waits", legend)
    return table_section(columns, result.pairs, titled, reads_figure(result).captioned(caption))


def _costs(result: ReadsResult) -> Section:
    columns = [
        *_NAMES, *both("cpu_us", "cpu/read us", 1), meaned("live", "switches", "switches", 2),
        meaned("live", "read_us", "with permit us"), meaned("live", "counted_per_s", "counted/s"),
        meaned("live", "pressure_percent", "pressure %"),
    ]  # fmt: skip
    legend = (
        "Cpu/read: processor time of the threads for each read. Switches: for each read, voluntary or not. With "
        "permit: from having the permit to having the data. Counted: reads in the group's own counters (io.stat, "
        "blkio.throttle.io_serviced), with those that end after a run. Pressure: share of the time in which some task "
        "of the machine waited for I/O (/proc/pressure/io)."
    )
    return table_section(columns, result.pairs, ("What a read costs", legend))


def reads_figure(result: ReadsResult) -> Figure:
    """The waits at 99 % by permits: a panel for each load."""
    labels: dict[Load, str] = {
        "no limit": "99 % wait, ms; no limit", "limit": f"limit {result.plan.limit_per_s:,.0f}/s",
        "paced": f"limit, {fixed(100 * PACE, 0)} % of it asked for",
    }  # fmt: skip
    panels = []
    for load in result.plan.loads:
        pairs = result.of(load)
        points = both_sides(range(1, len(pairs) + 1), *sides(pairs, "p99_ms"))
        panels.append(Panel(labels[load], points, names=[str(pair.depth) for pair in pairs]))
    return Figure(panels, "Permits")
