"""Is the chance of what was measured that of a mean over as long a time, beside the mean of some replications?"""

from __future__ import annotations

import numpy as np
import pytest
from slicewright.reading.accept import SURE, chance_of_blocks

DRAWS, RUNS = 4000, 12


@pytest.mark.parametrize("longer", [0.5, 1.0, 4.0])
def test_a_measurement_lies_within_the_chance_of_blocks_as_often_as_two_standard_errors_say(longer: float) -> None:
    stream = np.random.default_rng(7)
    measured = stream.normal(10.0, 3.0 / np.sqrt(longer), DRAWS)
    runs = stream.normal(10.0, 3.0, (RUNS, DRAWS))
    within = np.mean(np.abs(runs.mean(axis=0) - measured) <= chance_of_blocks(runs, longer))
    # Student's t with 11 degrees of freedom is within 2 in 92.9 %.
    assert SURE == 2.0
    assert within == pytest.approx(0.929, abs=3 * np.sqrt(0.929 * 0.071 / DRAWS))


def test_a_longer_measurement_leaves_less_to_chance() -> None:
    runs = np.array([[1.0], [2.0], [4.0], [3.0]])
    chances = [float(chance_of_blocks(runs, longer)[0]) for longer in (0.5, 1.0, 8.0, 1e9)]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] == pytest.approx(SURE * np.std(runs, ddof=1) / 2)
