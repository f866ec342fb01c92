"""Do scenarios with exits of an installation's own, and with name lists in files, run and say what is wrong with them?

Effects of exits are tested in crates/monitor/tests/theory/own_exits.rs, the checks in crates/scenario/tests/exits.rs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright as sw
from slicewright._core import InputError
from slicewright.serialization.enq import Resource, Task
from slicewright.serialization.exits import Complex, Exit

from tests.conftest import CommandLine
from tests.run.test_enqueues import SERIAL
from tests.tidy.tree import ROOT

LISTS = "/* lists of the test */\nRNLDEF RNL(INCL) TYPE(GENERIC) QNAME(TEST)\n"
FILED = SERIAL.replace("[serialization]", '[serialization]\nname_lists = { file = "LISTS.txt" }\nsystems = "star"')
SETTINGS = {"measure.sample": "50 ms"}


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """A scenario whose name lists stand in a file beside it."""
    (tmp_path / "LISTS.txt").write_text(LISTS)
    (tmp_path / "filed.toml").write_text(FILED)
    return tmp_path / "filed.toml"


@pytest.fixture(scope="module")
def own() -> sw.Run:
    """The shipped scenario."""
    return sw.run(ROOT / "scenarios/own-exits.toml", replications=1)


def test_a_queue_that_an_exit_closes_refuses_requests_that_check_return_codes(own: sw.Run) -> None:
    rows = own.raw["enqueues"].filter(enqueue="MASTER").sort("interval")
    shares = [refused / asked for refused, asked in zip(rows["refused_per_s"], rows["requests_per_s"], strict=True)]
    # Half of the requesters check return codes, and some of them find the resource held by another task anyway.
    assert shares[1] > 0.1 + max(shares[0], shares[2])


def test_a_name_that_is_kept_at_home_is_not_sent_round(own: sw.Run) -> None:
    row = own.serialization.filter(partition="SYSA")
    # Of five pairs the one of the master file is global, where it is not refused.
    assert row["global_per_s"][0] < 0.5 * row["pairs_per_s"][0]


def test_exits_that_failed_are_reported(own: sw.Run) -> None:
    assert sum("failed and went" in note for note in own.notes) == 2


def test_changes_of_exits_are_in_the_report(own: sw.Run) -> None:
    from slicewright.run.pages.run_figures import changes

    assert changes(own) == [(1.0, "BUSY added"), (2.0, "BUSY deleted")]


def test_lists_in_a_file_do_what_the_same_text_does(scenario: Path) -> None:
    text = FILED.replace('{ file = "LISTS.txt" }', f'"""{LISTS}"""')
    filed, written = sw.run(scenario, set=SETTINGS), sw.run(text, set=SETTINGS)
    assert filed.serialization.equals(written.serialization)
    assert filed.serialization["global_per_s"][0] > 0


def test_a_run_is_repeated_without_the_file(scenario: Path, tmp_path: Path) -> None:
    first = sw.run(scenario, set=SETTINGS, out=tmp_path / "run")
    (tmp_path / "LISTS.txt").unlink()
    again = sw.run(tmp_path / "run/scenario.toml")
    assert (again.checksum, again.serialization.equals(first.serialization)) == (first.checksum, True)


def test_problems_of_a_file_are_reported_with_their_lines(scenario: Path, slicewright: CommandLine) -> None:
    lists = scenario.parent / "LISTS.txt"
    lists.write_text("/* one */\nRNLDEF RNL(INCL) TYPE(GENERAL) QNAME(TEST)\n")
    scenario.write_text(FILED.replace("count = 1", "count = 0"))
    found = slicewright("run", scenario)
    assert found.status == 2
    assert f"{lists}:2:" in found.err
    assert "GENERIC" in found.err
    assert "guest JOB: count" in found.err


def test_a_missing_file_is_reported_with_all_other_problems(scenario: Path, slicewright: CommandLine) -> None:
    scenario.write_text(FILED.replace("LISTS.txt", "LIST.txt").replace("count = 1", "count = 0"))
    found = slicewright("run", scenario)
    assert found.status == 2
    assert "there is no such file" in found.err
    assert "LISTS.txt" in found.err
    assert "guest JOB: count" in found.err
    assert "has not been read" not in found.err


def test_advice_on_a_scenario_reads_its_files(scenario: Path, slicewright: CommandLine) -> None:
    (scenario.parent / "LISTS.txt").unlink()
    found = slicewright("advise", "exits", scenario)
    assert found.status == 2
    assert "there is no such file" in found.err


def test_an_exit_in_python_takes_its_own_time() -> None:
    systems = Complex()
    systems.join(1)
    systems.add(1, Exit("ISGNQXITFAST", "OWN", own_us=5))
    account = systems.enq(Task(1), Resource("Q", "R", "SYSTEM")).account
    assert account.us() == pytest.approx(9.5 + 0.2 + 5, abs=1e-3)


def test_an_own_time_that_is_none_is_refused() -> None:
    systems = Complex()
    systems.join(1)
    with pytest.raises(InputError, match="own_us"):
        systems.add(1, Exit("ISGNQXITFAST", "OWN", own_us=-1))
