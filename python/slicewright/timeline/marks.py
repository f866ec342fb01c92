"""The marks of a timeline: a letter for each holder, and signs for what is not an I/O in progress."""

from __future__ import annotations

import string
from collections.abc import Mapping

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits
OTHERS = "*"
"""Holders beyond as many as there are letters; below the timeline they are named."""

IDLE, HELD, GAP, OFFLINE, CHANGE = ".", "~", "-", "/", "!"
INTERRUPT_PENDING, HANDLING, IN_WAIT, NOT_DISPATCHED, WORK_NOT_DISPATCHED = "=", "^", "_", "'", ":"
CONTROL_PROGRAM, PARKED, WAKING, CPU_WAIT, INTERRUPTED, LIMITED, LOCKED = "%", "#", "+", ";", "<", "$", "@"
SEVERAL = "&"
MEANINGS: Mapping[str, str] = {
    IDLE: "idle",
    HELD: "held: the I/O has started and stays pending",
    INTERRUPT_PENDING: "I/O ended, its interrupt is not handled yet",
    GAP: "gap between I/Os",
    OFFLINE: "offline",
    HANDLING: "processor handles an interrupt",
    IN_WAIT: "processor carried, in wait",
    NOT_DISPATCHED: "processor not carried",
    WORK_NOT_DISPATCHED: "processor not carried, has work",
    CONTROL_PROGRAM: "processor in the control program, without a guest",
    PARKED: "processor parked",
    WAKING: "waking: its interrupt is not handled yet",
    CPU_WAIT: "waits for a processor (CPU wait)",
    INTERRUPTED: "its processor handles a wake-up or is not carried",
    LIMITED: "at the limit of its virtual machine",
    LOCKED: "lock held by one alone",
    SEVERAL: "several share it",
    CHANGE: "something is changed",
}

OF_HOLDER = ("busy", "working", "running", "taken", "owned", "shared")
"""States that show the letter of the lane's holder."""

_SIGNS: Mapping[str, str] = {
    "held": HELD,
    "interrupt-pending": INTERRUPT_PENDING,
    "gap": GAP,
    "offline": OFFLINE,
    "handling-interrupt": HANDLING,
    "in-wait": IN_WAIT,
    "not-dispatched": NOT_DISPATCHED,
    "work-not-dispatched": WORK_NOT_DISPATCHED,
    "control-program": CONTROL_PROGRAM,
    "parked": PARKED,
    "waking": WAKING,
    "cpu-wait": CPU_WAIT,
    "interrupted": INTERRUPTED,
    "limited": LIMITED,
    "locked": LOCKED,
    "shared": SEVERAL,
}


def letter(holder: int) -> str:
    """The letter of a holder by number, which is the same in every window of a small scenario.

    >>> [letter(number) for number in (0, 26, 61, 62)]
    ['A', 'a', '9', '*']
    """
    return LETTERS[holder] if holder < len(LETTERS) else OTHERS


def sign(state: str, holder: int | None) -> str:
    """The sign of a lane in a state.

    >>> [sign("busy", 1), sign("held", 1), sign("gap", 1), sign("offline", None), sign("in-wait", None)]
    ['B', '~', '-', '/', '_']
    >>> sign("shared", 1), sign("shared", None)
    ('B', '&')
    """
    if state in OF_HOLDER and holder is not None:
        return letter(holder)
    return _SIGNS[state]
