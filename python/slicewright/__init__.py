"""slicewright: measure, model and advise on partitioned and virtualised mainframes.

>>> import slicewright
>>> run = slicewright.run(slicewright.starter("mm1"), replications=2)
>>> run["volumes"]["response_ms"][0] > 0
True
"""

from slicewright.interrupts import end_while_loading

end_while_loading()  # before the imports that take time

# ruff: noqa: E402, F401
from importlib import import_module
from typing import TYPE_CHECKING, Any

from slicewright._core import (
    CpuReport,
    DeviceReport,
    DirectAccessReport,
    InputError,
    Page,
    PartitionReport,
    RunError,
    Scenario,
    __version__,
    starter,
)

for _package in ("advise", "run", "scenario", "study"):
    import_module(f"slicewright.{_package}")  # once imported, a package no longer takes the place of its namesake
    del globals()[_package]

from slicewright.asking import advise, fit, study

if TYPE_CHECKING:
    from slicewright.explore.choose import Choice, choose
    from slicewright.explore.plan import Plan, plan
    from slicewright.explore.sensitivity import sensitivity
    from slicewright.explore.sweep import Sweep, sweep
    from slicewright.measured.loading import load
    from slicewright.measured.measured import Measured
    from slicewright.measured.read import MonitorData, read
    from slicewright.results.compare import Comparison, compare
    from slicewright.run.run import Run, run
    from slicewright.scenario.entitlement import entitlement
    from slicewright.scenario.source import read_scenario as scenario
    from slicewright.serialization import enq as enq
    from slicewright.serialization import exits as exits
    from slicewright.timeline import Timeline, trace

__all__ = [
    "Choice",
    "Comparison",
    "CpuReport",
    "DeviceReport",
    "DirectAccessReport",
    "InputError",
    "Measured",
    "MonitorData",
    "Page",
    "PartitionReport",
    "Plan",
    "Run",
    "RunError",
    "Scenario",
    "Sweep",
    "Timeline",
    "__version__",
    "advise",
    "choose",
    "compare",
    "entitlement",
    "fit",
    "load",
    "plan",
    "read",
    "run",
    "scenario",
    "sensitivity",
    "starter",
    "study",
    "sweep",
    "trace",
]


def __getattr__(name: str) -> Any:
    """Names that are imported at their first use, because all together take a quarter of a second."""
    match name:
        case "Choice" | "choose":
            from slicewright.explore.choose import Choice, choose
        case "Comparison" | "compare":
            from slicewright.results.compare import Comparison, compare
        case "Measured":
            from slicewright.measured.measured import Measured
        case "MonitorData" | "read":
            from slicewright.measured.read import MonitorData, read
        case "Plan" | "plan":
            from slicewright.explore.plan import Plan, plan
        case "Run" | "run":
            from slicewright.run.run import Run, run
        case "Sweep" | "sweep":
            from slicewright.explore.sweep import Sweep, sweep
        case "Timeline" | "trace":
            from slicewright.timeline import Timeline, trace
        case "enq":
            from slicewright.serialization import enq
        case "entitlement":
            from slicewright.scenario.entitlement import entitlement
        case "exits":
            from slicewright.serialization import exits
        case "load":
            from slicewright.measured.loading import load
        case "scenario":
            from slicewright.scenario.source import read_scenario as scenario
        case "sensitivity":
            from slicewright.explore.sensitivity import sensitivity
        case _:
            raise AttributeError(f"module 'slicewright' has no attribute {name!r}")
    globals()[name] = found = locals()[name]
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "enq", "exits"})
