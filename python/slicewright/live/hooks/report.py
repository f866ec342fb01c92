"""Filters in front of a call as a report: what they add, live and simulated, and the prices that it rests on."""

from __future__ import annotations

from slicewright.errors import visible
from slicewright.live.cells import RELATIVE
from slicewright.live.hooks.plan import CALIBRATIONS, RUNS, named
from slicewright.live.hooks.program import Order
from slicewright.live.hooks.result import ABSOLUTE_NS, HooksResult, Pair
from slicewright.live.report import TONES
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals, estimates, words_right
from slicewright.report.model import Block, Cell, Column, Face, Paragraph, Report, Section, Table
from slicewright.statistics import fixed, plural

COMPILED = {True: "compiled to machine code", False: "interpreted", None: "compiled or not: the kernel does not say"}


def hooks_report(result: HooksResult) -> Report:
    """The report of `live hooks`.

    >>> from slicewright.live.hooks.example import hooks_result
    >>> hooks_report(hooks_result()).title
    'Filters of a system call, live and simulated'
    """
    plan, where = result.plan, result.environment
    last = f" (0 to {where.processors - 1})" if where.processors > 1 else ""
    place = (
        f"Linux {where.kernel} {where.machine}, processor {where.processor} of {where.processors}{last}, clock "
        f"{where.clock_source or 'unknown'}, filters {COMPILED[result.compiled]}"
    )
    measured = (
        f"measured {where.measured}: getppid behind seccomp filters, on a thread of a worker process; "
        f"{plan.seconds:.4g} s for each setting in {RUNS} runs"
    )
    lines = f"live hooks  {place}\n  {measured}"
    opening = Section("", [Paragraph("\n".join(map(visible, lines.split("\n"))), flush=True, face=Face.TEXT)])
    agree = f"{result.agree} of {len(result.predicted)}"
    sections = [opening, _prices(result), _added(result, agree), _calls(result), _meanwhile(result)]
    facts = [("settings that agree", agree), ("kernel", where.kernel), ("measured", where.measured)]
    return Report("Filters of a system call, live and simulated", place, facts, sections, repeats=False)


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
    columns: list[Column[tuple[str, str]]] = [
        Column("constant", "constant", lambda row: row[0]),
        Column("value", "value", lambda row: row[1], form=words_right),
    ]
    legend = f"From {', '.join(map(named, CALIBRATIONS))}; these settings predict nothing. Medians of {RUNS} runs."
    return Section("Constants, measured apart", [Table(columns, rows, "Constants, measured apart", legend)])


_NAMES: tuple[Column[Pair], ...] = (
    Column("order", "order", lambda pair: pair.setting.order),
    Column("rules", "rules", lambda pair: f"{pair.setting.rules:,}", form=words_right),
    Column("filters", "filters", lambda pair: f"{pair.setting.filters}", form=words_right),
)


def _difference(pair: Pair) -> str:
    simulated = pair.simulated["added_ns"].mean
    sign = "+" if pair.difference_ns >= 0 else ""
    share = f" ({sign}{fixed(100 * pair.difference_ns / simulated, 0)} %)" if simulated else ""
    return f"{sign}{fixed(pair.difference_ns, 0)}{share}"


def _verdict(pair: Pair) -> Cell:
    return Cell("constants", "quiet") if pair.calibration else Cell(pair.verdict, TONES[pair.verdict])


def _added(result: HooksResult, agree: str) -> Section:
    columns = [
        *_NAMES,
        Column("compared", "compared", lambda pair: f"{sum(pair.setting.compared):,}", form=words_right),
        Column("live_added_ns", "added ns, live", lambda pair: pair.live["added_ns"], form=estimates),
        Column("simulated_added_ns", "simulated", lambda pair: pair.simulated["added_ns"], form=estimates),
        Column("difference", "difference", _difference, form=words_right),
        Column("verdict", "verdict", _verdict),
    ]
    legend = (
        f"{agree} predicted settings within {fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_NS:g} ns. Added: the median call "
        "behind filters, less that of all threads before they had any. Compared: rules that the call is compared "
        f"with in all filters. Live and simulated are medians of {RUNS} runs, ± half of their range. Too noisy: "
        "outside the band, where the ranges leave it open or others took more than 3 % of the processor."
    )
    caption = "What filters add to a call, by their number: lines simulated, points live; a panel for each order."
    figure = hooks_figure(result).captioned(caption)
    title = "What filters add to a call"
    return Section(title, [figure, Table(columns, result.pairs, title, legend)])


def _calls(result: HooksResult) -> Section:
    def live(name: str, header: str) -> Column[Pair]:
        return Column(name, header, lambda pair: pair.live[name].mean, form=decimals(0))

    columns = [
        *_NAMES, live("p50_ns", "call ns, 50 %"),
        Column("call_ns", "simulated", lambda pair: pair.simulated["call_ns"].mean, form=decimals(0)),
        live("p95_ns", "95 %"), live("p99_ns", "99 %"), live("cpu_ns", "cpu ns"),
        Column("others_percent", "others %", lambda pair: pair.others_percent, form=decimals(1)),
    ]  # fmt: skip
    legend = "Percentiles of stretches of ten calls. Cpu: processor time of the thread for each call, in the mean."
    return Section("The whole call", [Table(columns, result.pairs, "The whole call", legend)])


def _meanwhile(result: HooksResult) -> Section:
    where, warnings = result.environment, result.warnings()
    load = f"load {where.load_before:.4g} before, {where.load_after:.4g} after"
    others = f"others took {fixed(where.others_percent, 1)} % of the processor"
    stolen = f"{fixed(where.stolen_percent, 1)} % were stolen"
    line = f"Meanwhile  {load}; {others}, {stolen}; {plural(len(warnings), 'warning')}"
    tracepoints = "Not tried: BPF programs at tracepoints, which need a compiler for BPF and the right to load it."
    printed = "\n".join([line, *(visible(f"  warning: {warning}") for warning in warnings), f"  {tracepoints}"])
    blocks: list[Block] = [
        Paragraph(printed, flush=True, face=Face.TEXT),
        Paragraph(f"L{load[1:]}; {others}, {stolen}.", face=Face.HTML),
        *(Paragraph(f"Warning: {warning}", face=Face.HTML) for warning in warnings),
        Paragraph(tracepoints, face=Face.HTML),
    ]
    return Section("Meanwhile", blocks)


def hooks_figure(result: HooksResult) -> Figure:
    """The time that filters add, by their number: a panel for each order, a line for each number of rules.

    >>> from slicewright.live.hooks.example import hooks_result
    >>> len(hooks_figure(hooks_result()).panels)
    2
    """
    asked = set(result.plan.settings)
    pairs = [pair for pair in result.pairs if pair.setting in asked]
    orders: dict[Order, None] = dict.fromkeys(pair.setting.order for pair in pairs)
    return Figure(
        [_panel([pair for pair in pairs if pair.setting.order == order], order) for order in orders], "Filters"
    )


def _panel(pairs: list[Pair], order: Order) -> Panel:
    series = []
    for rules in dict.fromkeys(pair.setting.rules for pair in pairs):
        own = [pair for pair in pairs if pair.setting.rules == rules]
        filters = [pair.setting.filters for pair in own]
        label = f"{rules:,} rules"
        simulated, live = ([getattr(pair, side)["added_ns"] for pair in own] for side in ("simulated", "live"))
        series += [
            Series(filters, [added.mean for added in simulated], label=label),
            dots(filters, [added.mean for added in live], [added.half_width for added in live], "live", [label]),
        ]
    return Panel(f"Added to a call, ns; {order}", series)
