"""Do runs of domains hold, show and explain them, and do slices do to I/O what the exact formula says?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright._core import starter

from docs.pictures.slices import hold_ms
from tests.conftest import CommandLine

SHORT = {"measure.interval": "10 s"}


@pytest.fixture(scope="module")
def domains() -> slicewright.Run:
    """A short run of two domains."""
    return slicewright.run(starter("two-domains"), replications=3, set=SHORT)


def test_partitions_have_a_row_each(domains: slicewright.Run) -> None:
    assert domains.partitions["partition"].to_list() == ["PEMDFI", "PEMDFT"]
    assert domains.partitions["logical_processors"].to_list() == [2, 2]
    assert domains.partitions["dispatched_percent"].to_list() == pytest.approx([50, 50], abs=0.2)


def test_the_parts_of_a_processor_s_time_add_up(domains: slicewright.Run) -> None:
    for row in domains.partitions.iter_rows(named=True):
        assert row["effective_percent"] + row["wait_percent"] == pytest.approx(row["dispatched_percent"])
        assert row["pending_percent"] <= 100 - row["dispatched_percent"]
        assert row["cpu_percent"] == pytest.approx(row["effective_percent"] * row["logical_processors"])


def test_a_run_of_domains_shows_them_and_their_holds(domains: slicewright.Run) -> None:
    text = str(domains)
    lines = text.splitlines()
    head = lines[lines.index("Partitions") + 1].split("  ")
    shown = [word.split()[0].strip(",") for word in head if word.strip()]
    assert shown[:6] == ["partition", "processors", "dispatched", "effective", "wait", "pending"]
    assert {"management", "CPU", "interrupts", "hold"} < set(shown)
    assert " hold " in lines[lines.index("Volumes") + 1]
    page = domains.html()
    assert "<h2>Partitions</h2>" in page
    assert "interrupt pending" in page


def test_a_run_without_domains_shows_none(small: Path) -> None:
    result = slicewright.run(small)
    assert result.partitions.is_empty()
    text, page = str(result), result.html()
    assert "Partitions" not in text + page
    assert "hold" not in text
    assert "interrupt pending" not in page


def test_who_waits_for_a_slice_is_in_the_system(domains: slicewright.Run) -> None:
    """An interrupt that is pending is no imbalance: Little's law counts it."""
    assert not [note for note in domains.notes if "growing" in note]


def test_a_shorter_slice_holds_io_for_a_shorter_time(domains: slicewright.Run) -> None:
    shorter = slicewright.run(starter("two-domains"), replications=3, set=SHORT | {"cec.scheduling_parameter": 5})
    for before, after in zip(domains.partitions["hold_ms"], shorter.partitions["hold_ms"], strict=True):
        assert after < before / 2


def test_a_saved_run_has_its_partitions(domains: slicewright.Run, tmp_path: Path) -> None:
    domains.save(tmp_path / "run")
    again = slicewright.load(tmp_path / "run")
    assert again.partitions.equals(domains.partitions, null_equal=True)


def test_the_reference_has_the_fields_of_the_screens(slicewright: CommandLine) -> None:
    page = slicewright("explain", "--schema").out
    for field in ("NUMBER OF LP'S", "TARGET CPU PERCENTAGE", "MAXIMUM CPU PERCENTAGE", "SCHEDULING PARAMETER"):
        assert field in page


def test_what_does_not_agree_is_said_at_once(slicewright: CommandLine) -> None:
    wrong = ["partition.PEMDFI.target=101 %", "partition.PEMDFT.logical_processors=3", "cec.scheduling_parameter=6"]
    sets = [word for change in wrong for word in ("--set", change)]
    outcome = slicewright("run", "scenarios/two-domains.toml", *sets)
    assert outcome.status == 2
    for says in ("more than 100 %", "3 logical processors on 2 shared physical ones", "allowed: 1 to 5"):
        assert says in outcome.err


def test_the_formula_knows_its_published_values() -> None:
    holds = [hold_ms(slice_ms) for slice_ms in (9, 10, 18, 20, 30, 100)]
    assert holds == pytest.approx([0.0, 0.2, 9.0, 9.9, 12.6, 16.4], abs=0.05)
