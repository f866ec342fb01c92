"""The command asked about exits: read the scenario or the rates, answer, print, and write what was asked for.

It leaves out the command line itself (`slicewright.cli.advise`), and which question the files ask (`about`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slicewright.advise.exits.answer import ExitAnswer
from slicewright.advise.exits.document import document
from slicewright.advise.exits.from_scenario import answer_scenario
from slicewright.advise.exits.page import page
from slicewright.advise.exits.question import ExitQuestion, check
from slicewright.advise.exits.rates import as_scenario, is_rates, read_rates
from slicewright.advise.printed import printed, slug
from slicewright.advise.progress import Progress
from slicewright.advise.question import AdviceOptions
from slicewright.advise.source import one_scenario
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.files import Earlier, refuse_occupied, whole_directory, write_whole
from slicewright.problems import problem, refusal

ALLOWED = "one scenario with [[enqueue]], or one table of rates: qname,rname,scope,pairs_per_s"


def advise_exits(named: Sequence[tuple[str, bytes]], options: AdviceOptions, earlier: Earlier) -> int:
    """Answer from one scenario or one table of rates (name, content) and print the answer; the exit status is 0.

    `out` is a directory with a scenario per structure and reading, the answer and its picture.
    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from slicewright.advise.exits.example import SHORTLY, source
    >>> files = [("requests.toml", source().data)]
    >>> advise_exits(files, AdviceOptions(assume=SHORTLY, format="json"), Earlier("a.json", lambda name: True))
    {
     "question": "exits", ...
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


def answer(named: Sequence[tuple[str, bytes]], question: ExitQuestion, progress: Progress) -> list[ExitAnswer]:
    """An answer per partition whose guests enqueue, of one scenario or of one table of rates; raises InputError else.

    >>> answer([("a.txt", b"FCX108")], ExitQuestion(), lambda share: None)
    Traceback (most recent call last):
    _core.InputError: ...
    """
    rates = [one for one in named if not one[0].endswith(".toml") and is_rates(one[1])]
    if rates:
        if len(named) > 1:
            other = next(one for one in named if one is not rates[0])
            raise refusal(problem("a second file", file=other[0], allowed=ALLOWED))
        name, data = rates[0]
        text = as_scenario(read_rates(data, name), name)
        return answer_scenario(text.encode(), name, question, progress)
    why = "it does not say who asks for what, and how often"
    name, data = one_scenario(named, why, ALLOWED)
    return answer_scenario(data, name, question, progress)


def _write(found: Sequence[ExitAnswer], out: Path, earlier: Earlier) -> None:
    """Write each structure and each reading as a scenario, the answers as JSON, and report.html; raises OSError."""
    from slicewright.advise.exits.picture import report_page

    with whole_directory(out, earlier) as folder:
        for one in found:
            lead = "" if len(found) == 1 else f"{slug(one.partition)}-"
            for point in one.points:
                write_whole(folder / f"{lead}{point.structure}.toml", point.text.encode())
            for reading in one.readings:
                if reading.text and reading.name != "given":
                    write_whole(folder / f"{lead}reading-{reading.name}.toml", reading.text.encode())
        write_whole(folder / "advice.json", printed(found, "json", document, page).encode())
        write_whole(folder / "report.html", report_page(found).encode())
