"""Are workplaces removed when no process works in them any more, and only then?"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest
from slicewright.values import workplace as module
from slicewright.values.files import Earlier, refuse_occupied, whole_directory, write_whole
from slicewright.values.workplace import PREFIX, clear_away, take_name, workplace

EARLIER = Earlier("a", frozenset({"a"}).__contains__)
ABANDONED = PREFIX + "ab_12xyz"


def _write(folder: Path) -> None:
    with whole_directory(folder / "out", EARLIER) as partial:
        (partial / "a").touch()


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_next_result_beside_it_clears_away_what_was_abandoned(tmp_path: Path) -> None:
    (tmp_path / ABANDONED / "made" / "raw").mkdir(parents=True)
    (tmp_path / ABANDONED / "made" / "raw" / "volumes.parquet").touch()
    _write(tmp_path)
    assert _names(tmp_path) == ["out"]


def test_a_check_before_a_long_run_clears_away_too(tmp_path: Path) -> None:
    (tmp_path / ABANDONED).mkdir()
    refuse_occupied(tmp_path / "out", EARLIER)
    assert _names(tmp_path) == []


def test_what_left_its_name_and_found_no_successor_goes_back(tmp_path: Path) -> None:
    (tmp_path / ABANDONED / "earlier" / "out").mkdir(parents=True)
    (tmp_path / ABANDONED / "earlier" / "out" / "a").write_text("1")
    clear_away(tmp_path)
    assert (tmp_path / "out" / "a").read_text() == "1"
    assert _names(tmp_path) == ["out"]


def test_where_a_process_is_at_work_nothing_is_cleared_away(tmp_path: Path) -> None:
    with workplace(tmp_path) as made:
        made.write_text("1")
        _write(tmp_path)
        write_whole(tmp_path / "b", b"2")
        take_name(made, tmp_path / "c")
    assert _names(tmp_path) == ["b", "c", "out"]


@pytest.mark.parametrize("name", [".slicewright-", ".slicewright-abc", ".slicewright-AB_12xyz", "slicewright-ab_12xyz"])
def test_what_only_looks_like_a_workplace_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    _write(tmp_path)
    assert (tmp_path / name).exists()


def test_a_workplace_with_something_of_others_stays(tmp_path: Path) -> None:
    (tmp_path / ABANDONED).mkdir()
    (tmp_path / ABANDONED / "thesis.txt").touch()
    _write(tmp_path)
    assert (tmp_path / ABANDONED / "thesis.txt").exists()


def test_a_link_that_looks_like_a_workplace_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / ABANDONED).symlink_to(tmp_path)
    _write(tmp_path / "beside")
    assert (tmp_path / "made").exists()


def test_a_place_without_locks_serves_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    (tmp_path / ABANDONED).mkdir()
    _write(tmp_path)
    assert _names(tmp_path) == [ABANDONED, "out"]


@pytest.mark.parametrize("missing", ["the call", "the file system"])
def test_where_names_cannot_change_places_they_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    import ctypes

    def refuse(*arguments: object) -> int:
        ctypes.set_errno(22)
        return -1

    class System:
        """A C library of another time, or one above another file system."""

        if missing == "the file system":
            renameat2 = staticmethod(refuse)

    monkeypatch.setattr(ctypes, "CDLL", lambda name, use_errno: System())
    _write(tmp_path)
    before = (tmp_path / "out").stat().st_ino
    _write(tmp_path)
    assert (tmp_path / "out").stat().st_ino != before
    assert _names(tmp_path) == ["out"]


def test_two_directories_change_places_on_this_system(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if not module._exchange(tmp_path / "one", tmp_path / "other"):
        pytest.skip("this file system cannot exchange names")
    assert _names(tmp_path / "one") == ["other"]


def test_everything_is_on_the_disk_before_it_takes_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        assert len(waited) == 2 or not (tmp_path / "out").exists()
        waited.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    _write(tmp_path)
    assert waited == ["a", "made", tmp_path.name]


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "page").symlink_to(tmp_path / "elsewhere" / "page")
    write_whole(tmp_path / "page", b"1")
    assert (tmp_path / "page").is_symlink()
    assert (tmp_path / "elsewhere" / "page").read_bytes() == b"1"


def test_a_stream_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as stream:
        stream.write(b"1")
        stream.flush()
        write_whole(f"/proc/self/fd/{stream.fileno()}", b"2")
    assert (tmp_path / "out").read_bytes() == b"12"
