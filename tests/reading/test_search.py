"""The search for readings, with a model whose answers are a formula: single servers that wait for their guests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from slicewright._core import RunError
from slicewright.experiment.outcome import Array
from slicewright.reading.evidence import Evidence, Evidences, Unknown, Value, Values
from slicewright.reading.search import (
    Axis,
    Budget,
    Curves,
    Edge,
    Family,
    Seen,
    Setting,
    Why,
    corrected,
    explore,
    explore_many,
)

Load = Mapping[tuple[str, str], float | str]


def _queue(load: Load, part: str) -> float:
    """Requests that wait at a queue M/G/1 with batches (Pollaczek and Khinchine)."""
    batch, use = float(load["batch", part]), float(load["use", part])
    if use >= 1:
        raise RunError("a queue grows without bound")
    return use**2 / (1 - use) + (batch - 1) / 2 * use / (1 - use)


@dataclass
class _Servers:
    """Servers with batches of some size each; what they share is a growth of service."""

    parts: Mapping[str, float] = field(default_factory=lambda: {"A": 1.0, "B": 1.0})
    unknowns: tuple[Unknown, ...] = ()
    lacks: tuple[str, ...] = ()
    simulations: int = 0

    def families(self) -> Sequence[Family]:
        return [Family(f"batches of {size}", "batches") for size in (1, 2, 4, 8)]

    def settings(self) -> Sequence[Setting]:
        edges = (Edge("busiest", ("use",), 0.9),)
        return [
            Setting({}, edges=edges),
            Setting({("growth", ""): "some"}),
            Setting({("rule", ""): "other"}, known=True),
        ]

    def screen(self, family: Family, setting: Setting, evidence: Evidences) -> Load | None:
        size = float(family.name.split()[-1])
        start = {(name, part): value for part in self.parts for name, value in (("batch", size), ("use", 0.3))}
        return None if size == 8 else {**start, ("growth", ""): "none", ("rule", ""): "first", **setting.values}

    def counters(self, outcome: Load, evidence: Evidence) -> Array:
        self.simulations += 1
        found = [
            _queue(outcome, v.part) if v.name == "queue" else float(outcome["use", v.part]) for v in evidence.values
        ]
        return np.array([found, found])

    def correct(self, load: Load, seen: Sequence[Seen[Load]]) -> Load:
        (each,) = seen
        aimed = {value.key: value.value for value in each.evidence.values if value.name == "use"}
        return {**load, **aimed}

    def values(self, load: Load) -> Values:
        return load

    def with_values(self, load: Load, values: Values) -> Load:
        return {**load, **values}

    def burst(self, load: Load) -> float:
        return max(float(value) for (name, _), value in load.items() if name == "batch") - 1


def _simulate(load: Load, at: Mapping[str, float | str]) -> Load:
    for name, part in load:
        if name == "batch":
            _queue(load, part)
    return load


def _evidence(**batches: float) -> Evidence:
    """Servers that are half busy, with the queues of these batches."""
    values = []
    for part, batch in batches.items():
        queue = _queue({("batch", part): batch, ("use", part): 0.5}, part)
        values += [Value("use", part, 0.5, 0.005), Value("queue", part, queue, 0.005, scale=queue + 0.5)]
    return Evidence("servers", {}, 60.0, tuple(values))


def test_parts_take_the_family_that_fits_each() -> None:
    model = _Servers()
    found = explore(model, [_evidence(A=1, B=4)], Budget(), _simulate)
    first = found.accepted[0]
    assert (first.load["batch", "A"], first.load["batch", "B"], first.family.curve) == (1, 4, "batches")
    assert found.excluded == ("batches of 8",)
    assert all(trial.why is Why.MISSES for trial in found.rejected)


def test_what_is_shared_and_not_identified_stays_open() -> None:
    found = explore(_Servers(), [_evidence(A=2, B=2)], Budget(), _simulate)
    assert found.unidentified(_Servers())["growth", ""] == ("none", "some")
    assert found.unidentified(_Servers())["rule", ""] == ("first", "other")


def test_an_edge_is_a_reading_at_the_end_of_what_the_evidence_allows() -> None:
    exact = _evidence(A=2, B=2)
    loose = replace(exact, values=tuple(replace(v, rounding=1.0) if v.name == "queue" else v for v in exact.values))
    found = explore(_Servers(), [loose], Budget(), _simulate)
    (edge,) = [trial for trial in found.accepted if trial.edge]
    assert float(edge.load["use", "A"]) == pytest.approx(0.5 + 0.9 * 0.015)


def test_a_part_that_nothing_fits_is_named_and_judges_no_reading() -> None:
    found = explore(_Servers(), [_evidence(A=1, B=40)], Budget(), _simulate)
    assert found.unexplained == {"B"}
    assert found.accepted


def test_a_queue_without_bound_is_no_reading() -> None:
    full = Evidence("servers", {}, 60.0, (Value("use", "A", 1.2), Value("use", "B", 0.5)))
    found = explore(_Servers(), [full], Budget(), _simulate)
    assert not found.accepted
    trial = corrected(
        _Servers(), (Family("one"), {("batch", "A"): 1.0, ("use", "A"): 1.1}), [full], Budget(), _simulate
    )
    assert trial.why is Why.GROWS


def test_a_budget_that_is_spent_names_what_it_did_not_reach() -> None:
    found = explore(_Servers(), [_evidence(A=1, B=4)], Budget(simulations=1), _simulate)
    assert found.unreached == ("batches of 2", "batches of 4", "batches of 8")


def test_chance_of_samples_widens_what_is_allowed() -> None:
    exact = _evidence(A=1, B=1)
    sampled = replace(exact, values=tuple(replace(v, samples=30.0) if v.name == "queue" else v for v in exact.values))
    low, high = (explore(_Servers(), [each], Budget(), _simulate).accepted[0] for each in (exact, sampled))
    of = {miss.value.key: miss for miss in high.misses}["queue", "A"]
    assert of.allowed > {miss.value.key: miss for miss in low.misses}["queue", "A"].allowed


def test_one_unknown_is_found_by_bracketing() -> None:
    size = Unknown("batch", "A", 1.0, 64.0, "requests", "log")
    model, family = _Servers(parts={"A": 1.0}), Family("any batch", axis=Axis(size, ("queue", "A"), 1.0))
    start = {("batch", "A"): 1.0, ("use", "A"): 0.5}
    trial = corrected(model, (family, start), [_evidence(A=11)], Budget(steps=12), _simulate)
    assert float(trial.load["batch", "A"]) == pytest.approx(11, rel=0.03)


def test_many_subjects_are_read_from_curves_of_a_surrogate() -> None:
    steps = np.arange(5.0)
    throttled = Curves(np.array([steps, steps]), np.array([1.5, 9.0]), np.array([0.5, 0.5]))
    stopped = Curves(np.array([2 * steps, 2 * steps]), np.array([3.5, 3.5]), np.array([1.0, 1.0]))
    found = explore_many({"throttled": throttled, "stopped": stopped}, "throttled")
    assert found.met.tolist() == [1.5, 4.0]
    assert (found.low[0], found.high[0]) == (1.0, 2.0)
    assert found.off["stopped"].tolist() == [-0.5, 4.5]
    assert found.off["throttled"].tolist() == [0.0, -10.0]
