"""The command asked about yields: read the scenario, answer, print, and write what was asked for.

It leaves out the command line itself (`slicewright.cli.advise`), and which question the files ask (`about`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slicewright.advise.printed import printed, slug
from slicewright.advise.progress import Progress
from slicewright.advise.question import AdviceOptions
from slicewright.advise.source import one_scenario
from slicewright.advise.yields.answer import YieldAnswer
from slicewright.advise.yields.document import document
from slicewright.advise.yields.from_scenario import answer_scenario
from slicewright.advise.yields.page import page
from slicewright.advise.yields.question import YieldQuestion, check
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.files import Earlier, refuse_occupied, whole_directory, write_whole


def advise_yields(named: Sequence[tuple[str, bytes]], options: AdviceOptions, earlier: Earlier) -> int:
    """Answer from one scenario (name, content) and print the answer; the exit status is 0.

    `out` is a directory with a scenario per yield, number of processors and reading, the answer and its picture.
    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from slicewright.advise.yields.example import SHORTLY, source
    >>> files = [("spinners.toml", source().data)]
    >>> advise_yields(files, AdviceOptions(assume=SHORTLY, format="json"), Earlier("a.json", lambda name: True))
    {
     "question": "yields", ...
    }
    0
    """
    question = check(options)
    if options.out is not None:
        refuse_occupied(options.out, earlier)
    with Bar("advising") as bar:
        found = answer(named, question, bar)
    with printing(lambda: print(printed(found, options.format, document, page), end="")):
        if options.out is not None:
            _write(found, options.out, earlier)
    return 0


def answer(named: Sequence[tuple[str, bytes]], question: YieldQuestion, progress: Progress) -> list[YieldAnswer]:
    """An answer per control program with spin locks of one scenario; raises InputError for anything else.

    >>> answer([("a.txt", b"FCX108")], YieldQuestion(), lambda share: None)
    Traceback (most recent call last):
    _core.InputError: ...
    """
    allowed = "one scenario with [[spin_lock]] and control_program in a [[partition]]"
    why = "no report says how long guests hold their locks, and what they would do under another yield"
    name, data = one_scenario(named, why, allowed)
    return answer_scenario(data, name, question, progress)


def _write(found: Sequence[YieldAnswer], out: Path, earlier: Earlier) -> None:
    """Write each point and each reading as a scenario, the answers as JSON, and report.html; raises OSError."""
    from slicewright.advise.yields.picture import report_page

    with whole_directory(out, earlier) as folder:
        for one in found:
            lead = "" if len(found) == 1 else f"{slug(one.partition.name)}-"
            for row in one.rows:
                for point in row.points:
                    name = f"{lead}{row.processors:03}-{point.yielding.slug}.toml"
                    write_whole(folder / name, point.text.encode())
            for reading in one.readings:
                if reading.text and reading.name != "given":
                    write_whole(folder / f"{lead}reading-{reading.name}.toml", reading.text.encode())
        write_whole(folder / "advice.json", printed(found, "json", document, page).encode())
        write_whole(folder / "report.html", report_page(found).encode())
