"""A small network of two layers of tanh: a smooth function of several numbers, fitted to noisy values of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from slicewright.experiment.outcome import Array

UNITS = 48
"""Units of each of the two layers."""
STEPS, RATE, DECAY = 6_000, 4e-3, 0.05
"""Steps of the fit, its first step size, and the decay of weights."""
BATCH = 512
FIRST, SECOND = 0.9, 0.999
"""Decay of the moments (Kingma and Ba, Adam, 2015)."""


@dataclass(frozen=True)
class Network:
    """Weights, and the means and spreads that inputs and outputs are scaled by.

    >>> inputs = np.linspace(-1, 1, 40)[:, None]
    >>> network = fitted(inputs, Values(inputs**2, np.ones((40, 1)), np.zeros((40, 1), dtype=bool)), steps=2000)
    >>> bool(abs(network(np.array([[0.5]]))[0, 0] - 0.25) < 0.05)
    True
    """

    layers: Sequence[tuple[Array, Array]]
    inputs: tuple[Array, Array]
    outputs: tuple[Array, Array]

    def __call__(self, rows: Array) -> Array:
        """The outputs of each row of inputs."""
        values = (rows - self.inputs[0]) / self.inputs[1]
        for weights, bias in self.layers[:-1]:
            values = values @ weights
            values += bias
            np.tanh(values, out=values)
        weights, bias = self.layers[-1]
        found = values @ weights + bias
        return np.asarray(found * self.outputs[1] + self.outputs[0])

    def document(self) -> dict[str, Any]:
        """The network as an object for a file."""
        return {
            "layers": [{"weights": _rounded(weights), "bias": _rounded(bias)} for weights, bias in self.layers],
            "inputs": [_rounded(each) for each in self.inputs], "outputs": [_rounded(each) for each in self.outputs],
        }  # fmt: skip

    @classmethod
    def of(cls, document: dict[str, Any]) -> Network:
        """The network of such an object."""
        layers = [(np.array(layer["weights"]), np.array(layer["bias"])) for layer in document["layers"]]
        inputs, outputs = (tuple(np.array(each) for each in document[name]) for name in ("inputs", "outputs"))
        return cls(layers, (inputs[0], inputs[1]), (outputs[0], outputs[1]))


@dataclass(frozen=True)
class Values:
    """Values to fit, each with its weight (0: not known); of those `at_most`, the true value is that or less."""

    values: Array
    weights: Array
    at_most: np.typing.NDArray[np.bool_]


def fitted(inputs: Array, to: Values, steps: int = STEPS, seed: int = 1) -> Network:
    """The network that fits weighted values best; the same for the same seed."""
    stream = np.random.default_rng(seed)
    known = to.weights > 0
    means = np.array([column[mask].mean() for column, mask in zip(to.values.T, known.T, strict=True)])
    spreads = np.array([column[mask].std() for column, mask in zip(to.values.T, known.T, strict=True)])
    spreads = np.where(spreads > 0, spreads, 1.0)
    scale = inputs.mean(axis=0), np.where(inputs.std(axis=0) > 0, inputs.std(axis=0), 1.0)
    rows = (inputs - scale[0]) / scale[1]
    wanted = np.where(known, (to.values - means) / spreads, 0.0)
    # A value that is known to this spread has weight 1; no value counts for more than its neighbours by far.
    weights = to.weights / np.array([column[mask].mean() for column, mask in zip(to.weights.T, known.T, strict=True)])
    sizes = (inputs.shape[1], UNITS, UNITS, to.values.shape[1])
    parts = [stream.normal(0, 1 / np.sqrt(low), (low, high)) for low, high in pairwise(sizes)]
    parameters = [part for weight in parts for part in (weight, np.zeros(weight.shape[1]))]
    first, second = ([np.zeros_like(each) for each in parameters] for _ in range(2))
    for step in range(1, steps + 1):
        chosen = stream.integers(0, len(rows), min(BATCH, len(rows)))
        slopes = _slopes(parameters, rows[chosen], Values(wanted[chosen], weights[chosen], to.at_most[chosen]))
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for at, slope in enumerate(slopes):
            first[at] = FIRST * first[at] + (1 - FIRST) * slope
            second[at] = SECOND * second[at] + (1 - SECOND) * slope**2
            move = first[at] / (1 - FIRST**step) / (np.sqrt(second[at] / (1 - SECOND**step)) + 1e-8)
            parameters[at] = parameters[at] - rate * (move + DECAY * parameters[at])
    layers = [(parameters[at], parameters[at + 1]) for at in range(0, len(parameters), 2)]
    return Network(layers, scale, (means, spreads))


def _slopes(parameters: Sequence[Array], rows: Array, to: Values) -> list[Array]:
    """Slopes of half the mean weighted square of the error, by each parameter."""
    levels = [rows]
    for at in range(0, len(parameters) - 2, 2):
        levels.append(np.tanh(levels[-1] @ parameters[at] + parameters[at + 1]))
    off = levels[-1] @ parameters[-2] + parameters[-1] - to.values
    off = np.where(to.at_most & (off < 0), 0.0, off)
    back = to.weights * off / len(rows)
    found: list[Array] = []
    for at in range(len(parameters) - 2, -1, -2):
        level = levels[at // 2]
        found = [level.T @ back, back.sum(axis=0), *found]
        if at:
            back = (back @ parameters[at].T) * (1 - level**2)
    return found


def _rounded(values: Array) -> list[Any]:
    return [[float(f"{each:.6g}") for each in row] for row in values] if values.ndim == 2 else [
        float(f"{each:.6g}") for each in values
    ]  # fmt: skip
