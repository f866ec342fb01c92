"""Pairs of a live lock and its simulation, and their verdicts; as data and as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypedDict

from slicewright.live.cells import KeptEstimate, Verdict, kept_estimate, verdict
from slicewright.live.environment import Environment
from slicewright.live.locks.constants import Alone, Constants
from slicewright.live.locks.plan import Method, Plan
from slicewright.statistics import Estimate

KIND = "live yields"
ABSOLUTE_US = 1000.0
"""Live and simulated agree when they differ by at most this share of the simulated, waits also by at most 1 ms."""

LIVE = ("locks_per_s", "wait_us", "p50_us", "p95_us", "p99_us", "held_us", "cpu_us", "gave_up", "taken_away")
SIMULATED = ("locks_per_s", "wait_us", "p50_us", "p95_us", "p99_us", "held_us", "cpu_us", "yields", "sleeps")


class KeptPair(TypedDict):
    """A pair as it is kept.

    >>> "method" in KeptPair.__required_keys__
    True
    """

    method: Method
    hogs: int
    hold_us: float
    others_percent: float
    live: dict[str, KeptEstimate]
    simulated: dict[str, KeptEstimate]
    verdicts: dict[str, Verdict]


class KeptAlone(TypedDict):
    """The costs of one method and holding time as they are kept.

    >>> "alone" in KeptAlone.__required_keys__
    True
    """

    method: Method
    hold_us: float
    alone: Alone


class KeptResult(TypedDict):
    """A result as it is kept.

    >>> "format" in KeptResult.__required_keys__
    True
    """

    format: int
    kind: Literal["live yields"]
    plan: Plan
    environment: Environment
    constants: Constants
    alone: list[KeptAlone]
    pairs: list[KeptPair]
    left_out: dict[str, str]
    agree: dict[str, int]
    warnings: list[str]


@dataclass(frozen=True)
class Pair:
    """One method, number of hogs and holding time; `others_percent` is what others had of the processors meanwhile.

    >>> live = {name: Estimate(100.0, 1.0, 5) for name in LIVE}
    >>> Pair("spin", 0, 2.0, 0.0, live, {name: Estimate(110.0, 1.0, 10) for name in SIMULATED}).verdicts
    {'locks_per_s': 'agrees', 'wait_us': 'agrees'}
    """

    method: Method
    hogs: int
    hold_us: float
    others_percent: float
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Of locks a second, and of mean waits."""
        return {"locks_per_s": self._verdict("locks_per_s", 0.0), "wait_us": self._verdict("wait_us", ABSOLUTE_US)}

    def relative(self, name: str) -> float:
        """Live less simulated, as a share of the simulated."""
        simulated = self.simulated[name].mean
        return (self.live[name].mean - simulated) / simulated if simulated else math.inf

    def _verdict(self, name: str, absolute: float) -> Verdict:
        return verdict(self.live[name], self.simulated[name], absolute, self.others_percent)

    def as_json(self) -> dict[str, Any]:
        """The pair as one object."""
        sides = {
            side: {name: asdict(value) for name, value in values.items()}
            for side, values in (("live", self.live), ("simulated", self.simulated))
        }
        own = {"method": self.method, "hogs": self.hogs, "hold_us": self.hold_us}
        return {**own, "others_percent": self.others_percent, **sides, "verdicts": self.verdicts}

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> Pair:
        """Read back what `as_json` gave."""
        live, simulated = (
            {name: kept_estimate(kept) for name, kept in value[side].items()} for side in ("live", "simulated")
        )
        return Pair(value["method"], value["hogs"], value["hold_us"], value["others_percent"], live, simulated)


@dataclass(frozen=True)
class LocksResult:
    """A plan that was measured and simulated; `left_out` says why a method was not measured here.

    >>> LocksResult(Plan(), Environment(), Constants(), {}, ()).agree("locks_per_s")
    0
    """

    plan: Plan
    environment: Environment
    constants: Constants
    alone: Mapping[tuple[Method, float], Alone]
    pairs: tuple[Pair, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)

    def agree(self, name: str) -> int:
        """How many pairs agree in one number."""
        return sum(pair.verdicts[name] == "agrees" for pair in self.pairs)

    def warnings(self) -> list[str]:
        """Disturbances, and methods that could not be measured."""
        return [
            *self.environment.warnings(),
            *(f"{method} was not measured: {why}" for method, why in self.left_out.items()),
        ]

    def as_json(self) -> dict[str, Any]:
        """The result as one object.

        >>> result = LocksResult(Plan(), Environment(), Constants(), {("spin", 2.0): Alone(1.0, 2.0, 3.0)}, ())
        >>> LocksResult.of_json(result.as_json()) == result
        True
        """
        alone = [
            {"method": method, "hold_us": hold_us, "alone": asdict(times)}
            for (method, hold_us), times in self.alone.items()
        ]
        return {
            "kind": KIND, "plan": asdict(self.plan), "environment": asdict(self.environment),
            "constants": self.constants.as_json(), "alone": alone, "pairs": [pair.as_json() for pair in self.pairs],
            "left_out": dict(self.left_out), "agree": {name: self.agree(name) for name in ("locks_per_s", "wait_us")},
            "warnings": self.warnings(),
        }  # fmt: skip

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> LocksResult:
        """Read back what `as_json` gave."""
        plan: dict[str, Any] = {
            name: tuple(field) if isinstance(field, list) else field for name, field in value["plan"].items()
        }
        alone = {(kept["method"], kept["hold_us"]): Alone(**kept["alone"]) for kept in value["alone"]}
        return LocksResult(
            Plan(**plan), Environment.of_json(value["environment"]), Constants(**value["constants"]), alone,
            tuple(map(Pair.of_json, value["pairs"])), value["left_out"],
        )  # fmt: skip
