"""The study as text: a small table per published run, printed as it is done, and one summary.

It leaves out pictures and the HTML page (`report.py`).
"""

from __future__ import annotations

from slicewright.statistics import fixed, significant
from slicewright.study.cells import Cell, Tally
from slicewright.study.constants import Calibration
from slicewright.study.published import Report
from slicewright.study.reproduce import Reproduction, Wish

PLACES = {"volume_io_per_s": 1, "service_ms": 3, "response_ms": 3, "queue_depth": 2, "base_alias_ratio": 3}
"""Decimal places of each value: as many as its band makes worth reading."""

_WIDTH = {"row": 16, "unit": 6, "number": 10, "noise": 7, "off": 8, "band": 6}


def heading(wish: Wish) -> str:
    """What is about to be printed."""
    budget = wish.budget
    length = f"{budget.interval_s} s" if budget.interval_s else "10 min"
    return (
        "hyperpav   z/VM HyperPAV Support: eight volumes of one control unit, a pool of aliases or classic PAV\n"
        f"seed {budget.seed}, {budget.replications} replications of {length} a run; ± is simulation noise (95 %)\n"
    )


def table(report: Report, cells: list[Cell]) -> str:
    """One run: a line per value with noise, difference, band, role and verdict; `=` marks what follows from others."""
    width = _WIDTH
    head = (
        f"{'':{2 + width['row'] + width['unit']}}{'published':>{width['number']}}{'simulated':>{width['number'] + 1}}"
        f"{'±':>{width['noise']}}{'off':>{width['off']}}{'band':>{width['band'] + 1}}"
    )
    notes = dict.fromkeys(cell.ruling.note for cell in cells if cell.ruling.note)
    lines = [f"{report.table}   {report.title}", head, *map(_line, cells), *(f"  {note}" for note in notes)]
    return "\n".join(lines) + "\n"


def summary(result: Reproduction, calibration: Calibration) -> str:
    """How the scored cells came out, all and independent ones; what was not counted; where the constants come from."""
    cells = result.cells
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    informed = sum(cell.ruling.role == "informed" for cell in cells)
    lines = [
        f"Scored     {_tally(own)} ({informed} of them informed)",
        f"           independent of each other: {_tally(apart)}; = follows from the run's other values",
    ]
    aside = {role: sum(cell.ruling.role == role for cell in cells) for role in ("calibrated", "excluded")}
    if any(aside.values()):
        lines.append("Not scored " + ", ".join(f"{count} {role}" for role, count in aside.items() if count))
    constants = calibration.constants
    shown = ", ".join(f"{name} {constants.quantity(name)}" for name in constants.named)
    tables = ", ".join(dict.fromkeys(cell.table for cell in calibration.cells))
    lines.append(f"Constants  {shown}; from `slicewright calibrate hyperpav`, which sees {tables} alone")
    if result.comparison:
        other = Tally.of(result.comparison)
        lines.append(f"Compared   with connect linear in the volume's concurrency (not counted): {_tally(other)}")
    return "\n".join(lines)


def difference(cell: Cell) -> str:
    """Simulated less published: in percent where the band is relative, else in the unit of the value."""
    if _relative(cell):
        return f"{_signed(100 * cell.difference / cell.published, 1)} %"
    return _signed(cell.difference, PLACES[cell.place.row])


def margin(cell: Cell) -> str:
    """The band as declared; empty where nothing is judged."""
    if not cell.ruling.scored:
        return ""
    band = cell.ruling.band
    return f"{band.rel * 100:g} %" if _relative(cell) else fixed(band.abs, len(f"{band.abs:g}".partition(".")[2]))


def _line(cell: Cell) -> str:
    width, places = _WIDTH, PLACES[cell.place.row]
    mark = "=" if cell.identity and cell.ruling.scored else " "
    standing = cell.verdict if not cell.ruling.scored else f"{cell.ruling.role}  {cell.verdict}"
    if cell.ruling.must:
        standing += " (must)"
    if not cell.settled:
        standing += ", interval too wide to judge"
    return (
        f"{mark:2}{cell.place.row:{width['row']}} {cell.place.unit:{width['unit']}}"
        f"{fixed(cell.published, places):>{width['number'] - 1}}"
        f"{fixed(cell.estimate.mean, places):>{width['number'] + 1}}"
        f"{significant(cell.estimate.half_width, 1):>{width['noise']}}{difference(cell):>{width['off']}}"
        f"{margin(cell):>{width['band'] + 1}}   {standing}"
    )


def _relative(cell: Cell) -> bool:
    """Whether differences are shown in percent: as judged, and where nothing is judged as its kind is elsewhere."""
    if cell.ruling.scored:
        return cell.ruling.band.rel > 0
    return cell.place.row not in ("queue_depth", "base_alias_ratio")


def _signed(value: float, places: int) -> str:
    text = fixed(value, places)
    return text if text.startswith("-") else f"+{text}"


def _tally(tally: Tally) -> str:
    parts = [f"{tally.matches} of {tally.scored} match"]
    if tally.trend:
        parts.append(f"{tally.trend} in trend only")
    parts.append(f"{tally.misses} missed" if tally.misses else "none missed")
    return ", ".join(parts)
