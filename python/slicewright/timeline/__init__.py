"""Timelines: a stretch of simulated time with a lane per processor and exposure, who held it, who waited and why."""

from slicewright.timeline.stretch import Timeline, trace

__all__ = ["Timeline", "trace"]
