"""Do the teaching pages say what simulation and theory say, and do they print what the commands print?"""

from __future__ import annotations

import doctest
import math
import re
from pathlib import Path

import pytest
from slicewright import run
from slicewright.statistics import estimate

from docs.teaching import tables, theory
from tests.docs import console
from tests.tidy.tree import ROOT

pytestmark = pytest.mark.slow

STANDARD_ERRORS = 5
T_OF_TEN = 2.2622
"""Student's t of a 95 % interval over ten replications."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that has what the pages' commands read, and keeps what they write."""
    for folder in ("published", "scenarios"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


@pytest.mark.usefixtures("simulated_once")
@pytest.mark.parametrize("page", tables.pages(), ids=lambda page: page.stem)
def test_a_page_prints_what_its_commands_print(page: Path, checkout: Path) -> None:
    reader = console.Reader(checkout).follow(page)
    assert not reader.problems, "\n\n".join(reader.problems)


@pytest.mark.parametrize("name", tables.TABLES)
def test_a_table_is_what_the_engine_simulates_now(name: str) -> None:
    fresh = tables.TABLES[name]().markdown()
    assert [page.stem for page in tables.pages() if fresh in page.read_text("utf-8")], (
        f"write it again: .venv/bin/python -m docs.teaching\n{fresh}"
    )


@pytest.mark.parametrize("name", tables.TABLES)
def test_what_is_simulated_is_within_five_standard_errors_of_theory(name: str) -> None:
    for measured, known in tables.TABLES[name]().cells():
        error = measured.half_width / T_OF_TEN
        assert abs(measured.mean - known) <= STANDARD_ERRORS * error + 1e-4, (measured, known)


def test_every_table_has_a_page() -> None:
    stated = [name for page in tables.pages() for name in re.findall(r"<!-- table ([\w-]+) -->", page.read_text())]
    assert sorted(stated) == sorted(tables.TABLES)


def test_a_service_of_constant_length_halves_the_waiting() -> None:
    found = run(
        ROOT / "scenarios/mm1.toml",
        set={"volume.DISK.service.connect": {"constant": "1 ms"}, "measure.interval": "1 min"},
    )
    response = estimate(found.values("system", "response_ms"))
    assert abs(response.mean - theory.one_server(0.5, scv=0)) < STANDARD_ERRORS * response.half_width / T_OF_TEN


def test_the_closed_forms_agree_where_they_meet() -> None:
    assert theory.many_servers(1, 0.9) == pytest.approx(theory.one_server(0.9))
    assert theory.repairman(2000, 4000, 1).response == pytest.approx(theory.one_server(0.5), rel=0.01)
    enough = theory.repairman(12, 2, 12)
    assert enough.rate == pytest.approx(4)
    assert enough.response == pytest.approx(1)
    assert math.isclose(enough.waiting, 0, abs_tol=1e-9)


@pytest.mark.parametrize("module", [theory, tables, console], ids=lambda module: module.__name__)
def test_the_examples_in_the_code_run(module: object) -> None:
    tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried.attempted
    assert not tried.failed
