"""Are runs and RMF pages checked against the advice of the 580/MDF study, at the edge of each rule, with its reason?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright
from slicewright.run.pages.checked_files import checks_of_file
from slicewright.run.pages.checks import Check, checks, of_cycle, of_interval, of_samples, of_split, remarks
from slicewright.run.pages.rmf import cpu_pages_of, direct_access_page_of, partition_page_of

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SHORT = {"measure.interval": "20 s", "measure.replications": 2}


def two_domains(rmf: str, extra: str = "") -> bytes:
    """The shipped two domains, both of which measure themselves."""
    text = (ROOT / "scenarios/two-domains.toml").read_text()
    return text.replace('slih = "0.15 ms"', f'slih = "0.15 ms"\nrmf = {rmf}{extra}').encode()


def verdicts(found: list[Check]) -> dict[tuple[str, str], str]:
    return {(check.subject, check.rule): check.verdict for check in found}


@pytest.fixture(scope="module")
def sampled() -> slicewright.Run:
    return slicewright.run(two_domains('{ cycle = "100 ms" }'), set=SHORT)


@pytest.mark.parametrize(
    ("taken", "verdict"), [(900, "ok"), (810, "ok"), (809, "suspect"), (990, "ok"), (991, "suspect"), (0, "not told")]
)
def test_samples_may_be_ten_percent_off(taken: int, verdict: str) -> None:
    assert of_samples("A", taken, 900.0, 1.0).verdict == verdict


@pytest.mark.parametrize(("cycle_s", "verdict"), [(0.25, "ok"), (0.249, "warning"), (1.0, "ok"), (0.0, "not told")])
def test_a_cycle_has_at_least_250_ms(cycle_s: float, verdict: str) -> None:
    assert of_cycle("A", cycle_s).verdict == verdict


@pytest.mark.parametrize(("interval_s", "verdict"), [(3599.0, "ok"), (3600.0, "warning"), (0.0, "not told")])
def test_an_interval_is_below_an_hour(interval_s: float, verdict: str) -> None:
    assert of_interval("A", interval_s).verdict == verdict


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [((50, 50), "ok"), ((70, 30), "ok"), ((75, 25), "warning"), ((90, 10), "warning"), ((100,), "ok"),
     ((25, 25, 25, 25), "ok"), ((80, 10, 10), "warning"), ((60, 20, 20), "warning")],
)  # fmt: skip
def test_a_split_is_not_lopsided(shares: tuple[float, ...], verdict: str) -> None:
    assert of_split([(f"P{at}", share) for at, share in enumerate(shares)]).verdict == verdict


def test_a_run_that_samples_too_often_says_so_everywhere(sampled: slicewright.Run) -> None:
    found = verdicts(checks(sampled))
    assert found["PEMDFI", "cycle"] == found["PEMDFT", "cycle"] == "warning"
    assert found["all domains", "split"] == found["the run", "interval"] == "ok"
    assert found["PEMDFI", "samples"] == "ok"
    for text in (str(sampled), sampled.html(), direct_access_page_of(sampled)):
        assert "Do not set cycle time to less than 250 ms" in text


def test_a_sampler_that_never_gets_its_turn_makes_its_report_suspect() -> None:
    scenario = two_domains('{ cycle = "50 ms", jitter = "0 ms", priority = 0 }')
    run = slicewright.run(scenario, set=SHORT)
    found = {(check.subject, check.rule): check for check in checks(run)}
    assert found["PEMDFT", "samples"].verdict == "suspect"
    assert "of 2 intervals" in found["PEMDFT", "samples"].said
    assert found["PEMDFT", "priority"].verdict == "warning"
    assert "BATCH 0" in found["PEMDFT", "priority"].said
    assert "Note suspect, samples of PEMDFT" in direct_access_page_of(run)


def test_lopsided_targets_are_warned_of_with_the_reason() -> None:
    run = slicewright.run(
        two_domains('{ cycle = "1 s" }'),
        set=SHORT | {"partition.PEMDFI.target": "80 %", "partition.PEMDFI.maximum": "80 %",
                     "partition.PEMDFT.target": "20 %"},
    )  # fmt: skip
    assert verdicts(checks(run))["all domains", "split"] == "warning"
    assert any("75/25, 80/20, and 90/10" in remark for remark in remarks(checks(run)))
    page = slicewright.PartitionReport.read(partition_page_of(run).encode(), "page")
    assert verdicts(checks(page))["all domains", "split"] == "warning"


def test_an_rmf_page_is_checked_by_its_head(tmp_path: Path) -> None:
    classic = (ROOT / "crates/records/tests/rmf/classic.txt").read_text()
    path = tmp_path / "page.txt"
    path.write_text(classic.replace("SAMPLES =    900", "SAMPLES =    700"))
    found = checks_of_file(path)
    assert verdicts(found) == {("IMS", "samples"): "suspect", ("IMS", "cycle"): "ok", ("IMS", "interval"): "ok"}
    assert found[0].said == "700 of 900 due, 22.2 % off"


def test_a_partition_page_is_checked_by_its_sums(tmp_path: Path) -> None:
    text = (ROOT / "crates/records/tests/rmf/partition.txt").read_text()
    path = tmp_path / "page.txt"
    path.write_text(text.replace("14.85  15.00", "14.85  15.20"))
    found = verdicts(checks_of_file(path))
    assert found["SYSF", "total"] == "suspect"
    assert found["all domains", "split"] == "ok"


def test_processors_of_a_page_have_their_own_head(sampled: slicewright.Run) -> None:
    page = slicewright.CpuReport.read(cpu_pages_of(sampled)["PEMDFI"].encode(), "page")
    assert verdicts(checks(page))["PEMDFI", "cycle"] == "warning"


def test_the_command_checks_directories_and_pages(slicewright: CommandLine, tmp_path: Path) -> None:
    page = ROOT / "crates/records/tests/rmf/current.txt"
    outcome = slicewright("report", page, "--page", "checks")
    assert outcome.status == 0
    assert "900 of 900 due" in outcome.out
    rows = json.loads(slicewright("report", page, "--page", "checks", "--format", "json").out)
    assert {row["rule"] for row in rows} == {"samples", "cycle", "interval"}
    nothing = tmp_path / "a.txt"
    nothing.write_text("nothing of the kind\n")
    outcome = slicewright("report", nothing, "--page", "checks")
    assert (outcome.status, outcome.out) == (2, "")
    assert "PARTITION DATA" in outcome.err


def test_a_plain_run_has_no_section_of_checks(small: Path) -> None:
    assert "<h2>Checks</h2>" not in slicewright.run(small).html()


def test_a_damaged_page_is_refused_with_its_own_problems_alone(tmp_path: Path) -> None:
    text = (ROOT / "crates/records/tests/rmf/partition.txt").read_text()
    path = tmp_path / "page.txt"
    path.write_text(text.replace("14.85  15.00", "14.8x  15.00"))
    with pytest.raises(slicewright.InputError) as refused:
        checks_of_file(path)
    assert [problem["what"] for problem in refused.value.problems] == ["`14.8x` is not a number"]
