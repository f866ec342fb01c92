"""How the processors of a scenario are shared: what the pages and screens of partitions show beside what was measured.

The tables of a run have the time that each partition got; `entitlement` has the arithmetic of weights in vertical mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slicewright._core import entitlements
from slicewright.scenario.view import Partition, View

PARAMETERS = range(1, 6)
"""The scheduling parameter of the System Scheduling screen (Partitioning Large Processors, figure 3)."""


def parameter_slice_ms(parameter: int) -> float:
    """The slice of an equal share: 35 - 5 x scheduling parameter (Partitioning Large Processors, 7.0).

    >>> [parameter_slice_ms(one) for one in PARAMETERS]
    [30.0, 25.0, 20.0, 15.0, 10.0]
    """
    return 35.0 - 5.0 * parameter


@dataclass(frozen=True, slots=True)
class Domain:
    """A partition or domain as the scenario has it; shares are percentages.

    `share` is its part of the shared processors, `norm` the same before its maximum; both None where its processors are
    its own.  `online` is how many of its logical processors are online, None for all.  `cycle_s` is how often its own
    measurement program looks, None without one.

    >>> Domain("PEMDFI", 2, 50.0, 50.0, 50.0, 50.0).per_logical(2)
    50.0
    """

    name: str
    logicals: int
    target: float | None = None
    maximum: float | None = None
    norm: float | None = None
    share: float | None = None
    weight: int | None = None
    capped: bool = False
    vertical: bool = False
    active: bool = True
    cycle_s: float | None = None
    online: int | None = None

    @property
    def present(self) -> int:
        """How many logical processors share its part."""
        return self.logicals if self.online is None else self.online

    @property
    def dedicated(self) -> bool:
        """Whether its processors are its own."""
        return self.norm is None

    def per_logical(self, shared: int) -> float:
        """The percent of a physical processor that each logical processor has, of `shared` physical ones."""
        return 100.0 if self.share is None else min(100.0, self.share * shared / self.present)


@dataclass(frozen=True, slots=True)
class Sharing:
    """The processors of a machine and the partitions that share them.

    `slice_s` is the slice of an equal share, None where PR/SM goes by weights.  Then `run_s` is the longest run of a
    logical processor, None where it is computed.  `waits` says whether a domain that waits keeps its processors,
    `changing` whether shares change while the machine runs: all here are those at the start.

    >>> Sharing(2, 1, 0.03, True, (Domain("A", 2, 50.0, 50.0, 50.0, 50.0),)).shared
    2
    """

    processors: int
    scheduling_parameter: int | None
    slice_s: float | None
    waits: bool
    domains: tuple[Domain, ...]
    run_s: float | None = None
    changing: bool = False

    @property
    def shared(self) -> int:
        """How many processors belong to no domain for good."""
        return self.processors - sum(domain.logicals for domain in self.domains if domain.dedicated)

    def domain(self, name: str) -> Domain:
        """The domain of this name; raises KeyError."""
        for domain in self.domains:
            if domain.name == name:
                return domain
        raise KeyError(name)

    def logical_shares(self, name: str) -> list[tuple[float, str]]:
        """The percent of a physical processor, and HIGH, MED or LOW, of each logical processor, online ones first.

        In vertical mode high ones come first, then medium ones (`entitlement`).  Raises KeyError for an unknown domain.

        >>> parts = Domain("A", 3, norm=70.0, share=70.0, weight=700, vertical=True), Domain("B", 2, weight=300)
        >>> Sharing(4, None, None, False, parts).logical_shares("A")
        [(100.0, 'HIGH'), (100.0, 'HIGH'), (80.0, 'MED')]
        """
        one = self.domain(name)
        if not one.vertical or one.dedicated:
            offline = [(0.0, "")] * (one.logicals - one.present)
            return [(one.per_logical(self.shared), "")] * one.present + offline
        there = [other for other in self.domains if other.active or other.name == name]
        made = entitlements(self.processors, [(other.weight, other.present) for other in there])
        own = made[there.index(one)]
        counts = [("HIGH", 100.0), ("MED", own["medium_percent"] or 0.0), ("LOW", 0.0)]
        numbers = (own["vertical_high"], own["vertical_medium"], own["vertical_low"] + one.logicals - one.present)
        return [(share, word) for (word, share), many in zip(counts, numbers, strict=True) for _ in range(many)]

    def slices(self) -> dict[str, float]:
        """The slice of each sharing domain in seconds: a frame is as many equal slices as they are, divided by shares.

        >>> equal = Domain("A", 2, 50.0, 50.0, 50.0, 50.0), Domain("B", 2, 50.0, 50.0, 50.0, 50.0)
        >>> Sharing(2, 1, 0.03, True, equal).slices()
        {'A': 0.03, 'B': 0.03}
        """
        if self.slice_s is None:
            return {}
        sharing = [domain for domain in self.domains if domain.share is not None]
        return {domain.name: self.slice_s * len(sharing) * (domain.share or 0.0) / 100 for domain in sharing}


def sharing_of(view: View) -> Sharing | None:
    """How a scenario shares its processors; None where it has none.

    NORM is a target over the sum of the targets (Partitioning Large Processors, figure 3), or a weight over the sum of
    the weights.  A maximum limits it.

    >>> from slicewright.scenario.starters import read_starter
    >>> sharing = sharing_of(read_starter("two-domains").view)
    >>> sharing.slice_s, [one.norm for one in sharing.domains]
    (0.03, [50.0, 50.0])
    """
    cec = view.cec
    if cec is None:
        return None
    weighted = cec.dispatcher == "prsm"
    parameter = cec.scheduling_parameter
    slice_s = cec.slice_s if parameter is None else parameter_slice_ms(parameter) / 1000
    return Sharing(
        processors=cec.processors,
        scheduling_parameter=parameter,
        slice_s=None if weighted else slice_s,
        run_s=cec.run_time_s,
        waits=not weighted or cec.wait_completion is True,
        domains=tuple(_domains(view.partitions)),
        changing=any(
            change.partition or change.scheduling_parameter or change.add or change.delete for change in view.changes
        ),
    )


def volumes_by_partition(view: View) -> dict[str, list[str]]:
    """The volumes of each partition of a scenario, by name; those of none under the empty name.

    >>> from slicewright.scenario.starters import read_starter
    >>> volumes_by_partition(read_starter("two-domains").view)["PEMDFT"]
    ['CC1']
    """
    made: dict[str, list[str]] = {}
    for volume in view.volumes:
        made.setdefault(volume.partition or "", []).append(volume.name)
    return made


def _domains(partitions: Sequence[Partition]) -> list[Domain]:
    shared = [partition for partition in partitions if not partition.dedicated]
    wanted = {partition.name: _wanted(partition) for partition in shared}
    there = sum(_wanted(partition) for partition in shared if partition.at_start)
    domains = []
    for partition in partitions:
        # A partition that comes later is promised its part beside those that are there from the start.
        total = there if partition.at_start else there + _wanted(partition)
        norm = 100 * wanted[partition.name] / total if partition.name in wanted and total > 0 else None
        maximum = partition.maximum_percent
        share = None if norm is None else min(norm, 100.0 if maximum is None else maximum)
        domains.append(
            Domain(
                name=partition.name,
                logicals=partition.logical_processors,
                target=partition.target_percent,
                maximum=maximum,
                norm=norm,
                share=share,
                weight=partition.weight,
                capped=partition.capped is True
                or partition.cap is not None
                or partition.lpar_group is not None
                or (maximum is not None and maximum < 100),
                vertical=partition.vertical,
                active=partition.at_start,
                cycle_s=None if partition.rmf is None else partition.rmf.cycle_s,
                online=partition.online,
            )
        )
    return domains


def _wanted(partition: Partition) -> float:
    return float(partition.weight) if partition.weight is not None else partition.target_percent or 0.0
