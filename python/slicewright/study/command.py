"""`slicewright reproduce` and `slicewright calibrate`: which studies there are, and what the two commands print.

It leaves out the studies themselves: they are imported when one is wanted, so that `--help` stays quick.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slicewright.problems import nearest, problem, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slicewright.study.reproduce import Reproduction, Wish

STUDIES = ("hyperpav",)
"""The studies of this version."""

LATER = ("mdf", "hiperdispatch", "diag9c", "grs-exits")
"""Studies that slicewright will have; asked for, they are refused by name."""


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"


def reproduce(
    studies: Annotated[
        list[str] | None, typer.Argument(metavar="[STUDY]...", help="hyperpav; none: every study")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only runs with scored cells, a short simulated time.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit status 1 when a scored cell misses.")] = False,
    form: Annotated[Format, typer.Option("--format", help="text, or json with every cell.")] = Format.TEXT,
    page: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures.")] = None,
) -> None:
    """Simulate published measurements and print every published number beside the simulated one.

    Example: slicewright reproduce hyperpav --quick
    """
    check(studies or list(STUDIES))
    if page is not None:
        _writable(page)
    from slicewright.study.reproduce import reproduce as run

    with _progress() as progress:
        wish = _wish(quick=quick, text=form is Format.TEXT, progress=progress)
        result = run(wish)
        drawn = _page(page, result, wish, progress)
    if form is Format.JSON:
        print(json.dumps(result.to_json(), indent=2, ensure_ascii=False))
    else:
        _summary(result)
    if drawn:
        print(f"wrote {page}", file=sys.stderr)
    if strict and any(cell.verdict == "misses" for cell in result.cells):
        raise typer.Exit(1)


def calibrate(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="hyperpav")],
    form: Annotated[Format, typer.Option("--format", help="text (TOML, as committed), or json.")] = Format.TEXT,
) -> None:
    """Recompute a study's constants from its calibration cells alone, and print them.

    Example: slicewright calibrate hyperpav > published/hyperpav/calibrated.toml
    """
    check([study])
    import tomllib

    from slicewright.study.calibrate import calibrate as fit
    from slicewright.study.constants import written

    text = written(fit(tell=lambda line: print(line, file=sys.stderr)))
    print(json.dumps(tomllib.loads(text), indent=2) if form is Format.JSON else text, end="")


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


def _writable(page: Path) -> None:
    """Refuse a place where no file can be written before minutes are spent on it."""
    if page.is_dir():
        raise refusal(problem("is a directory", file=str(page), key="--html", allowed="a file"))
    if not page.parent.is_dir():
        raise refusal(problem("its directory does not exist", file=str(page), key="--html"))


def _wish(*, quick: bool, text: bool, progress: Callable[[str, float], None]) -> Wish:
    from slicewright.study.page import heading, table
    from slicewright.study.reproduce import Wish

    if not text:
        return Wish(quick=quick, progress=progress)
    wish = Wish(quick=quick, progress=progress, done=lambda report, cells: print(table(report, cells), flush=True))
    print(heading(wish), flush=True)
    return wish


def _page(page: Path | None, result: Reproduction, wish: Wish, progress: Callable[[str, float], None]) -> bool:
    if page is None:
        return False
    from slicewright.study.report import lines, render

    page.write_text(render(result, wish, lines(lambda share: progress("curves", share))), "utf-8")
    return True


def _summary(result: Reproduction) -> None:
    from slicewright.study.constants import committed
    from slicewright.study.page import summary

    print(summary(result, committed()))


@contextmanager
def _progress() -> Iterator[Callable[[str, float], None]]:
    """A bar on a terminal's standard error, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda name, share: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda name, share: bar.update(task, description=name, completed=share)
