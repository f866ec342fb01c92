"""`live hooks`: filters in front of a system call (seccomp), measured here and simulated.

The prices of the simulation are from settings that are measured apart from those that are predicted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

from slicewright.live.experiment import (
    RELATIVE,
    Experiment,
    Paired,
    Progress,
    Result,
    Words,
    checked,
    chosen,
    outside,
    processor_of,
    span_ms,
    wrong_length,
)
from slicewright.live.hooks_program import (
    ORDERS,
    Job,
    Order,
    Seen,
    comparisons,
    compiled,
    filter_program,
    refused,
    unavailable,
)
from slicewright.live.hooks_program import measure as run_job
from slicewright.live.machine import (
    Elsewhere,
    Environment,
    environment,
    load_average,
    number_after,
    processor_problems,
    text_of,
)
from slicewright.live.tables import constants_section, difference, table_section
from slicewright.live.workers import answers
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.model import Section
from slicewright.results.judge import Agreement
from slicewright.serialization.hooks import HookPrices, hooked_ns
from slicewright.statistics import Estimate, fixed, plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check
from slicewright.values.settings import PROCESSOR, Option

RUNS = 6
"""Runs of each setting, each on a thread of its own; their range holds the median of all runs with 97 %."""
_LEAST_RUN_S, _LONGEST_S = 0.01, 600.0
_STEPS = {"rules": 10, "filters": 4}
"""A range is taken in steps by this factor, from its upper end down."""


@dataclass(frozen=True, order=True)
class _Setting:
    """A number of filters, each with the same number of rules in an order.

    >>> _Setting("list", 100, 4).compared, _Setting("bitmap", 100, 4).compared
    ((100, 100, 100, 100), ())
    """

    order: Order
    rules: int
    filters: int

    @property
    def compared(self) -> tuple[int, ...]:
        """Comparisons of a call in each filter that runs; none runs where the bitmap answers."""
        if self.order == "bitmap":
            return ()
        return (comparisons(filter_program(self.rules, self.order)),) * self.filters

    @property
    def refused(self) -> str:
        """Why the kernel does not take it; empty where it does."""
        return refused(filter_program(self.rules, self.order), self.filters)


FEW, MANY, RULED, FAR = (
    _Setting("list", 0, 2),
    _Setting("list", 0, 6),
    _Setting("list", 1000, 2),
    _Setting("list", 1000, 8),
)
CALIBRATIONS = (FEW, MANY, RULED, FAR)
"""The settings that the constants are from; no other setting is used for them."""


@dataclass(frozen=True)
class _Plan:
    """Rules of a filter, filters, orders, the processor, and seconds for each setting.

    >>> len(_Plan().settings), _Plan().left_out
    (32, {'tree, 2,000 rules, 16 filters': '65,056 instructions in all filters; the kernel takes 32,768'})
    """

    rules: tuple[int, ...] = (0, 20, 200, 2000)
    filters: tuple[int, ...] = (1, 4, 16)
    orders: tuple[Order, ...] = ORDERS
    processor: int = 0
    seconds: float = 0.6

    @property
    def asked(self) -> list[_Setting]:
        """All settings that were asked for; without rules all orders are one."""
        return [
            _Setting(order, rules, filters)
            for order in self.orders
            for rules in self.rules
            for filters in self.filters
            if rules or order in (self.orders[0], "bitmap")
        ]

    @property
    def settings(self) -> list[_Setting]:
        """Those that the kernel takes."""
        return [setting for setting in self.asked if not setting.refused]

    @property
    def left_out(self) -> dict[str, str]:
        """Those that it does not take, and why."""
        return {_named(setting): setting.refused for setting in self.asked if setting.refused}

    @property
    def programs(self) -> dict[tuple[Order, int], tuple[int, ...]]:
        """Of each filter how many are measured, those of the constants among them, in rising order."""
        found: dict[tuple[Order, int], set[int]] = {}
        for setting in (*CALIBRATIONS, *self.settings):
            found.setdefault((setting.order, setting.rules), set()).add(setting.filters)
        return {program: tuple(sorted(counts)) for program, counts in found.items()}

    @property
    def run_s(self) -> float:
        """Seconds of one run of one setting."""
        return self.seconds / RUNS

    @property
    def length_s(self) -> float:
        """Seconds of all runs: of each filter a call without it too."""
        return self.seconds * sum(1 + len(counts) for counts in self.programs.values())

    def check(self) -> _Plan:
        """The same plan; raises InputError with everything that is wrong with it."""
        problems = [
            *_wrong("rules", self.rules, (0, 4096)),
            *_wrong("filters", self.filters, (1, 64)),
            *([] if self.orders else [problem("no order", key="order", allowed=", ".join(ORDERS))]),
            *processor_problems(self.processor),
        ]
        if not problems and not self.settings:
            why = "; ".join(dict.fromkeys(self.left_out.values()))
            problems.append(problem("no setting that the kernel takes", key="rules", why=why, allowed="fewer rules"))
        problems = problems or wrong_length(
            ("setting", self.seconds, RUNS * _LEAST_RUN_S), self.length_s, _LONGEST_S,
            f"each is measured in {RUNS} runs",
        )  # fmt: skip
        return checked(self, problems)


def _wrong(key: str, values: Sequence[int], bounds: tuple[int, int]) -> list[Problem]:
    if not values:
        return [problem(f"no number of {key}", key=key, allowed=f"{bounds[0]} to {bounds[1]:,}")]
    return outside(key, values, bounds, key, f"{bounds[0]} to {bounds[1]:,}")


def _named(setting: _Setting) -> str:
    """A setting in words.

    >>> _named(_Setting("tree", 2000, 1))
    'tree, 2,000 rules, 1 filter'
    """
    rules = f"{setting.rules:,} rule{'' if setting.rules == 1 else 's'}"
    return f"{setting.order}, {rules}, {setting.filters} filter{'' if setting.filters == 1 else 's'}"


def _range_of(text: str, key: str) -> tuple[int, ...]:
    """Whole numbers as they are written: a list, or a range in steps by a factor from its upper end down.

    Raises InputError with every word that is none.

    >>> _range_of("0..2000", "rules"), _range_of("1..16", "filters"), _range_of("1,8", "filters")
    ((0, 2, 20, 200, 2000), (1, 4, 16), (1, 8))
    """
    found: list[int] = []
    wrong = []
    for word in (word.strip() for word in text.split(",")):
        match = re.fullmatch(r"([0-9]{1,6})(?:\.\.([0-9]{1,6}))?", word)
        if match is None or (match[2] and int(match[2]) < int(match[1])):
            wrong.append(problem(f"not a number or a range: {word!r}", key=key, allowed="100, or 0..2000"))
            continue
        found += _steps(int(match[1]), int(match[2] or match[1]), _STEPS[key])
    check(*wrong)
    return tuple(sorted(set(found)))


def _steps(low: int, high: int, factor: int) -> list[int]:
    found = [low]
    while high > low:
        found.append(high)
        high //= factor
    return found


_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_RULE_BYTES = 12
"""ASSUME: machine code of a comparison with a rule: six bytes to compare, six to jump.
Source: arch/x86/net/bpf_jit_comp.c of Linux; other architectures have 8 to 16."""


def _prices_from(call_ns: float, added_ns: Mapping[_Setting, float], near: int | None) -> HookPrices:
    """The prices from a call without filters and what filters of the settings add, in ns.

    Two and six filters without rules give the price of a filter and the way to them.  Two thousand rules give that of a
    rule.  Eight thousand give it where the code exceeds the first instruction cache, which holds `near` rules.
    Noise may make one less than nothing; it is nothing then.

    >>> _prices_from(190.0, {FEW: 106.0, MANY: 198.0, RULED: 466.0, FAR: 1844.0}, 2700)
    HookPrices(call_ns=190.0, path_ns=60.0, filter_ns=23.0, rule_ns=0.18, far_rule_ns=0.2, near=2700)
    """
    each = max(0.0, (added_ns[MANY] - added_ns[FEW]) / (MANY.filters - FEW.filters))
    path = max(0.0, added_ns[FEW] - FEW.filters * each)
    rule, far = (
        max(0.0, (added_ns[setting] - path - setting.filters * each) / (setting.filters * setting.rules))
        for setting in (RULED, FAR)
    )
    return HookPrices(call_ns, path, each, rule, None if near is None else far, near or 0)


def _near_rules(caches: Path = _CACHES) -> int | None:
    """How many rules the first instruction cache holds; None where the system does not say its size."""
    for index in sorted(caches.glob("index*")):
        kind, level, size = (text_of(index / name).strip() for name in ("type", "level", "size"))
        if kind == "Instruction" and level == "1" and re.fullmatch(r"[0-9]{1,6}K", size):
            return 1024 * int(size[:-1]) // _RULE_BYTES
    return None


def _middle(runs: Sequence[float]) -> Estimate:
    """The median of runs; the half-width is half of their range, which holds the median of all runs with 97 % for six.

    >>> _middle([3.0, 1.0, 2.0])
    Estimate(mean=2.0, half_width=1.0, replications=3)
    """
    return Estimate(median(runs), (max(runs) - min(runs)) / 2, len(runs))


def _middle_prices(runs: Sequence[HookPrices]) -> HookPrices:
    """The median of each price over runs."""
    names = ("call_ns", "path_ns", "filter_ns", "rule_ns")
    far = [run.far_rule_ns for run in runs if run.far_rule_ns is not None]
    middles = {name: median(getattr(run, name) for run in runs) for name in names}
    return HookPrices(**middles, far_rule_ns=median(far) if far else None, near=runs[0].near)


ABSOLUTE_NS = 10.0
"""Live and simulated agree when what filters add differs by at most 15 % of the simulated, or this many ns."""

_SEEN = ("p50_ns", "p95_ns", "p99_ns", "cpu_ns")
LIVE, SIMULATED = ("added_ns", *_SEEN), ("added_ns", "call_ns")


@dataclass(frozen=True)
class _Pair(Paired):
    """One setting; `others_percent` is what others had of the processor.  Those of the constants are not judged."""

    order: Order
    rules: int
    filters: int
    others_percent: float
    calibration: bool
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]
    KEPT: ClassVar = ("compared", "others_percent", "calibration", "live", "simulated", "verdict")
    JUDGED: ClassVar = {"added_ns": ABSOLUTE_NS}

    @property
    def compared(self) -> int:
        """Rules that a call is compared with in all filters."""
        return sum(_Setting(self.order, self.rules, self.filters).compared)

    @property
    def verdict(self) -> Agreement:
        """Too noisy: outside the band, where the ranges leave it open or others had much of the processor."""
        return self.verdicts["added_ns"]


@dataclass(frozen=True)
class HooksResult(Result):
    """A plan that was measured and simulated.

    `there_before` are filters that the command had itself, from its container; `compiled` is whether the kernel
    compiles filters, None where it does not say.
    """

    plan: _Plan
    environment: Environment
    compiled: bool | None
    there_before: int
    prices: HookPrices
    pairs: tuple[_Pair, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    KIND: ClassVar = "live hooks"
    KEPT: ClassVar = ("agree", "predicted", "warnings")

    @property
    def judged(self) -> list[_Pair]:
        """The pairs that no constant is from."""
        return [pair for pair in self.pairs if not pair.calibration]

    @property
    def predicted(self) -> int:
        """How many these are."""
        return len(self.judged)

    @property
    def agree(self) -> int:
        """How many of these agree."""
        return sum(pair.verdict == "agrees" for pair in self.judged)

    @property
    def warnings(self) -> list[str]:
        """Disturbances, and what the kernel did not take."""
        found = [f"{setting} was not measured: {why}" for setting, why in self.left_out.items()]
        found += self.environment.warnings("caches are colder, and single calls are interrupted")
        if self.there_before:
            before = plural(self.there_before, "filter was", "filters were")
            found.append(f"{before} there before: every call here is behind them too")
        if self.compiled is False:
            found.append(
                "the kernel interprets filters (net.core.bpf_jit_enable is 0): a rule costs several times more"
            )
        return found


class Hooks(Experiment[_Plan, HooksResult]):
    """Filters in front of a system call."""

    name = "hooks"
    summary = "Measure filters in front of a system call."
    help = """Measure filters in front of a system call (seccomp), and simulate the same.

    Orders: the rules of list are compared one by one, those of tree by halves.  Both look at an argument, so that they
    run at every call.  Those of bitmap do not, and the kernel answers before them (Linux 5.11 and later).  A worker
    process has the filters, which end with it, and all of them allow every call.  No rights are needed.

    \b
    Example:
      slicewright live hooks --rules 0,200 --filters 1..16 --out hooks
      slicewright advise exits calls.txt profile.json hooks
    """
    options = (
        Option("rules", "N,A..B", "Rules of a filter; a range in steps by ten.", default="0..2000"),
        Option("filters", "N,A..B", "Filters; a range in steps by four.", default="1..16"),
        Option("order", "ORDER,...", "How rules are looked up.", default=",".join(ORDERS)),
        PROCESSOR,
        Option("for", "SPAN", "Time of each setting.", default="0.6s"),
    )
    reads: ClassVar = {
        "for": span_ms, "rules": _range_of, "filters": _range_of,
        "order": lambda text, key: chosen(text, key, "order", ORDERS), "processor": processor_of,
    }  # fmt: skip
    result = HooksResult

    def plan(self, given: Mapping[str, Any]) -> _Plan:
        """The plan from the values of the options."""
        seconds = given["for"] / 1000
        return _Plan(given["rules"], given["filters"], given["order"], given["processor"], seconds).check()

    def measure(self, plan: _Plan, parent: Path | None = None, progress: Progress = lambda share: None) -> HooksResult:
        """Calls behind filters in several runs, constants from three settings, then all settings simulated."""
        if not sys.platform.startswith("linux"):
            raise refusal(unavailable("filters of system calls are Linux's"))
        plan.check()
        load = load_average()
        programs = plan.programs
        jobs = [
            Job(order, rules, counts, plan.processor, round(1e9 * plan.run_s))
            for _ in range(RUNS)
            for (order, rules), counts in programs.items()
        ]
        found = answers(run_job, jobs, heard=lambda done, _: progress(done / len(jobs)))
        each = len(programs)
        runs = [_run(programs, found[at * each : (at + 1) * each]) for at in range(RUNS)]
        where = environment(plan.processor, 0, load, Elsewhere.of([answer.elsewhere for answer in found]))
        near = _near_rules()
        own = [
            _prices_from(call_ns, {setting: seen[setting]["added_ns"] for setting in CALIBRATIONS}, near)
            for call_ns, seen in runs
        ]
        measured = [*CALIBRATIONS, *(setting for setting in plan.settings if setting not in CALIBRATIONS)]
        pairs = tuple(_pair(setting, [seen[setting] for _, seen in runs], own) for setting in measured)
        return HooksResult(plan, where, compiled(), _filters_of(), _middle_prices(own), pairs, plan.left_out)

    def words(self, result: HooksResult) -> Words:
        """The report of a result."""
        plan, where = result.plan, result.environment
        measured = (
            f"getppid behind seccomp filters, on a thread of a worker process; {plan.seconds:.4g} s for each setting "
            f"in {RUNS} runs"
        )
        agree = f"{result.agree} of {result.predicted}"
        return Words(
            "Filters of a system call, live and simulated",
            f"{where.linux}, {where.where}, filters {_COMPILED[result.compiled]}", measured,
            [_prices(result), _added(result, agree), _calls(result)], [("settings that agree", agree)], "the processor",
            "Not tried: BPF programs at tracepoints, which need a compiler for BPF and the right to load it.",
        )  # fmt: skip


_Sight = dict[_Setting, dict[str, float]]
"""By setting: ns of a call at each percentile and of processor time, what filters added to it, others' share."""


def _run(programs: Mapping[Any, Sequence[int]], seen: Sequence[Seen]) -> tuple[float, _Sight]:
    """One run of all settings: the median call of all threads before they had filters, and what each setting saw."""
    found: _Sight = {}
    call_ns = _middle([answer.called[0].p50_ns for answer in seen]).mean
    for ((order, rules), counts), answer in zip(programs.items(), seen, strict=True):
        others = answer.elsewhere.others_percent
        for count, called in zip(counts, answer.called[1:], strict=True):
            own = {name: getattr(called, name) for name in _SEEN}
            found[_Setting(order, rules, count)] = {**own, "added_ns": called.p50_ns - call_ns, "others": others}
    return call_ns, found


def _pair(setting: _Setting, runs: Sequence[Mapping[str, float]], own: Sequence[HookPrices]) -> _Pair:
    live = {name: _middle([run[name] for run in runs]) for name in LIVE}
    calls = [hooked_ns(prices, setting.compared) for prices in own]
    added = [call - hooked_ns(prices, None) for call, prices in zip(calls, own, strict=True)]
    others = sum(run["others"] for run in runs) / len(runs)
    simulated = {"added_ns": _middle(added), "call_ns": _middle(calls)}
    named = (setting.order, setting.rules, setting.filters)
    return _Pair(*named, others, setting in CALIBRATIONS, live, simulated)


def _filters_of(status: Path = Path("/proc/self/status")) -> int:
    """How many filters are in front of this process's own calls; 0 where the kernel does not say (before 5.9)."""
    return number_after(status, "Seccomp_filters:") or 0


_COMPILED = {True: "compiled to machine code", False: "interpreted", None: "compiled or not: the kernel does not say"}


def _prices(result: HooksResult) -> Section:
    own = result.prices
    rows = [
        ("a call without filters", f"{fixed(own.call_ns, 0)} ns"),
        ("the way to the filters, once a call", f"{fixed(own.path_ns, 0)} ns"),
        ("a filter", f"{fixed(own.filter_ns, 1)} ns"),
        ("a comparison with a rule", f"{fixed(own.rule_ns, 3)} ns"),
    ]
    if own.far_rule_ns is not None:
        beyond = f"the same beyond {plural(own.near, 'rule')}, which fill the first instruction cache"
        rows.append((beyond, f"{fixed(own.far_rule_ns, 3)} ns"))
    legend = f"From {', '.join(map(_named, CALIBRATIONS))}; these settings predict nothing. Medians of {RUNS} runs."
    return constants_section(rows, legend)


_ADDED = """
    order
    rules              | :,
    filters            | :d
    compared           | :,
    live.added_ns      | ±       | added ns, live
    simulated.added_ns | ±       | simulated
    difference         | right
    verdict            | verdict
"""
_CALLS = """
    order
    rules              | :,
    filters            | :d
    live.p50_ns        | .0      | call ns, 50 %
    simulated.call_ns  | .0      | simulated
    live.p95_ns        | .0      | 95 %
    live.p99_ns        | .0      | 99 %
    live.cpu_ns        | .0      | cpu ns
    others_percent     | .1      | others %
"""


def _added(result: HooksResult, agree: str) -> Section:
    def apart(pair: _Pair) -> str:
        return difference(pair.live["added_ns"].mean, pair.simulated["added_ns"].mean, 0)

    def verdict(pair: _Pair) -> str:
        return "constants" if pair.calibration else pair.verdict

    legend = (
        f"{agree} predicted settings within {fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_NS:g} ns. Added: the median call "
        "behind filters, less that of all threads before they had any. Compared: rules that the call is compared "
        f"with in all filters. Live and simulated are medians of {RUNS} runs, ± half of their range. Too noisy: "
        "outside the band, where the ranges leave it open or others took more than 3 % of the processor."
    )
    caption = "What filters add to a call, by their number: lines simulated, points live; a panel for each order."
    titled, figure = ("What filters add to a call", legend), _figure(result).captioned(caption)
    return table_section(titled, _ADDED, result.pairs, [figure], {"difference": apart, "verdict": verdict})


def _calls(result: HooksResult) -> Section:
    legend = "Percentiles of stretches of ten calls. Cpu: processor time of the thread for each call, in the mean."
    return table_section(("The whole call", legend), _CALLS, result.pairs)


def _figure(result: HooksResult) -> Figure:
    """The time that filters add, by their number: a panel for each order, a line for each number of rules."""
    asked = set(result.plan.settings)
    pairs = [pair for pair in result.pairs if _Setting(pair.order, pair.rules, pair.filters) in asked]
    orders: dict[Order, None] = dict.fromkeys(pair.order for pair in pairs)
    return Figure([_panel([pair for pair in pairs if pair.order == order], order) for order in orders], "Filters")


def _panel(pairs: list[_Pair], order: Order) -> Panel:
    series = []
    for rules in dict.fromkeys(pair.rules for pair in pairs):
        own = [pair for pair in pairs if pair.rules == rules]
        filters = [pair.filters for pair in own]
        label = plural(rules, "rule")
        simulated, live = ([getattr(pair, side)["added_ns"] for pair in own] for side in ("simulated", "live"))
        series += [
            Series(filters, [added.mean for added in simulated], label=label),
            dots(filters, [added.mean for added in live], [added.half_width for added in live], "live", [label]),
        ]
    return Panel(f"Added to a call, ns; {order}", series)
