"""Do groups of threads come out of a run as `cpu.stat` would have them, and are limits refused that no kernel takes?"""

from __future__ import annotations

import pytest
import slicewright

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

GO = ROOT / "scenarios/cfs/go-67577.toml"


@pytest.fixture(scope="module")
def go() -> slicewright.Run:
    return slicewright.run(GO, replications=2, set={"measure.interval": "10 s", "measure.intervals": 2})


def test_a_group_counts_as_cpu_stat_does(go: slicewright.Run) -> None:
    (group,) = go.cgroups.to_dicts()
    assert group["nr_periods"] == pytest.approx(200, abs=1), "two intervals of 10 s"
    assert group["nr_throttled"] == group["nr_periods"]
    assert group["usage_usec"] == pytest.approx(20e6 * 0.2, rel=0.01)
    assert group["cpu_percent"] == pytest.approx(group["usage_usec"] / 20e6 * 100)


def test_quantiles_of_wakes_are_in_order(go: slicewright.Run) -> None:
    (late,) = go.threads.to_dicts()
    quantiles = [late[f"wake_p{quantile}_ms"] for quantile in (50, 90, 95, 99)]
    assert quantiles == sorted(quantiles)
    assert 0 < late["wake_ms"] < late["wake_max_ms"] < 100


def test_a_run_shows_groups_and_no_partitions(go: slicewright.Run) -> None:
    text = str(go)
    assert "Groups of threads" in text
    assert "nr_throttled" in text
    assert "Partitions" not in text


def test_a_sleep_of_a_second_is_never_stopped() -> None:
    change = {"guest.test.program.2.think": "1000 ms", "measure.interval": "20 s"}
    assert slicewright.run(GO, replications=1, set=change).cgroups["nr_throttled"].to_list() == [0.0]


def test_limits_that_no_kernel_takes_are_refused(slicewright: CommandLine) -> None:
    wrong = ["cgroup.test.cpu.max=500 ms 100 ms", "cgroup.test.cpu.max.burst=1 h", "cec.tick=3 d"]
    outcome = slicewright("run", str(GO), *(part for setting in wrong for part in ("--set", setting)))
    assert outcome.status == 2
    for words in ("a quota of 500 ms in 100 ms", "a burst of", "cec.tick"):
        assert words in outcome.err
