"""Does a run show itself in a few lines, as a table by name, and in a notebook?"""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
import slicewright


@pytest.fixture(scope="module")
def run() -> slicewright.Run:
    """A pool of aliases, two replications."""
    return slicewright.run(slicewright.starter("pool"), replications=2, set={"measure.interval": "2 s"})


def test_a_run_prints_five_lines(run: slicewright.Run) -> None:
    assert len(repr(run).splitlines()) == 5
    assert "8 volumes" in repr(run)


def test_a_table_is_an_item_and_an_attribute(run: slicewright.Run) -> None:
    assert run["volumes"].equals(run.volumes)
    assert set(run.tables) <= set(dir(run))


def test_an_unknown_table_names_the_nearest(run: slicewright.Run) -> None:
    with pytest.raises(KeyError, match="the nearest is volumes"):
        run["volume"]
    with pytest.raises(AttributeError, match="no attribute volume"):
        _ = run.volume


def test_a_run_can_be_copied_and_pickled(run: slicewright.Run) -> None:
    for twin in (copy.copy(run), pickle.loads(pickle.dumps(run))):
        assert twin["volumes"].equals(run["volumes"])


def test_a_notebook_gets_a_figure_and_a_table_without_a_script(run: slicewright.Run) -> None:
    shown = run._repr_html_()
    assert "<svg" in shown
    assert "<table>" in shown
    assert "<script" not in shown


def test_a_saved_run_comes_back_as_a_run(run: slicewright.Run, tmp_path: Path) -> None:
    run.save(tmp_path / "run")
    again = slicewright.load(tmp_path / "run")
    assert isinstance(again, slicewright.Run)
    assert str(again) == str(run)


def test_a_comparison_prints_five_lines_and_shows_what_changed(run: slicewright.Run) -> None:
    comparison = slicewright.compare(run, run)
    assert len(repr(comparison).splitlines()) == 5
    assert "What changed" in comparison._repr_html_()
    assert "<script" not in comparison._repr_html_()
