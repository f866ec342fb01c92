"""Does a timeline show control programs: the user of each processor, states of virtual processors, lock holders?"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import slicewright
from slicewright import Timeline
from slicewright.timeline.events import LOCKS, PROCESSORS, VIRTUAL_PROCESSORS, WAITS

BY_HAND = """\
name = "one processor by hand"
assume = "an example"
cec = { processors = 1, dispatcher = "prsm" }

[[partition]]
name = "ZVM"
logical_processors = 1
mode = "UP"

[partition.control_program]
slice_jitter = "0 %"
lock = { mode = "exclusive", hold = "8 us", per_waiter = "2 us" }
costs = { wake = "10 us", dispatch = "20 us", wait = "30 us", simulate = "40 us", look = "0 us", entry = "50 us" }

[[virtual_machine]]
name = "VM"
partition = "ZVM"

[[virtual_machine]]
name = "LATE"
partition = "ZVM"

[[guest]]
name = "FIRST"
virtual_machine = "VM"
count = 1
program = [ { think = "1 ms" }, { compute = "0.5 ms" } ]

[[guest]]
name = "SECOND"
virtual_machine = "LATE"
count = 1
program = [ { think = "1.2 ms" }, { compute = "0.1 ms" } ]

[measure]
interval = "10 ms"
warm_up = "1 ms"
replications = 1
"""

# VM wakes at 0 and runs from 18 us on. LATE wakes at 200 us, which interrupts VM for 18 us. LATE runs from 734 us on.


@pytest.fixture(scope="module")
def by_hand() -> Timeline:
    """The stretch that was worked out by hand."""
    return slicewright.trace(BY_HAND, for_s=0.001)


def test_processors_come_before_their_lock_and_their_virtual_processors(by_hand: Timeline) -> None:
    lanes = [(lane.name, lane.kind) for lane in by_hand.lane_rows]
    virtual = [(name, "virtual-processor") for name in ("VM 0", "LATE 0")]
    assert lanes == [("ZVM 0", "logical-processor"), ("ZVM SRMSLOCK", "lock"), *virtual]


def test_letters_are_virtual_processors_on_both_kinds_of_lanes(by_hand: Timeline) -> None:
    rows = {line[2:15].strip(): line[16:] for line in by_hand.text(66).splitlines() if line[2:3] in ("Z", "V", "L")}
    # A column is 20 us.
    assert rows["ZVM 0"] == "%AAAAAAAA" + "A%" + 25 * "A" + "A" + 12 * "B" + "_"
    assert rows["VM 0"] == "+AAAAAAAA" + "A<" + 25 * "A" + "A" + 13 * "."
    assert rows["LATE 0"] == 10 * "." + "+" + 25 * ";" + ";" + 12 * "B" + "."


def test_each_standstill_has_its_why(by_hand: Timeline) -> None:
    whys = [(wait["holder"], wait["kind"], wait["why"]) for wait in by_hand.waits.to_dicts()]
    assert whys == [
        ("VM 0", "waking", "waking: its interrupt is not handled yet"),
        ("VM 0", "interrupted", "interrupted: ZVM 0 handles a wake-up or is not carried"),
        ("LATE 0", "waking", "waking: its interrupt is not handled yet"),
        ("LATE 0", "ready", "CPU wait at ZVM 0 behind VM 0"),
    ]


def test_what_runs_says_where(by_hand: Timeline) -> None:
    spans = by_hand.spans
    assert set(spans.filter(spans["state"] == "running")["on"]) == {"ZVM 0"}
    assert spans.filter(spans["state"] == "locked")["from_us"].to_list() == pytest.approx([0, 200, 656, 904])


def test_a_viewer_of_traces_gets_a_process_of_each_kind(by_hand: Timeline) -> None:
    events = by_hand.perfetto()["traceEvents"]
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert [names[process] for process in (PROCESSORS, VIRTUAL_PROCESSORS, LOCKS)] == [
        f"{kind} of one processor by hand" for kind in ("processors", "virtual processors", "locks")
    ]
    drawn = [event for event in events if event["ph"] == "X" and event["pid"] == VIRTUAL_PROCESSORS]
    assert [event["name"] for event in drawn][:4] == ["waking", "ZVM 0", "interrupted", "ZVM 0"]
    assert sum(event["ph"] == "X" and event["pid"] == WAITS for event in events) == 4


def test_the_picture_is_whole_and_says_what_its_signs_mean(by_hand: Timeline) -> None:
    picture = by_hand.svg()
    ElementTree.fromstring(picture)
    for label in ("VM 0 runs on ZVM 0", "ZVM SRMSLOCK, held by ZVM 0", "low: waits for a processor", "hatched:"):
        assert label in picture


def test_without_a_length_some_forty_dispatches_are_shown() -> None:
    timeline = slicewright.trace(BY_HAND)
    running = sum(span.state == "running" for span in timeline.span_rows)
    assert 10 <= running <= 80
