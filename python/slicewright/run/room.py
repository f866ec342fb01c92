"""Whether a limit on address space leaves room: asked before memory is, as an allocation that fails ends the process.

Only the limit is checked: without a limit, the system ends any process when memory runs out.
"""

from __future__ import annotations

import os
import resource

_LIBRARIES = 768 << 20
_OF_PROCESSOR = 128 << 20
"""Address space of numpy, polars and the engine, and of the threads that they start on each processor.

Measured with two processors: below 700 MiB their allocators abort now and then, with 880 MiB never.
"""


def require_room(more: int = 0) -> None:
    """Raise MemoryError where `ulimit -v` leaves less than the libraries and `more` bytes need.

    >>> require_room()
    """
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    needed = _LIBRARIES + _OF_PROCESSOR * len(os.sched_getaffinity(0)) + more
    if most != resource.RLIM_INFINITY and most < needed:
        mib = 1 << 20
        raise MemoryError(
            f"ulimit -v allows {most // mib:,} MiB of address space, and {-(-needed // mib):,} are needed"
        )
