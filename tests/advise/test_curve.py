"""Are knees, ranges, grown loads and the closed formula right, on numbers that can be checked by hand?"""

from __future__ import annotations

import numpy as np
import pytest
from slicewright.advise.aliases.answer import compare
from slicewright.advise.aliases.curve import Curve, band, knee
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.target import Target
from slicewright.reading.pool import Load, Sample, VolumeLoad, concurrency, throughput


def sample(response: float, replications: int = 4) -> Sample:
    """One volume whose replications differ by a thousandth, alike at every alias count."""
    noise = 1 + 0.001 * np.arange(replications, dtype=np.float64)[:, None]
    rate = np.full((replications, 1), 1000 / response)
    return Sample(
        rate,
        0 * rate,
        rate * 0,
        rate * 0 + 1,
        np.asarray(response * noise, dtype=np.float64),
        np.full(replications, 0.5),
        np.full(replications, 0.1),
        None,
    )


def curve(*responses: float) -> Curve:
    """A curve that has these responses with 0, 1, 2, ... aliases and the last for ever."""
    return Curve("made", lambda aliases: sample(responses[aliases]), len(responses) - 1)


def test_the_knee_is_the_first_within_the_limit() -> None:
    found = knee(curve(4.0, 3.0, 1.06, 1.04, 1.0, 1.0), 5)
    assert (found.aliases, found.clear) == (3, True)
    assert found.excess.mean == pytest.approx(0.04)
    assert knee(curve(4.0, 3.0, 1.06, 1.04, 1.0, 1.0), 10).aliases == 2
    assert knee(curve(1.0, 1.0), 5).aliases == 0


def test_the_range_is_over_curves_and_the_half_width_is_not() -> None:
    main, other = curve(4.0, 2.0, 2.0), curve(4.0, 1.0, 1.0)
    point = band(main, [main, other], 1)
    row = point.as_json()
    assert row["response_ms"] == pytest.approx(2.003)
    assert row["response_ms_low"] == pytest.approx(1.0015)
    assert row["response_ms_high"] == pytest.approx(2.003)
    assert 0 < float(row["response_ms_half_width"] or 0) < 0.01


def test_the_recommendation_is_the_main_knee_and_the_range_is_of_all() -> None:
    main, other = curve(4.0, 3.0, 2.0, 1.02, 1.0), curve(2.0, 1.0, 1.0, 1.0, 1.0)
    found = compare([main, other], AliasRequest(target=Target("response_ms", "<=", 2.5)), (0, 3), 0.0)
    assert (found.recommendation.aliases, found.recommendation.low, found.recommendation.high) == (3, 1, 3)
    assert found.target is not None
    assert (found.target.aliases, found.target.low, found.target.high) == (2, 0, 2)


def load(*populations: int) -> Load:
    volumes = tuple(
        VolumeLoad(f"V{at}", f"100{at}", "3390-3", count, 100.0, 1.0, 0.2, 0.2, 0.9)
        for at, count in enumerate(populations)
    )
    return Load("made", "P", volumes, 0.05, 2.0, "assumed", "none", False, 4)


def test_growth_of_demand_keeps_the_exact_total() -> None:
    assert load(3, 3, 3, 3).grown(1.2).population == 14
    assert load(1, 1, 1, 1, 1).grown(1.2).population == 6
    assert load(3, 3).grown(1.0) == load(3, 3)
    assert load(0).grown(1.5).volumes[0].io_per_s == pytest.approx(150)


def test_every_request_but_one_per_volume_can_use_an_alias() -> None:
    assert concurrency(load(3, 1, 2)) == 3
    assert concurrency(load(3, 0)) is None


@pytest.mark.parametrize("servers", [1, 2, 3])
def test_the_closed_formula_is_exact_for_exponential_service(servers: int) -> None:
    """Against the machine-repairman sum written out (Kleinrock, Queueing Systems I, section 3.8)."""
    population, think, service = 3, 2.0, 1.5
    weights = [1.0]
    for busy in range(1, population + 1):
        arrive, serve = (population - busy + 1) / think, min(busy, servers) / service
        weights.append(weights[-1] * arrive / serve)
    expected = 1000 * sum(w * min(k, servers) / service for k, w in enumerate(weights)) / sum(weights)
    found = throughput(np.array(3.0), np.array(float(servers)), np.array(think), np.array(service))
    assert float(found) == pytest.approx(expected)
