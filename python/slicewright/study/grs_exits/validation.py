"""The validation page of the study: rows with role, band and verdict, the stated miss, directions, sweeps and prices.

It leaves out pictures: `slicewright reproduce grs-exits --html FILE` draws them.
"""

from __future__ import annotations

from slicewright.study.cells import Cell
from slicewright.study.grs_exits.constants import MEANINGS, committed
from slicewright.study.grs_exits.directions import directions
from slicewright.study.grs_exits.kept import judged
from slicewright.study.grs_exits.page import LOOK, missed, processor_table, share_table, summary
from slicewright.study.grs_exits.published import numbers
from slicewright.study.grs_exits.reproduce import PROCESSORS, SHARES
from slicewright.study.kept import Kept
from slicewright.study.validation import section


def markdown(kept: Kept) -> str:
    """The page of a full reproduction, in Markdown, from the numbers that it simulated.

    >>> markdown(Kept(1, "", {}, {})).splitlines()[0]
    '# Validation: installation exits of ENQ and DEQ'
    """
    result = judged(kept)
    parts = [_BEFORE, f"```text\n{summary(result)}\n```"]
    title = "elapsed: 999,999 pairs of ENQ and DEQ, not global, for one resource"
    parts.append(section(title, result.cells, LOOK, lambda cell: f"`{cell.place.row}` {cell.place.column}"))
    parts += ["## What each row is", _rows()]
    parts += ["## What misses, and why", _MISS, *(f"- {text.strip()}" for text in missed(result.cells))]
    parts += ["## Directions", _DIRECTIONS, *(f"- {one.said}." for one in directions(result.comparison))]
    parts += ["## Global pairs", _SHARES, _fenced(share_table(_of(result.comparison, SHARES)))]
    parts += ["## Processors", _PROCESSORS, _fenced(processor_table(_of(result.comparison, PROCESSORS)))]
    return "\n\n".join([*parts, "## Prices", _FOUND, _prices()]) + "\n"


def _of(cells: list[Cell], sweep: str) -> list[Cell]:
    return [cell for cell in cells if cell.place.table.startswith(f"{sweep}.")]


def _fenced(lines: list[str]) -> str:
    return "\n".join(["```text", *lines, "```"])


def _rows() -> str:
    rows = [f"| {one.row} | {one.environment} | {one.structure} | {one.path} |" for one in numbers()]
    return "\n".join(["| row | levels | exits | what a request goes through |", "|---|---|---|---|", *rows])


def _prices() -> str:
    found = committed()
    rows = []
    for name, (source, what) in MEANINGS.items():
        left = found.open_us / (2 if name == "base" else 1)
        rows.append(f"| {name} | {found.prices.named[name]:g} | ± {left:g} | {source} | {what} |")
    head = ["| price | us a pair | print leaves open | from | what it is |", "|---|--:|--:|---|---|"]
    return "\n".join([*head, *rows])


_BEFORE = """\
# Validation: installation exits of ENQ and DEQ

Written by `python -m slicewright.study validation grs-exits`; not edited by hand. What was decided before any run
stands in [decision 0020](../decisions/0020-grs-exits-study.md); what roles and verdicts mean, on the page of
[roles and verdicts](../concepts/roles-and-verdicts.md).

The source is “GRS/MIM Installation Exit Performance”: five wall-clock times of 999,999 pairs of ENQ and DEQ for one
resource, one after the other, on five levels of the operating system and of a multi-image manager. Four of them give
four prices, so those rows come out by construction; one is predicted.

*Off* is simulated less published. How it came out, as `slicewright reproduce grs-exits` prints it:"""

_MISS = """\
Row 3 is a miss that was stated before any run. The table says *matches* because the band of this row, declared with
that miss in mind, is 30 % wide."""

_DIRECTIONS = """\
Declared before any run. The seventh and the ninth are of the other extreme, in which what a slow call saves and sets
up is not locked: how much of it is has not been published."""

_SHARES = """\
One guest; a share of its pairs asks for a name that the manager shares. Its two messages take 200 us of processor time
and the first is answered after 5 ms: both assumed, and in none of the five rows. Elapsed time is what the document
measured; processor time is what an installation pays."""

_PROCESSORS = """\
As many guests as processors, a resource each, no time between pairs: only the ENQ/DEQ lock is shared."""

_FOUND = """\
`slicewright calibrate grs-exits` works them out again, from rows 1, 2, 4 and 5; they are kept in
`published/grs-exits/calibrated.toml`."""
