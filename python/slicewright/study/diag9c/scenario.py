"""The scenario of a run: the cases, machine, control program, clients and servers, and what is measured of it.

Every choice made here was declared before the runs that it is for: docs/decisions/0015-diag9c-study.md, and for the
other forms 0019-diag9c-intercepts.md and 0046-diag9c-cycles-caches-network.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from slicewright.run.yield_budget import held
from slicewright.study.points import Budget, Key, Tables
from slicewright.study.spec import Number, Spec
from slicewright.values.numerals import in_scenario

Yields = Literal["x44", "x9c"]
"""How SLES 10 yields: DIAGNOSE X'44', or X'9C'."""

CYCLE_NS = {"z990": 0.83, "z9": 0.58}
"""Published cycle times (IBM eServer zSeries 990 Technical Guide; IBM System z9 EC Technical Guide)."""

ROOMY = "N"
"""Run A with a processor for each virtual one: no contention."""

RUNS = ("A", "B", "C", "E", "H", "X")
"""The pairs of runs, in the order of the tables."""


@cache
def document() -> Mapping[str, Any]:
    """The published numbers as they are written.

    >>> document()["setup"]["processors"]
    9
    """
    return Spec.read("diag9c").document


@cache
def setting(run: str) -> Mapping[str, Any]:
    """How a pair of runs was set up; raises StopIteration when there is none of that name.

    >>> setting("E")["server_processors"]
    6
    """
    own: Mapping[str, Any] = next(entry for entry in document()["run"] if entry["id"] == run)
    return own


def ablations() -> Mapping[str, str]:
    """The standard experiments: what is taken away.

    >>> list(ablations())
    ['no-reload', 'no-switch-cost', 'no-network-delay']
    """
    return Spec.read("diag9c").ablations


@dataclass(frozen=True, slots=True)
class Case:
    """One simulated run: which pair it is of, how SLES 10 yields, the release of z/VM, and an ablation, if any.

    >>> Case("E", "x9c").virtual_processors, Case("E", "x9c").processors
    (210, 9)
    """

    run: str
    yields: Yields
    zvm: str = "5.3"
    ablation: str = ""

    @property
    def own(self) -> Mapping[str, Any]:
        """How the run was set up, as published; the roomy one as run A."""
        return setting("A" if self.run == ROOMY else self.run)

    @property
    def clients(self) -> int:
        """How many clients there are."""
        return int(document()["setup"]["clients"])

    @property
    def client_processors(self) -> int:
        """Virtual processors of a client."""
        return self._count("client_processors")

    @property
    def servers(self) -> int:
        """How many servers there are."""
        return self._count("servers")

    @property
    def server_processors(self) -> int:
        """Virtual processors of a server."""
        return self._count("server_processors")

    @property
    def connections(self) -> int:
        """Connections of all clients to all servers.

        >>> [Case(run, "x44").connections for run in "ABCE"]
        [16, 32, 64, 192]
        """
        return self.clients * self.servers * self._count("connections")

    @property
    def virtual_processors(self) -> int:
        """Virtual processors of all guests."""
        return self.clients * self.client_processors + self.servers * self.server_processors

    @property
    def processors(self) -> int:
        """Processors of the partition."""
        return self.virtual_processors if self.run == ROOMY else int(document()["setup"]["processors"])

    @property
    def spin_retry(self) -> int:
        """How often SLES 10 tries before it yields."""
        return self._count("spin_retry")

    @property
    def speed(self) -> float:
        """How many times as fast as a z990 the machine is: the published ratio of throughputs.

        >>> Case("X", "x44").speed, Case("E", "x44").speed
        (1.61, 1.0)
        """
        return float(document()["ratios"]["z9_throughput"]) if self.own["machine"] == "z9" else 1.0

    @property
    def clock(self) -> float:
        """How many times as fast as on a z990 a loop is that stays within the core: the ratio of cycle times.

        >>> round(Case("X", "x44").clock, 2), Case("E", "x44").clock
        (1.43, 1.0)
        """
        return CYCLE_NS["z990"] / CYCLE_NS[str(self.own["machine"])]

    @property
    def name(self) -> str:
        """The name of its scenario file, without the suffix.

        >>> Case("H", "x44").name, Case("E", "x9c", "5.2").name
        ('H-x44', 'E-x9c-5.2')
        """
        return f"{self.run}-{self.yields}" + (f"-{self.zvm}" if self.zvm != "5.3" else "")

    def without(self, ablation: str) -> Case:
        """The same run with something taken away; nothing where that is empty."""
        return replace(self, ablation=ablation)

    def _count(self, key: str) -> int:
        return int(str(self.own[key]))


def pair(run: str) -> tuple[Case, Case]:
    """The two runs of a pair: with X'44' and with X'9C'.

    >>> [case.name for case in pair("A")]
    ['A-x44', 'A-x9c']
    """
    return Case(run, "x44"), Case(run, "x9c")


RELEASES = (Case("E", "x9c", "5.2"), Case("E", "x9c"))
"""The two runs of table 3: z/VM 5.2 and 5.3."""


def cases_of(number: Number) -> tuple[Case, ...]:
    """The runs that a number is made of; for a gain, the one that is compared with comes first.

    >>> from slicewright.results.judge import Place
    >>> [case.name for case in cases_of(Number(Place("run.A", "diag44.rate_per_s", "1/s"), 119868))]
    ['A-x44']
    """
    row = number.place.row
    own = gain_of(number.place.table)
    if number.place.table == "table3":
        return own if row == "gain_percent" else own[:1]
    if row == "throughput_gain_percent":
        return own
    return own[:1] if row.startswith("diag44.") else own[1:]


def gain_of(table: str) -> tuple[Case, Case]:
    """The two runs that the gain of a published table is of.

    >>> [case.name for case in gain_of("run.A")], [case.zvm for case in gain_of("table3")]
    (['A-x44', 'A-x9c'], ['5.2', '5.3'])
    """
    return RELEASES if table == "table3" else pair(table.removeprefix("run."))


# The text.

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
class _Side:
    """What clients or servers compute for a piece: all of it, between sections each, and how many of these.

    >>> side(100.0, 20.0, 5.0)
    _Side(between_us=16.0, sections=4.0, hold_us=5.0)
    """

    between_us: float
    sections: float
    hold_us: float


def side(computing_us: float, held_percent: float, hold_us: float) -> _Side:
    """Computing for a piece, `held_percent` of it in sections of `hold_us` each: with n of them n + 1 gaps.

    >>> side(100.0, 20.0, 5.0).sections
    4.0
    """
    held = computing_us * held_percent / 100
    sections = held / hold_us
    return _Side((computing_us - held) / (sections + 1), sections, hold_us)


def scenario(case: Case, constants: Constants, budget: Budget) -> str:
    """A run as a complete scenario file (TOML), measured as the budget says.

    >>> from slicewright.study.studies import named
    >>> text = scenario(Case("E", "x9c"), named("diag9c").constants().of, Budget(interval_s=2, warm_up_s=1.0))
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
    intercepts = _Intercepts.of(case, own)
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


def sides(case: Case, own: Constants) -> tuple[_Side, _Side]:
    """The computing of client and server for a piece in a run, at the speed of its machine.

    >>> from slicewright.study.studies import named
    >>> constants = named("diag9c").constants().of
    >>> client, server = sides(Case("E", "x44"), constants)
    >>> client.hold_us == server.hold_us == constants["hold"]
    True
    """
    piece, hold = own["piece"] / case.speed, own["hold"] / case.speed
    share = own["client_share"] / 100
    return side(piece * share, own["client_held"], hold), side(piece * (1 - share), own["server_held"], hold)


@dataclass(frozen=True, slots=True)
class _Intercepts:
    """Beside the first form: in how many sections of a hundred there is an intercept, and how long it takes.

    >>> _Intercepts.of(Case("X", "x44"), {"intercepted": 0.7})
    _Intercepts(percent=0.7, us=1.24...)
    >>> _Intercepts.of(Case("E", "x44"), {"intercepted": 0.7, "output": 25.0})
    _Intercepts(percent=0.7, us=25.0)
    """

    percent: float
    us: float

    @staticmethod
    def of(case: Case, own: Constants) -> _Intercepts | None:
        """Those of a run with some constants; none with those of the first form."""
        if INTERCEPTED not in own:
            return None
        return _Intercepts(own[INTERCEPTED], own.get(OUTPUT, INTERCEPT_US) / case.speed)


def _computing(own: _Side, lock: str, intercepts: _Intercepts | None) -> str:
    gap = f"{{ compute = {{ exponential = {_us(own.between_us)} }} }}"
    inside = _section_steps(own.hold_us) if intercepts is None else _cut(own.hold_us, intercepts)
    section = f'{{ lock = "{lock}", steps = [{inside}] }}'
    return f"    {gap},\n    {{ repeat_mean = {in_scenario(own.sections)}, steps = [{section}, {gap}] }},"


def _section_steps(hold_us: float) -> str:
    ends = ", ".join(_us(hold_us * (1 + sign * SPREAD)) for sign in (-1, 1))
    return f"{{ compute = {{ uniform = [{ends}] }} }}"


def _cut(hold_us: float, intercepts: _Intercepts) -> str:
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


# Measured values.

THROUGHPUT = "throughput"
"""Pieces of 64 KiB a second: of an unknown scale."""

BUDGETED = (
    "total_percent",
    "guests_percent",
    "chargeable_cp_percent",
    "nonchargeable_cp_percent",
    "work_percent",
    "spinning_percent",
    "x44_per_s",
    "fast_x44_per_s",
    "x9c_per_s",
    "sensed_per_s",
)
"""Counters of the control program that a breakdown is computed from; with `held`, the spin locks that are held."""


def measured(run: Tables) -> dict[Key, float]:
    """The values of one replication from its tables."""
    counters = {name: column[0] for name, column in run["control_programs"].items()}
    locks = run["spin_locks"]
    taken, spans = np.array(locks["taken_per_s"], dtype=float), np.array(locks["held_us"], dtype=float)
    counters["held"] = float(held(taken, spans).sum())
    exchanges = math.fsum(exchange for exchange in run["guests"]["exchanges_per_s"] if math.isfinite(exchange))
    return values(counters, exchanges)


def values(counters: Mapping[str, float], exchanges_per_s: float) -> dict[Key, float]:
    """The study's values from the counters of one replication, those of table 3 under its names, too.

    Fast-path X'44' are part of all X'44'; total DIAGs are X'44' and X'9C' (Diagnose X'9C' Support, notes to table 1).
    PLDV queue is the mean while a vector is not empty; `pldv_mean` is that over all time.

    >>> counters = dict.fromkeys((*BUDGETED, "held"), 8.0)
    >>> counters |= {"vector_empty_percent": 60.0, "vector_depth": 0.8, "fast_x44_per_s": 2.0}
    >>> found = values(counters, 100.0)
    >>> [found[row] for row in ("diag44.fast_path_percent", "diag44.pldv_queue", "diag9c.diag9c_percent")]
    [25.0, 2.0, 50.0]
    """
    x44, x9c = counters["x44_per_s"], counters["x9c_per_s"]
    waiting = 1 - counters["vector_empty_percent"] / 100
    found: dict[Key, float] = {
        THROUGHPUT: exchanges_per_s,
        "diag44.rate_per_s": x44,
        "diag44.fast_path_percent": _share(counters["fast_x44_per_s"], x44),
        "diag44.pldv_empty_percent": counters["vector_empty_percent"],
        "diag44.pldv_queue": counters["vector_depth"] / waiting if waiting > 0 else 0.0,
        "pldv_mean": counters["vector_depth"],
        "diag9c.total_diags_per_s": x44 + x9c,
        "diag9c.diag9c_percent": _share(x9c, x44 + x9c),
        "zvm52_total_diags_per_s": x44 + x9c,
        "zvm52_diag9c_percent": _share(x9c, x44 + x9c),
    }
    return found | {name: counters[name] for name in (*BUDGETED, "held")}


def _share(part: float, whole: float) -> float:
    return 100 * part / whole if whole > 0 else 0.0
