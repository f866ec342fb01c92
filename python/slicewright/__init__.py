"""slicewright: measure, model and advise on partitioned and virtualised mainframes.

It leaves out everything heavy: data frames, plots and pages are imported when they are first needed.
"""

from slicewright._core import DeviceReport, InputError, RunError, Scenario, __version__

__all__ = [
    "DeviceReport",
    "InputError",
    "RunError",
    "Scenario",
    "__version__",
]
