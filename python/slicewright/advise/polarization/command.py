"""The command asked about polarization: read the scenario, answer, print, and write what was asked for.

It leaves out the command line itself (`slicewright.cli.advise`), and which question the files ask (`about`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slicewright.advise.polarization.answer import PolarizationAnswer
from slicewright.advise.polarization.document import document
from slicewright.advise.polarization.from_scenario import answer_scenario
from slicewright.advise.polarization.page import page
from slicewright.advise.polarization.question import PolarizationQuestion, check
from slicewright.advise.printed import printed, slug
from slicewright.advise.progress import Progress
from slicewright.advise.question import AdviceOptions
from slicewright.advise.source import one_scenario
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.files import Earlier, refuse_occupied, whole_directory, write_whole


def advise_polarization(named: Sequence[tuple[str, bytes]], options: AdviceOptions, earlier: Earlier) -> int:
    """Answer from one scenario (name, content) and print the answer; the exit status is 0.

    `out` is a directory with a scenario per setting and reading, the answer and its picture.
    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from slicewright.advise.polarization.example import SHORTLY, source
    >>> files = [("zvm.toml", source().data)]
    >>> advise_polarization(files, AdviceOptions(assume=SHORTLY, format="json"), Earlier("a.json", lambda name: True))
    {
     "question": "polarization", ...
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


def answer(
    named: Sequence[tuple[str, bytes]], question: PolarizationQuestion, progress: Progress
) -> list[PolarizationAnswer]:
    """An answer per control program of one scenario; raises InputError for anything else.

    >>> answer([("a.txt", b"FCX108")], PolarizationQuestion(), lambda share: None)
    Traceback (most recent call last):
    _core.InputError: ...
    """
    allowed = "one scenario with control_program in a [[partition]]; slicewright new zvm"
    why = "it says what happened under one setting, and not what the guests would do under another"
    name, data = one_scenario(named, why, allowed)
    return answer_scenario(data, name, question, progress)


def _write(found: Sequence[PolarizationAnswer], out: Path, earlier: Earlier) -> None:
    """Write each setting and each reading as a scenario, the answers as JSON, and report.html; raises OSError."""
    from slicewright.advise.polarization.picture import report_page

    with whole_directory(out, earlier) as folder:
        for one in found:
            lead = "" if len(found) == 1 else f"{slug(one.partition.name)}-"
            for at, point in enumerate(one.curve, 1):
                name = slug(point.setting.words(one.usual))
                write_whole(folder / f"{lead}{at:02}-{name}.toml", point.text.encode())
            for reading in one.readings:
                if reading.text and reading.name != "given":
                    write_whole(folder / f"{lead}reading-{reading.name}.toml", reading.text.encode())
        write_whole(folder / "advice.json", printed(found, "json", document, page).encode())
        write_whole(folder / "report.html", report_page(found).encode())
