"""Does an RMF page of a run say what the run says, and does who is given one read it, or say why not?

It leaves out the layout, which the engine's own tests hold, and its bytes, which the golden pages do.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright.rmf_pages import direct_access_page_of

from tests.conftest import CommandLine

ROOT = Path(__file__).resolve().parents[1]
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
    assert page.to_bytes().decode() == text.replace(" C23 ", " C24 ")
    with pytest.raises(slicewright.InputError, match="there is no such heading"):
        page.set("0C23", "AVG ISOQ TIME", "1")


def test_an_unknown_level_is_refused(domains: slicewright.Run) -> None:
    with pytest.raises(ValueError, match="allowed: current, classic"):
        direct_access_page_of(domains, "xa")


@pytest.mark.parametrize(("words", "said"), [(["advise", "aliases"], "only DEVICE pages"), (["run"], "is an RMF page")])
def test_who_does_not_read_it_says_so(
    domains: slicewright.Run, slicewright: CommandLine, tmp_path: Path, words: list[str], said: str
) -> None:
    path = tmp_path / "page.txt"
    path.write_text(direct_access_page_of(domains))
    outcome = slicewright(*words, path)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err
    assert "page.txt" in outcome.err


def test_the_command_prints_both_levels(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    for name in ("rmf-dasd", "rmf-dasd-classic"):
        outcome = slicewright("report", tmp_path / "out", "--page", name)
        assert outcome.status == 0
        assert "D I R E C T   A C C E S S" in outcome.out
    rows = slicewright("report", tmp_path / "out", "--page", "rmf-dasd", "--format", "json")
    assert '"hold_ms"' in rows.out
