"""Is an assumption that changes nothing for the input at hand refused, with the reason?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright._core import starter

from tests.advise.alias_example import FILE
from tests.advise.slices_example import PAGE
from tests.conftest import CommandLine


def refused(slicewright: CommandLine, *words: object) -> str:
    """The error of the command line for a question that it refuses."""
    outcome = slicewright("advise", *words)
    assert (outcome.status, outcome.out) == (2, "")
    return str(outcome.err)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("pool aliases population=3", "gives its load"),
        ("pool aliases sharing=2%", "gives its load"),
        ("two-domains slices margin=5%", "the scenario gives it"),
        ("zvm polarization cec.processors=8", "has this value already"),
        ("zvm polarization cec.processors=8 ", "has this value already"),
    ],
)
def test_what_a_scenario_gives_already_is_refused(
    words: str, why: str, tmp_path: Path, slicewright: CommandLine
) -> None:
    kind, question, assumed = words.split(" ", 2)
    file = tmp_path / "a.toml"
    file.write_text(starter(kind))
    assert why in " ".join(refused(slicewright, question, file, "--assume", assumed).split())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["aliases", "BUSY", "--assume", "population=3", "--assume", "arrivals=open"], "requests come from outside"),
        (["aliases", "IDLE", "--assume", "population=3"], "no volume waits"),
        (["aliases", "IDLE", "--assume", "arrivals=closed"], "no volume waits"),
        (["aliases", "BUSY", "--assume", "gap=1 ms", "--assume", "gap=2 ms"], "given again as gap=2 ms"),
        (["slices", "DEVICES", "--assume", "arrivals=closed"], "without the slice"),
        (["slices", "DEVICES", "--assume", "margin=5%"], "without the slice"),
        (["limits", "COPY", "--assume", "knee=5%", "--target", "p99_ms <= 2"], "the target decides"),
        (["limits", "COPY", "--assume", "lock=5%", "--threads", "1"], "a single thread"),
        (["exits", "RATES", "--assume", "least=1%", "--assume", "least=2%"], "given again as least=2%"),
    ],
)
def test_what_the_files_make_irrelevant_is_refused(
    words: list[str], why: str, tmp_path: Path, slicewright: CommandLine
) -> None:
    files = {name: tmp_path / name for name in ("IDLE", "DEVICES", "COPY", "RATES")} | {"BUSY": FILE}
    files["IDLE"].write_bytes(FILE.read_bytes().replace(b" 1.84", b"  .00"))
    files["DEVICES"].write_bytes(PAGE)
    files["COPY"].write_text("usage_usec 1\n")
    files["RATES"].write_text("resource,scope,per_s\n")
    assert why in " ".join(refused(slicewright, *(files.get(word, word) for word in words)).split())


def test_an_assumption_that_matters_is_taken(slicewright: CommandLine) -> None:
    outcome = slicewright("advise", "aliases", FILE, "--assume", "population=3", "--assume", "sharing=2%", "-q")
    assert outcome.status == 0
