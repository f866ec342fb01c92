"""Are effects and indices those that are known, where the model is a function or a queue with an exact answer?"""

from __future__ import annotations

import numpy as np
import pytest
from slicewright.explore.indices import Array, Effort, Found, explore
from slicewright.values.progress import Progress

# Ishigami and Homma (1990) with a = 7 and b = 0.1: shares alone and in all, exact.
ALONE, IN_ALL = (0.3139, 0.4424, 0.0), (0.5576, 0.4424, 0.2437)


def ishigami(noise: float, own: float) -> Found:
    """The function over its cube, with a fourth input that it does not have.

    Of each seed, `noise` is of each setting by itself, `own` is the same in all settings.
    """
    generator = np.random.default_rng(3)

    def model(settings: Array, seeds: int, progress: Progress) -> Array:
        x = np.pi * (2 * settings - 1)
        exact = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
        offsets = own * np.arange(seeds)[:, None]
        return np.asarray(exact + noise * generator.standard_normal((seeds, len(x))) + offsets)

    return explore(model, (0.5,) * 4, Effort(trajectories=8, samples=1024))


def test_indices_of_a_known_function_are_found() -> None:
    found = ishigami(0.0, 0.0)
    assert sorted(found.shares) == [0, 1, 2]
    for at, share in found.shares.items():
        assert share.first.mean == pytest.approx(ALONE[at], abs=0.04)
        assert share.total.mean == pytest.approx(IN_ALL[at], abs=0.04)
    assert found.effects[3].none
    assert found.noise == 0


def test_an_input_of_noise_alone_is_not_distinguished() -> None:
    found = ishigami(0.3, 0.0)
    assert [effect.distinguishable for effect in found.effects] == [True, True, True, False]
    assert 0 < found.effects[3].mean < found.effects[3].noise
    assert not found.effects[3].none
    # Two seeds: the noise of their mean is half of .09, beside a variance of 13.8.
    assert found.noise_share == pytest.approx(0.045 / 13.89, rel=0.3)


def test_noise_that_settings_have_in_common_is_none() -> None:
    found = ishigami(0.0, 5.0)
    assert found.now.half_width > 1
    assert found.noise < 1e-9
    assert found.noise_share < 1e-9


def test_effects_of_a_plane_are_its_slopes() -> None:
    slopes = np.array([4.0, -2.0, 0.1])

    def model(settings: Array, seeds: int, progress: Progress) -> Array:
        return np.tile(settings @ slopes, (seeds, 1))

    found = explore(model, (0.25, 0.5, 0.5), Effort(trajectories=3, samples=64))
    assert [effect.mean for effect in found.effects] == pytest.approx([4.0, 2.0, 0.1])
    assert (found.effects[0].low.mean, found.effects[0].high.mean) == pytest.approx((-1.0, 3.0))
    assert found.ranked == [0, 1, 2]
    assert sorted(found.shares) == [0, 1]


def test_settings_that_are_not_allowed_are_never_asked_for() -> None:
    asked: list[Array] = []

    def allowed(setting: Array) -> bool:
        return bool(setting.sum() < 1.5)

    def model(settings: Array, seeds: int, progress: Progress) -> Array:
        asked.extend(settings)
        return np.tile(settings.sum(axis=1), (seeds, 1))

    found = explore(model, (0.5, 0.5), Effort(trajectories=4, samples=32), allowed)
    assert all(allowed(setting) for setting in asked)
    assert found.trajectories == (4, 4)
    assert found.samples == (32, 32)
    assert np.isfinite(found.effects[0].low.mean)


def test_a_trajectory_without_an_answer_is_left_out() -> None:
    def model(settings: Array, seeds: int, progress: Progress) -> Array:
        answers = np.tile(settings.sum(axis=1), (seeds, 1))
        answers[:, -1] = np.nan
        return answers

    found = explore(model, (0.5, 0.5), Effort(trajectories=4, samples=32))
    assert found.trajectories == (3, 4)
    assert [effect.mean for effect in found.effects] == pytest.approx([1.0, 1.0])
    assert found.samples == (31, 32)
