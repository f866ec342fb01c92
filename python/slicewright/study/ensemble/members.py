"""The sets of constants of an ensemble, and the file that `calibrate` writes of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slicewright.study.calibrate import Target
from slicewright.study.calibration import Calibration, Layout, cells, fitted, origin
from slicewright.study.spec import Spec

Set = Mapping[str, float]
"""One set of constants: a value by each name."""


def bounds(spec: Spec, form: str) -> dict[str, tuple[float, float]]:
    """The constants of a form and their bounds.

    >>> list(bounds(Spec.read("diag9c"), "intercepts"))[-1], len(bounds(Spec.read("diag9c"), "first"))
    ('intercepted', 8)
    """
    listed = spec.part(form).constants.values()
    return {
        constant.name: (constant.low, constant.high)
        for constant in listed
        if constant.low is not None and constant.high is not None
    }


@dataclass(frozen=True, slots=True)
class Member:
    """One set of an ensemble, its misfit (the sum of squared residuals), and the calibration cells that it gives."""

    constants: Set
    misfit: float
    simulated: tuple[float, ...]
    scales: Mapping[str, float] = field(default_factory=dict)
    """By table, the factor from simulated work to a published rate; empty where a study has no scales."""


@dataclass(frozen=True, slots=True)
class Ensemble(Calibration):
    """The fit of a form: the sets, best first; `cells` are means over them."""

    members: tuple[Member, ...] = ()


class Sets(Layout):
    """The file of constants: the cells seen and each set, of the first form without a name."""

    def head(self, spec: Spec) -> list[str]:
        """The comments at the head of the file, with a line for each constant."""
        about = spec.part(spec.first).constants.values()
        return [*super().head(spec), *(f"{constant.name}: {constant.unit}, {constant.meaning}." for constant in about)]

    def lines(self, spec: Spec, found: Calibration) -> list[str]:
        """The lines of a form: its cells, then each set with what the cells are at it."""
        within, lines = "", []
        if found.part != spec.first:
            within = f"{found.part}."
            part, first = spec.part(found.part), spec.part(spec.first).constants
            own = [each for name, each in part.constants.items() if name not in first]
            lines = ["", f"# {part.meaning}", *(f"# {each.name}: {each.unit}, {each.meaning}." for each in own)]
            lines.append(f"[{found.part}]")
        lines += cells(found.cells, spec.data["calibrated"]["fields"])
        for member in found.members if isinstance(found, Ensemble) else ():
            lines += ["", f"[[{within}set]]", f"misfit = {member.misfit:.6g}"]
            lines += [f"{name} = {member.constants[name]!r}" for name in bounds(spec, found.part)]
            if member.scales:
                scales = ", ".join(f"{name} = {value!r}" for name, value in member.scales.items())
                lines.append(f"scales = {{ {scales} }}")
            lines.append(f"simulated = [{', '.join(f'{value:.7g}' for value in member.simulated)}]")
        return lines

    def parse(self, spec: Spec, document: Mapping[str, Any], name: str) -> Calibration:
        """One form of a file that was read."""
        found = document if name == spec.first else document[name]
        members = tuple(
            Member(
                {bound: float(entry[bound]) for bound in bounds(spec, name)},
                entry["misfit"],
                tuple(map(float, entry["simulated"])),
                entry.get("scales", {}),
            )
            for entry in found["set"]
        )
        return Ensemble(name, {}, fitted(found["cell"]), origin(document), members=members)


def together(form: str, members: Sequence[Member], wanted: Sequence[Target], provenance: Mapping[str, Any]) -> Ensemble:
    """The ensemble with the means of its calibration cells, and where it comes from.

    >>> from slicewright.study.calibrate import targets
    >>> from slicewright.study.studies import named
    >>> members = [Member({}, 1.0, (2.0,) * 16), Member({}, 1.0, (4.0,) * 16)]
    >>> together("first", members, targets(named("diag9c"), "first"), {}).cells[0].simulated
    3.0
    """
    seen = []
    for at, target in enumerate(wanted):
        mean = math.fsum(solution.simulated[at] for solution in members) / len(members)
        seen.append(target.fitted(float(f"{mean:.7g}")))
    return Ensemble(form, {}, tuple(seen), provenance, members=tuple(members))


def spans(members: Sequence[Set]) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each constant over some sets.

    >>> spans([{"hold": 2.0}, {"hold": 1.0}])
    {'hold': (1.0, 2.0)}
    """
    names = members[0] if members else {}
    return {
        name: (min(constants[name] for constants in members), max(constants[name] for constants in members))
        for name in names
    }


def shown(spec: Spec, form: str, members: Iterable[Set]) -> str:
    """The spans of constants in words, with their units.

    >>> shown(Spec.read("diag9c"), "first", [{"hold": 2.5}, {"hold": 1.0}])
    'hold 1 to 2.5 us'
    """
    about = spec.part(form).constants
    named = spans(list(members)).items()
    return ", ".join(f"{name} {low:.4g} to {high:.4g} {about[name].unit}".rstrip() for name, (low, high) in named)
