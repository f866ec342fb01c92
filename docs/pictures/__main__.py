"""`python -m docs.pictures [NAME]...`: draw the pictures of the documentation again, all of them or those named."""

from __future__ import annotations

import sys
from pathlib import Path

from slicewright.report.drawing import alone

from docs.pictures.draw import PICTURES

FOLDER = Path(__file__).parent


def main(names: list[str]) -> int:
    """Draw, one line per picture; 2 when a name is not that of a picture."""
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"no picture {', '.join(unknown)}; there are {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    for name in names or PICTURES:
        (FOLDER / f"{name}.svg").write_text(alone(PICTURES[name]()), encoding="utf-8")
        print(f"{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
