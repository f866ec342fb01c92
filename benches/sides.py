"""The two sides of the comparison, each run once and reduced to the same figures: the engine and its peer."""

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from slicewright._core import Scenario

from benches import peer_simpy

SCENARIO = Path(__file__).with_name("closed_model.toml")
WARM_UP_S = 1.0


@dataclass(frozen=True)
class Figures:
    """One run of the closed model: what it simulated, and what that took."""

    simulated_s: float
    wall_s: float
    processor_s: float
    """Processor time of all its threads, which a busy machine does not lengthen."""
    io_per_s: float
    response_ms: float
    events: float
    """Events of the engine; nan for the peer, which does not count them."""

    @property
    def io_per_wall_s(self) -> float:
        """I/Os simulated per second of wall time, those of the warm-up included."""
        return self.io_per_s * self.simulated_s / self.wall_s

    @property
    def io_per_processor_s(self) -> float:
        """I/Os simulated per second of processor time."""
        return self.io_per_s * self.simulated_s / self.processor_s


@cache
def scenario(measured_s: float) -> Scenario:
    """The closed model, measured for a number of simulated seconds."""
    setting = f'measure.interval="{measured_s:g} s"'
    return Scenario.read(SCENARIO.read_bytes(), SCENARIO.name, [setting])


def engine(seed: int, measured_s: float, replications: int = 1, threads: int = 1) -> Figures:
    """The engine with all its statistics, `replications` runs of `measured_s` simulated seconds each."""
    read = scenario(measured_s)
    started, busy = time.perf_counter(), time.process_time()
    system = read.simulate(seed, (0, replications), threads, WARM_UP_S)["system"]
    wall_s, processor_s = time.perf_counter() - started, time.process_time() - busy
    return Figures(
        simulated_s=(measured_s + WARM_UP_S) * replications,
        wall_s=wall_s,
        processor_s=processor_s,
        io_per_s=sum(system["io_per_s"]) / replications,
        response_ms=sum(system["response_ms"]) / replications,
        events=sum(system["events"]),
    )


def peer(seed: int, measured_s: float) -> Figures:
    """The same model in SimPy, one run of `measured_s` simulated seconds."""
    started, busy = time.perf_counter(), time.process_time()
    outcome = peer_simpy.simulate(seed, measured_s, WARM_UP_S)
    wall_s, processor_s = time.perf_counter() - started, time.process_time() - busy
    return Figures(measured_s + WARM_UP_S, wall_s, processor_s, outcome.io_per_s, outcome.response_ms, float("nan"))


SIDES: dict[str, Callable[[int, float], Figures]] = {"engine": engine, "peer": peer}


def main(side: str, measured_s: str) -> None:
    """Run one side in this process and print its figures and the peak of this process's memory in MB, as JSON."""
    figures = SIDES[side](1, float(measured_s))
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    print(json.dumps({**asdict(figures), "peak_mb": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
