"""Are replications that one command simulated known to another one, whatever number of them each measures?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from slicewright._core import Scenario
from slicewright.experiment import store as module
from slicewright.experiment.store import Part, once, tables_of, using, whole_run
from slicewright.explore.choose import choose
from slicewright.explore.sweep import sweep
from slicewright.scenario.starters import read_starter

ALIASES = "alias_pool.LSS-52.aliases"
QUICK = {"measure.interval": "200 ms", "measure.warm_up": "0 s", "measure.replications": 2}


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The replications that the engine simulates, as it is asked for them."""
    found: list[tuple[int, int]] = []
    own = module.simulated_tables

    def counted(scenario: Scenario, part: Part, progress: Any = None) -> Any:
        found.append(part.which)
        return own(scenario, part, progress)

    monkeypatch.setattr(module, "simulated_tables", counted)
    return found


def short(replications: int) -> Scenario:
    keys = ['measure.interval="200 ms"', 'measure.warm_up="100 ms"', f"measure.replications={replications}"]
    return read_starter("pool").with_(keys)


def test_more_replications_take_those_that_are_there(tmp_path: Path, simulated: list[tuple[int, int]]) -> None:
    with using(tmp_path):
        few = whole_run(short(2), Part(1, (0, 2), 0.1))
        many = whole_run(short(4), Part(1, (0, 4), 0.1))
        again = whole_run(short(3), Part(1, (1, 3), 0.1))
    assert simulated == [(0, 2), (2, 4)]
    whole = short(4).simulate(1, (0, 4), 1, 0.1)
    assert (many, few["volumes"]) == (whole, short(2).simulate(1, (0, 2), 1, 0.1)["volumes"])
    assert again["volumes"] == short(4).simulate(1, (1, 3), 1, 0.1)["volumes"]


def test_columns_of_one_replication_are_those_of_the_run(tmp_path: Path, simulated: list[tuple[int, int]]) -> None:
    columns = {"system": ["replication", "response_ms"]}
    with using(tmp_path):
        whole_run(short(3), Part(1, (0, 3), 0.1))
        found = tables_of(short(3).with_(once(0.1)), Part(1, (1, 3), 0.1, columns))
        other = tables_of(short(3).with_(once(0.1)), Part(2, (1, 3), 0.1, columns))
    assert simulated == [(0, 3), (1, 3)]  # the second seed is another run
    whole = short(3).simulate(1, (1, 3), 1, 0.1)["system"]
    assert found == {"system": {name: whole[name] for name in columns["system"]}}
    assert other != found


def test_a_choice_and_a_second_sweep_take_what_a_sweep_ran(tmp_path: Path, simulated: list[tuple[int, int]]) -> None:
    with using(tmp_path / "store"):
        sweep(read_starter("pool").resolved, {ALIASES: [0, 8]}, out=tmp_path / "one", set=QUICK)
        assert simulated == [(0, 2), (0, 2)]
        sweep(read_starter("pool").resolved, {ALIASES: [0, 8]}, out=tmp_path / "two", set=QUICK)
        assert len(simulated) == 2
        found = choose(read_starter("pool").resolved, {ALIASES: [0, 8]}, "aliases", "response_ms <= 3", set=QUICK)
        assert len(simulated) == found.answer.points  # of which the sweep had simulated two
    first, second = ((tmp_path / each / "report.html").read_bytes() for each in ("one", "two"))
    assert first == second
