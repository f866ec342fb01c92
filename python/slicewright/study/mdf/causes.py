"""What probably causes each cell that misses: thought after the runs, and changing nothing in them."""

from __future__ import annotations

from fnmatch import fnmatchcase

from slicewright.study.causes import UNKNOWN
from slicewright.study.cells import Place
from slicewright.study.mdf.constants import Form

_HOT = (
    "too long at parameter 1 already, where no constant can change it: any program may want a hot volume at any time; "
    "probably programs keep to volumes of their own, which leaves fewer to want one (variant 3 of decision 0010)"
)
_BUSY = (
    "published IOSQ halves from parameter 1 to 3 while slices shrink by a third and service stays: one 15-minute "
    "interval of such a device has limits of about 3 ms, and the pairs, which no slice shortens, were fitted to one of "
    "them"
)
_SHARE = "the published share of 8C2 falls from 3.5 % of the I/O at parameter 1 to 3.2 % at 5; the model has one share"
_SURGES = (
    "no surges: the first front-end I/O of a slice carries no more messages than the others (variant 2 of decision "
    "0010); response and output queue multiply the error of ETR"
)

Causes = tuple[tuple[str, str, str], ...]

CAUSES: Causes = (
    ("table2.IMS-8C2", "rate_per_s", _SHARE),
    ("table2.IMS-*", "*", _HOT),
    ("table2.TSO-*", "*", _BUSY),
    ("table3.ims", "*", _SURGES),
    (
        "table4.tso",
        "*",
        "no CPU is lost at the beginning of a slice, so more slices cost nothing; with .3 ms of reload (variant 1 of "
        "decision 0010, informed) both come out",
    ),
)
"""Patterns of table and row, and the suspected cause; the first that matches counts."""

ADOPTED: Causes = (
    (
        "table2.IMS-8C2",
        "*",
        f"{_SHARE}, so at 5 the device is offered more than it was; at 3 its wait grows here with its rate, while the "
        "published one, with limits of about 3 ms, falls a little",
    ),
    ("table2.TSO-*", "*", _BUSY + "; no variant was meant for them"),
    (
        "table3.ims",
        "front_end_4705_rate_per_s",
        "published front-end I/Os a transaction rise from 1.23 at parameter 3 to 1.34 at 5, here to 1.27: a surge of "
        "as many messages however short the slice is too much at 5, where less gathers while the domain is off",
    ),
)
"""The same for the adopted form."""


def cause(place: Place, form: Form = "first") -> str:
    """The suspected cause of a miss in a form, or that none is known.

    >>> cause(Place("table9.none", "nothing", "ms", "sched3"))
    'no cause is known'
    """
    listed = ADOPTED if form == "adopted" else CAUSES
    found = (why for table, row, why in listed if fnmatchcase(place.table, table) and fnmatchcase(place.row, row))
    return next(found, UNKNOWN)
