"""The scenario of a run: machine, control program, clients and servers, and which of it is assumed or fitted.

Every choice made here was declared before the runs that it is for: docs/decisions/0015-diag9c-study.md, and for the
other forms 0019-diag9c-intercepts.md and 0046-diag9c-cycles-caches-network.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from slicewright.io.numerals import in_scenario
from slicewright.study.diag9c.cases import ROOMY, Case, ablations
from slicewright.study.points import Budget

SLICE_MS, JITTER_PERCENT = 5, 25
"""The dispatch slice, and how far it strays: ASSUME."""

LOCK_US = (1.0, 0.4)
"""ASSUME how long a list operation holds the scheduler lock, and how much longer for each that waits."""

COSTS_US = {"wake": 2.0, "dispatch": 4.0, "wait": 2.0, "simulate": 4.0, "look": 0.1, "entry": 1.0}
"""ASSUME what the paths of the control program take on a z990."""

DIAGNOSES_US = {"fast_x44": 1.0, "x44": 2.0, "x9c": 2.0, "sense": 0.2}
"""ASSUME what simulating a DIAGNOSE takes on a z990, whatever becomes of it."""

SOFT_WAIT_MS = 300
"""ASSUME for how long a virtual processor without work is in soft wait."""

CACHES = (("L1", 2.0), ("L2", 4.0))
"""ASSUME how many times as long work takes beyond each level: the numbers of decision 0012."""

FOOTPRINT = "512 KiB"
"""ASSUME what a virtual processor has in the caches: as much as level one holds, for instructions and data."""

INTERCEPT_US = 2.0
"""ASSUME what simulating an intercepted instruction takes on a z990: as long as a DIAGNOSE; in the variant alone."""

PIECES, PIECE_KIB = 16, 64
"""ASSUME in how many pieces a file of 1 MiB is asked for, and how large one is."""

SPREAD = 0.5
"""ASSUME how far a section strays from its mean, as a part of it."""

FITTED = "fitted to calibration cells (published/diag9c/calibrated.toml)"

Lines = Iterable[str]

Constants = Mapping[str, float]
"""One set: a value by each name."""

INTERCEPTED = "intercepted"
"""The constant that the other forms have beside those of the first."""

OUTPUT = "output"
"""The constant that the adopted form has besides: what simulating network output takes; a try costs cycles there."""


@dataclass(frozen=True, slots=True)
class Side:
    """What clients or servers compute for a piece: all of it, between sections each, and how many of these.

    >>> side(100.0, 20.0, 5.0)
    Side(between_us=16.0, sections=4.0, hold_us=5.0)
    """

    between_us: float
    sections: float
    hold_us: float


def side(computing_us: float, held_percent: float, hold_us: float) -> Side:
    """Computing for a piece, `held_percent` of it in sections of `hold_us` each: with n of them n + 1 gaps.

    >>> side(100.0, 20.0, 5.0).sections
    4.0
    """
    held = computing_us * held_percent / 100
    sections = held / hold_us
    return Side((computing_us - held) / (sections + 1), sections, hold_us)


def scenario(case: Case, constants: Constants, budget: Budget) -> str:
    """A run as a complete scenario file (TOML), measured as the budget says.

    >>> from slicewright.study.studies import named
    >>> text = scenario(Case("E", "x9c"), named("diag9c").ensemble()[0], Budget(interval_s=2, warm_up_s=1.0))
    >>> [line for line in text.splitlines() if line.startswith("yields")]
    ['yields = "x9c"', 'yields = "x9c"']
    """
    parts = [_head(case), *_machine(case), _control_program(case), *_guests(case, constants), _measure(budget)]
    return "\n".join(parts)


def _head(case: Case) -> str:
    spinning = "X'44'" if case.yields == "x44" else "X'9C'"
    run = "A with a processor for each virtual one" if case.run == ROOMY else case.run
    without = f"\n# An ablation: {ablations()[case.ablation]}." if case.ablation else ""
    return f"""\
# Run {run} of the Apache workload under z/VM {case.zvm}: SLES 10 yields by {spinning}.
# Linux is modelled by computing, spin locks and waits for the network, without files and sockets.{without}

name = "Diagnose X'9C': run {run}, z/VM {case.zvm}, {spinning}"

[source]
document = "Diagnose X'9C' Support"
section = "{_section(case)}"
"""


def _section(case: Case) -> str:
    if case.zvm != "5.3":
        return "Table 3"
    return {"E": "Tables 2 and 4", "H": "Table 2", "X": "Table 4"}.get(case.run, "Table 1")


def _machine(case: Case) -> Lines:
    """The machine; where caches cost nothing it has no line on them."""
    yield "[cec]"
    yield f"processors = {case.processors}"
    yield f'machine = "{case.own["machine"]}"\n'
    if case.ablation != "no-reload":
        yield "[topology]"
        levels = [f'  {{ name = "{name}", beyond = {in_scenario(beyond)} }},' for name, beyond in CACHES]
        yield "\n".join(["cache = [", *levels, "]"])
        yield 'assume = "how slow work is beyond a cache: the same factor from level to level, 4 in all"\n'


def _control_program(case: Case) -> str:
    without = case.ablation
    switches = 0.0 if without == "no-switch-cost" else 1.0
    costs = {name: cost * switches for name, cost in COSTS_US.items() if name != "entry"}
    costs["entry"] = 0.0 if without == "no-reload" else COSTS_US["entry"]
    listed = ", ".join(f"{name} = {_us(cost / case.speed)}" for name, cost in (costs | DIAGNOSES_US).items())
    hold, waiter = (_us(cost * switches / case.speed) for cost in LOCK_US)
    mode = "shared" if case.zvm == "5.3" else "exclusive"
    return f"""\
[[partition]]
name = "ZVM"
logical_processors = {case.processors}
mode = "UP"

[partition.control_program]
polarization = "horizontal"
horizontal_stealing = "eager"
homes = "drawn"
slice = "{SLICE_MS} ms"
slice_jitter = "{JITTER_PERCENT} %"
soft_wait = "{SOFT_WAIT_MS} ms"
lock = {{ mode = "{mode}", hold = {hold}, per_waiter = {waiter} }}
costs = {{ {listed} }}
assume = "costs, the lock, the slice, first homes, and how long a soft wait is: not published"
"""


def _guests(case: Case, own: Constants) -> Lines:
    at_client, at_server = sides(case, own)
    intercepts = Intercepts.of(case, own)
    latency = 0.0 if case.ablation == "no-network-delay" else own["latency"]
    sles_9 = case.own["servers_run"] == "SLES 9"
    client = _Kind("CLIENT", case.clients, case.client_processors, "SLES 10", case.spin_retry, case.yields)
    server = _Kind("SERVER", case.servers, case.server_processors, "SLES 10", case.spin_retry, case.yields)
    if sles_9:
        server = _Kind("SERVER", case.servers, case.server_processors, "SLES 9 SP2", 0, "x44")
    yield _virtual_machines(client, case, own)
    yield _virtual_machines(server, case, own)
    yield f"""\
[[network]]
name = "LAN"
latency = {_us(latency)}
calibrated = "latency {FITTED}"

[[guest]]
name = "CONNECTION"
virtual_machine = "CLIENT"
count = {case.connections}
program = [
  {{ repeat = {PIECES}, steps = [
    {{ exchange = "REPLY", network = "LAN", request = "1 KiB", reply = "{PIECE_KIB} KiB" }},
{_computing(at_client, "client", intercepts)}
  ] }},
]
calibrated = "computing and its sections {FITTED}; pieces assumed; connections as published"

[[guest]]
name = "REPLY"
virtual_machine = "SERVER"
arrives = "spawned"
program = [
{_computing(at_server, "server", intercepts)}
]
calibrated = "computing and its sections {FITTED}"
"""


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    count: int
    processors: int
    guest_type: str
    spin_retry: int
    yields: str


def _virtual_machines(kind: _Kind, case: Case, own: Constants) -> str:
    caches = ""
    if case.ablation != "no-reload":
        caches = f'footprint = "{FOOTPRINT}"\ntouched_in = {_us(own["touched_in"] / case.speed)}\n'
    return f"""\
[[virtual_machine]]
name = "{kind.name}"
partition = "ZVM"
count = {kind.count}
virtual_processors = {kind.processors}
guest_type = "{kind.guest_type}"
spin_retry = {kind.spin_retry}
spin_try = "{in_scenario(own["one_try"] / (case.clock if OUTPUT in own else case.speed))} ns"
yields = "{kind.yields}"
{caches}calibrated = "spin_try and touched_in {FITTED}; footprint assumed; the rest as published"

[[spin_lock]]
name = "{kind.name.lower()}"
virtual_machine = "{kind.name}"
count = 1
order = "unordered"
"""


def sides(case: Case, own: Constants) -> tuple[Side, Side]:
    """The computing of client and server for a piece in a run, at the speed of its machine.

    >>> from slicewright.study.studies import named
    >>> constants = named("diag9c").ensemble()[0]
    >>> client, server = sides(Case("E", "x44"), constants)
    >>> client.hold_us == server.hold_us == constants["hold"]
    True
    """
    piece, hold = own["piece"] / case.speed, own["hold"] / case.speed
    share = own["client_share"] / 100
    return side(piece * share, own["client_held"], hold), side(piece * (1 - share), own["server_held"], hold)


@dataclass(frozen=True, slots=True)
class Intercepts:
    """Beside the first form: in how many sections of a hundred there is an intercept, and how long it takes.

    >>> Intercepts.of(Case("X", "x44"), {"intercepted": 0.7})
    Intercepts(percent=0.7, us=1.24...)
    >>> Intercepts.of(Case("E", "x44"), {"intercepted": 0.7, "output": 25.0})
    Intercepts(percent=0.7, us=25.0)
    """

    percent: float
    us: float

    @staticmethod
    def of(case: Case, own: Constants) -> Intercepts | None:
        """Those of a run with some constants; none with those of the first form."""
        if INTERCEPTED not in own:
            return None
        return Intercepts(own[INTERCEPTED], own.get(OUTPUT, INTERCEPT_US) / case.speed)


def _computing(own: Side, lock: str, intercepts: Intercepts | None) -> str:
    gap = f"{{ compute = {{ exponential = {_us(own.between_us)} }} }}"
    inside = _section_steps(own.hold_us) if intercepts is None else _cut(own.hold_us, intercepts)
    section = f'{{ lock = "{lock}", steps = [{inside}] }}'
    return f"    {gap},\n    {{ repeat_mean = {in_scenario(own.sections)}, steps = [{section}, {gap}] }},"


def _section_steps(hold_us: float) -> str:
    ends = ", ".join(_us(hold_us * (1 + sign * SPREAD)) for sign in (-1, 1))
    return f"{{ compute = {{ uniform = [{ends}] }} }}"


def _cut(hold_us: float, intercepts: Intercepts) -> str:
    """A section that is whole, or cut in its middle by an intercept: both halves are then drawn, apart."""
    half, whole = _section_steps(hold_us / 2), _section_steps(hold_us)
    weight, rest = in_scenario(intercepts.percent), in_scenario(100 - intercepts.percent)
    cut = f"{{ weight = {weight}, steps = [{half}, {{ intercept = {_us(intercepts.us)} }}, {half}] }}"
    return f"{{ choose = [{cut}, {{ weight = {rest}, steps = [{whole}] }}] }}"


def _measure(budget: Budget) -> str:
    warm_up = f'warm_up = "{in_scenario(budget.warm_up_s)} s"\n' if budget.warm_up_s is not None else ""
    return f"""\
[measure]
interval = "{budget.interval_s} s"
{warm_up}replications = {budget.replications}
"""


def _us(value: float) -> str:
    return f'"{in_scenario(value)} us"'
