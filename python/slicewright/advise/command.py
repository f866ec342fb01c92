"""The command: read the files, have whoever answers the question answer it, print, and write where that is asked for.

It leaves out the command line itself (`slicewright.cli.advise`), and the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from slicewright.advise.about import is_scenario, question_of
from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.aliases.adviser import ADVISER as ALIASES
from slicewright.advise.exits.adviser import ADVISER as EXITS
from slicewright.advise.limits.adviser import ADVISER as LIMITS
from slicewright.advise.options import AdviceOptions, check_name
from slicewright.advise.polarization.adviser import ADVISER as POLARIZATION
from slicewright.advise.printed import as_html, as_json, as_text, slug
from slicewright.advise.slices.adviser import ADVISER as SLICES
from slicewright.advise.yields.adviser import ADVISER as YIELDS
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.errors import problem, refusal
from slicewright.io.files import (
    Earlier,
    read_bytes,
    refuse_occupied,
    refuse_unwritable,
    shown,
    whole_directory,
    write_whole,
)
from slicewright.scenario.files import whole

ADVISERS: Mapping[str, Adviser[Any, Any]] = {
    "aliases": ALIASES,
    "slices": SLICES,
    "polarization": POLARIZATION,
    "yields": YIELDS,
    "exits": EXITS,
    "limits": LIMITS,
}
"""Who answers which question."""
EARLIER = Earlier("advice.json", lambda name: name.endswith(".toml") or name in ("advice.json", "report.html"))
"""An earlier advice, which a new one in the same directory replaces."""


def advise(question: str | None, files: Sequence[str | PathLike[str]], *, options: AdviceOptions) -> int:
    """Answer a question from files and print the answer; the exit status is 0.

    Where `out` is given, answers are written there with the scenarios behind them and a report; nothing of it is there
    before all is.  Raises InputError with every problem of options and files (exit status 2), RunError when a
    simulation cannot go on.

    >>> from slicewright.advise.aliases.example import FILE
    >>> known = ["population=3", "sharing=2%", "redispatch=none"]
    >>> advise("aliases", [FILE], options=AdviceOptions(assume=known, format="json"))
    {
     "question": "aliases", ... "recommendation": { "aliases": 2, "low": 2, "high": 2 }, ...
    }
    0
    """
    check_name(question)
    named = read(files)
    adviser = ADVISERS[question or question_of(named)]
    asked = adviser.check(named, options)
    if options.out is not None:
        refuse_unwritable(options.out) if _alone(adviser, options.out) else refuse_occupied(options.out, EARLIER)
    with Bar("advising", quiet=options.quiet) as bar:
        found = adviser.answer(named, asked, bar)
    output = as_json(found, adviser.document) if options.format == "json" else as_text(found, adviser.report)
    with printing(lambda: print(output, end="")):
        if options.out is not None:
            _write(adviser, found, options.out)
    return 0


def read(files: Sequence[str | PathLike[str]]) -> Named:
    """Files as advisers take them; raises InputError where there are none, or one cannot be read.

    >>> from slicewright.advise.aliases.example import FILE
    >>> [(name, data)] = read([FILE])
    >>> b"FCX108" in data
    True
    """
    if not files:
        allowed = (
            "a DEVICE report (FCX108), RMF pages of partitions, rates of ENQs, copies of cpu.stat, or a scenario; - is"
            " standard input"
        )
        raise refusal(problem("no file", key="FILE", allowed=allowed))
    found = [(shown(file), read_bytes(file)) for file in files]
    return [(name, whole(data, name) if is_scenario(name, data) else data) for name, data in found]


def _alone(adviser: Adviser[Any, Any], out: Path) -> bool:
    return adviser.alone is not None and out.suffix == ".toml"


def _write(adviser: Adviser[Any, Any], found: Sequence[Any], out: Path) -> None:
    """Write the scenario alone, or scenarios, the answers as JSON, and report.html into a directory; raises OSError."""
    if adviser.alone is not None and _alone(adviser, out):
        write_whole(out, adviser.alone(found[0]).encode())
        return
    with whole_directory(out, EARLIER) as folder:
        for one in found:
            lead = f"{slug(adviser.lead(one))}-" if len(found) > 1 and adviser.lead(one) else ""
            for name, text in adviser.scenarios(one):
                write_whole(folder / f"{lead}{name}", text.encode())
        write_whole(folder / "advice.json", as_json(found, adviser.document).encode())
        write_whole(folder / "report.html", as_html(found, adviser.report).encode())
