"""The program of `live hooks`: threads that put filters in front of their calls, and time calls, for each job.

Filters are classic BPF programs: rules as a list, as a tree, and as a list that a bitmap answers.  Every way through
every program allows the call, so a filter costs time and forbids nothing.  The rules name calls that do not exist: a
real call passes all of a list.  Lists and trees look at an argument at the end.  The kernel's bitmap of calls that are
always allowed cannot do that.  Source: kernel/seccomp.c of Linux, seccomp_is_const_allow and seccomp_run_filters.

A filter cannot be removed, and ends with its thread.  It is for a thread of a worker process, never for the command.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from slicewright._core import InputError, live_calls
from slicewright.live.machine import Elsewhere, beside, text_of
from slicewright.live.workers import work
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check

Order = Literal["list", "tree", "bitmap"]
"""How the rules of a filter are looked up; `slicewright live hooks --help` explains each."""

ORDERS: tuple[Order, ...] = get_args(Order)

LOAD, JUMP, EQUAL, GREATER, RETURN = 0x20, 0x05, 0x15, 0x25, 0x06
"""BPF_LD+BPF_W+BPF_ABS, BPF_JMP+BPF_JA, +BPF_JEQ, +BPF_JGT, BPF_RET+BPF_K of linux/bpf_common.h."""
ALLOW = 0x7FFF0000
"""SECCOMP_RET_ALLOW of linux/seccomp.h."""
NUMBER, ARGUMENT = 0, 16
"""Offsets of `nr` and `args[0]` in struct seccomp_data."""
FIRST = 100_000
"""The number of the first rule, above those of all calls of any architecture."""
FAR = 250
"""A conditional jump reaches 255 instructions: a list has an answer behind each 250 rules."""
LEAF = 4
"""Rules in a leaf of a tree, as libseccomp has them."""
MOST_INSTRUCTIONS = 4096
"""BPF_MAXINSNS."""
MOST_ON_PATH, EACH_FILTER = 32_768, 4
"""MAX_INSNS_PER_PATH of kernel/seccomp.c, and what each filter counts beside its instructions."""


class Instruction(NamedTuple):
    """One instruction: struct sock_filter."""

    code: int
    jt: int = 0
    jf: int = 0
    k: int = 0


Program = tuple[Instruction, ...]


def filter_program(rules: int, order: Order) -> Program:
    """A filter with this number of rules that allows every call.

    >>> len(filter_program(0, "list")), [comparisons(filter_program(500, order)) for order in ("list", "tree")]
    (4, [500, 11])
    """
    numbers = range(FIRST, FIRST + rules)
    rest = _tree(numbers) if order == "tree" and rules else _list(numbers)
    looks = () if order == "bitmap" else (Instruction(LOAD, k=ARGUMENT), Instruction(EQUAL, 0, 0, 1))
    return (Instruction(LOAD, k=NUMBER), *rest, *looks, Instruction(RETURN, k=ALLOW))


def _list(numbers: Sequence[int]) -> list[Instruction]:
    made: list[Instruction] = []
    for begin in range(0, len(numbers), FAR):
        part = numbers[begin : begin + FAR]
        made += [Instruction(EQUAL, len(part) - at, 0, number) for at, number in enumerate(part)]
        made += [Instruction(JUMP, k=1), Instruction(RETURN, k=ALLOW)]
    return made


def _tree(numbers: Sequence[int]) -> list[Instruction]:
    """A binary search: the lower half follows, the upper is jumped to.  A call without a rule goes on at the end."""
    made = _branch(numbers)
    return [
        Instruction(JUMP, k=len(made) - at - 1) if instruction.code == JUMP and instruction.k < 0 else instruction
        for at, instruction in enumerate(made)
    ]


def _branch(numbers: Sequence[int]) -> list[Instruction]:
    if len(numbers) <= LEAF:
        rules = [Instruction(EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
        return [*rules, Instruction(JUMP, k=-1), Instruction(RETURN, k=ALLOW)]
    middle = (len(numbers) + 1) // 2
    low, high = _branch(numbers[:middle]), _branch(numbers[middle:])
    if len(low) <= FAR:
        return [Instruction(GREATER, len(low), 0, numbers[middle - 1]), *low, *high]
    return [Instruction(GREATER, 0, 1, numbers[middle - 1]), Instruction(JUMP, k=len(low)), *low, *high]


def _passed(program: Program, number: int) -> list[Instruction]:
    """The instructions that a call of this number passes, to the look at an argument or the answer."""
    passed = []
    at = 0
    while True:
        instruction = program[at]
        passed.append(instruction)
        if instruction.code == RETURN or (instruction.code == LOAD and instruction.k == ARGUMENT):
            return passed
        if instruction.code == JUMP:
            at += instruction.k
        elif instruction.code != LOAD:
            holds = number == instruction.k if instruction.code == EQUAL else number > instruction.k
            at += instruction.jt if holds else instruction.jf
        at += 1


def comparisons(program: Program, number: int = 0) -> int:
    """How often a call is compared with a rule."""
    return sum(instruction.code in (EQUAL, GREATER) for instruction in _passed(program, number))


def _converted(program: Program) -> int:
    """The most instructions into which the kernel converts a program: it counts those.

    A conditional jump with two targets becomes two, so does an answer; there are three in front.
    """
    return 3 + sum(2 if step.code == RETURN or (step.jt and step.jf) else 1 for step in program)


def refused(program: Program, filters: int) -> str:
    """Why the kernel refuses this number of filters of a program; empty where it takes them.

    >>> refused(filter_program(5000, "list"), 1)
    'a filter of 5,044 instructions; the kernel takes 4,096'
    """
    if len(program) > MOST_INSTRUCTIONS:
        return f"a filter of {len(program):,} instructions; the kernel takes {MOST_INSTRUCTIONS:,}"
    total = filters * (_converted(program) + EACH_FILTER)
    if total > MOST_ON_PATH:
        return f"{total:,} instructions in all filters; the kernel takes {MOST_ON_PATH:,}"
    return ""


_SET_NO_NEW_PRIVS, _SET_SECCOMP, _MODE_FILTER = 38, 22, 2
"""PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP of linux/prctl.h; SECCOMP_MODE_FILTER of linux/seccomp.h."""

_WHY = {
    errno.EINVAL: "this kernel has no filters of system calls (CONFIG_SECCOMP_FILTER)",
    errno.ENOSYS: "this kernel has no filters of system calls",
    errno.EACCES: "a program that may gain privileges may not set filters",
    errno.EPERM: "the profile of this container or service does not allow prctl(PR_SET_SECCOMP)",
    errno.ENOMEM: "the filters have more instructions than the kernel takes, or memory is short",
}


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_uint16), ("filter", ctypes.POINTER(_Instruction)))


def _install(program: Program) -> None:
    """Put a filter in front of the calls of this thread, before those it has; raises InputError with the reason."""
    if not sys.platform.startswith("linux"):
        raise refusal(unavailable("filters of system calls are Linux's"))
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong)
    library.prctl.restype = ctypes.c_int
    steps = (_Instruction * len(program))(*(_Instruction(*instruction) for instruction in program))
    given = _Program(len(program), steps)
    filtered = (_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(given), 0, 0)
    for words in ((_SET_NO_NEW_PRIVS, 1, None, 0, 0), filtered):
        if library.prctl(*words) != 0:
            number = ctypes.get_errno()
            raise refusal(unavailable(_WHY.get(number, os.strerror(number))))


def unavailable(why: str) -> Problem:
    """The problem of a system that takes no filter."""
    allowed = "Linux with CONFIG_SECCOMP_FILTER, in a container whose profile allows prctl(PR_SET_SECCOMP)"
    return problem("no filter of system calls can be set", key="filters", why=why, allowed=allowed)


def compiled(file: Path = Path("/proc/sys/net/core/bpf_jit_enable")) -> bool | None:
    """Whether the kernel compiles filters to machine code; None where it does not say."""
    said = text_of(file).strip()
    return said != "0" if said else None


@dataclass(frozen=True)
class Job:
    """The filters of a thread: order, rules of each, growing numbers of them; the processor, ns for each number."""

    order: Order
    rules: int
    counts: tuple[int, ...]
    processor: int
    length_ns: int


@dataclass(frozen=True)
class _Called:
    """Nanoseconds of a call at percentiles of stretches of calls, and of processor time in the mean."""

    p50_ns: float
    p95_ns: float
    p99_ns: float
    cpu_ns: float

    @staticmethod
    def of(seen: Mapping[str, Any]) -> _Called:
        """The sum of what the engine saw."""
        stretches, each = sorted(seen["stretches_ns"]), seen["stretch_calls"]
        p50, p95, p99 = (stretches[int(share * (len(stretches) - 1))] / each for share in (0.5, 0.95, 0.99))
        return _Called(p50, p95, p99, seen["cpu_ns"] / (each * len(stretches)))


@dataclass(frozen=True)
class Seen:
    """The calls of a job: without a filter, then behind each number of them."""

    called: tuple[_Called, ...]
    elsewhere: Elsewhere


def measure(job: Job) -> Seen:
    """Run one job, on a thread that ends afterwards; raises InputError with what the system refused."""
    called: list[_Called] = []
    problems: list[Problem] = []

    def filtered() -> None:
        try:
            os.sched_setaffinity(0, {job.processor})
            program, there = filter_program(job.rules, job.order), 0
            for count in (0, *job.counts):
                for _ in range(count - there):
                    _install(program)
                there = count
                called.append(_Called.of(live_calls(job.length_ns)))
        except InputError as error:
            problems.extend(error.problems)

    def run() -> None:
        thread = threading.Thread(target=filtered)
        thread.start()
        thread.join()

    _, elsewhere = beside([job.processor], run)
    check(*problems)
    return Seen(tuple(called), elsewhere)


if __name__ == "__main__":
    sys.exit(work(measure))
