"""One reading over settings: each simulated once, and the least limit that does what is asked."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from slicewright.advise.limits.aim import Aim
from slicewright.advise.limits.grid import nice
from slicewright.advise.limits.measured import Measured
from slicewright.advise.limits.model import NO_LIMIT, Group, Load, Setting, setting_of
from slicewright.advise.limits.simulations import (
    CURVE_REQUESTS,
    CURVE_RUNS,
    FIT_REQUESTS,
    FIT_RUNS,
    LimitSimulations,
    plan_for,
)
from slicewright.experiment.plan import Plan

HALVINGS = 2
"""Of the step between a limit that does and the next lower one that does not."""


@dataclass
class Curve:
    """A reading's load with the settings of now; `main` is looked at for longer.

    >>> from slicewright.advise.limits.example import group, simulations, load
    >>> curve = Curve(simulations(), load(), group(), False)
    >>> curve.at(curve.now) is curve.at(curve.now)
    True
    """

    simulations: LimitSimulations
    load: Load
    group: Group
    main: bool
    between: list[float] = field(default_factory=list)
    """Limits that were looked at to find the least one."""
    enough: dict[Setting, float] = field(default_factory=dict)
    """The least limit that was seen to throttle nothing, by the other settings."""

    @property
    def now(self) -> Setting:
        """The settings of now."""
        return setting_of(self.group, self.load)

    @property
    def plan(self) -> Plan:
        """How long is looked."""
        size = (CURVE_REQUESTS, CURVE_RUNS) if self.main else (FIT_REQUESTS, FIT_RUNS)
        return plan_for(self.load, self.group.period_ms, *size)

    def at(self, setting: Setting) -> Measured:
        """The trial under a setting; more of a limit that throttles nothing is no limit.

        Only the main reading is simulated under every setting: its scenarios are written, and give the same numbers.
        """
        others = replace(setting, limit=NO_LIMIT)
        if not self.main and setting.limit >= self.enough.get(others, NO_LIMIT):
            return self.without(setting)
        trial = self.simulations.at(self._load(setting), setting, self.plan)
        if not trial.columns["throttled"].any():
            self.enough[others] = min(setting.limit, self.enough.get(others, NO_LIMIT))
        return trial

    def without(self, setting: Setting) -> Measured:
        """The same with no limit: period and burst do not matter then, threads do."""
        setting = Setting(NO_LIMIT, setting.threads, self.group.period_ms, 0.0)
        return self.simulations.at(self._load(setting), setting, self.plan)

    def text(self, setting: Setting) -> str:
        """The complete scenario under a setting."""
        return self.simulations.text(self._load(setting), setting, self.plan)

    def meets(self, setting: Setting, aim: Aim) -> bool:
        """Whether a setting does what is asked; the main reading has to do it surely."""
        return aim.met(self.at(setting), self.without(self.now), self.main)

    def least(self, limits: Sequence[float], aim: Aim) -> float | None:
        """The least limit from which on what is asked is done; inf where only none at all does it, None where nothing.

        >>> from slicewright.advise.limits.example import group, simulations, load
        >>> Curve(simulations(), load(), group(), False).least([0.5, 2.0, float("inf")], Aim(None, 20.0)) > 0.5
        True
        """
        ordered = sorted(limits)
        at = bisect.bisect_left(ordered, True, key=lambda limit: self.meets(replace(self.now, limit=limit), aim))
        if at == len(ordered):
            return None
        best, worse = ordered[at], ordered[at - 1] if at else 0.0
        if math.isinf(best):
            best = self._as_many_as_threads(worse, aim)
        if worse == 0.0 or math.isinf(best):
            return best
        for _ in range(HALVINGS):
            middle = nice((best + worse) / 2)
            if not worse < middle < best:
                break
            self.between.append(middle)
            if self.meets(replace(self.now, limit=middle), aim):
                best = middle
            else:
                worse = middle
        return best

    def _as_many_as_threads(self, worse: float, aim: Aim) -> float:
        """A limit of a processor for each thread, where it does what is asked; else none."""
        most = float(min(self.load.threads, self.group.processors or self.load.threads))
        if most <= worse or not self.meets(replace(self.now, limit=most), aim):
            return NO_LIMIT
        self.between.append(most)
        return most

    def _load(self, setting: Setting) -> Load:
        return replace(self.load, threads=setting.threads)
