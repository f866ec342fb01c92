"""Fit the surrogate of a fleet to simulations of the engine, and write it with its error.

python -m slicewright.advise.limits.fleet.fit [DRAWS] > python/slicewright/advise/limits/fleet/surrogate.json
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from slicewright._core import __version__
from slicewright.advise.limits.fleet.design import JUDGES, LONGER, SEED, Draw, draws, simulated
from slicewright.advise.limits.fleet.network import Network, Values, fitted
from slicewright.advise.limits.fleet.surrogate import FREE, LIMITED, Loads, free_inputs, limited_inputs, of
from slicewright.advise.limits.request import PERIOD_MS
from slicewright.experiment.outcome import Array
from slicewright.experiment.simulations import processors

DRAWS, JUDGED = 9_000, 200
"""Draws that are fitted, and those that judge the fit."""
LEAST_ERROR, CLUSTERED = 0.05, 20.0
"""Of a simulation: the error below which it counts for no more, and its variance times its periods."""
FEWEST = 10
"""Throttled periods from which on their number, and the time stopped in each, are compared."""


def loads_of(rows: Sequence[dict[str, float]]) -> Loads:
    """The loads of simulated draws."""
    limit, threads, used, cpu_ms, batch, scv = (
        np.array([row[name] for row in rows]) for name in ("limit", "threads", "used", "cpu_ms", "batch", "scv")
    )
    return Loads(limit, threads, used, cpu_ms / PERIOD_MS, batch, scv)


def values_of(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Values:
    """The outputs of simulated draws, those of longer runs weighing more; no throttled period is less than one.

    What a run shows has no part in its weight: runs in which little happened by chance would count for more.
    """
    values, weights, at_most = (np.zeros((len(rows), len(names))) for _ in range(3))
    for at, row in enumerate(rows):
        periods, throttled = row["periods"], row["throttled"]
        for column, name in enumerate(names):
            if name == "throttled":
                share = min(max(throttled, 0.5) / periods, 1 - 0.5 / periods)
                values[at, column], at_most[at, column] = np.log(share / (1 - share)), throttled < 1
            elif name == "stopped":
                values[at, column] = np.log(row["stopped_ms"] / PERIOD_MS) if throttled >= FEWEST else np.nan
            else:
                values[at, column] = row[name]
            if np.isfinite(values[at, column]):
                weights[at, column] = 1 / (LEAST_ERROR**2 + CLUSTERED / periods)
    return Values(np.nan_to_num(values), weights, at_most.astype(bool))


def fit(rows: Sequence[dict[str, float]], judges: Sequence[dict[str, float]]) -> dict[str, Any]:
    """What the file of the surrogate holds: both networks, and by output the errors of draws that judge."""
    document: dict[str, Any] = {
        "made_by": "python -m slicewright.advise.limits.fleet.fit", "engine": __version__, "seed": SEED,
        "draws": len(rows), "judged": len(judges),
    }  # fmt: skip
    columns = loads_of(rows).flat()[1]
    for key, names, inputs in (("limited", LIMITED, limited_inputs), ("free", FREE, free_inputs)):
        network: Network = fitted(inputs(columns), values_of(rows, names))
        document[key] = network.document()
    document["errors"] = errors({**document, "errors": {}}, judges)
    return document


def errors(document: dict[str, Any], rows: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """By output the 68 and 95 % points of the difference between the surrogate and simulations, as logarithms.

    They have the noise of those simulations in them.  Odds of throttling are compared where periods were throttled.
    """
    made = of(document)
    loads = loads_of(rows)
    shown = made.limited(loads) | made.free(loads)
    found = {}
    for name in (*LIMITED, *FREE):
        to = values_of(rows, (name,))
        values = shown[name]
        guess = np.log(values / (1 - values)) if name == "throttled" else np.log(values)
        judged = (to.weights[:, 0] > 0) & np.array([row["throttled"] >= FEWEST for row in rows])
        off: Array = np.abs(guess - to.values[:, 0])[judged]
        found[name] = {f"{share} %": float(f"{np.quantile(off, share / 100):.3g}") for share in (68, 95)}
    return found


def main(arguments: Sequence[str]) -> None:
    """Simulate, fit, print the file; how far it is goes to standard error."""
    count = int(arguments[0]) if arguments else DRAWS
    rows = _simulated(itertools.islice(draws(), count), count)
    judges = _simulated(itertools.islice(draws(JUDGES, LONGER), JUDGED), JUDGED)
    json.dump(fit(rows, judges), sys.stdout)
    print()


def _simulated(drawn: Iterable[Draw], count: int) -> list[dict[str, float]]:
    rows: list[dict[str, float]] = []
    with ThreadPoolExecutor(processors()) as threads:
        for at, row in enumerate(threads.map(simulated, drawn), 1):
            rows.append(row)
            if at % 500 == 0:
                print(f"{at} of {count} simulated", file=sys.stderr)
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
