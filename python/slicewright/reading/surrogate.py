"""A surrogate of the engine: what limits do to loads, from small networks that were fitted to simulations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.reading.cgroup import LATENCY


@dataclass(frozen=True)
class Network:
    """Weights, and the means and spreads that inputs and outputs are scaled by."""

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

    @classmethod
    def of(cls, document: dict[str, Any]) -> Network:
        """The network of such an object."""
        layers = [(np.array(layer["weights"]), np.array(layer["bias"])) for layer in document["layers"]]
        inputs, outputs = (tuple(np.array(each) for each in document[name]) for name in ("inputs", "outputs"))
        return cls(layers, (inputs[0], inputs[1]), (outputs[0], outputs[1]))


LUMPS, BATCHES = (0.01, 6.0), (1.0, 40.0)
"""Ranges of the simulated loads: lumps of work over the quota, and requests in a batch."""
_FILE = "surrogate.json"
LIMITED = ("throttled", "stopped", *(f"ratio_{name}" for name in LATENCY))
FREE = tuple(f"free_{name}" for name in LATENCY)
"""Outputs: logarithms of odds of a throttled period, of stopped time in periods, and of latencies (`design`)."""
_CHUNK = 50_000
"""Rows that are evaluated at a time: what they need stays in the caches."""


@dataclass(frozen=True)
class Loads:
    """Loads under limits, as arrays that broadcast: times are in periods of the limit, `used` is of the limit."""

    limit: Array
    threads: Array
    used: Array
    cpu: Array
    batch: Array
    scv: Array

    def flat(self) -> tuple[tuple[int, ...], list[Array]]:
        """The common shape, and every array in one row of it."""
        whole = np.broadcast_arrays(*(getattr(self, name) for name in self.__dataclass_fields__))
        return whole[0].shape, [np.asarray(each, dtype=np.float64).ravel() for each in whole]


@dataclass(frozen=True)
class Surrogate:
    """Both networks; `errors` are by output the 68 and 95 % points of what held-out simulations differed."""

    limits: Network
    free_of_it: Network
    errors: Mapping[str, tuple[float, float]]
    draws: int
    engine: str

    def limited(self, loads: Loads) -> dict[str, Array]:
        """Shares of periods throttled, processor periods stopped in each, and by latency the ratio to no limit.

        A limit of as many processors as there are threads throttles nothing.
        """
        shape, columns = loads.flat()
        rows = _evaluated(self.limits, columns, limited_inputs)
        never = columns[0] >= columns[1] * (1 + 1e-9)
        found = {"throttled": np.where(never, 0.0, 1 / (1 + np.exp(-rows[:, 0])))}
        found["stopped"] = np.where(never, 0.0, np.exp(rows[:, 1]))
        for at, name in enumerate(LIMITED[2:], 2):
            found[name] = np.where(never, 1.0, np.exp(np.maximum(rows[:, at], 0.0)))
        return {name: values.reshape(shape) for name, values in found.items()}

    def free(self, loads: Loads) -> dict[str, Array]:
        """Latencies without a limit, in CPU times of a request."""
        shape, columns = loads.flat()
        rows = _evaluated(self.free_of_it, columns, free_inputs)
        return {name: np.exp(rows[:, at]).reshape(shape) for at, name in enumerate(FREE)}

    def error(self, name: str) -> float:
        """The error of an output, as the logarithm that 95 % of held-out simulations differed less by."""
        return self.errors[name][1]


def limited_inputs(columns: list[Array]) -> Array:
    """Inputs of the network under a limit: logarithms of what is dimensionless."""
    limit, threads, used, cpu, batch, scv = columns
    used = np.clip(used, 0.01, 0.98)
    lump = np.maximum(cpu * (2 * batch - 1 + scv) / limit, 1e-6)
    # Room in standard deviations of a period's work, and in units of how fast a long queue shortens.
    room, relaxes = np.minimum((1 - used) / np.sqrt(used * lump), 6), np.minimum(2 * (1 - used) / lump, 10)
    return np.stack(
        [
            np.log(limit), np.log(threads), used, np.log(used), np.log(1 - used), np.log(cpu), np.log(batch),
            np.log(lump), np.log(scv + 0.3), room, relaxes, np.log(relaxes), np.log(threads / limit),
            np.log(np.maximum(np.minimum(threads, batch) / limit, 0.2)), np.sqrt(np.minimum(cpu / limit, 5)),
        ],
        axis=1,
    )  # fmt: skip


def free_inputs(columns: list[Array]) -> Array:
    """Inputs of the network without a limit."""
    limit, threads, used, cpu, batch, scv = columns
    busy = np.clip(used * limit / threads, 1e-4, 0.98)
    return np.stack(
        [
            np.log(threads), busy, np.log(busy), np.log(1 - busy), np.log(cpu), np.log(batch),
            np.log(batch / threads), np.log(scv + 0.3),
        ],
        axis=1,
    )  # fmt: skip


@cache
def surrogate() -> Surrogate:
    """The surrogate that is shipped."""
    return of(json.loads(files(__package__).joinpath(_FILE).read_text("utf-8")))


def of(document: Mapping[str, Any]) -> Surrogate:
    """The surrogate of what its file holds."""
    errors = {name: (each["68 %"], each["95 %"]) for name, each in document["errors"].items()}
    limits, free = (Network.of(document[name]) for name in ("limited", "free"))
    return Surrogate(limits, free, errors, document["draws"], document["engine"])


def _evaluated(network: Network, columns: list[Array], inputs: Any) -> Array:
    size = len(columns[0])
    found = np.empty((size, len(network.outputs[0])), dtype=np.float64)
    for start in range(0, size, _CHUNK):
        part = slice(start, start + _CHUNK)
        found[part] = network(inputs([column[part] for column in columns]))
    return np.asarray(found, dtype=np.float64)
