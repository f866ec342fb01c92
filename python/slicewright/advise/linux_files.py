"""Which of Linux's tools wrote a file, and which question that file asks."""

from __future__ import annotations

from collections.abc import Callable

from slicewright.advise.exits.profile import is_profile
from slicewright.advise.exits.syscalls import is_syscalls
from slicewright.advise.question import Files
from slicewright.advise.source import DEVICE, is_scenario
from slicewright.measured.linux.forms import tool_of
from slicewright.measured.linux.lsdasd import is_lsdasd
from slicewright.measured.linux.sched import is_sched
from slicewright.measured.linux.text import HEAD
from slicewright.values.errors import Problem, problem

_FAMILIES: tuple[tuple[str, Callable[[bytes], bool], str], ...] = (
    ("output of fio", lambda data: tool_of(data) == "fio", "aliases"),
    ("output of iostat", lambda data: tool_of(data) == "iostat", "aliases"),
    ("output of btt", lambda data: tool_of(data) == "btt", "aliases"),
    ("statistics of DASDs", lambda data: tool_of(data) == "dasdstat", "aliases"),
    ("a listing of lsdasd", lambda data: is_lsdasd(data[:HEAD]), "aliases"),
    ("waits for a processor", is_sched, "slices"),
    ("counts of system calls", is_syscalls, "exits"),
    ("a seccomp profile", is_profile, "exits"),
)
"""Kinds of files, each with its test and the question that it asks."""


def family_of(name: str, data: bytes) -> tuple[str, str] | None:
    """The kind of a file of Linux, and the question that it asks; None for any other file.

    >>> family_of("a.txt", b"time 1.0\\n/proc/1/schedstat:1 2 3\\n"), family_of("a.txt", b"FCX108")
    (('waits for a processor', 'slices'), None)
    """
    if is_scenario(name, data) or DEVICE in data:
        return None
    return next(((what, question) for what, test, question in _FAMILIES if test(data)), None)


def refused_for(question: str, files: Files) -> list[Problem]:
    """A problem for each file of Linux that does not ask this question, under the name of what it is.

    >>> refused_for("aliases", [("a.txt", b"time 1.0\\n/proc/1/schedstat:1 2 3\\n")])[0]["what"]
    'waits for a processor'
    """
    problems: list[Problem] = []
    for name, data in files:
        family = family_of(name, data)
        if family is not None and family[1] != question:
            why, remedy = f"advise {question} does not take it", f"ask advise {family[1]} {name}"
            problems.append(problem(family[0], file=name, why=why, remedy=remedy))
    return problems
