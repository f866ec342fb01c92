"""A study as one HTML page: what every study's page has, whatever it is about: facts and the table of cells."""

from __future__ import annotations

from typing import Any

from slicewright import html
from slicewright.study.cells import Cell, Tally
from slicewright.study.page import Look, close, simulated
from slicewright.study.reproduction import Reproduction

_TONES: dict[str, html.Tone] = {"matches": "good", "trend": "fair", "misses": "bad"}
_NUMBERS = ("unit", "published", "simulated", "off", "band")


def facts(result: Reproduction[Any], interval_s: float) -> list[tuple[str, str]]:
    """What stands at the head of the page.

    >>> facts(Reproduction("hyperpav", 1), 600)[0]
    ('scored cells that match', '0 of 0')
    """
    own, apart = Tally.of(result.cells), Tally.of(result.cells, independent=True)
    return [
        ("scored cells that match", f"{own.matches} of {own.scored}"),
        ("independent ones", f"{apart.matches} of {apart.scored}"),
        ("seed", str(result.seed)),
        ("replications", f"{result.replications} of {interval_s} s"),
    ]


def cells(listed: list[Cell], look: Look, place: tuple[str, ...]) -> html.Section:
    """Every cell; `place` has the headings of what names one.

    >>> cells([], Look({}), ("run", "value")).title
    'Cells'
    """
    columns = (*place, *_NUMBERS, "role", "verdict", "note")
    text = [
        "Predicted: no constant and no variant was chosen on the cell. Informed: no constant, but a variant was "
        "adopted by somebody who knew it. Calibrated cells were fitted to and never count; excluded ones are shown, "
        "not counted."
    ]
    rows = [[*_numbers(cell, look), cell.ruling.role, _verdict(cell), _note(cell)] for cell in listed]
    return html.Section("Cells", text, tables=[html.Table(columns, rows)])


def beside(result: Reproduction[Any], look: Look, title: str, place: tuple[str, ...]) -> html.Section:
    """The cells under the other form that was declared, for comparison; without text when there are none.

    >>> beside(Reproduction("hyperpav", 1), Look({}), "The other form", ()).text
    ()
    """
    if not result.comparison:
        return html.Section(title)
    tally = Tally.of(result.comparison)
    text = [
        "Declared beforehand as the alternative, fitted in the same way to the same cells, and counted nowhere: "
        f"{tally.matches} of {tally.scored} would match."
    ]
    columns = (*place, *_NUMBERS, "verdict")
    rows = [[*_numbers(cell, look), _verdict(cell)] for cell in result.comparison]
    return html.Section(title, text, tables=[html.Table(columns, rows)])


def near_the_edge(listed: list[Cell]) -> str:
    """A sentence that names the matches in the outer tenth of their band.

    >>> near_the_edge([])
    'Matches in the outer tenth of their band: none.'
    """
    named = ", ".join(" ".join(cell.place.key) for cell in close(listed))
    return f"Matches in the outer tenth of their band: {named or 'none'}."


def _numbers(cell: Cell, look: Look) -> list[str | html.Cell]:
    numbers = (look.published(cell), simulated(cell), look.difference(cell), look.margin(cell))
    return [*cell.place.key, cell.place.unit, *numbers]


def _verdict(cell: Cell) -> html.Cell:
    return html.Cell(cell.verdict, _TONES.get(cell.verdict, "quiet"))


def _note(cell: Cell) -> str:
    return "; ".join(part for part in ("must match" if cell.ruling.must else "", cell.note) if part)
