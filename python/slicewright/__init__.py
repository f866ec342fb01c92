"""slicewright: measure, model and advise on partitioned and virtualised mainframes.

>>> import slicewright
>>> from slicewright._core import starter
>>> run = slicewright.run(starter("mm1"), replications=2)
>>> "response_ms" in run.volumes.columns
True
"""

from slicewright._core import (
    CpuReport,
    DeviceReport,
    DirectAccessReport,
    InputError,
    PartitionReport,
    RunError,
    Scenario,
    __version__,
)
from slicewright.compare.compare import compare
from slicewright.run.directory import load
from slicewright.run.run import Run, run
from slicewright.scenario.entitlement import entitlement
from slicewright.serialization import enq as enq
from slicewright.serialization import exits as exits
from slicewright.timeline import Timeline, trace

__all__ = [
    "CpuReport",
    "DeviceReport",
    "DirectAccessReport",
    "InputError",
    "PartitionReport",
    "Run",
    "RunError",
    "Scenario",
    "Timeline",
    "__version__",
    "compare",
    "entitlement",
    "load",
    "run",
    "trace",
]
