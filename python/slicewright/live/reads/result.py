"""Pairs of live reads and their simulation, and their verdicts; as data and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypedDict

from slicewright.live.cells import ABSOLUTE_MS, KeptEstimate, Verdict, kept_estimate, verdict
from slicewright.live.environment import Environment
from slicewright.live.reads.constants import Constants
from slicewright.live.reads.device import Device
from slicewright.live.reads.plan import Load, Plan
from slicewright.statistics import Estimate

KIND = "live io"
SHARED = ("reads_per_s", "wait_ms", "p50_ms", "p95_ms", "p99_ms", "cpu_us")
LIVE = (*SHARED, "read_us", "switches", "counted_per_s", "pressure_percent")
JUDGED: Mapping[str, float] = {"reads_per_s": 0.0, "wait_ms": ABSOLUTE_MS, "p99_ms": ABSOLUTE_MS}
"""The judged numbers, and by how much live and simulated may differ, beside a share of the simulated."""


class KeptPair(TypedDict):
    """A pair as it is kept.

    >>> "load" in KeptPair.__required_keys__
    True
    """

    load: Load
    depth: int
    others_percent: float
    live: dict[str, KeptEstimate]
    simulated: dict[str, KeptEstimate]
    verdicts: dict[str, Verdict]


class KeptResult(TypedDict):
    """A result as it is kept.

    >>> "format" in KeptResult.__required_keys__
    True
    """

    format: int
    kind: Literal["live io"]
    plan: Plan
    environment: Environment
    device: Device
    constants: Constants
    pairs: list[KeptPair]
    left_out: str
    notes: list[str]
    agree: dict[str, int]
    warnings: list[str]


@dataclass(frozen=True)
class Pair:
    """One load and number of permits; `others_percent` is what others had of the processors meanwhile.

    >>> live = {name: Estimate(100.0, 1.0, 5) for name in LIVE}
    >>> Pair("limit", 8, 0.0, live, {name: Estimate(110.0, 1.0, 20) for name in SHARED}).verdicts["p99_ms"]
    'agrees'
    """

    load: Load
    depth: int
    others_percent: float
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Of reads a second, mean waits, and the waits that one in a hundred exceeds."""
        others = self.others_percent
        return {
            name: verdict(self.live[name], self.simulated[name], absolute, others) for name, absolute in JUDGED.items()
        }

    def as_json(self) -> dict[str, Any]:
        """The pair as one object."""
        sides = {"live": self.live, "simulated": self.simulated}
        kept = {side: {name: asdict(value) for name, value in values.items()} for side, values in sides.items()}
        own = {"load": self.load, "depth": self.depth, "others_percent": self.others_percent}
        return {**own, **kept, "verdicts": self.verdicts}

    @staticmethod
    def of_json(value: KeptPair) -> Pair:
        """Read back what `as_json` gave."""
        live = {name: kept_estimate(kept) for name, kept in value["live"].items()}
        simulated = {name: kept_estimate(kept) for name, kept in value["simulated"].items()}
        return Pair(value["load"], value["depth"], value["others_percent"], live, simulated)


@dataclass(frozen=True)
class ReadsResult:
    """A plan that was measured and simulated; `left_out` says why the limit was not measured here.

    >>> ReadsResult(Plan("."), Environment(), Device("254:0", "vda"), Constants(), ()).agree("p99_ms")
    0
    """

    plan: Plan
    environment: Environment
    device: Device
    constants: Constants
    pairs: tuple[Pair, ...]
    left_out: str = ""
    notes: tuple[str, ...] = field(default=())

    def agree(self, name: str) -> int:
        """How many pairs agree in one number."""
        return sum(pair.verdicts[name] == "agrees" for pair in self.pairs)

    def of(self, load: Load) -> list[Pair]:
        """The pairs of a load."""
        return [pair for pair in self.pairs if pair.load == load]

    def warnings(self) -> list[str]:
        """Disturbances, a limit that was not measured, and one that was not reached."""
        found = [*self.environment.warnings(), *self.notes]
        if self.left_out:
            found.append(f"the limit was not measured: {self.left_out}")
        unlimited = [pair.live["reads_per_s"].mean for pair in self.of("no limit")]
        if unlimited and self.of("limit") and max(unlimited) < self.plan.limit_per_s:
            found.append(
                f"without a limit there were at most {max(unlimited):,.0f} reads a second: a limit of "
                f"{self.plan.limit_per_s:,.0f} bounds nothing here"
            )
        return found

    def as_json(self) -> dict[str, Any]:
        """The result as one object.

        >>> result = ReadsResult(Plan("."), Environment(), Device("254:0", "vda"), Constants(), ())
        >>> ReadsResult.of_json(result.as_json()) == result
        True
        """
        return {
            "kind": KIND, "plan": asdict(self.plan), "environment": asdict(self.environment),
            "device": asdict(self.device), "constants": self.constants.as_json(),
            "pairs": [pair.as_json() for pair in self.pairs], "left_out": self.left_out, "notes": list(self.notes),
            "agree": {name: self.agree(name) for name in JUDGED}, "warnings": self.warnings(),
        }  # fmt: skip

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> ReadsResult:
        """Read back what `as_json` gave."""
        plan: dict[str, Any] = {
            name: tuple(item) if isinstance(item, list) else item for name, item in value["plan"].items()
        }
        return ReadsResult(
            Plan(**plan), Environment.of_json(value["environment"]), Device(**value["device"]),
            Constants(**value["constants"]), tuple(map(Pair.of_json, value["pairs"])), value["left_out"],
            tuple(value["notes"]),
        )  # fmt: skip
