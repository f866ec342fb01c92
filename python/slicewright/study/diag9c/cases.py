"""What can be simulated of the study: one run of a pair, under a release of z/VM, with enough processors or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from slicewright.study.published import Number
from slicewright.study.spec import Spec

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
    return Spec.read("diag9c").tables


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
