"""Are the numbers of all commands rows of one frame?"""

from __future__ import annotations

from typing import Any

import pytest
from slicewright.results.frame import COLUMNS, Framed

from tests.choose.example import cheapest
from tests.live.examples import hooks_result, locks_result, reads_result, slices_result, throttling_result
from tests.sensitivity.example import small as guessed
from tests.sweep.example import small as swept


def rows(result: Framed, **named: Any) -> list[dict[str, Any]]:
    """The rows with these cells."""
    frame = result.results
    assert tuple(frame.columns) == COLUMNS
    return frame.filter(**named).to_dicts()


def test_a_sweep_has_a_variant_for_each_point() -> None:
    found = rows(swept(), subject="system", counter="response_ms")
    assert [row["variant"] for row in found] == ["aliases 0", "aliases 8"]
    points = swept().points
    assert [row["mean"] for row in found] == points["system.response_ms"].to_list()
    assert [row["half_width"] for row in found] == points["system.response_ms_half_width"].to_list()
    assert {row["unit"] for row in found} == {"ms"}


def test_a_choice_has_cost_and_constraints_of_every_setting() -> None:
    assert [row["mean"] for row in rows(cheapest(), counter="cost")] == [0.0, 4.0, 8.0]
    first, *_ = rows(cheapest(), counter="response_ms", variant="aliases 4")
    assert (first["mean"], first["unit"]) == (cheapest().answer.candidates[1].measured[0].mean, "ms")


def test_a_sensitivity_has_both_ends_of_each_band() -> None:
    now, *ends = rows(guessed(), counter="response_ms")
    assert (now["variant"], now["mean"]) == ("", guessed().answer.found.now.mean)
    effects = guessed().effects.to_dicts()
    expected = [row[f"response_ms_{end}"] for row in effects for end in ("low", "high")]
    assert [row["mean"] for row in ends] == pytest.approx(expected)
    assert ends[0]["variant"] == f'{effects[0]["key"]}="400/s"'


@pytest.mark.parametrize(
    ("result", "subject", "counter", "live", "simulated"),
    [
        (locks_result(), "method futex, hogs 0, hold_us 20.0", "wait_us", 4900.0, 8000.0),
        (reads_result(), "load limit, depth 32", "p99_ms", 92.0, 125.0),
        (hooks_result(), "order list, rules 0, filters 2", "added_ns", 108.0, 106.0),
        (slices_result(), "case uniform, slice_ms 30.0, wait_ms 9.0", "late_ms", 7.75, 7.65),
        (throttling_result(), "sleep_ms 10.0", "nr_throttled", 95.0, 95.0),
    ],
    ids=["yields", "io", "hooks", "slices", "throttling"],
)
def test_a_live_result_has_live_and_simulated_values(
    result: Framed, subject: str, counter: str, live: float, simulated: float
) -> None:
    found = {row["variant"]: row["mean"] for row in rows(result, subject=subject, counter=counter)}
    assert found == pytest.approx({"live": live, "simulated": simulated})
