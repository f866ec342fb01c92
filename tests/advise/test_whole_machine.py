"""Does advice on one partition look at the others, and name what is busiest before and after?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slicewright import Scenario
from slicewright.advise.answer import Request
from slicewright.advise.exits import comparison as exits
from slicewright.advise.exits.report import document as exits_document
from slicewright.advise.slices.answer import answer_scenario
from slicewright.advise.slices.report import document as slices_document
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.whole_machine import harm, own_parts
from slicewright.advise.yields.answering import COMPARISON as YIELDS
from slicewright.advise.yields.report import document as yields_document
from slicewright.results.busiest import Change, Machine, Resource

BEHIND = Path(__file__).with_name("exits_behind_a_channel.toml")
"""Jobs that wait for the ENQ/DEQ lock, and pages of another partition behind the same channel."""

NOISE = np.array([0.99, 1.0, 1.01, 1.0])


def machine(jobs: float, pages: float, channel: float) -> Machine:
    """A machine with two groups of guests and a channel."""
    times = {"transaction of JOBS": jobs * NOISE, "transaction of PAGES": pages * NOISE}
    return Machine(times, {}, (Resource("channel", "channel 40", channel),), tuple(times))


def test_exits_for_which_another_partition_pays_are_not_recommended() -> None:
    (answer,) = exits.COMPARISON.answer([(BEHIND.name, BEHIND.read_bytes())], exits.COMPARISON.request())
    assert answer.recommendation is None
    pattern = (
        r"(pooled|single area) would move the queue to channel 40 "
        r"\(3\d\.\d % busy now, 8\d\.\d % busy then\): WEB1 .* transaction of PAGES"
    )
    assert re.match(pattern, answer.reason), answer.reason
    made = exits_document(answer)
    assert made["recommendation"] is None
    assert made["machine"]["busiest"]["now"]["name"] == "the ENQ/DEQ lock of SYSA"
    assert made["machine"]["busiest"]["then"]["name"] == "channel 40"


def test_without_the_channel_the_same_exits_are_recommended() -> None:
    text = BEHIND.read_text().replace('control_unit = "CU"\n', "")
    text = re.sub(r'\[\[channel\]\].*?channels = \["40"\]\n', "", text, flags=re.DOTALL)
    (answer,) = exits.COMPARISON.answer([("own.toml", text.encode())], exits.COMPARISON.request())
    assert answer.recommendation in ("prebatch-pooled", "prebatch-single-area")
    assert any("transaction of JOBS" in fact for fact in answer.explanation.facts)
    assert not any("transaction of PAGES" in fact for fact in answer.explanation.facts), "nothing gets slower"


def test_slices_name_the_busiest_resource_and_every_response() -> None:
    answer = answer_scenario(Path("scenarios/two-domains.toml").read_bytes(), "two-domains.toml", SliceRequest())
    assert answer.recommendation is not None
    parts = {part["name"]: part for part in slices_document(answer)["machine"]["parts"]}
    assert set(parts) == {
        "C23", "8C2", "8C3", "8C4", "CC1", "transaction of IMS", "transaction of TSO", "transaction of BATCH",
    }  # fmt: skip
    assert parts["transaction of IMS"]["then_ms"] < 0.7 * parts["transaction of IMS"]["now_ms"]
    assert any(fact.startswith("busiest resource: the slices of PEMDFT") for fact in answer.facts)


def test_guests_with_locks_have_their_locks_among_the_resources() -> None:
    text = Path("scenarios/apache-spin.toml").read_bytes()
    short = ('measure.interval="0.2 s"', 'measure.warm_up="0.2 s"', "measure.replications=2")
    (answer,) = YIELDS.answer([("apache-spin.toml", text)], Request(changes=short, knobs={"least": 1.0}))
    made: Any = yields_document(answer)["machine"]
    names = {resource["name"] for resource in made["resources"]}
    assert {"lock FILES of CLIENT", "lock SOCKETS of SERVER", "the processors of ZVM"} <= names
    assert made["busiest"]["now"]["name"] == "the processors of ZVM"


def test_others_that_pay_and_a_subject_that_only_loses_are_refused() -> None:
    before = machine(2.0, 1.0, 60.0)
    own = ["transaction of JOBS"]
    assert harm(Change(before, machine(1.0, 1.5, 95.0)), own) == (
        "move the queue to channel 40 (60.0 % busy now, 95.0 % busy then): transaction of PAGES 1.00 -> 1.50 ms"
    )
    assert (
        harm(Change(before, machine(3.0, 1.0, 60.0)), own)
        == "make guests or volumes slower: transaction of JOBS 2.00 -> 3.00 ms"
    )
    assert not harm(Change(before, machine(1.0, 1.02, 95.0)), own)


@pytest.mark.parametrize(("name", "partition", "count"), [("zvm", "ZVM", 2), ("two-domains", "PEMDFI", 5)])
def test_a_partition_has_its_own_guests_and_volumes(name: str, partition: str, count: int) -> None:
    view = Scenario.read(Path(f"scenarios/{name}.toml").read_bytes(), name).view
    assert len(own_parts(view, partition)) == count
