"""Does every table of every shipped scenario keep the laws, and does one time cut into many intervals give the same?"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import polars as pl
import pytest
import slicewright
from polars.testing import assert_frame_equal
from slicewright._core import InputError
from slicewright.experiment import store
from slicewright.experiment.store import Part, tables_of, using
from slicewright.explore.points import to_bytes
from slicewright.explore.store import parts, read_facts
from slicewright.run.laws import LAWS, SHARES, SUMS, WORTHS, Law, broken, broken_columns
from slicewright.run.manifest import MANIFEST, facts_of, text_of, written_in
from slicewright.run.steady import LEVELS, unsteady
from slicewright.run.tables import ENTITY, declared, keys
from slicewright.scenario.starters import read_starter

from tests.sweep.example import small

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "scenarios").rglob("*.toml"))
MEASURED_MS, MANY = 400, 8


@cache
def cut(file: str, parts: int) -> slicewright.Run:
    """A scenario measured for the same time as this many intervals, with samples at the same instants."""
    each = f"{MEASURED_MS // parts} ms"
    measure = {"interval": each, "intervals": parts, "warm_up": "100 ms", "sample": f"{MEASURED_MS // MANY} ms"}
    return slicewright.run(ROOT / file, replications=2, set={f"measure.{key}": value for key, value in measure.items()})


def by_interval(run: slicewright.Run) -> dict[str, pl.DataFrame]:
    return {table: run.raw[table] for table in ENTITY}


def estimates(run: slicewright.Run) -> dict[str, pl.DataFrame]:
    return {table: run[table] for table in run.tables if table in ENTITY}


@pytest.mark.parametrize("file", SHIPPED)
def test_one_interval_and_many_give_the_same_numbers(file: str) -> None:
    one, many = cut(file, 1), cut(file, MANY)
    assert one.raw["system"].height * MANY == many.raw["system"].height
    for table in ENTITY:
        assert_frame_equal(one.pooled[table], many.pooled[table], check_exact=True)
        if not one.raw[table].is_empty():
            assert_frame_equal(one[table], many[table], check_exact=True)


@pytest.mark.parametrize("file", SHIPPED)
def test_every_number_of_a_shipped_scenario_keeps_the_laws(file: str) -> None:
    run = cut(file, MANY)
    assert [str(each) for of in (by_interval(run), run.pooled, estimates(run)) for each in broken(of)] == []


def test_every_law_is_about_columns_that_some_shipped_scenario_fills() -> None:
    pooled = [cut(file, MANY).pooled for file in SHIPPED]
    for law in LAWS:
        columns = [*law.left, *(() if isinstance(law.right, float) else law.right)]
        assert set(columns) <= {*declared(law.table), "count", "paths"}, law.words
        known = pl.all_horizontal(pl.col(columns).is_not_null())
        assert any(of[law.table].filter(known).height for of in pooled), law.words
    for whole in SUMS:
        assert whole.column in declared(whole.table)
        assert whole.part in declared(whole.of)
    for worth in WORTHS:
        assert set(worth.columns) <= declared(worth.table).keys()
    for level in LEVELS:
        assert {level.level, level.rate, level.time} <= declared(level.table).keys(), level.words


@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.table}: {law.words}")
def test_a_row_that_breaks_a_law_is_found(law: Law) -> None:
    right = () if isinstance(law.right, float) else law.right
    # 3 against 1 for each of the other side, or far above a number that is a bound.
    row: dict[str, list[float | None]] = {
        name: [1.0 if name in right else 3.0 * (len(right) or 100.0)] for name in (*law.left, *right)
    }
    assert law.words in [each.law for each in broken_columns(law.table, row)]
    row[law.left[0]] = [None]
    assert law.words not in [each.law for each in broken_columns(law.table, row)]


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("queue_depth", float("nan"), "a number is finite"),
        ("response_ms", float("inf"), "a number is finite"),
        ("pend_ms", -0.5, "0 <= pend_ms"),
        ("reserved_percent", 100.5, "reserved_percent <= 100"),
    ],
)
def test_a_number_that_no_machine_has_is_found(column: str, value: float, words: str) -> None:
    frame = cut("scenarios/replay.toml", 1).raw["volumes"]
    wrong = frame.with_columns(pl.when(pl.int_range(pl.len()) == 1).then(value).otherwise(column).alias(column))
    found = broken({"volumes": wrong})
    assert (words, column) in [(each.law, each.column) for each in found]
    assert {each.row for each in found} == {f"{frame['volume'][1]} replication {frame['replication'][1]} interval 0"}


def test_a_mean_of_nothing_that_has_a_value_is_found() -> None:
    (found,) = broken_columns("resources", {"resource": ["LOCK"], "released_per_s": [0.0], "hold_ms": [0.0]})
    assert str(found) == "resources, LOCK, hold_ms: 0 breaks a mean of nothing (released_per_s = 0) has no value"


def test_a_sum_over_another_table_and_processors_that_a_partition_lacks_are_found() -> None:
    run = cut("scenarios/zvm.toml" if "scenarios/zvm.toml" in SHIPPED else _with("control_programs"), 1)
    tables = dict(run.pooled)
    assert not broken(tables)
    tables["control_processors"] = tables["control_processors"].with_columns(pl.col("busy_percent") * 0)
    assert "the sum of control_processors.busy_percent" in str(broken(tables))
    wide = dict(run.pooled) | {"partitions": run.pooled["partitions"].with_columns(logical_processors=pl.lit(0))}
    assert "<= 100 logical_processors" in str(broken(wide))


def _with(table: str) -> str:
    """A shipped scenario that has a table."""
    return next(file for file in SHIPPED if not cut(file, 1).raw[table].is_empty())


def test_every_percentage_has_a_bound() -> None:
    bounded = {(table, name) for table, names in SHARES.items() for name in names}
    bounded |= {(law.table, column) for law in WORTHS for column in law.columns}
    by_law = {(law.table, name) for law in LAWS for name in law.left}
    parts = {(law.table, name) for law in LAWS if not isinstance(law.right, float) for name in law.right}
    percentages = {(table, name) for table in ENTITY for name, unit in declared(table).items() if unit == "%"}
    assert percentages - bounded <= by_law | parts


RESOURCE = """
name = "one lock"
[[volume]]
name = "DISK"
device = "0100"
service = { connect = { exponential = "3 ms" } }
[[resource]]
name = "LOCK"
count = %(count)s
[[guest]]
name = "JOBS"
%(load)s
program = [ %(program)s ]
[measure]
interval = "%(interval)s"
intervals = %(intervals)s
warm_up = "%(warm_up)s"
replications = 4
"""


def locked(**values: object) -> slicewright.Run:
    return slicewright.run(RESOURCE % ({"count": 1, "load": "count = 1", "warm_up": "0 s"} | values))


def test_a_hold_longer_than_an_interval_has_its_whole_length() -> None:
    program = '{ think = "4.1 s" }, { hold = "LOCK", steps = [ { think = "7 s" } ] }'
    run = locked(program=program, interval="2 s", intervals=50)
    row = run.resources.row(0, named=True)
    assert (row["hold_ms"], row["released_per_s"] * 100) == pytest.approx((7000.0, 9.0))
    alone = run.raw["resources"]
    assert alone.filter(alone["released_per_s"] == 0)["hold_ms"].null_count() == 4 * 41
    assert alone["hold_ms"].drop_nulls().unique().to_list() == [7000.0]


def test_a_hold_that_never_ends_has_no_mean_and_waiting_tasks_say_so() -> None:
    program = '{ hold = "LOCK", steps = [ { think = "15 min" } ] }'
    run = locked(load='arrivals = "2/s"', program=program, interval="30 s", intervals=1)
    row = run.resources.row(0, named=True)
    assert (row["hold_ms"], row["hold_ms_half_width"], row["released_per_s"]) == (None, None, 0.0)
    assert row["queue_depth"] > 10
    assert [each.law.level for each in unsteady(run.pooled)] == ["queue_depth"]
    (note,) = [note for note in run.notes if "Little's law" in note]
    assert "resources LOCK: queue_depth" in note
    assert "takes_per_s x wait_ms 0" in note


def test_jobs_longer_than_an_interval_keep_little_s_law() -> None:
    program = (
        '{ think = { exponential = "40 s" } },'
        '{ hold = "LOCK", steps = [ { think = { exponential = "90 s" } }, { io = { volume = "DISK" } } ] }'
    )
    run = locked(count=2, load="count = 3", program=program, interval="20 s", intervals=720, warm_up="10 min")
    lock, jobs = run.resources.row(0, named=True), run.guests.row(0, named=True)
    assert abs(lock["hold_ms"] / 90_003 - 1) < 0.05
    assert lock["hold_ms"] * lock["released_per_s"] / 1000 == pytest.approx(lock["in_use"], rel=0.02)
    assert jobs["cycle_ms"] == pytest.approx(1000 * jobs["population"] / jobs["cycles_per_s"], rel=0.02)
    assert not list(unsteady(run.pooled))


def test_counts_over_intervals_are_added_up() -> None:
    run = cut(_with("pools"), MANY)
    single, whole = run.raw["pools"], run.pooled["pools"]
    assert single["tries"].sum() == whole["tries"].sum() > 0
    assert single["fails"].sum() == whole["fails"].sum()


def _rewritten(folder: Path, name: str, column: str, value: float) -> None:
    """A table of a run directory with a number changed, and a manifest that agrees."""
    frame = pl.read_parquet(folder / name)
    frame.with_columns(pl.lit(value).alias(column)).write_parquet(folder / name)
    facts = facts_of((folder / MANIFEST).read_bytes())
    files: Mapping[str, object] = {file: row for file, row in written_in(folder).items() if file != MANIFEST}
    (folder / MANIFEST).write_text(text_of(facts | {"files": files}), encoding="utf-8")


@pytest.mark.parametrize("folder", ["raw", "pooled"])
def test_a_run_directory_with_a_number_that_breaks_a_law_is_refused(folder: str, tmp_path: Path) -> None:
    short = {"measure.interval": "1 s", "measure.intervals": 2, "measure.warm_up": "0 s"}
    slicewright.run(slicewright.starter("mm1"), replications=2, set=short, out=tmp_path / "run")
    assert slicewright.load(tmp_path / "run").pooled["volumes"].height == 2
    _rewritten(tmp_path / "run", f"{folder}/volumes.parquet", "reserved_percent", 6.6e13)
    with pytest.raises(InputError, match=rf"{folder}/volumes, .*, reserved_percent: 6.6e\+13 breaks"):
        slicewright.load(tmp_path / "run")


def test_a_run_directory_of_several_intervals_that_were_not_counted_as_one_is_refused(tmp_path: Path) -> None:
    short = {"measure.interval": "1 s", "measure.intervals": 2, "measure.warm_up": "0 s"}
    slicewright.run(slicewright.starter("mm1"), replications=2, set=short, out=tmp_path / "run")
    for file in (tmp_path / "run" / "pooled").iterdir():
        file.unlink()
    facts = facts_of((tmp_path / "run" / MANIFEST).read_bytes())
    left = {name: row for name, row in facts["files"].items() if not name.startswith("pooled/")}
    (tmp_path / "run" / MANIFEST).write_text(text_of(facts | {"files": left}), encoding="utf-8")
    with pytest.raises(InputError, match=r"earlier version, .*scenario.toml can be run again"):
        slicewright.load(tmp_path / "run")


def test_a_table_of_the_store_that_breaks_a_law_is_simulated_again(tmp_path: Path) -> None:
    short = read_starter("mm1").with_(['measure.interval="1 s"'])
    part = Part(1, (0, 2), 0.1, {"volumes": ["replication", "io_per_s", "reads_per_s", "writes_per_s"]})
    with using(tmp_path):
        good = tables_of(short, part)
        wrong = {"volumes": good["volumes"] | {"reads_per_s": [-1.0, -1.0]}}
        opened = store.Store(tmp_path)
        (name,) = [path.parent.name + path.name for path in tmp_path.rglob("*") if len(path.name) == 62]
        opened.put(name, wrong)
        assert opened.get(name) == wrong
        assert tables_of(short, part) == good


def test_a_part_of_a_sweep_with_a_number_that_breaks_a_law_is_refused(tmp_path: Path) -> None:
    copy = shutil.copytree(small().directory, tmp_path / "store")
    (part,) = parts(copy)
    data = to_bytes(pl.read_parquet(part).with_columns(pl.lit(-1.0).alias("system.io_per_s")))
    part.unlink()
    (part.parent / f"000000-{read_facts(copy).sum_of(0, data)}.parquet").write_bytes(data)
    with pytest.raises(InputError, match=r"system, io_per_s: -1 breaks 0 <= io_per_s"):
        _ = slicewright.Sweep.read(copy).points


def test_keys_name_the_row_that_is_wrong() -> None:
    frame = cut(SHIPPED[0], 1).raw["system"]
    assert keys(frame) == []
    (found,) = broken({"system": frame.head(1).with_columns(pl.lit(-1.0).alias("events"))})
    assert str(found) == "system, replication 0 interval 0, events: -1 breaks 0 <= events"
