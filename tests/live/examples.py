"""Small live results for tests: made up, none of these numbers was seen anywhere."""

from __future__ import annotations

from slicewright.live import hooks, locks, reads, throttling
from slicewright.live.disk import Device
from slicewright.live.locks_program import Method
from slicewright.live.machine import Environment
from slicewright.live.slices import _Cell, _Grid, _SlicesResult, _SlicesSeen
from slicewright.live.threads import Case
from slicewright.serialization.hooks import HookPrices, hooked_ns
from slicewright.statistics import Estimate


def place(others_percent: float = 0.0) -> Environment:
    """An environment that was made up."""
    return Environment(
        "6.18.0", "x86_64", "tsc", 4.0, 2, 1, 1, 5.0, "2026-01-01T00:00:00+00:00", 0.1, 0.5, others_percent
    )


def slices_result(others_percent: float = 0.0) -> _SlicesResult:
    """A result of two slices and two waits, both cases, in which one pair of uniform starts differs."""

    def cell(case: Case, pair: tuple[float, float], live: tuple[float, float, int], simulated: float) -> _Cell:
        mean, half_width, runs = live
        uniform = case == "uniform"
        worst = 2 * simulated + 3 if uniform else 2 * simulated
        return _Cell(
            case, *pair, 1000 if uniform else 200, mean, half_width, runs, simulated, worst, simulated,
            0.05 if uniform else 0.1, 10, simulated if uniform else None,
        )  # fmt: skip

    values = {(30.0, 9.0): 7.65, (30.0, 18.0): 12.6, (10.0, 9.0): 4.95, (10.0, 18.0): 0.2}
    cells = [
        cell("uniform", pair, (value + (2.5 if value < 1 else 0.1), 0.4, 10), value) for pair, value in values.items()
    ]
    cells += [cell("locked", pair, (value / 2, 0.2, 10), value / 2) for pair, value in values.items()]
    cases: tuple[Case, ...] = ("uniform", "locked")
    slices = [
        _SlicesSeen(case, slice_ms, slice_ms - 0.1, slice_ms + 0.1, (slice_ms - 2, slice_ms + 2), 100, 99)
        for case in cases
        for slice_ms in (30.0, 10.0)
    ]
    grid = _Grid(slices_ms=(30.0, 10.0), waits_ms=(9.0, 18.0), processor=1)
    return _SlicesResult(grid, place(others_percent), tuple(cells), tuple(slices))


def throttling_result() -> throttling._ThrottlingResult:
    """A result of two sleeps that agree."""
    often, rare = throttling._Counts(100.0, 95.0, 4000.0, 20.0), throttling._Counts(20.0, 0.0, 0.0, 5.0)
    worked = [
        throttling._Worked(
            sleep_ms, seen, throttling._Estimates(*(Estimate(value, 0.5, 10) for value in vars(seen).values()))
        )
        for sleep_ms, seen in ((10.0, often), (1000.0, rare))
    ]
    return throttling._ThrottlingResult(throttling._Plan(sleeps_ms=(10.0, 1000.0), processor=1), place(), tuple(worked))


def locks_result() -> locks._LocksResult:
    """Two methods, no hog and two, of which one pair differs; the hand-over was not allowed."""
    methods: tuple[Method, ...] = ("spin", "futex")
    plan = locks.Plan(processors=(1,), hogs=(0, 2), holds_us=(20.0,), methods=methods)
    pairs = []
    for at, (method, hogs, hold_us) in enumerate(plan.pairs):
        live = {name: Estimate(5000.0 - 100 * at, 20.0, 5) for name in locks.LIVE}
        simulated = {name: Estimate(5000.0 + (3000.0 if at == 1 else 0.0), 10.0, 20) for name in locks.SIMULATED}
        pairs.append(locks._Pair(method, hogs, hold_us, 0.5, live, simulated))
    alone = tuple(locks._Alone(method, 20.0, locks.Times(100.0, 0.05, 20.1)) for method in methods)
    return locks._LocksResult(plan, place(), locks.Constants(), alone, tuple(pairs), {"handover": "Permission denied"})


def reads_result() -> reads._ReadsResult:
    """Three loads and two numbers of permits, of which one pair differs."""
    plan = reads._Plan("/data", depths=(1, 32))
    pairs = []
    for at, (load, depth) in enumerate(plan.pairs):
        live = {name: Estimate(95.0 - at, 1.0, 5) for name in reads.LIVE}
        simulated = {name: Estimate(95.0 + (30.0 if at == 3 else 0.0), 0.5, 20) for name in reads.SHARED}
        pairs.append(reads._Pair(load, depth, 0.5, live, simulated))
    return reads._ReadsResult(plan, place(), Device("254:0", "vda", False, "none"), reads._Constants(), tuple(pairs))


def hooks_result() -> hooks.HooksResult:
    """Lists and trees of 200 rules, one filter and sixteen, of which one setting differs."""
    plan = hooks._Plan(rules=(200,), filters=(1, 16), orders=("list", "tree"), processor=1)
    prices = HookPrices(190.0, 60.0, 23.0, 0.18)
    pairs = []
    for at, setting in enumerate([*hooks.CALIBRATIONS, *plan.settings]):
        call = hooked_ns(prices, setting.compared)
        added = call - prices.call_ns
        live = {name: Estimate(call, 5.0, 6) for name in hooks.LIVE} | {
            "added_ns": Estimate(added + (400.0 if at == 5 else 2.0), 5.0, 6)
        }
        simulated = {"added_ns": Estimate(added, 1.0, 6), "call_ns": Estimate(call, 1.0, 6)}
        named = (setting.order, setting.rules, setting.filters)
        pairs.append(hooks._Pair(*named, 0.5, setting in hooks.CALIBRATIONS, live, simulated))
    return hooks.HooksResult(plan, place(), True, 0, prices, tuple(pairs))
