"""A sweep in a process of its own, with small parts and blocks: `python -m tests.sweep.swept SCENARIO OUT PLACE`."""

import sys

from slicewright.explore import store
from slicewright.explore.sweep import sweep

AXES = {"alias_pool.POOL.aliases": "0..5", "guest.GUEST.count": "1..4"}
QUICK = {"measure.interval": "200 ms", "measure.warm_up": "0 s", "measure.replications": 2}


def main(scenario: str, out: str, place: str) -> None:
    """Sweep the small scenario; a part is kept every 20 ms of work, so that a kill meets many of them."""
    store.LEAST_S, store.ROWS = 0.02, 7
    sweep(scenario, AXES, out=out, set=QUICK, on=place)


if __name__ == "__main__":
    main(*sys.argv[1:])
