"""Do several intervals become one value per replication, each counter by its own rule?"""

from __future__ import annotations

import polars as pl
import pytest
import slicewright
from slicewright.run.tables import ENTITY, LOGS, counters, frames, keys, per_replication


def _one(table: str, columns: dict[str, list[float | None]]) -> pl.DataFrame:
    index = {"replication": [0, 0], "interval": [0, 1], ENTITY[table]: ["A", "A"]}
    return per_replication(pl.DataFrame(index | columns), table)


def test_means_per_io_are_weighted_by_the_rate() -> None:
    assert _one("volumes", {"io_per_s": [1.0, 3.0], "response_ms": [2.0, 6.0]})["response_ms"][0] == 5.0


def test_an_interval_without_io_has_no_part_in_the_response() -> None:
    found = _one("volumes", {"io_per_s": [0.0, 3.0], "response_ms": [None, 6.0]})
    assert found["response_ms"][0] == 6.0
    found = _one("volumes", {"io_per_s": [0.0, 0.0], "response_ms": [None, None]})
    assert found["response_ms"][0] is None


def test_low_and_high_water_are_the_extremes() -> None:
    found = _one("pools", {"low_water": [2.0, 1.0], "high_water": [5.0, 7.0], "tries": [10.0, 20.0]})
    assert (found["low_water"][0], found["high_water"][0], found["tries"][0]) == (1.0, 7.0, 30.0)


def test_a_count_that_was_not_read_in_any_interval_is_not_0() -> None:
    assert _one("pools", {"tries": [None, None], "fails": [1.0, None]}).row(0)[2:] == (None, 1.0)


def test_a_percentile_over_several_intervals_is_not_made_of_theirs() -> None:
    columns: dict[str, list[float | None]] = {"io_per_s": [1.0, 3.0], "response_p95_ms": [2.0, 6.0]}
    assert _one("volumes", columns)["response_p95_ms"][0] is None
    frame = pl.DataFrame({"replication": [0], "interval": [0], "volume": ["A"], "response_p95_ms": [2.0]})
    assert per_replication(frame, "volumes")["response_p95_ms"][0] == 2.0


def test_the_shortest_contention_is_the_shortest_of_any_interval() -> None:
    found = _one("enqueues", {"contention_max_ms": [9.0, 5.0], "contention_min_ms": [2.0, 4.0]})
    assert found["contention_min_ms"][0] == 2.0


def test_fails_per_try_is_weighted_by_the_tries() -> None:
    found = _one("pools", {"tries": [10.0, 30.0], "fails_per_try": [0.0, 0.4]})
    assert found["fails_per_try"][0] == pytest.approx(0.3)


def test_a_mean_over_two_kinds_of_events_is_weighted_by_both() -> None:
    found = _one("minidisks", {"io_per_s": [1.0, 1.0], "avoided_per_s": [0.0, 2.0], "wait_ms": [2.0, 6.0]})
    assert found["wait_ms"][0] == 5.0


def test_a_hold_is_weighted_by_the_io_of_a_volume_and_the_interrupts_of_a_partition() -> None:
    assert _one("volumes", {"io_per_s": [1.0, 3.0], "hold_ms": [2.0, 6.0]})["hold_ms"][0] == 5.0
    assert _one("partitions", {"interrupts_per_s": [3.0, 1.0], "hold_ms": [2.0, 6.0]})["hold_ms"][0] == 3.0


def test_every_table_but_that_of_the_system_names_its_rows() -> None:
    assert [table for table, names in ENTITY.items() if not names] == ["system"]
    assert (ENTITY["volumes"], ENTITY["spin_locks"]) == ("volume", "partition virtual_machine number lock")


def test_names_are_no_counters() -> None:
    frame = pl.DataFrame({"replication": [0], "interval": [0], "pool": ["A"], "aliases": [8], "tries": [1.0]})
    assert (keys(frame), counters(frame)) == (["pool"], ["aliases", "tries"])
    frame = pl.DataFrame({"replication": [0], "partition": ["A"], "logical_processors": [2], "hold_ms": [1.0]})
    assert (keys(frame), counters(frame)) == (["partition", "logical_processors"], ["hold_ms"])


def test_a_table_that_the_engine_leaves_empty_is_an_empty_frame() -> None:
    assert frames({})["pools"].is_empty()


def test_tables_without_rows_have_the_types_of_those_with_rows() -> None:
    names = ("tests/golden/every_mechanism.toml", "scenarios/apache-spin.toml", "scenarios/enq-exits.toml")
    short = {"measure.interval": "1 s", "measure.intervals": 1}
    runs = [slicewright.run(name, replications=2, set=short) for name in (*names, "scenarios/container-limits.toml")]
    for table in (*ENTITY, *LOGS):
        frames_of_table = [getattr(run, table) for run in runs]
        assert len({tuple(frame.schema.items()) for frame in frames_of_table}) == 1, table
        assert len({tuple(run.raw[table].schema.items()) for run in runs}) == 1, table
    assert runs[1].volumes.schema["volume"] == pl.String


def test_shares_of_virtual_processors_are_weighted_by_how_many_there_were() -> None:
    found = _one("processors", {"virtual_processors": [1.0, 3.0], "compute_percent": [20.0, 60.0]})
    assert found["compute_percent"][0] == 50.0


def test_what_is_counted_from_the_start_is_that_of_the_last_interval() -> None:
    columns = {"replication": [0, 0], "interval": [0, 1], "partition": ["A", "A"], "exits_removed": [1.0, 3.0]}
    assert per_replication(pl.DataFrame(columns), "serialization")["exits_removed"][0] == 3.0
