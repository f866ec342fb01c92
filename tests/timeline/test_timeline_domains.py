"""Does a timeline show domains in slices: processors, interrupts that wait for their domain, and undispatched work?

The common parts of timelines are tested elsewhere; the numbers are worked out by hand in the test of the engine.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import slicewright
from slicewright import Timeline
from slicewright.timeline.events import EXPOSURES, PROCESSORS, QUEUES, WAITS

BY_HAND = """\
name = "slices by hand"
assume = "an example"
cec = { processors = 1, slice = "1 ms" }
partition = [
  { name = "OWN", logical_processors = 1, target = "50 %", maximum = "100 %", slih = "0.1 ms" },
  { name = "OTHER", logical_processors = 1, target = "50 %", maximum = "100 %", slih = "0.1 ms" },
]
volume = [
  { name = "A", device = "1000", partition = "OWN", service = { connect = "1 ms" } },
  { name = "B", device = "1001", partition = "OWN", service = { connect = "2.05 ms" } },
  { name = "C", device = "1002", partition = "OTHER", service = { connect = "0.4 ms" } },
]

[[guest]]
name = "G"
partition = "OWN"
count = 2
program = [ { compute = "0.3 ms" }, { io = { volume = "A" } } ]

[[guest]]
name = "K"
partition = "OWN"
count = 1
program = [ { io = { volume = "B" } } ]

[[guest]]
name = "W"
partition = "OTHER"
count = 1
program = [ { compute = "1.2 ms" }, { io = { volume = "C" } } ]

[measure]
interval = "10 ms"
sample = "1 ms"
warm_up = "1 ms"
replications = 1
"""

# OWN has the processor before 0, OTHER from 0 to 1 ms. G #1's I/O ends at 0.3 ms and waits for OWN until 1 ms; K's
# ends at 1.05 ms, while that is handled. W computes 1.2 ms, the last 0.2 ms from 2 ms on, and its I/O ends at 2.6 ms.
DRAWN = """\
slices by hand
0 to 3 ms from the start of the first interval; replication 0, seed 1, warm-up cut 0.001 s
A column is 50 us and shows what took most of it.

  ms       0         0.5       1         1.5       2         2.5      3
           |---------|---------|---------|---------|---------|--------|
  OWN 0    ''''''''''''''''''''^^^^AAAAAA__________''''''''''''''''''''
  OTHER 0  DDDDDDDDDDDDDDDDDDDD::::::::::::::::::::DDDD________^^DDDDDD
  1000 A   AAAAAA================BBBBBBBBBBBBBBBBBBBB==================
  1001 B   CCCCCCCCCCCCCCCCCCCCC===CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC
  1002 C   ............................................DDDDDDDD==......

  A G #1  B G #2  C K     D W
  . idle
  = I/O ended, its interrupt is not handled yet
  ^ processor handles an interrupt
  _ processor carried, in wait
  ' processor not carried
  : processor not carried, has work

7 waits; > lasts beyond the end
  from, ms      to  length  who     where  why
    -0.400   1.100   1.500  B G #2  A      base busy, no alias
     0.300   1.000   0.700  A G #1  A      I/O ended, OWN not dispatched
     1.000   2.000   1.000  D W     OTHER  ready, OTHER not dispatched
     1.050   1.100   0.050  C K     B      I/O ended, handler busy
     1.100   1.200   0.100  A G #1  OWN    ready, no processor of OWN free
     1.500  >3.000  >1.500  A G #1  A      base busy, no alias
     2.100   3.000   0.900  B G #2  A      I/O ended, OWN not dispatched"""


@pytest.fixture(scope="module")
def domains() -> Timeline:
    return slicewright.trace(BY_HAND, for_s=0.003)


def test_domains_are_drawn_as_by_hand(domains: Timeline) -> None:
    assert domains.text(71) == DRAWN


def test_the_frames_name_processors_and_what_is_waited_for(domains: Timeline) -> None:
    processors = domains.spans.filter(domains.spans["kind"] == "logical-processor")
    assert processors["of"].unique().sort().to_list() == ["OTHER", "OWN"]
    handled = processors.filter(processors["state"] == "handling-interrupt")
    assert handled["holder"].to_list() == ["G #1", "K", "W"]
    assert handled["what"].to_list() == ["A", "B", "C"]
    assert set(domains.waits["kind"]) == {"queued", "interrupt", "ready"}


def test_a_picture_has_tooltips_and_explains_the_signs_that_it_has(domains: Timeline) -> None:
    svg = domains.svg()
    picture = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    boxes = [box for box in picture.iter(f"{space}path") if box.find(f"{space}title") is not None]
    assert len(boxes) == len(domains.span_rows) + len(domains.wait_rows)
    assert "OWN 0 handles the interrupt of G #1 at A, from 1.000 to 1.100 ms" in svg
    assert "G #1 waits at A: I/O ended, OWN not dispatched; from 0.300 to 1.000 ms" in svg
    for sign in ("upright lines: I/O ended", "dark: handles", "empty: carried", "grey: not", "grey, dashed: not"):
        assert sign in svg
    assert "hatched: held" not in svg


def test_a_trace_has_processors_in_a_process_of_their_own(domains: Timeline) -> None:
    events = domains.perfetto()["traceEvents"]
    threads = {(event["pid"], event["args"]["name"]) for event in events if event["name"] == "thread_name"}
    assert {(PROCESSORS, "OWN 0"), (PROCESSORS, "OTHER 0"), (EXPOSURES, "1000 A"), (WAITS, "W")} <= threads
    first = [event["name"] for event in events if event["ph"] == "X" and event["pid"] == PROCESSORS][:4]
    assert first == ["not-dispatched", "handling-interrupt", "handling-interrupt", "G #1"]
    counters = {event["name"] for event in events if event["pid"] == QUEUES and event["ph"] == "C"}
    assert {"waiting at A", "interrupts waiting at A", "ready in OWN", "ready in OTHER"} <= counters
