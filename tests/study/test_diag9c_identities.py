"""The published numbers of the DIAGNOSE X'9C' study agree with the text of the document, and have the declared roles.

No run is simulated here.
"""

from __future__ import annotations

from collections import Counter

import pytest
from slicewright.study.diag9c import RUNS, STUDY, Case

FOUND = STUDY.spec().document
SETTINGS = {entry["id"]: entry for entry in FOUND["run"]}
BANDS = STUDY.spec()
RULINGS = {number.place.key: BANDS.ruling(*number.place.key) for number in STUDY.published(STUDY.spec())}


def test_fast_path_is_above_empty_vectors_in_every_run() -> None:
    for run in RUNS:
        own = SETTINGS[run]["diag44"]
        assert own["fast_path_percent"] > own["pldv_empty_percent"]


def test_gains_grow_with_contention() -> None:
    gains = [SETTINGS[run]["throughput_gain_percent"] for run in "ABCE"]
    assert gains == sorted(gains)


def test_only_runs_with_sles_9_servers_that_can_spin_mix_diagnoses() -> None:
    for run in RUNS:
        own = SETTINGS[run]
        alone = own["servers_run"] != "SLES 9" or own["server_processors"] == 1
        assert (own["diag9c"]["diag9c_percent"] == 100) == alone


def test_x_is_e_but_for_the_machine_and_h_is_e_but_for_spin_retry() -> None:
    keys = ("client_processors", "servers", "server_processors", "connections", "servers_run")
    for run in "HX":
        assert [SETTINGS[run][key] for key in keys] == [SETTINGS["E"][key] for key in keys]
    assert (SETTINGS["H"]["spin_retry"], SETTINGS["X"]["machine"]) == (0, "z9")


def test_table_3_repeats_run_e() -> None:
    assert FOUND["table3"]["zvm53_total_diags_per_s"] == SETTINGS["E"]["diag9c"]["total_diags_per_s"]


@pytest.mark.parametrize(("run", "count"), [("A", 16), ("B", 44), ("C", 76), ("E", 210)])
def test_runs_have_as_many_virtual_processors_as_the_tables_say(run: str, count: int) -> None:
    assert Case(run, "x44").virtual_processors == count


def test_sixteen_cells_are_calibrated_and_twenty_seven_scored() -> None:
    assert Counter(ruling.role for ruling in RULINGS.values()) == {"calibrated": 16, "predicted": 27, "excluded": 2}


def test_only_x_44_rows_of_a_b_c_and_e_are_calibrated() -> None:
    fitted = [key for key, ruling in RULINGS.items() if ruling.role == "calibrated"]
    assert {table for table, _ in fitted} == {"run.A", "run.B", "run.C", "run.E"}
    assert all(row.startswith("diag44.") for _, row in fitted)
