"""slicewright: measure, model and advise on partitioned and virtualised mainframes.

>>> import slicewright
>>> run = slicewright.run(slicewright.starter("mm1"), replications=2)
>>> run["volumes"]["response_ms"][0] > 0
True
"""

from slicewright.interrupts import end_while_loading

end_while_loading()  # before the imports that take time

# ruff: noqa: E402
import slicewright.advise
import slicewright.study
import slicewright.sweep  # noqa: F401  the packages come first, so that the functions of the same names stay
from slicewright._core import (
    CpuReport,
    DeviceReport,
    DirectAccessReport,
    InputError,
    PartitionReport,
    RunError,
    Scenario,
    __version__,
    starter,
)
from slicewright.asking import advise, fit, study
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

__all__ = [
    "Comparison",
    "CpuReport",
    "DeviceReport",
    "DirectAccessReport",
    "InputError",
    "Measured",
    "MonitorData",
    "PartitionReport",
    "Run",
    "RunError",
    "Scenario",
    "Sweep",
    "Timeline",
    "__version__",
    "advise",
    "compare",
    "entitlement",
    "fit",
    "load",
    "read",
    "run",
    "scenario",
    "starter",
    "study",
    "sweep",
    "trace",
]
