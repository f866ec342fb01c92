"""Files about disks of Linux, which ask about their queue depth."""

from __future__ import annotations

from slicewright.advise.source import is_scenario
from slicewright.measured.linux.forms import tool_of
from slicewright.measured.linux.lsdasd import is_lsdasd
from slicewright.measured.linux.text import HEAD


def of_linux(name: str, data: bytes) -> bool:
    """Whether one of Linux's tools wrote a file, and not a person a scenario.

    >>> of_linux("dasd.txt", b"Bus-ID    Status    Name      Device  Type"), of_linux("a.txt", b"FCX108")
    (True, False)
    """
    return not is_scenario(name, data) and (tool_of(data) is not None or is_lsdasd(data[:HEAD]))
