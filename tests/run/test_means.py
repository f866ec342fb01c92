"""Does a mean skip the replications, and intervals, without a value to average?"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import slicewright
from slicewright._core import counters, starter, student_t
from slicewright.statistics import estimate, paired

from tests.conftest import CommandLine

REPLICATIONS = 200


@cache
def rare() -> slicewright.Run:
    """One server with an arrival each 1,000 s, measured for 600 s: more than half of the replications have no I/O."""
    return slicewright.run(starter("mm1").replace('"500/s"', '"0.001/s"'), replications=REPLICATIONS)


def test_a_server_with_rare_arrivals_has_its_service_time_as_response() -> None:
    row = rare().system.row(0, named=True)
    seen = rare().raw["system"]["response_ms"].drop_nulls().len()
    standard_error = row["response_ms_half_width"] / student_t(seen - 1)
    assert abs(row["response_ms"] - 1.0) < 5 * standard_error


def test_a_replication_without_io_has_no_response() -> None:
    system = rare().raw["system"]
    idle = system.filter(system["io_per_s"] == 0)
    assert 0 < idle.height < REPLICATIONS
    assert idle["response_ms"].null_count() == idle.height
    assert idle["queue_depth"].to_list() == [0.0] * idle.height
    assert sum(map(math.isnan, rare().values("system", "response_ms"))) == idle.height


def test_no_mean_of_any_table_has_a_value_where_it_is_a_mean_of_nothing() -> None:
    for counter in counters():
        frame = rare().raw[counter["table"]]
        if counter["by"] and not frame.is_empty():
            idle = frame.filter(sum(frame[name] for name in counter["by"]) == 0)
            assert idle[counter["name"]].null_count() == idle.height, counter


def test_a_note_says_how_many_replications_a_mean_leaves_out() -> None:
    missing = rare().raw["system"]["response_ms"].null_count()
    (note,) = [note for note in rare().notes if "without measurements" in note]
    assert f"system.response_ms and 1 more ({missing} of {REPLICATIONS})" in note
    assert f"Note: {note}." in str(rare())
    assert f"{note}." in rare().html()


def test_a_run_in_which_all_replications_count_has_no_such_note(small: Path) -> None:
    assert not [note for note in slicewright.run(small).notes if "without measurements" in note]


def test_an_entity_that_never_did_anything_is_shown_as_unknown() -> None:
    never = slicewright.run(starter("mm1").replace('"500/s"', '"0.000001/s"'), replications=2)
    assert never.system["response_ms"].to_list() == [None]
    assert not [note for note in never.notes if "without measurements" in note]


def test_what_is_unknown_is_null_in_json(slicewright: CommandLine, tmp_path: Path) -> None:
    scenario = tmp_path / "idle.toml"
    scenario.write_text(starter("mm1").replace('"500/s"', '"0.000001/s"'))
    outcome = slicewright("run", str(scenario), "--replications", "2", "--format", "json")
    (system,) = json.loads(outcome.out)["system"]
    assert (system["io_per_s"], system["response_ms"]) == (0.0, None)


def test_a_saved_run_has_the_same_values(tmp_path: Path) -> None:
    text = starter("mm1").replace('"500/s"', '"0.002/s"')
    saved = slicewright.run(text, replications=4, out=tmp_path / "run")
    read = slicewright.load(tmp_path / "run")
    assert read.raw["volumes"].equals(saved.raw["volumes"], null_equal=True)
    assert read.notes == saved.notes


def test_queues_of_rare_arrivals_are_not_said_to_grow() -> None:
    assert not [note for note in rare().notes if "growing" in note]


def test_runs_are_compared_over_replications_in_which_both_measured() -> None:
    other = slicewright.run(starter("mm1").replace('"500/s"', '"0.002/s"'), replications=REPLICATIONS)
    rows = slicewright.compare(rare(), other).frame
    (row,) = rows.filter((rows["table"] == "system") & (rows["counter"] == "response_ms")).to_dicts()
    both = zip(rare().values("system", "response_ms"), other.values("system", "response_ms"), strict=True)
    assert row["replications"] == sum(not math.isnan(a + b) for a, b in both)


def test_a_precision_is_that_of_the_replications_that_count() -> None:
    result = slicewright.run(
        starter("mm1").replace('"500/s"', '"0.01/s"'),
        replications=10,
        precision="30%",
        set={"measure.interval": "60 s"},
    )
    row = result.system.row(0, named=True)
    assert row["response_ms_half_width"] <= 0.3 * row["response_ms"]


def test_without_any_io_a_precision_of_the_rate_is_enough() -> None:
    idle = starter("mm1").replace('"500/s"', '"0.000001/s"')
    assert slicewright.run(idle, replications=2, precision="1%").replications == 2


def test_an_estimate_leaves_out_what_is_no_number() -> None:
    assert estimate([1.0, math.nan, 3.0, None]) == estimate([1.0, 3.0])
    assert estimate([math.nan]).replications == 0


def test_a_difference_leaves_out_pairs_of_which_one_is_no_number() -> None:
    assert paired([1.0, math.nan, 3.0], [2.0, 5.0, 5.0]) == estimate([1.0, 2.0])


def test_a_page_of_devices_prints_zeros_for_a_device_without_io() -> None:
    from slicewright.run.pages.run import device_page_of

    never = slicewright.run(starter("mm1").replace('"500/s"', '"0.000001/s"'), replications=2)
    (row,) = [line.split() for line in device_page_of(never).splitlines() if line.startswith(" 0100")]
    assert row[5:12] == [".0", ".0", ".0", ".0", ".0", ".0", ".0"]
