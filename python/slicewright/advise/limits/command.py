"""The command asked about limits: read the copies, answer, print, and write what was asked for.

It leaves out the command line itself (`slicewright.cli.advise`), and which question the files ask (`about`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from slicewright.advise.limits.answer import Lever, LimitAnswer
from slicewright.advise.limits.cpu_stat import is_cpu_stat
from slicewright.advise.limits.document import document
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.intervals import read_all
from slicewright.advise.limits.page import page
from slicewright.advise.limits.question import LimitQuestion, check
from slicewright.advise.limits.words import setting_words
from slicewright.advise.printed import printed, slug
from slicewright.advise.question import AdviceOptions
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.files import Earlier, refuse_occupied, whole_directory, write_whole
from slicewright.problems import Problem, gathered, problem, refusal


def advise_limits(named: Sequence[tuple[str, bytes]], options: AdviceOptions, earlier: Earlier) -> int:
    """Answer from copies of cpu.stat (name, content) and print the answer; the exit status is 0.

    `out` is a directory with a scenario per setting and reading, the answer and its picture.
    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from slicewright.advise.limits.example import COPIES
    >>> one = b"".join(COPIES.splitlines(keepends=True)[:4])
    >>> options = AdviceOptions(limit="500m", requests="40/s", format="json")
    >>> advise_limits([("cpu.stat", one)], options, Earlier("a.json", lambda name: True))
    {
     "question": "limits", ...
    }
    0
    """
    question = _checked(named, options)
    if options.out is not None:
        refuse_occupied(options.out, earlier)
    with Bar("advising") as bar:
        found = answer_copies(named, question, bar)
    with printing(lambda: print(printed([found], options.format, document, page), end="")):
        if options.out is not None:
            _write(found, options.out, earlier)
    return 0


def _checked(named: Sequence[tuple[str, bytes]], options: AdviceOptions) -> LimitQuestion:
    """The question; what is wrong with the options and with the files is told together."""
    problems: list[Problem] = []
    why, allowed = "it has none of its counters", "copies of a group's cpu.stat"
    others = [name for name, data in named if not is_cpu_stat(data) and data.strip()]
    problems += [problem("no cpu.stat", file=name, why=why, allowed=allowed) for name in others]
    if not others:
        gathered(problems, functools.partial(read_all, named))
    asked = gathered(problems, functools.partial(check, options))
    if problems:
        raise refusal(*problems)
    return asked[0]


def _write(found: LimitAnswer, out: Path, earlier: Earlier) -> None:
    """Write each point and each reading as a scenario, the answer as JSON, and report.html; raises OSError."""
    from slicewright.advise.limits.picture import report_page

    with whole_directory(out, earlier) as folder:
        for point in found.points:
            words = setting_words(point.lever, point.setting)
            name = slug(f"limit {words}" if point.lever is Lever.LIMIT else words)
            write_whole(folder / f"{name}.toml", point.text.encode())
        for at, line in enumerate(one for one in found.readings if one.text):
            write_whole(folder / f"reading-{at + 1:02}.toml", line.text.encode())
        write_whole(folder / "advice.json", printed([found], "json", document, page).encode())
        write_whole(folder / "report.html", report_page([found]).encode())
