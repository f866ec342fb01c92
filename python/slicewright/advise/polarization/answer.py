"""The answer about polarization: the setting to choose, one point per setting, readings, evidence and caveats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from slicewright.advise.constants import Constant, Reading
from slicewright.advise.controlled import Controlled
from slicewright.advise.polarization.choose import Difference
from slicewright.advise.polarization.gate import Gate
from slicewright.advise.polarization.setting import Setting, product_default
from slicewright.advise.target import Target
from slicewright.statistics import Estimate

SHOWN = (
    "work_percent", "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "tv_ratio",
    "unparked", "moved_percent", "spin_percent", "ready", "wait_percent", "dispatches_per_s",
)  # fmt: skip
"""Columns of the curve; 100 % is one processor."""


@dataclass(frozen=True, slots=True)
class SettingPoint:
    """One setting: its columns, how it differs from now and from the one to choose, and the range over readings.

    `low` and `high`, of work and processor time, are empty where only the main reading was simulated.

    >>> from slicewright.advise.polarization.example import advice
    >>> point = advice().point(advice().partition.now)
    >>> point.from_now.work.mean, point.low["work_percent"] <= point.columns["work_percent"].mean
    (0.0, True)
    """

    setting: Setting
    columns: Mapping[str, Estimate]
    from_now: Difference
    from_chosen: Difference
    tv_parks: float
    """How often T/V was high enough to park."""
    low: Mapping[str, float] = field(default_factory=dict)
    high: Mapping[str, float] = field(default_factory=dict)
    text: str = field(default="", repr=False)
    """The complete scenario."""


@dataclass(frozen=True, slots=True)
class Recommended:
    """The setting to choose, and which of its parts make no difference.

    `fewest`: logical processors that would do the same, of those simulated.

    >>> from slicewright.advise.polarization.example import advice
    >>> advice().recommendation.setting.polarization
    'vertical'
    """

    setting: Setting
    indifferent: tuple[str, ...]
    fewest: int


@dataclass(frozen=True, slots=True)
class PolarizationTarget:
    """A condition, and the setting that meets it in the least processor time; None where none does.

    >>> PolarizationTarget(Target("total_percent", "<=", 400.0), None).setting is None
    True
    """

    target: Target
    setting: Setting | None


@dataclass(frozen=True, slots=True)
class PolarizationAnswer:
    """All of it, of one partition.

    >>> from slicewright.advise.polarization.example import advice
    >>> advice().partition.name, advice().gate.where
    ('ZVM', 'processor')
    """

    file: str
    heading: str
    partition: Controlled
    recommendation: Recommended | None
    reason: str
    curve: tuple[SettingPoint, ...]
    gate: Gate
    runnable: Estimate
    """Virtual processors that run or want to, per logical processor, as it is now."""
    parking: bool
    """Whether CPUPAD makes any difference: parking by need engages."""
    readings: tuple[Reading[Setting], ...]
    constants: tuple[Constant, ...]
    replications: int
    warm_up_s: float
    interval_s: float
    fewest: int = 0
    """Logical processors that would do the same, of those simulated; it is known without a recommendation too."""
    growth: float = 1.0
    grown: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    asked: tuple[Setting, ...] = ()
    target: PolarizationTarget | None = None

    @property
    def usual(self) -> Setting:
        """What z/VM does unless told otherwise: settings are named by how they differ from it."""
        return product_default(self.partition.now.processors)

    def point(self, setting: Setting | None) -> SettingPoint | None:
        """The point of the curve with this setting."""
        if setting is None:
            return None
        return next((one for one in self.curve if one.setting.key == setting.key), None)
