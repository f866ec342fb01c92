"""The study as text: a small table per published run, printed as it is done, and one summary."""

from __future__ import annotations

from slicewright.study.cells import Cell, Tally
from slicewright.study.hyperpav.constants import committed
from slicewright.study.hyperpav.points import Point
from slicewright.study.hyperpav.published import reports
from slicewright.study.hyperpav.reproduce import budget
from slicewright.study.page import Look, close, counted, filled, scores
from slicewright.study.reproduction import Reproduction, Wish

PLACES = {"volume_io_per_s": 1, "service_ms": 3, "response_ms": 3, "queue_depth": 2, "base_alias_ratio": 3}
"""Decimal places of each value: as many as its band makes worth reading."""

LOOK = Look(PLACES, absolute=frozenset({"queue_depth", "base_alias_ratio"}))
"""How the cells of this study are printed."""


def heading(wish: Wish) -> str:
    """What is about to be printed.

    >>> "replications of 20 s" in heading(Wish(quick=True))
    True
    """
    own = budget(wish)
    length = f"{own.interval_s} s" if own.interval_s else "10 min"
    return (
        "hyperpav   z/VM HyperPAV Support: eight volumes of one control unit, pooled or classic aliases\n"
        f"seed {own.seed}, {own.replications} replications of {length}; ± is simulation noise (95 %); "
        "must: a miss means a wrong mechanism\n"
    )


def table(run: str, cells: list[Cell]) -> str:
    """One run: a line per value with noise, difference, band, role and verdict; `=` marks what follows from others.

    >>> print(table("Y032180H", []).splitlines()[0])
    Y032180H   HyperPAV, 8 volumes, 0 aliases in the pool
    """
    report = next(report for report in reports() if report.table == run)
    notes = dict.fromkeys(cell.ruling.note for cell in cells if cell.ruling.note)
    head = [f"{report.table}   {report.title}", LOOK.widths.head]
    return "\n".join([*head, *map(LOOK.line, cells), *(f"  {note}" for note in notes)]) + "\n"


def summary(result: Reproduction[Point]) -> str:
    """How the scored cells came out, all and independent ones; what was not counted; where the constants come from.

    >>> summary(Reproduction("hyperpav", 1)).startswith("Scored     0 of 0 match")
    True
    """
    paragraphs = scores(result.cells)
    near = close(result.cells)
    if near:
        named = (f"{cell.place.table} {cell.place.row} {100 * cell.share:.1f} %" for cell in near)
        paragraphs.append(
            f"Close      {', '.join(named)} of the band; edge: other random numbers might give another verdict"
        )
    calibration = committed()
    constants = calibration.constants
    shown = ", ".join(f"{name} {constants.quantity(name)}" for name in constants.named)
    tables = ", ".join(dict.fromkeys(cell.table for cell in calibration.cells))
    paragraphs.append(f"Constants  {shown}; from `slicewright calibrate hyperpav`, which sees {tables} alone")
    if result.comparison:
        other = Tally.of(result.comparison)
        paragraphs.append(f"Compared   with connect linear in the volume's concurrency (not counted): {counted(other)}")
    return filled(paragraphs)
