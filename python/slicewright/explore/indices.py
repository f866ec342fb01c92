"""Which inputs of a function move its result: Morris screening, then Sobol indices for those that matter (SALib)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from SALib.analyze import morris as morris_analysis
from SALib.analyze import sobol as sobol_analysis
from SALib.sample import morris as morris_sample
from SALib.sample import sobol as sobol_sample

from slicewright._core import student_t
from slicewright.explore.guesses import SEEDS
from slicewright.statistics import Estimate, estimate
from slicewright.values.progress import Progress, silent

Array = npt.NDArray[np.float64]
_Model = Callable[[Array, int, Progress], Array]
"""Settings (a row each; each input from 0 to 1 of its band), and how many seeds: answers, a row per seed.

All settings of a seed have common random numbers.  NaN where a setting has no answer.
"""

_LEVELS = 4
"""Values of each input in the screening (Morris 1991)."""
_SEED = 1
"""Of the designs, so that the same inputs have the same settings."""
_INDEXED_SEEDS = 2
"""Of Sobol indices, whose settings are many."""
_MATTERS = 0.1
"""ASSUME: inputs with at least this share of the largest effect have Sobol indices."""
_MOST = 6
"""Inputs that have Sobol indices at most."""


_OVERDRAWN = (10, 4)
"""ASSUME: trajectories and blocks drawn for each that is wanted, as some have settings that are not allowed."""

_Allowed = Callable[[Array], bool]
"""Whether a setting has an answer at all."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is simulated: trajectories of the screening, and samples of each matrix of Saltelli's design.

    >>> Effort(trajectories=4).settings(3)
    23
    """

    trajectories: int = 6
    samples: int = 64
    """A power of two."""

    def settings(self, inputs: int) -> int:
        """Settings of the ends and of the screening."""
        return 1 + 2 * inputs + self.trajectories * (inputs + 1)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one input on the answer, in the units of the answer.

    `low` and `high` are the answer at the ends of the band minus the answer as it is, paired by seed.  `mean` is the
    mean absolute elementary effect over the whole band (mu* of Campolongo, Cariboni and Saltelli 2007), `spread` the
    standard deviation of elementary effects: large where the input interacts or bends.  `noise` is what an input
    without any effect would show with a probability of 5 %.
    """

    low: Estimate
    high: Estimate
    mean: float
    spread: float
    noise: float

    @property
    def distinguishable(self) -> bool:
        """Whether the effect is more than noise."""
        return self.mean > self.noise

    @property
    def none(self) -> bool:
        """Whether no setting showed any difference, in any digit."""
        return self.mean == 0 and self.low.mean == 0 and self.high.mean == 0


@dataclass(frozen=True, slots=True)
class Share:
    """An input's shares of the variance of the answer, with half of their 95 % intervals over the sample.

    `first` is its share alone, `total` its share with all that it has in common with other inputs.
    """

    first: Estimate
    total: Estimate


@dataclass(frozen=True)
class Found:
    """The answer as it is, effects and shares by place of the input, and what the designs lost.

    `noise_share` is the share of the variance among Sobol settings that is noise.
    """

    now: Estimate
    effects: tuple[Effect, ...]
    shares: dict[int, Share] = field(default_factory=dict)
    noise_share: float = 0.0
    trajectories: tuple[int, int] = (0, 0)
    """Complete trajectories, and those that were wanted."""
    samples: tuple[int, int] = (0, 0)
    """Complete blocks of Saltelli's design, and those that were wanted."""

    @property
    def noise(self) -> float:
        """The noise floor: the largest of the inputs."""
        return max((effect.noise for effect in self.effects), default=0.0)

    @property
    def ranked(self) -> list[int]:
        """The places of the inputs, the largest effect first."""
        return sorted(range(len(self.effects)), key=lambda at: (-self.effects[at].mean, at))


def explore(
    model: _Model,
    now: Sequence[float],
    effort: Effort,
    allowed: _Allowed = lambda setting: True,
    progress: Progress = silent,
) -> Found:
    """The effect of each input of a function on its answer.

    `now` is the place of each input in its band as it is, 0 to 1.  Trajectories and blocks with a setting that is not
    allowed are not simulated; others take their places.

    >>> def plane(settings, seeds, progress):
    ...     return np.tile(3 * settings[:, 0] + settings[:, 1], (seeds, 1))
    >>> found = explore(plane, (0.5, 0.5, 0.5), Effort(trajectories=2, samples=64))
    >>> [round(effect.mean, 6) for effect in found.effects], [effect.none for effect in found.effects]
    ([3.0, 1.0, 0.0], [False, False, True])
    >>> [round(share.total.mean, 1) for share in found.shares.values()]
    [0.9, 0.1]
    """
    here = np.asarray(now, dtype=float)
    inputs = len(here)
    names = _problem(range(inputs))
    drawn = morris_sample.sample(names, _OVERDRAWN[0] * effort.trajectories, num_levels=_LEVELS, seed=_SEED)
    paths = _taken(np.asarray(drawn).reshape(-1, inputs + 1, inputs), effort.trajectories, allowed)
    ends = _ends(here)
    possible = np.array([allowed(setting) for setting in ends])
    screening = effort.settings(inputs) * SEEDS
    part = screening / (screening + effort.samples * (min(inputs, 4) + 2) * _INDEXED_SEEDS)
    settings = np.vstack([ends[possible], paths.reshape(-1, inputs)])
    answers = model(settings, SEEDS, lambda share: progress(share * part))
    at_ends = np.full((SEEDS, len(ends)), np.nan)
    at_ends[:, possible] = answers[:, : possible.sum()]
    mean, spread, noise, complete = _screened(names, paths, answers[:, possible.sum() :])
    effects = tuple(
        Effect(
            _difference(at_ends, 1 + 2 * at), _difference(at_ends, 2 + 2 * at),
            float(mean[at]), float(spread[at]), float(noise[at]),
        )
        for at in range(inputs)
    )  # fmt: skip
    found = Found(estimate(at_ends[:, 0].tolist()), effects, trajectories=(complete, effort.trajectories))
    chosen = _mattering(found)
    if len(chosen) > 1:
        blocks = _blocks(here, chosen, effort.samples, allowed)
        found = _indexed(
            found, chosen, model(blocks, _INDEXED_SEEDS, lambda share: progress(part + share * (1 - part)))
        )
        found = replace(found, samples=(found.samples[0], effort.samples))
    progress(1.0)
    return found


def _problem(inputs: Sequence[int]) -> dict[str, Any]:
    """The inputs as SALib takes them, each from 0 to 1."""
    return {"num_vars": len(inputs), "names": [f"x{at}" for at in inputs], "bounds": [[0, 1]] * len(inputs)}


def _taken(groups: Array, wanted: int, allowed: _Allowed) -> Array:
    """The first groups of settings all of which are allowed."""
    found: list[Array] = []
    for group in groups:
        if len(found) < wanted and all(allowed(setting) for setting in group):
            found.append(group)
    return np.array(found).reshape(-1, *groups.shape[1:])


def _ends(here: Array) -> Array:
    """The setting as it is, then each input at the low and at the high end of its band alone."""
    settings = np.tile(here, (1 + 2 * len(here), 1))
    for at in range(len(here)):
        settings[1 + 2 * at, at], settings[2 + 2 * at, at] = 0.0, 1.0
    return settings


def _difference(ends: Array, at: int) -> Estimate:
    differences = ends[:, at] - ends[:, 0]
    return estimate(differences.tolist() if np.isfinite(differences).all() else [])


def _screened(names: dict[str, Any], paths: Array, answers: Array) -> tuple[Array, Array, Array, int]:
    """mu*, sigma and noise of each input, and how many trajectories are complete."""
    inputs = names["num_vars"]
    seen = answers.reshape(len(answers), -1, inputs + 1)
    complete = np.isfinite(seen).all(axis=(0, 2))
    paths, seen = paths[complete], seen[:, complete]
    if len(paths) == 0:
        unknown = np.full(inputs, np.nan)
        return unknown, unknown, unknown, 0
    steps = np.diff(paths, axis=1)
    moved = np.abs(steps).argmax(axis=2)
    slopes = np.diff(seen, axis=2) / np.take_along_axis(steps, moved[:, :, None], axis=2)[:, :, 0]
    by_input = np.empty((len(seen), len(paths), inputs))  # seeds, trajectories, inputs
    for path, order in enumerate(moved):
        by_input[:, path, order] = slopes[:, path]
    # Pooled over trajectories.  An elementary effect of noise alone is below this with a probability of 95 %.  So is
    # their mean, even where random numbers in common turn the noise of all trajectories one way.
    degrees = len(paths) * (len(seen) - 1)
    variance = by_input.var(axis=0, ddof=1).mean(axis=0) / len(seen)
    noise = student_t(degrees) * np.sqrt(variance)
    if len(paths) == 1:  # SALib takes a spread of two at least
        return np.abs(by_input.mean(axis=0)[0]), np.zeros(inputs), noise, 1
    kept = paths.reshape(-1, inputs)
    result = morris_analysis.analyze(names, kept, seen.mean(axis=0).ravel(), num_levels=_LEVELS, seed=_SEED)
    return np.asarray(result["mu_star"], float), np.asarray(result["sigma"], float), noise, len(paths)


def _mattering(found: Found) -> list[int]:
    """The inputs whose effect is more than noise and not small beside the largest, in their order."""
    most = max((effect.mean for effect in found.effects if effect.distinguishable), default=0.0)
    wanted = [
        at for at in found.ranked if found.effects[at].distinguishable and found.effects[at].mean >= _MATTERS * most
    ]
    return sorted(wanted[:_MOST])


def _blocks(here: Array, chosen: Sequence[int], wanted: int, allowed: _Allowed) -> Array:
    """The settings of Saltelli's design over the chosen inputs; the others stay as they are."""
    many = _OVERDRAWN[1] * wanted
    drawn = np.asarray(sobol_sample.sample(_problem(chosen), many, calc_second_order=False, seed=_SEED))
    settings = np.tile(here, (len(drawn), 1))
    settings[:, chosen] = drawn
    return _taken(settings.reshape(-1, len(chosen) + 2, len(here)), wanted, allowed).reshape(-1, len(here))


def _indexed(found: Found, chosen: Sequence[int], seen: Array) -> Found:
    """The same with Sobol indices of the chosen inputs."""
    blocks = seen.reshape(len(seen), -1, len(chosen) + 2)
    complete = np.isfinite(blocks).all(axis=(0, 2))
    blocks = blocks[:, complete]
    count = int(complete.sum())
    answers = blocks.mean(axis=0).ravel()
    if count < 2 or answers.std() == 0:
        return replace(found, samples=(count, count))
    result = sobol_analysis.analyze(_problem(chosen), answers, calc_second_order=False, seed=_SEED)
    shares = {
        at: Share(
            Estimate(float(result["S1"][place]), float(result["S1_conf"][place]), count),
            Estimate(float(result["ST"][place]), float(result["ST_conf"][place]), count),
        )
        for place, at in enumerate(chosen)
    }
    # Noise that all settings of a seed have in common moves none against another, and is no part of it.
    centred = blocks - blocks.mean(axis=(1, 2), keepdims=True)
    noise = float(centred.var(axis=0, ddof=1).mean() / len(seen) / answers.var())
    return replace(found, shares=shares, noise_share=noise, samples=(count, count))
