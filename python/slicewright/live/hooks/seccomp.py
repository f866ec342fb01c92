"""Puts a filter in front of the calls of the calling thread: prctl(2) by way of ctypes, the only file that uses it.

A filter cannot be removed, and ends with its thread.  It is for a thread of a worker process, never for the command.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

from slicewright.errors import Problem, problem, refusal
from slicewright.live.hooks.program import Program

SET_NO_NEW_PRIVS, SET_SECCOMP, MODE_FILTER = 38, 22, 2
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


def install(program: Program) -> None:
    """Put a filter in front of the calls of this thread, before those it has; raises InputError with the reason."""
    if not sys.platform.startswith("linux"):
        raise refusal(unavailable("filters of system calls are Linux's"))
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong)
    library.prctl.restype = ctypes.c_int
    steps = (_Instruction * len(program))(*(_Instruction(*instruction) for instruction in program))
    given = _Program(len(program), steps)
    calls = (
        ("no_new_privs", (SET_NO_NEW_PRIVS, 1, None, 0, 0)),
        ("filter", (SET_SECCOMP, MODE_FILTER, ctypes.addressof(given), 0, 0)),
    )
    for _, words in calls:
        if library.prctl(*words) != 0:
            number = ctypes.get_errno()
            raise refusal(unavailable(_WHY.get(number, os.strerror(number))))


def unavailable(why: str) -> Problem:
    """The problem of a system that takes no filter.

    >>> unavailable("of another system")["why"]
    'of another system'
    """
    allowed = "Linux with CONFIG_SECCOMP_FILTER, in a container whose profile allows prctl(PR_SET_SECCOMP)"
    return problem("no filter of system calls can be set", key="filters", why=why, allowed=allowed)


def compiled(file: Path = Path("/proc/sys/net/core/bpf_jit_enable")) -> bool | None:
    """Whether the kernel compiles filters to machine code; None where it does not say.

    >>> compiled(Path("/no/such/file"))
    """
    try:
        return file.read_text(encoding="ascii").strip() != "0"
    except (OSError, UnicodeDecodeError):
        return None
