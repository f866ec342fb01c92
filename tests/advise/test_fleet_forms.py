"""Does every form in which tools export the same counters give the same fleet, with the numbers that were simulated?"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from slicewright.advise.limits.fleet.cluster import INTERVALS, WORKLOADS, Cluster, Fleet, cluster_of
from slicewright.advise.limits.fleet.series.read import read_cluster
from slicewright.advise.options import AdviceOptions

from tests.advise import fleets
from tests.conftest import CommandLine

SIMULATED = fleets.Simulated(containers=22, samples=5)
FORMS = (
    "one file of range queries", "a range query a file", "a range query, packed", "OpenMetrics, stamped",
    "scrapes, stamped", "Parquet, long", "CSV, long", "CSV, wide", "Parquet, wide",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    return fleets.write(SIMULATED, tmp_path_factory.mktemp("fleet"))


@pytest.fixture(scope="module")
def fleet(files: dict[str, list[Path]]) -> Fleet:
    return read_cluster(Cluster("all", tuple(files[FORMS[0]])))


def taken(paths: list[Path], **options: str) -> Fleet:
    """The fleet of files as the command takes them."""
    cluster = cluster_of(paths, AdviceOptions.of(**options))
    assert cluster is not None
    return read_cluster(cluster)


def same(one: Fleet, other: Fleet) -> bool:
    return one.intervals.equals(other.intervals) and one.workloads.equals(other.workloads)


def test_every_form_is_tested(files: dict[str, list[Path]]) -> None:
    assert set(FORMS) == set(files)


@pytest.mark.parametrize("form", FORMS[1:])
def test_a_form_gives_the_same_fleet(files: dict[str, list[Path]], fleet: Fleet, form: str) -> None:
    read = taken(files[form])
    assert same(read, fleet)
    assert read.notes == fleet.notes


def test_a_fleet_has_the_columns_that_it_promises(fleet: Fleet) -> None:
    for table, columns in ((fleet.intervals, INTERVALS), (fleet.workloads, WORKLOADS)):
        assert {name: str(dtype) for name, dtype in table.schema.items()} == dict(columns)


def test_intervals_are_sorted_by_workload_replica_and_time(fleet: Fleet) -> None:
    keys = ["workload", "replica", "at_s"]
    assert fleet.intervals.select(keys).equals(fleet.intervals.select(keys).sort(keys))


def test_counters_are_those_that_were_simulated(fleet: Fleet) -> None:
    at, sample = 3, 2
    row = fleet.intervals.row(
        by_predicate=(pl.col("replica") == SIMULATED.pod(at)) & (pl.col("at_s") == float(SIMULATED.times[sample])),
        named=True,
    )
    grew = {name: values[at, sample] - values[at, sample - 1] for name, values in SIMULATED.counters.items()}
    names = {"used_s": "used", "periods": "periods", "throttled": "throttled", "stopped_s": "stopped",
             "pressure_s": "pressure"}  # fmt: skip
    assert {name: row[name] for name in names} == pytest.approx({name: grew[of] for name, of in names.items()})
    assert row["requests_per_s"] == pytest.approx(grew["served"] / SIMULATED.step_s)
    assert (row["length_s"], row["limit"], row["period_ms"]) == (SIMULATED.step_s, SIMULATED.limit[at], 100.0)


def test_replicas_of_a_deployment_are_pooled(fleet: Fleet) -> None:
    assert fleet.workloads.get_column("workload").to_list() == sorted(f"shop/web{at}/app" for at in range(11))
    assert fleet.workloads.get_column("replicas").to_list() == [2] * 11


def test_a_container_without_a_limit_has_none_and_no_periods(fleet: Fleet) -> None:
    free = fleet.intervals.filter(pl.col("limit").is_null())
    assert free.get_column("workload").unique().to_list() == ["shop/web9/app"]
    assert free.select("periods", "throttled").sum().row(0) == (0, 0)


def test_requests_and_nodes_are_those_of_the_replicas(fleet: Fleet) -> None:
    row = fleet.workloads.row(by_predicate=pl.col("workload") == "shop/web1/app", named=True)
    assert (row["limit"], row["reserved"], row["nodes"]) == (1.0, 0.5, ["node-0", "node-0"])


def test_percentiles_are_interpolated_in_the_buckets_of_the_histogram(fleet: Fleet) -> None:
    # An eighth of the requests in each of eight buckets: half of them below the fourth bound, 99 % nearly at the last.
    row = fleet.workloads.row(by_predicate=pl.col("workload") == "shop/web1/app", named=True)
    assert row["measured_p50_ms"] == pytest.approx(50, rel=0.01)
    assert row["measured_p99_ms"] == pytest.approx(500 + 500 * (0.99 - 0.875) / 0.125, rel=0.01)


@pytest.mark.parametrize("openmetrics", [False, True])
def test_scrapes_without_times_take_them_from_every(tmp_path: Path, fleet: Fleet, openmetrics: bool) -> None:
    lines = list(SIMULATED.lines())
    scrapes = fleets.exposition(lines, SIMULATED.times, stamped=False, openmetrics=openmetrics)
    paths = [tmp_path / f"scrape.{at + 8}" for at in range(len(scrapes))]
    for path, scrape in zip(paths, scrapes, strict=True):
        path.write_bytes(scrape)
    (tmp_path / "all").write_bytes(b"".join(scrapes))
    for given in (sorted(paths, key=str), [tmp_path / "all"]):
        read = taken(given, every="30 s")
        moved = read.intervals.with_columns(pl.col("at_s") + fleets.START_S)
        assert moved.equals(fleet.intervals)


def test_scrapes_without_comments_are_parted_by_their_first_series(tmp_path: Path, fleet: Fleet) -> None:
    scrapes = fleets.exposition(list(SIMULATED.lines()), SIMULATED.times, stamped=False)
    bare = b"".join(line for line in b"".join(scrapes).splitlines(True) if not line.startswith(b"#"))
    (tmp_path / "all").write_bytes(bare)
    assert taken([tmp_path / "all"], every="30 s").intervals.drop("at_s").equals(fleet.intervals.drop("at_s"))


def test_times_may_be_milliseconds_or_written_out(tmp_path: Path, fleet: Fleet) -> None:
    table = fleets.long_table(list(SIMULATED.lines()), SIMULATED.times)
    stamps = {
        "ms": pl.col("time") * 1000,
        "iso": pl.from_epoch("time").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "blank": pl.from_epoch("time").dt.strftime("%Y-%m-%d %H:%M:%S.%3f"),
        "zoned": (pl.from_epoch("time") + pl.duration(hours=1)).dt.strftime("%Y-%m-%d %H:%M:%S+01:00"),
    }
    for name, stamp in stamps.items():
        path = tmp_path / f"{name}.csv"
        table.with_columns(stamp.alias("time")).write_csv(path)
        assert same(taken([path]), fleet)
    table.with_columns(pl.from_epoch("time").alias("time")).write_parquet(tmp_path / "datetime.parquet")
    assert same(taken([tmp_path / "datetime.parquet"]), fleet)


def test_a_table_may_be_named_after_its_metric(tmp_path: Path, fleet: Fleet) -> None:
    table = fleets.long_table(list(SIMULATED.lines()), SIMULATED.times)
    paths = []
    for (metric,), rows in table.partition_by("metric", as_dict=True).items():
        paths.append(tmp_path / f"{metric}.csv")
        rows.drop("metric").write_csv(paths[-1])
    assert same(taken(paths), fleet)


def test_a_table_may_have_labels_in_one_column(tmp_path: Path, fleet: Fleet) -> None:
    table = fleets.long_table(list(SIMULATED.lines()), SIMULATED.times)
    keys = [column for column in table.columns if column not in ("time", "metric", "value")]
    rows = [
        (
            row["time"],
            row["metric"],
            "{" + ",".join(f'{key}="{row[key]}"' for key in keys if row[key]) + "}",
            row["value"],
        )
        for row in table.iter_rows(named=True)
    ]
    pl.DataFrame(rows, schema=["time", "metric", "labels", "value"], orient="row").write_csv(tmp_path / "a.csv")
    assert same(taken([tmp_path / "a.csv"]), fleet)


def test_a_table_may_have_a_column_for_each_metric(tmp_path: Path, fleet: Fleet) -> None:
    table = fleets.metric_table(list(SIMULATED.lines()), SIMULATED.times)
    table.write_csv(tmp_path / "a.csv")
    table.write_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        read = taken([tmp_path / name])
        # Requests are counted in the mesh's own container, and that has no other metric.
        columns = [name for name in INTERVALS if name != "requests_per_s"]
        assert read.intervals.select(columns).equals(fleet.intervals.select(columns))


def test_pandas_and_its_wide_form_are_read(tmp_path: Path, fleet: Fleet) -> None:
    pandas = pytest.importorskip("pandas")
    wide = pandas.DataFrame({line.text: line.values for line in SIMULATED.lines()})
    wide.insert(0, "timestamp", pandas.to_datetime(SIMULATED.times, unit="s"))
    wide.to_csv(tmp_path / "wide.csv", index=False)
    assert same(taken([tmp_path / "wide.csv"]), fleet)


def test_limits_may_be_written_in_thousandths(tmp_path: Path, fleet: Fleet) -> None:
    table = fleets.long_table(list(SIMULATED.lines()), SIMULATED.times)
    milli = pl.format("{}m", (1000 * pl.col("value")).round().cast(pl.Int64))
    written = pl.when(pl.col("metric").str.starts_with("kube_")).then(milli).otherwise(pl.col("value").cast(pl.String))
    table.with_columns(written.alias("value")).write_csv(tmp_path / "a.csv")
    assert same(taken([tmp_path / "a.csv"]), fleet)


def test_snapshots_of_docker_and_what_inspect_prints_give_the_same_counters(tmp_path: Path, fleet: Fleet) -> None:
    (tmp_path / "stats.json").write_text("\n".join(fleets.docker_stats(SIMULATED)))
    (tmp_path / "inspect.json").write_bytes(fleets.docker_inspect(SIMULATED))
    read = taken([tmp_path / "stats.json", tmp_path / "inspect.json"])
    assert read.workloads.get_column("workload").to_list() == sorted(
        f"docker/shop-web{at}/shop-web{at}" for at in range(11)
    )
    for column in ("length_s", "used_s", "periods", "throttled", "stopped_s", "limit"):
        ours, theirs = (
            np.nan_to_num(side.intervals.get_column(column).to_numpy().astype(float)) for side in (read, fleet)
        )
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_stats_of_an_ecs_task_have_its_family_and_containers(tmp_path: Path) -> None:
    lines = fleets.docker_stats(fleets.Simulated(containers=1, samples=3))
    stats = [line.replace("/shop-web0-1", "ecs-shop-26-app-c2e5f6e0cf91b0bead01") for line in lines]
    for at, line in enumerate(stats):
        (tmp_path / f"task.{at}.json").write_text(f'{{"{"0" * 64}": {line}, "1111": null}}')
    read = taken(sorted(tmp_path.iterdir()), limit="500m")
    assert read.workloads.select("workload", "limit").row(0) == ("ecs/shop/app", 0.5)


def test_series_come_from_standard_input(
    slicewright: CommandLine, files: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = files[FORMS[0]][0].read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    said = slicewright("read", "-")
    assert (said.status, "11 containers" in said.out) == (0, True)


def test_files_alone_ask_the_question(slicewright: CommandLine, files: dict[str, list[Path]]) -> None:
    said = slicewright("advise", *files["CSV, long"])
    assert (said.status, said.err) == (0, "")
    assert "shop/web1/app" in said.out


def test_braces_and_exemplars_are_no_ends_of_labels(tmp_path: Path) -> None:
    labels = 'container_cpu_usage_seconds_total{namespace="a} b",pod="p-%d x",container="c"}'
    times = ("%d", '%d # {trace="x} 9"} 1', "%d")
    lines = [
        f"{labels % at} {at + sample}.5 {time % sample}" for sample in range(1, 4) for at, time in enumerate(times)
    ]
    (tmp_path / "a.prom").write_text("\n".join(lines) + "\n")
    read = taken([tmp_path / "a.prom"])
    assert read.workloads.get_column("workload").to_list() == [f"a}} b/p-{at} x/c" for at in range(3)]
    assert read.intervals.get_column("used_s").to_list() == [1.0] * 6
