"""The report of `live hooks`: what filters add to a call, live and simulated, and the prices that it rests on."""

from __future__ import annotations

from slicewright.live.experiment import RELATIVE, Words
from slicewright.live.hooks import ABSOLUTE_NS, CALIBRATIONS, RUNS, HooksResult, Pair, Setting, named
from slicewright.live.hooks_program import Order
from slicewright.live.tables import constants_section, difference, estimated, marked, meaned, right, table_section
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals
from slicewright.report.model import Cell, Column, Section
from slicewright.statistics import fixed

_COMPILED = {True: "compiled to machine code", False: "interpreted", None: "compiled or not: the kernel does not say"}


def words(result: HooksResult) -> Words:
    """The report."""
    plan, where = result.plan, result.environment
    measured = (
        f"getppid behind seccomp filters, on a thread of a worker process; {plan.seconds:.4g} s for each setting in "
        f"{RUNS} runs"
    )
    agree = f"{result.agree} of {result.predicted}"
    return Words(
        "Filters of a system call, live and simulated",
        f"{where.linux}, {where.where}, filters {_COMPILED[result.compiled]}", measured,
        [_prices(result), _added(result, agree), _calls(result)], [("settings that agree", agree)], "the processor",
        "Not tried: BPF programs at tracepoints, which need a compiler for BPF and the right to load it.",
    )  # fmt: skip


def _prices(result: HooksResult) -> Section:
    own = result.prices
    rows = [
        ("a call without filters", f"{fixed(own.call_ns, 0)} ns"),
        ("the way to the filters, once a call", f"{fixed(own.path_ns, 0)} ns"),
        ("a filter", f"{fixed(own.filter_ns, 1)} ns"),
        ("a comparison with a rule", f"{fixed(own.rule_ns, 3)} ns"),
    ]
    if own.far_rule_ns is not None:
        beyond = f"the same beyond {own.near:,} rules, which fill the first instruction cache"
        rows.append((beyond, f"{fixed(own.far_rule_ns, 3)} ns"))
    legend = f"From {', '.join(map(named, CALIBRATIONS))}; these settings predict nothing. Medians of {RUNS} runs."
    return constants_section(rows, legend)


_NAMES: tuple[Column[Pair], ...] = (
    Column("order", "order", lambda pair: pair.order),
    right("rules", "rules", lambda pair: f"{pair.rules:,}"),
    right("filters", "filters", lambda pair: f"{pair.filters}"),
)


def _added(result: HooksResult, agree: str) -> Section:
    def apart(pair: Pair) -> str:
        return difference(pair.live["added_ns"].mean, pair.simulated["added_ns"].mean, 0)

    def verdict(pair: Pair) -> Cell:
        return Cell("constants", "quiet") if pair.calibration else marked(pair.verdict)

    columns = [
        *_NAMES, right("compared", "compared", lambda pair: f"{pair.compared:,}"),
        estimated("live", "added_ns", "added ns, live"), estimated("simulated", "added_ns", "simulated"),
        right("difference", "difference", apart), Column("verdict", "verdict", verdict),
    ]  # fmt: skip
    legend = (
        f"{agree} predicted settings within {fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_NS:g} ns. Added: the median call "
        "behind filters, less that of all threads before they had any. Compared: rules that the call is compared "
        f"with in all filters. Live and simulated are medians of {RUNS} runs, ± half of their range. Too noisy: "
        "outside the band, where the ranges leave it open or others took more than 3 % of the processor."
    )
    caption = "What filters add to a call, by their number: lines simulated, points live; a panel for each order."
    titled = ("What filters add to a call", legend)
    return table_section(columns, result.pairs, titled, hooks_figure(result).captioned(caption))


def _calls(result: HooksResult) -> Section:
    columns = [
        *_NAMES, meaned("live", "p50_ns", "call ns, 50 %"), meaned("simulated", "call_ns", "simulated"),
        meaned("live", "p95_ns", "95 %"), meaned("live", "p99_ns", "99 %"), meaned("live", "cpu_ns", "cpu ns"),
        Column("others_percent", "others %", lambda pair: pair.others_percent, form=decimals(1)),
    ]  # fmt: skip
    legend = "Percentiles of stretches of ten calls. Cpu: processor time of the thread for each call, in the mean."
    return table_section(columns, result.pairs, ("The whole call", legend))


def hooks_figure(result: HooksResult) -> Figure:
    """The time that filters add, by their number: a panel for each order, a line for each number of rules."""
    asked = set(result.plan.settings)
    pairs = [pair for pair in result.pairs if Setting(pair.order, pair.rules, pair.filters) in asked]
    orders: dict[Order, None] = dict.fromkeys(pair.order for pair in pairs)
    return Figure([_panel([pair for pair in pairs if pair.order == order], order) for order in orders], "Filters")


def _panel(pairs: list[Pair], order: Order) -> Panel:
    series = []
    for rules in dict.fromkeys(pair.rules for pair in pairs):
        own = [pair for pair in pairs if pair.rules == rules]
        filters = [pair.filters for pair in own]
        label = f"{rules:,} rules"
        simulated, live = ([getattr(pair, side)["added_ns"] for pair in own] for side in ("simulated", "live"))
        series += [
            Series(filters, [added.mean for added in simulated], label=label),
            dots(filters, [added.mean for added in live], [added.half_width for added in live], "live", [label]),
        ]
    return Panel(f"Added to a call, ns; {order}", series)
