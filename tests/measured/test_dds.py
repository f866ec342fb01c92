"""Do the documents of the DDS show the numbers of a run, in the elements in which clients look for them?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import slicewright
from slicewright.measured.dds import documents
from slicewright.measured.export import monwrite

from tests.conftest import CommandLine

START_US = 1_770_026_400_000_000


def _run(starter: str) -> slicewright.Run:
    more = {"measure.interval": "4 s", "measure.intervals": 2}
    return slicewright.run(slicewright.starter(starter), replications=1, set=more)


def _parsed(text: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The facts of a document and its rows, found by the path that Zowe Zebra takes."""
    (report,) = ElementTree.fromstring(text).findall("report")
    names = [column.text or "" for column in report.findall("column-headers/col")]
    rows = [[cell.text or "" for cell in row.findall("col")] for row in report.findall("row")]
    times = {element.tag: element.text or "" for element in report.findall("time-data/*")}
    (metric,), resource = report.findall("metric"), report.findtext("resource/reslabel", "")
    facts = {"id": metric.get("id", ""), "resource": resource} | times
    return facts, [dict(zip(names, row, strict=True)) for row in rows]


def _documents(run: slicewright.Run, system: str | None = None) -> Mapping[str, str]:
    return documents(run, replication=0, system=system, start_us=START_US)


def test_each_report_and_interval_is_a_document_with_its_time() -> None:
    made = _documents(_run("two-domains"), "LABSYS")
    assert list(made) == ["CPC-0000.xml", "CPC-0001.xml", "DEVR-0000.xml", "DEVR-0001.xml"]
    facts, _ = _parsed(made["DEVR-0001.xml"])
    assert facts == {
        "id": "DEVR", "resource": ",LABSYS,MVS_IMAGE", "local-start": "20260202100004", "local-end": "20260202100008",
        "utc-start": "20260202100004", "utc-end": "20260202100008", "display-start": "02/02/2026 10:00:04",
        "display-end": "02/02/2026 10:00:08", "gatherer-interval": "4", "data-range": "4",
    }  # fmt: skip


def test_rates_times_and_shares_of_volumes_are_those_of_the_table() -> None:
    run = _run("two-domains")
    _, rows = _parsed(_documents(run)["DEVR-0001.xml"])
    table = [row for row in run.raw["volumes"].iter_rows(named=True) if row["interval"] == 1]
    assert [row["DVRPVOLU"] for row in rows] == [row["volume"] for row in table]
    for shown, row in zip(rows, table, strict=True):
        assert float(shown["DVRACTRT"]) == pytest.approx(row["io_per_s"], abs=0.0501)
        assert float(shown["DVRRPTHP"]) == pytest.approx(row["response_ms"], abs=5.01e-4)
        assert float(shown["DVRPACTV"]) == pytest.approx(row["io_per_s"] * row["service_ms"] / 10, abs=0.501)


def test_volumes_whose_io_ran_on_aliases_have_no_shares() -> None:
    _, rows = _parsed(_documents(_run("pool"))["DEVR-0000.xml"])
    assert {row["DVRPCONN"] for row in rows} == {""}


def test_partitions_have_their_shares_of_logical_and_physical_processors() -> None:
    run = _run("prsm-three-lpars")
    _, rows = _parsed(_documents(run)["CPC-0000.xml"])
    for shown, row in zip(rows, run.raw["partitions"].iter_rows(named=True), strict=False):
        total = row["dispatched_percent"] + row["management_percent"]
        assert float(shown["CPCPLTOU"]) == pytest.approx(total, abs=0.0501)
        assert float(shown["CPCPPTOU"]) == pytest.approx(total * row["logical_processors"] / 4, abs=0.0501)


def test_channels_have_their_utilization() -> None:
    run = _run("full-channel")
    _, rows = _parsed(_documents(run)["CHANNEL-0001.xml"])
    assert [float(row["CHACTUVC"]) for row in rows] == pytest.approx(
        run.raw["channels"]["busy_percent"].to_list()[-1:], abs=0.05
    )


def test_the_command_writes_a_directory_and_replaces_its_own(
    slicewright: CommandLine, small: Path, tmp_path: Path
) -> None:
    slicewright("run", small, "--out", tmp_path / "run")
    for _ in range(2):
        said = slicewright("report", tmp_path / "run", "--format", "dds", "--out", tmp_path / "dds")
        assert (said.status, "1 document" in said.out) == (0, True)
    (tmp_path / "dds" / "mine").touch()
    refused = slicewright("report", tmp_path / "run", "--format", "dds", "--out", tmp_path / "dds")
    assert (refused.status, "mine" in refused.err) == (2, True)


@pytest.mark.parametrize("wrong", [{"replication": 7}, {"system": "a b"}, {"system": "NINELONGS"}])
def test_parameters_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(slicewright.InputError):
        documents(_run("mm1"), **{"replication": 0, "system": None, "start_us": START_US} | wrong)


def test_a_run_that_no_report_shows_is_refused() -> None:
    run = _run("mm1")
    object.__setattr__(run, "raw", {name: frame.clear() for name, frame in run.raw.items()})
    with pytest.raises(slicewright.InputError, match="nothing that reports of the DDS show"):
        _documents(run)


def test_measured_intervals_have_their_own_time(tmp_path: Path) -> None:
    (tmp_path / "day").write_bytes(monwrite(_run("pool"), start="2026-02-02 10:00:00"))
    measured = slicewright.read([tmp_path / "day"]).of()
    made = documents(measured, replication=0, system=None, start_us=START_US)
    facts, rows = _parsed(made["DEVR-0001.xml"])
    assert (facts["local-start"], facts["utc-start"]) == ("20260202100004", "20260202100004")
    assert len(rows) == 8
