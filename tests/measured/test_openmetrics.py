"""Does an independent reader of OpenMetrics find every value of a run?"""

from __future__ import annotations

from pathlib import Path

import slicewright
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from slicewright.measured.openmetrics import openmetrics

from tests.conftest import CommandLine


def _families(text: str) -> list[Metric]:
    return list(text_string_to_metric_families(text))  # type: ignore[no-untyped-call]


def test_every_value_is_a_sample_with_its_labels_and_time() -> None:
    more = {"measure.interval": "5 s", "measure.intervals": 3}
    run = slicewright.run(slicewright.starter("pool"), replications=1, set=more)
    families = {family.name: family for family in _families(openmetrics(run, start_us=10**15))}
    for counter in ("io_per_s", "response_ms"):
        samples = families[f"slicewright_volumes_{counter}"].samples
        found = {(sample.labels["volume"], round(float(sample.timestamp or 0))): sample.value for sample in samples}
        rows = run.raw["volumes"].iter_rows(named=True)
        assert found == {(row["volume"], 10**9 + 5 * (row["interval"] + 1)): row[counter] for row in rows}


def test_names_with_quotes_and_backslashes_are_escaped() -> None:
    run = slicewright.run(slicewright.starter("mm1"), replications=1, set={"measure.interval": "1 s"})
    frame = run.raw["volumes"].with_columns(volume=run.raw["volumes"]["volume"].str.replace_all("^.*$", 'A"\\B'))
    object.__setattr__(run, "raw", {**run.raw, "volumes": frame})
    families = {family.name: family for family in _families(openmetrics(run))}
    assert families["slicewright_volumes_io_per_s"].samples[0].labels["volume"] == 'A"\\B'


def test_the_command_writes_the_text(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "run")
    said = slicewright("report", tmp_path / "run", "--format", "openmetrics", "--out", tmp_path / "run.om")
    assert said.status == 0
    families = _families((tmp_path / "run.om").read_text())
    assert {family.type for family in families} == {"gauge"}
