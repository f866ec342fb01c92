"""The report of `live yields`: locks a second, waits and costs, live and simulated, and the constants they rest on."""

from __future__ import annotations

import math
from collections.abc import Callable

from slicewright.live.experiment import RELATIVE, Words
from slicewright.live.locks import ABSOLUTE_US, REPLICATIONS, RUNS, LocksResult, Pair, times_of
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
from slicewright.report.forms import decimals
from slicewright.report.model import Column, Section
from slicewright.statistics import fixed, plural


def words(result: LocksResult) -> Words:
    """The report."""
    plan, environment = result.plan, result.environment
    where = f"{len(plan.processors)} of {plural(environment.processors, 'processor')}"
    measured = (
        f"{plan.threads} threads behind one lock on {where}, {plan.think_us:.6g} us of work outside it; "
        f"{plan.seconds:.4g} s for each pair in {RUNS} runs"
    )
    agree = {name: f"{count} of {len(result.pairs)}" for name, count in result.agree.items()}
    sections = [_constants(result), _rates(result, agree), _costs(result)]
    facts = [("locks a second that agree", agree["locks_per_s"]), ("mean waits that agree", agree["wait_us"])]
    return Words("A lock, live and simulated", environment.line(), measured, sections, facts)


def _constants(result: LocksResult) -> Section:
    own = result.constants
    rule = {"forfeit": "forfeits the rest of a base slice", "deadline": "only defers its caller's deadline"}
    rows = [
        ("a try of a held lock", f"{fixed(own.attempt_ns, 1)} ns"),
        ("sched_yield, alone", f"{fixed(own.yield_ns, 0)} ns"),
        ("a switch to another thread", f"{fixed(own.switch_ns, 0)} ns"),
        ("the futex calls that sleep and wake", f"{fixed(own.sleep_ns, 0)} and {fixed(own.wake_ns, 0)} ns"),
        ("base slice and tick", f"{fixed(own.base_slice_ms, 2)} and {own.tick_ms:.4g} ms"),
        (
            "sched_yield beside a thread that computes",
            f"{rule[own.sched_yield]} ({fixed(own.yields_per_s, 0)} a second)",
        ),
    ]
    for each in result.alone:
        if each.hold_us == result.plan.holds_us[0]:
            turn_us = each.alone.outside_us + each.alone.take_us + each.alone.hold_us
            over = turn_us - result.plan.think_us - each.hold_us
            rows.append((f"a turn with {each.method}, beside its work", f"{fixed(1000 * max(over, 0.0), 0)} ns"))
    return constants_section(rows)


_NAMES: tuple[Column[Pair], ...] = (
    right("hold_us", "hold us", lambda pair: f"{pair.hold_us:.6g}"),
    right("hogs", "hogs", lambda pair: str(pair.hogs)),
    Column("method", "method", lambda pair: pair.method),
)


def _rates(result: LocksResult, agree: dict[str, str]) -> Section:
    columns = [
        *_NAMES, estimated("live", "locks_per_s", "locks/s, live"),
        estimated("simulated", "locks_per_s", "simulated"), judged("locks_per_s"),
        estimated("live", "wait_us", "mean wait us"), estimated("simulated", "wait_us", "simulated"), judged("wait_us"),
        *both("p95_us", "95 % us", 1), *both("p99_us", "99 % us", 1),
    ]  # fmt: skip
    legend = (
        f"{agree['locks_per_s']} rates within {fixed(100 * RELATIVE, 0)} %, {agree['wait_us']} mean waits within that "
        f"or {ABSOLUTE_US / 1000:g} ms; ± 95 %, live from {RUNS} runs, simulated from {REPLICATIONS}. A wait is from "
        "the first try to having the lock. Too noisy: outside the band, where the intervals leave it open or others "
        "took more than 3 % of the processors."
    )
    caption = "Locks a second by method, live and simulated; bars are 95 % intervals."
    titled = ("Locks a second, and waits", legend)
    return table_section(columns, result.pairs, titled, locks_figure(result).captioned(caption))


def _costs(result: LocksResult) -> Section:
    def off(side: str) -> Callable[[Pair], float]:
        def share(pair: Pair) -> float:
            held, alone = getattr(pair, side)["held_us"].mean, times_of(result.alone, pair.method, pair.hold_us)
            return 100 * max(0.0, 1 - alone.hold_us / held) if held > 0 else math.nan

        return share

    columns = [
        *_NAMES, *both("cpu_us", "cpu/lock us", 1), *both("held_us", "held us", 1),
        Column("off", "holder off %", off("live"), form=decimals(0)),
        Column("off_simulated", "simulated", off("simulated"), form=decimals(0)),
        meaned("live", "gave_up", "gave up", 3), meaned("live", "taken_away", "taken", 3),
        meaned("simulated", "yields", "yields", 3), meaned("simulated", "sleeps", "sleeps", 3),
    ]  # fmt: skip
    legend = (
        "Cpu/lock: processor time of the threads for each lock. Holder off: share of the time under the lock in which "
        "the holder had no processor. Gave up, taken: switches for each lock, voluntary and not, as /proc counts them; "
        "a yield is among the second. Yields, sleeps: calls for each lock, simulated."
    )
    return table_section(columns, result.pairs, ("What a lock costs", legend))


def locks_figure(result: LocksResult) -> Figure:
    """Locks a second by method: a panel for each number of hogs, at the middle holding time."""
    holds = sorted(result.plan.holds_us)
    hold_us = holds[len(holds) // 2]
    panels = []
    for hogs in result.plan.hogs:
        pairs = [pair for pair in result.pairs if pair.hogs == hogs and pair.hold_us == hold_us]
        points = both_sides(range(1, len(pairs) + 1), *sides(pairs, "locks_per_s"))
        label = f"Locks/s; {plural(hogs, 'hog')}, {hold_us:.6g} us held"
        panels.append(Panel(label, points, names=[pair.method for pair in pairs]))
    return Figure(panels, "Method")
