"""Is a limit of a fleet lowered only where nothing breaks by it, and does one bad row leave the others?

Loads are of kinds that the surrogate was not fitted to: by a clock, in surges, in phases, with long jobs, in lumps.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from slicewright.advise.limits.fleet.answer import answer_fleet, checked
from slicewright.advise.limits.fleet.cluster import Fleet
from slicewright.advise.limits.fleet.report import FleetAnswer, Verdict, patches
from slicewright.advise.limits.fleet.samples import Watch, samples, simulated
from slicewright.advise.limits.request import FleetRequest, check_fleet
from slicewright.advise.options import AdviceOptions

from benches import limit_kinds
from tests.advise.fleet_example import WORKLOADS, answer
from tests.advise.fleet_example import fleet as example
from tests.conftest import CommandLine

WRONG_BEFORE = (1, 9, 34, 103)
"""Sites whose limits were lowered until the 99th percentile was 3 to 8 times as long, and two of other kinds."""


@cache
def kinds() -> tuple[list[limit_kinds.KindSite], Fleet, FleetAnswer]:
    sites = [limit_kinds.KindSite.numbered(number) for number in (*WRONG_BEFORE, 2, 42, 55, 105)]
    watched = limit_kinds.fleet(sites)
    return sites, watched, answer_fleet(watched, FleetRequest())


def test_no_lower_limit_breaks_a_service() -> None:
    sites, _, found = kinds()
    wrong = [each for each in limit_kinds.outcomes(sites, found) if each.verdict is Verdict.LOWER and not each.right]
    assert [each.site.name for each in wrong] == []


def test_what_the_surrogate_would_lower_is_kept_with_the_reason_and_has_no_patch() -> None:
    sites, _, found = kinds()
    lines = {line.workload: line for line in found.lines}
    for site in sites[: len(WRONG_BEFORE)]:
        line = lines[site.name]
        assert line.verdict is Verdict.KEEP, line
        assert line.then == line.limit
        assert line.why
        assert site.name.split("/")[1] not in patches(found)


def test_a_limit_that_has_to_be_raised_is_still_raised() -> None:
    raised = {line.workload for line in kinds()[2].of(Verdict.RAISE)}
    assert any("long-jobs-105" in name for name in raised)
    assert answer().of(Verdict.RAISE)


def test_nothing_is_lowered_where_the_range_contains_the_limit_of_now() -> None:
    for line in (*kinds()[2].lines, *answer().lines):
        if line.verdict is Verdict.LOWER:
            assert line.limit is not None
            assert line.high is not None
            assert line.high < line.limit


@pytest.mark.slow
def test_a_lower_limit_that_the_engine_confirms_is_advised() -> None:
    """More throttling is asked for than there is: what is asked for is known, and the engine agrees."""
    found = answer_fleet(example(), check_fleet(AdviceOptions.of(target="throttled_percent <= 85")))
    cart = next(line for line in found.lines if line.workload == WORKLOADS[0].name)
    assert cart.verdict is Verdict.LOWER, cart
    assert cart.then is not None
    assert cart.limit is not None
    assert cart.busy < cart.then < cart.limit


def test_the_command_and_one_workload_of_it_do_not_contradict_each_other(
    slicewright: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "fleet.csv"
    samples(kinds()[1]).with_columns(pl.col("time").dt.epoch("s")).write_csv(file)
    patch = tmp_path / "patch.yaml"
    name = next(line.workload for line in kinds()[2].lines if "surges-103" in line.workload)
    name = f"kinds/{name.split('/')[1]}/app"
    found = slicewright("advise", "limits", file, "--workload", name, "--patch", patch, "--format", "json")
    assert found.status == 0, found.err
    told = json.loads(found.out)
    row = next(row for row in told["workloads"] if row["workload"] == name)
    assert row["verdict"] in ("keep", "hardly throttled")
    assert told["workload"]["recommendation"] is None
    assert "name: surges-103" not in patch.read_text("utf-8")


def _changed(**values: pl.Expr) -> Fleet:
    """The fleet of the examples with other values in the first interval of cart alone."""
    fleet = example()
    first = pl.int_range(pl.len()) == fleet.intervals["workload"].to_list().index(WORKLOADS[0].name)
    rows = fleet.intervals.with_columns(
        pl.when(first).then(value).otherwise(pl.col(name)).alias(name) for name, value in values.items()
    )
    return Fleet(rows.cast(fleet.intervals.schema), fleet.workloads, fleet.notes)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"used_s": pl.lit(95.0)}, "was used under a limit of 500m"),
        (
            {"throttled": pl.lit(300), "used_s": pl.lit(2.0)},
            "300 throttled periods use up 15.0 s of a limit of 500m, but 2.0 s",
        ),
        ({"throttled": pl.lit(700)}, "700 of "),
    ],
)
def test_one_bad_row_is_left_out_and_leaves_the_others(values: dict[str, pl.Expr], words: str) -> None:
    found = checked(_changed(**values))
    assert found.refused == {}
    assert found.fleet.intervals.height == example().intervals.height - 1
    assert words in found.fleet.notes[-1]
    verdicts = [(line.workload, line.verdict) for line in answer_fleet(_changed(**values), FleetRequest()).lines]
    assert verdicts == [(line.workload, line.verdict) for line in answer().lines]


def test_a_workload_that_used_more_than_its_limit_is_refused_and_leaves_the_others() -> None:
    fleet = example()
    cart = pl.col("workload") == WORKLOADS[0].name
    rows = fleet.intervals.with_columns(limit=pl.when(cart).then(0.1).otherwise(pl.col("limit")))
    lines = {line.workload: line for line in answer_fleet(Fleet(rows, fleet.workloads), FleetRequest()).lines}
    line = lines[WORKLOADS[0].name]
    assert line.verdict is Verdict.CONTRADICTED
    assert "was used under a limit of 100m" in line.why
    others = [line for line in answer().lines if line.workload != WORKLOADS[0].name]
    assert [lines[line.workload].verdict for line in others] == [line.verdict for line in others]


def test_a_clock_in_a_fleet_is_answered_by_the_engine() -> None:
    from slicewright.advise.limits.fleet.samples import Workload
    from slicewright.reading.cgroup import Load

    timer = Workload("lab/timer/app", Load(1.0, 30.0, 0.0, 1.0, 1, arrivals="regular"), 0.13, 3, 0.1)
    line = answer_fleet(simulated([timer], Watch(3600.0)), FleetRequest()).lines[0]
    assert line.verdict in (Verdict.RAISE, Verdict.UNEXPLAINED)
    assert "steadier" in line.why
    if line.then is not None:
        assert line.low is not None
        assert line.low <= 0.3


def _matrix(rows: pl.DataFrame) -> dict[str, object]:
    """A range query of Prometheus: cAdvisor's series with a restart halfway, and the limit of kube-state-metrics."""
    found = []
    for (pod,), part in rows.group_by("pod", maintain_order=True):
        half = part.height // 2
        for name in part.columns:
            if not name.startswith(("container_cpu", "kube_pod")):
                continue
            values = part[name].to_list()
            if None in values:
                continue  # a series that the container does not have
            start = values[half] if name.startswith("container") else 0.0
            seen = [value if at < half else value - start for at, value in enumerate(values)]
            labels = {"__name__": name, "namespace": "kinds", "pod": str(pod), "container": "app", "job": "kubelet",
                      "metrics_path": "/metrics/cadvisor", "endpoint": "https-metrics"}  # fmt: skip
            labels |= {"resource": "cpu", "unit": "core"} if name.startswith("kube") else {}
            pairs = zip(part["time"].dt.epoch("s").to_list(), seen, strict=True)
            found.append({"metric": labels, "values": [[at, f"{value:.6f}"] for at, value in pairs]})
    return {"status": "success", "data": {"resultType": "matrix", "result": found}}


def test_a_range_query_with_a_restart_lowers_nothing_either(slicewright: CommandLine, tmp_path: Path) -> None:
    rows = samples(kinds()[1]).filter(pl.col("pod").str.contains("surges-103|lumps-34"))
    file = tmp_path / "range.json"
    file.write_text(json.dumps(_matrix(rows)), "utf-8")
    patch = tmp_path / "patch.yaml"
    found = slicewright("advise", "limits", file, "--patch", patch, "--format", "json")
    assert found.status == 0, found.err
    told = json.loads(found.out)
    assert len(told["workloads"]) == 2
    assert "lower" not in {row["verdict"] for row in told["workloads"]}
    assert "No limit should change" in patch.read_text("utf-8")
