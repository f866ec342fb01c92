"""Is the validation page that of this engine, these bands and these published numbers, with every cell on it?

It leaves out whether the cells come out (`test_study_hyperpav.py`).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import pytest
from slicewright.statistics import Estimate
from slicewright.study.bands import Bands
from slicewright.study.data import data_folder
from slicewright.study.hyperpav.kept import fingerprint
from slicewright.study.hyperpav.published import reports
from slicewright.study.hyperpav.reproduce import reproduce
from slicewright.study.hyperpav.validation import markdown
from slicewright.study.kept import Kept
from slicewright.study.reproduction import Wish
from slicewright.study.studies import named

from tests.tidy.tree import ROOT

AGAIN = "simulate it again, which takes a minute or two: .venv/bin/python -m slicewright.study validation"
PAGE = ROOT / named("hyperpav").validation
STANDARD_ERRORS = 5


@pytest.fixture(scope="module")
def kept() -> Kept:
    """The numbers that stand beside the page."""
    return Kept.read(PAGE.with_suffix(".json").read_text("utf-8"))


def test_every_study_has_a_validation_page() -> None:
    studies = tomllib.loads((data_folder("published") / "bands.toml").read_text("utf-8"))
    assert {path.stem for path in PAGE.parent.glob("*.md")} == set(studies)


def test_the_page_is_what_its_numbers_and_todays_bands_and_sources_make(kept: Kept) -> None:
    assert PAGE.read_text("utf-8") == markdown(kept), AGAIN


def test_the_numbers_are_those_of_this_engine(kept: Kept) -> None:
    assert kept.engine == fingerprint(), f"the engine simulates this study differently now; {AGAIN}"


def test_the_numbers_are_within_noise_of_a_short_reproduction(kept: Kept) -> None:
    for cell in reproduce(Wish(quick=True)).cells:
        known = kept.own[cell.place.table, cell.place.row]
        error = (known.half_width + cell.estimate.half_width) / 2
        assert abs(known.mean - cell.estimate.mean) <= STANDARD_ERRORS * error, (cell.place, AGAIN)


def test_every_published_value_stands_on_the_page_with_role_band_and_verdict() -> None:
    text, bands = PAGE.read_text("utf-8"), Bands.read("hyperpav")
    for report in reports():
        section = re.split(r"^## ", text.split(f"\n## {report.table}: ", 1)[1], flags=re.MULTILINE)[0]
        rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
        assert [row[0].strip("`") for row in rows] == report.rows
        for row in rows:
            ruling = bands.ruling(report.table, row[0].strip("`"))
            verdicts = ["**matches**", "**trend**", "**misses**"] if ruling.scored else [ruling.role]
            assert row[6] == ruling.role
            assert row[7].rstrip(" |") in verdicts
            assert (row[5] != "-") == ruling.scored


def test_a_number_that_changes_changes_the_page(kept: Kept) -> None:
    place = ("Y032181H", "service_ms")
    off = replace(kept, own=kept.own | {place: Estimate(2.0, 0.001, 10)})
    changed = [
        new for old, new in zip(markdown(kept).splitlines(), markdown(off).splitlines(), strict=False) if old != new
    ]
    assert any("**misses**" in line or "**trend**" in line for line in changed)
