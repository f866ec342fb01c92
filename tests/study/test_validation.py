"""Is each validation page that of this engine, these bands and these published numbers, with every cell on it?"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from slicewright.results.judge import Place
from slicewright.statistics import Estimate
from slicewright.study.judge import Kept
from slicewright.study.mdf import COLUMNS
from slicewright.study.spec import Spec
from slicewright.study.studies import STUDIES, named
from slicewright.study.study import Study
from slicewright.values.carried import data_folder

from tests.study.reproductions import Reproductions
from tests.tidy.tree import ROOT

AGAIN = "simulate it again, which takes a minute or two: .venv/bin/python -m slicewright.study validation"
STANDARD_ERRORS = 5
SLACK = {"hiperdispatch": 0.03, "grs-exits": 0.001}
"""Beside noise, of a value: a controller goes round in a minute, and the first round is not quite like the others;
pairs are counted whole where nothing is drawn."""


@pytest.fixture(scope="module", params=STUDIES)
def study(request: pytest.FixtureRequest) -> Study:
    """Each study of this version."""
    return named(request.param)


def published(name: str) -> list[Place]:
    """The place of every published number of a study."""
    study = named(name)
    return [number.place for number in study.published(study.spec())]


def page(study: Study) -> Path:
    """Its validation page."""
    return ROOT / study.validation


def kept(study: Study) -> Kept:
    """The numbers that stand beside the page."""
    return Kept.read(page(study).with_suffix(".json").read_text("utf-8"))


def standard_error(known: Estimate, again: Estimate) -> float:
    """That of their difference, at least; a single replication is taken to scatter as each of those that are known."""
    alone = again.replications == 1
    half_width = known.half_width * math.sqrt(known.replications) if alone else again.half_width
    return (known.half_width + half_width) / 2


def test_every_study_has_a_validation_page() -> None:
    assert {path.parent.name for path in data_folder("published").glob("*/study.toml")} == set(STUDIES)
    assert {path.stem for path in (ROOT / "docs" / "validation").glob("*.md")} == set(STUDIES)


def test_the_page_is_what_its_numbers_and_todays_bands_and_sources_make(study: Study) -> None:
    assert page(study).read_text("utf-8") == study.markdown(kept(study)), AGAIN


def test_the_numbers_are_those_of_this_engine(study: Study) -> None:
    assert kept(study).engine == study.fingerprint(), f"the engine simulates this study differently now; {AGAIN}"


def test_the_numbers_are_within_noise_of_a_short_reproduction(study: Study, reproductions: Reproductions) -> None:
    numbers, again = kept(study), reproductions.of(study.name)
    for estimates, cells in ((numbers.own, again.cells), (numbers.other, again.adopted)):
        for cell in cells:
            known = estimates[cell.place.key]
            room = STANDARD_ERRORS * standard_error(known, cell.estimate) + SLACK.get(study.name, 0.0) * abs(known.mean)
            assert abs(known.mean - cell.estimate.mean) <= room, (cell.place, AGAIN)


def test_every_published_hyperpav_value_is_on_the_page_with_role_band_and_verdict() -> None:
    text, bands = page(named("hyperpav")).read_text("utf-8"), named("hyperpav").spec()
    listed = published("hyperpav")
    for table in dict.fromkeys(place.table for place in listed):
        rows = section(text, table)
        assert [row[0].strip("`") for row in rows] == [place.row for place in listed if place.table == table]
        for row in rows:
            judged(row, bands, (table, row[0].strip("`"), ""))


def test_every_published_mdf_number_is_on_the_page_with_role_band_and_verdict() -> None:
    text, bands = page(named("mdf")).read_text("utf-8"), named("mdf").spec()
    listed = published("mdf")
    for table in dict.fromkeys(place.table for place in listed):
        rows = section(text, table)
        own = [place for place in listed if place.table == table]
        names = [f"`{place.row} {COLUMNS.get(place.column, place.column.upper())}`" for place in own]
        assert [row[0] for row in rows] == names
        for row, place in zip(rows, own, strict=True):
            judged(row, bands, (place.table, place.row, place.column))


@pytest.mark.parametrize("form", ["Adopted", "Growing"])
def test_every_number_of_another_form_is_on_the_page_too(form: str) -> None:
    text, bands = page(named("mdf")).read_text("utf-8"), named("mdf").spec()
    listed = [place for place in published("mdf") if place.column in COLUMNS]
    for table in dict.fromkeys(place.table for place in listed):
        own = [place for place in listed if place.table == table]
        rows = section(text, f"{form}, {table}")
        assert [row[0] for row in rows] == [f"`{place.row} {COLUMNS[place.column]}`" for place in own]
        for row, place in zip(rows, own, strict=True):
            banded(row, bands, (place.table, place.row, place.column))


@pytest.mark.parametrize(
    ("name", "form"),
    [("hiperdispatch", ""), ("hiperdispatch", "Adopted, "), ("diag9c", ""), ("grs-exits", ""), ("outside", "")]
    + [("diag9c", form) for form in ("Adopted, ", "Variant, ")],
)
def test_every_published_number_is_on_the_page_with_role_band_and_verdict(name: str, form: str) -> None:
    text, bands = page(named(name)).read_text("utf-8"), named(name).spec()
    check = banded if form else judged
    places = published(name)
    for table in dict.fromkeys(place.table for place in places):
        own = [place for place in places if place.table == table]
        rows = section(text, f"{form}{table}")
        assert [row[0] for row in rows] == [f"`{f'{place.row} {place.column}'.rstrip()}`" for place in own]
        for row, place in zip(rows, own, strict=True):
            check(row, bands, (place.table, place.row, place.column))


def section(text: str, table: str) -> list[list[str]]:
    """The rows of one table of a page, cell by cell."""
    found = re.split(r"^## ", text.split(f"\n## {table}: ", 1)[1], flags=re.MULTILINE)[0]
    return [line.strip("| ").split(" | ") for line in found.splitlines() if line.startswith("| `")]


def judged(row: list[str], bands: Spec, place: tuple[str, ...]) -> None:
    """Role, band and verdict of a row are those that its place has."""
    ruling = bands.ruling(*place)
    verdicts = ["**matches**", "**trend**", "**misses**"] if ruling.scored else [ruling.role]
    assert row[6] == ruling.role
    assert row[7].rstrip(" |") in verdicts
    banded(row, bands, place)


def banded(row: list[str], bands: Spec, place: tuple[str, ...]) -> None:
    """A row has a band where its place is scored; in an adopted form its role may be another."""
    assert (row[5] != "-") == bands.ruling(*place).scored


def test_a_number_that_changes_changes_the_page() -> None:
    own = named("hyperpav")
    before = kept(own)
    off = replace(before, own=before.own | {("Y032181H", "service_ms"): Estimate(2.0, 0.001, 10)})
    changed = [
        new
        for old, new in zip(own.markdown(before).splitlines(), own.markdown(off).splitlines(), strict=False)
        if old != new
    ]
    assert any("**misses**" in line or "**trend**" in line for line in changed)
