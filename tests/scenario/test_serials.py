"""Do volume serials with $, # and @, and labels that are no names, go through advise, runs and pages as they are?"""

from __future__ import annotations

import tomllib
from pathlib import Path

import polars as pl
import pytest
import slicewright as sw
from slicewright.scenario.source import read_scenario

from tests.conftest import CommandLine

SERIAL = "A$B#@1"


@pytest.fixture(scope="module")
def advised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scenario that `advise` writes from a DEVICE page with a serial of national characters and an invalid one."""
    from slicewright.cli import main
    from slicewright.values.carried import study_folder

    folder = tmp_path_factory.mktemp("serials")
    page = (study_folder("hyperpav") / "device-reports" / "Y032180H.txt").read_text(encoding="ascii")
    page = page.replace("BWPVS0", SERIAL).replace("BWPVS1", "W*%!>b").replace(" 3390   BWPVS2", " 3390*% BWPVS2")
    (folder / "page.txt").write_text(page, encoding="ascii")
    assert main(["advise", str(folder / "page.txt"), "--out", str(folder / "advice")]) == 0
    return next((folder / "advice").glob("*-01-*.toml"))


def test_a_scenario_of_advise_keeps_serials_and_names_the_rest_by_device(advised: Path) -> None:
    volumes = tomllib.loads(read_scenario(advised).resolved)["volume"]
    assert [(volume["name"], volume["type"]) for volume in volumes[:3]] == [
        (SERIAL, "3390"),
        ("522B", "3390"),
        ("BWPVS2", "3390"),
    ]


def test_a_serial_is_set_by_its_name_in_quotes_and_without(advised: Path) -> None:
    said = {f'volume."{SERIAL}".device': "6001", f"guest.on-{SERIAL}.count": 7}
    result = sw.run(advised, set=said, replications=1)
    row = result.volumes.row(by_predicate=pl.col("volume") == SERIAL, named=True)
    assert (row["device"], result.guests.row(0, named=True)["guest"]) == ("6001", f"on-{SERIAL}")


@pytest.mark.parametrize("page", ["fcx108", "rmf-dasd-classic"])
def test_a_serial_is_on_pages_as_it_is(advised: Path, tmp_path: Path, slicewright: CommandLine, page: str) -> None:
    sw.run(advised, replications=1, out=tmp_path / "run")
    assert SERIAL in slicewright("report", tmp_path / "run", "--page", page).out


def test_a_serial_is_a_lane_of_a_trace(advised: Path, tmp_path: Path, slicewright: CommandLine) -> None:
    assert slicewright("trace", advised, "--out", tmp_path / "trace.json").status == 0
    assert SERIAL in (tmp_path / "trace.json").read_text(encoding="utf-8")


def test_a_problem_of_a_scenario_that_cites_a_report_is_reported(advised: Path, slicewright: CommandLine) -> None:
    said = slicewright("run", advised, "--set", "volume.none.device=1")
    assert "no volume is called `none`" in said.err
