"""What follows by arithmetic from the published setup and the column of scheduling parameter 1: input of the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from slicewright.study.spec import Spec

SEEN = "sched1"
"""The only column that anything is derived from or fitted to."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A volume that the document names: its share of its domain's I/O, or I/Os per command, and its service in ms.

    >>> derived().hot["C23"].service_ms
    17
    """

    share: float
    service_ms: float


@dataclass(frozen=True, slots=True)
class Derived:
    """Inputs derived from scheduling parameter 1; times in the unit of their suffix, CPU with the handler's in it.

    `messages_per_s` is what the front end carries each way: a message in and one out per transaction.
    `hot` are the two IMS volumes with their shares of its I/O, `busy` the two of TSO with I/Os per command.

    >>> one = derived()
    >>> round(one.ims_think_s, 2), round(one.tso_think_s, 2), round(one.ims_cpu_ms, 2), round(one.ims_io, 2)
    (16.03, 20.1, 17.93, 15.37)
    """

    terminals: int
    ims_think_s: float
    messages_per_s: float
    ims_io: float
    ims_cpu_ms: float
    ims_service_ms: float
    front_end_io: float
    hot: dict[str, Disk]
    users: int
    tso_think_s: float
    tso_service_ms: float
    busy: dict[str, Disk]


def document(folder: Path | None = None) -> dict[str, Any]:
    """The published numbers as they are written.

    >>> document()["setup"]["ims_terminals"]
    1000
    """
    return Spec.read("mdf", folder).tables


@cache
def derived(folder: Path | None = None) -> Derived:
    """The derived inputs of the study in `folder`.

    Think = terminals / ETR - response (interactive response-time law). CPU per transaction = CPU x one processor / ETR,
    because two logical processors at 50 % are one processor's worth. Service = RESP - IOSQ (Partitioning Large
    Processors, 4.0).

    >>> round(derived().front_end_io, 3)
    1.283
    """
    found = document(folder)
    setup, ims, tso = found["setup"], found["table3"]["ims"], found["table4"]["tso"]
    etr, commands = ims["external_transactions_per_s"][SEEN], tso["external_transactions_per_s"][SEEN]
    io = found["figure8"]["ims"]["io_per_s"][SEEN]
    return Derived(
        terminals=setup["ims_terminals"],
        ims_think_s=setup["ims_terminals"] / etr - ims["response_s"][SEEN],
        messages_per_s=etr,
        ims_io=io / etr,
        ims_cpu_ms=1000 * ims["cpu_percent"][SEEN] / 100 / etr,
        ims_service_ms=_service(found["table1"]["ims"]),
        front_end_io=ims["front_end_4705_rate_per_s"][SEEN] / etr,
        hot={name: _disk(found["table2"][f"IMS-{name}"], io) for name in ("C23", "8C2")},
        users=setup["tso_users"],
        tso_think_s=setup["tso_users"] / commands - tso["response_s"][SEEN],
        tso_service_ms=_service(found["table1"]["tso"]),
        busy={name: _disk(found["table2"][f"TSO-{name}"], commands) for name in ("CC1", "CC2")},
    )


def _service(table: dict[str, dict[str, float]]) -> float:
    return table["response_ms"][SEEN] - table["iosq_ms"][SEEN]


def _disk(table: dict[str, dict[str, float]], per: float) -> Disk:
    return Disk(table["rate_per_s"][SEEN] / per, _service(table))
