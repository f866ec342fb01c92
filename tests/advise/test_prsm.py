"""Is the advice right where processors go by weight: the run time, shares due and got, caps, pages that say so?"""

from __future__ import annotations

import pytest
from slicewright import InputError
from slicewright._core import Scenario, starter
from slicewright.advise.options import AdviceOptions
from slicewright.advise.slices.answer import answer_scenario
from slicewright.advise.slices.from_pages import answer_pages
from slicewright.advise.slices.machine import machine_of, run_ms
from slicewright.advise.slices.question import QUESTION
from slicewright.advise.slices.report import document
from slicewright.advise.slices.request import SliceRequest, check

from tests.advise.slices_example import PAGE, PARTITIONS

SCENARIO = """
name = "weights"
assume = "a test"
cec = { processors = 2, dispatcher = "prsm", switch = "0.05 ms" }

[[partition]]
name = "A"
logical_processors = 2
weight = 30

[[partition]]
name = "B"
logical_processors = 2
weight = 70
CAPPED

[[volume]]
name = "V"
device = "100"
partition = "A"
service = { connect = { exponential = "4 ms" } }

[[guest]]
name = "IO"
partition = "A"
count = 6
program = [ { think = { exponential = "20 ms" } }, { compute = "0.5 ms" }, { io = { volume = "V" } } ]

[[guest]]
name = "ALWAYS"
partition = "B"
count = 4
program = [ { compute = { exponential = "40 ms" } } ]
"""
_BUSY = b"50.00    50.00       0.00      50.00   50.00"
WEIGHED = (
    PARTITIONS.replace(b"COMPLETION                     YES", b"COMPLETION                     NO ")
    .replace(b"30 ms", b"DYNAMIC")
    .replace(_BUSY, _BUSY.replace(b"50.00", b"20.00"), 1)
)
QUIET = PAGE.replace(b"   55   38 ", b"   25    8 ")


def test_the_run_time_is_what_is_advised_on() -> None:
    found = answer_scenario(SCENARIO.replace("CAPPED", "").encode(), "a.toml", SliceRequest(at=(33.0,)))
    assert found.weighs
    assert found.now_ms == run_ms(2, 4) == 12.5
    assert [point.slice_ms for point in found.curve][:1] == [1.0]
    assert found.curve[-1].slice_ms == 100
    assert found.point(33.0) is not None
    assert found.recommendation is not None
    assert found.recommendation.parameter is None
    assert all(point.hold.exact_ms is None for point in found.curve)
    assert document(found)["dispatcher"] == "prsm"
    assert "by weight, runs up to 12.5 ms" in QUESTION.text(found)
    lost = [found.point(slice_ms).lost for slice_ms in (1.0, 25.0)]  # type: ignore[union-attr]
    assert lost[0] > lost[1] > 0


def test_what_others_leave_is_got_unless_a_cap_binds() -> None:
    free, capped = (
        answer_scenario(SCENARIO.replace("CAPPED", cap).encode(), "a.toml", SliceRequest()).domains[1]
        for cap in ("", 'capped = "yes"')
    )
    assert free.due == capped.due == pytest.approx(0.7)
    assert free.got is not None
    assert capped.got is not None
    assert free.got.mean > 0.8
    assert capped.got.mean == pytest.approx(0.7, abs=0.01)
    assert capped.binds


def test_a_cap_that_binds_is_distinguished_from_a_share() -> None:
    found = answer_scenario(starter("prsm-three-lpars").encode(), "a.toml", SliceRequest())
    full = {domain.name: domain.room.full for domain in found.domains if domain.room is not None}
    assert full == {"PROD": "its share of the processors", "TEST": "its cap of 1 of the 4 processors"}


def test_a_partition_that_is_not_there_shares_nothing() -> None:
    later = SCENARIO.replace("CAPPED", 'active = "no"').encode()
    machine = machine_of(Scenario.read(later, "a.toml").view)
    assert machine is not None
    assert [domain.name for domain in machine.domains] == ["A"]


@pytest.mark.slow
def test_pages_of_partitions_that_give_processors_up_go_by_weight() -> None:
    found = answer_pages([("A.txt", QUIET), ("m.txt", WEIGHED)], check(AdviceOptions.of()))
    assert found.weighs
    assert any("WAIT COMPLETION NO" in question for question in found.open)
    machine = machine_of(Scenario.read(found.scenario.encode(), "a.toml").view)
    assert machine is not None
    assert [(domain.name, domain.share, domain.most) for domain in machine.domains] == [
        ("PEMDFI", 0.5, 1.0),
        ("PEMDFT", 0.5, 1.0),
    ]
    first, second = found.domains
    assert first.got is not None
    assert second.got is not None
    assert first.got.mean == pytest.approx(0.2, rel=0.1)
    assert second.got.mean == pytest.approx(0.485, rel=0.05), "nearly all of its cap, as printed"
    assert first.room is not None
    assert first.room.low > 1


def test_a_run_time_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="1 ms to 100 ms"):
        answer_scenario(SCENARIO.replace("CAPPED", "").encode(), "a.toml", SliceRequest(at=(0.5,)))
    with pytest.raises(InputError, match="500 ms is no run time"):
        answer_pages([("A.txt", QUIET), ("m.txt", WEIGHED)], check(AdviceOptions.of(slices="500 ms")))
