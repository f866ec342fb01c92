"""`make bench`: our own service with the five ways through exits of the published study in front of it."""

import sys

from rich.console import Console
from rich.progress import Progress
from slicewright.report.text import render
from slicewright.study.exits_timed import ROUNDS
from slicewright.study.grs_exits import STUDY

SIDES = 6


def main() -> int:
    """Measure and print."""
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=ROUNDS * SIDES)
        found = STUDY.bench(advance=lambda: progress.advance(task))
    print(render(found.report()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
