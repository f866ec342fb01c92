"""The command asked about slices: read the files, answer, print, and write what was asked for.

It leaves out the command line itself (`slicewright.cli.advise`), and which question the files ask (`about`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from slicewright.advise.about import is_scenario
from slicewright.advise.question import AdviceOptions
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.document import document
from slicewright.advise.slices.from_pages import answer_pages
from slicewright.advise.slices.from_scenario import answer_scenario
from slicewright.advise.slices.page import page
from slicewright.advise.slices.question import SliceQuestion, check
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.files import Earlier, refuse_occupied, refuse_unwritable, whole_directory, write_whole


def advise_slices(named: Sequence[tuple[str, bytes]], options: AdviceOptions, earlier: Earlier) -> int:
    """Answer from files (name, content) and print the answer; the exit status is 0.

    `out` that ends in .toml is the scenario alone, else a directory with it, the answer and its picture.
    Raises InputError with every problem of options and files, RunError when a simulation cannot go on.

    >>> from slicewright._core import starter
    >>> files = [("two-domains.toml", starter("two-domains").encode())]
    >>> advise_slices(files, AdviceOptions(format="json"), Earlier("advice.json", lambda name: True))
    {
     "question": "slices", ...
    }
    0
    """
    question = check(options)
    out = options.out
    if out is not None:
        refuse_unwritable(out) if _alone(out) else refuse_occupied(out, earlier)
    with Bar("advising") as bar:
        found = answer(named, question, bar)
    with printing(lambda: _print(found, options.format)):
        if out is not None:
            _write(found, out, earlier)
    return 0


def answer(
    named: Sequence[tuple[str, bytes]], question: SliceQuestion, progress: Callable[[float], None]
) -> SliceAnswer:
    """The answer from one scenario, or from RMF pages of partitions; raises InputError.

    >>> from slicewright._core import starter
    >>> files = [("two-domains.toml", starter("two-domains").encode())]
    >>> answer(files, SliceQuestion(), lambda share: None).recommendation.parameter
    5
    """
    name, data = named[0]
    if len(named) == 1 and is_scenario(name, data):
        return answer_scenario(data, name, question, progress)
    return answer_pages(named, question, progress)


def _alone(out: Path) -> bool:
    return out.suffix == ".toml"


def _print(found: SliceAnswer, form: str) -> None:
    print(json.dumps(document(found), indent=1, ensure_ascii=False) if form == "json" else page(found), end="")
    if form == "json":
        print()


def _write(found: SliceAnswer, out: Path, earlier: Earlier) -> None:
    """Write the scenario alone, or a directory; raises OSError."""
    if _alone(out):
        write_whole(out, found.scenario.encode())
        return
    from slicewright.advise.slices.picture import report_page

    with whole_directory(out, earlier) as folder:
        for at, one in enumerate(found.readings, 1):
            write_whole(folder / f"{at:02}-{one.name}.toml", one.text.encode())
        text = json.dumps(document(found), indent=1, ensure_ascii=False)
        write_whole(folder / "advice.json", text.encode() + b"\n")
        write_whole(folder / "report.html", report_page(found).encode())
