"""Do several intervals become one value per replication, each counter by its own rule?

It leaves out estimates over replications.
"""

from __future__ import annotations

import polars as pl
import pytest
from slicewright.tables import counters, frames, keys, per_replication


def _one(table: dict[str, list[float]], name: str) -> pl.DataFrame:
    index = {"replication": [0, 0], "interval": [0, 1], name: ["A", "A"]}
    return per_replication(pl.DataFrame(index | table))


def test_means_per_io_are_weighted_by_the_rate() -> None:
    assert _one({"io_per_s": [1.0, 3.0], "response_ms": [2.0, 6.0]}, "volume")["response_ms"][0] == 5.0


def test_an_interval_without_io_has_no_part_in_the_response() -> None:
    found = _one({"io_per_s": [0.0, 3.0], "response_ms": [None, 6.0]}, "volume")  # type: ignore[list-item]
    assert found["response_ms"][0] == 6.0
    found = _one({"io_per_s": [0.0, 0.0], "response_ms": [None, None]}, "volume")  # type: ignore[list-item]
    assert found["response_ms"][0] is None


def test_low_and_high_water_are_the_extremes() -> None:
    found = _one({"low_water": [2.0, 1.0], "high_water": [5.0, 7.0], "tries": [10.0, 20.0]}, "pool")
    assert (found["low_water"][0], found["high_water"][0], found["tries"][0]) == (1.0, 7.0, 15.0)


def test_fails_per_try_is_weighted_by_the_tries() -> None:
    assert _one({"tries": [10.0, 30.0], "fails_per_try": [0.0, 0.4]}, "pool")["fails_per_try"][0] == pytest.approx(0.3)


def test_a_hold_is_weighted_by_the_io_of_a_volume_and_the_interrupts_of_a_partition() -> None:
    assert _one({"io_per_s": [1.0, 3.0], "hold_ms": [2.0, 6.0]}, "volume")["hold_ms"][0] == 5.0
    assert _one({"interrupts_per_s": [3.0, 1.0], "hold_ms": [2.0, 6.0]}, "partition")["hold_ms"][0] == 3.0


def test_names_are_no_counters() -> None:
    frame = pl.DataFrame({"replication": [0], "interval": [0], "pool": ["A"], "aliases": [8], "tries": [1.0]})
    assert (keys(frame), counters(frame)) == (["pool"], ["aliases", "tries"])
    frame = pl.DataFrame({"replication": [0], "partition": ["A"], "logical_processors": [2], "hold_ms": [1.0]})
    assert (keys(frame), counters(frame)) == (["partition", "logical_processors"], ["hold_ms"])


def test_a_table_that_the_engine_leaves_empty_is_an_empty_frame() -> None:
    assert frames({})["pools"].is_empty()
