"""A timeline in the Trace Event Format, as Perfetto (ui.perfetto.dev) and chrome://tracing open it.

The format is that of Google's "Trace Event Format": metadata events (`M`) name processes and threads. Complete events
(`X`) have a start and a duration, counters (`C`) a value from an instant on; instants (`i`) mark a change. Times are
in us since the start of the first interval. Events beyond the window are cut there, with a note in `args`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from slicewright._core import __version__
from slicewright.timeline.marks import OF_HOLDER
from slicewright.timeline.recorded import Lane, Recorded, Span, Wait

Event = dict[str, Any]

EXPOSURES, WAITS, QUEUES, CHANGES, PROCESSORS, VIRTUAL_PROCESSORS, LOCKS, SPIN_LOCKS, NAMES = range(1, 10)
"""The processes of the trace: exposures and processors (a thread each), waits (a thread per guest), queues (counters),
changes.  Then virtual processors, locks, spin locks and names; processors of all kinds come first if there are any."""

_LANES = {
    "logical-processor": (PROCESSORS, "processors"),
    "virtual-processor": (VIRTUAL_PROCESSORS, "virtual processors"),
    "lock": (LOCKS, "locks"),
    "spin-lock": (SPIN_LOCKS, "spin locks"),
    "enqueue": (NAMES, "resources by name"),
}
"""The process of each kind of lanes that are no exposures, and its name."""

_COUNTED = {
    "queued": "waiting at",
    "turn": "waiting at",
    "message": "message with",
    "interrupt": "interrupts waiting at",
    "ready": "ready in",
    "spinning": "spinning for",
    "suspended": "suspended for the ENQ/DEQ lock of",
    "enqueued": "waiting for",
}
"""The counter of each kind of wait; a held I/O is in no queue."""


def trace_events(timeline: Recorded) -> dict[str, Any]:
    """The whole trace, ready for `json.dumps`.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> made = trace_events(slicewright.trace(starter("mm1"), for_s=0.01))
    >>> made["displayTimeUnit"], made["traceEvents"][0]["ph"]
    ('ms', 'M')
    """
    events = [*_names(timeline), *_spans(timeline), *_waits(timeline), *_queues(timeline), *_changes(timeline)]
    events += _yields(timeline)
    return {
        "traceEvents": events,
        "displayTimeUnit": "ms",
        "otherData": {
            "scenario": timeline.name, "seed": timeline.seed, "replication": timeline.replication,
            "warm_up_s": timeline.warm_up_s, "slicewright": __version__,
        },
    }  # fmt: skip


def trace_text(timeline: Recorded) -> str:
    """The whole trace as the text of a file.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> trace_text(slicewright.trace(starter("mm1"), for_s=0.01)).startswith("{")
    True
    """
    return json.dumps(trace_events(timeline), indent=1) + "\n"


def _names(timeline: Recorded) -> Iterator[Event]:
    named = {EXPOSURES: "exposures", WAITS: "waits", QUEUES: "queues", CHANGES: "changes"}
    for process, name in named.items():
        yield _metadata("process_name", process, 0, {"name": f"{name} of {timeline.subject}"})
        yield _metadata("process_sort_index", process, 0, {"sort_index": process})
    kinds = {lane.kind for lane in timeline.lane_rows}
    for process, name in (place for kind, place in _LANES.items() if kind in kinds):
        yield _metadata("process_name", process, 0, {"name": f"{name} of {timeline.subject}"})
        yield _metadata("process_sort_index", process, 0, {"sort_index": 0})
    for number, lane in enumerate(timeline.lane_rows):
        yield _metadata("thread_name", _process(lane), number + 1, {"name": lane.label})
        yield _metadata("thread_sort_index", _process(lane), number + 1, {"sort_index": number})
    for holder in sorted({wait.holder for wait in timeline.wait_rows}):
        yield _metadata("thread_name", WAITS, holder + 1, {"name": timeline.holder_names[holder]})
        yield _metadata("thread_sort_index", WAITS, holder + 1, {"sort_index": holder})
    if timeline.change_rows:
        yield _metadata("thread_name", CHANGES, 1, {"name": "changes"})


def _process(lane: Lane) -> int:
    return _LANES.get(lane.kind, (EXPOSURES, ""))[0]


def _metadata(name: str, process: int, thread: int, arguments: Event) -> Event:
    return {"name": name, "ph": "M", "pid": process, "tid": thread, "ts": 0, "args": arguments}


def _spans(timeline: Recorded) -> Iterator[Event]:
    for span in timeline.span_rows:
        holder = None if span.holder is None else timeline.holder_names[span.holder]
        on = None if span.on is None else timeline.lane_rows[span.on].name
        # The lane of a virtual processor has its name already.
        name = on or (holder if span.state in OF_HOLDER and holder else span.state)
        process = _process(timeline.lane_rows[span.lane])
        arguments = {"state": span.state, "volume": span.what, "holder": holder}
        if on:
            arguments["on"] = on
        yield _complete(timeline, span, {"name": name, "cat": span.state, "pid": process, "tid": span.lane + 1}) | {
            "args": arguments | _beyond(timeline, span)
        }


def _waits(timeline: Recorded) -> Iterator[Event]:
    """The waits: a guest waits in one place at a time, so that its thread has no overlaps."""
    for wait in timeline.wait_rows:
        place = {"name": wait.why, "cat": "wait", "pid": WAITS, "tid": wait.holder + 1}
        yield _complete(timeline, wait, place) | {"args": {"where": wait.where} | _beyond(timeline, wait)}


def _queues(timeline: Recorded) -> Iterator[Event]:
    """How many wait at each volume, minidisk and partition, from each instant at which that changes."""
    queued = [(f"{_COUNTED[wait.kind]} {wait.where}", wait) for wait in timeline.wait_rows if wait.kind in _COUNTED]
    places: dict[str, dict[float, int]] = {place: {timeline.from_us: 0} for place, _ in queued}
    for place, wait in queued:
        steps = places[place]
        start = max(wait.from_us, timeline.from_us)
        steps[start] = steps.get(start, 0) + 1
        if wait.to_us is not None:
            steps[wait.to_us] = steps.get(wait.to_us, 0) - 1
    for place, steps in sorted(places.items()):
        waiting = 0
        for at_us, change in sorted(steps.items()):
            waiting += change
            yield {
                "name": place, "ph": "C", "pid": QUEUES, "tid": 0, "ts": at_us,
                "args": {"waiting": waiting},
            }  # fmt: skip


def _changes(timeline: Recorded) -> Iterator[Event]:
    for at_us, what in timeline.change_rows:
        yield {"name": what, "cat": "change", "ph": "i", "s": "g", "pid": CHANGES, "tid": 1, "ts": at_us}


def _yields(timeline: Recorded) -> Iterator[Event]:
    """The outcome of each yield, on the thread of the virtual processor."""
    for row in timeline.yield_rows:
        yield {
            "name": row.what, "cat": "yield", "ph": "i", "s": "t", "pid": VIRTUAL_PROCESSORS, "tid": row.lane + 1,
            "ts": row.at_us, "args": {"on": timeline.lane_rows[row.on].name},
        }  # fmt: skip


def _complete(timeline: Recorded, one: Span | Wait, place: Event) -> Event:
    start = max(one.from_us, timeline.from_us)
    end = timeline.to_us if one.to_us is None else one.to_us
    return {**place, "ph": "X", "ts": start, "dur": end - start}


def _beyond(timeline: Recorded, one: Span | Wait) -> Event:
    """The ends of an event that reaches beyond the window, which a viewer cannot show."""
    before = {"began_us": one.from_us} if one.from_us < timeline.from_us else {}
    return before | ({"ends": "after the window"} if one.to_us is None else {})
