"""Is every accident in the series of a cluster handled, counted, and named in a note?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from slicewright import InputError
from slicewright.advise.limits.fleet.cluster import Fleet

from tests.advise.fleets import Labels, Line, Simulated, fleet_of_lines

SIMULATED = Simulated(containers=2, samples=9, requests=False)
USED, PERIODS = "container_cpu_usage_seconds_total", "container_cpu_cfs_periods_total"
THROTTLED, STOPPED = "container_cpu_cfs_throttled_periods_total", "container_cpu_cfs_throttled_seconds_total"
LIMITS = "kube_pod_container_resource_limits"
Change = Callable[[Line], Line | None]
Read = Callable[..., Fleet]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a fleet whose lines are changed one by one, with more lines."""

    def run(
        change: Change = lambda line: line, more: Sequence[Line] = (), simulated: Simulated = SIMULATED,
        limit: float | None = None,
    ) -> Fleet:  # fmt: skip
        lines = [changed for line in simulated.lines() if (changed := change(line)) is not None]
        return fleet_of_lines([*lines, *more], simulated.times, tmp_path, limit)

    return run


def of(at: int, line: Line) -> bool:
    return line.labels.get("pod") == SIMULATED.pod(at)


def valued(line: Line, values: Sequence[float | None]) -> Line:
    return replace(line, values=values)


def ends(fleet: Fleet, at: int = 0) -> list[int]:
    """The numbers of the samples at which the intervals of a pod end."""
    rows = fleet.intervals.filter(pl.col("replica") == SIMULATED.pod(at)).get_column("at_s")
    return [round((at_s - SIMULATED.times[0]) / SIMULATED.step_s) for at_s in rows]


def noted(fleet: Fleet, words: str) -> str:
    """The note with these words."""
    return next(note for note in fleet.notes if words in note)


def test_clean_data_have_only_notes_on_what_is_assumed(read: Read) -> None:
    assert [note.split(":")[0].split(" (")[0] for note in read().notes] == [
        "the period of limits is taken for 100 ms", "no counters of requests", "1 workload pooled by names of pods",
    ]  # fmt: skip


def test_a_counter_reset_excludes_its_interval(read: Read) -> None:
    def reset(line: Line) -> Line:
        at = np.array(line.values)
        return (
            valued(line, np.where(np.arange(9) >= 4, at - at[3], at).tolist())
            if of(0, line) and "_cpu_" in line.metric and "resource" not in line.metric
            else line
        )

    fleet = read(reset)
    assert ends(fleet) == [1, 2, 3, 5, 6, 7, 8]
    assert noted(fleet, "counter reset").startswith(f"1 counter reset (shop/{SIMULATED.pod(0)}/app)")
    assert fleet.intervals.get_column("used_s").min() >= 0  # type: ignore[operator]


def test_a_restart_in_a_pod_begins_new_counters_and_ends_the_old(read: Read) -> None:
    def first(line: Line) -> Line:
        """Its series end at sample 4, and a query repeats that sample until the end."""
        return (
            valued(line, [line.values[min(at, 4)] for at in range(9)]) if of(0, line) and "id" in line.labels else line
        )

    def second(line: Line) -> Line:
        values = [None if at < 5 else (line.values[at] or 0.0) - (line.values[4] or 0.0) for at in range(9)]
        return Line(line.metric, {**line.labels, "id": "/kubepods/after"}, values)

    again = [second(line) for line in SIMULATED.lines() if of(0, line) and "id" in line.labels]
    fleet = read(first, again)
    assert ends(fleet) == [1, 2, 3, 4, 6, 7, 8]
    assert noted(fleet, "restart").startswith("1 restart of a container")
    assert fleet.workloads.get_column("replicas").to_list() == [2]


def test_a_new_pod_takes_part_from_its_first_sample_on(read: Read) -> None:
    fleet = read(lambda line: valued(line, [None] * 5 + list(line.values[5:])) if of(1, line) else line)
    assert ends(fleet, 1) == [6, 7, 8]


def test_a_pod_that_was_gone_before_the_end_is_no_replica(read: Read) -> None:
    long = replace(SIMULATED, samples=40)
    fleet = read(lambda line: valued(line, list(line.values[:10]) + [None] * 30) if of(1, line) else line,
                 simulated=long)  # fmt: skip
    assert fleet.workloads.get_column("replicas").to_list() == [1]
    assert ends(fleet, 1) == list(range(1, 10))


def test_no_interval_is_across_a_changed_limit(read: Read) -> None:
    def change(line: Line) -> Line:
        raised = line.metric == LIMITS and of(0, line)
        return valued(line, [0.5] * 4 + [1.0] * 5) if raised else line

    fleet = read(change)
    assert ends(fleet) == [1, 2, 3, 5, 6, 7, 8]
    rows = fleet.intervals.filter(pl.col("replica") == SIMULATED.pod(0))
    assert rows.get_column("limit").to_list() == [0.5] * 3 + [1.0] * 4
    assert noted(fleet, "changed limit")


def test_every_interval_that_a_change_may_be_in_is_excluded_where_limits_are_sampled_rarely(read: Read) -> None:
    def change(line: Line) -> Line:
        raised = line.metric == LIMITS and of(0, line)
        return valued(line, [0.5, None, None, 0.5, None, None, 1.0, None, 1.0]) if raised else line

    assert ends(read(change)) == [1, 2, 3, 7, 8]


def test_a_missed_scrape_makes_a_longer_interval(read: Read) -> None:
    fleet = read(lambda line: valued(line, [v if at != 4 else None for at, v in enumerate(line.values)]))
    assert ends(fleet) == [1, 2, 3, 5, 6, 7, 8]
    assert fleet.intervals.get_column("length_s").max() == 2 * SIMULATED.step_s


def test_a_gap_is_excluded(read: Read) -> None:
    fleet = read(lambda line: valued(line, [None if 3 <= at < 6 else v for at, v in enumerate(line.values)]))
    assert ends(fleet) == [1, 2, 7, 8]
    assert noted(fleet, "gap").startswith("2 gaps in the samples")


def test_a_sample_that_one_counter_lacks_is_passed_over(read: Read) -> None:
    fleet = read(lambda line: valued(line, [v if at != 4 else None for at, v in enumerate(line.values)])
                 if line.metric == PERIODS else line)  # fmt: skip
    assert ends(fleet) == [1, 2, 3, 5, 6, 7, 8]
    assert noted(fleet, "without all counters").startswith("2 samples")


def test_repeated_samples_are_merged(read: Read) -> None:
    """The step of the query is half the time between scrapes."""
    fleet = read(lambda line: valued(line, [line.values[at - at % 2] for at in range(9)]))
    assert ends(fleet) == [2, 4, 6, 8]
    assert noted(fleet, "repeated sample")


def test_an_idle_container_is_not_taken_for_repeats(read: Read) -> None:
    long = replace(SIMULATED, samples=20)
    still = read(lambda line: valued(line, [line.values[3]] * 20) if "total" in line.metric else line, simulated=long)
    assert ends(still) == list(range(1, 20))
    assert still.intervals.get_column("used_s").sum() == 0


def test_samples_without_a_number_are_excluded(read: Read) -> None:
    fleet = read(lambda line: valued(line, [float("nan") if at == 4 else v for at, v in enumerate(line.values)])
                 if line.metric == USED else line)  # fmt: skip
    assert ends(fleet) == [1, 2, 3, 5, 6, 7, 8]
    assert noted(fleet, "without a number").startswith("2 samples of used_s")


def test_samples_out_of_order_are_sorted(read: Read, tmp_path: Path) -> None:
    straight = read()
    lines = [valued(line, list(reversed(line.values))) for line in SIMULATED.lines()]
    fleet = fleet_of_lines(lines, SIMULATED.times[::-1], tmp_path)
    assert fleet.intervals.equals(straight.intervals)
    assert noted(fleet, "out of order")


def test_series_of_a_second_scraper_are_dropped(read: Read) -> None:
    copies = [replace(line, labels={**line.labels, "prometheus_replica": "b"}) for line in SIMULATED.lines()]
    fleet = read(lambda line: replace(line, labels={**line.labels, "prometheus_replica": "a"}), copies)
    assert fleet.intervals.equals(read().intervals)
    assert noted(fleet, "second scraper").startswith("2 series of used_s read by a second scraper")


def test_series_over_pods_and_nodes_are_dropped(read: Read) -> None:
    pod: Labels = {"namespace": "shop", "pod": SIMULATED.pod(0), "id": "/kubepods/pod"}
    wholes: list[Labels] = [pod, {**pod, "container": "POD"}, {**pod, "container": ""}, {"id": "/"}]
    values = (100 * np.arange(9.0)).tolist()
    fleet = read(more=[Line(USED, labels, values) for labels in wholes])
    assert fleet.intervals.equals(read().intervals)
    assert noted(fleet, "whole pods").startswith("4 series")


def test_processor_time_by_processor_is_added_up(read: Read) -> None:
    def half(line: Line, cpu: str) -> Line:
        return Line(USED, {**line.labels, "cpu": cpu}, [0.5 * (v or 0.0) for v in line.values])

    halves = [half(line, cpu) for line in SIMULATED.lines() if line.metric == USED for cpu in ("cpu00", "cpu01")]
    fleet = read(lambda line: None if line.metric == USED else line, halves)
    assert fleet.intervals.get_column("used_s").to_list() == pytest.approx(read().intervals["used_s"].to_list())


def test_without_stopped_time_it_is_not_known(read: Read) -> None:
    fleet = read(lambda line: None if line.metric == STOPPED else line)
    assert fleet.intervals.get_column("stopped_s").null_count() == fleet.intervals.height == 16
    assert noted(fleet, STOPPED)


def test_limits_come_from_quota_and_period(read: Read) -> None:
    def without(line: Line) -> Line | None:
        return None if line.metric == LIMITS else line

    more = [
        Line(f"container_spec_cpu_{name}", SIMULATED.scraped(at), [value] * 9)
        for at in range(2)
        for name, value in (("quota", 25_000.0 * (at + 1)), ("period", 50_000.0))
    ]
    fleet = read(without, more)
    by_replica = fleet.intervals.group_by("replica", maintain_order=True).first()
    assert by_replica.select("limit", "period_ms").rows() == [(0.5, 50.0), (1.0, 50.0)]


def test_a_quota_is_used_before_what_kubernetes_reports(read: Read) -> None:
    more = [Line("container_spec_cpu_quota", SIMULATED.scraped(at), [200_000.0] * 9) for at in range(2)]
    fleet = read(more=more)
    assert fleet.intervals.get_column("limit").unique().to_list() == [2.0]
    assert noted(fleet, "unlike the quota").startswith("2 limits")


def test_a_limit_in_thousandths_is_one_in_processors(read: Read) -> None:
    fleet = read(lambda line: valued(line, [1000 * (v or 0.0) for v in line.values]) if line.metric == LIMITS else line)
    assert fleet.intervals.equals(read().intervals)
    assert noted(fleet, "limits above 256 processors")


def test_a_throttled_container_without_a_known_limit_is_excluded(read: Read) -> None:
    fleet = read(lambda line: None if line.metric == LIMITS and of(0, line) else line)
    assert fleet.intervals.get_column("replica").unique().to_list() == [SIMULATED.pod(1)]
    assert f"(shop/{SIMULATED.pod(0)}/app)" in noted(fleet, "without a known limit")


def test_a_limit_may_be_given_where_none_is_known(read: Read) -> None:
    fleet = read(lambda line: None if line.metric == LIMITS else line, limit=0.75)
    assert fleet.intervals.get_column("limit").unique().to_list() == [0.75]


def test_a_limit_without_series_of_throttling_is_noted(read: Read) -> None:
    fleet = read(lambda line: None if line.metric in (PERIODS, THROTTLED, STOPPED) else line)
    assert fleet.intervals.get_column("periods").null_count() == 16
    assert fleet.intervals.get_column("limit").null_count() == 0
    assert noted(fleet, "without series of throttling").startswith("2 containers with a limit")


def test_a_shorter_period_is_seen_in_the_periods(read: Read) -> None:
    fleet = read(lambda line: valued(line, [5 * (v or 0.0) for v in line.values]) if line.metric == PERIODS else line)
    assert fleet.intervals.get_column("period_ms").unique().to_list() == [20.0]
    assert noted(fleet, "20 ms")


def test_more_processor_time_than_the_limit_allows_is_noted(read: Read) -> None:
    fleet = read(lambda line: valued(line, [0.01] * 9) if line.metric == LIMITS else line)
    assert noted(fleet, "more processor time than the limit").startswith("16 intervals")


def test_owners_pool_pods_whose_names_say_nothing(read: Read) -> None:
    def renamed(line: Line) -> Line:
        pods = {SIMULATED.pod(0): "a", SIMULATED.pod(1): "b"}
        return replace(line, labels={**line.labels, "pod": pods[line.labels["pod"]]}) if "pod" in line.labels else line

    fleet = read(renamed, simulated=replace(SIMULATED, owners=True))
    assert fleet.workloads.select("workload", "replicas").rows() == [("shop/web0/app", 2)]
    assert not any("names of pods" in note for note in fleet.notes)


def test_clusters_are_kept_apart(read: Read) -> None:
    others = [replace(line, labels={**line.labels, "cluster": "b"}) for line in SIMULATED.lines()]
    fleet = read(lambda line: replace(line, labels={**line.labels, "cluster": "a"}), others)
    assert fleet.workloads.get_column("workload").to_list() == ["a:shop/web0/app", "b:shop/web0/app"]


def test_a_node_is_where_kube_pod_info_says(read: Read) -> None:
    places = [Line("kube_pod_info", {"namespace": "shop", "pod": SIMULATED.pod(at), "node": "big"}, [1.0] * 9)
              for at in range(2)]  # fmt: skip
    assert read(more=places).workloads.get_column("nodes").to_list() == [["big", "big"]]


def test_requests_at_a_client_are_not_those_of_the_pod(read: Read) -> None:
    served = replace(SIMULATED, requests=True)
    outgoing = [
        replace(line, labels={**line.labels, "reporter": "source"}) for line in served.lines()
        if line.metric == "istio_requests_total"
    ]  # fmt: skip
    assert read(more=outgoing, simulated=served).intervals.equals(read(simulated=served).intervals)


def test_requests_between_samples_are_interpolated(read: Read) -> None:
    served = replace(SIMULATED, requests=True)
    rates = read(simulated=served).intervals
    rare = read(lambda line: valued(line, [v if at % 4 == 0 else None for at, v in enumerate(line.values)])
                if line.metric == "istio_requests_total" else line, simulated=served).intervals  # fmt: skip
    of_pod = pl.col("replica") == SIMULATED.pod(0)
    mean = rates.filter(of_pod).get_column("requests_per_s").head(4).mean()
    assert rare.filter(of_pod).get_column("requests_per_s").head(4).to_list() == pytest.approx([mean] * 4)


def test_opentelemetry_goes_before_the_mesh_and_the_mesh_before_others(read: Read) -> None:
    served = replace(SIMULATED, requests=True)
    own = [
        Line("http_server_request_duration_seconds_count", SIMULATED.labels(at), (100.0 * np.arange(9)).tolist())
        for at in range(2)
    ]
    other = [Line("grpc_server_handling_seconds_count", SIMULATED.labels(at), (9.0 * np.arange(9)).tolist())
             for at in range(2)]  # fmt: skip
    fleet = read(more=[*own, *other], simulated=served)
    assert fleet.intervals.get_column("requests_per_s").to_list() == pytest.approx([100 / 30] * 16)
    without = read(more=other)
    assert without.intervals.get_column("requests_per_s").to_list() == pytest.approx([9 / 30] * 16)


def test_requests_of_a_workload_are_divided_among_its_replicas(read: Read) -> None:
    labels = {"destination_workload": "web0", "destination_workload_namespace": "shop", "reporter": "destination"}
    fleet = read(more=[Line("istio_requests_total", labels, (60.0 * np.arange(9)).tolist())])
    assert fleet.intervals.get_column("requests_per_s").to_list() == pytest.approx([1.0] * 16)


def test_a_rate_in_place_of_a_counter_is_refused(read: Read) -> None:
    def rate(line: Line) -> Line:
        return valued(line, (0.5 + 0.1 * (-1.0) ** np.arange(20)).tolist()) if line.metric == USED else line

    with pytest.raises(InputError, match="without rate"):
        read(rate, simulated=replace(SIMULATED, samples=20))
