"""The benchmark's two sides are one model: they agree with each other and with theory. And more terminals with a longer
think time are the same load.
"""

from collections.abc import Callable
from functools import cache
from math import sqrt
from statistics import fmean, stdev

import pytest

from benches import dispatch_model, figure_points, peer_compiled, sides, spin_locks, terminals, virtual_processors
from benches.closed_model import AT_MOST_IO_PER_S, GUESTS, Results, disagreements

pytestmark = pytest.mark.slow


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


def counted(rate: float) -> peer_compiled.Figures:
    """A run of a compiled peer that counts this many I/Os per simulated second."""
    return peer_compiled.Figures(simulated_s=10.0, processor_s=1.0, operations_per_s=rate, cycles_per_s=rate)


def test_a_disagreement_is_found() -> None:
    slow = sides.Figures(simulated_s=10.0, wall_s=1.0, processor_s=1.0, io_per_s=9000.0, response_ms=9.2, events=1.0)
    simcore = [counted(9000.0)]
    assert disagreements(Results([slow], peer(), simcore, simcore, {}, {}))
    alike = [counted(run.io_per_s) for run in engine()]
    assert not disagreements(Results(engine(), engine(), alike, alike, {}, {}))
    assert disagreements(Results(engine(), engine(), alike, simcore, {}, {}))


def test_more_terminals_that_think_longer_are_the_same_load() -> None:
    rates = [terminals.run(1, total, 240.0).cycles_per_s for total in (min(terminals.TERMINALS), 10_000)]
    # A wait of a second or two matters beside a think time of 16 s, but not beside one of two minutes.
    assert rates[1] == pytest.approx(rates[0], rel=0.1)


def test_as_many_terminals_as_a_scenario_may_have() -> None:
    most = max(terminals.TERMINALS)
    assert terminals.run(1, most, 1.0).terminals == most


@pytest.mark.parametrize("by_hand", [False, True])
def test_the_dispatch_models_agree(by_hand: bool) -> None:
    seeds = range(1, 6)
    ours = [dispatch_model.engine(seed, 10.0) for seed in seeds]
    theirs = [dispatch_model.peer(seed, 2.0, by_hand) for seed in seeds]
    for figure in ("bursts_per_s", "dispatches_per_s"):
        mean, error = mean_and_error([getattr(run, figure) for run in ours])
        other, other_error = mean_and_error([getattr(run, figure) for run in theirs])
        assert abs(mean - other) <= 5 * sqrt(error**2 + other_error**2), figure
    mean, error = mean_and_error([run.bursts_per_s for run in ours])
    assert abs(mean - dispatch_model.BURSTS_PER_S) <= 5 * error


def test_a_dispatch_model_that_disagrees_is_found() -> None:
    good = dispatch_model.Figures(1.0, 1.0, dispatch_model.BURSTS_PER_S, 19_400.0)
    slow = dispatch_model.Figures(1.0, 1.0, 6_000.0, 18_200.0)
    assert not dispatch_model.disagreements(dispatch_model.Results([good], [good], [good], [good], [good]))
    assert len(dispatch_model.disagreements(dispatch_model.Results([slow], [good], [good], [good], [good]))) == 5


def test_the_dispatch_model_is_compared_with_each_side_by_the_medians_of_the_rounds() -> None:
    def runs(*processor_s: float) -> list[dispatch_model.Figures]:
        return [dispatch_model.Figures(1.0, busy, dispatch_model.BURSTS_PER_S, 19_400.0) for busy in processor_s]

    results = dispatch_model.Results(
        engine=runs(1.0, 1.0, 1.0),
        peer=runs(50.0, 60.0, 90.0),
        by_hand=runs(1.0, 1.0, 1.0),
        simcore=runs(1.5, 1.0, 2.0),
        flat=runs(0.25, 0.125, 0.5),
    )
    measured = list(dispatch_model.reached(results).columns[1].cells)
    assert measured == ["25", "1.50", "60.00"]


def test_more_virtual_processors_have_as_much_to_do() -> None:
    few, many = (virtual_processors.run(1, number, False, 20_000.0) for number in (104, 10_000))
    # The same per logical processor, of which there are 32 and 256.
    rates = [cost.dispatches / cost.simulated_s for cost in (few, many)]
    assert rates[1] / rates[0] == pytest.approx(256 / 32, rel=0.05)


def test_the_whole_mechanism_carries_ten_thousand_virtual_processors() -> None:
    assert virtual_processors.run(1, 10_000, True, 20_000.0).dispatches > 10_000


def test_points_of_a_figure_know_what_is_wanted_of_them() -> None:
    paths = sorted(figure_points.SCENARIOS.glob("figure*-n16-*.toml"))
    runs = [figure_points.run(path, 1, 0.2) for path in paths]
    assert runs
    for path, run in zip(paths, runs, strict=True):
        high = figure_points.wanted(path.stem) == figure_points.HIGH_TARGET
        assert (run.tv_ratio > 1.2) == high, path.stem


def test_the_load_that_spins_yields_as_often_as_the_run_it_represents() -> None:
    many = spin_locks.run(("x44", 1000), 1, 0.5)
    assert many.diagnoses_per_s == pytest.approx(48_306, rel=0.2)
    assert spin_locks.run(("x44", 0), 1, 0.2).diagnoses_per_s > 3 * many.diagnoses_per_s
