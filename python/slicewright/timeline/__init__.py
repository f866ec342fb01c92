"""Timelines: a stretch of simulated time with a lane per processor and exposure, holders, and waits."""

from slicewright.timeline.stretch import Timeline, trace

__all__ = ["Timeline", "trace"]
