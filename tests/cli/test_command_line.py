"""Does every command do what its contract says, in its exit status and on its streams?"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import CommandLine

COMMANDS = (
    "run", "sweep", "sensitivity", "choose", "plan", "new", "explain", "reproduce", "read", "fit", "report",
    "compare", "trace", "serve", "advise", "live",
)  # fmt: skip


def _start(*words: str | Path, out: int = subprocess.PIPE) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "slicewright", *map(str, words)]
    return subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True)


def test_help_lists_the_commands_that_exist_and_no_other(slicewright: CommandLine) -> None:
    said = slicewright("--help").out
    listed = [line.split()[0] for line in said.split("Commands:")[1].splitlines() if line.strip()]
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(slicewright: CommandLine, command: str) -> None:
    said = slicewright(command, "--help")
    assert said.status == 0
    assert "Example:" in said.out
    assert f"slicewright {command}" in said.out.split("Example:")[1]


NAMES = ("scenarios/name-lists/GRSRNL00.txt", "--qname", "SYSDSN", "--rname", "A.B")


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        (("schema",), ("explain", "--schema")),
        (("entitlement", "--cores", "4", "A:1:1"), ("explain", "--cores", "4", "A:1:1")),
        (("enq", "explain", *NAMES), ("explain", *NAMES)),
        (("calibrate", "outside"), ("reproduce", "--calibrate", "outside")),
        (("export", "none", "--out", "none/x"), ("report", "none", "--out", "none/x", "--format", "monwrite")),
    ],
)
def test_an_earlier_spelling_does_the_same_and_prints_that_of_today(
    slicewright: CommandLine, earlier: tuple[str, ...], now: tuple[str, ...]
) -> None:
    old, new = slicewright(*earlier), slicewright(*now)
    assert (old.status, old.out) == (new.status, new.out)
    first, _, rest = old.err.partition("\n")
    assert first.endswith(f"is now `slicewright {' '.join(now)}`")
    assert rest == new.err


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("explian",), "explain"),
        (("live", "slizes"), "slices"),
        (("calibrat", "mdf"), "reproduce --calibrate"),
        (("run", "--replicatons", "2"), "--replications"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(
    slicewright: CommandLine, words: tuple[str, ...], near: str
) -> None:
    said = slicewright(*words)
    assert said.status == 2
    assert f"help: did you mean `{near}`" in said.err


def test_help_lists_rare_options_last_under_a_heading(slicewright: CommandLine) -> None:
    options, rare = slicewright("choose", "--help").out.split("Advanced options:")
    assert "--minimise" in options
    assert "--trials" in rare


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to explain"),
        (("A:1:1",), "there is no file 'A:1:1'"),
        (("a.toml", "b.toml"), "2 scenarios"),
        (("--cores", "4", "--schema"), "--schema beside --cores"),
        (("a.toml", "--qname", "Q"), "--rname is missing"),
        (("a.toml", "--schema"), "--schema beside files"),
    ],
)
def test_explain_refuses_what_explains_nothing(slicewright: CommandLine, words: tuple[str, ...], said: str) -> None:
    refused = slicewright("explain", *words)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"error: {said}")


def test_help_imports_nothing_heavy() -> None:
    heavy = {"polars", "numpy", "scipy", "vl_convert", "jinja2"}
    code = f"import sys, slicewright.cli; print(sorted({heavy} & set(sys.modules)))"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout == "[]\n"


def test_the_module_runs_nothing_of_the_current_folder(tmp_path: Path) -> None:
    for name in ("signal", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a module of the current folder was run')", "utf-8")
    command = [sys.executable, "-m", "slicewright", "explain", "--schema"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")


def test_the_package_lists_its_public_names_alone() -> None:
    import slicewright

    names = {name for name in dir(slicewright) if not name.startswith("_")}
    assert names == {*slicewright.__all__, "enq", "exits"} - {"__version__"}


def test_run_prints_its_page_on_standard_output_only(slicewright: CommandLine, small: Path) -> None:
    said = slicewright("run", small)
    assert (said.status, said.err) == (0, "")
    assert "VOL001" in said.out
    assert "\x1b" not in said.out


def test_run_as_json_has_every_table_with_half_widths(slicewright: CommandLine, small: Path) -> None:
    result = json.loads(slicewright("run", small, "--format", "json", "--replications", "2").out)
    assert result["replications"] == 2
    assert result["volumes"][0]["volume"] == "VOL001"
    assert result["system"][0]["response_ms_half_width"] > 0


def test_run_leaves_a_directory_and_says_so_on_standard_error(
    slicewright: CommandLine, small: Path, tmp_path: Path
) -> None:
    said = slicewright("run", small, "--out", tmp_path / "out")
    assert str(tmp_path / "out") in said.err
    assert (tmp_path / "out" / "report.html").exists()


def test_run_reads_standard_input(small: Path) -> None:
    command = [sys.executable, "-m", "slicewright", "run", "-", "--replications", "2"]
    said = subprocess.run(command, input=small.read_bytes(), capture_output=True, check=True)
    assert b"VOL001" in said.stdout


def test_set_changes_the_scenario(slicewright: CommandLine, small: Path) -> None:
    said = slicewright(
        "run", small, "--set", "alias_pool.POOL.aliases=0", "--set", "measure.interval=4 s", "--format", "json"
    )
    assert json.loads(said.out)["pools"][0]["aliases"] == 0


def test_a_starter_is_a_scenario_that_runs(slicewright: CommandLine, tmp_path: Path) -> None:
    for line in slicewright("new").err.splitlines():
        kind = line.split()[2]
        path = tmp_path / f"{kind}.toml"
        path.write_text(slicewright("new", kind).out)
        said = slicewright(
            "run", path, "--replications", "2", "--set", "measure.interval=4 s", "--set", "measure.warm_up=0 s"
        )
        assert (said.status, said.err) == (0, "")


def test_explain_gives_every_number_a_role(slicewright: CommandLine, small: Path) -> None:
    said = slicewright("explain", small, "--format", "json")
    numbers = json.loads(said.out)["numbers"]
    assert numbers
    assert {value["role"] for value in numbers} <= {"input", "assumed", "calibrated", "borrowed", "default"}
    assert "service" in slicewright("explain", small).out


def test_schema_is_json_schema(slicewright: CommandLine) -> None:
    assert "$defs" in json.loads(slicewright("explain", "--schema").out)


def test_report_prints_a_page_and_lists_the_pages(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    page = slicewright("report", tmp_path / "out", "--page", "fcx108")
    assert page.status == 0
    assert "1000" in page.out
    assert slicewright("report", tmp_path / "out", "--page", "FCX108-correct").out != page.out
    assert "fcx108" in slicewright("report", tmp_path / "out").out


def test_compare_prints_differences(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    for aliases in ("0", "2"):
        slicewright("run", small, "--set", f"alias_pool.POOL.aliases={aliases}", "--out", tmp_path / aliases)
    said = slicewright("compare", tmp_path / "0", tmp_path / "2")
    assert said.status == 0
    assert "paired" in said.out
    rows = json.loads(slicewright("compare", tmp_path / "0", tmp_path / "2", "--format", "json").out)
    assert {"table", "entity", "counter", "difference", "half_width", "streams"} <= set(rows[0])


def _until_simulating(process: subprocess.Popen[str]) -> None:
    """Wait until the engine's threads run beside the interpreter's."""
    tasks = Path(f"/proc/{process.pid}/task")
    while process.poll() is None and len(list(tasks.iterdir())) < 2:
        time.sleep(0.02)
    time.sleep(0.3)


def _processor_s(process: subprocess.Popen[str]) -> float:
    """Seconds of processors that a process has used."""
    user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _ended_by(process: subprocess.Popen[str], number: signal.Signals) -> tuple[float, str, str]:
    """Seconds of processors from a signal to the end, and what was said: a busy machine stretches only the time."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    before = _processor_s(process) + children.ru_utime + children.ru_stime
    process.send_signal(number)
    out, err = process.communicate(timeout=300)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime - before, out, err


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs to see the threads of a process")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_run_with_little_more_work_and_leaves_nothing(
    small: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    with _start("run", small, "--set", "measure.interval=30 d", "--out", tmp_path / "out") as process:
        _until_simulating(process)
        taken_s, out, err = _ended_by(process, number)
    assert (process.returncode, out) == (status, "")
    assert len(err.splitlines()) <= 1
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]
    assert taken_s < 1


def test_a_reader_that_closes_the_pipe_is_no_error(small: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with _start("run", small, "--format", "json", out=writer) as process:
        os.close(writer)
        _, err = process.communicate(timeout=300)
    assert err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full, _start("explain", "--schema", out=full.fileno()) as process:
        _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert err == "error: standard output: the system refused: No space left on device\n"
