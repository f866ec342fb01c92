"""`python -m slicewright.study [validation]`: write the shipped scenarios, or the validation page, anew.

It leaves out finding the constants that both use (`slicewright calibrate hyperpav`).
"""

import sys
from pathlib import Path

from slicewright.study.constants import committed
from slicewright.study.data import data_folder
from slicewright.study.hyperpav import scenario
from slicewright.study.kept import Kept
from slicewright.study.published import reports
from slicewright.study.reproduce import reproduce
from slicewright.study.validation import markdown

VALIDATION = Path("docs") / "validation" / "hyperpav.md"
"""The validation page, from the root of a checkout; the numbers it is made of stand beside it, as JSON."""


def shipped() -> dict[Path, str]:
    """Each shipped scenario's file and text, as the committed constants have them.

    >>> [path.name for path in shipped()][:2]
    ['Y032180H.toml', 'Y032181H.toml']
    """
    folder = data_folder("scenarios") / "hyperpav"
    return {folder / f"{report.table}.toml": scenario(report, committed().constants) for report in reports()}


def write(words: list[str]) -> None:
    """Write what is asked for, in the checkout that holds the published numbers.

    >>> write(["nonsense"])
    Traceback (most recent call last):
    SystemExit: python -m slicewright.study [validation]
    """
    if words not in ([], ["validation"]):
        raise SystemExit("python -m slicewright.study [validation]")
    wanted = shipped()
    if words:
        kept = Kept.of(reproduce())
        page = data_folder("published").parent / VALIDATION
        wanted = {page: markdown(kept), page.with_suffix(".json"): kept.written()}
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path)


if __name__ == "__main__":
    write(sys.argv[1:])
