"""`python -m slicewright.study [validation] [STUDY]...`: write the shipped scenarios, or the validation pages, anew."""

import sys
from pathlib import Path

from slicewright.study.judge import Kept, Request
from slicewright.study.studies import STUDIES, named
from slicewright.study.study import Study
from slicewright.values.carried import data_folder


def shipped() -> dict[Path, str]:
    """Each shipped scenario's file and text, as the committed constants have them.

    >>> [path.name for path in shipped()][:2]
    ['Y032180H.toml', 'Y032181H.toml']
    """
    return {path: text for study in STUDIES for path, text in named(study).shipped.items()}


def write(words: list[str]) -> None:
    """Write what is asked for, of the studies that are named or of all, in the checkout with the published numbers.

    >>> write(["nonsense"])
    Traceback (most recent call last):
    SystemExit: python -m slicewright.study [validation] [STUDY]...
    """
    pages = words[:1] == ["validation"]
    studies = words[pages:] or list(STUDIES)
    if not set(studies) <= set(STUDIES):
        raise SystemExit("python -m slicewright.study [validation] [STUDY]...")
    for study in map(named, studies):
        for path, text in (_validation(study) if pages else study.shipped).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(path)


def _validation(study: Study) -> dict[Path, str]:
    kept = Kept.of(study.reproduce(Request()), study.fingerprint())
    page = data_folder("published").parent / study.validation
    return {page: study.markdown(kept), page.with_suffix(".json"): kept.written()}


if __name__ == "__main__":
    write(sys.argv[1:])
