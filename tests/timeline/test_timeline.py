"""Is a timeline drawn as a hand would draw it, as text, as a picture and for trace viewers?"""

from __future__ import annotations

import itertools
import json
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import slicewright
from slicewright import Timeline
from slicewright.report.drawing.inks import SERIES
from slicewright.timeline.events import EXPOSURES, QUEUES, WAITS
from slicewright.timeline.picture import COLOURS, TINT

from tests.conftest import SMALL, CommandLine
from tests.golden.committed import committed
from tests.tidy.tree import ROOT

GOLDEN = ROOT / "tests/golden/timelines/pool.txt"

BY_HAND = """\
name = "by hand"
assume = "an example"

[[alias_pool]]
name = "POOL"
aliases = 1
first_alias = "2000"

[[volume]]
name = "A"
device = "1000"
alias_pool = "POOL"
gap = "0.5 ms"
service = { connect = "1 ms" }

[[guest]]
name = "G"
count = 3
program = [ { think = "0.5 ms" }, { io = { volume = "A" } } ]

[[change]]
at = "2.25 ms"
reserve = "A"

[measure]
interval = "10 ms"
sample = "1 ms"
warm_up = "1 ms"
replications = 1
"""

# At -0.5 ms all three guests start an I/O: 1 gets the base, 2 the alias, 3 waits. At 0.5 ms both I/Os end and both
# exposures have their gap. So the base takes the I/O of 3 at 1 ms and the alias is free. Guests 1 and 2 have thought at
# 1 ms, just after that: 1 gets the alias, 2 waits. At 2 ms the I/Os of 3 and 1 end. From 2.25 ms on A is reserved. At
# 2.5 ms the base takes the I/O of 2, which is held. Guests 1 and 3 have thought at 2.5 ms too: the I/O of 1 gets the
# alias and is held, 3 waits.
DRAWN = """\
by hand
0 to 4 ms from the start of the first interval; replication 0, seed 1, warm-up cut 0.001 s
A column is 125 us and shows what took most of it.

  ms               0       1       2       3      4
                   |-------|-------|-------|------|
                                     !
  1000 A           AAAA----CCCCCCCC----~~~~~~~~~~~~
  2000 POOL alias  BBBB----AAAAAAAA----~~~~~~~~~~~~

  A G #1  B G #2  C G #3
  ~ held: the I/O has started and stays pending
  - gap between I/Os
  ! something is changed

5 waits; > lasts beyond the end
  from, ms      to  length  who     where  why
    -0.500   1.000   1.500  C G #3  A      base busy, pool empty
     1.000   2.500   1.500  B G #2  A      base busy, pool empty
     2.500  >4.000  >1.500  A G #1  A      pending: volume reserved by another system
     2.500  >4.000  >1.500  B G #2  A      pending: volume reserved by another system
     2.500  >4.000  >1.500  C G #3  A      base busy, pool empty

1 change
  at, ms  what
   2.250  A reserved by another system"""


@pytest.fixture(scope="module")
def by_hand() -> Timeline:
    return slicewright.trace(BY_HAND, for_s=0.004)


@pytest.fixture(scope="module")
def dynamics() -> Timeline:
    return slicewright.trace(ROOT / "scenarios/dynamics.toml", from_s=9.996, for_s=0.01)


def test_a_timeline_is_drawn_as_by_hand(by_hand: Timeline) -> None:
    assert by_hand.text(51) == DRAWN


def test_the_frames_have_the_rows(by_hand: Timeline) -> None:
    first = by_hand.spans.row(0, named=True)
    busy = {"lane": "1000", "kind": "base", "of": "A", "holder": "G #1", "what": "A", "state": "busy"}
    assert first == busy | {"on": None, "from_us": -500.0, "to_us": 500.0}
    assert by_hand.waits["kind"].to_list() == ["queued", "queued", "held", "held", "queued"]
    assert by_hand.waits["to_us"].to_list() == [1000.0, 2500.0, None, None, None]


def test_the_timeline_of_a_shipped_scenario_is_the_committed_one(slicewright: CommandLine) -> None:
    text = slicewright("trace", ROOT / "scenarios/pool.toml", "--from", "100 ms", "--for", "2 ms").out
    assert text == committed(GOLDEN, text)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lanes_are_as_wide_as_asked_for(by_hand: Timeline, width: int) -> None:
    lanes = [line for line in by_hand.text(width).splitlines() if re.match(r"  [12]000 ", line)]
    assert {len(line) for line in lanes} == {width}


def test_tracing_leaves_the_numbers_of_a_run_as_they_are() -> None:
    before = slicewright.run(SMALL, seed=5)
    slicewright.trace(SMALL, seed=5)
    after = slicewright.run(SMALL, seed=5)
    assert all(before.raw[table].equals(after.raw[table]) for table in before.raw)


def test_a_trace_is_of_the_replication_that_run_measures() -> None:
    """Time averages of the only interval, from the sums of all waits and spans."""
    result = slicewright.run(SMALL, seed=3, replications=2)
    made = slicewright.trace(SMALL, seed=3, replication=1, for_s=2.0)
    for volume in ("VOL001", "VOL002"):
        waits = made.waits.filter((made.waits["where"] == volume) & (made.waits["kind"] == "queued"))
        clipped = waits["to_us"].fill_null(made.to_us) - waits["from_us"].clip(made.from_us)
        measured = result.values("volumes", "queue_depth", volume)[1]
        assert float(clipped.sum()) / 2e6 == pytest.approx(measured, rel=1e-9)


def test_a_picture_is_xml_with_a_tooltip_on_each_box(dynamics: Timeline) -> None:
    picture = ElementTree.fromstring(dynamics.svg())
    space = "{http://www.w3.org/2000/svg}"
    boxes = [box for box in picture.iter(f"{space}path") if box.find(f"{space}title") is not None]
    assert len(boxes) == len(dynamics.span_rows) + len(dynamics.wait_rows)
    assert "url(http" not in dynamics.svg()
    assert "JOBS #4 waits at DATA2: base busy, pool empty" in dynamics.svg()
    assert dynamics.svg() == slicewright.trace(ROOT / "scenarios/dynamics.toml", from_s=9.996, for_s=0.01).svg()


def test_the_text_alternative_of_a_picture_is_escaped() -> None:
    made = slicewright.trace(BY_HAND.replace('"by hand"', '"A < B & C"'), for_s=0.004)
    title = ElementTree.fromstring(made.svg()).find("{http://www.w3.org/2000/svg}desc")
    assert title is not None
    assert "A < B & C" in (title.text or "")


def _events(timeline: Timeline, phase: str) -> list[dict[str, Any]]:
    events = json.loads(json.dumps(timeline.perfetto()))["traceEvents"]
    return [event for event in events if event["ph"] == phase]


def test_every_event_of_a_trace_has_what_the_format_asks_for(dynamics: Timeline) -> None:
    """Trace Event Format: name, ph, ts, pid, tid of every event; dur of X; args of C and M; s of i."""
    trace = json.loads(json.dumps(dynamics.perfetto(), allow_nan=False))
    assert trace["displayTimeUnit"] in ("ms", "ns")
    asked = {"M": {"args"}, "X": {"dur"}, "C": {"args"}, "i": {"s"}}
    for event in trace["traceEvents"]:
        assert {"name", "ph", "ts", "pid", "tid"} | asked[event["ph"]] <= event.keys()
        assert event["ts"] >= 0
        assert event.get("dur", 0) >= 0
        assert event["ph"] != "C" or all(value >= 0 for value in event["args"].values())


def test_threads_of_a_trace_are_named_and_have_no_overlaps(dynamics: Timeline) -> None:
    named = {(event["pid"], event["tid"]) for event in _events(dynamics, "M") if event["name"] == "thread_name"}
    threads: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for event in _events(dynamics, "X"):
        threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
    assert threads.keys() <= named
    assert {process for process, _ in threads} == {EXPOSURES, WAITS}
    for spans in threads.values():
        assert all(before[1] <= after[0] + 1e-6 for before, after in pairwise(sorted(spans)))


def test_the_counters_of_a_trace_are_the_waiting_requests(by_hand: Timeline) -> None:
    steps = [(event["ts"], event["args"]["waiting"]) for event in _events(by_hand, "C") if event["pid"] == QUEUES]
    assert steps == [(0.0, 1), (1000.0, 1), (2500.0, 1)]


def test_trace_writes_what_its_name_says(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    for kind in ("json", "svg"):
        said = slicewright("trace", small, "--out", tmp_path / f"trace.{kind}")
        assert f"trace.{kind}" in said.err
        assert said.out.startswith("two volumes, two aliases\n0 to ")
    assert "traceEvents" in json.loads((tmp_path / "trace.json").read_text())
    ElementTree.parse(tmp_path / "trace.svg")


def test_trace_as_json_has_the_rows(slicewright: CommandLine, small: Path) -> None:
    made = json.loads(slicewright("trace", small, "--format", "json", "--seed", "2", "--replication", "4").out)
    assert (made["seed"], made["replication"], made["from_us"]) == (2, 4, 0)
    assert len([span for span in made["spans"] if span["from_us"] >= 0]) >= 40
    assert {"holder", "kind", "where", "why", "from_us", "to_us"} == made["waits"][0].keys()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from", "1"], ["from", "has no unit"]),
        (["--from", "-1 ms"], ["from", "is negative"]),
        (["--for", "0 ms"], ["for: lasts 0 s", "more than 0 s, up to the 2 s that are measured"]),
        (["--from", "2 s"], ["from: starts at 2 s", "up to the 2 s that are measured"]),
        (["--from", "1999 ms", "--for", "2 ms"], ["for: lasts 0.002 s", "up to the 0.001 s"]),
        (["--from", "3 s", "--for", "x"], ["for", "does not begin with a decimal number"]),
        (["--width", "39"], ["width", "40 to 1,000"]),
        (["--out", "trace.txt"], ["out", ".json", ".svg"]),
        (["--out", "nowhere/trace.svg"], ["nowhere/trace.svg", "its directory does not exist"]),
        (["--seed", "-1", "--replication", "-1"], ["seed", "replication", "0 to 9,999"]),
        (["--set", "nothing=1"], ["nothing"]),
        (["--set", "measure.interval=200 s", "--for", "200 s"], ["for: more than 200,000 spans", "a shorter stretch"]),
    ],
)
def test_what_cannot_be_traced_is_refused(
    slicewright: CommandLine, small: Path, words: list[str], said: list[str]
) -> None:
    outcome = slicewright("trace", small, *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err
    for part in said:
        assert part in outcome.err


def test_more_holders_than_letters_and_more_lanes_than_are_drawn() -> None:
    volumes = "".join(
        f'[[volume]]\nname = "V{number}"\ndevice = "{0x1000 + number:04X}"\nservice = {{ connect = "1 ms" }}\n'
        for number in range(70)
    )
    guests = (
        '[[guest]]\nname = "G"\ncount = 80\nprogram = [ { io = { volume = "V0" } } ]\n'
        '[[guest]]\nname = "H"\ncount = 1\nprogram = [ '
        + "".join(f'{{ io = {{ volume = "V{number}" }} }}, ' for number in range(1, 70))
        + "]\n"
    )
    made = slicewright.trace(
        f'name = "many"\nassume = "a test"\n{volumes}{guests}[measure]\nwarm_up = "0 s"\ninterval = "1 s"\n',
        for_s=0.002,
    )
    text = made.text(80)
    assert re.search(r"^  and 6\d more lanes idle all the time$", text, re.MULTILINE)
    assert re.search(r"\* \d+ others", text)
    assert "more that wait" in made.svg()
    ElementTree.fromstring(made.svg())


def test_a_page_of_a_run_shows_its_first_instants(small: Path, tmp_path: Path) -> None:
    slicewright.run(small, out=tmp_path / "run")
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Instant by instant" in page
    assert "A column is" in page


def test_a_picture_names_the_scenario_and_its_pools() -> None:
    made = slicewright.trace(ROOT / "scenarios/two-pools.toml", for_s=0.003)
    assert made.figure().title == "Two pools on one path group, pools TRANS, BATCH: 0 to 3 ms"
    assert ">Two pools on one path group, pools TRANS, BATCH: 0 to 3 ms<" in made.svg()
    processes = [row["args"]["name"] for row in made.perfetto()["traceEvents"] if row["name"] == "process_name"]
    assert processes
    assert all(name.endswith(" of Two pools on one path group, pools TRANS, BATCH") for name in processes)


def _tints(made: Timeline) -> dict[str, tuple[int, float]]:
    """The colour and strength of each requester's boxes."""
    return {
        group: (look.colour, look.strength)
        for panel in made.figure().panels
        for series in panel.series
        if series.groups is not None and isinstance(series.look, list)
        for group, look in zip(series.groups, series.look, strict=True)
        if group
    }


def test_few_requesters_have_a_colour_each() -> None:
    few = slicewright.trace(ROOT / "scenarios/dynamics.toml", from_s=9.996, for_s=0.002)
    tints = _tints(few)
    assert 2 <= len(tints) <= COLOURS
    assert len(set(tints.values())) == len(tints)
    assert all(colour for colour, _ in tints.values())


def test_more_requesters_than_colours_have_none(dynamics: Timeline) -> None:
    tints = _tints(dynamics)
    assert len(tints) > COLOURS
    assert {colour for colour, _ in tints.values()} == {0}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_of_requesters_can_be_told_apart(theme: str) -> None:
    css = (ROOT / "python/slicewright/templates/page.css").read_text("utf-8")
    light, dark = css.split("prefers-color-scheme: dark")
    found = dict(re.findall(r"--(series-\d|paper): (#[0-9a-f]{6})", light))
    if theme == "dark":
        found |= dict(re.findall(r"--(series-\d|paper): (#[0-9a-f]{6})", dark.partition("@media")[0]))
    own = {f"series-{at}": re.findall("#[0-9a-f]{6}", SERIES[at - 1])[0] for at in range(1, COLOURS + 1)}
    own |= {name: value for name, value in found.items() if name in own}
    labs = [_lab(_mixed(value, found["paper"])) for value in own.values()]
    # Differences (CIE 1976) below some 10 are seen only side by side.
    assert min(math.dist(a, b) for a, b in itertools.combinations(labs, 2)) > 15


def _mixed(ink: str, paper: str) -> list[float]:
    parts = zip(bytes.fromhex(ink[1:]), bytes.fromhex(paper[1:]), strict=True)
    return [(TINT * a + (1 - TINT) * b) / 255 for a, b in parts]


def _lab(rgb: list[float]) -> tuple[float, float, float]:
    """CIE L*a*b* of sRGB under D65 (IEC 61966-2-1, CIE 15)."""
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
