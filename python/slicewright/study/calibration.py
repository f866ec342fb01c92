"""The file of fitted constants that `calibrate` writes and `reproduce` reads: origin, constants, the cells seen."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slicewright.results.judge import Place
from slicewright.study.spec import Part, Spec

ORIGIN = ("study", "version", "seed", "simulated")
"""The origin of a fit in the head of its file: study, version of slicewright, seed, amount of simulation."""

FIELDS = ("table", "row", "published", "rounding", "simulated", "used", "residual")
"""The fields that are written for a cell where a study declares no others."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of one form by name, and what turns simulated work into a published rate, by table.

    >>> Constants("first", {"hold": 0.69})["hold"]
    0.69
    """

    form: str
    of: Mapping[str, float]
    scales: Mapping[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> float:
        return self.of[name]

    def scale(self, table: str) -> float:
        """The scale of a table; 1 where none was fitted.

        >>> Constants("first", {}, {"figure3": 20.0}).scale("figure3")
        20.0
        """
        return self.scales.get(table.partition(".")[0], 1.0)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration cell at the fitted constants; `used` says whether the search was fitted to it.

    `scale` is what its residual is counted in: what the print leaves open, or the band of its row.

    >>> Fitted("Y032180H", "service_ms", 1.25, 0.05, 1.275).residual
    0.5
    """

    table: str
    row: str
    published: float
    scale: float
    simulated: float
    used: bool = True
    column: str = ""

    @property
    def residual(self) -> float:
        """How far off, in units of the scale."""
        return round((self.simulated - self.published) / self.scale, 9)

    @property
    def rounding(self) -> float:
        """The scale by the name that a file has for it where it is what the print leaves open."""
        return self.scale

    @property
    def off(self) -> float:
        """Simulated less published, in the unit of the row."""
        return self.simulated - self.published

    @property
    def key(self) -> tuple[str, ...]:
        """Table, row and, where there is one, column."""
        return Place(self.table, self.row, "", self.column).key


@dataclass(frozen=True, slots=True)
class Calibration:
    """One fit: its constants, the cells that it saw, and what produced it.

    >>> Calibration("first", {"hold": 0.7}).constants["hold"]
    0.7
    """

    part: str
    constants: Mapping[str, float]
    cells: tuple[Fitted, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    scales: Mapping[str, float] = field(default_factory=dict)


class Layout:
    """How a part of the file is written and read; studies with older files have a layout of their own."""

    def head(self, spec: Spec) -> list[str]:
        """The comments at the head of the file."""
        return list(spec.data["calibrated"]["head"])

    def lines(self, spec: Spec, found: Calibration) -> list[str]:
        """The lines of one fit: constants with their units, the scenarios' checksums, every cell seen."""
        part = spec.part(found.part)
        lines = ["", *([f"# {part.meaning}"] if part.meaning else []), f"[{part.name}]", *_named(part, found.constants)]
        checksums = found.provenance.get("scenarios", {})
        if checksums:
            lines.append(
                "scenarios = { " + ", ".join(f'{_key(run)} = "{sha}"' for run, sha in checksums.items()) + " }"
            )
        return [*lines, *cells(found.cells, spec.data["calibrated"].get("fields", FIELDS))]

    def parse(self, spec: Spec, document: Mapping[str, Any], name: str) -> Calibration:
        """One fit of a file that was read; raises KeyError when the file has no such part."""
        own = document[name]
        constants = {each.name: own[each.key] for each in spec.part(name).constants.values()}
        checksums = {"scenarios": own["scenarios"]} if "scenarios" in own else {}
        return Calibration(name, constants, fitted(own["cell"]), origin(document) | checksums)


def written(spec: Spec, layout: Layout, fits: Sequence[Calibration]) -> str:
    """The calibration file: its comments, its origin, and each fit; `parse` reads it back without loss."""
    lines = head(layout.head(spec), fits[0].provenance)
    for fit in fits:
        lines += layout.lines(spec, fit)
    return "\n".join(lines) + "\n"


def parse(spec: Spec, layout: Layout, text: str, name: str) -> Calibration:
    """One fit of the text of a calibration file; raises KeyError when the text has no such part."""
    return layout.parse(spec, tomllib.loads(text), name)


def origin(document: Mapping[str, Any]) -> dict[str, Any]:
    """The origin of a fit, from a file that was read; raises KeyError when the file has none.

    >>> origin({"study": "mdf", "version": "1", "seed": 1, "simulated": "", "ims": {}})["seed"]
    1
    """
    return {key: document[key] for key in ORIGIN}


def head(said: Sequence[str], provenance: Mapping[str, Any]) -> list[str]:
    """The first lines of a file: its comments and its origin.

    >>> head(["Not edited by hand."], dict.fromkeys(ORIGIN, 1))[:3]
    ['# Not edited by hand.', '', 'study = 1']
    """
    return [*(f"# {line}" for line in said), "", *(f"{key} = {_toml(provenance[key])}" for key in ORIGIN)]


def cells(seen: Iterable[Fitted], fields: Sequence[str]) -> list[str]:
    """The lines of the array `cell`: the named fields of each cell that the fit saw.

    >>> cells([Fitted("T", "rate", 2.0, 1.0, 2.5)], ["row", "residual"])
    ['cell = [', '  { row = "rate", residual = 0.5 },', ']']
    """
    rows = ({key: getattr(cell, key) for key in fields} for cell in seen)
    shown = (", ".join(f"{key} = {_toml(value)}" for key, value in row.items()) for row in rows)
    return ["cell = [", *(f"  {{ {row} }}," for row in shown), "]"]


def fitted(rows: Iterable[Mapping[str, Any]], column: str = "") -> tuple[Fitted, ...]:
    """The cells of an array `cell` that was read; `column` is theirs where the file leaves it out.

    >>> fitted([{"table": "T", "row": "a", "published": 1.0, "scale": 0.5, "simulated": 1.5}])[0].residual
    1.0
    """
    return tuple(
        Fitted(
            row["table"], row["row"], row["published"], row["scale"] if "scale" in row else row["rounding"],
            row["simulated"], row.get("used", True), row.get("column", column),
        )
        for row in rows
    )  # fmt: skip


def _named(part: Part, constants: Mapping[str, float]) -> Iterable[str]:
    """A line for each constant, with where it is from if that is declared."""
    for each in part.constants.values():
        said = ": ".join(part for part in (each.source, each.meaning) if part)
        yield f"{each.key} = {constants[each.name]!r}{f'  # {said}' if said else ''}"


def _key(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z][\w-]*", word) else f'"{word}"'


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.7g}"
    return str(value)
