"""The study as text: a small table per published run, printed as it is done, and one summary.

It leaves out pictures and the HTML page (`report.py`).
"""

from __future__ import annotations

import textwrap

from slicewright.statistics import Estimate, fixed, plus_minus
from slicewright.study.bands import Band, Ruling
from slicewright.study.cells import ON_EDGE, TOO_WIDE, Cell, Place, Tally
from slicewright.study.constants import Calibration
from slicewright.study.published import Report
from slicewright.study.reproduce import Reproduction, Wish

PLACES = {"volume_io_per_s": 1, "service_ms": 3, "response_ms": 3, "queue_depth": 2, "base_alias_ratio": 3}
"""Decimal places of each value: as many as its band makes worth reading."""

LINE = 100
"""Characters of a line."""

EDGE = 0.9
"""Share of its band beyond which a match is named as close."""

_WIDTH = {"row": 16, "unit": 6, "published": 10, "simulated": 16, "off": 9, "band": 6}


def heading(wish: Wish) -> str:
    """What is about to be printed.

    >>> "replications of 20 s" in heading(Wish(quick=True))
    True
    """
    budget = wish.budget
    length = f"{budget.interval_s} s" if budget.interval_s else "10 min"
    return (
        "hyperpav   z/VM HyperPAV Support: eight volumes of one control unit, pooled or classic aliases\n"
        f"seed {budget.seed}, {budget.replications} replications of {length}; ± is simulation noise (95 %); "
        "must: a miss means a wrong mechanism\n"
    )


def table(report: Report, cells: list[Cell]) -> str:
    """One run: a line per value with noise, difference, band, role and verdict; `=` marks what follows from others.

    >>> from slicewright.study.published import reports
    >>> print(table(reports()[0], []).splitlines()[0])
    Y032180H   HyperPAV, 8 volumes, 0 aliases in the pool
    """
    width = _WIDTH
    head = (
        f"{'':{3 + width['row'] + width['unit']}}{'published':>{width['published']}}"
        f"{'simulated':>{width['simulated']}}{'off':>{width['off']}}{'band':>{width['band']}}"
    )
    notes = dict.fromkeys(cell.ruling.note for cell in cells if cell.ruling.note)
    lines = [f"{report.table}   {report.title}", head, *map(_line, cells), *(f"  {note}" for note in notes)]
    return "\n".join(lines) + "\n"


def summary(result: Reproduction, calibration: Calibration) -> str:
    """How the scored cells came out, all and independent ones; what was not counted; where the constants come from.

    >>> from slicewright.study.constants import committed
    >>> summary(Reproduction("hyperpav", 1), committed()).startswith("Scored     0 of 0 match")
    True
    """
    cells = result.cells
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    informed = sum(cell.ruling.role == "informed" for cell in cells)
    paragraphs = [
        f"Scored     {_tally(own)} ({informed} of them informed); "
        f"of those independent of each other, {_tally(apart)} (= follows from the run's other values)"
    ]
    aside = {role: sum(cell.ruling.role == role for cell in cells) for role in ("calibrated", "excluded")}
    if aside["calibrated"] or aside["excluded"]:
        paragraphs.append("Not scored " + ", ".join(f"{count} {role}" for role, count in aside.items() if count))
    close = [cell for cell in cells if cell.verdict == "matches" and cell.share > EDGE]
    if close:
        named = (f"{cell.place.table} {cell.place.row} {100 * cell.share:.1f} %" for cell in close)
        paragraphs.append(
            f"Close      {', '.join(named)} of the band; edge: other random numbers might give another verdict"
        )
    constants = calibration.constants
    shown = ", ".join(f"{name} {constants.quantity(name)}" for name in constants.named)
    tables = ", ".join(dict.fromkeys(cell.table for cell in calibration.cells))
    paragraphs.append(f"Constants  {shown}; from `slicewright calibrate hyperpav`, which sees {tables} alone")
    if result.comparison:
        other = Tally.of(result.comparison)
        paragraphs.append(f"Compared   with connect linear in the volume's concurrency (not counted): {_tally(other)}")
    return "\n".join(textwrap.fill(one, LINE, subsequent_indent=" " * 11) for one in paragraphs)


def simulated(cell: Cell) -> str:
    """The simulated value with its noise.

    >>> simulated(_example(103.0))
    '103.0 ± .5'
    """
    return plus_minus(cell.estimate.mean, cell.estimate.half_width)


def difference(cell: Cell) -> str:
    """Simulated less published: in percent where the band is relative, else in the unit of the value.

    >>> difference(_example(103.0))
    '+3.0 %'
    """
    if _relative(cell):
        return f"{_signed(100 * cell.difference / cell.published, 1)} %"
    return _signed(cell.difference, PLACES[cell.place.row])


def margin(cell: Cell) -> str:
    """The band as declared; empty where nothing is judged.

    >>> margin(_example(103.0))
    '4 %'
    """
    if not cell.ruling.scored:
        return ""
    band = cell.ruling.band
    return f"{band.rel * 100:g} %" if _relative(cell) else fixed(band.abs, len(f"{band.abs:g}".partition(".")[2]))


def _example(mean: float) -> Cell:
    """A cell for the examples: published 100, band 4 %."""
    ruling = Ruling("predicted", Band(rel=0.04))
    return Cell(Place("Y032181H", "volume_io_per_s", "I/O/s"), 100.0, Estimate(mean, 0.5, 10), ruling)


def _line(cell: Cell) -> str:
    width, places = _WIDTH, PLACES[cell.place.row]
    mark = "=" if cell.identity and cell.ruling.scored else " "
    standing = cell.verdict if not cell.ruling.scored else f"{cell.ruling.role}  {cell.verdict}"
    doubt = {"": "", ON_EDGE: "edge", TOO_WIDE: "too noisy"}[cell.doubt]
    aside = ", ".join(part for part in ("must" if cell.ruling.must else "", doubt) if part)
    standing += f" ({aside})" if aside else ""
    return (
        f"{mark:2}{cell.place.row:{width['row']}} {cell.place.unit:{width['unit']}}"
        f"{fixed(cell.published, places):>{width['published']}}{simulated(cell):>{width['simulated']}}"
        f"{difference(cell):>{width['off']}}{margin(cell):>{width['band']}}   {standing}"
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
