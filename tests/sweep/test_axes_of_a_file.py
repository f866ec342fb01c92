"""Does the `[[sweep]]` of a scenario say what `slicewright sweep` varies, and change nothing else?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright.explore.sweep import sweep
from slicewright.run.run import run

from tests.conftest import SMALL, CommandLine

AXES = '\n[[sweep]]\nkey = "alias_pool.POOL.aliases"\nvalues = "0..4:4"\n'
QUICK = {"measure.interval": "200 ms", "measure.warm_up": "0 s", "measure.replications": 2}
ALIASES = "alias_pool.POOL.aliases"


def test_a_file_names_the_points(tmp_path: Path) -> None:
    found = sweep(SMALL + AXES, out=tmp_path / "store", set=QUICK)
    assert found.points[ALIASES].to_list() == [0, 4]


def test_a_key_that_is_given_replaces_that_of_the_file(tmp_path: Path) -> None:
    found = sweep(SMALL + AXES, {ALIASES: "1,2,3"}, out=tmp_path / "store", set=QUICK)
    assert found.points[ALIASES].to_list() == [1, 2, 3]


def test_other_keys_vary_beside_those_of_the_file(tmp_path: Path) -> None:
    found = sweep(SMALL + AXES, {"guest.GUEST.count": "1,2"}, out=tmp_path / "store", set=QUICK)
    assert found.points.height == 4


def test_one_value_in_a_file_is_set_for_all_points(tmp_path: Path) -> None:
    one = '\n[[sweep]]\nkey = "guest.GUEST.count"\nvalues = "3"\n'
    found = sweep(SMALL + AXES + one, out=tmp_path / "store", set=QUICK)
    assert "count = 3" in found.facts.scenario


def test_the_points_are_those_of_the_command_line(tmp_path: Path) -> None:
    file = sweep(SMALL + AXES, out=tmp_path / "file", set=QUICK)
    line = sweep(SMALL, {ALIASES: "0..4:4"}, out=tmp_path / "line", set=QUICK)
    assert file.points.equals(line.points)


def test_a_run_is_that_of_the_file_without_axes() -> None:
    assert run(SMALL + AXES, set=QUICK).checksum == run(SMALL, set=QUICK).checksum


def test_values_that_are_none_are_refused_with_their_axis(tmp_path: Path) -> None:
    with pytest.raises(slicewright.InputError, match=r"sweep: alias_pool\.POOL\.aliases: `4..0` has no values"):
        sweep(SMALL + AXES.replace("0..4:4", "4..0"), out=tmp_path / "store")


def test_nothing_to_vary_is_refused(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    outcome = slicewright("sweep", str(small), "--out", str(tmp_path / "store"))
    assert outcome.status == 2
    assert "nothing varies" in outcome.err
    assert "[[sweep]]" in outcome.err
    assert not (tmp_path / "store").exists()
