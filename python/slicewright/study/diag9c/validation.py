"""The validation page of the study: cells with role, band, verdict and spread, directions, and where gains are from."""

from __future__ import annotations

from slicewright.statistics import fixed
from slicewright.study.cells import Cell
from slicewright.study.diag9c.breakdown import MEANINGS
from slicewright.study.diag9c.cases import ABLATIONS
from slicewright.study.diag9c.constants import MEANINGS as CONSTANTS
from slicewright.study.diag9c.constants import UNITS, Form, bounds, committed, spans
from slicewright.study.diag9c.directions import directions
from slicewright.study.diag9c.judge import aside, by_place
from slicewright.study.diag9c.kept import judged
from slicewright.study.diag9c.page import LOOK, PLACES, TITLES, missed, name, summary
from slicewright.study.diag9c.points import Point
from slicewright.study.diag9c.reproduce import BREAKDOWN, budget
from slicewright.study.kept import Kept
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.validation import section


def markdown(kept: Kept) -> str:
    """The page of a full reproduction, in Markdown, from the numbers that it simulated.

    >>> markdown(Kept(1, "", {}, {})).splitlines()[0]
    "# Validation: DIAGNOSE X'9C'"
    """
    result = judged(kept)
    own = budget(Wish(seed=kept.seed))
    simulated = f"Seeds from {own.seed}, {own.simulated} after {own.warm_up_s:g} s with each set"
    parts = [_BEFORE.replace("SIMULATED", simulated), f"```text\n{summary(result)}\n```"]
    parts += _sections("", result.cells)
    beside = [*result.cells, *result.comparison]
    parts += ["## Spread over the ensemble", _SPREAD, _spread(result.cells)]
    parts += ["## Directions", *(f"- {one.said}." for one in directions(beside))]
    parts += ["## What misses, and why", _CAUSES, *(f"- {text}." for text in missed(result.cells))]
    parts += ["## Where gains come from", _GAINS, _meant(), _gains(beside)]
    parts += ["## Ablations", _ABLATIONS, _ablations(result.cells, result.comparison)]
    parts += ["## Constants", _FITTED, _constants("first"), *_variant(result)]
    return "\n\n".join(parts) + "\n"


def _sections(before: str, cells: list[Cell]) -> list[str]:
    """A section per pair of runs."""
    return [
        section(
            f"{before}{table}: {title.partition(': ')[2]}", [one for one in cells if one.place.table == table], LOOK
        )
        for table, title in TITLES.items()
    ]


def _variant(result: Reproduction[Point]) -> list[str]:
    """The form that was left out and is kept in sight: cells, spread, directions, misses, gains, constants."""
    beside = [*result.variant, *aside(result.comparison, "intercepts")]
    return [
        "## The variant with intercepts",
        _VARIANT,
        *_sections("Variant, ", result.variant),
        "## Variant: spread over the ensemble",
        _spread(result.variant),
        "## Variant: directions",
        *(f"- {one.said}." for one in directions(beside)),
        "## Variant: what misses, and why",
        *(f"- {text}." for text in missed(result.variant, "intercepts")),
        "## Variant: where gains come from",
        _gains(beside),
        "## Variant: constants",
        _constants("intercepts"),
    ]


def _table(head: list[str], rows: list[list[str]], words: int = 1) -> str:
    """A table whose first columns, so many, are words and the rest numbers."""
    line = "|---" * words + "|--:" * (len(head) - words) + "|"
    return "\n".join([f"| {' | '.join(head)} |", line, *(f"| {' | '.join(row)} |" for row in rows)])


def _spread(cells: list[Cell]) -> str:
    rows = []
    for cell in cells:
        if cell.spread and cell.ruling.scored:
            own, places = cell.spread, PLACES[cell.place.row]
            values = (cell.published, cell.estimate.mean, own.deviation, own.least, own.largest)
            rows.append([name(cell), *(fixed(value, places) for value in values)])
    return _table(["cell", "published", "mean", "standard deviation", "least", "largest"], rows)


def _meant() -> str:
    return "\n".join(f"- *{part.replace('_', ' ')}*: {meaning}" for part, meaning in MEANINGS.items())


def _gains(cells: list[Cell]) -> str:
    """A row per pair of runs, whole and under each ablation."""
    found, rows = by_place(cells), []
    for table in TITLES:
        for column in ("", *ABLATIONS):
            own = [found.get((table, part, f"{column} {BREAKDOWN}".strip())) for part in MEANINGS]
            means = [cell.estimate.mean for cell in own if cell]
            if means:
                rows.append([table, column or "whole", *(fixed(one, 1) for one in (*means, sum(means)))])
    return _table(["runs", "ablation", *(part.replace("_", " ") for part in MEANINGS), "gain"], rows, 2)


def _ablations(whole: list[Cell], without: list[Cell]) -> str:
    """A row per scored cell, a column per ablation."""
    known, rows = by_place(without), []
    for cell in whole:
        if cell.ruling.scored:
            places = PLACES[cell.place.row]
            found = [known.get((*cell.place.key, ablation)) for ablation in ABLATIONS]
            numbers = [fixed(one.estimate.mean, places) if one else "-" for one in found]
            rows.append([name(cell), LOOK.published(cell), fixed(cell.estimate.mean, places), *numbers])
    return _table(["cell", "published", "whole", *ABLATIONS], rows)


def _constants(form: Form) -> str:
    found = committed(form)
    sets = [one.constants for one in found.members]
    rows = []
    for constant in spans(sets):
        low, high = bounds(form)[constant]
        own = [f"{one[constant]:g}" for one in sets]
        rows.append([constant, f"{low:g} to {high:g} {UNITS[constant]}", CONSTANTS[constant], *own])
    rows.append(["misfit", "", "sum of squared residuals", *(f"{one.misfit:.1f}" for one in found.members)])
    return _table(["constant", "bounds", "what it is", *(f"set {at + 1}" for at in range(len(sets)))], rows, 3)


_BEFORE = """\
# Validation: DIAGNOSE X'9C'

Written by `python -m slicewright.study validation diag9c`; not edited by hand. What was decided before any run to be
predicted stands in [decision 0015](../decisions/0015-diag9c-study.md); what roles and verdicts mean, on the page of
[roles and verdicts](../concepts/roles-and-verdicts.md). Everything down to the constants is of the first form, which
alone is the study's score; a variant that was left out ([decision 0019](../decisions/0019-diag9c-intercepts.md)) stands
behind it.

The source is “Diagnose X'9C' Support”: an Apache workload under z/VM 5.3 on nine processors, in pairs of runs in which
SLES 10 yields by DIAGNOSE X'44' and by X'9C'. No throughput is published, so none is scaled: gains are ratios.
SIMULATED; every value is the mean over the sets of an ensemble, ± is simulation noise of that mean (95 %).

*Off* is simulated less published. A share of X'9C' that *follows from the others* is 100 % because only SLES 10 spins.

How it came out, as `slicewright reproduce diag9c` prints it:"""

_SPREAD = """\
What the single sets give, all of which fit the calibration cells about as well. Cells are judged by the mean alone."""

_CAUSES = """\
Thought after the runs and held against the ablations below; nothing of the model was changed for it. Changing it now
would be choosing a variant knowing the numbers, and every cell that it was meant for would be `informed`."""

_GAINS = """\
In percent of throughput. Processor time per piece is divided without remainder in both runs of a pair, so the
differences add up to the gain."""

_ABLATIONS = """\
Each takes one thing away, by `slicewright reproduce diag9c --ablation NAME`; constants stay as they are and nothing is
judged. These runs are short: 4 replications of .3 s with each set."""

_VARIANT = """\
One thing differs: in so many of a hundred sections under a lock, a constant that is fitted, an instruction is
intercepted in the middle and simulated for 2 us (ASSUME), and whoever issued it goes back to his vector, lock and
all, if anybody waits there. It was declared before it was simulated, by somebody who had read every published number
and had seen the first form miss, and it is meant for what misses: all 27 cells are `informed`. The declaration said
that it is to be left out if it misses a direction that the first form holds. It does, so it is left out: shipped
scenarios and every other command have the first form's constants, and these cells count for nothing. It is shown all
the same, against the letter of that declaration, because it is the explanation of what misses in B and C that was
tested. Who distrusts this should read the first form only.

The two halves of a section that is cut are drawn apart, each between half the bounds of the whole, so that it strays
less than others; the declaration did not say so. Sets are far apart, and a mean over them hides it: read the spread.
No ablation was run in this form. Of the parts of a gain, simulated instructions are among switches.

Verdicts compare with the same bands; *trend* with calibration cells as this form's own fit has them."""

_FITTED = """\
The ensemble, best first: sets kept by their misfit in the calibration cells alone. `slicewright calibrate diag9c` finds
them again; they are kept in `published/diag9c/calibrated.toml`."""
