"""Does every command that reads a file refuse any that it cannot use, in a few lines, with status 2 and no traceback?

The contents of well-formed files are tested with each reader.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright._core import Scenario
from slicewright.cli.main import COMMANDS, command_of
from slicewright.measured.export import monwrite
from slicewright.run.run import run

from tests.advise.alias_example import FILE
from tests.conftest import CommandLine, Outcome
from tests.fitting.fit_example import SCENARIO, joined

# Every command with an argument that names a file, and how it is called with one.
READERS = {
    "run": ["run", "{}"],
    "sweep": ["sweep", "{}", "--set", "measure.replications=2,3", "--out", "{}.swept"],
    "sensitivity": ["sensitivity", "{}"],
    "choose": ["choose", "{}", "--knob", "measure.replications=2,3", "--minimise", "replications", "--out", "{}.c"],
    "plan": ["plan", "{}", "--buy", "measure.replications=4 at 1", "--require", "system response_ms <= 9"],
    "explain": ["explain", "{}"],
    "trace": ["trace", "{}"],
    "advise": ["advise", "{}"],
    "report": ["report", "{}", "--page", "fcx108"],
    "compare": ["compare", "{}", "{}"],
    "read": ["read", "{}"],
    "fit": ["fit", "{}"],
}
ONE_GUESS = ["--trajectories", "2", "--fix", "volume.*.gap", "--fix", "volume.*.service.disconnect"]
ONE_GUESS += [f"--fix=volume.*.service.connect.{part}" for part in ("per_concurrent", "per_kib")]
ONE_GUESS += ["--fix=guest.GUEST.program.2.io.bytes"]
"""Options with which a sensitivity of the small scenario is quick."""
ALSO = {
    "report for tools": ["report", "{}", "--format", "monwrite", "--out", "{}.monwrite"],
    "checks": ["report", "{}", "--page", "checks"],
    "explain names": ["explain", "{}", "--qname", "SYSDSN", "--rname", "A.B"],
}
"""Other ways to read a file with one of them, and other ways to print one."""
NO_FILE = {"kind", "studies", "paths"}
"""Arguments that name something else, and files that the page of `serve` refuses, which is tested in a browser."""

FILES = {
    "empty": b"",
    "blank": b"\n \n\t\n",
    "zeros": bytes(5000),
    "binary": bytes(range(256)) * 400,
    "picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(200)),
    "parquet": b"PAR1" + bytes(range(256)) + b"PAR1",
    "one line": b"a" * 3_000_000,
    "many lines": b"a\n" * 300_000,
    "quotes": b'"' * 100_001,
    "huge number": b"[[guest]]\ncount = " + b"9" * 5000 + b"\n",
    "nested": b"a=" + b"[" * 100_000,
    "nested tables": b"[" + b"a." * 50_000 + b"a]\n",
    "json": b'{"format": 1, "volume": [{"name": "A"}]}',
    "csv": b"time_s,volume\n0.1,A\n",
    "html": b"<!doctype html><title>report</title>",
    "utf-16": "[[volume]]\nname = 'A'\n".encode("utf-16"),
    "escapes": b"\x1b[2J\x1b]0;title\x07 = 1\n",
    "heading of a report": b"1FCX108  Run 2007/02/05 08:31:56         DEVICE\n",
    "half a report": FILE.read_bytes()[:600],
    "half a scenario": b"[[volume]]\nname = 'A'\nservice = { pend",
}


def _refused(said: Outcome, name: str) -> None:
    assert said.status == 2, said.err
    assert said.out == ""
    assert name in said.err
    assert said.err.startswith("error: ")
    assert not {"bug", "Traceback", "\x1b"} & {said.err, *said.err.split()}
    assert said.err.count("\n") <= 60
    assert len(said.err) <= 8000


def _call(slicewright: CommandLine, command: str, file: Path) -> Outcome:
    return slicewright(*(word.replace("{}", str(file)) for word in (READERS | ALSO)[command]))


def test_every_command_that_reads_a_file_is_tried_here() -> None:
    named: dict[str, set[str]] = {}
    for name in COMMANDS:
        named[name] = {each.name for each in command_of(name).params if each.param_type_name == "argument"}
    groups = {"advise"}  # its commands are the questions
    assert groups | {name for name, arguments in named.items() if arguments - NO_FILE} == set(READERS)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", READERS | ALSO)
def test_any_content_is_refused(slicewright: CommandLine, tmp_path: Path, command: str, kind: str) -> None:
    file = tmp_path / "given"
    file.write_bytes(FILES[kind])
    _refused(_call(slicewright, command, file), "given")


@pytest.mark.parametrize("command", READERS)
def test_a_name_that_is_no_text_serves(slicewright: CommandLine, small: Path, tmp_path: Path, command: str) -> None:
    file = tmp_path / "caf\udce9"
    if command in ("run", "sweep", "choose", "sensitivity", "plan", "explain", "trace"):
        file.write_bytes(small.read_bytes())
    elif command == "advise":
        file.write_bytes(FILE.read_bytes())
    elif command == "read":
        file.write_bytes(monwrite(run(small)))
    elif command == "fit":
        file.write_bytes(monwrite(joined(Scenario.read(SCENARIO, "known"))))
    else:
        assert slicewright("run", small, "--out", file).status == 0
    known = ["--assume", "population=3", "--assume", "sharing=2%", "--assume", "redispatch=none"]
    words = [*READERS[command], *{"advise": known, "sensitivity": ONE_GUESS}.get(command, [])]
    assert slicewright(*(word.replace("{}", str(file)) for word in words)).status == 0


@pytest.mark.parametrize("words", [["new", "\udcff"], ["run", "FILE", "--set", "\udcff=1"], ["advise", "\udcff"]])
def test_a_word_that_is_no_text_is_refused(slicewright: CommandLine, small: Path, words: list[str]) -> None:
    _refused(slicewright(*(str(small) if word == "FILE" else word for word in words)), "\\udcff")


@pytest.mark.parametrize("command", READERS)
def test_what_is_no_file_is_refused(slicewright: CommandLine, tmp_path: Path, command: str) -> None:
    _refused(_call(slicewright, command, tmp_path / "none"), "none")
    _refused(_call(slicewright, command, tmp_path), str(tmp_path))
    _refused(_call(slicewright, command, Path("/dev/null")), "/dev/null")
    _refused(_call(slicewright, command, tmp_path / ("n" * 300)), "nnn")
    _refused(_call(slicewright, command, tmp_path / "n\udce9ne"), "n\\udce9ne")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    _refused(_call(slicewright, command, tmp_path / "loop"), "loop")
