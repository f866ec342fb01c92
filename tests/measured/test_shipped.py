"""Does the export of every shipped scenario, read again, give the page and tables of the run, but for rounding?"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import slicewright
from slicewright.measured.export import monwrite, smf
from slicewright.run.pages.run import device_page_of

from tests.tidy.tree import ROOT

SHORT = {"measure.interval": "4 s", "measure.intervals": 1, "measure.sample": "1 s", "measure.replications": 1}
TICK_MS = 0.128
"""The unit of times in a dump."""
QUICK = ("pool", "two-domains")
SHIPPED = [
    pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else pytest.mark.slow)
    for path in sorted((ROOT / "scenarios").rglob("*.toml"))
    if "volume" in tomllib.loads(path.read_text("utf-8"))
]
"""Those with volumes: a device page of another has no row."""

_ROW = re.compile(r" (\w{4}) .{6} .{6} .*?((?: +[\d.-]+){10})$")


def rows(page: str) -> dict[str, list[str]]:
    """The numbers of each device on a DEVICE page."""
    found = (_ROW.match(line) for line in page.splitlines())
    return {match[1]: match[2].split() for match in found if match}


def differs(before: str, after: str) -> bool:
    """Whether two printed numbers are further apart than one in the last digit of the coarser."""
    if "-" in (before, after):
        return before != after
    digits = min(len(number.partition(".")[2]) for number in (before, after))
    return abs(float(before) - float(after)) > 1.01 * 0.1**digits


@pytest.mark.parametrize("scenario", SHIPPED)
def test_monitor_data_print_the_device_page_of_the_run(scenario: Path, tmp_path: Path) -> None:
    run = slicewright.run(scenario, set=SHORT)
    (tmp_path / "day").write_bytes(monwrite(run))
    before, after = rows(device_page_of(run)), rows(device_page_of(slicewright.read([tmp_path / "day"]).of()))
    assert before
    assert list(before) == list(after)
    wrong = {
        device: (numbers, after[device])
        for device, numbers in before.items()
        if any(map(differs, numbers, after[device]))
    }
    assert not wrong


@pytest.mark.parametrize("scenario", SHIPPED)
def test_smf_dumps_have_the_tables_of_the_run(scenario: Path, tmp_path: Path) -> None:
    run = slicewright.run(scenario, set=SHORT)
    (tmp_path / "day").write_bytes(smf(run))
    measured = slicewright.read([tmp_path / "day"]).of()
    assert measured["volumes"]["volume"].to_list() == [name[:6] for name in run["volumes"]["volume"]]
    volumes = zip(run["volumes"].iter_rows(named=True), measured["volumes"].iter_rows(named=True), strict=True)
    for before, after in volumes:
        starts = before["io_per_s"] * run.interval_s
        assert after["io_per_s"] == pytest.approx(before["io_per_s"])
        for part in ("pend_ms", "disc_ms", "conn_ms"):
            rounding = TICK_MS / starts if starts else 0.0
            assert after[part] == pytest.approx(before[part], abs=rounding), (before["volume"], part)
    for table in ("partitions", "logical_processors"):
        for counter in ("dispatched_percent", "management_percent"):
            shares = pytest.approx(run[table][counter].to_list(), abs=0.01)
            assert measured[table][counter].to_list() == shares, (table, counter)
