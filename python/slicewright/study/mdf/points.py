"""A point: both domains simulated at one scheduling parameter, and the study's values of it, one per replication."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from slicewright.statistics import Estimate, estimate
from slicewright.study.mdf.constants import Constants
from slicewright.study.mdf.derived import Derived
from slicewright.study.mdf.scenario import BOTH, FRONT_END, IMS, TSO, scenario
from slicewright.study.points import Budget, Columns, Progress, by_replication, grow, warm_up

Value = tuple[str, str]
"""Table and row."""


@dataclass(slots=True)
class Point:
    """A simulated scheduling parameter: per table and row one number per replication, in the published unit.

    >>> Point(3, "", 0.0, samples={("table1.ims", "iosq_ms"): [6.5, 6.6]}).replications
    2
    """

    parameter: int
    checksum: str
    warm_up_s: float
    events: int = 0
    samples: dict[Value, list[float]] = field(default_factory=dict)

    @property
    def column(self) -> str:
        """Its column in the published tables."""
        return f"sched{self.parameter}"

    @property
    def replications(self) -> int:
        """How many replications there are so far."""
        return len(next(iter(self.samples.values()), []))

    def estimate(self, value: Value) -> Estimate:
        """A value with its 95 % half-width; raises KeyError when nothing gave it."""
        return estimate(self.samples[value])

    def take(self, tables: dict[str, Columns]) -> None:
        """Add the replications that the engine returned."""
        self.events += round(sum(tables["system"]["events"]))
        needed = ("volumes", "guests", "front_ends", "resources", "partitions")
        split = {name: dict(by_replication(tables[name])) for name in needed}
        for number in split["volumes"]:
            one = {name: split[name].get(number, {}) for name in needed}
            for value, found in values(one).items():
                self.samples.setdefault(value, []).append(found)


Enough = Callable[[Point], bool]


@dataclass(frozen=True, slots=True)
class Case:
    """What to simulate: a scheduling parameter, with these constants and inputs, and who has work.

    >>> from slicewright.study.mdf.constants import committed_constants
    >>> Case(3, committed_constants()).domains
    ('PEMDFI', 'PEMDFT')
    """

    parameter: int
    constants: Constants
    inputs: Derived | None = None
    domains: tuple[str, ...] = BOTH

    @property
    def text(self) -> str:
        """Its scenario."""
        return scenario(self.parameter, self.constants, self.inputs, self.domains)


def simulate(
    case: Case, budget: Budget, *, enough: Enough = lambda point: True, progress: Progress | None = None
) -> Point:
    """Simulate a case; batches of `budget.replications` are added until `enough` or `budget.most` is reached.

    Raises RunError when the simulation cannot go on.

    >>> from slicewright.study.mdf.constants import committed_constants
    >>> short = Budget(replications=2, most=2, interval_s=10, warm_up_s=10)
    >>> point = simulate(Case(1, committed_constants()), short)
    >>> 10 < point.estimate(("table2.TSO-CC1", "rate_per_s")).mean < 12
    True
    """
    from slicewright._core import Scenario

    settings = [f'measure.interval="{budget.interval_s} s"'] if budget.interval_s else []
    engine = Scenario.read(case.text.encode(), f"sched{case.parameter}.toml", settings)
    point = Point(case.parameter, engine.checksum, warm_up(engine, budget, progress))
    return grow(engine, budget, point, enough, progress)


def values(tables: Mapping[str, Columns]) -> dict[Value, float]:
    """The study's values from the tables of one replication, of the domains that had work.

    IOSQ is that of RMF: the queue that the program inside the domain sampled, over the rate (Partitioning Large
    Processors, 4.0); RESP = IOSQ + service.  Domain means are rate-weighted over its disks, the front end is none.

    >>> values({"guests": {"guest": []}})
    {}
    """
    found: dict[Value, float] = {}
    guests = tables["guests"]["guest"]
    if "terminals" in guests:
        found |= _ims(tables)
    if "users" in guests:
        found |= _tso(tables)
    return found


def _ims(tables: Mapping[str, Columns]) -> dict[Value, float]:
    disks = _disks(tables["volumes"], IMS)
    guest, front = _row(tables["guests"], "guest", "terminals"), _row(tables["front_ends"], "front_end", FRONT_END)
    region = _row(tables["resources"], "resource", "MPR")
    found = _domain("table1.ims", disks)
    for name in ("C23", "8C2"):
        found |= _device(f"table2.IMS-{name}", disks[name])
    found["figure8.ims", "io_per_s"] = math.fsum(disk["io_per_s"] for disk in disks.values())
    table3 = {
        "front_end_4705_rate_per_s": front["io_per_s"],
        "tpns_queue_s": front["in_wait_ms"] / 1000,
        "input_queue_s": guest["resource_wait_ms"] / 1000,
        "execution_s": region["hold_ms"] / 1000,
        "output_queue_s": front["out_wait_ms"] / 1000,
        "response_s": guest["transaction_ms"] / 1000,
        "external_transactions_per_s": guest["cycles_per_s"],
        "cpu_percent": _row(tables["partitions"], "partition", IMS)["cpu_percent"],
    }
    return found | {("table3.ims", row): value for row, value in table3.items()}


def _tso(tables: Mapping[str, Columns]) -> dict[Value, float]:
    disks = _disks(tables["volumes"], TSO)
    guest = _row(tables["guests"], "guest", "users")
    found = _domain("table1.tso", disks)
    for name in ("CC1", "CC2"):
        found |= _device(f"table2.TSO-{name}", disks[name])
    return found | {
        ("table4.tso", "response_s"): guest["transaction_ms"] / 1000,
        ("table4.tso", "external_transactions_per_s"): guest["cycles_per_s"],
    }


def _disks(volumes: Columns, domain: str) -> dict[str, dict[str, float]]:
    """The disks of a domain, by name: IMS has C23, 8C2 and DB.., TSO the others; the front end is none."""
    own = ("C23", "8C2", "DB") if domain == IMS else ("CC1", "CC2", "TS")
    return {name: _row(volumes, "volume", name) for name in volumes["volume"] if name.startswith(own)}


def _domain(table: str, disks: dict[str, dict[str, float]]) -> dict[Value, float]:
    busy = [disk for disk in disks.values() if disk["io_per_s"]]
    rate = math.fsum(disk["io_per_s"] for disk in busy)
    iosq = math.fsum(disk["io_per_s"] * disk["iosq_rmf_ms"] for disk in busy) / rate
    service = math.fsum(disk["io_per_s"] * disk["service_ms"] for disk in busy) / rate
    return {(table, "response_ms"): iosq + service, (table, "iosq_ms"): iosq}


def _device(table: str, disk: dict[str, float]) -> dict[Value, float]:
    return {
        (table, "rate_per_s"): disk["io_per_s"],
        (table, "response_ms"): disk["iosq_rmf_ms"] + disk["service_ms"],
        (table, "iosq_ms"): disk["iosq_rmf_ms"],
    }


def _row(table: Columns, key: str, name: str) -> dict[str, float]:
    at = table[key].index(name)
    return {column: found[at] for column, found in table.items()}
