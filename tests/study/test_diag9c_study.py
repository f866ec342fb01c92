"""The published layer of the DIAGNOSE X'9C' study: what comes out, which way, and whether it keeps its contract."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from slicewright.report.html import render
from slicewright.study.diag9c import (
    MEANINGS,
    ROOMY,
    RUNS,
    STUDY,
    THROUGHPUT,
    Case,
    directions,
    pair,
    sides,
)
from slicewright.study.judge import Kept, Reproduction, Request
from slicewright.study.points import Budget

from tests.conftest import CommandLine
from tests.study.reproductions import Reproductions
from tests.tidy.tree import ROOT

SHORT = Budget(replications=2, most=2, interval_s=1, warm_up_s=0.3)
BEST = STUDY.constants().of


@pytest.fixture
def quick(reproduced: Reproductions, slicewright: CommandLine) -> dict[str, Any]:
    """The output of `reproduce diag9c --quick --format json`."""
    found: dict[str, Any] = json.loads(slicewright("reproduce", "diag9c", "--quick", "--format", "json").out)
    return found


@pytest.fixture(scope="module")
def result() -> Reproduction:
    """The full reproduction, judged again."""
    return STUDY.judged(Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8")))


def test_twenty_seven_cells_are_scored_and_all_of_them_predicted(quick: dict[str, Any]) -> None:
    assert quick["study"] == "diag9c"
    assert Counter(cell["role"] for cell in quick["cells"]) == {"predicted": 27, "calibrated": 16, "excluded": 2}


def test_a_verdict_follows_from_the_numbers_of_its_cell(quick: dict[str, Any]) -> None:
    for cell in quick["cells"]:
        if cell["role"] == "predicted":
            width = max(cell["band"]["rel"] * abs(cell["published"]), cell["band"]["abs"])
            assert (cell["verdict"] == "matches") == (abs(cell["simulated"] - cell["published"]) <= width)


def test_four_shares_follow_from_the_guests_that_can_spin(quick: dict[str, Any]) -> None:
    alone = [cell for cell in quick["cells"] if "by construction" in cell["note"]]
    assert [(cell["table"], cell["simulated"]) for cell in alone] == [(f"run.{run}", 100) for run in "AEHX"]


def test_every_cell_says_how_far_the_sets_are_apart(quick: dict[str, Any]) -> None:
    for cell in quick["cells"]:
        assert cell["spread"]["least"] <= cell["simulated"] * (1 + 1e-9)
        assert cell["spread"]["largest"] >= cell["simulated"] * (1 - 1e-9)


def test_parts_of_a_gain_add_up_to_it(result: Reproduction) -> None:
    found = {cell.place.key: cell.estimate.mean for cell in [*result.cells, *result.comparison]}
    for run in RUNS:
        parts = [found[f"run.{run}", part, "breakdown"] for part in MEANINGS]
        assert sum(parts) == pytest.approx(found[f"run.{run}", "throughput_gain_percent"], abs=1e-6)


def test_fast_path_is_above_empty_vectors_in_every_run(result: Reproduction) -> None:
    found = {cell.place.key: cell.estimate.mean for cell in result.cells}
    for run in RUNS:
        assert found[f"run.{run}", "diag44.fast_path_percent"] > found[f"run.{run}", "diag44.pldv_empty_percent"]


def test_every_direction_of_the_document_is_judged(result: Reproduction) -> None:
    assert len(list(directions([*result.cells, *result.comparison]))) == 6


def test_without_contention_all_yields_give_the_same_throughput() -> None:
    points = (STUDY.simulate(case, STUDY.constants(), SHORT) for case in pair(ROOMY))
    before, after = (point.samples[THROUGHPUT] for point in points)
    assert [100 * (new / old - 1) for old, new in zip(before, after, strict=True)] == pytest.approx([0, 0], abs=1)


@pytest.mark.parametrize("ablation", STUDY.spec().ablations)
def test_an_ablation_takes_one_thing_away(ablation: str) -> None:
    case = Case("E", "x9c")
    whole, without = (
        STUDY.scenario(variant, STUDY.constants(), SHORT).splitlines() for variant in (case, case.without(ablation))
    )
    changed = {line.split(" ")[0] for line in set(without) ^ set(whole)} - {"#", ""}
    expected = {
        "no-reload": {"[topology]", "cache", "assume", "costs", "footprint", "touched_in"},
        "no-switch-cost": {"lock", "costs"},
        "no-network-delay": {"latency"},
    }
    assert changed == expected[ablation]


def test_both_runs_of_a_pair_differ_in_how_sles_10_yields_and_in_nothing_else() -> None:
    for run, sles_10 in (("C", ["CLIENT"]), ("E", ["CLIENT", "SERVER"])):
        one, other = (STUDY.scenario(case, STUDY.constants(), SHORT).splitlines() for case in pair(run))
        changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b and not a.startswith(("#", "name"))]
        assert changed == [('yields = "x44"', 'yields = "x9c"')] * len(sles_10)


def test_what_a_piece_costs_is_divided_without_remainder() -> None:
    total = 0.0
    for side in sides(Case("E", "x44"), BEST):
        total += side.between_us * (side.sections + 1) + side.sections * side.hold_us
    assert total == pytest.approx(BEST["piece"])


def test_a_faster_machine_takes_less_for_everything_but_slices_and_the_network() -> None:
    slow, fast = (STUDY.scenario(Case(run, "x44"), STUDY.constants(), SHORT) for run in "EX")
    for key in ("slice", "latency"):
        assert re.findall(rf"(?m)^{key} = .*", slow) == re.findall(rf"(?m)^{key} = .*", fast)
    tries = [float(re.findall(r'spin_try = "([\d.]+) ns"', text)[0]) for text in (slow, fast)]
    assert tries[0] / tries[1] == pytest.approx(1.61, rel=1e-3)


def test_the_page_has_a_picture_and_needs_no_network(result: Reproduction) -> None:
    text = render(STUDY.page(result, Request(quick=True)))
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)
    assert text.count('<figure class="drawn">') == 1
