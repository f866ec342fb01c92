"""Is bad input on the command line answered with what, where, why and the nearest name, and exit status 2?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright import InputError, RunError
from slicewright.cli.guard import guarded

from tests.conftest import CommandLine, Outcome


def _refused(said: Outcome, *words: str) -> None:
    assert (said.status, said.out) == (2, "")
    assert "Traceback" not in said.err
    assert "bug" not in said.err
    for word in words:
        assert word in said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnu"], ["rnu", "did you mean `run`"]),
        (["measure", "a.toml"], ["no such command"]),
        (["run", "--sede", "1", "a.toml"], ["--sede", "did you mean `--seed`"]),
        (["run"], ["SCENARIO"]),
        (["run", "a.toml", "b.toml"], ["b.toml"]),
        (["run", "a.toml", "--seed", "x"], ["--seed", "integer"]),
        (["run", "a.toml", "--format", "jsn"], ["jsn", "'json'"]),
        (["report", "a", "--page"], ["--page", "allowed: fcx108"]),
        (["new", "pol"], ["pol", "did you mean `pool`"]),
        (["advise"], ["FILE"]),
        (["compare", "a"], ["RUN"]),
    ],
)
def test_a_slip_of_the_hand_is_named_with_what_is_near(
    slicewright: CommandLine, words: list[str], said: list[str]
) -> None:
    _refused(slicewright(*words), *said)


def test_nothing_at_all_is_answered_with_help(slicewright: CommandLine) -> None:
    _refused(slicewright(), "Commands:")


@pytest.mark.parametrize("command", ["run", "explain"])
def test_a_directory_as_a_file_is_refused(slicewright: CommandLine, tmp_path: Path, command: str) -> None:
    _refused(slicewright(command, tmp_path), "is a directory")


@pytest.mark.parametrize("command", ["run", "explain", "report", "compare"])
def test_a_missing_file_is_refused(slicewright: CommandLine, tmp_path: Path, command: str) -> None:
    words = [tmp_path / "none"] * (2 if command == "compare" else 1)
    _refused(slicewright(command, *words), "there is no such")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff\xfe" * 100,
        b"name = ",
        "name = 'x'\n".encode("utf-16"),
        b"nmae = 'x'\r\n",
        b"\xef\xbb\xbfname = 'x'",
        b"[[volume]]\nname = 'A'\ngap = 1\n",
        b"a" * 100_000,
        b"[" * 100_000,
    ],
)
def test_any_bytes_as_a_scenario_are_refused(slicewright: CommandLine, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(data)
    _refused(slicewright("run", path), "bad.toml")
    _refused(slicewright("explain", path), "bad.toml")


def test_a_report_as_a_scenario_is_recognised(slicewright: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text("1FCX108  Run 2007/02/05 08:31:56         DEVICE\n")
    _refused(slicewright("run", path), "is a DEVICE report", "advise")


@pytest.mark.parametrize(
    "change", ["alias_pool.POOL.alias=8", "volume.VOL009.gap=1 ms", "nothing", "=", "measure.interval=1"]
)
def test_a_change_of_what_is_not_there_is_refused(slicewright: CommandLine, small: Path, change: str) -> None:
    _refused(slicewright("run", small, "--set", change))


def test_all_problems_are_listed_at_once(slicewright: CommandLine, small: Path) -> None:
    small.write_text(small.read_text().replace('pend = "0.2 ms"', "pend = 0.2").replace("count = 4", "cuont = 4"))
    said = slicewright("run", small)
    _refused(said, "cuont", "count")
    assert said.err.count("pend") >= 2


def test_options_out_of_range_are_refused_together(slicewright: CommandLine, small: Path) -> None:
    _refused(slicewright("run", small, "--seed", "-1", "--replications", "0"), "seed", "replications", "allowed: 1 to")


def test_an_occupied_name_is_refused(slicewright: CommandLine, small: Path) -> None:
    _refused(slicewright("run", small, "--out", small.parent), "small.toml, which is none of ours")


def test_an_unknown_page_names_the_nearest(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    _refused(slicewright("report", tmp_path / "out", "--page", "fcx18"), "did you mean `fcx108`")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (InputError("wrong"), 2, "error: wrong"),
        (RunError("at 3 s: Little's law"), 1, "the run failed: at 3 s: Little's law"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 1, "not enough memory"),
        (
            OSError(28, "No space left on device", "out/run"),
            1,
            "error: out/run: the system refused: No space left on device",
        ),
        (BrokenPipeError(), 141, ""),
        (ZeroDivisionError("division by zero"), 1, "this is a bug: ZeroDivisionError: division by zero"),
    ],
)
def test_every_end_has_its_status_and_no_traceback(
    capfd: pytest.CaptureFixture[str], error: BaseException, status: int, said: str
) -> None:
    def command() -> None:
        raise error

    assert guarded(command, ["run", "a.toml"]) == status
    err = capfd.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_bug_shows_where_when_asked(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLICEWRIGHT_DEBUG", "1")
    assert guarded(lambda: 1 // 0, []) == 1
    assert "Traceback" in capfd.readouterr().err


def test_missing_files_and_foreign_options_of_advise_are_reported_together(slicewright: CommandLine) -> None:
    found = slicewright("advise", "exits", "--threads", "8", "no-such-file", "nor-this")
    assert found.status == 2
    for words in (
        "no-such-file: there is no such file",
        "nor-this: there is",
        "threads: belongs to the question limits",
    ):
        assert words in found.err
