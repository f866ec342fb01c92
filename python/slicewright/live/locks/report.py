"""A live lock as a report: locks a second, waits and costs, live and simulated, and the constants that it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable

from slicewright.errors import visible
from slicewright.live.cells import RELATIVE
from slicewright.live.locks.plan import RUNS
from slicewright.live.locks.result import ABSOLUTE_US, LocksResult, Pair
from slicewright.live.locks.simulated import REPLICATIONS
from slicewright.live.pair_report import both_sides, constants_section, estimated, judged, meaned, meanwhile
from slicewright.report.figure import Figure, Panel
from slicewright.report.forms import decimals, words_right
from slicewright.report.model import Column, Face, Paragraph, Report, Section, Table
from slicewright.statistics import fixed, plural


def locks_report(result: LocksResult) -> Report:
    """The report of `live yields`.

    >>> from slicewright.live.locks.example import locks_result
    >>> locks_report(locks_result()).title
    'A lock, live and simulated'
    """
    plan, environment = result.plan, result.environment
    where = f"{len(plan.processors)} of {plural(environment.processors, 'processor')}"
    measured = (
        f"measured {environment.measured}: {plan.threads} threads behind one lock on {where}, {plan.think_us:.6g} us "
        f"of work outside it; {plan.seconds:.4g} s for each pair in {RUNS} runs"
    )
    lines = f"live yields  {environment.line()}\n  {measured}"
    opening = Section("", [Paragraph("\n".join(map(visible, lines.split("\n"))), flush=True, face=Face.TEXT)])
    agree = {name: f"{result.agree(name)} of {len(result.pairs)}" for name in ("locks_per_s", "wait_us")}
    after = meanwhile(environment, result.warnings())
    sections = [opening, _constants(result), _rates(result, agree), _costs(result), after]
    facts = [("locks a second that agree", agree["locks_per_s"]), ("mean waits that agree", agree["wait_us"])]
    facts += [("kernel", environment.kernel), ("measured", environment.measured)]
    return Report("A lock, live and simulated", environment.line(), facts, sections, repeats=False)


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
    for (method, hold_us), alone in result.alone.items():
        if hold_us == result.plan.holds_us[0]:
            over = alone.turn_us - result.plan.think_us - hold_us
            rows.append((f"a turn with {method}, beside its work", f"{fixed(1000 * max(over, 0.0), 0)} ns"))
    return constants_section(rows)


_NAMES: tuple[Column[Pair], ...] = (
    Column("hold_us", "hold us", lambda pair: f"{pair.hold_us:.6g}", form=words_right),
    Column("hogs", "hogs", lambda pair: str(pair.hogs), form=words_right),
    Column("method", "method", lambda pair: pair.method),
)


def _rates(result: LocksResult, agree: dict[str, str]) -> Section:
    columns = [
        *_NAMES, estimated("live", "locks_per_s", "locks/s, live"),
        estimated("simulated", "locks_per_s", "simulated"),
        judged("locks_per_s"), estimated("live", "wait_us", "mean wait us"),
        estimated("simulated", "wait_us", "simulated"), judged("wait_us"),
        meaned("live", "p95_us", "95 % us", places=1), meaned("simulated", "p95_us", "simulated", places=1),
        meaned("live", "p99_us", "99 % us", places=1), meaned("simulated", "p99_us", "simulated", places=1),
    ]  # fmt: skip
    legend = (
        f"{agree['locks_per_s']} rates within {fixed(100 * RELATIVE, 0)} %, {agree['wait_us']} mean waits within that "
        f"or {ABSOLUTE_US / 1000:g} ms; ± 95 %, live from {RUNS} runs, simulated from {REPLICATIONS}. A wait is from "
        "the first try to having the lock. Too noisy: outside the band, where the intervals leave it open or others "
        "took more than 3 % of the processors."
    )
    caption = "Locks a second by method, live and simulated; bars are 95 % intervals."
    figure = locks_figure(result).captioned(caption)
    return Section(
        "Locks a second, and waits", [figure, Table(columns, result.pairs, "Locks a second, and waits", legend)]
    )


def _costs(result: LocksResult) -> Section:
    def off(side: str) -> Callable[[Pair], float]:
        def share(pair: Pair) -> float:
            held, alone = getattr(pair, side)["held_us"].mean, result.alone[pair.method, pair.hold_us].hold_us
            return 100 * max(0.0, 1 - alone / held) if held > 0 else math.nan

        return share

    columns = [
        *_NAMES,
        meaned("live", "cpu_us", "cpu/lock us", places=1), meaned("simulated", "cpu_us", "simulated", places=1),
        meaned("live", "held_us", "held us", places=1), meaned("simulated", "held_us", "simulated", places=1),
        Column("off", "holder off %", off("live"), form=decimals(0)),
        Column("off_simulated", "simulated", off("simulated"), form=decimals(0)),
        meaned("live", "gave_up", "gave up", places=3), meaned("live", "taken_away", "taken", places=3),
        meaned("simulated", "yields", "yields", places=3), meaned("simulated", "sleeps", "sleeps", places=3),
    ]  # fmt: skip
    legend = (
        "Cpu/lock: processor time of the threads for each lock. Holder off: share of the time under the lock in which "
        "the holder had no processor. Gave up, taken: switches for each lock, voluntary and not, as /proc counts them; "
        "a yield is among the second. Yields, sleeps: calls for each lock, simulated."
    )
    return Section("What a lock costs", [Table(columns, result.pairs, "What a lock costs", legend)])


def locks_figure(result: LocksResult) -> Figure:
    """Locks a second by method: a panel for each number of hogs, at the middle holding time.

    >>> from slicewright.live.locks.example import locks_result
    >>> len(locks_figure(locks_result()).panels)
    2
    """
    holds = sorted(result.plan.holds_us)
    hold_us = holds[len(holds) // 2]
    panels = []
    for hogs in result.plan.hogs:
        pairs = [pair for pair in result.pairs if pair.hogs == hogs and pair.hold_us == hold_us]
        places = list(range(1, len(pairs) + 1))
        label = f"Locks/s; {plural(hogs, 'hog')}, {hold_us:.6g} us held"
        panels.append(Panel(label, both_sides(places, pairs, "locks_per_s"), names=[pair.method for pair in pairs]))
    return Figure(panels, "Method")
