"""The published numbers of the 580/MDF study hold the laws that the model is built on."""

from __future__ import annotations

import pytest
from slicewright.study.mdf import CLASSES, COLUMNS, STUDY, TSO_IO, derived

FOUND = STUDY.spec().document
SETUP, IDENTITIES = FOUND["setup"], FOUND["identities"]
IMS, TSO = FOUND["table3"]["ims"], FOUND["table4"]["tso"]


@pytest.mark.parametrize("column", COLUMNS)
def test_think_time_is_terminals_over_rate_less_response(column: str) -> None:
    ims = SETUP["ims_terminals"] / IMS["external_transactions_per_s"][column] - IMS["response_s"][column]
    tso = SETUP["tso_users"] / TSO["external_transactions_per_s"][column] - TSO["response_s"][column]
    assert ims == pytest.approx(IDENTITIES["ims_think_s"][column], abs=0.006)
    assert tso == pytest.approx(IDENTITIES["tso_think_s"][column], abs=0.006)


@pytest.mark.parametrize("column", COLUMNS)
def test_cpu_per_transaction_is_one_processor_over_the_rate(column: str) -> None:
    share = SETUP["logical_processors_per_domain"] * SETUP["target_cpu_percent"] / 100
    found = 10 * share * IMS["cpu_percent"][column] / IMS["external_transactions_per_s"][column]
    assert found == pytest.approx(IDENTITIES["ims_total_cpu_ms_per_transaction"][column], abs=0.006)


@pytest.mark.parametrize("column", COLUMNS)
def test_front_end_operations_per_transaction(column: str) -> None:
    found = IMS["front_end_4705_rate_per_s"][column] / IMS["external_transactions_per_s"][column]
    assert found == pytest.approx(IDENTITIES["front_end_io_per_transaction"][column], abs=0.0006)


@pytest.mark.parametrize(("column", "total"), [("sched1", 5.68), ("sched3", 2.93), ("sched5", 1.57)])
def test_parts_of_the_response_leave_a_little_that_is_not_itemised(column: str, total: float) -> None:
    parts = ("tpns_queue_s", "input_queue_s", "execution_s", "output_queue_s")
    found = sum(IMS[part][column] for part in parts)
    assert found == pytest.approx(total)
    assert 0.07 < IMS["response_s"][column] - found < 0.23


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("table", ["table1", "table2"])
def test_response_less_iosq_is_service_that_slices_do_not_touch(table: str, column: str) -> None:
    # whole ms in table 2; in table 1 the mixture of devices may change from run to run
    for row in FOUND[table].values():
        service = row["response_ms"][column] - row["iosq_ms"][column]
        assert 16 <= service <= 21


def test_what_the_model_takes_is_derived_from_one_column() -> None:
    one = derived()
    assert one.ims_io * IMS["external_transactions_per_s"]["sched1"] == pytest.approx(705.3)
    assert one.ims_service_ms == pytest.approx(17.72)
    assert one.front_end_io == pytest.approx(1.283, abs=0.0006)
    assert {name: disk.service_ms for name, disk in (one.hot | one.busy).items()} == {
        "C23": 17,
        "8C2": 19,
        "CC1": 20,
        "CC2": 21,
    }
    assert 0 < sum(disk.share for disk in one.busy.values()) < TSO_IO


def test_every_script_of_figure_6_is_in_one_class() -> None:
    percents = FOUND["figure6"]["tso_workload_percent"]
    listed = [script for kind in CLASSES for script in kind.scripts]
    assert sorted(listed) == sorted(percents)
    assert sum(kind.weight(percents) for kind in CLASSES) == sum(percents.values()) == 100


def test_fifty_three_numbers_are_to_be_predicted() -> None:
    assert sum(number.place.column in ("sched3", "sched5") for number in STUDY.published(STUDY.spec())) == 53
