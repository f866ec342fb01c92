"""Does an RMF page of a run agree with the run, and does each command read the page or report why not?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright.run.pages.rmf import cpu_pages_of, direct_access_page_of, partition_page_of

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SHORT = ["measure.interval=5 s", "measure.sample=10 ms", "measure.replications=2"]


@pytest.fixture(scope="module")
def domains() -> slicewright.Run:
    return slicewright.run(ROOT / "scenarios/two-domains.toml", set=SHORT)


@pytest.mark.parametrize(("level", "queue"), [("current", "queue_depth"), ("classic", "queue_depth_sampled")])
def test_iosq_is_the_queue_over_the_rate(domains: slicewright.Run, level: str, queue: str) -> None:
    page = slicewright.DirectAccessReport.read(direct_access_page_of(domains, level).encode(), "page")
    assert (page.system, page.interval_s, page.samples, page.level) == ("Two domains", 5.0, 500, level)
    read = page.volumes()
    for at, row in enumerate(domains.volumes.to_dicts()):
        assert read["volume"][at] == row["volume"]
        assert read[queue][at] == pytest.approx(row[queue], abs=read[f"{queue}_rounding"][at] + 1e-9)


@pytest.mark.parametrize("level", ["current", "classic"])
def test_resp_is_the_sum_of_its_parts_and_has_no_hold(domains: slicewright.Run, level: str) -> None:
    text = direct_access_page_of(domains, level)
    read = slicewright.DirectAccessReport.read(text.encode(), "page").volumes()
    queue = "queue_depth" if level == "current" else "queue_depth_sampled"
    for at, row in enumerate(domains.volumes.to_dicts()):
        parts = 1000 * row[queue] / row["io_per_s"] + row["pend_ms"] + row["disc_ms"] + row["conn_ms"]
        assert row["hold_ms"] > 1
        assert read["response_ms"][at] == pytest.approx(parts, abs=read["response_ms_rounding"][at] + 1e-9)
    assert "not in RESP" in text


def test_a_pool_is_one_row_a_volume_on_all_its_exposures() -> None:
    run = slicewright.run(ROOT / "scenarios/pool.toml", set=SHORT)
    read = slicewright.DirectAccessReport.read(direct_access_page_of(run).encode(), "page")
    assert read.volumes()["io_per_s"] == pytest.approx(run.volumes["io_per_s"].to_list(), abs=0.001)
    assert read.devices()["io_per_s"] == [None] * len(run.volumes)
    assert "not in RESP" not in direct_access_page_of(run)


def test_what_was_read_can_be_edited_to_the_byte(domains: slicewright.Run) -> None:
    text = direct_access_page_of(domains, "classic")
    page = slicewright.DirectAccessReport.read(text.encode(), "page")
    page.set("0C23", "VOLUME SERIAL", "C24")
    assert [row["VOLUME SERIAL"] for row in page.fields()].count("C24") == 1
    assert page.to_bytes().decode() == text.replace(" C23 ", " C24 ")
    with pytest.raises(slicewright.InputError, match="there is no such heading"):
        page.set("0C23", "AVG ISOQ TIME", "1")


def test_an_unknown_level_is_refused(domains: slicewright.Run) -> None:
    with pytest.raises(ValueError, match="allowed: current, classic"):
        direct_access_page_of(domains, "xa")


def test_the_command_prints_both_levels(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    for name in ("rmf-dasd", "rmf-dasd-classic"):
        outcome = slicewright("report", tmp_path / "out", "--page", name)
        assert outcome.status == 0
        assert "D I R E C T   A C C E S S" in outcome.out
    rows = slicewright("report", tmp_path / "out", "--page", "rmf-dasd", "--format", "json")
    assert '"hold_ms"' in rows.out


@pytest.fixture(scope="module")
def sampled() -> slicewright.Run:
    """Two domains, the first of which measures itself."""
    text = (ROOT / "scenarios/two-domains.toml").read_text()
    return slicewright.run(text.replace("\nslih", '\nrmf = { cycle = "500 ms" }\nslih', 1), set=[*SHORT])


def systems(text: str) -> list[str]:
    return [line.split("SYSTEM ID ")[1].split("   ")[0] for line in text.splitlines() if "SYSTEM ID " in line]


def test_a_domain_that_measures_itself_has_a_page_of_its_own(sampled: slicewright.Run) -> None:
    text = direct_access_page_of(sampled, "classic")
    assert systems(text) == ["PEMDFI", "Two domains"]
    first = text[: text.index("D I R E C T", 60)].rstrip() + "\n"
    page = slicewright.DirectAccessReport.read(first.encode(), "page")
    assert (page.samples, page.cycle_s) == (10, 0.5)
    read = page.volumes()
    rows = {row["volume"]: row for row in sampled.volumes.to_dicts()}
    for at, volume in enumerate(read["volume"]):
        rounding = read["queue_depth_sampled_rounding"][at] + 1e-9
        assert read["queue_depth_sampled"][at] == pytest.approx(rows[volume]["queue_depth_rmf"], abs=rounding)


def test_the_true_view_is_one_page_of_all(sampled: slicewright.Run) -> None:
    true = direct_access_page_of(sampled, "classic", "true")
    assert systems(true) == ["Two domains"]
    assert "as sampled inside" not in true
    with pytest.raises(ValueError, match="allowed: true, sampled"):
        direct_access_page_of(sampled, "classic", "real")


def test_processors_read_back_to_what_the_run_says(sampled: slicewright.Run) -> None:
    pages = cpu_pages_of(sampled)
    assert list(pages) == ["PEMDFI", "PEMDFT"]
    for name, text in pages.items():
        page = slicewright.CpuReport.read(text.encode(), "page")
        read = page.processors()
        rows = sampled.logical_processors.filter(sampled.logical_processors["partition"] == name).to_dicts()
        assert (page.system, read["number"]) == (name, [row["number"] for row in rows])
        for counter in ("dispatched_percent", "busy_percent", "interrupts_per_s", "tpi_percent"):
            for at, row in enumerate(rows):
                assert read[counter][at] == pytest.approx(row[counter], abs=read[f"{counter}_rounding"][at] + 1e-9)
        assert [row["LOG PROC SHARE %"] for row in page.fields()] == ["50.00", "50.00"]


def test_what_processors_took_adds_up_to_their_partition(sampled: slicewright.Run) -> None:
    for row in sampled.partitions.to_dicts():
        own = sampled.logical_processors.filter(sampled.logical_processors["partition"] == row["partition"])
        for counter in ("dispatched_percent", "effective_percent", "wait_percent", "pending_percent"):
            assert own[counter].mean() == pytest.approx(row[counter])
        assert own["interrupts_per_s"].sum() == pytest.approx(row["interrupts_per_s"], abs=0.5)
        assert (own["effective_percent"] + own["pending_percent"]).to_list() == pytest.approx(
            own["busy_percent"].to_list()
        )


def test_partitions_read_back_to_what_the_run_says() -> None:
    run = slicewright.run(ROOT / "scenarios/two-domains.toml", set=[*SHORT, "cec.switch=1 ms"])
    page = slicewright.PartitionReport.read(partition_page_of(run).encode(), "page")
    assert (page.fact("WAIT COMPLETION"), page.fact("PHYSICAL PROCESSORS"), page.disagreements) == ("YES", "2", [])
    read = page.partitions()
    for at, row in enumerate(run.partitions.to_dicts()):
        assert row["management_percent"] > 1
        for counter in ("dispatched_percent", "management_percent"):
            assert read[counter][at] == pytest.approx(row[counter], abs=read[f"{counter}_rounding"][at] + 1e-9)
    assert [row["NAME"] for row in page.fields()] == ["PEMDFI", "PEMDFT", "*PHYSICAL*"]


def test_dedicated_processors_have_no_weight_and_all_of_their_share() -> None:
    text = (ROOT / "scenarios/two-domains.toml").read_text().replace("processors = 2\nsched", "processors = 4\nsched")
    own = text.replace('target = "50 %"\nmaximum = "50 %"', 'mode = "UP"', 1)
    run = slicewright.run(own, set=[*SHORT])
    page = slicewright.PartitionReport.read(partition_page_of(run).encode(), "page")
    assert [row.get("WGT") for row in page.fields()] == ["DED", "50", None]
    assert cpu_pages_of(run)["PEMDFI"].count(" 100.00     100.00") == 3


def test_a_run_without_partitions_has_no_such_pages(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    for name in ("rmf-cpu", "rmf-partition"):
        outcome = slicewright("report", tmp_path / "out", "--page", name)
        assert (outcome.status, outcome.out) == (2, "")
        assert "the run has no partitions" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--page", "fcx108", "--view", "true"), "has one view"),
        (("--page", "rmf-dasd", "--view", "treu"), "did you mean `true`"),
    ],
)
def test_a_view_that_is_none_is_refused(
    slicewright: CommandLine, small: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    outcome = slicewright("report", tmp_path / "out", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err


@pytest.mark.parametrize("name", ["cpu", "partition", "classic"])
def test_a_page_is_no_scenario(slicewright: CommandLine, name: str) -> None:
    outcome = slicewright("run", ROOT / f"crates/records/tests/rmf/{name}.txt")
    assert (outcome.status, outcome.out) == (2, "")
    assert "is an RMF page, not a scenario" in outcome.err


def test_weights_show_as_weights_and_vertical_shares_by_polarity() -> None:
    changes = ["measure.interval=5 s", "measure.intervals=1", "measure.replications=2"]
    run = slicewright.run(ROOT / "scenarios/prsm-three-lpars.toml", set=changes)
    page = slicewright.PartitionReport.read(partition_page_of(run).encode(), "page")
    assert [row.get("WGT") for row in page.fields()] == ["600", "300", "100", None]
    assert (page.fact("WAIT COMPLETION"), page.fact("DISPATCH INTERVAL"), page.disagreements) == ("NO", "DYNAMIC", [])
    worth = dict(zip(page.partitions()["partition"], page.partitions()["cpu_percent"], strict=True))
    for row in run.partitions.to_dicts():
        assert worth[row["partition"]] == pytest.approx(row["cpu_percent"], abs=0.02 * row["logical_processors"])
    dev = slicewright.CpuReport.read(cpu_pages_of(run)["DEV"].encode(), "page")
    assert [row["LOG PROC SHARE %"] for row in dev.fields()] == ["40.00", "0.00", "0.00"]
    assert " MED " in cpu_pages_of(run)["DEV"]
    assert "shares are those at the start" in cpu_pages_of(run)["DEV"]


def test_a_partition_may_have_its_page_alone(slicewright: CommandLine, tmp_path: Path) -> None:
    scenario = tmp_path / "sampled.toml"
    text = (ROOT / "scenarios/two-domains.toml").read_text()
    scenario.write_text(text.replace("\nslih", '\nrmf = { cycle = "500 ms" }\nslih'))
    slicewright("run", scenario, "--replications", "2", "--set", "measure.interval=5 s", "--out", tmp_path / "out")
    for page in ("rmf-dasd", "rmf-dasd-classic", "rmf-cpu"):
        outcome = slicewright("report", tmp_path / "out", "--page", page, "--partition", "PEMDFT")
        assert (outcome.status, systems(outcome.out)) == (0, ["PEMDFT"])
        printed = tmp_path / f"{page}.txt"
        printed.write_text(outcome.out)
        assert "10 of 10 due" in slicewright("report", printed, "--page", "checks").out
    words = ("report", tmp_path / "out", "--page", "rmf-dasd", "--partition", "PEMDFT", "--view", "true")
    assert "measured" in slicewright(*words).out
    seen = slicewright("report", tmp_path / "out", "--page", "rmf-partition", "--partition", "PEMDFT").out
    assert "MVS PARTITION NAME                  PEMDFT" in seen
    for page, name, problem in (
        ("rmf-cpu", "PEMDFX", "did you mean `PEMDFT`"),
        ("fcx108", "PEMDFT", "is not of partitions"),
    ):
        outcome = slicewright("report", tmp_path / "out", "--page", page, "--partition", name)
        assert (outcome.status, outcome.out) == (2, "")
        assert problem in outcome.err


@pytest.mark.parametrize("page", ["rmf-cpu", "rmf-partition"])
def test_groups_of_threads_have_no_page_of_partitions(slicewright: CommandLine, tmp_path: Path, page: str) -> None:
    scenario = ROOT / "scenarios/container-limits.toml"
    slicewright("run", scenario, "--set", "measure.interval=1 s", "--replications", "1", "--out", tmp_path / "run")
    said = slicewright("report", tmp_path / "run", "--page", page)
    assert (said.status, said.out) == (2, "")
    assert "the run has no partitions" in said.err
