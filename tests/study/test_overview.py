"""Does the README have the table of studies that the page makes from kept results?"""

from __future__ import annotations

import pytest
from slicewright.study.overview import Standing
from slicewright.study.studies import STUDIES, named

from tests.tidy.tree import ROOT


@pytest.mark.parametrize("name", STUDIES)
def test_the_readme_has_the_row_of_a_study(name: str) -> None:
    standing = Standing(named(name), named(name).kept_result())
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    row = next(line for line in lines if line.startswith(f"| [{standing.label}]({named(name).validation.as_posix()})"))
    assert standing.subject in row
    if not standing.remark:
        assert f"| {standing.predicted} | {standing.variants}".rstrip() in row


def test_a_study_without_kept_numbers_is_not_run_yet() -> None:
    assert Standing(named("hyperpav"), None).predicted == "not run yet"
