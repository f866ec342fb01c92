"""Does a run hold what it took to make it, and come out the same again?"""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest
import slicewright
from slicewright import InputError
from slicewright.run.tables import ENTITY, counters

from tests.tidy.tree import ROOT

SCENARIOS = ROOT / "scenarios"

TABLES = [table for table in ENTITY if table != "system"]


def test_every_counter_has_its_half_width(small: Path) -> None:
    result = slicewright.run(small)
    for table in ENTITY:
        frame: pl.DataFrame = getattr(result, table)
        for counter in counters(result.raw[table]):
            assert f"{counter}_half_width" in frame.columns


def test_there_is_one_row_per_entity_and_one_raw_row_per_replication(small: Path) -> None:
    result = slicewright.run(small)
    assert result.volumes["volume"].to_list() == ["VOL001", "VOL002"]
    assert result.pools["pool"].to_list() == ["POOL"]
    assert result.system.height == 1
    assert result.intervals.height == 2 * result.replications


def test_the_scenario_says_how_many_replications_unless_asked(small: Path) -> None:
    assert slicewright.run(small).replications == 3
    assert slicewright.run(small, replications=2).replications == 2


def test_the_same_run_again_is_the_same(small: Path) -> None:
    first, second = (slicewright.run(small, threads=threads) for threads in (1, 2))
    for table in ENTITY:
        assert first.raw[table].equals(second.raw[table], null_equal=True)
    assert first.checksum == second.checksum


def test_another_seed_is_another_run(small: Path) -> None:
    first, second = (slicewright.run(small, seed=seed) for seed in (1, 2))
    assert first.values("system", "response_ms") != second.values("system", "response_ms")


def test_a_scenario_comes_as_path_text_bytes_or_read(small: Path) -> None:
    text = small.read_text()
    read = slicewright.Scenario.read(text.encode(), "small.toml")
    sources: list[object] = [small, str(small), text, text.encode(), read]
    assert len({slicewright.run(source, replications=2).checksum for source in sources}) == 1  # type: ignore[arg-type]


def test_a_key_is_changed_by_name_or_as_typed(small: Path) -> None:
    by_name = slicewright.run(small, set={"alias_pool.POOL.aliases": 0, "measure.interval": "4 s"})
    as_typed = slicewright.run(small, set=["alias_pool.POOL.aliases=0", "measure.interval=4 s"])
    assert by_name.intervals.equals(as_typed.intervals, null_equal=True)
    assert by_name.pools["aliases"][0] == 0


@pytest.mark.parametrize(
    ("kind", "table", "counters"),
    [
        ("container-limits", "cgroups", ("cpu_percent", "throttled_percent")),
        ("own-exits", "serialization", ("pairs_per_s", "elapsed_us_per_pair")),
    ],
)
def test_precision_is_of_what_the_headline_has(kind: str, table: str, counters: tuple[str, ...]) -> None:
    result = slicewright.run(SCENARIOS / f"{kind}.toml", precision="10%", replications=2)
    assert 2 < result.replications < 100
    for row in getattr(result, table).iter_rows(named=True):
        for counter in counters:
            assert (row[f"{counter}_half_width"] or 0) <= 0.1 * (row[counter] or 0)


def test_precision_of_guests_alone_is_of_their_cycles() -> None:
    text = """
name = "Guests"
assume = "made up"
[cec]
processors = 1
[[partition]]
name = "P"
logical_processors = 1
mode = "UP"
[[guest]]
name = "G"
count = 2
partition = "P"
program = [ { think = { exponential = "10 ms" } } ]
[measure]
interval = "1 s"
warm_up = "0 s"
"""
    result = slicewright.run(text, precision="2%", replications=2)
    assert result.replications > 2
    assert result.guests["cycles_per_s_half_width"][0] <= 0.02 * result.guests["cycles_per_s"][0]


def test_precision_adds_replications_until_it_is_reached(small: Path) -> None:
    result = slicewright.run(small, precision="2%")
    row = result.system.row(0, named=True)
    for name in ("response_ms", "io_per_s"):
        assert row[f"{name}_half_width"] <= 0.02 * row[name]
    first = slicewright.run(small, replications=3)
    assert result.values("system", "response_ms")[:3] == first.values("system", "response_ms")


def test_values_are_in_the_order_of_replications(small: Path) -> None:
    result = slicewright.run(small)
    values = result.values("volumes", "response_ms", "VOL001")
    assert math.fsum(values) / 3 == pytest.approx(result.volumes["response_ms"][0])
    with pytest.raises(KeyError, match="VOL009"):
        result.values("volumes", "response_ms", "VOL009")


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"replications": 0}, "replications"),
        ({"replications": 10**9}, "replications"),
        ({"threads": 0}, "threads"),
        ({"precision": "1"}, "precision"),
        ({"precision": "-1%"}, "precision"),
        ({"precision": "0%"}, "precision"),
        ({"out": ""}, "out"),
    ],
)
def test_what_is_out_of_range_is_refused_with_its_range(small: Path, options: dict[str, object], key: str) -> None:
    with pytest.raises(InputError) as refused:
        slicewright.run(small, **options)  # type: ignore[arg-type]
    assert refused.value.problems[0]["key"] == key
    assert refused.value.problems[0]["allowed"]


def test_all_ranges_are_checked_at_once(small: Path) -> None:
    with pytest.raises(InputError) as refused:
        slicewright.run(small, seed=-1, replications=0)
    assert len(refused.value.problems) == 2


def test_a_run_that_never_settles_says_so(small: Path) -> None:
    flooded = slicewright.run(small, set={"guest.GUEST.count": 20_000})
    assert any("growing or draining" in note for note in flooded.notes)
    assert not slicewright.run(small, set={"measure.interval": "20 s"}).notes


def test_progress_is_reported(small: Path) -> None:
    told: list[float] = []
    slicewright.run(small, set={"measure.interval": "60 s"}, progress=told.append)
    assert all(0 <= share <= 1 for share in told)
