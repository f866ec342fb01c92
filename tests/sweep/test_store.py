"""Does a store lose no finished point, and does it refuse all that is not its own?"""

from __future__ import annotations

import errno
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright
from slicewright.explore import places as threads
from slicewright.explore import store
from slicewright.explore.store import PARTS, Store, parts
from slicewright.explore.sweep import Sweep, sweep

QUICK = {"measure.interval": "200 ms", "measure.warm_up": "0 s", "measure.replications": 2}
AXES = {"alias_pool.POOL.aliases": "0..3"}


def contents(directory: Path) -> dict[str, bytes]:
    """Every file of a store, by its name."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def _sweep(scenario: Path, out: Path, axes: Any = AXES, **more: Any) -> Sweep:
    return sweep(scenario, axes, out=out, set=QUICK, **more)


def _never(*given: Any) -> Any:
    raise AssertionError("a point that the store has was simulated again")


def test_a_point_that_is_there_is_not_simulated_again(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sweep(small, tmp_path / "out")
    before = contents(tmp_path / "out")
    monkeypatch.setattr(threads, "measured", _never)
    assert _sweep(small, tmp_path / "out").points.height == 4
    assert contents(tmp_path / "out") == before


def test_another_design_adds_the_points_that_are_missing(small: Path, tmp_path: Path) -> None:
    _sweep(small, tmp_path / "out", {"alias_pool.POOL.aliases": "0..1"})
    _sweep(small, tmp_path / "out", {"alias_pool.POOL.aliases": [3, 2]})
    _sweep(small, tmp_path / "whole")
    assert [part.name for part in parts(tmp_path / "out")] == [part.name for part in parts(tmp_path / "whole")]
    assert Sweep.read(tmp_path / "out").points.equals(Sweep.read(tmp_path / "whole").points)


def test_a_sweep_that_was_cut_short_ends_with_the_same_bytes(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sweep(small, tmp_path / "a" / "out")
    cut_after(2, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        _sweep(small, tmp_path / "b" / "out", on="threads:1")
    left = Sweep.read(tmp_path / "b" / "out").points.height
    assert 2 <= left < 4
    monkeypatch.undo()
    _sweep(small, tmp_path / "b" / "out")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def cut_after(points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt a sweep after a number of points."""
    taken = 0
    take = store._Batch.take

    def interrupted(batch: Any, row: pl.DataFrame) -> None:
        nonlocal taken
        take(batch, row)
        taken += 1
        if taken == points:
            raise KeyboardInterrupt

    monkeypatch.setattr(store._Batch, "take", interrupted)


def test_points_can_be_read_while_the_sweep_runs(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    add = Store.add

    def look(own: Store, rows: list[pl.DataFrame]) -> None:
        add(own, rows)
        if own.done:
            seen.append(pl.scan_parquet(own.directory / PARTS / "*.parquet").select(pl.len()).collect().item())

    monkeypatch.setattr(Store, "add", look)
    monkeypatch.setattr(store, "LEAST_S", 0.0)
    _sweep(small, tmp_path / "out", on="threads:1")
    assert seen[-1] == 4
    assert seen == sorted(seen)
    assert len(set(seen)) == 4


def test_a_second_writer_is_refused(small: Path, tmp_path: Path) -> None:
    result = _sweep(small, tmp_path / "out")
    with Store(result.directory, result.facts), pytest.raises(slicewright.InputError, match="another sweep writes it"):
        _sweep(small, tmp_path / "out")


@pytest.mark.parametrize(
    ("axes", "more", "what"),
    [
        (AXES, {"set": QUICK | {"guest.GUEST.count": 5}}, "another scenario"),
        ({**AXES, "guest.GUEST.count": "1..2"}, {}, "is varied by no point of the store"),
        ({"guest.GUEST.count": "1..2"}, {}, "is varied by the points of the store"),
        ({"alias_pool.POOL.aliases": "0,1.5"}, {}, "has values of kind number, in the store whole"),
    ],
)
def test_a_store_of_something_else_is_refused(
    small: Path, tmp_path: Path, axes: dict[str, str], more: dict[str, Any], what: str
) -> None:
    _sweep(small, tmp_path / "out", {"alias_pool.POOL.aliases": "0..1"})
    before = contents(tmp_path / "out")
    with pytest.raises(slicewright.InputError, match=re.escape(what)):
        sweep(small, axes, out=tmp_path / "out", **({"set": QUICK} | more))
    assert contents(tmp_path / "out") == before


def test_a_directory_with_other_files_is_refused(small: Path, tmp_path: Path) -> None:
    with pytest.raises(slicewright.InputError, match=r"small\.toml, which is no part of a store"):
        _sweep(small, tmp_path)


def test_a_damaged_part_is_named(small: Path, tmp_path: Path) -> None:
    _sweep(small, tmp_path / "out")
    part = parts(tmp_path / "out")[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(slicewright.InputError, match="is a damaged part of a store"):
        Sweep.read(tmp_path / "out")
    with pytest.raises(slicewright.InputError, match="is a damaged part of a store"):
        _sweep(small, tmp_path / "out")
    part.unlink()
    assert _sweep(small, tmp_path / "out").points.height == 4


def test_a_full_disk_ends_the_sweep_and_keeps_what_is_finished(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sweep(small, tmp_path / "a" / "out")
    add = Store.add

    def full(own: Store, rows: list[pl.DataFrame]) -> None:
        if len(own.done) >= 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(own.directory))
        add(own, rows)

    monkeypatch.setattr(Store, "add", full)
    monkeypatch.setattr(store, "LEAST_S", 0.0)
    with pytest.raises(OSError, match="No space left"):
        _sweep(small, tmp_path / "b" / "out", on="threads:1")
    monkeypatch.undo()
    assert Sweep.read(tmp_path / "b" / "out").points.height == 2
    _sweep(small, tmp_path / "b" / "out")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_store_of_another_version_is_read_and_not_extended(small: Path, tmp_path: Path) -> None:
    _sweep(small, tmp_path / "out")
    facts = replace(store.read_facts(tmp_path / "out"), version="9.9.9")
    (tmp_path / "out" / "manifest.json").write_text(facts.text())
    for part in parts(tmp_path / "out"):
        number = int(part.name[:6])
        part.rename(part.with_name(f"{number:06}-{facts.sum_of(number, part.read_bytes())}.parquet"))
    assert "slicewright 9.9.9 wrote this store" in str(Sweep.read(tmp_path / "out"))
    with pytest.raises(slicewright.InputError, match=r"is a store of slicewright 9\.9\.9"):
        _sweep(small, tmp_path / "out")


def test_a_store_is_no_run_directory(small: Path, tmp_path: Path) -> None:
    _sweep(small, tmp_path / "out")
    with pytest.raises(slicewright.InputError, match="is the store of a sweep"):
        slicewright.load(tmp_path / "out")


def test_the_bytes_are_those_of_the_points_however_many_parts_they_came_in(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ROWS", 3)
    axes = {"guest.GUEST.count": "1..4", "alias_pool.POOL.aliases": [1, 0]}
    _sweep(small, tmp_path / "a" / "out", axes)
    monkeypatch.setattr(store, "LEAST_S", 0.0)
    _sweep(small, tmp_path / "b" / "out", axes, on="threads:3")
    assert len(parts(tmp_path / "a" / "out")) == 3
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    points = Sweep.read(tmp_path / "a" / "out").points
    assert points["guest.GUEST.count"].is_sorted()
    assert points["id"].n_unique() == 8
