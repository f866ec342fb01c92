"""Which tool of Linux wrote a file about disks, by its first lines."""

from __future__ import annotations

import re
from typing import Literal

from slicewright.measured.linux.btt import is_btt, read_btt
from slicewright.measured.linux.dasdstat import is_dasdstat, read_dasdstat
from slicewright.measured.linux.disk import Disks
from slicewright.measured.linux.fio import is_fio, read_fio
from slicewright.measured.linux.iostat import is_iostat, read_iostat
from slicewright.measured.linux.text import HEAD

Tool = Literal["fio", "iostat", "btt", "dasdstat"]

_TESTS = {"fio": is_fio, "iostat": is_iostat, "btt": is_btt, "dasdstat": is_dasdstat}
_READERS = {"fio": read_fio, "iostat": read_iostat, "btt": read_btt, "dasdstat": read_dasdstat}
TOOLS = "fio --output-format=json, iostat -x (text or -o JSON), btt, dasdstat"


def tool_of(data: bytes) -> Tool | None:
    """The tool that wrote a file, or None.

    >>> tool_of(b'{"fio version" : "fio-3.33", "jobs" : []}'), tool_of(b"FCX108"), tool_of(b"[[volume]]")
    ('fio', None, None)
    """
    head = data[:HEAD]
    if b"\0" in head or re.match(rb"\s*\[\[", head):
        return None
    for tool, test in _TESTS.items():
        if test(head):
            return tool  # type: ignore[return-value]
    return None


def read_disks(data: bytes, file: str) -> Disks:
    """The disks of a file of any of the tools; raises InputError with every problem in it.

    >>> read_disks(b"FCX108", "page")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: page: no output of these tools
    """
    from slicewright.errors import problem, refusal

    tool = tool_of(data)
    if tool is None:
        raise refusal(problem("no output of these tools", file=file, allowed=TOOLS))
    return _READERS[tool](data, file)
