"""Does `slicewright explain --cores` print what the manuals print, say what it means, and refuse what cannot be?"""

from __future__ import annotations

import json

import pytest
import slicewright as package
from slicewright._core import entitlements
from slicewright.values.errors import visible

from tests.conftest import CommandLine

GUIDE = ("explain", "--cores", "6", "ZVSE:300:1", "ZOSTEST:100:6", "ZVM:900:2")
"""PR/SM Planning Guide, Use of processing weights."""


def _refused(slicewright: CommandLine, *words: str) -> list[str]:
    said = slicewright("explain", *words)
    assert (said.status, said.out) == (2, "")
    assert "Traceback" not in said.err
    return [line.removeprefix("error: ") for line in said.err.splitlines()]


def test_the_example_of_the_planning_guide_is_printed_as_it_is_there(slicewright: CommandLine) -> None:
    rows = [line.split() for line in slicewright(*GUIDE).out.splitlines()]
    shares = {row[0]: (row[2], row[5]) for row in rows if len(row) > 8 and row[0].startswith("Z") and row[1].isdigit()}
    assert shares == {"ZVSE": ("23.1", "23.1"), "ZOSTEST": ("7.7", "1.3"), "ZVM": ("69.2", "34.6")}


def test_json_has_the_numbers_and_what_they_mean(slicewright: CommandLine) -> None:
    told = json.loads(slicewright(*GUIDE, "--format", "json").out)
    assert (told["cores"], told["shared_cores"]) == (6, 6)
    assert [row["contended_cores"] for row in told["partitions"]] == [1, 3, 2]
    assert sum(row["entitlement_cores"] for row in told["partitions"]) == pytest.approx(6)
    assert "too few logicals" in told["means"][0]


def test_the_frame_has_the_same_rows_as_the_command(slicewright: CommandLine) -> None:
    told = json.loads(slicewright(*GUIDE, "--format", "json").out)["partitions"]
    assert package.entitlement(6, GUIDE[3:]).to_dicts() == told


def test_a_dedicated_partition_has_no_weight_and_all_of_it_is_high(slicewright: CommandLine) -> None:
    words = ("--cores", "15", "A:Dedicated:7", "B:10:8", "C:30:8", "--format", "json")
    told = json.loads(slicewright("explain", *words).out)
    own, small, large = told["partitions"]
    assert (own["weight"], own["share_percent"], own["vertical_high"]) == (None, None, 7)
    assert (small["entitlement_cores"], large["entitlement_cores"]) == (2, 6)


def test_cores_that_stay_unused_are_named(slicewright: CommandLine) -> None:
    said = slicewright("explain", "--cores", "8", "A:10:2", "B:10:2").out
    assert "4 of the 8 shared cores stay unused" in said
    assert "Assumed of A and B" in said


def test_only_dedicated_partitions_have_nothing_that_binds(slicewright: CommandLine) -> None:
    assert "no weight binds" in slicewright("explain", "--cores", "4", "A:dedicated:3").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A:0:1", ["weight: 0 is out of range", "allowed: 1 to 999, dedicated", "did you mean `1`"]),
        ("A:1000:1", ["weight: 1000 is out of range", "did you mean `999`"]),
        ("A:heavy:1", ["weight: 'heavy' is not a whole number"]),
        ("A:dedicted:1", ["did you mean `dedicated`"]),
        ("A:5:0", ["logicals: 0 is out of range", "allowed: 1 to 1000"]),
        ("A:5:", ["logicals: nothing is written"]),
        ("A:5:1.5", ["logicals: '1.5' is not a whole number"]),
        ("A:5:" + "9" * 10_000, ["logicals: 9999", "is out of range", "did you mean `1000`"]),
        (":5:1", ["has no name", "allowed: up to 32 characters"]),
        ("A\x1b[2J:5:1", []),
        ("A" * 33 + ":5:1", ["the name cannot be printed"]),
        ("A:5", ["three parts", "allowed: NAME:WEIGHT:LOGICALS"]),
        ("", ["three parts"]),
        ("A:٣:1", ["not a whole number"]),
    ],
)
def test_a_wrong_partition_is_refused_with_its_place(slicewright: CommandLine, text: str, said: list[str]) -> None:
    lines = _refused(slicewright, "--cores", "4", "FINE:1:1", text)
    assert lines[0].startswith(f"argument 2 ({visible(text[:30])}")
    assert all(any(word in line for line in lines) for word in said)


@pytest.mark.parametrize("cores", ["0", "-1", "1001", "x", "4.0", ""])
def test_wrong_cores_are_refused(slicewright: CommandLine, cores: str) -> None:
    lines = _refused(slicewright, f"--cores={cores}", "A:1:1")
    assert lines[0].startswith("--cores: ")
    assert "  help: allowed: 1 to 1000" in lines


def test_all_problems_are_reported_at_once(slicewright: CommandLine) -> None:
    lines = _refused(slicewright, "--cores", "0", "A:0:0", "B:1:1", "b:1:1")
    told = [line for line in lines if not line.startswith("  ")]
    assert [line.split(":")[0].split(" (")[0] for line in told] == ["--cores", "argument 1", "argument 1", "argument 3"]
    assert "also that of argument 2" in told[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no partition is given"),
        (
            ("A:dedicated:3", "B:1:1", "C:dedicated:2"),
            "arguments 1, 3: 5 dedicated logical cores, and there are 4 cores",
        ),
        (("A:1:1", "B:dedicated:4"), "argument 2: all 4 cores are dedicated, and none is left to share"),
    ],
)
def test_what_partitions_cannot_have_together_is_refused(
    slicewright: CommandLine, words: tuple[str, ...], said: str
) -> None:
    assert _refused(slicewright, "--cores", "4", *words)[0] == said


def test_the_engine_refuses_what_it_cannot_compute() -> None:
    for cores, partitions in ((4, [(0, 1)]), (4, [(1, 0)]), (1, [(None, 2)]), (1, [(None, 1), (1, 1)])):
        with pytest.raises(ValueError, match="core"):
            entitlements(cores, partitions)
