"""Are two runs compared by what they share?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright.results.compare import Comparison, _changed
from slicewright.results.frame import COLUMNS


def _response(comparison: Comparison) -> dict[str, object]:
    return comparison.frame.filter(table="system", counter="response_ms").row(0, named=True)


def test_one_seed_is_paired(small: Path) -> None:
    before, after = (slicewright.run(small, set={"alias_pool.POOL.aliases": count}) for count in (2, 0))
    row = _response(slicewright.compare(before, after))
    assert row["streams"] == "paired"
    assert row["replications"] == 3
    expected = [
        b - a
        for a, b in zip(before.values("system", "response_ms"), after.values("system", "response_ms"), strict=True)
    ]
    assert row["difference"] == pytest.approx(sum(expected) / 3)
    assert isinstance(row["difference"], float)
    assert row["difference"] > 0


def test_two_seeds_are_unpaired(small: Path) -> None:
    before, after = (slicewright.run(small, seed=seed) for seed in (1, 2))
    assert _response(slicewright.compare(before, after))["streams"] == "unpaired"


def test_replications_that_both_have_are_paired(small: Path) -> None:
    before, after = (slicewright.run(small, replications=count) for count in (2, 5))
    row = _response(slicewright.compare(before, after))
    assert (row["streams"], row["replications"], row["difference"]) == ("paired", 2, 0.0)


def test_directories_compare_like_runs(small: Path, tmp_path: Path) -> None:
    runs = [slicewright.run(small, replications=count, out=tmp_path / str(count)) for count in (2, 3)]
    frame = slicewright.compare(tmp_path / "2", tmp_path / "3").frame
    assert frame.equals(slicewright.compare(*runs).frame, null_equal=True)


def test_what_only_one_run_has_says_so(small: Path) -> None:
    before = slicewright.run(small)
    after = slicewright.run(small.read_text().replace("VOL002", "VOL003"))
    frame = slicewright.compare(before, after).frame.filter(table="volumes", counter="io_per_s")
    assert dict(zip(frame["entity"], frame["streams"], strict=True)) == {
        "VOL001": "paired",
        "VOL002": "only before",
        "VOL003": "only after",
    }


def test_what_the_scenarios_do_not_share_is_named(small: Path) -> None:
    before, after = (slicewright.run(small, set={"alias_pool.POOL.aliases": count}) for count in (2, 0))
    assert [row for row in _changed(Comparison.of_runs(before, after)) if row[0] == "alias_pool.POOL.aliases"] == [
        ("alias_pool.POOL.aliases", "2", "0")
    ]
    assert not _changed(Comparison.of_runs(before, before))


def test_its_numbers_are_rows_of_the_frame_of_all_results(small: Path) -> None:
    comparison = slicewright.compare(slicewright.run(small), slicewright.run(small, seed=2))
    rows = comparison.results.filter(subject="system", counter="response_ms")
    assert (tuple(rows.columns), rows["variant"].to_list()) == (COLUMNS, ["before", "after", "difference"])
    wide = _response(comparison)
    assert rows["mean"].to_list() == [wide["before"], wide["after"], wide["difference"]]
    assert rows["half_width"].to_list() == [None, None, wide["half_width"]]
    assert set(rows["unit"]) == {"ms"}
