"""Is the search for loads of `advise limits` right: ways to arrive, batches that are found, what is simulated once?"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from slicewright._core import student_t
from slicewright.advise.limits.answer import Curve
from slicewright.experiment.plan import Plan
from slicewright.reading.cgroup import (
    Arrivals,
    Clock,
    Group,
    Interval,
    LimitSimulations,
    Load,
    Node,
    Setting,
    measured,
    scenario_text,
)
from slicewright.reading.limits import Known, Observed, at_once, readings_of
from slicewright.statistics import estimate

TRUTH = Load(40.0, 8.0, 1.0, 3.0, 4)
GROUP = Group(0.5, 100.0)


@pytest.mark.parametrize("arrivals", ["geometric", "fixed", "uneven"])
def test_every_way_to_arrive_brings_the_same_work(arrivals: Arrivals) -> None:
    load = replace(TRUTH, batch=2.5, arrivals=arrivals)
    text = scenario_text(load, Setting(math.inf, 4, 100.0, 0.0), Node(4), Plan(300.0, 10.0, 8))
    per_s = estimate(list(measured(text).columns["served_per_s"]))
    assert abs(per_s.mean - load.requests_per_s) <= per_s.half_width / student_t(7) * 5


def test_more_of_a_limit_that_throttles_nothing_is_not_simulated_again() -> None:
    simulations = LimitSimulations()
    curve = Curve(simulations, TRUTH, GROUP, False)
    ample = curve.at(replace(curve.now, limit=4.0))
    assert not ample.columns["throttled"].any()
    none = curve.without(curve.now)
    count = len(simulations.seen)
    assert curve.at(replace(curve.now, limit=8.0)) is none
    assert len(simulations.seen) == count


def test_threads_that_are_as_many_as_processors_of_the_limit_are_tried() -> None:
    assert (
        at_once(Group(2.0, 100.0), Observed(Interval(1, 2, 60.0, 600, 120, None, 60.0, Clock.EVERY), 100.0), None)[0]
        == 2
    )


def test_the_batch_that_is_throttled_as_often_is_found() -> None:
    first = Observed(Interval(1, 2, 19.2, 600, 240, 43.2, 60.0, Clock.EVERY), 100.0)
    found = readings_of(LimitSimulations(), first, Known(GROUP, 40.0, 4, scv=1.0, lock=0.0), 8.0)
    usual = [reading for reading in found if reading.load.arrivals == "geometric" and not reading.aimed]
    assert usual
    assert all(abs(reading.throttled_percent - 40.0) <= 2.0 for reading in usual)
