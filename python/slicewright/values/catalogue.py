"""The pages of a run that people know by name, and the studies."""

from __future__ import annotations

from typing import NamedTuple

PAGES = {
    "fcx108": "DEVICE: devices of a z/VM system, as the Performance Toolkit prints them",
    "fcx108-correct": "the same with the response of the volume, where the toolkit's is wrong for bases with aliases",
    "rmf-dasd": "DIRECT ACCESS DEVICE ACTIVITY in the style of RMF on z/OS; the positions of numbers are ours",
    "rmf-dasd-classic": "the same as on MVS/XA: IOSQ is the mean sampled queue over the rate, times in whole ms",
    "rmf-cpu": "CPU ACTIVITY in the style of RMF: logical processors of each partition; positions of numbers are ours",
    "rmf-partition": "PARTITION DATA in the style of RMF: processor time of partitions; the layout is ours",
    "rmf-channel": "CHANNEL PATH ACTIVITY in the style of RMF: channel paths; positions of numbers are ours",
    "rmf-ioq": "I/O QUEUING ACTIVITY in the style of RMF: pools of HyperPAV aliases; columns are ours",
    "query-pav": "bases and aliases of each pool, in the style of CP QUERY PAV; the wording is ours",
    "proclog": "processor log of a control program (z/VM): use of time by its processors; columns are ours",
    "vectors": "its dispatch vectors: dispatches, moves, and steals by distance; columns are ours",
    "parking": "its decisions to park and unpark, with their inputs and the bound; columns are ours",
    "fcx265": "LOCKLOG (also as locklog): spinning for its scheduler lock, in the style of the Performance Toolkit",
    "users": "user states: use of time by virtual machines, in percent; columns are ours",
    "shares": "shares of virtual machines, time charged, and limits; columns are ours",
    "privop": "PRIVOP (also as fcx104): DIAGNOSE X'44', X'9C' and intercepts of virtual machines; columns are ours",
    "system": "SYSTEM (also as fcx102): outcomes of X'9C' and other counts, as far as the toolkit's rows are modelled",
    "spinlocks": "spin locks of guests: takes, contention, waits, holding times; columns are ours",
    "rmf-enqueue": "ENQUEUE ACTIVITY in the style of RMF: resources by name in contention; the layout is ours",
    "contention": "owners, waiters and blockers at the end, in the style of DISPLAY GRS,C and ANALYZE",
    "checks": "recommendations of the 580/MDF study on measuring and sharing, checked for the run or an RMF page",
}


class TablePage(NamedTuple):
    """A page that the engine prints from one table of a run."""

    table: str
    lacks: str
    """The things that a run has none of if the table has no rows."""
    shows: str
    starter: str
    """A starter scenario that has them."""


TABLE_PAGES = {
    "rmf-channel": TablePage("channels", "channels", "channel paths (channel in the scenario)", "full-channel"),
    "rmf-ioq": TablePage("pools", "alias pools", "HyperPAV aliases (alias_pool in the scenario)", "pool"),
    "rmf-enqueue": TablePage(
        "enqueues", "resources by name", "what guests enqueue on (enqueue in the scenario)", "enq-exits"
    ),
}
OF_DEVICES = ("fcx108", "fcx108-correct", "rmf-dasd", "rmf-dasd-classic", "query-pav")
OF_PARTITIONS = ("rmf-cpu", "rmf-partition")
OF_NAMES = ("rmf-enqueue", "contention")
OF_CONTROL_PROGRAMS = ("proclog", "vectors", "parking", "fcx265", "users", "shares", "privop", "system", "spinlocks")
ALSO = {"locklog": "fcx265", "fcx102": "system", "fcx104": "privop"}
"""Names that analysts use too."""

STUDIES = ("hyperpav", "mdf", "hiperdispatch", "diag9c", "grs-exits", "outside")
"""The studies of this version, in the order in which they are reproduced: a module or a package each, `_` for `-`."""
