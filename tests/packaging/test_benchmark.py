"""The benchmark's two sides are one model: they agree with each other and with what theory says of both. And more
terminals who think longer are the same load.

It leaves out speed, which `make bench` measures.
"""

from collections.abc import Callable
from functools import cache
from math import sqrt
from statistics import fmean, stdev

import pytest

from benches import sides, terminals
from benches.closed_model import AT_MOST_IO_PER_S, GUESTS, Results, disagreements


@cache
def engine() -> list[sides.Figures]:
    """Independent runs of the engine."""
    return [sides.engine(seed, 10.0) for seed in range(1, 11)]


@cache
def peer() -> list[sides.Figures]:
    """Independent runs of the peer."""
    return [sides.peer(seed, 3.0) for seed in range(1, 6)]


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean of independent runs and its standard error."""
    return fmean(values), stdev(values) / sqrt(len(values))


@pytest.mark.parametrize("side", [engine, peer])
def test_a_side_obeys_the_laws(side: Callable[[], list[sides.Figures]]) -> None:
    runs = side()
    rate, error = mean_and_error([run.io_per_s for run in runs])
    assert rate <= AT_MOST_IO_PER_S + 5 * error
    cycles, error = mean_and_error([run.io_per_s * (run.response_ms + 2.0) / 1000.0 for run in runs])
    assert abs(cycles - GUESTS) <= max(5 * error, 1e-3 * GUESTS)


def test_the_sides_agree() -> None:
    ours, our_error = mean_and_error([run.response_ms for run in engine()])
    theirs, their_error = mean_and_error([run.response_ms for run in peer()])
    assert abs(ours - theirs) <= 5 * sqrt(our_error**2 + their_error**2)


def test_a_disagreement_is_found() -> None:
    slow = sides.Figures(simulated_s=10.0, wall_s=1.0, processor_s=1.0, io_per_s=9000.0, response_ms=9.2, events=1.0)
    assert disagreements(Results([slow], peer(), {}, {}))
    assert not disagreements(Results(engine(), engine(), {}, {}))


def test_more_terminals_who_think_longer_are_the_same_load() -> None:
    rates = [terminals.run(1, total, 240.0).cycles_per_s for total in (min(terminals.TERMINALS), 10_000)]
    # Those who think 16 s notice a wait of a second or two, those who think two minutes do not.
    assert rates[1] == pytest.approx(rates[0], rel=0.1)


def test_as_many_terminals_as_a_scenario_may_have() -> None:
    most = max(terminals.TERMINALS)
    assert terminals.run(1, most, 1.0).terminals == most
