"""Are system calls and seccomp profiles read, and is the cost of each structure of a filter the sum of its calls?

The tables are real output of strace 6.1 and perf 6.1; the profile is written in the form of the OCI specification.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.answer import Request
from slicewright.advise.exits.filters import BORROWED, answer_filters
from slicewright.advise.exits.profile import read_profile
from slicewright.advise.exits.syscalls import is_syscalls, read_syscalls
from slicewright.live.kept import save

from tests.conftest import CommandLine
from tests.live.examples import hooks_result, locks_result

HERE = Path(__file__).parent / "syscalls"
TABLES = sorted(HERE.glob("*.txt"))
PROFILE = HERE / "profile.json"
TEXT = """\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 60.00    0.000600           6       100           read
 40.00    0.000400           4       100         3 clone
------ ----------- ----------- --------- --------- ----------------
100.00    0.001000           5       200         3 total
"""


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.name)
def test_real_tables_are_read(file: Path) -> None:
    data = file.read_bytes()
    assert is_syscalls(data)
    assert {"read", "close"} <= {call.name for call in read_syscalls(data, file.name)}


def test_the_total_of_strace_is_the_sum_of_its_rows() -> None:
    data = (HERE / "strace-follow.txt").read_bytes()
    total = int(data.decode().splitlines()[-1].split()[3])
    assert sum(call.calls for call in read_syscalls(data, "a")) == total


def test_each_structure_costs_the_sum_of_its_calls() -> None:
    (answer,) = answer_filters([("a.txt", TEXT.encode()), ("p.json", PROFILE.read_bytes())], Request())
    cost = {each.name: each.each_ns for each in answer.structures}
    path, rule = BORROWED.path_ns, BORROWED.rule_ns
    run = path + BORROWED.filter_ns
    # read is rule 1 without arguments, clone rule 9 with one comparison.  The engine counts in 2^-12 of its unit.
    assert cost["list"] == pytest.approx((run + rule + run + 10 * rule) / 2, abs=0.01)
    assert cost["bitmap"] == pytest.approx((path + run + 10 * rule) / 2, abs=0.01)
    assert cost["ordered"] <= cost["bitmap"] <= cost["list"]
    assert cost["tree"] <= cost["bitmap"]


def test_prices_of_live_hooks_take_the_place_of_the_borrowed_ones(tmp_path: Path, slicewright: CommandLine) -> None:
    result = replace(hooks_result(), prices=replace(BORROWED, path_ns=600.0))
    save(result, tmp_path / "hooks")
    kept = (tmp_path / "hooks" / "live.json").read_bytes()
    files = [("a.txt", TEXT.encode()), ("p.json", PROFILE.read_bytes())]
    (borrowed,), (own,) = answer_filters(files, Request()), answer_filters([*files, ("live.json", kept)], Request())
    costs = [{each.name: each.each_ns for each in answer.structures} for answer in (borrowed, own)]
    assert {name: cost - costs[0][name] for name, cost in costs[1].items()} == pytest.approx(
        dict.fromkeys(costs[0], 540.0), abs=0.01
    )
    assert any("measured by live hooks" in fact for fact in own.facts)
    assert any("borrowed" in caveat for caveat in borrowed.caveats)
    assert not any("borrowed" in caveat for caveat in own.caveats)
    asked = slicewright("advise", "exits", str(HERE / "perf-trace.txt"), str(PROFILE), str(tmp_path / "hooks"))
    assert asked.status == 0, asked.err
    assert "measured by live hooks" in asked.out


def test_prices_alone_and_other_live_results_are_refused(tmp_path: Path, slicewright: CommandLine) -> None:
    save(hooks_result(), tmp_path / "hooks")
    alone = slicewright("advise", "exits", str(tmp_path / "hooks"))
    assert alone.status == 2
    assert "prices alone" in alone.err
    save(locks_result(), tmp_path / "locks")
    other = slicewright("advise", "exits", str(HERE / "perf-trace.txt"), str(tmp_path / "locks" / "live.json"))
    assert other.status == 2
    assert "neither calls nor a profile" in other.err


def test_without_a_profile_the_dominant_call_is_named(slicewright: CommandLine) -> None:
    asked = slicewright("advise", str(HERE / "strace-follow.txt"))
    assert asked.status == 0
    assert "read dominates" in asked.out
    assert "no seccomp profile" in asked.out
    both = slicewright("advise", "exits", str(HERE / "perf-trace.txt"), str(PROFILE), "--format", "json")
    assert both.status == 0, both.err


def test_accidents_have_their_place() -> None:
    for text, what in (
        (TEXT.replace("100 ", "1x0 ", 1), "not a row of calls"),
        ("\n".join(TEXT.splitlines()[:3]), "has no line of the total"),
        (TEXT.replace("usecs/call", "us/call"), "no such column: us/call"),
    ):
        with pytest.raises(InputError, match=what) as caught:
            read_syscalls(text.encode(), "a.txt")
        assert caught.value.problems[0]["line"] > 0
    with pytest.raises(InputError, match="not an action"):
        read_profile(b'{"defaultAction": "ALLOW"}', "p.json")
    with pytest.raises(InputError, match="a profile alone"):
        answer_filters([("p.json", PROFILE.read_bytes())], Request())
    with pytest.raises(InputError, match="growth: has no effect"):
        answer_filters([("a.txt", TEXT.encode())], Request(growth=1.2))


@pytest.mark.parametrize("file", [*TABLES, PROFILE, HERE / "container" / "profile.json"], ids=lambda file: file.name)
def test_damage_is_refused_or_read(file: Path) -> None:
    data, draw = file.read_bytes(), random.Random(file.name)
    read = read_profile if file.suffix == ".json" else read_syscalls
    for _ in range(60):
        damaged = bytearray(data[: draw.randrange(len(data))] if draw.random() < 0.5 else data)
        for _ in range(draw.randrange(4)):
            if damaged:
                damaged[draw.randrange(len(damaged))] = draw.choice(b'0-,.{}[]"x \n\xff\0')
        try:
            found: object = read(bytes(damaged), file.name)
        except InputError as error:
            found = error.problems
        assert found
