"""Which tool of Linux wrote a file about disks, by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from slicewright.measured.linux.btt import is_btt, read_btt
from slicewright.measured.linux.dasdstat import is_dasdstat, read_dasdstat
from slicewright.measured.linux.disk import Disks
from slicewright.measured.linux.fio import is_fio, read_fio
from slicewright.measured.linux.iostat import is_iostat, read_iostat
from slicewright.measured.linux.lsdasd import is_lsdasd
from slicewright.measured.linux.sched import is_sched
from slicewright.measured.linux.text import HEAD
from slicewright.values.errors import Problem, problem, refusal

Tool = Literal["fio", "iostat", "btt", "dasdstat"]

_TESTS = {"fio": is_fio, "iostat": is_iostat, "btt": is_btt, "dasdstat": is_dasdstat}
_READERS = {"fio": read_fio, "iostat": read_iostat, "btt": read_btt, "dasdstat": read_dasdstat}
TOOLS = "fio --output-format=json, iostat -x (text or -o JSON), btt, dasdstat, /proc/dasd/statistics"


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
    tool = tool_of(data)
    if tool is None:
        raise refusal(problem("no output of these tools", file=file, allowed=TOOLS))
    return _READERS[tool](data, file)


def refused_files(files: Sequence[tuple[str, bytes]]) -> list[Problem]:
    """A problem for each file that a tool of Linux wrote, that makes no measured run, and that `advise` reads."""
    problems: list[Problem] = []
    for name, data in files:
        if tool_of(data) is not None:
            continue
        if is_sched(data):
            what, remedy = (
                "waits for a processor, which are no disks",
                f"ask about them: slicewright advise slices {name}",
            )
            problems.append(problem(what, file=name, remedy=remedy))
        elif is_lsdasd(data[:HEAD]):
            why = "it lists volumes and aliases, but not their load"
            remedy = "take the output of dasdstat; the listing belongs beside it in advise aliases"
            problems.append(problem("output of lsdasd", file=name, why=why, remedy=remedy))
    return problems
