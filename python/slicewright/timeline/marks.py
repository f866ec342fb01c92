"""The marks of a timeline: a letter for each holder, and signs for what is not an I/O in progress.

It leaves out where they stand.
"""

from __future__ import annotations

import string
from collections.abc import Mapping

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits
OTHERS = "*"
"""Holders beyond as many as there are letters; below the timeline they are named."""

IDLE, HELD, GAP, OFFLINE, CHANGE = ".", "~", "-", "/", "!"
MEANINGS: Mapping[str, str] = {
    IDLE: "idle",
    HELD: "held: the I/O has started and stays pending",
    GAP: "gap between I/Os",
    OFFLINE: "offline",
    CHANGE: "something is changed",
}


def letter(holder: int) -> str:
    """The letter of a holder by number, which is the same in every window of a small scenario.

    >>> [letter(number) for number in (0, 26, 61, 62)]
    ['A', 'a', '9', '*']
    """
    return LETTERS[holder] if holder < len(LETTERS) else OTHERS


def sign(state: str, holder: int | None) -> str:
    """What is drawn for a lane in a state.

    >>> [sign("busy", 1), sign("held", 1), sign("gap", 1), sign("offline", None)]
    ['B', '~', '-', '/']
    """
    if state == "busy":
        return letter(holder or 0)
    return {"held": HELD, "gap": GAP, "offline": OFFLINE}[state]
