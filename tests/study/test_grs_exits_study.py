"""The installation-exit study: its results and directions, the text on its stated miss, and its real timings.

The prices are tested in `test_grs_exits_calibrate.py`.
"""

import json
import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
from slicewright import InputError
from slicewright._core import exit_pairs_by_threads
from slicewright.report import text as printed
from slicewright.report.html import render
from slicewright.study.exits_timed import THREAD_ROUNDS, Bench, Timed, by_threads, counts, threads_table
from slicewright.study.grs_exits import (
    BATCH,
    POOLED,
    PROCESSORS,
    SHARES,
    SINGLE,
    STRUCTURES,
    STUDY,
    UNLOCKED,
    Case,
    Prices,
    directions,
    rows,
)
from slicewright.study.judge import Kept, Reproduction, Request
from slicewright.study.points import Budget

from tests.conftest import CommandLine
from tests.study.reproductions import Reproductions
from tests.tidy.tree import ROOT

SHORT = Budget(replications=2, most=2, interval_s=0.2, warm_up_s=0.0)
PRICES = Prices.of_fit(STUDY.constants())


@pytest.fixture(scope="module")
def result() -> Reproduction:
    """The full reproduction, judged again."""
    return STUDY.judged(Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8")))


@pytest.fixture(scope="module")
def sweeps(result: Reproduction) -> dict[tuple[str, ...], float]:
    """The means of both sweeps."""
    return {cell.place.key: cell.estimate.mean for cell in result.comparison}


def test_one_row_is_predicted_and_four_are_calibrated(result: Reproduction) -> None:
    assert Counter(cell.ruling.role for cell in result.cells) == {"predicted": 1, "calibrated": 4}


def test_the_stated_miss_is_said_wherever_the_verdict_is(
    reproduced: Reproductions, slicewright: CommandLine, result: Reproduction
) -> None:
    terminal = slicewright("reproduce", "grs-exits", "--quick").out
    validation = (ROOT / STUDY.validation).read_text("utf-8")
    for text in (terminal, validation, render(STUDY.page(result, Request()))):
        assert "misses by 27 %" in " ".join(text.split())
    third = next(cell for cell in result.cells if cell.place.column == "3")
    assert third.verdict == "matches"
    assert third.estimate.mean == pytest.approx(33, abs=0.1)


def test_a_quick_reproduction_has_all_rows_and_both_sweeps(reproductions: Reproductions, result: Reproduction) -> None:
    quick = reproductions.of("grs-exits")
    assert [cell.verdict for cell in quick.cells] == ["calibrated", "calibrated", "matches", "calibrated", "calibrated"]
    assert {cell.place for cell in quick.comparison} == {cell.place for cell in result.comparison}


def test_the_rows_of_the_prices_come_out(result: Reproduction) -> None:
    for cell in result.cells:
        if cell.ruling.role == "calibrated":
            assert cell.estimate.mean == pytest.approx(cell.published, rel=1e-3)


def test_all_nine_directions_are_judged_and_each_says_what_it_found(result: Reproduction) -> None:
    found = STUDY.document(result)["directions"]
    assert [direction["number"] for direction in found] == list(range(1, 10))
    assert all(direction["found"] for direction in found)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_elapsed_and_processor_time_grow_with_the_share_of_global_pairs(
    sweeps: dict[tuple[str, ...], float], structure: str
) -> None:
    for value in ("elapsed_us", "cpu_us"):
        own = [sweeps[f"share.{structure}", value, f"g={share}"] for share in SHARES]
        assert own == sorted(own)


def test_a_mixture_costs_its_parts(sweeps: dict[tuple[str, ...], float]) -> None:
    for structure in STRUCTURES:
        local, whole = (sweeps[f"share.{structure}", "cpu_us", f"g={share}"] for share in (0, 100))
        mixed = sweeps[f"share.{structure}", "cpu_us", "g=50"]
        assert mixed == pytest.approx((local + whole) / 2, rel=0.02)


def test_what_is_locked_bounds_what_processors_complete(sweeps: dict[tuple[str, ...], float]) -> None:
    locked = {BATCH: 353.4, POOLED: 33.0, SINGLE: 20.0, UNLOCKED: 19.2}
    for form, pair_us in locked.items():
        rates = [sweeps[f"processors.{form}", "pairs_per_s", f"n={count}"] for count in PROCESSORS]
        assert max(rates) <= 1e6 / pair_us * 1.001


def test_without_a_second_processor_no_guest_waits_for_the_lock(sweeps: dict[tuple[str, ...], float]) -> None:
    for form in (*STRUCTURES, UNLOCKED):
        assert sweeps[f"processors.{form}", "lock_wait_us", "n=1"] == 0


def test_rows_3_and_4_have_the_same_exits() -> None:
    third, fourth = (STUDY.scenario(Case(POOLED, row=row), STUDY.constants(), SHORT).splitlines()[3:] for row in "34")
    changed = {line.split(" ")[0] for line in set(third) ^ set(fourth)}
    assert changed <= {"name", "exits"}
    assert STUDY.simulate(Case(POOLED), STUDY.constants(), SHORT).samples["elapsed_us"][0] == pytest.approx(
        33, rel=1e-3
    )


def test_the_other_extreme_moves_the_free_parameter_out_of_the_lock_and_nothing_else() -> None:
    locked, unlocked = (STUDY.scenario(Case(form), STUDY.constants(), SHORT).splitlines() for form in (BATCH, UNLOCKED))
    changed = {line.split(" ")[0] for line in set(locked) ^ set(unlocked)}
    assert changed <= {"name", "#", "state", "relock", "calibrated"}
    assert {"state", "relock"} <= changed


def test_the_order_and_ratios_of_a_bench_are_those_of_its_times() -> None:
    times = {"1": 2.0, "2": 20.0, "3": 5.0, "4": 5.0, "5": 3.0}
    timed = tuple(Timed(row.row, row.structure, row.wall_s, (times[row.row],)) for row in rows())
    made = Bench("a machine", 10, timed)
    assert made.ordered
    assert made.alike == []
    assert [made.ratio(row) for row in timed] == [1.0, 10.0, 2.5, 2.5, 1.5]
    swapped = tuple(Timed(row.row, row.structure, 0.0, (22.0 - row.typical,)) for row in timed)
    assert not Bench("a machine", 10, swapped).ordered


def test_our_own_service_is_timed_with_every_structure() -> None:
    made = STUDY.bench(2_000)
    assert [row.row for row in made.timed] == ["", "1", "2", "3", "4", "5"]
    assert all(row.typical > 0 for row in made.timed)
    assert "another machine" in printed.render(made.report())


def test_a_bench_is_in_json_only_when_it_is_asked_for(
    reproduced: Reproductions, slicewright: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("slicewright.study.grs_exits"), "pairs", lambda: 1_000)
    words = ("reproduce", "grs-exits", "--quick", "--format", "json")
    plain, timed = (json.loads(slicewright(*words, *more).out) for more in ((), ("--bench",)))
    assert "bench" not in plain
    assert len(timed["bench"]["rows"]) == 6
    assert len(timed["bench"]["threads"]) == 6 * len(counts())


def test_studies_without_anything_to_time_refuse_a_bench(slicewright: CommandLine) -> None:
    done = slicewright("reproduce", "hyperpav", "--bench")
    assert done.status == 2
    assert "nothing to time" in done.err


def test_json_is_the_same_twice_but_for_the_wall_clock(
    slicewright: CommandLine, request: pytest.FixtureRequest
) -> None:
    def once() -> dict[str, Any]:
        document: dict[str, Any] = json.loads(slicewright("reproduce", "grs-exits", "--quick", "--format", "json").out)
        return document | {"wall_s": 0}

    first = once()
    request.getfixturevalue("reproduced")
    assert first == once()
    assert {"sweeps", "directions"} <= first.keys()


def test_json_has_the_sweeps_and_directions_that_text_has(result: Reproduction) -> None:
    document = {name: STUDY.document(result)[name] for name in ("sweeps", "directions")}
    assert len(document["sweeps"]) == len(result.comparison)
    keys = {
        (row["exits"], row["value"], row.get("global_percent"), row.get("processors")) for row in document["sweeps"]
    }
    assert len(keys) == len(document["sweeps"])
    assert {row["global_percent"] for row in document["sweeps"] if "global_percent" in row} == set(SHARES)
    assert {row["processors"] for row in document["sweeps"] if "processors" in row} == set(PROCESSORS)
    found = directions({cell.place.key: cell.estimate.mean for cell in result.comparison})
    assert [direction["what"] for direction in document["directions"]] == [each.what for each in found]
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_several_threads_share_one_lock_and_all_pairs() -> None:
    made = by_threads(["none", "batch"], 500)
    assert [(timing.exits, timing.threads) for timing in made] == [
        (word, n) for word in ("none", "batch") for n in counts()
    ]
    assert all(len(timing.rounds_ns) == THREAD_ROUNDS and min(timing.rounds_ns) > 0 for timing in made)
    text = "\n".join(printed.table_lines(threads_table(made, 500)))
    assert "This machine too" in text
    assert all(f"pairs/s, {count}" in text for count in counts())


def test_a_number_of_threads_that_cannot_be_is_refused() -> None:
    for threads in (0, 5_000):
        with pytest.raises(InputError, match=r"threads.*1 to 1024"):
            exit_pairs_by_threads("batch", 10, threads)


def test_the_page_has_three_pictures_and_needs_no_network(result: Reproduction) -> None:
    text = render(STUDY.page(result, Request()))
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)
    assert text.count('<figure class="drawn">') == 3
