"""slicewright: measure, model and advise on partitioned and virtualised mainframes.

>>> import slicewright
>>> run = slicewright.run(slicewright.starter("mm1"), replications=2)
>>> run["volumes"]["response_ms"][0] > 0
True
"""

from slicewright.interrupts import end_while_loading

end_while_loading()  # before the imports that take time

# ruff: noqa: E402
from importlib import import_module
from pkgutil import resolve_name
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

for _package in ("advise", "choose", "compare", "run", "scenario", "sensitivity", "study", "sweep"):
    import_module(f"slicewright.{_package}")  # once imported, a package no longer takes the place of its namesake
    del globals()[_package]

from slicewright.asking import advise, fit, sensitivity, study

if TYPE_CHECKING:
    from slicewright.choose.choose import Choice, choose
    from slicewright.compare.compare import Comparison, compare
    from slicewright.loading import load
    from slicewright.measured.measured import Measured
    from slicewright.measured.read import MonitorData, read
    from slicewright.run.run import Run, run
    from slicewright.scenario.entitlement import entitlement
    from slicewright.scenario.source import read_scenario as scenario
    from slicewright.serialization import enq as enq
    from slicewright.serialization import exits as exits
    from slicewright.sweep.sweep import Sweep, sweep
    from slicewright.timeline import Timeline, trace

_WHERE = {
    "Choice": "slicewright.choose.choose:Choice",
    "Comparison": "slicewright.compare.compare:Comparison",
    "Measured": "slicewright.measured.measured:Measured",
    "MonitorData": "slicewright.measured.read:MonitorData",
    "Run": "slicewright.run.run:Run",
    "Sweep": "slicewright.sweep.sweep:Sweep",
    "Timeline": "slicewright.timeline:Timeline",
    "choose": "slicewright.choose.choose:choose",
    "compare": "slicewright.compare.compare:compare",
    "enq": "slicewright.serialization.enq",
    "entitlement": "slicewright.scenario.entitlement:entitlement",
    "exits": "slicewright.serialization.exits",
    "load": "slicewright.loading:load",
    "read": "slicewright.measured.read:read",
    "run": "slicewright.run.run:run",
    "scenario": "slicewright.scenario.source:read_scenario",
    "sweep": "slicewright.sweep.sweep:sweep",
    "trace": "slicewright.timeline:trace",
}
"""Where the names are that are imported at their first use, because all together take a quarter of a second."""

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
    if name not in _WHERE:
        raise AttributeError(f"module 'slicewright' has no attribute {name!r}")
    globals()[name] = found = resolve_name(_WHERE[name])
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
