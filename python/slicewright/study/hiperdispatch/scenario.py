"""The scenario of a run of the study: the one text that `reproduce`, `calibrate` and the shipped files share.

Every choice made here was declared before the runs that it is for: docs/decisions/0012-hiperdispatch-study.md, for the
adopted form 0014-hiperdispatch-free-wake-ups.md, for the hardware form 0045-hiperdispatch-hardware.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from slicewright.io.numerals import in_scenario
from slicewright.study.calibration import Constants
from slicewright.study.hiperdispatch.cases import MODES, Case, ablations
from slicewright.study.hiperdispatch.machines import FOOTPRINT, Level, Machine, machine
from slicewright.study.points import Budget

SLICE_MS = 5
"""DSPSLICE: its default."""

JITTER_PERCENT = 25
"""ASSUME how far a slice or a sleep strays: where all are equal, virtual processors get into step with each other,
never collide, and return to the same processor for ever."""

BARRIERS = (1, 2, 4)
"""ASSUME how many virtual processors wait in a vector before a processor steals: on its chip, in its book, farther."""

EVERY_S, HISTORY, PERCENTILE = 2, 10, 90
"""When the controller decides, and (ASSUME) which percentile of how many intervals it expects."""

TV_THRESHOLD = 1.5
"""ASSUME from which T/V processors are parked by need: anything from 1.40 to 1.79 does the same here."""

NEEDED = 7.75
"""Processors that 8 light tiles use where the lock costs little: %Total at N = 8, CPUPAD 6400 %, a calibration cell."""

HEAVY = 1360 / 2361
"""A heavy tile's time to touch what it has in the caches, over a light one's.

ASSUME: a transaction touches equally much in both.  The numbers are transactions per processor second in horizontal
mode at N = 16 (figures 2 and 3, calibration cells)."""

FITTED = "fitted to calibration cells (published/hiperdispatch/calibrated.toml)"

HARDWARE = "hardware"
"""The form with books, weighted levels of caches, a margin of the controller, and few processors at the start."""


def scenario(case: Case, constants: Constants, budget: Budget) -> str:
    """A run as a complete scenario file (TOML), measured as the budget says.

    >>> from slicewright.study.hiperdispatch.study import STUDY
    >>> text = scenario(Case("figure4", 32, "V B"), STUDY.constants(), Budget(interval_s=10, warm_up_s=5.0))
    >>> [line for line in text.splitlines() if line.startswith("polarization")]
    ['polarization = "vertical"']
    """
    return "\n".join(
        [
            _head(case),
            *_machine(case, constants),
            _control_program(case, constants),
            *_tiles(case, constants),
            _measure(budget),
        ]
    )


def _head(case: Case) -> str:
    kind = f"{case.tiles} {case.kind} tiles, {'high' if case.high_tv else 'low'} T/V"
    mode = MODES[case.mode]
    padded = f", CPUPAD {case.cpupad} %" if case.table == "table1" and case.mode != "H" else ""
    without = f"\n# An ablation: {ablations()[case.ablation]}." if case.ablation else ""
    return f"""\
# {kind}, on {case.n} processors of a {machine(case.table).name}: {mode}{padded}.
# Of the storage of tiles, only the amount that they touch and its rate are modelled.{without}

name = "HiperDispatch: {kind}, N = {case.n}, {mode}{padded}"

[source]
document = "z/VM HiperDispatch"
section = "{_section(case)}"

[cec]
processors = {case.n}
"""


def _section(case: Case) -> str:
    return "Table 1" if case.table == "table1" else f"Figure {case.table[-1]}"


def _machine(case: Case, constants: Constants) -> Iterable[str]:
    """The caches; no lines where caches cost nothing."""
    if case.ablation == "no-cache-cost":
        return
    on = machine(case.table)
    hardware = constants.form == HARDWARE
    slow = [_weight(level) if hardware else _beyond(on, at) for at, level in enumerate(on.levels)]
    levels = [
        f'  {{ name = "{level.name}", shared_by = "{level.shared_by}", size = "{level.size}", {slower} }},'
        for level, slower in zip(on.levels, slow, strict=True)
    ]
    yield f"# {on.name}: cores, chips and sizes are published."
    yield "[topology]"
    yield f"cores_per_chip = {on.cores_per_chip}"
    yield f"chips_per_book = {on.chips_per_book}"
    if hardware:
        yield f"cores_per_book = {case.book or on.cores_per_book}"
        yield f"nest_cost = {in_scenario(constants['nest_cost'])}"
    yield "\n".join(["cache = [", *levels, "]"])
    if hardware:
        yield f'calibrated = "nest_cost {FITTED}; processors a book, and the same weights on both machines, assumed"\n'
    else:
        yield 'assume = "how slow work is beyond a cache: the same factor from level to level, 4 in all"\n'


def _beyond(on: Machine, level: int) -> str:
    return f"beyond = {in_scenario(on.slowness(level))}"


def _weight(level: Level) -> str:
    return f"nest = {in_scenario(level.nest)}"


def _control_program(case: Case, constants: Constants) -> str:
    own = constants.of
    vertical = case.mode != "H"
    method = "none" if case.ablation == "no-churn" else "rebalance" if case.mode == "V B" else "reshuffle"
    horizontal = "free" if constants.form != "first" and not vertical else "global"
    stealing = "eager" if case.ablation == "eager-stealing" else "near"
    barriers = (1, 1, 1) if case.ablation == "no-barrier" else BARRIERS
    locked = case.ablation != "no-lock"
    hold, waiter = (_us(own[name] if locked else 0.0) for name in ("hold", "per_waiter"))
    path = _us(own["path"])
    entry = 0.0 if case.ablation == "no-cache-cost" else own["entry"]
    costs = [f"{name} = {path}" for name in ("wake", "dispatch", "wait")]
    costs += [f"simulate = {_us(own['simulate'])}", f"look = {_us(own['look'])}", f"entry = {_us(entry)}"]
    controller = [f'every = "{EVERY_S} s"', f"history = {HISTORY}", f'percentile = "{PERCENTILE} %"']
    from_few = constants.form == HARDWARE and case.parks
    margin = constants["margin"] if from_few else 0.0
    controller += [f'margin = "{in_scenario(100 * margin)} %"', f"tv_threshold = {TV_THRESHOLD}"]
    if from_few:
        controller.append(f"start = {min(case.n, math.ceil(NEEDED + case.cpupad / 100 + margin))}")
    return f"""\
[[partition]]
name = "ZVM"
logical_processors = {case.n}
mode = "UP"

[partition.control_program]
polarization = "{"vertical" if vertical else "horizontal"}"
method = "{method}"
cpupad = "{case.cpupad} %"
slice = "{SLICE_MS} ms"
slice_jitter = "{JITTER_PERCENT} %"
horizontal_stealing = "{horizontal}"
vertical_stealing = "{stealing}"
barriers = [{", ".join(map(str, barriers))}]
lock = {{ mode = "shared", hold = {hold}, per_waiter = {waiter} }}
costs = {{ {", ".join(costs)} }}
controller = {{ {", ".join(controller)} }}
calibrated = "lock and costs {FITTED}; slice: the default; the rest assumed"
"""


def _tiles(case: Case, constants: Constants) -> Iterable[str]:
    own, name = constants.of, case.kind.upper()
    hardware = constants.form == HARDWARE
    caches = ""
    if case.ablation != "no-cache-cost":
        footprint = f"{round(1024 * own['footprint'])} KiB" if hardware else FOOTPRINT
        touched_in = own["touched_in"] * (HEAVY if hardware and case.kind == "heavy" else 1.0)
        caches = f'footprint = "{footprint}"\ntouched_in = {_us(touched_in)}\n'
    sleep = _strayed(own["sleep_high"], "us") if case.high_tv else _strayed(own["sleep_low"], "ms")
    yield f"""\
[[virtual_machine]]
name = "{name}"
partition = "ZVM"
count = {case.tiles}
virtual_processors = {case.tile_processors}
{caches}calibrated = "{"touched_in and footprint " + FITTED if hardware else f"touched_in {FITTED}; footprint assumed"}"

[[guest]]
name = "VSE"
virtual_machine = "{name}"
count = {case.virtual_processors}
program = [{{ think = {{ uniform = {sleep} }} }}, {{ pace = "{in_scenario(case.duty_percent)} %" }}]
calibrated = "mean of sleeps {FITTED}; pace: {case.tiles} x {case.duty_percent * case.tile_processors:g} % as published"
"""


def _measure(budget: Budget) -> str:
    warm_up = f'warm_up = "{in_scenario(budget.warm_up_s)} s"\n' if budget.warm_up_s is not None else ""
    return f"""\
# Where processors are parked the controller needs a minute and more to settle: --set measure.warm_up="90 s".
[measure]
interval = "{budget.interval_s} s"
{warm_up}replications = {budget.replications}
"""


def _strayed(mean: float, unit: str) -> str:
    """The ends of a span that strays as far as slices do."""
    ends = (mean * (1 + sign * JITTER_PERCENT / 100) for sign in (-1, 1))
    return "[" + ", ".join(f'"{in_scenario(end)} {unit}"' for end in ends) + "]"


def _us(value: float) -> str:
    return f'"{in_scenario(value)} us"'
