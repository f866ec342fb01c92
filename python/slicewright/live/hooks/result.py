"""Settings of filters, live and simulated, and their verdicts; as data and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypedDict

from slicewright.live.cells import KeptEstimate, Verdict, kept_estimate, verdict
from slicewright.live.environment import BUSY_PERCENT, STOLEN_PERCENT, Environment
from slicewright.live.hooks.plan import Plan, Setting
from slicewright.live.hooks.program import Order
from slicewright.serialization.hooks import HookPrices
from slicewright.statistics import Estimate, fixed

KIND = "live hooks"
ABSOLUTE_NS = 10.0
"""Live and simulated agree when what filters add differs by at most 15 % of the simulated, or this many ns."""

LIVE = ("added_ns", "p50_ns", "p95_ns", "p99_ns", "cpu_ns")
SIMULATED = ("added_ns", "call_ns")


class KeptPair(TypedDict):
    """A pair as it is kept.

    >>> "order" in KeptPair.__required_keys__
    True
    """

    order: Order
    rules: int
    filters: int
    compared: int
    others_percent: float
    calibration: bool
    live: dict[str, KeptEstimate]
    simulated: dict[str, KeptEstimate]
    verdict: Verdict


class KeptResult(TypedDict):
    """A result as it is kept.

    >>> "format" in KeptResult.__required_keys__
    True
    """

    format: int
    kind: Literal["live hooks"]
    plan: Plan
    environment: Environment
    compiled: bool | None
    there_before: int
    prices: HookPrices
    pairs: list[KeptPair]
    left_out: dict[str, str]
    agree: int
    predicted: int
    warnings: list[str]


@dataclass(frozen=True)
class Pair:
    """One setting; `others_percent` is what others had of the processor.  Those of the constants are not judged.

    >>> live = {name: Estimate(120.0, 1.0, 6) for name in LIVE}
    >>> Pair(Setting("list", 100, 1), 0.0, False, live, {name: Estimate(111.0, 1.0, 6) for name in SIMULATED}).verdict
    'agrees'
    """

    setting: Setting
    others_percent: float
    calibration: bool
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]

    @property
    def difference_ns(self) -> float:
        """The time that filters add live, less the simulated one."""
        return self.live["added_ns"].mean - self.simulated["added_ns"].mean

    @property
    def verdict(self) -> Verdict:
        """Too noisy: outside the band, where the ranges leave it open or others had much of the processor."""
        return verdict(self.live["added_ns"], self.simulated["added_ns"], ABSOLUTE_NS, self.others_percent)

    def as_json(self) -> dict[str, Any]:
        """The pair as one object."""
        sides = {
            side: {name: asdict(value) for name, value in values.items()}
            for side, values in (("live", self.live), ("simulated", self.simulated))
        }
        return {
            **asdict(self.setting), "compared": sum(self.setting.compared), "others_percent": self.others_percent,
            "calibration": self.calibration, **sides, "verdict": self.verdict,
        }  # fmt: skip

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> Pair:
        """Read back what `as_json` gave."""
        live, simulated = (
            {name: kept_estimate(kept) for name, kept in value[side].items()} for side in ("live", "simulated")
        )
        setting = Setting(value["order"], value["rules"], value["filters"])
        return Pair(setting, value["others_percent"], value["calibration"], live, simulated)


@dataclass(frozen=True)
class HooksResult:
    """A plan that was measured and simulated.

    `there_before` are filters that the command had itself, from its container; `compiled` is whether the kernel
    compiles filters, None where it does not say.

    >>> HooksResult(Plan(), Environment(), HookPrices(190.0, 60.0, 23.0, 0.18), ()).agree
    0
    """

    plan: Plan
    environment: Environment
    prices: HookPrices
    pairs: tuple[Pair, ...]
    compiled: bool | None = None
    there_before: int = 0
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def predicted(self) -> list[Pair]:
        """The pairs that no constant is from."""
        return [pair for pair in self.pairs if not pair.calibration]

    @property
    def agree(self) -> int:
        """How many predicted pairs agree."""
        return sum(pair.verdict == "agrees" for pair in self.predicted)

    def warnings(self) -> list[str]:
        """Disturbances, and what the kernel did not take."""
        where = self.environment
        found = [f"{setting} was not measured: {why}" for setting, why in self.left_out.items()]
        if where.others_percent > BUSY_PERCENT:
            found.append(
                f"others took {fixed(where.others_percent, 1)} % of the measured processor: caches are colder, and "
                "single calls are interrupted"
            )
        if where.stolen_percent > STOLEN_PERCENT:
            found.append(f"a hypervisor took {fixed(where.stolen_percent, 1)} % of the measured processor away")
        if self.there_before:
            found.append(f"{self.there_before} filters were there before: every call here is behind them too")
        if self.compiled is False:
            found.append(
                "the kernel interprets filters (net.core.bpf_jit_enable is 0): a rule costs several times more"
            )
        return found

    def as_json(self) -> dict[str, Any]:
        """The result as one object.

        >>> result = HooksResult(Plan(), Environment(), HookPrices(190.0, 60.0, 23.0, 0.18), ())
        >>> HooksResult.of_json(result.as_json()) == result
        True
        """
        return {
            "kind": KIND, "plan": asdict(self.plan), "environment": asdict(self.environment), "compiled": self.compiled,
            "there_before": self.there_before, "prices": asdict(self.prices),
            "pairs": [pair.as_json() for pair in self.pairs], "left_out": dict(self.left_out), "agree": self.agree,
            "predicted": len(self.predicted), "warnings": self.warnings(),
        }  # fmt: skip

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> HooksResult:
        """Read back what `as_json` gave."""
        plan: dict[str, Any] = {
            name: tuple(kept) if isinstance(kept, list) else kept for name, kept in value["plan"].items()
        }
        return HooksResult(
            Plan(**plan), Environment.of_json(value["environment"]), HookPrices(**value["prices"]),
            tuple(map(Pair.of_json, value["pairs"])), value["compiled"], value["there_before"], value["left_out"],
        )  # fmt: skip
