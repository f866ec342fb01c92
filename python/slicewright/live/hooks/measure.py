"""The experiment: calls behind filters in several runs, constants from three settings, then all settings simulated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from slicewright.errors import refusal
from slicewright.live.answers import answers
from slicewright.live.environment import Elsewhere, environment, load_average
from slicewright.live.hooks.constants import middle, middle_prices, near_rules, prices
from slicewright.live.hooks.plan import CALIBRATIONS, RUNS, Plan, Setting
from slicewright.live.hooks.result import HooksResult, Pair
from slicewright.live.hooks.seccomp import compiled, unavailable
from slicewright.live.hooks.worker import PERCENTILES
from slicewright.serialization.hooks import HookPrices, hooked_ns

Progress = Callable[[float], None]

Called = Mapping[str, float]
"""What a run saw of a setting: ns at each percentile, processor time, what filters added to the call, others' share."""


def measure_hooks(plan: Plan, progress: Progress = lambda share: None) -> HooksResult:
    """Measure filters on this machine, and simulate the same.

    Raises InputError when the plan is wrong, or the system refuses filters.

    >>> measure_hooks(Plan(rules=(-1,)))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: rules: -1 rules
    """
    if not sys.platform.startswith("linux"):
        raise refusal(unavailable("filters of system calls are Linux's"))
    plan.check()
    load = load_average()
    programs = plan.programs
    jobs = [
        {"order": order, "rules": rules, "counts": counts, "processor": plan.processor,
         "length_ns": round(1e9 * plan.run_s)}
        for _ in range(RUNS) for (order, rules), counts in programs.items()
    ]  # fmt: skip
    found = answers("slicewright.live.hooks.worker", [], jobs, lambda done: progress(done / len(jobs)))
    each = len(programs)
    runs = [_run(programs, found[at * each : (at + 1) * each]) for at in range(RUNS)]
    every = Elsewhere.of([Elsewhere(**answer["elsewhere"]) for answer in found])
    where = environment(plan.processor, 0, load, every)
    near = near_rules()
    own = [prices(run["call"], run["added"], near) for run in runs]
    pairs = tuple(_pair(setting, [run["settings"][setting] for run in runs], own) for setting in _measured(plan))
    return HooksResult(plan, where, middle_prices(own), pairs, compiled(), filters_of(), plan.left_out)


def _measured(plan: Plan) -> list[Setting]:
    """The settings of the constants, then those that were asked for."""
    return [*CALIBRATIONS, *(setting for setting in plan.settings if setting not in CALIBRATIONS)]


def _run(programs: Mapping[Any, Sequence[int]], seen: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One run of all settings: the median call of all threads before they had filters, and what each setting adds."""
    found: dict[Setting, dict[str, float]] = {}
    call_ns = middle([answer["called"][0]["p50_ns"] for answer in seen]).mean
    for ((order, rules), counts), answer in zip(programs.items(), seen, strict=True):
        elsewhere = Elsewhere(**answer["elsewhere"])
        others = elsewhere.percent(elsewhere.others_s)
        for count, called in zip(counts, answer["called"][1:], strict=True):
            found[Setting(order, rules, count)] = {**called, "added_ns": called["p50_ns"] - call_ns, "others": others}
    added_ns = {setting: found[setting]["added_ns"] for setting in CALIBRATIONS}
    return {"call": call_ns, "added": added_ns, "settings": found}


def _pair(setting: Setting, runs: Sequence[Called], own: Sequence[HookPrices]) -> Pair:
    live = {name: middle([run[name] for run in runs]) for name in ("added_ns", *PERCENTILES, "cpu_ns")}
    calls = [hooked_ns(prices, setting.compared) for prices in own]
    simulated = {
        "added_ns": middle([call - hooked_ns(prices, None) for call, prices in zip(calls, own, strict=True)]),
        "call_ns": middle(calls),
    }
    others = sum(run["others"] for run in runs) / len(runs)
    return Pair(setting, others, setting in CALIBRATIONS, live, simulated)


def filters_of(status: Path = Path("/proc/self/status")) -> int:
    """How many filters are in front of this process's own calls; 0 where the kernel does not say (before 5.9).

    >>> filters_of(Path("/no/such/file"))
    0
    """
    try:
        lines = status.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    found = [line.split()[1] for line in lines if line.startswith("Seccomp_filters:")]
    return int(found[0]) if found and found[0].isdigit() else 0
