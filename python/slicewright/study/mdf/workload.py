"""Named assumptions where the document leaves the two workloads open: sizes, classes, shapes.

Every choice here was declared before anything was simulated, in its form, at a scheduling parameter to be predicted:
docs/decisions/0010-mdf-study.md and 0011-mdf-adopted.md.
"""

from __future__ import annotations

from dataclasses import dataclass

ROTATION_MS = 16.7
"""A whole rotation at 3,600 rpm: the latency of an I/O is anywhere from none to this."""

PEND_MS = 0.5
"""ASSUME pend: the split of service between pend, disconnect and connect is not published and changes nothing."""

SLIH_MS = 0.15
"""ASSUME the service of the interrupt handler. From .02 to .3 ms, IOSQ at scheduling parameter 1 moves by less than its
noise: the front end's own service is fitted, and offsets the handler's."""

CYCLE_S = 1
"""RMF's default cycle; the document does not say which one was used."""

PROGRAMS, REGIONS = 100, 60
"""Application programs, each scheduled serially (ASSUME), and message-processing regions (figure 4)."""

TSO_IO = 10
"""ASSUME I/Os per TSO command: not published."""

RELOAD_MS = 0.3
"""ASSUME what a logical processor of TSO loses at the beginning of each slice, in the adopted form alone."""

FIRST_MESSAGES = 2.0
"""ASSUME how many messages ride on the first front-end I/O of a slice on average, in the adopted form alone."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class of TSO commands: the scripts of figure 6 in it, and what one demands, in units of a light command.

    >>> CLASSES[0].weight({"BROWSE JOB": 5, "FOCUS": 10})
    5
    """

    name: str
    scripts: tuple[str, ...]
    demand: int

    def weight(self, percents: dict[str, int]) -> int:
        """Its share of the commands, in percent, from the weights of figure 6."""
        return sum(percents.get(script, 0) for script in self.scripts)


CLASSES = (
    Class(
        "light",
        (
            "GENERAL EDIT 2",
            "GENERAL EDIT 2,1",
            "EDIT,SUBMIT",
            "BROWSE JOB",
            "HELP, DELETE, RESET",
            "HOUSEKEEPING",
            "VTOC LIST",
            "TSO COMMANDS",
            "LOGOFF",
        ),
        1,
    ),
    Class(
        "medium",
        (
            "ASSEMBLER",
            "COBOL COMPILE",
            "PL/I COMPILE",
            "FORTRAN COMPILE",
            "EXEC COBOL",
            "EXEC ASSEMBLER",
            "EXEC PL/I",
            "EXEC FORTRAN",
        ),
        3,
    ),
    Class("heavy", ("SAS PRINT, PLOT", "SAS CHART", "SAS GLM", "SAS ANALYZE SMF", "FOCUS"), 9),
)
"""ASSUME classes: which scripts are light, medium and heavy, and that each class demands three times the one before."""
