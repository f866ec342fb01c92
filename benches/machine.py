"""What a benchmark ran on: processor, cores, load, versions. The text does not identify the machine."""

import os
import platform
from pathlib import Path


def processor() -> str:
    """The processor's model as the system prints it, or its architecture where it does not say."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def description() -> str:
    """One line on the machine and how busy it is now.

    >>> "cores" in description()
    True
    """
    load = os.getloadavg()[0]
    return f"{processor()}, {os.cpu_count()} cores, load {load:.2f}, Python {platform.python_version()}"
