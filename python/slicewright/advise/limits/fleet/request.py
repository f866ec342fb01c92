"""What is asked of a fleet: the options of `advise limits` that apply to many containers, checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from slicewright.advise.assumptions import Assumptions, assumed_of, without_effect
from slicewright.advise.limits.aim import Aim
from slicewright.advise.limits.request import KNEE_PERCENT, MARGIN_PERCENT, TARGETS
from slicewright.advise.options import AdviceOptions, growth_factor, share_of
from slicewright.advise.target import Target, parse_target
from slicewright.errors import Problem, nearest, problem, refusal

TOP, MOST_TOP = 20, 100_000
"""Workloads that text lists, and the most that can be asked for."""
SAID = 5
"""Workloads that are named where one is not known."""
ALONE = ("requests", "threads", "period", "burst", "processors")
"""Options about one container: `--limit` is that of all whose limit the series do not give."""


@dataclass(frozen=True, slots=True)
class FleetRequest:
    """The options after checking.  `workload` is the one to simulate with the engine, "" for none."""

    growth: float = 1.0
    target: Target | None = None
    knee_percent: float = KNEE_PERCENT
    margin_percent: float = MARGIN_PERCENT
    top: int = TOP
    workload: str = ""
    patch: str = ""
    """The file for patches, "" for none."""
    alone: AdviceOptions = field(default_factory=AdviceOptions)
    """The options for the one workload that is simulated."""

    @property
    def aim(self) -> Aim:
        """The aim of every limit."""
        return Aim(self.target, self.knee_percent)

    def of_one(self, workload: str) -> FleetRequest:
        """The same of one workload, of which nothing is known but its series."""
        return replace(self, workload=workload, alone=replace(self.alone, own={}, at=()))


def check(options: AdviceOptions) -> FleetRequest:
    """The options checked; raises InputError with every problem.

    >>> check(AdviceOptions.of(growth="20%", top="5")).top
    5
    """
    problems: list[Problem] = []
    own = options.own
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, TARGETS) if options.target is not None else None
    if target is not None and not target.sign.startswith("<"):
        why = "advise looks for short latency and rare throttling"
        what = f"asks for more latency or throttling: {target}"
        problems.append(problem(what, key="target", why=why, allowed="NAME <= NUMBER"))
    assumed = assumed_of(options.assume, _ASSUMPTIONS, problems)
    if target is not None and "knee_percent" in assumed:
        problems.append(without_effect("knee", f"the target decides: {target}"))
    workload = str(own.get("workload", ""))
    if not workload:
        why = "it is about one container; the data of a fleet have many"
        allowed = "--workload NAMESPACE/NAME/CONTAINER beside it, or no such option"
        problems += [
            problem("applies to one container", key=key, why=why, allowed=allowed) for key in ALONE if key in own
        ]
        if options.at:
            problems.append(problem("applies to one container", key="at", why=why, allowed=allowed))
    top = _top(own.get("top"), problems)
    if problems:
        raise refusal(*problems)
    return FleetRequest(
        growth, target, top=top, workload=workload, patch=str(own.get("patch", "")), alone=options, **assumed
    )


def refuse_unknown(request: FleetRequest, workloads: Sequence[str]) -> None:
    """Raise InputError where the workload to simulate is none of those in the data.

    >>> refuse_unknown(FleetRequest(workload="shop/cart/app"), ["shop/cart/app"])
    """
    if not request.workload or request.workload in workloads:
        return
    near = nearest(request.workload, workloads)
    more = ", and so on" if len(workloads) > SAID else ""
    allowed = f"NAMESPACE/NAME/CONTAINER: {', '.join(sorted(workloads)[:SAID])}{more}"
    what = f"no such workload: {request.workload}"
    raise refusal(problem(what, key="workload", allowed=allowed, nearest=near))


def _top(text: str | None, problems: list[Problem]) -> int:
    if text is None:
        return TOP
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", str(text)) or not 1 <= int(text) <= MOST_TOP:
        problems.append(problem(f"not a number of workloads: {text}", key="top", allowed=f"1 to {MOST_TOP:,}"))
        return TOP
    return int(text)


def _percent(text: str) -> float | None:
    found = share_of(text)
    return found if found else None


_ASSUMPTIONS: Assumptions = {
    "margin": ("margin_percent", _percent, "a share, up to 100 %: 15 %"),
    "knee": ("knee_percent", _percent, "a share, up to 100 %: 20 %"),
}
