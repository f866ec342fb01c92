"""Is a window of a recorded timeline exact where it has spans, and are its summaries the sums of spans?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import slicewright
from slicewright._core import InputError, starter
from slicewright.cli.simulate import timeline_json as as_json
from slicewright.serve.tasks import Reporter
from slicewright.serve.timelines import _record
from slicewright.timeline.kept import Asked, Kept, _levels, _row_of, keep

from benches.page_timeline import LENGTH_US, synthetic

Recorder = Callable[..., Kept]
ALL = range(1_000)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """Records a scenario's text and opens what was recorded."""

    def of(text: str, **ends: str) -> Kept:
        into = tmp_path_factory.mktemp("timelines") / "one"
        _record(Reporter(1, lambda job, kind, value: None), str(into), {"text": text}, **ends)
        return Kept(into)

    return of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Ten thousand spans on eight lanes, and as many waits."""
    folder = tmp_path_factory.mktemp("synthetic")
    keep(synthetic(10_000, 8, 10_000), folder, {"name": "synthetic"}, lambda share: None)
    return Kept(folder)


def _asked(kept: Kept, from_us: float, to_us: float, pixels: int = 4096) -> Asked:
    return Asked(from_us, to_us, pixels, range(len(kept.lanes)))


def _rows(kept: Kept, table: str, asked: Asked) -> list[dict[str, Any]]:
    """The rows of a window in the form of `slicewright trace --format json`."""
    found = []
    for number in kept.window(asked)[table]["number"]:
        row = _row_of(kept, table, int(number))
        lane = kept.lanes[row.pop("lane")]
        beyond = row["to_us"] is None or row["to_us"] > asked.to_us
        row |= {"to_us": None if beyond else row["to_us"]}
        found.append(row | ({"lane": lane.name, "kind": lane.kind, "of": lane.of} if table == "spans" else {}))
    return [{name: value for name, value in row.items() if name not in ("number", "row", "on")} for row in found]


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    shown = [{name: value for name, value in row.items() if name != "on"} for row in rows]
    for row in shown:
        if "why" in row and row["to_us"] is None:
            del row["why"]  # it says how often the request was passed over until the end of what is recorded
    return sorted(shown, key=lambda row: [str(value) for value in row.values()])


@pytest.mark.parametrize(
    ("kind", "length", "from_s", "for_s"),
    [
        pytest.param("enq-exits", "400 ms", 0.3, 0.02, marks=pytest.mark.slow),
        ("two-domains", "8 s", 6.0, 0.5),
        ("two-pools", "5 s", 0.0, 0.3),
    ],
)
def test_a_window_has_the_spans_and_waits_of_trace(
    recorded: Recorder, kind: str, length: str, from_s: float, for_s: float
) -> None:
    kept = recorded(starter(kind), length=length)
    traced = as_json(slicewright.trace(starter(kind), from_s=from_s, for_s=for_s))
    asked = _asked(kept, traced["from_us"], traced["to_us"])
    for table in ("spans", "waits"):
        names = list(traced[table][0])
        rows = [{name: row[name] for name in names if name != "on"} for row in _rows(kept, table, asked)]
        assert len(rows) > 20
        assert _sorted(rows) == _sorted(traced[table]), table


@pytest.mark.parametrize(("kind", "for_s"), [("two-pools", 40), pytest.param("enq-exits", 2, marks=pytest.mark.slow)])
def test_a_recording_in_parts_has_every_row_once(recorded: Recorder, kind: str, for_s: int) -> None:
    kept = recorded(starter(kind), length=f"{for_s} s")
    traced = as_json(slicewright.trace(starter(kind), for_s=float(for_s)))
    counts = {table: len(traced[table]) for table in ("spans", "waits", "changes", "yields")}
    assert counts["spans"] + counts["waits"] > 100_000  # as many as make a part
    assert kept.counts == counts
    assert [lane.name for lane in kept.lanes] == [lane["name"] for lane in traced["lanes"]]


def test_summaries_are_the_sums_of_spans(made: Kept) -> None:
    for at, level in _levels(made.finest):
        edges = level.edges
        for lane in (0, 7):
            spans = made.rows("spans", made.spans_of(lane))
            below = made.rows("waits", made.below(lane))
            for number in {0, level.count // 3, level.count - 1}:
                first, last = edges[number], min(edges[number + 1], made.to_us)
                share = np.clip(np.minimum(spans["to"], last) - np.maximum(spans["from"], first), 0, None).sum()
                waits = np.clip(np.minimum(below["to"], last) - np.maximum(below["from"], first), 0, None).sum()
                use = made.column("summary.use")[lane, at + number]
                waiting = made.column("summary.waiting")[lane, at + number]
                assert use * level.width_us == pytest.approx(share, rel=1e-6, abs=1e-6 * level.width_us)
                assert waiting * level.width_us == pytest.approx(waits, rel=1e-5, abs=1e-6 * level.width_us)


def test_the_main_state_of_a_bin_took_most_of_it(made: Kept) -> None:
    spans = made.rows("spans", made.spans_of(3))
    first, width = made.finest.edges[100], made.finest.width_us
    inside = np.clip(np.minimum(spans["to"], first + width) - np.maximum(spans["from"], first), 0, None)
    times = np.bincount(spans["state"], inside)
    holders = np.bincount(spans["holder"], inside)
    assert made.column("summary.state")[3, 100] == times.argmax()
    assert holders[made.column("summary.holder")[3, 100]] == holders.max()


@pytest.mark.parametrize("share", [1.0, 0.3, 0.01, 0.0001])
def test_a_window_has_no_more_rows_than_pixels(made: Kept, share: float) -> None:
    pixels = 100
    found = made.window(_asked(made, 0.4 * LENGTH_US, (0.4 + 0.6 * share) * LENGTH_US, pixels))
    for exact, summary in (("spans", "bins"), ("waits", "waiting")):
        for lane in range(len(made.lanes)):
            rows = int((found[exact]["lane"] == lane).sum())
            bins = int((found[summary]["lane"] == lane).sum())
            assert rows <= pixels
            assert bins <= 2 * pixels + 2
            assert bins == 0 or rows == 0


def test_a_summary_made_for_a_window_is_that_of_its_spans(made: Kept) -> None:
    width = made.finest.width_us / 2
    spans = made.rows("spans", made.spans_of(1))
    seen = 0
    for first in np.arange(5e6, 6e6, 1e5) // width * width:
        found = made.window(Asked(first, first + 2 * width, 2, range(1, 2)))["bins"]
        for number, use in zip(found["bin"], found["use"], strict=True):
            left = first + width * number
            time = np.clip(np.minimum(spans["to"], left + width) - np.maximum(spans["from"], left), 0, None).sum()
            assert use * width == pytest.approx(time, rel=1e-5)
            seen += 1
    assert seen > 10


def test_a_window_of_a_holder_has_only_its_rows(made: Kept) -> None:
    found = made.window(Asked(0.0, LENGTH_US, 4096, range(8), holder=0))
    assert set(found["spans"]["holder"]) == {0} == set(found["waits"]["holder"])
    assert len(found["spans"]["holder"]) == int((made.column("spans.holder") == 0).sum())


def test_the_longest_waits_come_first(made: Kept) -> None:
    waits = made.longest(None, 0, 100)["waits"]
    lengths = [wait["to_us"] - wait["from_us"] for wait in waits]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == (made.column("waits.to") - made.column("waits.from")).max()
    inside = made.longest(_asked(made, 1e6, 2e6), 0, 100)
    assert all(wait["from_us"] < 2e6 and wait["to_us"] > 1e6 for wait in inside["waits"])


def test_the_span_after_the_one_before_is_the_same(made: Kept) -> None:
    span = made.near(3e6, lane=2, holder=None, back=False)
    assert span is not None
    after = made.near(span["from_us"], lane=2, holder=None, back=False)
    assert after is not None
    assert made.near(after["from_us"], lane=2, holder=None, back=True) == span
    assert made.near(LENGTH_US, lane=2, holder=None, back=False) is None


def test_lanes_have_as_many_rows_as_waits_need(recorded: Recorder) -> None:
    lanes = recorded(starter("two-domains"), length="10 s").lane_facts()
    assert max(lane["rows"] for lane in lanes) > 0
    assert all(lane["rows"] <= 6 for lane in lanes)


@pytest.mark.parametrize(
    ("ends", "key"),
    [({"start": "99 h"}, "from"), ({"length": "soon"}, "for"), ({"start": "-1 s"}, "from"), ({"length": "0 s"}, "for")],
)
def test_a_stretch_that_cannot_be_recorded_is_refused(recorded: Recorder, ends: dict[str, str], key: str) -> None:
    with pytest.raises(InputError) as refused:
        recorded(starter("mm1"), **ends)
    assert [problem["key"] for problem in refused.value.problems] == [key]


def test_a_refused_recording_leaves_nothing(tmp_path: Path) -> None:
    into = tmp_path / "one"
    with pytest.raises(InputError):
        _record(Reporter(1, lambda job, kind, value: None), str(into), {"text": "name = 'x'\n"})
    assert list(tmp_path.iterdir()) == []
