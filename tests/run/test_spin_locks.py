"""Do runs of guests that spin show the holder of each lock, the outcome of yields, and the target of each wait?"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import slicewright
from slicewright import Timeline
from slicewright.run.kinds import spin_locks_by_kind
from slicewright.timeline.events import SPIN_LOCKS, VIRTUAL_PROCESSORS

SPIN = """\
name = "guests that spin"
assume = "an example"
cec = { processors = 2, machine = "z990" }

[[partition]]
name = "ZVM"
logical_processors = 2
mode = "UP"
control_program = {}

[[virtual_machine]]
name = "CLIENT"
partition = "ZVM"
virtual_processors = 3
guest_type = "SLES 10"

[[virtual_machine]]
name = "SERVER"
partition = "ZVM"
count = 2
virtual_processors = 2
yields = "x44"

[[spin_lock]]
name = "dcache"
virtual_machine = "CLIENT"

[[spin_lock]]
name = "socket"
virtual_machine = "SERVER"
order = "ticket"

[[network]]
name = "LAN"
latency = "20 us"

[[guest]]
name = "CONNECTIONS"
virtual_machine = "CLIENT"
count = 12
program = [
  { exchange = "REQUESTS", network = "LAN", request = "1 KiB", reply = "1 KiB" },
  { lock = "dcache", steps = [ { compute = "15 us" } ] },
  { compute = { exponential = "100 us" } },
]

[[guest]]
name = "REQUESTS"
virtual_machine = "SERVER"
arrives = "spawned"
program = [ { lock = "socket", steps = [ { compute = { exponential = "40 us" } } ] } ]

[measure]
interval = "100 ms"
intervals = 2
warm_up = "50 ms"
sample = "5 ms"
replications = 2
"""

TITLES = ("Guests that spin and yield", "Spin locks, those of a kind of machines together")


@pytest.fixture(scope="module")
def spun() -> slicewright.Run:
    """A short run in which clients yield by X'9C' and servers by X'44'."""
    return slicewright.run(SPIN)


def test_each_machine_has_its_own_locks(spun: slicewright.Run) -> None:
    keys = spun.spin_locks.select("partition", "virtual_machine", "number", "lock").rows()
    assert keys == [("ZVM", "CLIENT", 0, "dcache"), ("ZVM", "SERVER", 0, "socket"), ("ZVM", "SERVER", 1, "socket")]


def test_the_mean_number_of_spinners_is_rate_times_wait(spun: slicewright.Run) -> None:
    for row in spun.spin_locks.iter_rows(named=True):
        assert row["contended_per_s"] <= row["taken_per_s"]
        assert row["spinning"] == pytest.approx(row["contended_per_s"] * row["wait_us"] / 1e6, rel=0.1)
        assert row["longest_wait_ms"] >= row["wait_us"] / 1e3


def test_what_was_issued_is_what_came_of_it(spun: slicewright.Run) -> None:
    (row,) = spun.control_programs.iter_rows(named=True)
    outcomes = ("yielded", "not_ready", "wait", "soft_wait", "dispatched")
    assert sum(row[f"x9c_{outcome}_per_s"] for outcome in outcomes) == pytest.approx(row["x9c_per_s"])
    assert row["x44_per_s"] + row["x9c_per_s"] == pytest.approx(row["diagnoses_per_s"])
    assert row["fast_x44_percent"] == pytest.approx(100 * row["fast_x44_per_s"] / row["x44_per_s"], rel=0.1, abs=0.5)


def test_programs_count_what_their_machines_issue(spun: slicewright.Run) -> None:
    (row,) = spun.control_programs.iter_rows(named=True)
    for counter in ("spinning_percent", "x44_per_s", "fast_x44_per_s", "x9c_per_s"):
        assert spun.virtual_machines[counter].sum() == pytest.approx(row[counter])
    assert min(row["spinning_percent"], row["x44_per_s"], row["x9c_per_s"]) > 0
    issues = spun.virtual_machines.select("virtual_machine", "x44_per_s", "x9c_per_s").rows()
    assert all((kind == "CLIENT") == (x44 == 0) == (x9c > 0) for kind, x44, x9c in issues)


def test_where_time_goes_adds_up(spun: slicewright.Run) -> None:
    for row in spun.processors.iter_rows(named=True):
        shares = [value for name, value in row.items() if name.endswith("_percent")]
        assert sum(shares) == pytest.approx(100)


def test_locks_of_a_kind_are_added_up(spun: slicewright.Run) -> None:
    dcache, socket = spin_locks_by_kind(spun).iter_rows(named=True)
    servers = spun.spin_locks.filter(spun.spin_locks["lock"] == "socket")
    assert (dcache["machines"], socket["machines"]) == (1, 2)
    assert socket["taken_per_s"] == pytest.approx(servers["taken_per_s"].sum())
    assert socket["held_percent"] == pytest.approx(servers["held_percent"].mean())
    assert servers["held_us"].min() <= socket["held_us"] <= servers["held_us"].max()


def test_a_run_shows_its_spin_locks(spun: slicewright.Run) -> None:
    page = spun.html()
    for title in TITLES:
        assert title in str(spun)
        assert f"<h2>{title}</h2>" in page


def test_a_run_without_spin_locks_shows_none(small: str) -> None:
    result = slicewright.run(small)
    assert result.spin_locks.is_empty()
    for title in TITLES:
        assert title not in str(result) + result.html()


@pytest.fixture(scope="module")
def traced() -> Timeline:
    """The first two milliseconds."""
    return slicewright.trace(SPIN, for_s=0.002)


def test_who_spins_waits_for_the_lock(traced: Timeline) -> None:
    spins = [wait for wait in traced.wait_rows if wait.kind == "spinning"]
    assert {traced.lane_rows[wait.lane].kind for wait in spins} == {"spin-lock"}
    assert any(wait.why.startswith("spins for CLIENT 0 dcache, which CONNECTIONS #") for wait in spins)


def test_a_lock_has_a_lane_with_the_letter_of_its_holder(traced: Timeline) -> None:
    taken = traced.spans.filter(traced.spans["kind"] == "spin-lock")
    assert set(taken["state"]) == {"taken"}
    assert "CLIENT 0 dcache" in traced.text()


def test_yields_are_shown_in_text_picture_and_trace(traced: Timeline) -> None:
    yields = traced.yields
    assert yields.height > 0
    assert set(yields["on"]) <= {"ZVM 0", "ZVM 1"}
    assert f"{yields.height} yield" in traced.text()
    ElementTree.fromstring(traced.svg())
    assert traced.svg().count("X'") + traced.svg().count("X&#x27;") >= yields.height
    events = traced.perfetto()["traceEvents"]
    marks = [event for event in events if event.get("cat") == "yield"]
    assert [event["ts"] for event in marks] == yields["at_us"].to_list()
    assert {event["pid"] for event in marks} == {VIRTUAL_PROCESSORS}
    assert any(event["ph"] == "X" and event["pid"] == SPIN_LOCKS for event in events)
