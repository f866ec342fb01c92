"""`slicewright reproduce` and `slicewright calibrate`: which studies there are, and what the two commands print.

It leaves out the studies themselves: they are imported when one is wanted, so that `--help` stays quick.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from slicewright.files import refuse_unwritable, write_whole
from slicewright.problems import nearest, problem, refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from slicewright.study.reproduce import Reproduction, Wish

Format = Annotated[Literal["text", "json"], typer.Option("--format", help="How to print the result.")]

STUDIES = ("hyperpav",)
"""The studies of this version."""

LATER = ("mdf", "hiperdispatch", "diag9c", "grs-exits")
"""Studies that slicewright will have; asked for, they are refused by name."""


def reproduce(
    studies: Annotated[list[str] | None, typer.Argument(metavar="STUDY", help="hyperpav; none: every study")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only runs with scored cells, a short simulated time.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit status 1 when a scored cell misses.")] = False,
    form: Format = "text",
    page: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures.")] = None,
) -> int:
    """Simulate published measurements and print every published number beside the simulated one.

    \b
    Example:
      slicewright reproduce hyperpav --quick
    """
    check(studies or list(STUDIES))
    if page is not None:
        refuse_unwritable(page)
    from slicewright.cli.options import print_json
    from slicewright.cli.progress import Bar
    from slicewright.study.reproduce import reproduce as run

    with Bar("hyperpav") as bar:
        wish = _wish(quick=quick, text=form == "text", progress=bar)
        result = run(wish)
    if form == "json":
        print_json(result.to_json())
    else:
        _summary(result)
    if page is not None:
        _draw(page, result, wish)
    return int(strict and any(cell.verdict == "misses" for cell in result.cells))


def calibrate(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="hyperpav")],
    form: Format = "text",
) -> int:
    """Recompute a study's constants from its calibration cells alone, and print them.

    \b
    Example:
      slicewright calibrate hyperpav > constants.toml
    """
    check([study])
    import tomllib

    from slicewright.cli.options import print_json
    from slicewright.study.calibrate import calibrate as fit
    from slicewright.study.constants import written

    text = written(fit(tell=lambda line: print(line, file=sys.stderr)))
    if form == "json":
        print_json(tomllib.loads(text))
    else:
        print(text, end="")
    return 0


def check(studies: list[str]) -> None:
    """Refuse, all at once, every name that is no study of this version; raises InputError.

    >>> check(["hyperpav"])
    """
    wrong = []
    for study in dict.fromkeys(studies):
        if study in LATER:
            wrong.append(problem("not in this version", key=study, allowed=", ".join(STUDIES)))
        elif study not in STUDIES:
            known = nearest(study, [*STUDIES, *LATER])
            wrong.append(problem("no such study", key=study, allowed=", ".join(STUDIES), nearest=known))
    if wrong:
        raise refusal(*wrong)


def _wish(*, quick: bool, text: bool, progress: Callable[[float], None]) -> Wish:
    from slicewright.study.page import heading, table
    from slicewright.study.reproduce import Wish

    if not text:
        return Wish(quick=quick, progress=progress)
    wish = Wish(quick=quick, progress=progress, done=lambda report, cells: print(table(report, cells), flush=True))
    print(heading(wish), flush=True)
    return wish


def _draw(page: Path, result: Reproduction, wish: Wish) -> None:
    from slicewright.cli.progress import Bar
    from slicewright.study.report import lines, render

    with Bar("curves") as bar:
        text = render(result, wish, lines(progress=bar))
    write_whole(page, text.encode())
    print(f"wrote {page}", file=sys.stderr)


def _summary(result: Reproduction) -> None:
    from slicewright.study.constants import committed
    from slicewright.study.page import summary

    print(summary(result, committed()))
