"""The validation page of the study: every cell with role, band and verdict, every ablation, and why some cells miss."""

from __future__ import annotations

from slicewright.statistics import fixed
from slicewright.study.cells import Cell
from slicewright.study.hiperdispatch.cases import ABLATIONS, Case
from slicewright.study.hiperdispatch.constants import FORMS, MEANINGS, UNITS, committed_constants
from slicewright.study.hiperdispatch.kept import judged
from slicewright.study.hiperdispatch.page import LOOK, PLACES, TITLES, missed, summary
from slicewright.study.hiperdispatch.reproduce import budget
from slicewright.study.kept import Kept
from slicewright.study.reproduction import Wish
from slicewright.study.validation import section


def markdown(kept: Kept) -> str:
    """The page of a full reproduction, in Markdown, from the numbers that it simulated.

    >>> markdown(Kept(1, "", {}, {})).splitlines()[0]
    '# Validation: HiperDispatch'
    """
    result = judged(kept)
    wish = Wish(seed=kept.seed)
    figure, parked = budget(Case("figure2", 16, "H"), wish), budget(Case("table1", 16, "V F"), wish)
    simulations = f"Seed {figure.seed}, figures {figure.simulated}, columns that park {parked.simulated}"
    simulations += f" after {parked.warm_up_s:g} s"
    parts = [_BEFORE.replace("SIMULATIONS", simulations), f"```text\n{summary(result)}\n```"]
    parts += _sections("", result.cells)
    parts += ["## What misses, and why", _CAUSES, *(f"- {text}." for text in missed(result.cells))]
    parts += ["## Ablations", _ABLATIONS, _ablations(result.cells, result.comparison)]
    parts += ["## The adopted form", _ADOPTED, *_sections("Adopted, ", result.adopted)]
    parts += ["## Constants", _constants()]
    return "\n\n".join(parts) + "\n"


def _sections(before: str, cells: list[Cell]) -> list[str]:
    """A section per published table or figure."""
    return [
        section(
            f"{before}{table}: {title.partition(': ')[2]}",
            [cell for cell in cells if cell.place.table == table],
            LOOK,
            _named,
        )
        for table, title in TITLES.items()
    ]


def _named(cell: Cell) -> str:
    return f"`{cell.place.row}` {cell.place.column}"


def _ablations(whole: list[Cell], without: list[Cell]) -> str:
    """A row per scored cell, a column per ablation."""
    known = {cell.place.key: cell for cell in without}
    lines = [f"| cell | published | whole | {' | '.join(ABLATIONS)} |", f"|---|{'--:|' * (2 + len(ABLATIONS))}"]
    for cell in whole:
        if cell.ruling.scored:
            table, *rest = cell.place.key
            places = PLACES[cell.place.row]
            found = [known.get((f"{ablation} {table}", *rest)) for ablation in ABLATIONS]
            numbers = [fixed(one.estimate.mean, places) if one else "-" for one in found]
            row = (" ".join(cell.place.key), LOOK.published(cell), fixed(cell.estimate.mean, places), *numbers)
            lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def _constants() -> str:
    own, other = map(committed_constants, FORMS)
    rows = [
        f"| {name} | {value:g} {UNITS[name]} | {other.of[name]:g} {UNITS[name]} | {MEANINGS[name]} |"
        for name, value in own.of.items()
    ]
    rows += [
        f"| scale of {name} | {value:g} tx/s | {other.scales[name]:g} tx/s | of one processor's work in warm caches |"
        for name, value in own.scales.items()
    ]
    return "\n".join(["| constant | first form | adopted form | what it is |", "|---|--:|--:|---|", *rows])


_BEFORE = """\
# Validation: HiperDispatch

Written by `python -m slicewright.study validation hiperdispatch`; not edited by hand. What was decided before any run
to be predicted stands in [decision 0012](../decisions/0012-hiperdispatch-study.md), for the first form, and in
[decision 0014](../decisions/0014-hiperdispatch-free-wake-ups.md) for a second one, *adopted*, which was declared after
the first one's predictions were seen; what roles and verdicts mean, on the page of
[roles and verdicts](../concepts/roles-and-verdicts.md).

The source is “z/VM HiperDispatch”: tiles of virtual servers in a dedicated partition of 1 to 32 processors, under z/VM
6.2 and 6.3. Gains are of ETR, vertical over horizontal; 6.2 and 6.3 horizontal are the same in this model, so that the
text's “6.3 run horizontally differs very little from 6.2” holds by construction. Percents are of one processor.
SIMULATIONS, more where a cell needs them; ± is simulation noise (95 %).

*Off* is simulated less published. A cell that *follows from the others* of its column is not independent of them.
Quotients of rows and ETRs beside gains are shown and not counted.

How it came out, as `slicewright reproduce hiperdispatch` prints it:"""

_CAUSES = """\
Thought after the runs and held against the ablations below; nothing of the model was changed for it. Changing it now
would be choosing a variant knowing the numbers, and every cell that it was meant for would be `informed`."""

_ABLATIONS = """\
Each takes one thing away, by `slicewright reproduce hiperdispatch --ablation NAME`; constants stay as they are and
nothing is judged. These runs are as short as quick ones."""

_ADOPTED = """\
One rule differs: in horizontal mode (6.2 and 6.3 H) the processor that has been idle longest handles a wake-up,
wherever the virtual processor ran last; vertical mode is the same. It was adopted by somebody who had seen every cell
of the first form miss or match, and it is meant for gains over horizontal mode: the 15 cells of the figures are
`informed`. The 18 of Table 1 are vertical and stay `predicted`: no constant is fitted to them. Constants were fitted
again, to the same calibration cells. The first form is untouched by it. Why cells miss stands in the summary above:
thought after the runs as well, changing nothing, and held against no ablation, as none was run in this form."""
