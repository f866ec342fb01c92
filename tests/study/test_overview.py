"""Does the README have the table of studies that the page makes from kept results?"""

from __future__ import annotations

import pytest
from slicewright.study.overview import standing
from slicewright.study.studies import STUDIES, named

from tests.tidy.tree import ROOT


@pytest.mark.parametrize("name", STUDIES)
def test_the_readme_has_the_row_of_a_study(name: str) -> None:
    found = standing(named(name), named(name).kept_result())
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    row = next(line for line in lines if line.startswith(f"| [{found['study']}]({named(name).validation.as_posix()})"))
    assert found["subject"] in row
    if not found["remark"]:
        assert f"| {found['matches']} | {found['variants']}".rstrip() in row
    assert row.endswith(f"| {found['kinds']} |".replace("|  |", "| |"))


def test_a_study_without_kept_numbers_is_not_run_yet() -> None:
    assert standing(named("hyperpav"), None)["matches"] == "not run yet"
