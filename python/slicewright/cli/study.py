"""`slicewright reproduce`: what it prints of any study, and the constants of one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.cli.command import Given, command, stored
from slicewright.study.studies import STUDIES, check, check_ablation, named
from slicewright.values.console import print_json
from slicewright.values.errors import problem, refusal
from slicewright.values.files import refuse_unwritable, write_whole

if TYPE_CHECKING:
    from slicewright.report.model import Report
    from slicewright.study.judge import Reproduction, Request
    from slicewright.study.study import Measured, Study


@command("reproduce")
def reproduce(given: Given) -> int:
    """Simulate published measurements and print each published number next to the simulated one.

    \b
    Example:
      slicewright reproduce hyperpav --quick
      slicewright reproduce hyperpav --calibrate > constants.toml
    """
    if given.calibrate:
        return _calibrate(given)
    wanted = list(dict.fromkeys(given.studies or STUDIES))
    check(wanted)
    if given.ablation:
        check_ablation(wanted, given.ablation, strict=given.strict)
    if given.bench:
        _check_bench(wanted)
    page = None if given.html is None else Path(given.html)
    if page is not None:
        refuse_unwritable(page)
    from slicewright.report.text import render
    from slicewright.study.judge import Request

    request, text = Request(quick=given.quick, ablation=given.ablation or ""), given.format == "text"
    with stored(given.fresh):
        done = [_reproduced(named(name), request, (text, given.quiet)) for name in wanted]
    timed = {study.name: study.bench() for study, _, _ in done if study.bench} if given.bench else {}
    if text:
        for measurement in timed.values():
            print(f"\n{render(measurement.report())}", end="")
    else:
        found = [study.document(result) | _timed(timed.get(study.name)) for study, result, _ in done]
        print_json(found[0] if len(found) == 1 else found)
    if page is not None:
        _draw(page, done, quiet=given.quiet)
    return int(given.strict and any(cell.verdict == "misses" for _, result, _ in done for cell in result.cells))


def _calibrate(given: Given) -> int:
    """Recompute a study's constants from its calibration cells alone, and print them."""
    beside = [name for name in ("quick", "strict", "html", "ablation", "bench") if getattr(given, name)]
    studies = list(given.studies or [])
    check(studies)
    if beside or len(studies) != 1:
        what = f"--calibrate beside --{beside[0]}" if beside else f"--calibrate takes one study, not {len(studies)}"
        raise refusal(problem(what, allowed=f"one of {', '.join(STUDIES)}, --fresh, --quiet and --format"))
    import tomllib

    from slicewright.study.calibrate import written

    with stored(given.fresh):
        own = named(studies[0])
        fits = own.calibrate(tell=lambda line: None if given.quiet else print(line, file=sys.stderr))
        text = written(own.spec(), fits)
    if given.format == "json":
        print_json(tomllib.loads(text))
    else:
        print(text, end="")
    return 0


def _check_bench(studies: list[str]) -> None:
    """Refuse to time studies in which there is nothing to be timed; raises InputError.

    >>> _check_bench(["grs-exits"])
    """
    have = [name for name in STUDIES if named(name).bench]
    wrong = [name for name in studies if name not in have]
    if wrong:
        allowed = ", ".join(have)
        raise refusal(*(problem(f"{name} has nothing to time", key="--bench", allowed=allowed) for name in wrong))


def _timed(found: Measured | None) -> dict[str, Any]:
    from slicewright.values.codec import plain

    return {"bench": plain(found)} if found is not None else {}


def _reproduced(study: Study, asked: Request, text_quiet: tuple[bool, bool]) -> tuple[Study, Reproduction, Request]:
    """A study reproduced, and printed run by run where text is wanted."""
    from slicewright.study.pages import heading, printed
    from slicewright.values.console import Bar

    text, quiet = text_quiet
    with Bar(study.name, quiet=quiet) as bar:
        request = replace(asked, progress=bar)
        if text:
            request = replace(request, done=lambda run, cells: print(printed(study, run, cells), flush=True))
            print(heading(study, request), flush=True)
        result = study.reproduce(request)
    if text:
        print(study.summary(result), flush=True)
    return study, result, request


def _draw(path: Path, done: list[tuple[Study, Reproduction, Request]], *, quiet: bool) -> None:
    from slicewright.report.html import render
    from slicewright.values.console import Bar

    pages = []
    for study, result, request in done:
        with Bar(f"{study.name}: curves", quiet=quiet) as bar:
            pages.append(study.page(result, request, bar))
    write_whole(path, render(pages[0] if len(pages) == 1 else _together(pages)).encode())
    print(f"wrote {path}", file=sys.stderr)


def _together(pages: list[Report]) -> Report:
    """Several studies on one page: the sections of each under its title."""
    from slicewright.report.model import Face, Paragraph, Report, Section

    sections = []
    for page in pages:
        facts = ", ".join(f"{name} {value}" for name, value in page.facts)
        head = [Paragraph(f"{page.subtitle}.", face=Face.HTML), Paragraph(f"{facts}.", face=Face.HTML)]
        sections += [Section(page.title, head), *page.sections]
    return Report("Published and simulated", "Every study of this version", [("studies", str(len(pages)))], sections)
