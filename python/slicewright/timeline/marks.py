"""The marks of a timeline: a letter for each holder, and signs for what is not an I/O in progress."""

from __future__ import annotations

import string
from collections.abc import Mapping

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits
OTHERS = "*"
"""Holders beyond as many as there are letters; below the timeline they are named."""

IDLE, CHANGE = ".", "!"
_MARKS = (
    (IDLE, "", "idle"),
    ("~", "held", "held: the I/O has started and stays pending"),
    ("=", "interrupt-pending", "I/O ended, its interrupt is not handled yet"),
    ("-", "gap", "gap between I/Os"),
    ("/", "offline", "offline"),
    ("^", "handling-interrupt", "processor handles an interrupt"),
    ("_", "in-wait", "processor carried, in wait"),
    ("'", "not-dispatched", "processor not carried"),
    (":", "work-not-dispatched", "processor not carried, has work"),
    ("%", "control-program", "processor in the control program, without a guest"),
    ("#", "parked", "processor parked"),
    ("+", "waking", "waking: its interrupt is not handled yet"),
    (";", "cpu-wait", "waits for a processor (CPU wait)"),
    ("<", "interrupted", "its processor handles a wake-up or is not carried"),
    ("$", "limited", "at the limit of its virtual machine"),
    ("@", "locked", "lock held by one alone"),
    ("&", "shared", "several share it"),
    (CHANGE, "", "something is changed"),
)
"""Each sign with its state and its meaning."""
MEANINGS: Mapping[str, str] = {mark: meaning for mark, _, meaning in _MARKS}
_SIGNS: Mapping[str, str] = {state: mark for mark, state, _ in _MARKS}

OF_HOLDER = ("busy", "working", "running", "taken", "owned", "shared")
"""States that show the letter of the lane's holder."""


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
