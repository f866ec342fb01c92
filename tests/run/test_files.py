"""Are files read with a clear refusal, and written whole or not at all?"""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.values.files import MOST_BYTES, Earlier, read_bytes, whole_directory, write_whole

from tests.conftest import SMALL, CommandLine

EARLIER = Earlier("old", frozenset({"old", "new"}).__contains__)


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "pool.toml").touch()
    with pytest.raises(InputError) as refused:
        read_bytes(tmp_path / "pol.toml")
    assert refused.value.problems[0]["nearest"] == str(tmp_path / "pool.toml")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        read_bytes(tmp_path)


def test_a_name_that_no_system_allows_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes("a\0b")


def test_a_file_of_more_than_a_page_of_text_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError, match="larger than 64 MiB"):
        read_bytes(tmp_path / "large")


def test_the_largest_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES)
    assert len(read_bytes(path)) == MOST_BYTES


def test_a_directory_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    with whole_directory(tmp_path / "out", EARLIER) as partial:
        (partial / "a").touch()
        assert not (tmp_path / "out").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_directory_that_is_replaced_stays_until_then(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").touch()
    with whole_directory(tmp_path / "out", EARLIER) as partial:
        (partial / "new").touch()
        assert (tmp_path / "out" / "old").exists()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, OSError(errno.ENOSPC, "No space left on device")])
def test_whatever_interrupts_leaves_nothing(tmp_path: Path, error: BaseException | type[BaseException]) -> None:
    def write() -> None:
        with whole_directory(tmp_path / "out", EARLIER) as partial:
            (partial / "a").touch()
            raise error

    with pytest.raises(error if isinstance(error, type) else type(error)):
        write()
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"1")
    write_whole(tmp_path / "a", b"2")
    assert (tmp_path / "a").read_bytes() == b"2"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("names", [["thesis.txt"], ["old", "thesis.txt"], ["new"]])
def test_a_directory_of_anything_else_stays_as_it_is(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "out").mkdir()
    for name in names:
        (tmp_path / "out" / name).touch()
    with pytest.raises(InputError, match="holds something else"), whole_directory(tmp_path / "out", EARLIER):
        pass
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names)


def test_what_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    def write() -> None:
        with whole_directory(tmp_path / "out", EARLIER):
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "thesis.txt").touch()

    with pytest.raises(InputError, match=r"thesis\.txt"):
        write()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_named_pipe_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="is a named pipe, not a regular file\n  allowed: a regular file, or - for"):
        read_bytes(pipe)


def test_an_open_pipe_is_read_to_its_end() -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as stream:
            stream.write(b"a" * 200_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_bytes(f"/dev/fd/{reading}") == b"a" * 200_000
    writer.join()
    os.close(reading)


@pytest.mark.parametrize(("file", "kind"), [("/proc/kmsg", "file of /proc"), ("/dev/zero", "device")])
def test_what_never_ends_is_refused_unread(file: str, kind: str) -> None:
    """Reads of /proc/kmsg wait for the kernel's next message, and take it from other processes that read them."""
    with pytest.raises(InputError, match=f"is a {kind}, not a regular file"):
        read_bytes(file)


FILES_OF_COMMANDS = (
    ["run", "FILE"],
    ["explain", "FILE"],
    ["trace", "FILE"],
    ["advise", "FILE"],
    *(["advise", question, "FILE"] for question in ("aliases", "slices", "polarization", "yields", "exits")),
    ["advise", "limits", "FILE", "--limit", "500m"],
    ["report", "FILE"],
    ["compare", "FILE", "FILE"],
    ["explain", "FILE", "--qname", "A", "--rname", "B"],
    ["live", "show", "FILE"],
)


@pytest.mark.parametrize("words", FILES_OF_COMMANDS, ids=" ".join)
def test_every_command_refuses_a_pipe_that_has_no_writer(
    words: list[str], tmp_path: Path, slicewright: CommandLine
) -> None:
    os.mkfifo(tmp_path / "pipe")
    started = time.monotonic()
    found = slicewright(*(str(tmp_path / "pipe") if word == "FILE" else word for word in words))
    assert (found.status, found.out) == (2, "")
    assert time.monotonic() - started < 60, "seconds"
    assert str(tmp_path / "pipe") in found.err


def test_a_scenario_may_name_no_pipe(tmp_path: Path, slicewright: CommandLine) -> None:
    os.mkfifo(tmp_path / "io.csv")
    text = SMALL.replace("count = 4\n", "").replace("program =", 'replay = "io.csv" #')
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    found = slicewright("run", tmp_path / "a.toml")
    assert found.status == 2
    assert "is a named pipe, not a regular file" in found.err
