"""Tables and pages as plain text: aligned columns, no colour, no lines that a report reader would trip over."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, indent: str = "  ") -> list[str]:
    """Lines of a table: the first `left` columns set to the left, the others to the right, two blanks between.

    >>> for line in aligned(["volume", "resp"], [["BWPVS0", "1.84"], ["B", "12.10"]]): print(line)
      volume   resp
      BWPVS0   1.84
      B       12.10
    """
    table = [list(head), *(list(row) for row in rows)]
    widths = [max(len(row[at]) for row in table) for at in range(len(head))]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines
