"""Pictures of control programs: caches that get warm and are shared, the scheduler lock, and parking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.run.pages.run_figures import decisions_steps
from slicewright.statistics import estimate

TOUCHED_IN_MS = 1.0
"""How long a virtual processor runs until all but 1/e of its storage was touched."""
BURSTS_MS = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
FARTHER = {"to another core": 1.3, "to another chip": 2.5, "to another book": 4.0}
"""How much slower work is in cold caches, by where it moved: what `cec.machine` assumes beyond each level."""
CONTEXTS = range(4, 61, 4)
CHIP_MIB, OWN_MIB, BEYOND = 48, 2, 2.5
SLICES_MS = (5, 1)
PROCESSORS = (1, 4, 8, 10, 12, 13, 14, 15, 16, 18, 20)

SHORT = '{ think = { exponential = "300 us" } }, { compute = { exponential = "10 us" } }'
"""A load with a high ratio of total to virtual time."""

FREE = (
    'lock = { hold = "0 us" }, costs = { wake = "0 us", dispatch = "0 us", wait = "0 us", simulate = "0 us", '
    'look = "0 us", entry = "0 us", park = "0 us" }'
)
"""A control program whose path takes no time."""


def caches() -> Figure:
    """Time that a burst loses to cold caches, by the distance of its move."""
    lost = {where: [_lost_ms(burst, beyond) for burst in BURSTS_MS] for where, beyond in FARTHER.items()}
    exact, longer = [], []
    for where, beyond in FARTHER.items():
        known = [(burst, lost_ms(burst, beyond)) for burst in BURSTS_MS[1::2]]
        exact.append(_points(known, where))
        longer.append(_points([(burst, 1 + lost / burst) for burst, lost in known], where))
    panels = [
        Panel("Lost, ms", [*(Series(BURSTS_MS, y, label=where) for where, y in lost.items()), *exact]),
        Panel(
            "Takes, times that in warm caches",
            [*(Series(BURSTS_MS, _times(y), label=where) for where, y in lost.items()), *longer],
        ),
    ]
    return Figure(panels, "Length of the burst in warm caches, ms")


def displacement() -> Figure:
    """The rest of each context in a cache that several use in turn, and the work that a processor completes."""
    still, work, exact = [], [], []
    for slice_ms in SLICES_MS:
        found = [_by_turns(context, slice_ms) for context in CONTEXTS]
        label = f"slices of {slice_ms} ms"
        still.append(Series(CONTEXTS, [there for there, _ in found], label=label))
        work.append(Series(CONTEXTS, [done for _, done in found], label=label))
        exact.append(_points([(context, 100 * resident(context, slice_ms)) for context in CONTEXTS[::2]], label))
    panels = [Panel("Still there, %", [*still, *exact]), Panel("Work, % of a processor's", work)]
    return Figure(panels, f"Contexts of {OWN_MIB} MiB on a cache of {CHIP_MIB} MiB")


def lost_ms(burst_ms: float, beyond: float, touched_in_ms: float = TOUCHED_IN_MS) -> float:
    """How much longer a burst takes that finds nothing of its storage: T ln(1 + a (1 - exp(-w / T))).

    >>> [round(lost_ms(burst, 4.0), 2) for burst in (0.1, 1.0, 10.0)]
    [0.25, 1.06, 1.39]
    """
    touched = 1 - math.exp(-burst_ms / touched_in_ms)
    return touched_in_ms * math.log(1 + (beyond - 1) * touched)


def resident(contexts: int, slice_ms: float, capacity: float = CHIP_MIB, wants: float = OWN_MIB) -> float:
    """The share of each context that remains in a cache that several contexts use in turn, a slice each.

    A running context leaves e^(-slice / T) of its misses; its loads into a full cache displace the others alike.

    >>> [round(resident(contexts, 5), 2) for contexts in (24, 30, 60)]
    [1.0, 0.63, 0.11]
    """
    if contexts * wants <= capacity:
        return 1.0
    left = math.exp(-slice_ms / TOUCHED_IN_MS)
    there = 0.0
    for _ in range(10_000):
        has = wants - (wants - there) * left
        there = has * ((capacity - has) / (capacity - there)) ** (contexts - 1)
    return there / wants


def scheduler_lock() -> Figure:
    """Spinning for the scheduler lock against the number of processors, each with the same load."""
    ways = {
        "slower per waiter": _locked(_BURSTS, "shared", "0.4 us"),
        "constant hold": _locked(_BURSTS, "shared", "0 us"),
        "slower, and paced": _locked(_PACED, "shared", "0.4 us"),
    }
    panels = []
    for table, counter, label in (
        ("locks", "spin_s_per_s", "Spinning, processors' worth"),
        ("locks", "spin_us_per_collision", "Spin per collision, us"),
        ("control_programs", "tv_ratio", "T/V ratio"),
    ):
        curves = []
        for words, runs in ways.items():
            found = [estimate(run.raw[table][counter].to_list()) for run in runs]
            y, noise = [point.mean for point in found], [point.half_width for point in found]
            curves.append(Series(PROCESSORS, y, half_width=noise, label=words))
        panels.append(Panel(label, curves))
    return Figure(panels, "Processors")


def parking() -> Figure:
    """One decision after another, while SET SRM sets CPUPAD and UNPARKING and the load comes and goes."""
    settings = {"measure.interval": "60 s", "measure.warm_up": "0 s"}
    return decisions_steps(run(PARKED, replications=1, set=settings).decisions)


_BURSTS = '{ think = { exponential = "150 us" } }, { compute = { exponential = "40 us" } }'
_PACED = '{ think = { exponential = "150 us" } }, { pace = "21 %" }'


def _locked(program: str, mode: str, per_waiter: str) -> Sequence[Run]:
    lock = f'lock = {{ mode = "{mode}", per_waiter = "{per_waiter}" }}'
    return [_spinning(processors, program, lock) for processors in PROCESSORS]


@cache
def _spinning(processors: int, program: str, lock: str) -> Run:
    text = _text(
        processors,
        f'polarization = "horizontal", {lock}',
        '[[virtual_machine]]\nname = "V"\npartition = "ZVM"\n' + f"count = {3 * processors}",
        _guests("V", 3 * processors, program),
    )
    return run(text, replications=3, set={"measure.interval": "100 ms", "measure.warm_up": "20 ms"})


def _lost_ms(burst_ms: float, beyond: float) -> float:
    """One that thinks while another displaces all that it has: each burst begins with nothing."""
    text = _text(
        1,
        f'polarization = "horizontal", slice = "100 ms", slice_jitter = "0 %", {FREE}',
        _machine("OWN", 'share = 10000\ntouched_in = "1 ms"') + _machine("OTHER", 'touched_in = "1 us"'),
        _guests("OWN", 1, f'{{ think = "1 ms" }}, {{ compute = "{burst_ms} ms" }}')
        + _guests("OTHER", 1, '{ compute = "1 ms" }, { think = "0.1 ms" }'),
        cache=f'shared_by = "core", size = "{OWN_MIB} MiB", beyond = {beyond}',
    )
    frame = run(text, replications=1, set={"measure.interval": "1 s", "measure.warm_up": "0.1 s"}).virtual_machines
    row = frame.filter(frame["virtual_machine"] == "OWN").to_dicts()[0]
    return float(10 * (row["emulation_percent"] - row["work_percent"]) / row["dispatches_per_s"])


def _times(lost_ms: Sequence[float]) -> list[float]:
    return [1 + lost / burst for lost, burst in zip(lost_ms, BURSTS_MS, strict=True)]


@cache
def _by_turns(contexts: int, slice_ms: int) -> tuple[float, float]:
    text = _text(
        1,
        f'polarization = "horizontal", slice = "{slice_ms} ms", slice_jitter = "0 %", {FREE}',
        _machine("OWN", f'count = {contexts}\ntouched_in = "{TOUCHED_IN_MS} ms"'),
        _guests("OWN", contexts, '{ compute = "10 min" }'),
        cache=f'shared_by = "chip", size = "{CHIP_MIB} MiB", beyond = {BEYOND}',
    )
    result = run(text, replications=1, set={"measure.interval": "4 s", "measure.warm_up": "6 s"})
    rows = result.virtual_machines["resident"].to_list()
    return 100 * sum(rows) / len(rows), float(result.control_programs["work_percent"][0])


def _machine(name: str, keys: str) -> str:
    return f'[[virtual_machine]]\nname = "{name}"\npartition = "ZVM"\nfootprint = "{OWN_MIB} MiB"\n{keys}\n\n'


def _guests(name: str, count: int, program: str) -> str:
    return f'[[guest]]\nname = "{name}"\nvirtual_machine = "{name}"\ncount = {count}\nprogram = [ {program} ]\n\n'


def _text(processors: int, program: str, machines: str, guests: str, *, cache: str = "") -> str:
    topology = f'[topology]\ncores_per_chip = 1\nchips_per_book = 1\ncache = [ {{ name = "L", {cache} }} ]\n'
    return f"""
name = "a control program"
assume = "an example"

[cec]
processors = {processors}
dispatcher = "prsm"

{topology if cache else ""}
[[partition]]
name = "ZVM"
logical_processors = {processors}
mode = "UP"
control_program = {{ {program} }}

{machines}

{guests}
"""


def _points(found: Sequence[tuple[float, float]], of: str) -> Series:
    return dots([x for x, _ in found], [y for _, y in found], label="exact", of=[of])


PARKED = _text(
    16,
    'polarization = "vertical", cpupad = "100 %"',
    '[[virtual_machine]]\nname = "USERS"\npartition = "ZVM"\ncount = 15\n\n'
    '[[virtual_machine]]\nname = "JOBS"\npartition = "ZVM"\ncount = 60\n',
    _guests("USERS", 15, SHORT) + '[[guest]]\nname = "JOBS"\nvirtual_machine = "JOBS"\narrivals = "0.2/s"\nbatch = 12\n'
    f"program = [ {{ repeat = 12000, steps = [ {SHORT} ] }} ]\n\n"
    '[[change]]\nat = "30 s"\nsrm = { partition = "ZVM", cpupad = "300 %" }\n\n'
    '[[change]]\nat = "45 s"\nsrm = { partition = "ZVM", cpupad = "6400 %" }\n',
)
"""Short bursts, so that the ratio of total to virtual time is high, more of them now and fewer then."""
