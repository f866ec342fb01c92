"""A study as text: numbers of a cell as they are printed, lines of a table, and how a summary counts."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from slicewright.statistics import NOTHING, fixed, plus_minus, signed
from slicewright.study.bands import SCORED, Role
from slicewright.study.cells import NO_INTERVAL, ON_EDGE, TOO_WIDE, Cell, Tally

LINE = 100
"""Characters of a line."""

EDGE = 0.9
"""Share of its band beyond which a match is named as close."""


@dataclass(frozen=True, slots=True)
class Widths:
    """Characters of each column of a printed table.

    >>> Widths(row=27, unit=0).head.split()
    ['published', 'simulated', 'off', 'band']
    """

    row: int = 16
    unit: int = 6
    published: int = 10
    simulated: int = 16
    off: int = 9
    band: int = 6

    @property
    def head(self) -> str:
        """The headings of a table, over their columns."""
        before = 2 + self.row + (1 + self.unit if self.unit else 0)
        return (
            f"{'':{before}}{'published':>{self.published}}"
            f"{'simulated':>{self.simulated}}{'off':>{self.off}}{'band':>{self.band}}"
        )


@dataclass(frozen=True, slots=True)
class Look:
    """How the cells of a study are printed: decimal places by row, widths, and what is left unsaid.

    `absolute` are rows whose difference is in their unit where nothing is judged; everywhere else it is in percent.
    `unsaid` are roles that are not printed beside a verdict.  `named` is how a line calls its cell: by its row alone
    where the title says the rest.

    >>> Look({"service_ms": 3}).places["service_ms"]
    3
    """

    places: Mapping[str, int]
    absolute: frozenset[str] = frozenset()
    widths: Widths = Widths()
    unsaid: tuple[Role, ...] = ()
    named: Callable[[Cell], str] = lambda cell: cell.place.row

    def published(self, cell: Cell) -> str:
        """The published value."""
        return fixed(cell.published, self.places[cell.place.row])

    def difference(self, cell: Cell) -> str:
        """Simulated less published: in percent where the band is relative, else in the unit of the value."""
        if math.isnan(cell.difference):
            return NOTHING
        if self._relative(cell) and cell.published:
            return f"{signed(100 * cell.difference / cell.published, 1)} %"
        return signed(cell.difference, self.places[cell.place.row])

    def margin(self, cell: Cell) -> str:
        """The band as declared: the part of it that decides; empty where nothing is judged."""
        if not cell.ruling.scored:
            return ""
        band = cell.ruling.band
        return f"{band.rel * 100:g} %" if self._relative(cell) else fixed(band.abs, _decimals(band.abs))

    def line(self, cell: Cell) -> str:
        """One line of a table: value, noise, difference, band, role and verdict; `=` marks what follows from others."""
        width = self.widths
        mark = "=" if cell.identity and cell.ruling.scored else " "
        said = cell.ruling.scored and cell.ruling.role not in self.unsaid
        standing = f"{cell.ruling.role}  {cell.verdict}" if said else cell.verdict
        doubt = {"": "", ON_EDGE: "edge", NO_INTERVAL: "no interval", TOO_WIDE: "too noisy"}[cell.doubt]
        aside = ", ".join(part for part in ("must" if cell.ruling.must else "", doubt) if part)
        standing += f" ({aside})" if aside else ""
        unit = f" {cell.place.unit:{width.unit}}" if width.unit else ""
        return (
            f"{mark:2}{self.named(cell):{width.row}}{unit}"
            f"{self.published(cell):>{width.published}}{simulated(cell):>{width.simulated}}"
            f"{self.difference(cell):>{width.off}}{self.margin(cell):>{width.band}}   {standing}"
        )

    def _relative(self, cell: Cell) -> bool:
        """Whether differences are shown in percent: as judged, and where nothing is judged as its kind is elsewhere."""
        if cell.ruling.scored:
            band = cell.ruling.band
            return band.rel > 0 and band.rel * abs(cell.published) >= band.abs
        return cell.place.row not in self.absolute


def simulated(cell: Cell) -> str:
    """The simulated value with its noise; a dash where nothing is simulated.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.bands import Band, Ruling
    >>> from slicewright.study.cells import Place
    >>> simulated(Cell(Place("T", "rate", "1/s"), 100.0, Estimate(103.0, 0.5, 10), Ruling("predicted", Band(rel=0.04))))
    '103.0 ± .5'
    """
    if math.isnan(cell.estimate.mean):
        return NOTHING
    return plus_minus(cell.estimate.mean, cell.estimate.half_width)


def counted(tally: Tally) -> str:
    """How many cells match, follow the trend and miss, in words.

    >>> counted(Tally(scored=13, matches=12, trend=0, misses=1))
    '12 of 13 match, 1 missed'
    """
    parts = [f"{tally.matches} of {tally.scored} match"]
    if tally.trend:
        parts.append(f"{tally.trend} in trend only")
    parts.append(f"{tally.misses} missed" if tally.misses else "none missed")
    return ", ".join(parts)


def in_words(cells: list[Cell]) -> str:
    """How many cells match, and how many of those a variant was adopted for.

    >>> in_words([])
    '0 of 0 match (0 of them informed, of 0; 0 predicted, of 0)'
    """
    informed, predicted = (Tally.of(cell for cell in cells if cell.ruling.role == role) for role in SCORED[::-1])
    return (
        f"{informed.matches + predicted.matches} of {informed.scored + predicted.scored} match "
        f"({informed.matches} of them informed, of {informed.scored}; "
        f"{predicted.matches} predicted, of {predicted.scored})"
    )


def scores(cells: list[Cell], follows: str = "the run's other values") -> list[str]:
    """The first paragraphs of a summary: scored cells, all and independent ones, and what was not scored.

    >>> scores([])[0].startswith("Scored     0 of 0 match, none missed (0 of them informed)")
    True
    """
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    informed = sum(cell.ruling.role == "informed" for cell in cells)
    paragraphs = [
        f"Scored     {counted(own)} ({informed} of them informed); "
        f"of those independent of each other, {counted(apart)} (= follows from {follows})"
    ]
    aside = {role: sum(cell.ruling.role == role for cell in cells) for role in ("calibrated", "excluded")}
    if aside["calibrated"] or aside["excluded"]:
        paragraphs.append("Not scored " + ", ".join(f"{count} {role}" for role, count in aside.items() if count))
    return paragraphs


def close(cells: list[Cell]) -> list[Cell]:
    """The matches in the outer tenth of their band.

    >>> close([])
    []
    """
    return [cell for cell in cells if cell.verdict == "matches" and cell.share > EDGE]


def filled(paragraphs: Iterable[str]) -> str:
    """Paragraphs, each with its first word in a column of its own, within the width of a page.

    >>> print(filled(["Scored     all", "Not scored none"]))
    Scored     all
    Not scored none
    """
    return "\n".join(textwrap.fill(one, LINE, subsequent_indent=" " * 11) for one in paragraphs)


def _decimals(value: float) -> int:
    return len(f"{value:g}".partition(".")[2])
