"""Timelines: a stretch of simulated time with a lane per processor and exposure, who held it, who waited and why.

It leaves out the recording, which the engine does: `stretch` asks for it, the other modules draw it.
"""

from slicewright.timeline.stretch import Timeline, trace

__all__ = ["Timeline", "trace"]
